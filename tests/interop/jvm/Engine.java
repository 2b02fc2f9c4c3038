// SPDX-License-Identifier: MIT
// What a FIX engine for Java must be able to do for the commands; a session is named by its TargetCompID.
package interop;

interface Engine {
    /** Lets the session connect, or be connected to. */
    void logon(String target) throws Exception;

    /** Sends a Logout and stays away until logon(). */
    void logout(String target) throws Exception;

    /** Closes the socket without a Logout and stays away until logon(). */
    void drop(String target) throws Exception;

    void setNextSender(String target, int number) throws Exception;

    void setNextTarget(String target, int number) throws Exception;

    int nextSender(String target) throws Exception;

    int nextTarget(String target) throws Exception;

    /** Sends a message; the engine writes the rest of the header. */
    void send(String target, Fields message) throws Exception;
}
