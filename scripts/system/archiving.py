# SPDX-License-Identifier: MIT
"""An archive that is at work beside a turn: `affix journal archive` of journals that were filled before. RuntimeError says
what went wrong."""

import shutil
import subprocess
import threading
import time

from system import contenders, turns

END_TIMEOUT = 60
POLL_SECONDS = 0.01


def fill(options, contender, sessions, orders, directory, timeout):
    """Fills the journals of a contender that is running, with so many orders of each session."""
    load = ["--sessions", str(sessions), "--messages", str(orders), "--per-write", "10"]
    turn, output = turns.take(options.binaries, contender, load, options.load_core, directory, timeout)
    if turn is None:
        raise RuntimeError(f"journals were not filled:\n{output}")


def make_journals(options, command, sessions, orders, directory, timeout):
    """Starts the server of `command`, fills its journals and ends it."""
    contender = contenders.Contender("archived", command, None)
    contender.start()
    try:
        fill(options, contender, sessions, orders, directory, timeout)
    finally:
        contender.end()


class Archive:
    """At work from its making on, on the cores given."""

    def __init__(self, options, journals, cores, directory):
        self.folder = directory / "archive"
        command = ["taskset", "-c", ",".join(str(core) for core in cores), str(options.binaries / "affix"), "journal", "archive",
                   str(journals), str(self.folder), "--keep-bytes", "1"]
        self.begin, self.ended, self.output = time.monotonic(), None, ""
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.reader = threading.Thread(target=self.wait, daemon=True)
        self.reader.start()

    def wait(self):
        self.output = self.process.stdout.read()
        self.process.wait()
        self.ended = time.monotonic()

    def moved(self):
        """Whether a file has reached the archive."""
        return any(path.is_file() for path in self.folder.rglob("*"))

    def end(self):
        """Seconds that it was at work. It is stopped if it still is, so that the next turn has the machine, but not before
        it has moved a file: a short turn may end first."""
        deadline = time.monotonic() + END_TIMEOUT
        while self.ended is None and not self.moved() and time.monotonic() < deadline:
            self.reader.join(POLL_SECONDS)
        stopped = self.ended is None
        if stopped:
            self.process.terminate()
        self.reader.join(END_TIMEOUT)
        moved = self.moved()
        shutil.rmtree(self.folder, ignore_errors=True)
        if not moved or (not stopped and self.process.returncode != 0):
            raise RuntimeError(f"nothing was archived; more orders are needed before it\n{self.output}" if not moved
                               else self.output)
        return self.ended - self.begin
