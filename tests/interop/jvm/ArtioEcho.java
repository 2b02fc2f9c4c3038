// SPDX-License-Identifier: MIT
// Artio as an acceptor of many sessions that answers every application message with a copy of its body:
// `ArtioEcho echo --name value ...`. Identities that were not named are refused by its authentication strategy.
package interop;

import io.aeron.logbuffer.ControlledFragmentHandler.Action;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import uk.co.real_logic.artio.decoder.AbstractLogonDecoder;
import uk.co.real_logic.artio.decoder.SessionHeaderDecoder;
import uk.co.real_logic.artio.library.FixLibrary;
import uk.co.real_logic.artio.library.OnMessageInfo;
import uk.co.real_logic.artio.library.SessionHandler;
import uk.co.real_logic.artio.messages.DisconnectReason;
import uk.co.real_logic.artio.session.Session;
import uk.co.real_logic.artio.util.MessageTypeEncoding;

final class ArtioEcho implements SessionHandler {
    private static final List<String> ADMIN = List.of("0", "1", "2", "3", "4", "5", "A");

    private final PeerOptions options;
    private final EventPrinter printer;
    private final Set<String> targets;

    private ArtioEcho(PeerOptions options, EventPrinter printer) {
        this.options = options;
        this.printer = printer;
        targets = new HashSet<>(options.targets);
    }

    public static void main(String[] arguments) throws Exception {
        PeerOptions options = PeerOptions.parse(arguments);
        if (!options.echo || !options.beginString.equals("FIX.4.4") || !options.tls.isEmpty()) {
            throw new IllegalArgumentException("the role is echo, the version FIX.4.4, and there is no TLS");
        }
        EventPrinter printer = new EventPrinter();
        ArtioEcho echo = new ArtioEcho(options, printer);
        int port = ArtioHome.freePort();
        FixLibrary library = new ArtioHome(options, fault -> printer.print("artio", fault.toString()))
                .open(port, echo::admits, null, session -> echo);
        Thread network = new Thread(() -> serve(library));
        network.setDaemon(true);
        network.start();
        printer.print("listening", "on 127.0.0.1:" + port);
        while (System.in.read() >= 0) {
            // Until its input ends.
        }
        Runtime.getRuntime().halt(0);
    }

    private boolean admits(AbstractLogonDecoder logon) {
        SessionHeaderDecoder header = logon.header();
        return targets.contains(header.senderCompIDAsString()) && header.targetCompIDAsString().equals(options.sender);
    }

    private static void serve(FixLibrary library) {
        BackoffIdleStrategy idle = ArtioHome.idle();
        while (true) {
            idle.idle(library.poll(10));
        }
    }

    @Override
    public Action onMessage(DirectBuffer buffer, int offset, int length, int libraryId, Session from, int sequenceIndex,
                            long messageType, long timestamp, long position, OnMessageInfo info) {
        byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        Fields message = Fields.parse(new String(bytes, StandardCharsets.ISO_8859_1));
        // Not valid: out of order, or received before.
        if (ADMIN.contains(message.type()) || !info.isValid() || !from.isConnected()) {
            return Action.CONTINUE;
        }
        int number = from.lastSentMsgSeqNum() + 1;
        byte[] answer = ArtioHome.encode(Echo.copy(message), options.beginString, options.sender,
                from.compositeKey().remoteCompId(), number);
        long sent = from.trySend(new UnsafeBuffer(answer), 0, answer.length, number,
                MessageTypeEncoding.packMessageType(message.type()));
        // Its buffers are full: the same message comes again.
        return sent < 0 ? Action.ABORT : Action.CONTINUE;
    }

    @Override
    public void onTimeout(int libraryId, Session from) {}

    @Override
    public void onSlowStatus(int libraryId, Session from, boolean isSlow) {}

    @Override
    public Action onDisconnect(int libraryId, Session from, DisconnectReason reason) {
        printer.print("event", from.compositeKey().remoteCompId() + " disconnecting: " + reason);
        return Action.CONTINUE;
    }

    @Override
    public void onSessionStart(Session started) {}
}
