#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The administration port of a running `affix exchange`, by the client in python/affix-admin and by hand: every command
of the table, exit codes, JSON, roles, and the console in a terminal of its own."""

import json
import os
import pty
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "python/affix-admin"
sys.path.insert(0, str(PACKAGE))
sys.dont_write_bytecode = True

from affix_admin import AdminClient, ConnectionLost, NotAllowed, Refused  # noqa: E402

AFFIX = sys.argv.pop(1)
TIMEOUT = 60
READ_TOKEN = "look-but-do-not-touch"
OPERATE_TOKEN = "hands-on-the-switches"


def python_with_libraries():
    """An interpreter that has what the console needs, which the one of this test may lack."""
    for python in (sys.executable, "/usr/bin/python3"):
        probe = subprocess.run([python, "-c", "import prompt_toolkit, rich"], stderr=subprocess.DEVNULL, check=False)
        if probe.returncode == 0:
            return python
    return None


class Exchange(unittest.TestCase):
    local_role = "OPERATE"

    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="affix-admin-test-")
        self.config = self.path("exchange.cfg")
        for name, token in (("read", READ_TOKEN), ("operate", OPERATE_TOKEN)):
            Path(self.path(name)).write_text(token + "\n", encoding="ascii")
        self.write_config()
        self.process = subprocess.Popen([AFFIX, "exchange", "--config", self.config], stdout=subprocess.PIPE, text=True)
        self.fix_port = self.port_of("listening on")
        self.port = self.port_of("administration on")

    def tearDown(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        shutil.rmtree(self.directory, ignore_errors=True)

    def path(self, name):
        return os.path.join(self.directory, name)

    def write_config(self, extra=""):
        Path(self.config).write_text(
            f"[ENGINE]\nlog_file={self.path('log')}\nmanagement_server_port=-1\n"
            f"management_local_role={self.local_role}\nmanagement_read_token=file:{self.path('read')}\n"
            f"management_operate_token=file:{self.path('operate')}\n"
            "[EXCHANGE]\naccept_port=0\nnic_address=127.0.0.1\n"
            "[S1]\nbegin_string=FIX.4.4\nsender_comp_id=US\ntarget_comp_id=THEM\nlogon_password=hush-hush\n"
            f"journal_path={self.path('journal')}\n{extra}", encoding="ascii")

    def port_of(self, text):
        line = self.process.stdout.readline()
        self.assertRegex(line, rf"^{text} 127\.0\.0\.1:\d+\n$")
        return int(line.rsplit(":", 1)[1])

    def log(self):
        return Path(self.path("log")).read_text(encoding="utf-8")

    def client(self, token=None):
        client = AdminClient("127.0.0.1", self.port, token=token, timeout=TIMEOUT)
        self.addCleanup(client.close)
        return client

    def run_client(self, *words, python=sys.executable):
        return subprocess.run([python, "-m", "affix_admin", "--port", str(self.port), *words], capture_output=True,
                              text=True, timeout=TIMEOUT, check=False,
                              env={**os.environ, "PYTHONPATH": str(PACKAGE), "PYTHONDONTWRITEBYTECODE": "1"})


class Commands(Exchange):
    def test_every_command_of_the_table_from_python(self):
        admin = self.client()
        # As llfix's table names them.
        for command in ("help", "get_uptime", "get_engine_version", "get_engine_log_path", "get_engine_log_level",
                        "get_clients", "get_servers", "get_all_session_states"):
            self.assertTrue(admin.ask(command).done, command)
        self.assertTrue(admin.ask("set_engine_log_level", "DEBUG").done)
        self.assertEqual(admin.log_level(), "DEBUG")
        self.assertEqual(admin.servers(), ["EXCHANGE"])
        for command, word in (("get_instance_config", "EXCHANGE"), ("get_sessions", "EXCHANGE"),
                              ("get_session_state", "S1"), ("get_session_config", "S1"), ("enable_session", "S1"),
                              ("disable_session", "S1"), ("enable_session", "EXCHANGE")):
            self.assertTrue(admin.ask(command, word).done, command)
        self.assertEqual((admin.incoming("S1"), admin.outgoing("S1")), (1, 1))
        admin.set_incoming("S1", 20)
        admin.set_outgoing("S1", 30)
        self.assertEqual((admin.incoming("S1"), admin.outgoing("S1")), (20, 30))
        with self.assertRaisesRegex(Refused, "lowered.*force"):
            admin.set_outgoing("S1", 5)
        admin.set_outgoing("S1", 5, force=True)
        with self.assertRaisesRegex(Refused, "not logged on"):
            admin.send_sequence_reset("S1", 40, force=True)
        self.assertEqual(admin.state("S1")["next_outgoing"], 5)
        self.assertIn("set_outgoing_sequence_number S1 5 force -> done", self.log())

    def test_beyond_the_table(self):
        admin = self.client()
        self.assertEqual([session.name for session in admin.sessions()], ["S1"])
        self.assertEqual(admin.configuration("S1")["S1"]["logon_password"], "...")
        self.assertNotIn("hush", json.dumps(admin.ask("get_configuration").rows))
        admin.kill("S1", "test")
        self.assertTrue(admin.state("S1")["sending_stopped"])
        admin.resume()
        self.assertFalse(admin.state("S1")["sending_stopped"])
        admin.reset("S1", force=True)
        admin.add("S2", begin_string="FIX.4.4", sender_comp_id="US", target_comp_id="OTHER",
                  journal_path=self.path("journal"))
        self.assertEqual(len(admin.sessions()), 2)
        admin.remove("S2")
        with self.assertRaises(Refused):
            admin.connect_session("S1")
        with self.assertRaisesRegex(Refused, "nothing from 1 on was sent"):
            admin.preview_resend("S1", 1)
        self.assertTrue(any(row["kind"] == "remark" for row in admin.tail("S1", 100)))
        self.write_config("[S3]\nbegin_string=FIX.4.4\nsender_comp_id=US\ntarget_comp_id=THIRD\n"
                          f"journal_path={self.path('journal')}\n")
        self.assertEqual([row["change"] for row in admin.reload().rows], ["add"])
        self.write_config("nonsense=1\n")
        with self.assertRaisesRegex(Refused, "nonsense"):
            admin.reload()

    def test_records_are_seen_as_they_are_written(self):
        admin = self.client()
        records = admin.tap("S1")
        other = self.client()
        seen = []
        while not any("set by hand" in row["message"] for row in seen):
            other.set_outgoing("S1", other.outgoing("S1") + 1)
            seen.append(next(records))
        admin.end_tap()
        self.assertGreater(admin.uptime_seconds(), -1)

    def test_by_hand(self):
        with socket.create_connection(("127.0.0.1", self.port), timeout=TIMEOUT) as line:
            line.sendall(b"get_incoming_sequence_number S1\nquit\n")
            text = b""
            while piece := line.recv(4096):
                text += piece
        self.assertEqual(text, b"sequence_number\n1\ndone: 1 row\ndone: goodbye\n")

    def test_the_process_ends_in_order_with_connections_open(self):
        admin = self.client()
        self.process.send_signal(signal.SIGTERM)
        self.assertEqual(self.process.wait(timeout=TIMEOUT), 0)
        with self.assertRaises(ConnectionLost):
            admin.uptime_seconds()


class Program(Exchange):
    def test_exit_codes_and_output(self):
        done = self.run_client("get_incoming_sequence_number", "S1")
        self.assertEqual((done.returncode, done.stdout), (0, "sequence_number\n1\n"))
        refused = self.run_client("get_session_state", "NOBODY")
        self.assertEqual((refused.returncode, refused.stdout), (1, ""))
        self.assertRegex(refused.stderr, r"^refused: there is no session 'NOBODY'")
        lines = self.run_client("--json", "get_all_session_states")
        self.assertEqual(json.loads(lines.stdout)["rows"][0]["session"], "S1")
        self.assertEqual(self.run_client("--token-file", self.path("absent"), "whoami").returncode, 2)
        Path(self.path("wrong")).write_text("no-such-token-is-there\n", encoding="ascii")
        wrong = self.run_client("--token-file", self.path("wrong"), "whoami")
        self.assertEqual(wrong.returncode, 2)
        self.assertNotIn("no-such-token-is-there", wrong.stderr)
        self.port = 1
        self.assertEqual(self.run_client("whoami").returncode, 2)

    def test_the_console_in_a_terminal(self):
        python = python_with_libraries()
        if python is None:
            self.skipTest("no Python with prompt_toolkit and rich (Debian: python3-prompt-toolkit, python3-rich)")
        parent, child = pty.openpty()
        console = subprocess.Popen(
            [python, "-m", "affix_admin", "--port", str(self.port)], stdin=child, stdout=child, stderr=child,
            env={**os.environ, "PYTHONPATH": str(PACKAGE), "PYTHONDONTWRITEBYTECODE": "1", "TERM": "xterm",
                 "XDG_STATE_HOME": self.path("state")}, start_new_session=True)
        os.close(child)
        seen = ""

        def wait_for(text):
            nonlocal seen
            end = time.monotonic() + TIMEOUT
            while not re.search(text, seen):
                self.assertTrue(select.select([parent], [], [], max(0, end - time.monotonic()))[0], seen)
                piece = os.read(parent, 65536).decode(errors="replace")
                seen += piece
                if "\x1b[6n" in piece:
                    os.write(parent, b"\x1b[1;1R")  # Where the cursor is, as a terminal answers.
            found, seen = seen, ""
            return found

        try:
            wait_for("affix>")
            os.write(parent, b"get_session_state S1\r")
            self.assertIn("next_outgoing", wait_for("journal_refuses"))
            os.write(parent, b"auth hands-on-the-switches\r")
            wait_for("role operate")
            os.write(parent, b"quit\r")
            wait_for("goodbye")
            self.assertEqual(console.wait(timeout=TIMEOUT), 0)
        finally:
            if console.poll() is None:
                console.kill()
            console.wait()
            os.close(parent)
        history = Path(self.path("state/affix-admin-history")).read_text(encoding="utf-8")
        self.assertIn("get_session_state S1", history)
        self.assertNotIn("hands-on", history)


class Roles(Exchange):
    local_role = "NONE"

    def test_nobody_changes_anything_without_the_token(self):
        stranger = self.client()
        with self.assertRaisesRegex(Refused, "needs the role operate"):
            stranger.set_outgoing("S1", 9)
        with self.assertRaises(Refused):
            stranger.sessions()
        reader = self.client(READ_TOKEN)
        self.assertEqual(reader.outgoing("S1"), 1)
        with self.assertRaisesRegex(Refused, "needs the role operate"):
            reader.kill()
        with self.assertRaises(NotAllowed):
            self.client("no-such-token-at-all")
        operator = self.client(OPERATE_TOKEN)
        operator.set_outgoing("S1", 9)
        self.assertEqual(reader.outgoing("S1"), 9)
        for token in (READ_TOKEN, OPERATE_TOKEN, "no-such-token-at-all"):
            self.assertNotIn(token, self.log())


if __name__ == "__main__":
    unittest.main()
