// SPDX-License-Identifier: MIT
// What happens to a peer, as lines `KIND REST` on standard output that a test awaits; SOH is written as '|'.
package interop;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

final class EventPrinter {
    private record Event(String kind, String rest) {}

    private final PrintStream out = new PrintStream(System.out, false, StandardCharsets.ISO_8859_1);
    private final List<Event> events = new ArrayList<>();
    private int next = 0;

    /** Written and flushed whole before it returns. Any thread. */
    synchronized void print(String kind, String rest) {
        StringBuilder line = new StringBuilder(rest.length());
        for (char c : rest.toCharArray()) {
            if (c == Fields.SOH) {
                line.append('|');
            } else if (c < 0x20 || c == 0x7f) {
                line.append(String.format("\\x%02x", (int) c));
            } else {
                line.append(c);
            }
        }
        out.print(kind + (line.length() == 0 ? "" : " ") + line + "\n");
        out.flush();
        events.add(new Event(kind, line.toString()));
        notifyAll();
    }

    /** Waits for an event of `kind` with every text in it, behind the one that the last call found. False: too late. */
    synchronized boolean waitFor(String kind, List<String> texts, long patienceMillis) throws InterruptedException {
        long deadline = System.nanoTime() + patienceMillis * 1_000_000;
        for (int at = next;; at++) {
            while (at == events.size()) {
                long left = (deadline - System.nanoTime()) / 1_000_000;
                if (left <= 0) {
                    return false;
                }
                wait(left);
            }
            Event event = events.get(at);
            if (event.kind.equals(kind) && texts.stream().allMatch(event.rest::contains)) {
                next = at + 1;
                return true;
            }
        }
    }
}
