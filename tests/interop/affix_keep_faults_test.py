# SPDX-License-Identifier: MIT
"""What can go wrong while a connection outlives its process, each with the end that is wanted: successors that are killed or
fail, keepers that are gone, full or somebody else's, journals that vanish, counterparties that leave meanwhile."""

import ctypes
import os
import pwd
import random
import re
import selectors
import shutil
import signal
import socket
import struct
import subprocess
import time
import unittest
from pathlib import Path

import affix_programs
import kept_line
import measuring_peer
import peers

ROOT = Path(__file__).resolve().parents[2]
ORDERS_PER_SECOND = 500
ROUNDS = max(8, int(os.environ.get("AFFIX_ROUNDS", "20")) // 4)
SEED = int(os.environ.get("AFFIX_SEED") or random.SystemRandom().getrandbits(32))
SESSIONS_AT_ONCE = 1000
VENUE = "[APPLICATION]\napplication=ECHO\n[VENUE]\nnic_address=127.0.0.1\naccept_port=0\n"
ADMINISTRATION = "management_server_port=-1\nmanagement_local_role=OPERATE\n"

# Says that it waits in line, takes what the keeper gives it, and does nothing with it.
IDLE_SUCCESSOR = """#!/usr/bin/env python3
import socket, time
keeper = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
keeper.connect({place!r})
keeper.send(bytes.fromhex({hello!r}))
waiting = keeper.recv(1000)
owner = int.from_bytes(waiting[8:12], "little")
import ctypes
ctypes.CDLL(None).sigqueue(owner, 12, ctypes.c_void_p({word}))
time.sleep(1000)
"""


def hand_over_word(word, journal_version=None):
    """The value of SIGUSR2 by which processes talk, from the constants of the sources."""
    def constant(path, name):
        return int(re.search(rf"constexpr std::uint\d+_t {name} = (\d+);", (ROOT / path).read_text()).group(1))

    if journal_version is None:
        journal_version = constant("include/affix/journal/format.hpp", "version")
    return 0x41000000 | journal_version << 16 | constant("src/host/link_record.hpp", "link_table_version") << 8 | word


class KeepFaults(peers.InteropTest):
    def setUp(self):
        super().setUp()
        self.directory.chmod(0o700)
        self.journal = self.directory / "journal" / "FIX.4.4-US-PEER"

    def line(self, engine="", keys="", **how):
        groups = VENUE + affix_programs.session_group("PEER", "US", "PEER", self.directory / "journal", keys)
        return kept_line.Line(self, self.directory, groups, engine, **how)

    def peer(self, line):
        return measuring_peer.MeasuringPeer(self, line.ports()[0], "PEER", "US", ORDERS_PER_SECOND)

    def wait_log(self, line, text):
        self.until(f"{text!r} in the log", lambda: text in line.log(), line.log)

    def until(self, what, wanted, tell=str):
        deadline = time.monotonic() + peers.DEADLINE_SECONDS
        while not wanted():
            if time.monotonic() > deadline:
                raise peers.Deadline(f"{what} did not happen\n{tell()}")
            time.sleep(0.01)

    def assert_goes_on(self, line, peer):
        """The same connection, of which nothing is missing."""
        peer.wait_more(5)
        peer.finish()
        line.close()
        peer.judge(self, self.journal)
        self.assertEqual(line.refusals(), [])

    def wait_ended(self, peer):
        self.until("a disconnect", lambda: peer.fault is not None)
        peer.end()

    def assert_logs_on(self, line, number=None):
        """A counterparty that was disconnected comes back with the numbers that it had, or new ones."""
        again = LogonPeer(line.ports()[0], number)
        self.addCleanup(again.close)
        return again

    # --- Successors ---

    def test_killed_while_it_takes_over(self):
        print(f"AFFIX_SEED={SEED} AFFIX_ROUNDS={ROUNDS}", flush=True)
        choice = random.Random(SEED)
        line = self.line()
        peer = self.peer(line)
        for _ in range(ROUNDS):
            line.stand_by()
            first = line.waiting
            line.stand_by()
            peer.wait_more(5)
            line.kill()
            time.sleep(choice.random() * 0.03)
            first.kill()
            line.serving.wait_serving()
            peer.wait_more(5)
        self.assert_goes_on(line, peer)

    def test_one_that_does_not_start_leaves_the_running_one(self):
        line = self.line(ADMINISTRATION)
        peer = self.peer(line)
        self.assertIn("not an absolute path", self.administer(line, "upgrade false"))
        hanging = self.program("hangs", "#!/bin/sh\nexec sleep 1000\n")
        for program, what in (("/bin/false", "has ended before it could take over; this one goes on"),
                              (hanging, "is started as process")):
            self.assertIn("done", self.administer(line, f"upgrade {program}"))
            self.wait_log(line, what)
            peer.wait_more(20)
        self.assertIn("a hand-over is under way", self.administer(line, "upgrade"))
        self.assertEqual(line.serving.process.poll(), None)
        child = re.findall(r"is started as process (\d+)", line.log())[-1]
        os.kill(int(child), signal.SIGKILL)
        self.assert_goes_on(line, peer)

    def test_one_that_hangs_before_it_is_in_line_is_ended(self):
        line = self.line(ADMINISTRATION + "upgrade_timeout_seconds=1\n")
        peer = self.peer(line)
        hanging = self.program("hangs", "#!/bin/sh\necho $$ > $0.pid\ntrap '' TERM\nwhile :; do sleep 0.1; done\n")
        other = subprocess.Popen(["sleep", "1000"])
        self.addCleanup(other.wait)
        self.addCleanup(other.kill)
        self.assertIn("done", self.administer(line, f"upgrade {hanging}"))
        self.wait_log(line, "K315")
        child = re.findall(r"is started as process (\d+)", line.log())[-1]
        self.assertIn(f"process {child} was not ready to take over within 1 s", line.log())
        self.assertFalse(Path(f"/proc/{child}").exists())
        self.assertIsNone(other.poll())
        self.assertIsNone(line.serving.process.poll())
        peer.wait_more(20)
        self.assertIn("done", self.administer(line, "upgrade"))
        self.assertEqual(line.serving.process.wait(peers.DEADLINE_SECONDS), 0)
        self.wait_log(line, "K302")
        self.assert_goes_on(line, peer)

    def test_one_that_hangs_in_line_is_passed_over(self):
        line = self.line()
        peer = self.peer(line)
        line.stand_by()
        hangs = line.waiting
        os.kill(hangs.pid, signal.SIGSTOP)
        line.stand_by()
        peer.wait_more(20)
        line.kill()
        line.serving.wait_serving()
        self.until("a word of the keeper", lambda: "K109" in Path(f"{line.keeper.place}.log").read_text())
        # It learns that it was passed over, and has nothing.
        os.kill(hangs.pid, signal.SIGCONT)
        self.assertNotEqual(hangs.process.wait(peers.DEADLINE_SECONDS), 0)
        self.assertIn("K109", hangs.output())
        self.assert_goes_on(line, peer)

    def test_an_upgrade_is_before_one_that_stands_by(self):
        line = self.line()
        peer = self.peer(line)
        line.stand_by()
        stands_by = line.waiting
        peer.wait_more(20)
        before = line.upgrade()
        self.assertEqual(before.process.wait(peers.DEADLINE_SECONDS), 0)
        line.serving.wait_serving()
        self.wait_log(line, f"process {line.serving.pid} serves")
        self.assertIsNone(stands_by.process.poll())
        peer.wait_more(20)
        line.waiting = stands_by
        line.kill()
        line.serving.wait_serving()
        self.assert_goes_on(line, peer)

    def test_one_that_waits_in_line_is_alive_to_its_manager(self):
        line = self.line()
        line.stand_by(WATCHDOG_USEC="20000000")
        line.waiting.notices.wait("WATCHDOG=1")

    def test_one_that_fails_later_gives_the_connections_back(self):
        line = self.line(ADMINISTRATION)
        peer = self.peer(line)
        broken = self.directory / "broken.ini"
        broken.write_text(line.config.read_text().replace(f"journal_path={self.directory}/journal", "journal_path=/proc/none"))
        program = self.program("fails", f"#!/bin/sh\nexec {peers.AFFIX} serve {broken}\n")
        process = line.serving.pid
        self.assertIn("done", self.administer(line, f"upgrade {program}"))
        self.wait_log(line, "has ended instead of serving")
        self.wait_log(line, "K302")
        line.serving.wait_serving()
        self.assertEqual(line.serving.pid, process)
        self.assertIsNone(line.serving.process.poll())
        self.assert_goes_on(line, peer)

    def test_one_that_takes_them_and_hangs_is_ended(self):
        line = self.line(ADMINISTRATION)
        peer = self.peer(line)
        hello = struct.pack("=IHBBII200s", 0x4B584641, 1, 1, 1, 0, 5, b"affix")
        program = self.program("idle", IDLE_SUCCESSOR.format(place=str(line.keeper.place), hello=hello.hex(),
                                                             word=hand_over_word(1)))
        self.assertIn("done", self.administer(line, f"upgrade {program}"))
        self.wait_log(line, "does not answer and is ended by SIGKILL")
        self.wait_log(line, "K302")
        self.assertIsNone(line.serving.process.poll())
        self.assert_goes_on(line, peer)

    def test_another_format_is_refused(self):
        line = self.line()
        peer = self.peer(line)
        ctypes.CDLL(None).sigqueue(line.serving.pid, signal.SIGUSR2, ctypes.c_void_p(hand_over_word(1, journal_version=99)))
        self.wait_log(line, "K312")
        peer.wait_more(20)
        self.assertIsNone(line.serving.process.poll())
        self.assert_goes_on(line, peer)

    def test_an_upgrade_to_another_format_is_ended(self):
        line = self.line(ADMINISTRATION)
        peer = self.peer(line)
        hello = struct.pack("=IHBBII200s", 0x4B584641, 1, 1, 1, 0, 5, b"affix")
        program = self.program("later", IDLE_SUCCESSOR.format(place=str(line.keeper.place), hello=hello.hex(),
                                                              word=hand_over_word(1, journal_version=99)))
        self.assertIn("done", self.administer(line, f"upgrade {program}"))
        self.wait_log(line, "K312")
        self.wait_log(line, "has ended before it could take over; this one goes on")
        self.assert_goes_on(line, peer)

    def test_the_program_itself_is_upgraded_by_a_signal_and_by_an_operator(self):
        line = self.line(ADMINISTRATION)
        peer = self.peer(line)
        line.serving.process.send_signal(signal.SIGUSR2)
        self.assertEqual(line.serving.process.wait(peers.DEADLINE_SECONDS), 0)
        self.wait_log(line, "K302")
        peer.wait_more(5)
        self.assertIn("done", self.administer(line, "upgrade"))
        self.until("a second hand-over", lambda: len(line.adoptions()) == 2, line.log)
        self.until("the end of the second one", lambda: len(re.findall(r"process \d+ serves\n", line.log())) == 2,
                   line.log)
        self.assert_goes_on(line, peer)

    # --- Keepers ---

    def test_a_killed_keeper_is_given_everything_again(self):
        line = self.line()
        peer = self.peer(line)
        line.keeper.kill()
        self.wait_log(line, "K305")
        peer.wait_more(20)
        line.keeper.start()
        self.wait_log(line, "K307")
        line.stand_by()
        line.kill()
        line.serving.wait_serving()
        self.assert_goes_on(line, peer)

    def test_both_killed_is_a_disconnect_as_without_a_keeper(self):
        line = self.line()
        peer = self.peer(line)
        line.keeper.kill()
        line.serving.kill()
        self.wait_ended(peer)
        line.keeper.start()
        line.config.write_text(line.config.read_text().replace("accept_port=0", f"accept_port={line.ports()[0]}"))
        line.replace()
        line.serving.wait_serving()
        self.assert_logs_on(line, len(peer.sent) + 1)
        self.assertEqual(line.adoptions(), [])

    def test_a_full_keeper_says_what_ends_with_the_process(self):
        # The table of connections and the listener.
        line = self.line(keeper=kept_line.Keeper(self, self.directory / "keeper", "--connections", 2))
        peer = self.peer(line)
        self.wait_log(line, "K304")
        peer.wait_more(20)
        line.stand_by()
        line.kill()
        line.serving.wait_serving()
        self.wait_ended(peer)
        self.assert_logs_on(line, len(peer.sent) + 1)

    @unittest.skipUnless(os.geteuid() == 0, "only the superuser can start a process of another user")
    def test_another_users_keeper_is_refused(self):
        nobody = pwd.getpwnam("nobody")
        self.directory.chmod(0o755)
        keeper = kept_line.Keeper(self, self.directory / "keeper")
        keeper.place.chmod(0o777)
        program = shutil.copy(peers.AFFIX, self.directory / "affix")
        folder = self.folder("nobody")
        os.chown(folder, nobody.pw_uid, nobody.pw_gid)
        config = folder / "serve.ini"
        config.write_text(kept_line.configuration(folder, keeper.place, VENUE + affix_programs.session_group(
            "PEER", "US", "PEER", folder / "journal").replace("dictionary", "#dictionary")))
        done = subprocess.run([program, "serve", config], user="nobody", group="nogroup", extra_groups=[], cwd="/",
                              capture_output=True, text=True, check=False, timeout=peers.DEADLINE_SECONDS)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("K104", done.stdout + done.stderr)

    # --- What is left ---

    def test_without_its_journal_the_counterparty_logs_on_anew(self):
        line = self.line()
        peer = self.peer(line)
        peer.wait_more(20)
        line.stand_by()
        os.kill(line.serving.pid, signal.SIGSTOP)
        shutil.rmtree(self.journal)
        line.kill()
        line.serving.wait_serving()
        self.wait_ended(peer)
        self.wait_log(line, "K301")
        self.assertEqual(line.refusals(), ["the journal has lower numbers than the connection"], line.log())
        self.assert_logs_on(line)

    def test_a_counterparty_that_leaves_meanwhile(self):
        for abruptly in (False, True):
            with self.subTest(abruptly=abruptly):
                line = self.line()
                peer = self.peer(line)
                peer.wait_more(20)
                line.serving.kill()
                line.serving.process.wait()
                if abruptly:
                    peer._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                peer.leave()
                line.replace()
                line.serving.wait_serving()
                if line.refusals():
                    self.assertEqual(line.refusals(), ["it has ended"])
                self.assert_logs_on(line, len(peer.sent) + 1).close()
                line.close()
                shutil.rmtree(self.directory / "journal")
                for one in self.directory.glob("notify-*"):
                    one.unlink()
                (self.directory / "log").unlink()
                line.keeper.kill()

    def test_a_thousand_sessions_at_once(self):
        groups = VENUE + "".join(
            f"[P{number}]\nbegin_string=FIX.4.4\nsender_comp_id=US\ntarget_comp_id=P{number}\n"
            f"journal_path={self.directory}/journal\nmax_serialised_file_size=1048576\n" for number in range(SESSIONS_AT_ONCE))
        line = kept_line.Line(self, self.directory, groups)
        crowd = [LogonPeer(line.ports()[0], 1, f"P{number}") for number in range(SESSIONS_AT_ONCE)]
        for one in crowd:
            self.addCleanup(one.close)
        line.stand_by()
        since = line.kill()
        first = last = None
        with selectors.DefaultSelector() as selector:
            for one in crowd:
                one.order("WHILE-AWAY")
                selector.register(one.socket, selectors.EVENT_READ, one)
            left = set(crowd)
            while left:
                ready = selector.select(peers.DEADLINE_SECONDS)
                self.assertTrue(ready, f"{len(left)} have no answer\n{line.log()[-3000:]}")
                last = time.monotonic()
                first = first or last
                for key, _ in ready:
                    if "11=WHILE-AWAY" in key.data.read():
                        left.discard(key.data)
                        selector.unregister(key.fileobj)
        self.assertEqual(len(line.adoptions()), SESSIONS_AT_ONCE)
        self.assertEqual(line.refusals(), [])
        print(f"{SESSIONS_AT_ONCE} sessions: the first is served {1000 * (first - since):.0f} ms after the kill, "
              f"the last {1000 * (last - since):.0f} ms", flush=True)

    # --- Help ---

    def program(self, name, text):
        path = self.directory / name
        path.write_text(text)
        path.chmod(0o755)
        return path

    def administer(self, line, command):
        """The answer of the administration port of the serving process to one command."""
        port = int(re.findall(r"administration on 127\.0\.0\.1:(\d+)", line.serving.output())[-1])
        with socket.create_connection(("127.0.0.1", port), peers.DEADLINE_SECONDS) as desk:
            desk.sendall(f"{command}\nquit\n".encode())
            return b"".join(iter(lambda: desk.recv(4096), b"")).decode()


class LogonPeer:
    """A counterparty that is logged on, by hand. `number` is that of its Logon; None: numbers begin anew."""

    def __init__(self, port, number=None, sender="PEER"):
        self.sender, self.number = sender, number or 1
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=peers.DEADLINE_SECONDS)
        self._send("A", "98=0\x01108=30\x01" + ("" if number else "141=Y\x01"))
        text = ""
        while "\x0110=" not in text:
            text += self.read()
        if "\x0135=A\x01" not in text:
            raise AssertionError(f"{sender}: no logon: {text}")

    def _send(self, kind, fields):
        now = measuring_peer.now_text()
        body = f"35={kind}\x0149={self.sender}\x0156=US\x0134={self.number}\x0152={now}\x01{fields}"
        text = f"8=FIX.4.4\x019={len(body)}\x01{body}".encode()
        self.socket.sendall(text + b"10=%03d\x01" % (sum(text) % 256))
        self.number += 1

    def order(self, name):
        self._send("D", f"11={name}\x0155=IBM\x0154=1\x0138=100\x0140=1\x01")

    def read(self):
        received = self.socket.recv(65536)
        if not received:
            raise AssertionError(f"{self.sender}: the connection has ended")
        return received.decode()

    def close(self):
        self.socket.close()


if __name__ == "__main__":
    peers.main({"affix": peers.AFFIX})
