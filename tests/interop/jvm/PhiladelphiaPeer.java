// SPDX-License-Identifier: MIT
// Philadelphia as a peer of affix, in either role: `PhiladelphiaPeer initiator|acceptor --name value ...`. Philadelphia
// keeps no messages and knows no sessions: numbers are kept here, in DIRECTORY/numbers, and a ResendRequest is answered
// as it answers one, with a gap fill.
package interop;

import com.paritytrading.philadelphia.FIXConfig;
import com.paritytrading.philadelphia.FIXConnection;
import com.paritytrading.philadelphia.FIXConnectionStatusListener;
import com.paritytrading.philadelphia.FIXMessage;
import com.paritytrading.philadelphia.FIXMessageListener;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** One session; everything but printing happens with the monitor held. */
final class PhiladelphiaPeer implements Engine, FIXMessageListener, FIXConnectionStatusListener {
    private static final int TURN_MILLIS = 50;
    private static final int RETRY_MILLIS = 300;
    private static final int BUFFER_BYTES = 1 << 16;

    private final PeerOptions options;
    private final EventPrinter printer;
    private final Exchange exchange;
    private final String target;
    private final Path numbers;

    private FIXConnection connection;
    private SocketChannel channel;
    private boolean wanted = false;
    private boolean loggedOn = false;
    private long in = 1;
    private long out = 1;

    private PhiladelphiaPeer(PeerOptions options, EventPrinter printer) throws IOException {
        this.options = options;
        this.printer = printer;
        exchange = new Exchange(options, this, printer);
        target = options.targets.get(0);
        numbers = Path.of(options.directory, "numbers");
        if (Files.exists(numbers)) {
            String[] kept = Files.readString(numbers).split(" ");
            in = Long.parseLong(kept[0]);
            out = Long.parseLong(kept[1]);
        }
    }

    public static void main(String[] arguments) throws Exception {
        PeerOptions options = PeerOptions.parse(arguments);
        if (options.targets.size() != 1 || !options.tls.isEmpty()) {
            throw new IllegalArgumentException("Philadelphia has one session here, and no TLS");
        }
        EventPrinter printer = new EventPrinter();
        PhiladelphiaPeer peer = new PhiladelphiaPeer(options, printer);
        ServerSocketChannel listener = null;
        if (options.initiator) {
            printer.print("ready", "");
        } else {
            listener = ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0));
            printer.print("listening", "on 127.0.0.1:" + ((InetSocketAddress) listener.getLocalAddress()).getPort());
            peer.wanted = true;
        }
        ServerSocketChannel accepting = listener;
        Thread network = new Thread(() -> peer.serve(accepting));
        network.setDaemon(true);
        network.start();
        int code = Commands.run(options, peer, printer,
                options.initiator ? new OrderRequests(peer)::run : peer.exchange::run);
        printer.print("done", "");
        Runtime.getRuntime().halt(code);
    }

    private void serve(ServerSocketChannel listener) {
        while (true) {
            try {
                SocketChannel opened = open(listener);
                if (opened != null) {
                    converse(opened);
                }
            } catch (Exception fault) {
                printer.print("event", target + " " + fault);
            }
        }
    }

    private SocketChannel open(ServerSocketChannel listener) throws Exception {
        if (listener != null) {
            return listener.accept();
        }
        synchronized (this) {
            if (!wanted) {
                wait(RETRY_MILLIS);
                return null;
            }
        }
        try {
            return SocketChannel.open(new InetSocketAddress(options.host, options.port));
        } catch (IOException refused) {
            Thread.sleep(RETRY_MILLIS);
            return null;
        }
    }

    private void converse(SocketChannel opened) throws Exception {
        synchronized (this) {
            if (!wanted) {
                opened.close();
                return;
            }
            start(opened);
        }
        try (Selector selector = Selector.open()) {
            opened.register(selector, SelectionKey.OP_READ);
            while (opened.isOpen()) {
                selector.select(TURN_MILLIS);
                selector.selectedKeys().clear();
                synchronized (this) {
                    if (!opened.isOpen()) {
                        break;
                    }
                    connection.setCurrentTimeMillis(System.currentTimeMillis());
                    int received = connection.receive();
                    keepNumbers();
                    if (received < 0) {
                        break;
                    }
                    if (opened.isOpen()) {
                        connection.keepAlive();
                        keepNumbers();
                    }
                }
            }
        } catch (Exception fault) {
            printer.print("event", target + " disconnecting: " + fault);
        } finally {
            synchronized (this) {
                opened.close();
                keepNumbers();
                connection = null;
                if (loggedOn) {
                    loggedOn = false;
                    printer.print("logout", target);
                }
            }
        }
    }

    private void start(SocketChannel opened) throws IOException {
        opened.configureBlocking(false);
        opened.socket().setTcpNoDelay(true);
        channel = opened;
        FIXConfig config = FIXConfig.newBuilder().setBeginString(options.beginString).setSenderCompID(options.sender)
                .setTargetCompID(target).setHeartBtInt(options.heartbeatSeconds).setInMsgSeqNum(in).setOutMsgSeqNum(out)
                .setRxBufferCapacity(BUFFER_BYTES).setTxBufferCapacity(BUFFER_BYTES).setMaxFieldCount(256)
                .setFieldCapacity(512).setCheckSumEnabled(true).build();
        TappedChannel tapped = new TappedChannel(opened, printer, target);
        connection = new FIXConnection(tapped, tapped, config, this, this, System.currentTimeMillis());
        if (options.initiator) {
            if (options.resetOnLogon) {
                connection.setInMsgSeqNum(1);
                connection.setOutMsgSeqNum(1);
            }
            sendLogon(options.resetOnLogon);
        }
    }

    private void sendLogon(boolean reset) throws IOException {
        Fields logon = Fields.of("A").add(98, 0).add(108, options.heartbeatSeconds);
        if (reset) {
            logon.add(141, "Y");
        }
        if (options.beginString.equals("FIXT.1.1")) {
            logon.add(1137, "9");
        }
        transmit(logon);
    }

    private void transmit(Fields fields) throws IOException {
        FIXMessage message = connection.create();
        connection.prepare(message, fields.type());
        for (Fields.Field field : fields.all) {
            if (field.tag() != 35) {
                message.addField(field.tag()).setString(field.value());
            }
        }
        connection.send(message);
        keepNumbers();
    }

    /** On the disk at once, whole or not at all: a number that was used must not be used again. */
    private void keepNumbers() throws IOException {
        if (connection != null && (connection.getInMsgSeqNum() != in || connection.getOutMsgSeqNum() != out)) {
            in = connection.getInMsgSeqNum();
            out = connection.getOutMsgSeqNum();
            Path next = numbers.resolveSibling("numbers.next");
            Files.writeString(next, in + " " + out);
            Files.move(next, numbers, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    @Override
    public synchronized void logon(String unused) {
        wanted = true;
        notifyAll();
    }

    @Override
    public synchronized void logout(String unused) throws IOException {
        wanted = false;
        if (connection != null) {
            connection.sendLogout();
            keepNumbers();
        }
    }

    @Override
    public synchronized void drop(String unused) throws IOException {
        wanted = false;
        if (connection != null) {
            channel.close();
        }
    }

    @Override
    public synchronized void setNextSender(String unused, int number) {
        out = number;
        if (connection != null) {
            connection.setOutMsgSeqNum(number);
        }
    }

    @Override
    public synchronized void setNextTarget(String unused, int number) {
        in = number;
        if (connection != null) {
            connection.setInMsgSeqNum(number);
        }
    }

    @Override
    public synchronized int nextSender(String unused) {
        return (int) out;
    }

    @Override
    public synchronized int nextTarget(String unused) {
        return (int) in;
    }

    @Override
    public synchronized void send(String unused, Fields message) throws IOException {
        if (connection == null || !loggedOn) {
            throw new IllegalStateException("not logged on, and Philadelphia keeps no messages");
        }
        transmit(message);
    }

    @Override
    public void message(FIXMessage message) throws IOException {
        Fields fields = Fields.of(message.getMsgType().toString());
        for (int at = 0; at < message.getFieldCount(); at++) {
            if (message.tagAt(at) != 35) {
                fields.add(message.tagAt(at), message.valueAt(at).toString());
            }
        }
        StringBuilder text = new StringBuilder();
        for (Fields.Field field : fields.all) {
            text.append(field.tag()).append('=').append(field.value()).append(Fields.SOH);
        }
        printer.print("delivered", target + ' ' + text);
        if (options.initiator) {
            return;
        }
        try {
            exchange.take(fields, target);
        } catch (Exception fault) {
            printer.print("error", fault.toString());
        }
    }

    @Override
    public void logon(FIXConnection from, FIXMessage message) throws IOException {
        if (!options.initiator) {
            boolean reset = message.valueOf(141) != null && message.valueOf(141).asBoolean();
            if (reset) {
                connection.setInMsgSeqNum(2);
                connection.setOutMsgSeqNum(1);
            }
            sendLogon(reset);
        }
        loggedOn = true;
        printer.print("logon", target);
    }

    @Override
    public void logout(FIXConnection from, FIXMessage message) throws IOException {
        if (wanted) {
            connection.sendLogout();
            keepNumbers();
        }
        channel.close();
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
        printer.print("event", target + " too low: " + received + ", expected " + expected);
        channel.close();
    }

    @Override
    public void reject(FIXConnection from, FIXMessage message) {
        printer.print("event", target + " rejected by the peer");
    }
}
