// SPDX-License-Identifier: MIT
// Philadelphia as an acceptor that answers every application message with a copy of its body: `PhiladelphiaEcho echo
// --name value ...`. Philadelphia has connections and no sessions: numbers are kept here between the connections of an
// identity. A second connection of an identity, or one of an identity that was not named, is closed here.
package interop;

import com.paritytrading.philadelphia.FIXConfig;
import com.paritytrading.philadelphia.FIXConnection;
import com.paritytrading.philadelphia.FIXConnectionStatusListener;
import com.paritytrading.philadelphia.FIXMessage;
import com.paritytrading.philadelphia.FIXMessageListener;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One connection. */
final class PhiladelphiaEcho implements FIXMessageListener, FIXConnectionStatusListener {
    private static final int TURN_MILLIS = 20;
    private static final int BUFFER_BYTES = 1 << 16;
    /** Its configuration has the interval, and is made before it reads the Logon. */
    private static final Pattern INTERVAL = Pattern.compile("\\x01108=(\\d{1,6})\\x01");
    private static final Pattern IDENTITY = Pattern.compile("\\x0149=([^\\x01]*)\\x01(?:.*\\x01)?56=([^\\x01]*)\\x01");

    /** Of an identity: its connection, and numbers of the last one. */
    private static final class Line {
        boolean taken = false;
        long in = 1;
        long out = 1;
    }

    private final PeerOptions options;
    private final EventPrinter printer;
    private final Map<String, Line> lines;
    private final SocketChannel channel;
    private final FirstBytes bytes;
    private String target;
    private FIXConnection connection;

    private PhiladelphiaEcho(PeerOptions options, EventPrinter printer, Map<String, Line> lines, SocketChannel channel)
            throws IOException {
        this.options = options;
        this.printer = printer;
        this.lines = lines;
        this.channel = channel;
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        bytes = new FirstBytes(channel);
    }

    public static void main(String[] arguments) throws Exception {
        PeerOptions options = PeerOptions.parse(arguments);
        if (!options.echo || !options.tls.isEmpty()) {
            throw new IllegalArgumentException("the role is echo, and there is no TLS");
        }
        EventPrinter printer = new EventPrinter();
        Map<String, Line> lines = new ConcurrentHashMap<>();
        options.targets.forEach(name -> lines.put(name, new Line()));
        ServerSocketChannel listener = ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0));
        Thread accepting = new Thread(() -> accept(listener, options, printer, lines));
        accepting.setDaemon(true);
        accepting.start();
        printer.print("listening", "on 127.0.0.1:" + ((InetSocketAddress) listener.getLocalAddress()).getPort());
        while (System.in.read() >= 0) {
            // Until its input ends.
        }
        Runtime.getRuntime().halt(0);
    }

    private static void accept(ServerSocketChannel listener, PeerOptions options, EventPrinter printer,
                               Map<String, Line> lines) {
        while (true) {
            try {
                PhiladelphiaEcho echo = new PhiladelphiaEcho(options, printer, lines, listener.accept());
                Thread thread = new Thread(echo::converse);
                thread.setDaemon(true);
                thread.start();
            } catch (IOException fault) {
                printer.print("event", "- " + fault);
            }
        }
    }

    private void converse() {
        try (Selector selector = Selector.open()) {
            channel.register(selector, SelectionKey.OP_READ);
            while (channel.isOpen()) {
                selector.select(TURN_MILLIS);
                selector.selectedKeys().clear();
                if (connection == null ? !begin() : !turn()) {
                    break;
                }
            }
        } catch (Exception fault) {
            printer.print("event", target + " disconnecting: " + fault);
        } finally {
            end();
        }
    }

    /** Waits for the Logon, which says whose connection this is. False: nobody's. */
    private boolean begin() throws IOException {
        if (!bytes.fetch()) {
            return false;
        }
        String text = bytes.text();
        Matcher identity = IDENTITY.matcher(text);
        if (!identity.find() || !text.contains(Fields.SOH + "10=")) {
            return bytes.room();
        }
        Line line = lines.get(identity.group(1));
        if (line == null || !identity.group(2).equals(options.sender)) {
            return false;
        }
        synchronized (line) {
            if (line.taken) {
                return false;
            }
            line.taken = true;
        }
        target = identity.group(1);
        Matcher interval = INTERVAL.matcher(text);
        int seconds = interval.find() ? Integer.parseInt(interval.group(1)) : options.heartbeatSeconds;
        FIXConfig config = FIXConfig.newBuilder().setBeginString(options.beginString).setSenderCompID(options.sender)
                .setTargetCompID(target).setHeartBtInt(seconds).setInMsgSeqNum(line.in)
                .setOutMsgSeqNum(line.out).setRxBufferCapacity(BUFFER_BYTES).setTxBufferCapacity(BUFFER_BYTES)
                .setMaxFieldCount(256).setFieldCapacity(512).setCheckSumEnabled(true).build();
        connection = new FIXConnection(bytes, bytes, config, this, this, System.currentTimeMillis());
        return turn();
    }

    private boolean turn() throws IOException {
        connection.setCurrentTimeMillis(System.currentTimeMillis());
        if (connection.receive() < 0) {
            return false;
        }
        if (channel.isOpen()) {
            connection.keepAlive();
        }
        return true;
    }

    private void end() {
        try {
            channel.close();
        } catch (IOException fault) {
            printer.print("event", target + " " + fault);
        }
        Line line = target == null ? null : lines.get(target);
        if (line != null) {
            synchronized (line) {
                line.taken = false;
                if (connection != null) {
                    line.in = connection.getInMsgSeqNum();
                    line.out = connection.getOutMsgSeqNum();
                }
            }
        }
    }

    @Override
    public void message(FIXMessage message) throws IOException {
        Fields fields = Fields.of(message.getMsgType().toString());
        for (int at = 0; at < message.getFieldCount(); at++) {
            if (message.tagAt(at) != 35) {
                fields.add(message.tagAt(at), message.valueAt(at).toString());
            }
        }
        FIXMessage answer = connection.create();
        connection.prepare(answer, fields.type());
        for (Fields.Field field : Echo.copy(fields).all) {
            if (field.tag() != 35) {
                answer.addField(field.tag()).setString(field.value());
            }
        }
        connection.send(answer);
    }

    @Override
    public void logon(FIXConnection from, FIXMessage message) throws IOException {
        boolean reset = message.valueOf(141) != null && message.valueOf(141).asBoolean();
        if (reset) {
            connection.setInMsgSeqNum(2);
            connection.setOutMsgSeqNum(1);
        }
        FIXMessage answer = connection.create();
        connection.prepare(answer, "A");
        answer.addField(98).setInt(0);
        answer.addField(108).setString(message.valueOf(108) == null ? "30" : message.valueOf(108).asString());
        if (reset) {
            answer.addField(141).setString("Y");
        }
        connection.send(answer);
    }

    @Override
    public void logout(FIXConnection from, FIXMessage message) throws IOException {
        connection.sendLogout();
    }

    @Override
    public void close(FIXConnection from, String reason) throws IOException {
        printer.print("event", target + " disconnecting: " + reason);
        channel.close();
    }

    @Override
    public void sequenceReset(FIXConnection from) {}

    @Override
    public void tooLowMsgSeqNum(FIXConnection from, long received, long expected) throws IOException {
        connection.sendLogout("MsgSeqNum too low, expecting " + expected + " but received " + received);
        channel.close();
    }

    @Override
    public void reject(FIXConnection from, FIXMessage message) {}

    /** A channel whose first bytes were looked at before Philadelphia reads them. */
    private static final class FirstBytes implements java.nio.channels.ReadableByteChannel, GatheringByteChannel {
        private final SocketChannel channel;
        private final ByteBuffer first = ByteBuffer.allocate(4096);
        private boolean passed = false;

        FirstBytes(SocketChannel channel) {
            this.channel = channel;
        }

        /** False: the peer has ended. */
        boolean fetch() throws IOException {
            return channel.read(first) >= 0;
        }

        boolean room() {
            return first.hasRemaining();
        }

        String text() {
            return new String(first.array(), 0, first.position(), StandardCharsets.ISO_8859_1);
        }

        @Override
        public int read(ByteBuffer into) throws IOException {
            if (!passed) {
                passed = true;
                first.flip();
            }
            if (first.hasRemaining()) {
                int count = Math.min(first.remaining(), into.remaining());
                into.put(first.slice(first.position(), count));
                first.position(first.position() + count);
                return count;
            }
            return channel.read(into);
        }

        @Override
        public int write(ByteBuffer from) throws IOException {
            return channel.write(from);
        }

        @Override
        public long write(ByteBuffer[] from) throws IOException {
            return channel.write(from);
        }

        @Override
        public long write(ByteBuffer[] from, int offset, int length) throws IOException {
            return channel.write(from, offset, length);
        }

        @Override
        public boolean isOpen() {
            return channel.isOpen();
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
