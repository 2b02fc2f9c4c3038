// SPDX-License-Identifier: MIT
// Philadelphia as an acceptor under load: one thread serves all connections and answers each order with an ExecutionReport;
// nothing is stored, as it has no store. `PhiladelphiaAcceptor echo --name value ...`, with -Dwait=block (a selector) or spin.
package interop;

import com.paritytrading.philadelphia.FIXConfig;
import com.paritytrading.philadelphia.FIXConnection;
import com.paritytrading.philadelphia.FIXConnectionStatusListener;
import com.paritytrading.philadelphia.FIXMessage;
import com.paritytrading.philadelphia.FIXMessageListener;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

final class PhiladelphiaAcceptor {
    private static final int BUFFER_BYTES = 1 << 20;

    public static void main(String[] arguments) throws Exception {
        PeerOptions options = PeerOptions.parse(arguments);
        boolean spins = System.getProperty("wait", "block").equals("spin");
        ServerSocketChannel listener = ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0));
        listener.configureBlocking(false);
        System.out.println("listening on 127.0.0.1:" + ((InetSocketAddress) listener.getLocalAddress()).getPort());
        Selector selector = Selector.open();
        listener.register(selector, SelectionKey.OP_ACCEPT);
        while (true) {
            int ready = spins ? selector.selectNow() : selector.select();
            if (ready == 0) {
                continue;
            }
            for (SelectionKey key : selector.selectedKeys()) {
                if (key.isAcceptable()) {
                    accept(listener, selector, options);
                } else if (!((Line) key.attachment()).turn()) {
                    key.channel().close();
                }
            }
            selector.selectedKeys().clear();
        }
    }

    private static void accept(ServerSocketChannel listener, Selector selector, PeerOptions options) throws IOException {
        SocketChannel channel = listener.accept();
        if (channel != null) {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.register(selector, SelectionKey.OP_READ, new Line(channel, options));
        }
    }

    /** One connection. */
    private static final class Line implements FIXMessageListener, FIXConnectionStatusListener {
        private final FIXConnection connection;
        private final FIXMessage report;

        Line(SocketChannel channel, PeerOptions options) {
            FIXConfig config = FIXConfig.newBuilder().setBeginString(options.beginString).setSenderCompID(options.sender)
                    .setHeartBtInt(options.heartbeatSeconds).setRxBufferCapacity(BUFFER_BYTES)
                    .setTxBufferCapacity(BUFFER_BYTES).setMaxFieldCount(256).setCheckSumEnabled(true).build();
            connection = new FIXConnection(channel, config, this, this, System.currentTimeMillis());
            report = connection.create();
        }

        boolean turn() {
            try {
                connection.setCurrentTimeMillis(System.currentTimeMillis());
                return connection.receive() >= 0;
            } catch (IOException ended) {
                return false;
            }
        }

        @Override
        public void message(FIXMessage order) throws IOException {
            long number = connection.getOutMsgSeqNum();
            connection.prepare(report, "8");
            report.addField(37).setInt(number);
            report.addField(11).setString(order.valueOf(11).asString());
            report.addField(17).setInt(number);
            report.addField(150).setChar('0');
            report.addField(39).setChar('0');
            report.addField(55).setString(order.valueOf(55).asString());
            report.addField(54).setString(order.valueOf(54).asString());
            report.addField(38).setString(order.valueOf(38).asString());
            report.addField(44).setString(order.valueOf(44).asString());
            report.addField(151).setString(order.valueOf(38).asString());
            report.addField(14).setChar('0');
            report.addField(6).setChar('0');
            report.addField(60).setString(connection.getCurrentTimestamp());
            connection.send(report);
        }

        @Override
        public void logon(FIXConnection from, FIXMessage message) throws IOException {
            connection.setTargetCompID(message.valueOf(49).asString().toString());
            connection.setInMsgSeqNum(2);
            connection.setOutMsgSeqNum(1);
            FIXMessage answer = connection.create();
            connection.prepare(answer, "A");
            answer.addField(98).setInt(0);
            answer.addField(108).setString(message.valueOf(108).asString());
            answer.addField(141).setString("Y");
            connection.send(answer);
        }

        @Override
        public void logout(FIXConnection from, FIXMessage message) throws IOException {
            connection.sendLogout();
        }

        @Override
        public void close(FIXConnection from, String reason) {}

        @Override
        public void sequenceReset(FIXConnection from) {}

        @Override
        public void tooLowMsgSeqNum(FIXConnection from, long received, long expected) {}

        @Override
        public void reject(FIXConnection from, FIXMessage message) {}
    }
}
