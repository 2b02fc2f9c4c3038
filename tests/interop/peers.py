# SPDX-License-Identifier: MIT
"""Processes of an interoperability test, and the FIX messages they print.

A test awaits lines, never sleeps: every wait has a deadline and fails with the tail of what was printed.
Programs and the FIX version come from the environment that tests/interop/CMakeLists.txt sets.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from collections import namedtuple
from pathlib import Path

DEADLINE_SECONDS = int(os.environ.get("AFFIX_INTEROP_DEADLINE_SECONDS", "60"))
EXIT_SKIPPED = 77

BEGIN_STRING = os.environ.get("AFFIX_INTEROP_BEGIN_STRING", "FIX.4.4")
QUICKFIX_TRADER = os.environ.get("AFFIX_INTEROP_QUICKFIX_TRADER", "")
QUICKFIX_EXCHANGE = os.environ.get("AFFIX_INTEROP_QUICKFIX_EXCHANGE", "")
AFFIX = os.environ.get("AFFIX_INTEROP_AFFIX", "")
AFFIX_LAB = AFFIX and AFFIX + "-lab"
# Which engine the peers are of: quickfix (the two programs above); python, affix's own package, for which PYTHON is an
# interpreter that has it; or one for Java, for which JVM is the directory that `./dev interop` has filled with jars/ and
# classes/.
ENGINE = os.environ.get("AFFIX_INTEROP_ENGINE", "quickfix")
# Of the acceptor, where two peers meet.
ACCEPTOR_ENGINE = os.environ.get("AFFIX_INTEROP_ACCEPTOR_ENGINE", ENGINE)
PYTHON = os.environ.get("AFFIX_INTEROP_PYTHON", "")
JVM = os.environ.get("AFFIX_INTEROP_JVM", "")
JVM_PROGRAMS = {"quickfixj": "interop.QuickfixjPeer", "philadelphia": "interop.PhiladelphiaPeer", "artio": "interop.ArtioPeer"}
# Artio's buffers reach into the JDK.
JVM_OPTIONS = {"artio": ["--add-opens", "java.base/sun.nio.ch=ALL-UNNAMED",
                         "--add-opens", "java.base/jdk.internal.misc=ALL-UNNAMED"]}
DICTIONARIES = os.environ.get("AFFIX_INTEROP_DICTIONARIES", str(Path(__file__).resolve().parents[2] / "dictionaries"))

Event = namedtuple("Event", "kind session rest")


class FixMessage:
    """One message as text with '|' for SOH. Tags are integers, values text."""

    def __init__(self, text):
        self.text = text
        self.fields = []
        for field in text.strip("|").split("|"):
            tag, equals, value = field.partition("=")
            if not equals:
                raise ValueError(f"a field without '=' in {text}")
            self.fields.append((int(tag), value))

    def get(self, tag, default=None):
        """The first value of `tag`."""
        for number, value in self.fields:
            if number == tag:
                return value
        return default

    @property
    def type(self):
        return self.get(35)

    @property
    def number(self):
        return int(self.get(34))

    def is_possible_duplicate(self):
        return self.get(43) == "Y"

    def matches(self, expected):
        return all(self.get(tag) == value for tag, value in expected.items())

    def content(self):
        """The fields that a resend must leave as they were, whatever their order."""
        return sorted((tag, value) for tag, value in self.fields if tag not in (9, 10, 43, 52, 122))

    def __repr__(self):
        return self.text


class Deadline(AssertionError):
    """An awaited event did not happen in time."""


class LineProcess:
    """A child whose output is read by a thread as it comes. Ends with the test, by its own pid."""

    def __init__(self, arguments, name):
        self.name = name
        self.lines = []
        self._changed = threading.Condition()
        self._next = 0
        self._ended = False
        self._process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                         stderr=subprocess.STDOUT, text=True, errors="replace", bufsize=1)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self._process.stdout:
            with self._changed:
                self.lines.append(line.rstrip("\n"))
                self._changed.notify_all()
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def write(self, line):
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def wait_until(self, condition, what):
        """Waits for `condition()` to be true; it is called with the lines locked, after each line."""
        deadline = time.monotonic() + DEADLINE_SECONDS
        with self._changed:
            while True:
                found = condition()
                if found:
                    return found
                left = deadline - time.monotonic()
                if self._ended or left <= 0 or not self._changed.wait(left):
                    found = condition()
                    if found:
                        return found
                    why = "ended" if self._ended else "is silent"
                    tail = "\n    ".join(self.lines[-25:])
                    raise Deadline(f"{self.name} {why}; awaited {what}; its last lines:\n    {tail}")

    def wait_line(self, accept, what):
        """The first line after the last one found by a wait for which accept(line) is not None."""

        def search():
            at = self._next
            while at < len(self.lines):
                found = accept(self.lines[at])
                at += 1
                if found is not None:
                    self._next = at
                    return (found,)
            return None

        return self.wait_until(search, what)[0]

    def wait_text(self, pattern):
        return self.wait_line(lambda line: re.search(pattern, line), f"/{pattern}/")

    def snapshot(self):
        with self._changed:
            return list(self.lines)

    def skip(self):
        """Later waits find only what is printed from now on."""
        with self._changed:
            self._next = len(self.lines)

    def kill(self):
        """kill -9, and gone when this returns."""
        self._process.kill()
        self._process.wait()

    def interrupt(self):
        self._process.send_signal(signal.SIGINT)

    def freeze(self):
        """The process stands still with its sockets open, until thaw()."""
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self):
        self._process.send_signal(signal.SIGCONT)

    def wait_exit(self):
        try:
            code = self._process.wait(DEADLINE_SECONDS)
        except subprocess.TimeoutExpired:
            tail = "\n    ".join(self.snapshot()[-25:])
            raise Deadline(f"{self.name} does not end; its last lines:\n    {tail}") from None
        self._reader.join(DEADLINE_SECONDS)
        return code

    def close(self):
        if self._process.poll() is None:
            self.kill()
        self._reader.join(DEADLINE_SECONDS)
        self._process.stdin.close()
        self._process.stdout.close()


def parse_event(line):
    """An Event, or None for a line of a kind that has no session."""
    words = line.split(" ", 2)
    if len(words) < 2:
        return None
    return Event(words[0], words[1], words[2] if len(words) == 3 else "")


class QuickfixPeer(LineProcess):
    """One of the QuickFIX programs, or of another engine's: events as parsed lines, commands as methods."""

    chooses_test_ids = False

    def command(self, *words):
        self.write(" ".join(str(word) for word in words))

    def wait_event(self, kind, text="", session=None):
        def accept(line):
            event = parse_event(line)
            if event is None or event.kind != kind or text not in event.rest:
                return None
            return event if session in (None, event.session) else None

        return self.wait_line(accept, f"{kind} {session or ''} {text}")

    def wait_message(self, kind, session=None, **fields):
        """The next `in`, `out` or `delivered` message with all of t35="8", t11="A1", ..."""
        expected = {int(name[1:]): value for name, value in fields.items()}

        def accept(line):
            event = parse_event(line)
            if event is None or event.kind != kind or session not in (None, event.session):
                return None
            message = FixMessage(event.rest)
            return message if message.matches(expected) else None

        return self.wait_line(accept, f"{kind} {expected}")

    def test_request(self, text):
        """Has the peer send a TestRequest. Returns its TestReqID: `text`, unless the engine chooses it."""
        self.command("test_request", text)
        return self.wait_event("test_request").session if self.chooses_test_ids else text

    def messages(self, kind, session=None):
        """All messages of that kind so far, in order."""
        events = (parse_event(line) for line in self.snapshot())
        return [FixMessage(event.rest) for event in events
                if event and event.kind == kind and session in (None, event.session)]

    def numbers(self, session=None):
        """(next sender, next target) sequence numbers of the current session."""
        self.command("numbers")
        event = self.wait_event("numbers", session=session)
        sender, target = re.fullmatch(r"sender=(\d+) target=(\d+)", event.rest).groups()
        return int(sender), int(target)

    def forget_received(self, target):
        """Sets the expected number back, once QuickFIX is done with what it has received: it counts a message
        after it has delivered it, and would count the number set in between."""
        deadline = time.monotonic() + DEADLINE_SECONDS
        # Looked up each time: a heartbeat may come in between.
        while self.numbers()[1] != self.messages("in")[-1].number + 1:
            if time.monotonic() > deadline:
                raise Deadline(f"{self.name} does not come to expect what follows its last message")
        self.command("set_next_target_seq", target)


def peer_command(role):
    """Command that starts a peer as "initiator" or "acceptor"; its options follow."""
    engine = ENGINE if role == "initiator" else ACCEPTOR_ENGINE
    if engine == "quickfix":
        return [QUICKFIX_TRADER if role == "initiator" else QUICKFIX_EXCHANGE]
    if engine == "python":
        return [PYTHON, str(Path(__file__).parent / "python" / "affix_peer.py"), role]
    # Short lives: what starts soon is better than what runs fast later.
    return ["java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto", *JVM_OPTIONS.get(engine, []),
            "-cp", f"{JVM}/classes:{JVM}/jars/*", JVM_PROGRAMS[engine], role]


def absent_programs():
    """Names of what is not there and is needed by ENGINE and ACCEPTOR_ENGINE."""
    absent = []
    if "quickfix" in (ENGINE, ACCEPTOR_ENGINE):
        absent += [name for name, path in (("quickfix_trader", QUICKFIX_TRADER), ("quickfix_exchange", QUICKFIX_EXCHANGE))
                   if not path]
    if "python" in (ENGINE, ACCEPTOR_ENGINE) and not os.path.exists(PYTHON):
        absent.append("an interpreter with the package affix (./dev interop builds it)")
    if ENGINE in JVM_PROGRAMS and not (shutil.which("java") and os.path.isdir(os.path.join(JVM, "classes"))):
        absent.append(f"{ENGINE} (./dev interop fetches and builds it)")
    return absent


def open_quickfix_trader(test, port, directory, sender="TRADER", target="EXCHANGE", heartbeat_seconds=30, further=()):
    """An initiator of ENGINE that ends with `test`, not yet logged on."""
    trader = test.owned(QuickfixPeer(
        [*peer_command("initiator"), "--begin_string", BEGIN_STRING, "--sender", sender, "--target", target, "--port", str(port),
         "--directory", str(directory), "--dictionaries", DICTIONARIES, "--heartbeat_seconds", str(heartbeat_seconds),
         *further],
        f"{ENGINE} initiator {sender}"))
    trader.chooses_test_ids = ENGINE == "python"
    trader.wait_text("^ready$")
    return trader


def open_quickfix_exchange(test, directory, sender="EXCHANGE", targets=("TRADER",), further=()):
    """An acceptor of ACCEPTOR_ENGINE that ends with `test`, and the port it listens on."""
    arguments = [*peer_command("acceptor"), "--begin_string", BEGIN_STRING, "--sender", sender, "--directory", str(directory),
                 "--dictionaries", DICTIONARIES, *further]
    for target in targets:
        arguments += ["--target", target]
    exchange = test.owned(QuickfixPeer(arguments, f"{ACCEPTOR_ENGINE} acceptor"))
    exchange.chooses_test_ids = ACCEPTOR_ENGINE == "python"
    return exchange, listening_port(exchange)


def listening_port(process):
    return int(process.wait_text(r"listening on 127\.0\.0\.1:(\d+)").group(1))


class InteropTest(unittest.TestCase):
    """A temporary directory, and processes that end with the test."""

    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="affix-interop-")
        self.addCleanup(folder.cleanup)
        self.directory = Path(folder.name)

    def folder(self, name):
        path = self.directory / name
        path.mkdir(exist_ok=True)
        return path

    def owned(self, process):
        self.addCleanup(process.close)
        return process

    def assert_quickfix_refused_nothing(self, peer, but=None):
        """QuickFIX validates with the dictionary: whatever it finds wrong leaves as a reject. `but`: a text of rejects
        that are no fault."""
        refused = [message for message in peer.messages("out") if message.type in ("3", "j")
                   and (but is None or but not in message.get(58, ""))]
        self.assertEqual(refused, [], f"{peer.name} refused messages")
        invalid = [line for line in peer.snapshot() if line.startswith("event ") and re.search(
            r"[Ii]nvalid|Unsupported|too low|problem|Incorrect", line)]
        self.assertEqual(invalid, [], f"{peer.name} complained")

    def assert_gapless(self, messages, what):
        """The live messages of one direction are numbered without hole or repetition."""
        numbers = [message.number for message in messages if not message.is_possible_duplicate()]
        self.assertEqual(numbers, list(range(numbers[0], numbers[0] + len(numbers))), what)

    def assert_one_message_per_number(self, received):
        """Under one MsgSeqNum a peer has only ever sent one message; gap fills stand for others."""
        seen = {}
        for message in received:
            if message.type != "4":
                content = [field for field in message.content() if field[0] != 97]
                self.assertEqual(seen.setdefault(message.number, content), content, "a sequence number was used twice")

    def assert_resends_are_true(self, received):
        """A resent message is the one received before, marked, with its first SendingTime in 122. Returns how many."""
        live = {}
        resent = 0
        for message in received:
            if not message.is_possible_duplicate():
                live[message.number] = message
            elif message.type != "4" and message.number in live:
                original = live[message.number]
                self.assertEqual(message.content(), original.content())
                self.assertEqual(message.get(122), original.get(52))
                resent += 1
        return resent


def run_or_skip(absent):
    """Runs the module's tests. CI demands QuickFIX's programs, and nobody demands what has to be fetched or built first."""
    if not absent:
        unittest.main()
    print(f"skipped: absent: {', '.join(absent)}")
    demanded = os.environ.get("CI") == "true" and {ENGINE, ACCEPTOR_ENGINE} == {"quickfix"}
    sys.exit(1 if demanded else EXIT_SKIPPED)


def main(needed):
    """Runs the module's tests. `needed` maps a program's name to its path, empty when it is absent."""
    absent = [name for name, path in needed.items() if not path]
    if not absent:
        unittest.main()
    print(f"not run, absent: {', '.join(absent)} (QuickFIX: apt-get install libquickfix-dev)")
    sys.exit(1 if os.environ.get("CI") == "true" else EXIT_SKIPPED)
