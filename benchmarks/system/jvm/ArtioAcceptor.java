// SPDX-License-Identifier: MIT
// Artio as an acceptor under load: answers each order with an ExecutionReport. Its driver, archive, engine and library are of
// this process and store what they send and receive in files. `ArtioAcceptor echo --name value ...`.
package interop;

import io.aeron.logbuffer.ControlledFragmentHandler.Action;
import java.nio.charset.StandardCharsets;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import uk.co.real_logic.artio.library.FixLibrary;
import uk.co.real_logic.artio.library.OnMessageInfo;
import uk.co.real_logic.artio.library.SessionHandler;
import uk.co.real_logic.artio.messages.DisconnectReason;
import uk.co.real_logic.artio.session.Session;
import uk.co.real_logic.artio.util.MessageTypeEncoding;

final class ArtioAcceptor implements SessionHandler {
    private static final long ORDER = MessageTypeEncoding.packMessageType("D");
    private static final long REPORT = MessageTypeEncoding.packMessageType("8");

    private final PeerOptions options;

    private ArtioAcceptor(PeerOptions options) {
        this.options = options;
    }

    public static void main(String[] arguments) throws Exception {
        PeerOptions options = PeerOptions.parse(arguments);
        ArtioAcceptor acceptor = new ArtioAcceptor(options);
        int port = ArtioHome.freePort();
        FixLibrary library = ArtioHome.measured(options, fault -> System.err.println("artio: " + fault))
                .open(port, logon -> true, null, session -> acceptor);
        System.out.println("listening on 127.0.0.1:" + port);
        BackoffIdleStrategy idle = ArtioHome.idle();
        while (true) {
            idle.idle(library.poll(10));
        }
    }

    @Override
    public Action onMessage(DirectBuffer buffer, int offset, int length, int libraryId, Session from, int sequenceIndex,
                            long messageType, long timestamp, long position, OnMessageInfo info) {
        if (messageType != ORDER) {
            return Action.CONTINUE;
        }
        byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        Fields order = Fields.parse(new String(bytes, StandardCharsets.ISO_8859_1));
        int number = from.lastSentMsgSeqNum() + 1;
        byte[] answer = ArtioHome.encode(Report.of(order, number), options.beginString, options.sender,
                from.compositeKey().remoteCompId(), number);
        // Its buffers are full: the same order comes again.
        return from.trySend(new UnsafeBuffer(answer), 0, answer.length, number, REPORT) < 0 ? Action.ABORT : Action.CONTINUE;
    }

    @Override
    public void onTimeout(int libraryId, Session from) {}

    @Override
    public void onSlowStatus(int libraryId, Session from, boolean isSlow) {}

    @Override
    public Action onDisconnect(int libraryId, Session from, DisconnectReason reason) {
        return Action.CONTINUE;
    }

    @Override
    public void onSessionStart(Session started) {}
}
