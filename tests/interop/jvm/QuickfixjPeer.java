// SPDX-License-Identifier: MIT
// QuickFIX/J as a peer of affix, in either role: `QuickfixjPeer initiator|acceptor|echo --name value ...`.
package interop;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import quickfix.Application;
import quickfix.DataDictionary;
import quickfix.FileStoreFactory;
import quickfix.Group;
import quickfix.Log;
import quickfix.LogFactory;
import quickfix.Message;
import quickfix.MessageFactory;
import quickfix.Session;
import quickfix.SessionID;
import quickfix.SessionSettings;
import quickfix.SocketAcceptor;
import quickfix.SocketInitiator;
import quickfix.field.MsgType;

final class QuickfixjPeer implements Engine, Application {
    private final PeerOptions options;
    private final EventPrinter printer;
    private final Answers answers;
    private final DataDictionary transport;
    private final DataDictionary application;

    private QuickfixjPeer(PeerOptions options, EventPrinter printer) throws Exception {
        this.options = options;
        this.printer = printer;
        answers = options.echo ? new Echo(this) : new Exchange(options, this, printer);
        application = new DataDictionary(dictionary(applicationFile()));
        transport = fixt() ? new DataDictionary(dictionary("FIXT11.xml")) : application;
    }

    public static void main(String[] arguments) throws Exception {
        PeerOptions options = PeerOptions.parse(arguments);
        EventPrinter printer = new EventPrinter();
        int code = new QuickfixjPeer(options, printer).run();
        printer.print("done", "");
        // As in the QuickFIX programs: an orderly stop would send Logouts that nobody asked for.
        Runtime.getRuntime().halt(code);
    }

    private int run() throws Exception {
        SessionSettings settings = settings();
        FileStoreFactory store = new FileStoreFactory(settings);
        if (options.initiator) {
            new SocketInitiator(this, store, settings, new Logs(), new Messages()).start();
            printer.print("ready", "");
            return Commands.run(options, this, printer, new OrderRequests(this)::run);
        }
        SocketAcceptor acceptor = new SocketAcceptor(this, store, settings, new Logs(), new Messages());
        acceptor.start();
        // The kernel chose the port.
        InetSocketAddress address = (InetSocketAddress) acceptor.getEndpoints().iterator().next().getLocalAddress();
        printer.print("listening", "on 127.0.0.1:" + address.getPort());
        return Commands.run(options, this, printer, answers::run);
    }

    private boolean fixt() {
        return options.beginString.equals("FIXT.1.1");
    }

    private String applicationFile() {
        return switch (options.beginString) {
            case "FIX.4.2" -> "FIX42.xml";
            case "FIX.4.4" -> "FIX44.xml";
            case "FIXT.1.1" -> "FIX50SP2.xml";
            default -> throw new IllegalArgumentException("--begin_string must be FIX.4.2, FIX.4.4 or FIXT.1.1");
        };
    }

    /** A copy of one of our dictionaries without messages that have no fields (XMLnonFIX), which it takes for a fault. */
    private String dictionary(String name) throws IOException {
        Path copy = Path.of(options.directory, name);
        Files.writeString(copy, Files.readString(Path.of(options.dictionaries, name)).replaceAll("<message [^>]*/>", ""));
        return copy.toString();
    }

    private SessionSettings settings() throws Exception {
        // Numbers begin again at this time of the day, so it is far from now.
        String boundary = LocalTime.now(ZoneOffset.UTC).plusHours(12).format(DateTimeFormatter.ofPattern("HH:mm:ss"));
        StringBuilder text = new StringBuilder("[DEFAULT]\n");
        text.append("ConnectionType=").append(options.initiator ? "initiator" : "acceptor")
                .append("\nBeginString=").append(options.beginString)
                .append("\nSenderCompID=").append(options.sender)
                .append("\nStartTime=").append(boundary).append("\nEndTime=").append(boundary)
                .append("\nFileStorePath=").append(options.directory)
                .append("\nResetOnLogon=").append(options.resetOnLogon ? "Y" : "N")
                .append("\nSocketTcpNoDelay=Y\nUseDataDictionary=Y\nValidateUserDefinedFields=Y\n"
                        + "CheckLatency=Y\nLogonTimeout=10\nLogoutTimeout=5\n");
        if (fixt()) {
            text.append("TransportDataDictionary=").append(dictionary("FIXT11.xml"))
                    .append("\nAppDataDictionary=").append(dictionary(applicationFile())).append("\nDefaultApplVerID=FIX.5.0SP2\n");
        } else {
            text.append("DataDictionary=").append(dictionary(applicationFile())).append('\n');
        }
        if (!options.tls.isEmpty()) {
            KeyStores.write(Path.of(options.tls), Path.of(options.directory));
            text.append("SocketUseSSL=Y\nKeyStoreType=PKCS12\nTrustStoreType=PKCS12\nNeedClientAuth=Y\nSocketKeyStore=")
                    .append(options.directory).append("/own.p12\nSocketTrustStore=").append(options.directory)
                    .append("/trust.p12\nSocketKeyStorePassword=").append(KeyStores.PASSWORD)
                    .append("\nSocketTrustStorePassword=").append(KeyStores.PASSWORD).append('\n');
        }
        if (options.initiator) {
            text.append("ReconnectInterval=1\nHeartBtInt=").append(options.heartbeatSeconds)
                    .append("\nSocketConnectHost=").append(options.host)
                    .append("\nSocketConnectPort=").append(options.port).append('\n');
        } else {
            text.append("SocketAcceptAddress=127.0.0.1\nSocketAcceptPort=0\n");
        }
        for (String target : options.targets) {
            text.append("[SESSION]\nTargetCompID=").append(target).append('\n');
        }
        return new SessionSettings(new ByteArrayInputStream(text.toString().getBytes(StandardCharsets.UTF_8)));
    }

    private SessionID id(String target) {
        return new SessionID(options.beginString, options.sender, target);
    }

    private Session session(String target) {
        Session session = Session.lookupSession(id(target));
        if (session == null) {
            throw new IllegalArgumentException("no session with " + target);
        }
        return session;
    }

    @Override
    public void logon(String target) {
        session(target).logon();
    }

    @Override
    public void logout(String target) {
        session(target).logout();
    }

    @Override
    public void drop(String target) throws Exception {
        // First the socket: the other order would let a Logout be sent in between.
        session(target).disconnect("dropped", false);
        session(target).logout();
    }

    @Override
    public void setNextSender(String target, int number) throws Exception {
        session(target).setNextSenderMsgSeqNum(number);
    }

    @Override
    public void setNextTarget(String target, int number) throws Exception {
        session(target).setNextTargetMsgSeqNum(number);
    }

    @Override
    public int nextSender(String target) {
        return session(target).getExpectedSenderNum();
    }

    @Override
    public int nextTarget(String target) {
        return session(target).getExpectedTargetNum();
    }

    @Override
    public void send(String target, Fields fields) throws Exception {
        StringBuilder body = new StringBuilder();
        for (Fields.Field field : fields.all) {
            body.append(field.tag()).append('=').append(field.value()).append(Fields.SOH);
        }
        // Read with the dictionaries, so that groups are groups; the header is written anew when it is sent.
        Message message = new Message();
        message.fromString("8=" + options.beginString + Fields.SOH + "9=" + body.length() + Fields.SOH + body + "10=000"
                + Fields.SOH, transport, application, false);
        // While the session is down the message is stored, and the answer is false.
        Session.sendToTarget(message, id(target));
    }

    @Override
    public void onCreate(SessionID id) {
        if (options.initiator) {
            // Sessions begin disabled: a script may set numbers before its `logon`.
            Session.lookupSession(id).logout();
        }
    }

    @Override
    public void onLogon(SessionID id) {
        printer.print("logon", id.getTargetCompID());
    }

    @Override
    public void onLogout(SessionID id) {
        printer.print("logout", id.getTargetCompID());
    }

    @Override
    public void toAdmin(Message message, SessionID id) {}

    @Override
    public void fromAdmin(Message message, SessionID id) {}

    @Override
    public void toApp(Message message, SessionID id) {}

    @Override
    public void fromApp(Message message, SessionID id) {
        printer.print("delivered", id.getTargetCompID() + ' ' + message);
        if (options.initiator) {
            return;
        }
        try {
            answers.take(Fields.parse(message.toString()), id.getTargetCompID());
        } catch (Exception fault) {
            printer.print("error", fault.toString());
        }
    }

    /** Messages without classes of their own: everything is read through the dictionaries. */
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

    private final class Logs implements LogFactory {
        @Override
        public Log create(SessionID id) {
            String name = id.getTargetCompID() + ' ';
            return new Log() {
                @Override
                public void clear() {}

                @Override
                public void onIncoming(String message) {
                    printer.print("in", name + message);
                }

                @Override
                public void onOutgoing(String message) {
                    printer.print("out", name + message);
                }

                @Override
                public void onEvent(String text) {
                    printer.print("event", name + text);
                }

                @Override
                public void onErrorEvent(String text) {
                    printer.print("event", name + text);
                }
            };
        }
    }
}
