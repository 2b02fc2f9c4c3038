// SPDX-License-Identifier: MIT
// Artio's connections, with every whole FIX message that passes printed.
package interop;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import uk.co.real_logic.artio.engine.EngineConfiguration;
import uk.co.real_logic.artio.engine.framer.DefaultTcpChannelSupplier;
import uk.co.real_logic.artio.engine.framer.TcpChannel;

final class TappedChannelSupplier extends DefaultTcpChannelSupplier {
    private final EventPrinter printer;
    private final String session;

    TappedChannelSupplier(EngineConfiguration configuration, EventPrinter printer, String session) {
        super(configuration);
        this.printer = printer;
        this.session = session;
    }

    @Override
    protected TcpChannel newTcpChannel(SocketChannel channel) throws IOException {
        return new Tapped(super.newTcpChannel(channel), new MessageTap(printer, session));
    }

    private static final class Tapped extends TcpChannel {
        private final TcpChannel channel;
        private final MessageTap tap;

        Tapped(TcpChannel channel, MessageTap tap) throws IOException {
            super(channel.remoteAddr());
            this.channel = channel;
            this.tap = tap;
        }

        @Override
        public SelectionKey register(Selector selector, int operations, Object attachment) throws ClosedChannelException {
            return channel.register(selector, operations, attachment);
        }

        @Override
        public int write(ByteBuffer bytes, int sequence, boolean isReplay) throws IOException {
            int begin = bytes.position();
            int size = channel.write(bytes, sequence, isReplay);
            if (size > 0) {
                tap.written(bytes.duplicate().limit(begin + size).position(begin));
            }
            return size;
        }

        @Override
        public int read(ByteBuffer bytes) throws IOException {
            int begin = bytes.position();
            int size = channel.read(bytes);
            if (size > 0) {
                tap.read(bytes.duplicate().limit(begin + size).position(begin));
            }
            return size;
        }

        @Override
        public void onReplayComplete(long correlation) {
            channel.onReplayComplete(correlation);
        }

        @Override
        public void close() {
            channel.close();
        }
    }
}
