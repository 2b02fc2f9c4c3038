# SPDX-License-Identifier: MIT
"""A TCP relay between two FIX engines that loses chosen messages, which TCP itself never does."""

import re
import socket
import threading

import peers

HEAD = re.compile(rb"8=[^\x01]+\x019=(\d+)\x01")
TRAILER_BYTES = len("10=000|")


class LossyRelay:
    """Listens on a loopback port and connects every caller to `target_port`. One thread a direction."""

    def __init__(self, test, target_port):
        self._target_port = target_port
        self._changed = threading.Condition()
        self._to_lose = []
        self.lost = []
        self.passed = []  # (0 for the caller's, 1 for the target's, bytes) of each message that was let through.
        self._sockets = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._closed = False
        threading.Thread(target=self._accept, daemon=True).start()
        test.addCleanup(self.close)

    def lose(self, **fields):
        """Swallows the next message, of either direction, with all of t35="8", t11="A1", ... Not a resent one: that
        it is lost again an engine only notices when its request has expired."""
        with self._changed:
            self._to_lose.append({int(name[1:]): value for name, value in fields.items()})

    def lead_to(self, port):
        """Callers from now on are connected to `port`."""
        self._target_port = port

    def wait_lost(self):
        """Waits until everything that was to be lost is."""
        with self._changed:
            if not self._changed.wait_for(lambda: not self._to_lose, peers.DEADLINE_SECONDS):
                raise peers.Deadline(f"not seen, so not lost: {self._to_lose}")

    def close(self):
        with self._changed:
            self._closed = True
            sockets = [self._listener, *self._sockets]
        for each in sockets:
            try:
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # Already closed by its peer.
            each.close()

    def _accept(self):
        while True:
            try:
                caller, _ = self._listener.accept()
                target = socket.create_connection(("127.0.0.1", self._target_port))
            except OSError:
                if self._closed:
                    return
                caller.close()
                continue
            with self._changed:
                self._sockets += [caller, target]
            for side, source, sink in ((0, caller, target), (1, target, caller)):
                threading.Thread(target=self._forward, args=(side, source, sink), daemon=True).start()

    def _forward(self, side, source, sink):
        waiting = b""
        try:
            while received := source.recv(65536):
                waiting = self._pass_whole_messages(side, waiting + received, sink)
        except OSError:
            pass  # One side has gone, and so shall the other.
        for each in (source, sink):
            try:
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def _pass_whole_messages(self, side, waiting, sink):
        while head := HEAD.match(waiting):
            size = head.end() + int(head.group(1)) + TRAILER_BYTES
            if len(waiting) < size:
                break
            if not self._loses(peers.FixMessage(waiting[:size].decode("latin-1").replace("\x01", "|"))):
                with self._changed:
                    self.passed.append((side, waiting[:size]))
                sink.sendall(waiting[:size])
            waiting = waiting[size:]
        return waiting

    def _loses(self, message):
        if message.is_possible_duplicate():
            return False
        with self._changed:
            for expected in self._to_lose:
                if message.matches(expected):
                    self._to_lose.remove(expected)
                    self.lost.append(message)
                    self._changed.notify_all()
                    return True
        return False
