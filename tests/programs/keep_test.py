#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`affix-keep` as engines and strangers meet it: owners that are killed, successors that wait, a keeper that is killed, full
tables, wrong users, garbage; and no descriptor that leaks."""

import array
import os
import pwd
import resource
import shutil
import signal
import socket
import struct
import subprocess
import sys
import unittest

import program_fixture

KEEP = os.path.abspath(sys.argv.pop(1) + "-keep")
MAGIC, VERSION = 0x4B584641, 1
HELLO, HOLD, DROP, GRANTED, ENTRY, END, WAITING, NOT_HELD, REFUSED = range(1, 10)
WAITS, ANEW = 1, 2
USER, OTHER_VERSION, IN_USE, FULL, GARBAGE = range(1, 6)
FORM = struct.Struct("=IHBBII200s")

# A process that owns what it was passed as its standard input, and says so.
OWNER = """
import socket, sys
sys.argv[0] = ''
keeper = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
keeper.connect(sys.argv[1])
keeper.send(bytes.fromhex(sys.argv[2]))
while keeper.recv(1000)[6] != 6:
    pass
socket.send_fds(keeper, [bytes.fromhex(sys.argv[3])], [0])
print('held', flush=True)
sys.stdout.close()
keeper.recv(1000)
"""


def message(kind, name="", detail=0, number=0, version=VERSION, magic=MAGIC):
    return FORM.pack(magic, version, kind, detail, number, len(name), name.encode())


class Owner:
    """A connection to the keeper that speaks its protocol."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.socket.settimeout(program_fixture.TIMEOUT)
        self.socket.connect(path)

    def close(self):
        self.socket.close()

    def say(self, *words, **fields):
        self.socket.send(message(*words, **fields))

    def hold(self, name, *held):
        socket.send_fds(self.socket, [message(HOLD, name)], [one.fileno() for one in held])

    def hear(self):
        """Kind, detail, number, name and descriptors of the next message; None: the connection has ended."""
        try:
            packet, descriptors, _, _ = socket.recv_fds(self.socket, 1000, 4)
        except ConnectionResetError:
            return None
        if not packet:
            return None
        _, _, kind, detail, number, size, name = FORM.unpack(packet)
        return kind, detail, number, name[:size].decode(), descriptors

    def take(self, flags=0, instance="venue"):
        """Names and sockets of what is held."""
        self.say(HELLO, instance, flags)
        return self.granted()

    def granted(self):
        kept, heard = {}, self.hear()
        while heard[0] != END:
            if heard[0] == ENTRY:
                kept[heard[3]] = socket.socket(fileno=heard[4][0])
            elif heard[0] == REFUSED:
                raise AssertionError(f"refused: {heard}")
            heard = self.hear()
        return kept


class Connection:
    """A TCP connection: `own` is the engine's end, `peer` its counterparty's."""

    def __init__(self):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            self.peer = socket.create_connection(listener.getsockname(), timeout=program_fixture.TIMEOUT)
            self.own = listener.accept()[0]
        self.own.settimeout(program_fixture.TIMEOUT)

    def close(self):
        self.peer.close()
        self.own.close()


class Keep(program_fixture.ProgramTest):
    def setUp(self):
        super().setUp()
        self.place = self.path("keeper")

    def keeper(self, *options, place=None, program=KEEP, **how):
        """A keeper that listens."""
        process = subprocess.Popen([program, "--socket", place or self.place, *options], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **how)
        self.addCleanup(self.end, process)
        line = process.stdout.readline()
        self.assertIn("keeps up to", line, None if line else process.stderr.read())
        return process

    def refused(self, *options, **how):
        """Exit code and errors of a keeper that does not start."""
        done = subprocess.run([KEEP, *options], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
                              timeout=program_fixture.TIMEOUT, **how)
        return done.returncode, done.stderr

    def nobodys_place(self):
        """How to start a keeper as nobody, in a directory of nobody's: the program may lie where nobody may not look."""
        nobody = pwd.getpwnam("nobody")
        os.chmod(self.directory, 0o755)
        os.mkdir(self.path("nobodys"), 0o700)
        os.chown(self.path("nobodys"), nobody.pw_uid, nobody.pw_gid)
        program = shutil.copy(KEEP, self.path("affix-keep"))
        return {"place": self.path("nobodys/keeper"), "program": program, "user": "nobody", "cwd": "/"}

    def owner(self, place=None):
        owner = Owner(place or self.place)
        self.addCleanup(owner.close)
        return owner

    def connection(self):
        connection = Connection()
        self.addCleanup(connection.close)
        return connection

    def owner_process(self, held, name="session"):
        """A process that holds the socket `held`, of which it has the only descriptor apart from the keeper's."""
        process = subprocess.Popen([sys.executable, "-c", OWNER, self.place, message(HELLO, "venue").hex(),
                                    message(HOLD, name).hex()], stdin=held, stdout=subprocess.PIPE, text=True)
        self.addCleanup(self.end, process)
        self.assertEqual(process.stdout.readline(), "held\n")
        held.close()
        return process

    @staticmethod
    def descriptors(process):
        return len(os.listdir(f"/proc/{process.pid}/fd"))

    def settled(self, process):
        """Descriptors of a keeper that has done everything: another connection's answer comes after it."""
        owner = Owner(self.place)
        owner.take(instance="settled")
        count = self.descriptors(process)
        owner.close()
        return count

    def assert_connected(self, one, other):
        one.send(b"a")
        self.assertEqual(other.recv(1), b"a")

    def test_a_killed_owner_is_followed_by_the_one_that_waits(self):
        self.keeper()
        connection = self.connection()
        process = self.owner_process(connection.own)
        second, third = self.owner(), self.owner()
        for successor in (second, third):
            successor.say(HELLO, "venue", WAITS)
            self.assertEqual(successor.hear()[:3], (WAITING, 0, process.pid))
        impatient = self.owner()
        impatient.say(HELLO, "venue")
        self.assertEqual(impatient.hear()[:3], (REFUSED, IN_USE, process.pid))
        self.assertIsNone(impatient.hear())
        connection.peer.send(b"half")
        process.kill()
        kept = second.granted()
        self.assertEqual(list(kept), ["session"])
        self.assertEqual(kept["session"].recv(10), b"half")
        self.assert_connected(kept["session"], connection.peer)
        kept["session"].close()
        second.close()
        kept = third.granted()
        self.assert_connected(connection.peer, kept["session"])
        kept["session"].close()

    def test_without_an_owner_the_counterparty_sees_the_end_in_time(self):
        keeper = self.keeper("--keep-seconds", "1")
        connection = self.connection()
        process = self.owner_process(connection.own.dup())
        process.kill()
        # This process has a duplicate.
        self.assertEqual(connection.peer.recv(1), b"")
        self.assertEqual(self.owner().take(), {})
        keeper.terminate()
        self.assertEqual(keeper.wait(), 0)
        self.assertRegex(keeper.stderr.read(), r"venue: process \d+ has ended; 1 are kept for 1 seconds \[K201\]\n"
                                               r"affix-keep: venue: no owner came in time; 1 are closed \[K205\]")

    def test_a_full_table_refuses_by_name(self):
        self.keeper("--connections", "2")
        connection = self.connection()
        owner = self.owner()
        owner.take()
        for name in ("one", "two", "three"):
            owner.hold(name, connection.own)
        self.assertEqual(owner.hear(), (NOT_HELD, 0, 0, "three", []))
        owner.say(DROP, "one")
        owner.hold("four", connection.own)
        owner.close()
        kept = self.owner().take()
        self.assertEqual(sorted(kept), ["four", "two"])
        for one in kept.values():
            one.close()

    def test_a_killed_keeper_can_be_started_again(self):
        first = self.keeper()
        connection = self.connection()
        owner = self.owner()
        owner.take()
        owner.hold("session", connection.own)
        first.kill()
        first.wait()  # Its lock ends with it, maybe after its connections.
        self.assertIsNone(owner.hear())
        self.assert_connected(connection.peer, connection.own)
        self.keeper()
        again = self.owner()
        self.assertEqual(again.take(ANEW), {})
        again.hold("session", connection.own)
        again.close()
        # Of an owner whose connection alone was lost, nothing stays that it does not hold anew.
        anew = self.owner()
        self.assertEqual(anew.take(ANEW), {})
        self.assert_connected(connection.peer, connection.own)

    def test_its_end_is_not_that_of_living_engines(self):
        for sign in (signal.SIGTERM, signal.SIGINT):
            keeper = self.keeper()
            alive, orphan = self.connection(), self.connection()
            owner = self.owner()
            owner.take()
            owner.hold("alive", alive.own)
            other = self.owner()
            other.take(instance="other")
            other.hold("orphan", orphan.own)
            other.close()
            orphan.own.close()
            self.settled(keeper)
            # A closed terminal is no reason.
            keeper.send_signal(signal.SIGHUP)
            keeper.send_signal(sign)
            self.assertEqual(keeper.wait(), 0)
            self.assertFalse(os.path.exists(self.place))
            self.assertEqual(orphan.peer.recv(1), b"")
            self.assert_connected(alive.peer, alive.own)
            self.assertIsNone(owner.hear())

    def test_nothing_leaks_whatever_is_sent(self):
        keeper = self.keeper()
        connection = self.connection()
        before = self.settled(keeper)
        strangers = {
            "garbage": [b"GET / HTTP/1.1\r\n\r\n"], "short": [message(HELLO, "venue")[:-1]], "long": [message(HELLO, "venue") + b"x"],
            "huge": [b"x" * 100_000], "no magic": [message(HELLO, "venue", magic=1)], "no kind": [message(77)],
            "no name": [message(HELLO)], "a colon": [message(HELLO, "a:b")], "no Hello": [message(DROP, "x")],
            "twice": [message(HELLO, "venue"), message(HELLO, "venue")], "our own": [message(END)]}
        for what, packets in strangers.items():
            with self.subTest(what):
                stranger = self.owner()
                for packet in packets:
                    stranger.socket.send(packet)
                heard = stranger.hear()
                while heard[0] in (GRANTED, END):
                    heard = stranger.hear()
                self.assertEqual(heard[:2], (REFUSED, GARBAGE))
                self.assertIsNone(stranger.hear())
                stranger.close()
        for count in (2, 3, 250):
            with self.subTest(descriptors=count):
                owner = self.owner()
                owner.take()
                control = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [connection.own.fileno()] * count))]
                owner.socket.sendmsg([message(HOLD, "session")], control)
                self.assertEqual(owner.hear()[:2], (REFUSED, GARBAGE))
                owner.close()
        with self.subTest("no TCP"):
            owner = self.owner()
            owner.take()
            owner.hold("itself", owner.socket)
            self.assertEqual(owner.hear()[0], NOT_HELD)
            owner.close()
        with self.subTest("later version"):
            later = self.owner()
            later.socket.send(message(HELLO, "venue", version=2) + b"more")
            self.assertEqual(later.hear()[:3], (REFUSED, OTHER_VERSION, VERSION))
            later.close()
        self.assertEqual(self.settled(keeper), before)
        # Nor through an owner that comes and goes.
        for _ in range(50):
            owner = self.owner()
            for one in owner.take().values():
                one.close()
            for number in range(20):
                owner.hold(f"session {number}", connection.own)
            owner.close()
        owner = self.owner()
        owner.take(ANEW)
        owner.close()
        self.assertEqual(self.settled(keeper), before)

    @unittest.skipUnless(os.geteuid() == 0, "only the superuser can start a process of another user")
    def test_other_users_are_refused_the_superuser_too(self):
        nobody = pwd.getpwnam("nobody")
        os.chmod(self.directory, 0o755)
        self.keeper()
        # Even where somebody has opened the file's permissions.
        self.assertEqual(os.stat(self.place).st_mode & 0o777, 0o600)
        os.chmod(self.place, 0o777)
        os.seteuid(nobody.pw_uid)
        try:
            stranger = self.owner()
        finally:
            os.seteuid(0)
        self.assertEqual(stranger.hear()[:3], (REFUSED, USER, 0))
        how = self.nobodys_place()
        self.keeper(**how)
        root = self.owner(how["place"])
        self.assertEqual(root.hear()[:3], (REFUSED, USER, nobody.pw_uid))
        self.assertIsNone(root.hear())

    def test_it_does_not_start_where_it_would_not_be_safe(self):
        self.assertEqual(self.refused()[0], 2)
        self.keeper()
        code, text = self.refused("--socket", self.place)
        self.assertEqual(code, 1)
        self.assertIn(f"affix-keep: {self.place}: another keeper has this socket [K203]\n", text)
        os.chmod(self.directory, 0o770)
        code, text = self.refused("--socket", self.path("other"))
        self.assertEqual(code, 1)
        self.assertIn("other users may write to this directory [K202]", text)
        os.chmod(self.directory, 0o700)
        self.assertEqual(self.owner().take(), {})

    def test_the_systems_limit_is_raised_or_told(self):
        keeper = self.keeper("--connections", "2000", place=self.path("high"),
                             preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (64, 4096)))
        self.assertEqual(resource.prlimit(keeper.pid, resource.RLIMIT_NOFILE)[0], 2272)
        # Whoever is privileged can raise the hard limit too.
        how = self.nobodys_place() if os.geteuid() == 0 else {}
        low = self.keeper("--connections", "2000", **how,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (64, 300)))
        low.terminate()
        low.wait()
        self.assertIn("RLIMIT_NOFILE leaves room for 28 connections only [K204]", low.stderr.read())

    def test_a_service_manager_is_told(self):
        manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.addCleanup(manager.close)
        manager.bind(self.path("notify"))
        manager.settimeout(program_fixture.TIMEOUT)
        keeper = self.keeper(env={**os.environ, "NOTIFY_SOCKET": self.path("notify")})
        self.assertEqual(manager.recv(100), b"READY=1")
        keeper.terminate()
        self.assertEqual(manager.recv(100), b"STOPPING=1")


if __name__ == "__main__":
    unittest.main()
