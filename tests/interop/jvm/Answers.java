// SPDX-License-Identifier: MIT
// An acceptor's application: what it answers, and the commands of its own.
package interop;

import java.util.List;

interface Answers {
    /** Answers an application message of `target`. */
    void take(Fields message, String target) throws Exception;

    /** True when the first word is a command of this application, which was carried out. */
    boolean run(List<String> words, String target) throws Exception;
}
