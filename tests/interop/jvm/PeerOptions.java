// SPDX-License-Identifier: MIT
// The command line that every peer has: as that of the QuickFIX programs beside this folder.
package interop;

import java.util.ArrayList;
import java.util.List;

final class PeerOptions {
    boolean initiator;
    /** An acceptor that answers every application message with a copy. */
    boolean echo;
    String beginString = "";
    String sender = "";
    final List<String> targets = new ArrayList<>();
    String host = "127.0.0.1";
    int port = 0;
    String directory = "";
    String dictionaries = "";
    String tls = "";
    int heartbeatSeconds = 30;
    boolean resetOnLogon = false;

    /** `initiator|acceptor|echo --name value ...` */
    static PeerOptions parse(String[] arguments) {
        PeerOptions options = new PeerOptions();
        if (arguments.length == 0 || !List.of("initiator", "acceptor", "echo").contains(arguments[0])) {
            throw new IllegalArgumentException("the first argument is initiator, acceptor or echo");
        }
        options.initiator = arguments[0].equals("initiator");
        options.echo = arguments[0].equals("echo");
        for (int at = 1; at < arguments.length; at += 2) {
            if (at + 1 == arguments.length) {
                throw new IllegalArgumentException(arguments[at] + " has no value");
            }
            String value = arguments[at + 1];
            switch (arguments[at]) {
                case "--begin_string" -> options.beginString = value;
                case "--sender" -> options.sender = value;
                case "--target" -> options.targets.add(value);
                case "--host" -> options.host = value;
                case "--port" -> options.port = Integer.parseInt(value);
                case "--directory" -> options.directory = value;
                case "--dictionaries" -> options.dictionaries = value;
                case "--tls" -> options.tls = value;
                case "--heartbeat_seconds" -> options.heartbeatSeconds = Integer.parseInt(value);
                case "--reset_on_logon" -> options.resetOnLogon = value.equals("Y");
                default -> throw new IllegalArgumentException("unknown option " + arguments[at]);
            }
        }
        if (options.sender.isEmpty() || options.targets.isEmpty() || options.directory.isEmpty()
                || options.dictionaries.isEmpty() || options.initiator && options.port == 0) {
            throw new IllegalArgumentException("--sender, --target, --directory, --dictionaries and --port are needed");
        }
        return options;
    }
}
