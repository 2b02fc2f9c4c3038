# SPDX-License-Identifier: MIT
"""A TCP relay that leads a counterparty, which knows one address, to whichever of several answers its Logon."""

import socket
import threading
import time

CONNECT_SECONDS = 0.25
# A node that leads answers a Logon at once; one that is asleep never does.
ANSWER_SECONDS = 0.5
ANSWER = b"\x0135=8\x01"


class FindingRelay:
    """Listens at `host` and has one caller at a time: a new one ends the former's connection. `targets`: addresses."""

    def __init__(self, test, targets, host="127.0.0.1"):
        self._targets = targets
        self._lock = threading.Lock()
        self._present = []
        self._closed = False
        self.answers = []  # (time, target) at which an ExecutionReport went to the caller.
        self._listener = socket.create_server((host, 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()
        test.addCleanup(self.close)

    def answer_after(self, at, but_from=None):
        """Its time; None: there was none."""
        return next((one for one, target in list(self.answers) if one > at and target != but_from), None)

    def silence(self, since, until):
        """The longest time without an answer that overlaps the two times, in seconds."""
        times = [one for one, _ in list(self.answers)]
        return max((after - before for before, after in zip(times, times[1:]) if after >= since and before <= until), default=0.0)

    def close(self):
        self._closed = True
        _end(self._listener)
        with self._lock:
            for one in self._present:
                _end(one)

    def _accept(self):
        while not self._closed:
            try:
                caller, _ = self._listener.accept()
            except OSError:
                return
            with self._lock:
                for one in self._present:
                    _end(one)
                self._present = [caller]
            threading.Thread(target=self._serve, args=(caller,), daemon=True).start()

    def _serve(self, caller):
        try:
            logon = caller.recv(65536)
            found = self._find(logon) if logon else None
        except OSError:
            found = None
        if found is None:
            _end(caller)
            return
        address, target, answer = found
        with self._lock:
            if self._present != [caller]:
                _end(target)
                return
            self._present.append(target)
        threading.Thread(target=self._forward, args=(caller, target, b""), daemon=True).start()
        self._forward(target, caller, answer, address)

    def _find(self, logon):
        """(address, connection, first bytes) of the target that answers."""
        for address in self._targets:
            try:
                target = socket.create_connection(address, timeout=CONNECT_SECONDS)
            except OSError:
                continue
            try:
                target.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                target.sendall(logon)
                target.settimeout(ANSWER_SECONDS)
                answer = target.recv(65536)
            except OSError:
                answer = b""
            if answer:
                target.settimeout(None)
                return address, target, answer
            target.close()
        return None

    def _forward(self, source, sink, first, answers_of=None):
        try:
            received = first or source.recv(65536)
            while received:
                if answers_of and ANSWER in received:
                    self.answers.append((time.monotonic(), answers_of))
                sink.sendall(received)
                received = source.recv(65536)
        except OSError:
            pass  # One side has gone, and so shall the other.
        _end(source)
        _end(sink)


def _end(one):
    try:
        one.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass  # Ended already by its peer.
    one.close()
