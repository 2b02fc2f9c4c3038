# SPDX-License-Identifier: MIT
"""Processes of engines under test: each is an acceptor on loopback with a session for each target."""

import queue
import re
import subprocess
import threading
import time

START_SECONDS = 240
LISTENING = re.compile(r"listening on (127\.0\.0\.1:\d+)")
LINES_KEPT = 200


class Acceptor:
    """One process. It is ended by its own pid, whatever it does."""

    def __init__(self, command, environment=None):
        self.address = None
        self.lines = []
        self._addresses = queue.Queue()
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                         text=True, errors="replace", env=environment)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self._process.stdout:
            match = LISTENING.search(line) if self.address is None else None
            if match:
                self.address = match[1]
                self._addresses.put(self.address)
            self.lines = (self.lines + [line.rstrip("\n")])[-LINES_KEPT:]
        self._addresses.put(None)

    def await_address(self):
        """False: it ended, or said no address."""
        try:
            return self._addresses.get(timeout=START_SECONDS) is not None
        except queue.Empty:
            return False

    @property
    def pid(self):
        return self._process.pid

    def ended(self):
        return self._process.poll() is not None

    def exit_code(self):
        return self._process.poll()

    def close(self):
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        self._reader.join(START_SECONDS)
        self._process.stdin.close()
        self._process.stdout.close()


def memory_kib(pid):
    """Resident memory, or None if the process is gone."""
    try:
        with open(f"/proc/{pid}/status", encoding="ascii") as status:
            for line in status:
                if line.startswith("VmRSS:"):
                    return int(line.split()[1])
    except OSError:
        pass
    return None


def await_true(condition, seconds):
    """Looks now and then, as another process gives no sign."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True
