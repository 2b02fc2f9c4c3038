// SPDX-License-Identifier: MIT
// A socket channel that prints every whole FIX message that passes it: Philadelphia has no log of its own.
package interop;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

final class TappedChannel implements ReadableByteChannel, GatheringByteChannel {
    private static final Pattern HEAD = Pattern.compile("8=[^\001]+\0019=(\\d+)\001");
    private static final int TRAILER_BYTES = "10=000|".length();

    private final SocketChannel channel;
    private final EventPrinter printer;
    private final String session;
    private final StringBuilder read = new StringBuilder();
    private final StringBuilder written = new StringBuilder();

    TappedChannel(SocketChannel channel, EventPrinter printer, String session) {
        this.channel = channel;
        this.printer = printer;
        this.session = session;
    }

    @Override
    public int read(ByteBuffer to) throws IOException {
        int begin = to.position();
        int size = channel.read(to);
        if (size > 0) {
            tap("in", read, to.duplicate().position(begin).limit(begin + size));
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
            tap("out", written, bytes);
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

    private void tap(String kind, StringBuilder waiting, ByteBuffer bytes) {
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        waiting.append(new String(copy, StandardCharsets.ISO_8859_1));
        Matcher head = HEAD.matcher(waiting);
        while (head.lookingAt()) {
            int size = head.end() + Integer.parseInt(head.group(1)) + TRAILER_BYTES;
            if (waiting.length() < size) {
                break;
            }
            printer.print(kind, session + ' ' + waiting.substring(0, size));
            waiting.delete(0, size);
            head.reset();
        }
    }
}
