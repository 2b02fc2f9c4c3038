// SPDX-License-Identifier: MIT
// Prints every whole FIX message of a stream's two directions, for engines that have no log of their own.
package interop;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

final class MessageTap {
    private static final Pattern HEAD = Pattern.compile("8=[^\001]+\0019=(\\d+)\001");
    private static final int TRAILER_BYTES = "10=000|".length();

    private final EventPrinter printer;
    private final String session;
    private final StringBuilder in = new StringBuilder();
    private final StringBuilder out = new StringBuilder();

    MessageTap(EventPrinter printer, String session) {
        this.printer = printer;
        this.session = session;
    }

    void read(ByteBuffer bytes) {
        take("in", in, bytes);
    }

    void written(ByteBuffer bytes) {
        take("out", out, bytes);
    }

    private void take(String kind, StringBuilder waiting, ByteBuffer bytes) {
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
