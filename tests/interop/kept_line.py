# SPDX-License-Identifier: MIT
"""Processes of `affix serve` that follow each other: one serves, one waits in line, and `affix-keep` has their sockets."""

import os
import re
import signal
import socket
import subprocess
import time
from pathlib import Path

import peers

KEEP = peers.AFFIX and peers.AFFIX + "-keep"

# Why a connection of an earlier process may be closed (K301). Whatever else is said is a fault.
KNOWN_REFUSALS = (
    "a logon, a logout or a reset was under way",
    "the connection ends within a resent message",
    "it has ended",
    "outside of the session's schedule",
)


def configuration(folder, keeper, groups, engine=""):
    """The text of a configuration whose log and journals are in `folder`."""
    return f"[ENGINE]\nlog_file={folder}/log\nlog_level=INFO\nkeeper={keeper}\n{engine}\n{groups}"


class Notices:
    """What a process tells its service manager, in order."""

    def __init__(self, path):
        self.path = str(path)
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(self.path)
        self._socket.settimeout(peers.DEADLINE_SECONDS)

    def wait(self, text):
        """The first notice with `text`, which later ones follow."""
        heard = []
        try:
            while text not in (notice := self._socket.recv(4096).decode()):
                heard.append(notice)
        except TimeoutError:
            raise peers.Deadline(f"no notice {text!r}, only {heard}") from None
        return notice

    def close(self):
        self._socket.close()


class Keeper:
    """A running `affix-keep`."""

    def __init__(self, test, place, *options):
        self.place, self._options = place, options
        self._errors = open(f"{place}.log", "a", encoding="utf-8")
        test.addCleanup(self._close)
        self.start()

    def start(self):
        self.process = subprocess.Popen([KEEP, "--socket", str(self.place), *map(str, self._options)],
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self._errors, text=True)
        if "keeps up to" not in self.process.stdout.readline():
            raise AssertionError(f"affix-keep does not start: {Path(self._errors.name).read_text()}")

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def _close(self):
        if self.process.returncode is None:
            self.kill()
        self._errors.close()


class Life:
    """One process of the line."""

    def __init__(self, line, number, *options, **variables):
        self.notices = Notices(line.folder / f"notify-{number}")
        self._output = open(line.folder / f"output-{number}", "w+", encoding="utf-8")
        environment = {**os.environ, "NOTIFY_SOCKET": self.notices.path, **variables}
        self.process = subprocess.Popen([line.program, "serve", *options, str(line.config)], stdin=subprocess.DEVNULL,
                                        stdout=self._output, stderr=subprocess.STDOUT, env=environment)
        self.pid = self.process.pid

    def output(self):
        self._output.seek(0)
        return self._output.read()

    def wait_serving(self):
        self.notices.wait("STATUS=running")

    def kill(self):
        self.process.kill()

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self._output.close()
        self.notices.close()


class Line:
    """`serving` has the connections, `waiting` (None until stand_by()) comes next. Ends with `test`."""

    def __init__(self, test, folder, groups, engine="", keeper=None, program=peers.AFFIX):
        self.folder, self.program = folder, program
        self.keeper = keeper or Keeper(test, folder / "keeper")
        self.config = folder / "serve.ini"
        self.config.write_text(configuration(folder, self.keeper.place, groups, engine))
        self._lives = []
        test.addCleanup(self.close)
        self.serving = self._begin()
        self.waiting = None
        self._first = self.serving
        self.serving.wait_serving()

    def _begin(self, *options, **variables):
        life = Life(self, len(self._lives), *options, **variables)
        self._lives.append(life)
        return life

    def ports(self):
        """Of the listeners of the first process; the later ones have the same."""
        return [int(port) for port in re.findall(r"listening on 127\.0\.0\.1:(\d+)", self._first.output())]

    def stand_by(self, **variables):
        """Returns when the next process, with more `variables` of its environment, waits in line."""
        self.waiting = self._begin("--stand-by", **variables)
        self.waiting.notices.wait("STATUS=waits in line")

    def kill(self):
        """The serving process is killed; the waiting one takes its place, at the returned time."""
        gone, self.serving, self.waiting = self.serving, self.waiting, None
        at = time.monotonic()
        gone.kill()
        return at

    def replace(self):
        """A killed one without a successor: the next one is started now."""
        gone = self.serving
        gone.kill()
        gone.process.wait()
        self.serving = self._begin()

    def upgrade(self):
        """A planned upgrade from here: the new process asks for the connections. Returns when it was started."""
        before, self.serving = self.serving, self._begin("--take-over")
        return before

    def log(self):
        return (self.folder / "log").read_text()

    def adoptions(self):
        """(session, address of its peer) of each connection that went on."""
        return re.findall(r" K302 (\S+): goes on .* at (\S+)\n", self.log())

    def refusals(self):
        return re.findall(r" K301 \S+: the connection of an earlier process is closed: (.*)\n", self.log())

    def stop(self):
        self.serving.process.send_signal(signal.SIGTERM)
        return self.serving.process.wait(peers.DEADLINE_SECONDS)

    def close(self):
        """Also those that an upgrade has started, which are nobody's children."""
        for life in reversed(self._lives):
            life.close()
        log = Path(self.folder / "log")
        for pid in re.findall(r"is started as process (\d+)", log.read_text() if log.exists() else ""):
            try:
                if str(self.config).encode() in Path(f"/proc/{pid}/cmdline").read_bytes():
                    os.kill(int(pid), signal.SIGKILL)
            except (FileNotFoundError, ProcessLookupError):
                pass
