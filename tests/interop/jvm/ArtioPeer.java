// SPDX-License-Identifier: MIT
// Artio as a peer of affix, in either role: `ArtioPeer initiator|acceptor --name value ...`. Engine, library, media driver
// and archive are of this process and have their files in DIRECTORY; its session dictionary is FIX.4.4's.
package interop;

import io.aeron.logbuffer.ControlledFragmentHandler.Action;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import uk.co.real_logic.artio.Reply;
import uk.co.real_logic.artio.library.FixLibrary;
import uk.co.real_logic.artio.library.OnMessageInfo;
import uk.co.real_logic.artio.library.SessionConfiguration;
import uk.co.real_logic.artio.library.SessionHandler;
import uk.co.real_logic.artio.messages.DisconnectReason;
import uk.co.real_logic.artio.session.Session;
import uk.co.real_logic.artio.util.MessageTypeEncoding;

/** One session. All of Artio's calls come from one thread; commands are handed to it and awaited. */
final class ArtioPeer implements Engine, SessionHandler {
    private static final int PATIENCE_SECONDS = 30;
    private static final long RETRY_NANOS = 300_000_000;
    private static final List<String> ADMIN = List.of("0", "1", "2", "3", "4", "5", "A");

    private final PeerOptions options;
    private final EventPrinter printer;
    private final Exchange exchange;
    private final String target;
    private final ConcurrentLinkedQueue<Runnable> commands = new ConcurrentLinkedQueue<>();

    private volatile boolean wanted = false;
    private FixLibrary library;
    private Session session;
    private Reply<Session> attempt;
    private long nextAttempt = System.nanoTime();
    private boolean loggedOn = false;

    private ArtioPeer(PeerOptions options, EventPrinter printer) {
        this.options = options;
        this.printer = printer;
        exchange = new Exchange(options, this, printer);
        target = options.targets.get(0);
    }

    public static void main(String[] arguments) throws Exception {
        PeerOptions options = PeerOptions.parse(arguments);
        if (options.targets.size() != 1 || !options.tls.isEmpty() || !options.beginString.equals("FIX.4.4")) {
            throw new IllegalArgumentException("Artio has one session here, of FIX.4.4, and no TLS");
        }
        EventPrinter printer = new EventPrinter();
        ArtioPeer peer = new ArtioPeer(options, printer);
        int port = 0;
        if (!options.initiator) {
            peer.wanted = true;
            port = ArtioHome.freePort();
        }
        peer.open(port);
        Thread network = new Thread(peer::serve);
        network.setDaemon(true);
        network.start();
        if (options.initiator) {
            printer.print("ready", "");
        } else {
            printer.print("listening", "on 127.0.0.1:" + port);
        }
        int code = Commands.run(options, peer, printer,
                options.initiator ? new OrderRequests(peer)::run : peer.exchange::run);
        printer.print("done", "");
        Runtime.getRuntime().halt(code);
    }

    private void open(int port) throws Exception {
        library = new ArtioHome(options, this::complain)
                .open(port, logon -> wanted, configuration -> new TappedChannelSupplier(configuration, printer, target),
                        acquired -> {
                            session = acquired;
                            return this;
                        });
    }

    private void complain(Throwable fault) {
        printer.print("artio", target + " " + fault.toString().replace('\n', ' '));
    }

    private void serve() {
        BackoffIdleStrategy idle = ArtioHome.idle();
        while (true) {
            try {
                int work = library.poll(10);
                for (Runnable command = commands.poll(); command != null; command = commands.poll()) {
                    command.run();
                    work++;
                }
                watch();
                idle.idle(work);
            } catch (Exception fault) {
                printer.print("event", target + " " + fault);
            }
        }
    }

    /** Tells what became of the session, and connects when that is wanted. */
    private void watch() {
        if (!loggedOn && session != null && session.isActive()) {
            loggedOn = true;
            printer.print("logon", target);
        }
        if (!options.initiator || !wanted || session != null && session.isConnected()) {
            return;
        }
        if (attempt != null && attempt.isExecuting() || System.nanoTime() < nextAttempt) {
            return;
        }
        nextAttempt = System.nanoTime() + RETRY_NANOS;
        attempt = library.initiate(SessionConfiguration.builder().address(options.host, options.port)
                .senderCompId(options.sender).targetCompId(target).sequenceNumbersPersistent(true)
                .resetSeqNum(options.resetOnLogon).timeoutInMs(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS)).build());
    }

    /** Has the network thread do it, and waits for that. */
    private <Result> Result there(Callable<Result> what) throws Exception {
        CompletableFuture<Result> done = new CompletableFuture<>();
        commands.add(() -> {
            try {
                done.complete(what.call());
            } catch (Exception fault) {
                done.completeExceptionally(fault);
            }
        });
        return done.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    private Session known() {
        if (session == null) {
            throw new IllegalStateException("there was no session yet");
        }
        return session;
    }

    @Override
    public void logon(String unused) {
        wanted = true;
    }

    @Override
    public void logout(String unused) throws Exception {
        wanted = false;
        there(() -> known().startLogout());
    }

    @Override
    public void drop(String unused) throws Exception {
        wanted = false;
        there(() -> known().requestDisconnect());
    }

    @Override
    public void setNextSender(String unused, int number) throws Exception {
        there(() -> known().lastSentMsgSeqNum(number - 1));
    }

    @Override
    public void setNextTarget(String unused, int number) throws Exception {
        there(() -> known().lastReceivedMsgSeqNum(number - 1));
    }

    @Override
    public int nextSender(String unused) throws Exception {
        return there(() -> known().lastSentMsgSeqNum() + 1);
    }

    @Override
    public int nextTarget(String unused) throws Exception {
        return there(() -> known().lastReceivedMsgSeqNum() + 1);
    }

    @Override
    public void send(String unused, Fields message) throws Exception {
        if (Thread.currentThread().getName().equals("main")) {
            there(() -> transmit(message));
        } else {
            transmit(message);
        }
    }

    private long transmit(Fields message) {
        int number = known().lastSentMsgSeqNum() + 1;
        byte[] bytes = ArtioHome.encode(message, options.beginString, options.sender, target, number);
        DirectBuffer buffer = new UnsafeBuffer(bytes);
        long type = MessageTypeEncoding.packMessageType(message.type());
        long position = session.trySend(buffer, 0, bytes.length, number, type);
        if (position < 0) {
            throw new IllegalStateException("not taken: " + position);
        }
        return position;
    }

    @Override
    public Action onMessage(DirectBuffer buffer, int offset, int length, int libraryId, Session from, int sequenceIndex,
                            long messageType, long timestamp, long position, OnMessageInfo info) {
        byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        Fields message = Fields.parse(text);
        if (!ADMIN.contains(message.type())) {
            printer.print("delivered", target + ' ' + text);
            if (!options.initiator) {
                try {
                    exchange.take(message, target);
                } catch (Exception fault) {
                    printer.print("error", fault.toString());
                }
            }
        }
        return Action.CONTINUE;
    }

    @Override
    public void onTimeout(int libraryId, Session from) {
        printer.print("event", target + " Artio's library has lost its engine for a while");
    }

    @Override
    public void onSlowStatus(int libraryId, Session from, boolean isSlow) {}

    @Override
    public Action onDisconnect(int libraryId, Session from, DisconnectReason reason) {
        printer.print("event", target + " disconnecting: " + reason);
        if (loggedOn) {
            loggedOn = false;
            printer.print("logout", target);
        }
        return Action.CONTINUE;
    }

    @Override
    public void onSessionStart(Session started) {
        session = started;
    }
}
