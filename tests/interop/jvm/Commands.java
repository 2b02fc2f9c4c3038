// SPDX-License-Identifier: MIT
// The commands on standard input, as those of the QuickFIX programs (quickfix/session_commands.hpp says what
// each does).
package interop;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;

final class Commands {
    /** A role's own commands: true when the first word is one of them and was carried out. */
    interface Own {
        boolean run(List<String> words, String target) throws Exception;
    }

    private static final int WAIT_TIMED_OUT = 3;

    private Commands() {}

    /** Until `quit` or the end of input. Returns the exit code. */
    static int run(PeerOptions options, Engine engine, EventPrinter printer, Own own) throws Exception {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.ISO_8859_1));
        String target = options.targets.get(0);
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            List<String> words = List.of(line.trim().split("\\s+"));
            if (words.get(0).isEmpty() || words.get(0).startsWith("#")) {
                continue;
            }
            if (words.get(0).equals("quit")) {
                break;
            }
            try {
                if (words.get(0).equals("wait_for")) {
                    if (!waitFor(words, printer)) {
                        printer.print("timeout", line);
                        return WAIT_TIMED_OUT;
                    }
                    printer.print("waited", line);
                } else if (words.get(0).equals("session")) {
                    target = words.get(1);
                } else if (!own.run(words, target) && !runSessionCommand(words, target, engine, printer)) {
                    throw new IllegalArgumentException("unknown command");
                }
            } catch (Exception fault) {
                printer.print("error", line + ": " + fault);
            }
        }
        return 0;
    }

    private static boolean waitFor(List<String> words, EventPrinter printer) throws InterruptedException {
        long patienceMillis = 10_000;
        int end = words.size();
        if (end >= 4 && words.get(end - 2).equals("within")) {
            patienceMillis = Long.parseLong(words.get(end - 1));
            end -= 2;
        }
        return printer.waitFor(words.get(1), words.subList(2, end), patienceMillis);
    }

    private static boolean runSessionCommand(List<String> words, String target, Engine engine, EventPrinter printer)
            throws Exception {
        switch (words.get(0)) {
            case "logon" -> engine.logon(target);
            case "logout" -> engine.logout(target);
            case "drop" -> engine.drop(target);
            case "set_next_sender_seq" -> engine.setNextSender(target, Integer.parseInt(words.get(1)));
            case "set_next_target_seq" -> engine.setNextTarget(target, Integer.parseInt(words.get(1)));
            case "numbers" -> printer.print("numbers",
                    target + " sender=" + engine.nextSender(target) + " target=" + engine.nextTarget(target));
            case "test_request" -> engine.send(target, Fields.of("1").add(112, words.get(1)));
            case "resend_request" -> engine.send(target, Fields.of("2").add(7, words.get(1)).add(16, words.get(2)));
            case "send" -> engine.send(target, Fields.parse(words.get(1)));
            default -> {
                return false;
            }
        }
        return true;
    }
}
