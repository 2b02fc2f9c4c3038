// SPDX-License-Identifier: MIT
// QuickFIX/J as an acceptor under load: answers each order with an ExecutionReport. As the QuickFIX acceptor beside this
// folder: SocketAcceptor, whose one thread serves all connections, no log. `QuickfixjAcceptor echo --name value ...`, with
// -Dstore=file or memory; an empty --dictionaries is none.
package interop;

import java.io.ByteArrayInputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import quickfix.ApplicationAdapter;
import quickfix.FieldNotFound;
import quickfix.FileStoreFactory;
import quickfix.Group;
import quickfix.Log;
import quickfix.MemoryStoreFactory;
import quickfix.Message;
import quickfix.MessageFactory;
import quickfix.MessageStoreFactory;
import quickfix.Session;
import quickfix.SessionID;
import quickfix.SessionNotFound;
import quickfix.SessionSettings;
import quickfix.SocketAcceptor;
import quickfix.UtcTimestampPrecision;
import quickfix.field.MsgType;

final class QuickfixjAcceptor extends ApplicationAdapter {
    private static final int[] COPIED = {11, 55, 54, 38, 44};

    public static void main(String[] arguments) throws Exception {
        PeerOptions options = PeerOptions.parse(arguments);
        SessionSettings settings = settings(options);
        MessageStoreFactory store = System.getProperty("store", "file").equals("memory")
                ? new MemoryStoreFactory() : new FileStoreFactory(settings);
        SocketAcceptor acceptor = new SocketAcceptor(new QuickfixjAcceptor(), store, settings, id -> new NoLog(),
                new Messages());
        acceptor.start();
        InetSocketAddress address = (InetSocketAddress) acceptor.getEndpoints().iterator().next().getLocalAddress();
        System.out.println("listening on 127.0.0.1:" + address.getPort());
        Thread.currentThread().join();
    }

    private static SessionSettings settings(PeerOptions options) throws Exception {
        String boundary = LocalTime.now(ZoneOffset.UTC).plusHours(12).format(DateTimeFormatter.ofPattern("HH:mm:ss"));
        StringBuilder text = new StringBuilder("[DEFAULT]\nConnectionType=acceptor\nBeginString=").append(options.beginString)
                .append("\nSenderCompID=").append(options.sender).append("\nStartTime=").append(boundary)
                .append("\nEndTime=").append(boundary).append("\nFileStorePath=").append(options.directory)
                .append("\nSocketAcceptAddress=127.0.0.1\nSocketAcceptPort=0\nSocketTcpNoDelay=Y\nCheckLatency=Y\n");
        // A copy without messages that have no fields (XMLnonFIX), which it takes for a fault.
        Path dictionary = Path.of(options.directory, "FIX44.xml");
        Files.createDirectories(dictionary.getParent());
        Files.writeString(dictionary, Files.readString(Path.of(options.dictionaries, "FIX44.xml"))
                .replaceAll("<message [^>]*/>", ""));
        text.append("UseDataDictionary=Y\nDataDictionary=").append(dictionary).append('\n');
        for (String target : options.targets) {
            text.append("[SESSION]\nTargetCompID=").append(target).append('\n');
        }
        return new SessionSettings(new ByteArrayInputStream(text.toString().getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public void fromApp(Message order, SessionID session) throws FieldNotFound {
        String number = order.getHeader().getString(34);
        Message report = new Message();
        report.getHeader().setField(new MsgType("8"));
        report.setString(37, number);
        report.setString(17, number);
        report.setString(150, "0");
        report.setString(39, "0");
        for (int tag : COPIED) {
            report.setString(tag, order.getString(tag));
        }
        report.setString(151, order.getString(38));
        report.setString(14, "0");
        report.setString(6, "0");
        report.setUtcTimeStamp(60, java.time.LocalDateTime.now(ZoneOffset.UTC), UtcTimestampPrecision.MILLIS);
        try {
            Session.sendToTarget(report, session);
        } catch (SessionNotFound fault) {
            throw new IllegalStateException(fault);
        }
    }

    private static final class Messages implements MessageFactory {
        @Override
        public Message create(String beginString, String type) {
            Message message = new Message();
            message.getHeader().setField(new MsgType(type));
            return message;
        }

        @Override
        public Group create(String beginString, String type, int tag) {
            return null;
        }
    }

    private static final class NoLog implements Log {
        @Override
        public void clear() {}

        @Override
        public void onIncoming(String message) {}

        @Override
        public void onOutgoing(String message) {}

        @Override
        public void onEvent(String text) {}

        @Override
        public void onErrorEvent(String text) {}
    }
}
