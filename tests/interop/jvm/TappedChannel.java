// SPDX-License-Identifier: MIT
// A socket channel that prints every whole FIX message that passes it: Philadelphia has no log of its own.
package interop;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SocketChannel;

final class TappedChannel implements ReadableByteChannel, GatheringByteChannel {
    private final SocketChannel channel;
    private final MessageTap tap;

    TappedChannel(SocketChannel channel, EventPrinter printer, String session) {
        this.channel = channel;
        tap = new MessageTap(printer, session);
    }

    @Override
    public int read(ByteBuffer to) throws IOException {
        int begin = to.position();
        int size = channel.read(to);
        if (size > 0) {
            tap.read(to.duplicate().position(begin).limit(begin + size));
        }
        return size;
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        return (int) write(new ByteBuffer[] {from}, 0, 1);
    }

    @Override
    public long write(ByteBuffer[] from) throws IOException {
        return write(from, 0, from.length);
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) throws IOException {
        long size = 0;
        for (int at = offset; at < offset + length; at++) {
            ByteBuffer bytes = from[at].duplicate();
            while (from[at].hasRemaining()) {
                size += channel.write(from[at]);
            }
            // What could not be written was not sent. An answer cannot overtake this: the peer's monitor is held.
            tap.written(bytes);
        }
        return size;
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
