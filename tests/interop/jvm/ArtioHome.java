// SPDX-License-Identifier: MIT
// Artio's processes within this one: media driver and archive, engine and library, with their files in the peer's
// directory; and the bytes of a message, which Artio's sessions take whole.
package interop;

import io.aeron.CommonContext;
import io.aeron.archive.Archive;
import io.aeron.archive.ArchiveThreadingMode;
import io.aeron.archive.ArchivingMediaDriver;
import io.aeron.archive.client.AeronArchive;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.agrona.concurrent.BackoffIdleStrategy;
import uk.co.real_logic.artio.engine.EngineConfiguration;
import uk.co.real_logic.artio.engine.FixEngine;
import uk.co.real_logic.artio.engine.LowResourceEngineScheduler;
import uk.co.real_logic.artio.engine.framer.TcpChannelSupplier;
import uk.co.real_logic.artio.library.FixLibrary;
import uk.co.real_logic.artio.library.LibraryConfiguration;
import uk.co.real_logic.artio.library.SessionHandler;
import uk.co.real_logic.artio.messages.InitialAcceptedSessionOwner;
import uk.co.real_logic.artio.session.Session;
import uk.co.real_logic.artio.validation.AuthenticationStrategy;
import uk.co.real_logic.artio.validation.SessionPersistenceStrategy;

final class ArtioHome {
    private final PeerOptions options;
    private final Consumer<Throwable> complain;
    private final int termBytes;
    private final long patienceMs;

    private ArtioHome(PeerOptions options, Consumer<Throwable> complain, int termBytes, long patienceMs) {
        this.options = options;
        this.complain = complain;
        this.termBytes = termBytes;
        this.patienceMs = patienceMs;
    }

    ArtioHome(PeerOptions options, Consumer<Throwable> complain) {
        this(options, complain, 1 << 20, 10_000);
    }

    /** For a process that is stopped between the turns of a measurement, and then has thousands of messages under way. */
    static ArtioHome measured(PeerOptions options, Consumer<Throwable> complain) {
        return new ArtioHome(options, complain, 16 << 20, 3_600_000);
    }

    /** Artio must be told a port. */
    static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            return free.getLocalPort();
        }
    }

    static BackoffIdleStrategy idle() {
        return new BackoffIdleStrategy(1, 1, 1_000, 1_000_000);
    }

    /** Starts everything; port 0: accepts no connections. A null `channels`: Artio's own. */
    FixLibrary open(int port, AuthenticationStrategy admits, Function<EngineConfiguration, TcpChannelSupplier> channels,
                    Function<Session, SessionHandler> acquired) {
        Path folder = Path.of(options.directory).toAbsolutePath();
        String driver = folder.resolve("aeron").toString();
        startArchive(folder, driver);
        startEngine(folder, driver, port, admits, channels);
        return connectLibrary(driver, acquired);
    }

    private void startArchive(Path folder, String driver) {
        try {
            // Of a process that was killed; who finds it waits for that process to be silent for ten seconds.
            Files.deleteIfExists(folder.resolve("archive/archive-mark.dat"));
        } catch (IOException fault) {
            throw new IllegalStateException(fault);
        }
        ArchivingMediaDriver.launch(
                new MediaDriver.Context().aeronDirectoryName(driver).dirDeleteOnStart(true)
                        .threadingMode(ThreadingMode.SHARED).sharedIdleStrategy(idle())
                        .publicationTermBufferLength(termBytes).ipcTermBufferLength(termBytes)
                        .clientLivenessTimeoutNs(nanoseconds(patienceMs)).imageLivenessTimeoutNs(nanoseconds(patienceMs))
                        .publicationUnblockTimeoutNs(nanoseconds(2 * patienceMs)),
                new Archive.Context().aeronDirectoryName(driver).archiveDir(folder.resolve("archive").toFile())
                        .threadingMode(ArchiveThreadingMode.SHARED).idleStrategySupplier(ArtioHome::idle)
                        .archiveClientContext(new AeronArchive.Context().aeronDirectoryName(driver)
                                .controlRequestChannel(CommonContext.IPC_CHANNEL)
                                .controlResponseChannel(CommonContext.IPC_CHANNEL))
                        .segmentFileLength(termBytes).controlChannelEnabled(false).recordingEventsEnabled(false)
                        .localControlChannel(CommonContext.IPC_CHANNEL).replicationChannel("aeron:udp?endpoint=127.0.0.1:0"));
    }

    private static long nanoseconds(long milliseconds) {
        return 1_000_000 * milliseconds;
    }

    private void startEngine(Path folder, String driver, int port, AuthenticationStrategy admits,
                             Function<EngineConfiguration, TcpChannelSupplier> channels) {
        EngineConfiguration engine = new EngineConfiguration()
                .libraryAeronChannel(CommonContext.IPC_CHANNEL)
                .logFileDir(folder.resolve("logs").toString())
                .scheduler(new LowResourceEngineScheduler())
                .initialAcceptedSessionOwner(InitialAcceptedSessionOwner.SOLE_LIBRARY)
                .sessionPersistenceStrategy(SessionPersistenceStrategy.alwaysPersistent())
                .authenticationStrategy(admits)
                .errorIfDuplicateEngineDetected(false)
                .printStartupWarnings(false);
        if (channels != null) {
            engine.channelSupplierFactory(channels);
        }
        if (port != 0) {
            engine.bindTo("127.0.0.1", port);
        }
        engine.defaultHeartbeatIntervalInS(options.heartbeatSeconds).errorHandlerFactory(log -> complain::accept);
        engine.replyTimeoutInMs(patienceMs);
        engine.aeronContext().aeronDirectoryName(driver).driverTimeoutMs(patienceMs);
        engine.aeronArchiveContext().aeronDirectoryName(driver).controlRequestChannel(CommonContext.IPC_CHANNEL)
                .controlResponseChannel(CommonContext.IPC_CHANNEL);
        FixEngine.launch(engine);
    }

    private FixLibrary connectLibrary(String driver, Function<Session, SessionHandler> acquired) {
        LibraryConfiguration configuration = new LibraryConfiguration()
                .libraryAeronChannels(List.of(CommonContext.IPC_CHANNEL))
                .sessionAcquireHandler((session, info) -> acquired.apply(session));
        configuration.defaultHeartbeatIntervalInS(options.heartbeatSeconds);
        configuration.errorHandlerFactory(log -> complain::accept);
        configuration.replyTimeoutInMs(patienceMs);
        configuration.aeronContext().aeronDirectoryName(driver).driverTimeoutMs(patienceMs);
        FixLibrary library = FixLibrary.connect(configuration);
        while (!library.isConnected()) {
            library.poll(1);
            Thread.onSpinWait();
        }
        return library;
    }

    /** A whole message with this number. */
    static byte[] encode(Fields message, String beginString, String sender, String target, int number) {
        Fields whole = Fields.of(message.type()).add(49, sender).add(56, target).add(34, number)
                .add(52, OrderRequests.now());
        whole.all.addAll(message.all.subList(1, message.all.size()));
        StringBuilder body = new StringBuilder();
        for (Fields.Field field : whole.all) {
            body.append(field.tag()).append('=').append(field.value()).append(Fields.SOH);
        }
        String text = "8=" + beginString + Fields.SOH + "9=" + body.length() + Fields.SOH + body;
        int sum = 0;
        for (byte octet : text.getBytes(StandardCharsets.ISO_8859_1)) {
            sum += octet & 0xff;
        }
        return (text + String.format("10=%03d", sum % 256) + Fields.SOH).getBytes(StandardCharsets.ISO_8859_1);
    }
}
