#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The administration port of a running `affix-lab exchange`, by the client in python/affix-admin and by hand: every command
of the table, exit codes, JSON, roles, and the console in a terminal of its own."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "python/affix-admin"
sys.path[:0] = [str(PACKAGE), str(Path(__file__).parent)]
sys.dont_write_bytecode = True

import fix_peer  # noqa: E402
import program_fixture  # noqa: E402
from affix_admin import AdminClient, ConnectionLost, NotAllowed, Refused  # noqa: E402
from terminal_screen import Terminal  # noqa: E402

LAB = sys.argv.pop(1) + "-lab"
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


class Exchange(program_fixture.ProgramTest):
    local_role = "OPERATE"

    def setUp(self):
        super().setUp()
        self.config = self.path("exchange.cfg")
        for name, token in (("read", READ_TOKEN), ("operate", OPERATE_TOKEN)):
            self.write(name, token + "\n")
        self.write_config()
        self.process = subprocess.Popen([LAB, "exchange", "--config", self.config], stdout=subprocess.PIPE, text=True)
        self.addCleanup(self.end, self.process)
        self.fix_port = self.port_of("listening on")
        self.port = self.port_of("administration on")

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

    def environment(self, *before):
        return {**os.environ, "PYTHONPATH": os.pathsep.join([*before, str(PACKAGE)]), "PYTHONDONTWRITEBYTECODE": "1"}

    def run_client(self, *words, python=sys.executable):
        return subprocess.run([python, "-m", "affix_admin", "--port", str(self.port), *words], capture_output=True,
                              text=True, timeout=TIMEOUT, check=False,
                              env=self.environment())


class LlfixTable(Exchange):
    """Every command that llfix's table has, by its name, with the keys that docs/reference/admin.md shows."""

    NAMES = """help get_uptime get_engine_version get_engine_log_path get_engine_log_level set_engine_log_level get_clients
        get_servers get_instance_config get_sessions get_session_state get_session_config get_all_session_states
        enable_session disable_session get_incoming_sequence_number get_outgoing_sequence_number
        set_incoming_sequence_number set_outgoing_sequence_number send_sequence_reset""".split()

    # Typed lines, and texts that the answer must contain. With the peer logged on; a number set then needs the word.
    LINES = [
        ("help", "set_outgoing_sequence_number"),
        ("get_uptime", "uptime_seconds"),
        ("get_engine_version", "version"),
        ("get_engine_log_path", "log"),
        ("get_engine_log_level", "INFO"),
        ("set_engine_log_level DEBUG", "INFO -> DEBUG"),
        ("get_clients", "name"),
        ("get_servers", "EXCHANGE"),
        ("get_instance_config EXCHANGE", "accept_port"),
        ("get_sessions EXCHANGE", "S1"),
        ("get_session_state EXCHANGE S1", "active"),
        ("get_session_state EXCHANGE", "active"),
        ("get_session_state S1", "active"),
        ("get_session_config S1", "target_comp_id"),
        ("get_all_session_states", "active"),
        ("get_incoming_sequence_number S1", "2"),
        ("get_outgoing_sequence_number S1", "2"),
        ("send_sequence_reset S1 40 force", "40"),
        ("get_outgoing_sequence_number S1", "40"),
        ("set_outgoing_sequence_number S1 45 force", "40 -> 45"),
        ("set_incoming_sequence_number S1 20 force", "2 -> 20"),
        ("get_incoming_sequence_number S1", "20"),
        ("disable_session S1", "S1"),
        ("enable_session S1", "S1"),
    ]

    def write_config(self, extra=""):
        page = (ROOT / "docs/reference/admin.md").read_text(encoding="utf-8")
        shown = re.search(r"```ini\n(\[ENGINE\]\nmanagement.*?)```", page, re.DOTALL).group(1)
        self.assertIn("management_server_port=5042\n", shown)
        shown = shown.replace("management_server_port=5042", "management_server_port=-1")  # A port that is free.
        Path(self.config).write_text(
            f"{shown}log_file={self.path('log')}\n[EXCHANGE]\naccept_port=0\nnic_address=127.0.0.1\n"
            "[S1]\nbegin_string=FIX.4.4\nsender_comp_id=US\ntarget_comp_id=THEM\n"
            f"journal_path={self.path('journal')}\n", encoding="ascii")

    def setUp(self):
        super().setUp()
        self.assertEqual({line.split()[0] for line, _ in self.LINES}, set(self.NAMES))
        self.peer = fix_peer.FixPeer.connect(self.fix_port, "THEM", "US")
        self.addCleanup(self.peer.close)
        self.peer.log_on()

    def type_all(self, lines, answers):
        for line, wanted in self.LINES:
            lines.write(line + "\n")
            lines.flush()
            answer = ""
            while not re.match("(done|refused|busy|begun)", last := answers.readline()):
                self.assertTrue(last, line)
                answer += last
            self.assertTrue(last.startswith("done"), f"{line}: {last}")
            self.assertIn(wanted, answer + last, line)
        self.assertEqual(self.peer.wait("4")[36], "40")

    def test_from_a_plain_socket(self):
        with socket.create_connection(("127.0.0.1", self.port), timeout=TIMEOUT) as connection, \
                connection.makefile("rw", encoding="utf-8") as stream:
            self.type_all(stream, stream)

    @unittest.skipUnless(shutil.which("nc"), "nc is not installed")
    def test_from_nc(self):
        with subprocess.Popen(["nc", "127.0.0.1", str(self.port)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              text=True) as nc:
            try:
                self.type_all(nc.stdin, nc.stdout)
                nc.stdin.write("quit\n")
                nc.stdin.flush()
                self.assertEqual(nc.stdout.readline(), "done: goodbye\n")
            finally:
                nc.kill()

    def test_from_python(self):
        admin = self.client()
        for line, wanted in self.LINES:
            answer = admin.ask(*line.split())
            self.assertTrue(answer.done, line)
            self.assertIn(wanted, json.dumps([answer.columns, answer.rows, answer.text]), line)
        self.assertEqual(self.peer.wait("4")[36], "40")


class Commands(Exchange):
    def test_numbers_from_python(self):
        admin = self.client()
        self.assertEqual(admin.servers(), ["EXCHANGE"])
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
    def test_a_reader_that_is_gone_is_no_fault(self):
        reading, writing = os.pipe()
        os.close(reading)
        for words in (["help"], ["--json", "help"]):
            gone = subprocess.run([sys.executable, "-m", "affix_admin", "--port", str(self.port), *words], stdout=writing,
                                  stderr=subprocess.PIPE, timeout=TIMEOUT, check=False, env=self.environment())
            self.assertEqual((gone.returncode, gone.stderr), (141, b""))
        os.close(writing)

    def test_output_that_a_full_disk_refuses_is_no_answer_of_the_port(self):
        for words in (["help"], ["--json", "help"], ["get_uptime"]):
            with self.subTest(words=words), open("/dev/full", "wb") as full:
                done = subprocess.run([sys.executable, "-m", "affix_admin", "--port", str(self.port), *words], stdout=full,
                                      stderr=subprocess.PIPE, text=True, timeout=TIMEOUT, check=False, env=self.environment())
                self.assertEqual(done.returncode, 74, done.stderr)
                self.assertRegex(done.stderr, r"\Aaffix-admin: standard output could not be written: .* \[O103\]\n\Z")

    def test_without_the_consoles_libraries_it_names_them(self):
        os.makedirs(self.path("without/rich"))
        Path(self.path("without/rich/__init__.py")).write_text("raise ImportError('no rich')\n", encoding="ascii")

        def run(*words):
            return subprocess.run([sys.executable, "-m", "affix_admin", "--port", str(self.port), *words], text=True,
                                  capture_output=True, timeout=TIMEOUT, check=False, stdin=subprocess.DEVNULL,
                                  env=self.environment(self.path("without")))
        console = run()
        self.assertEqual(console.returncode, 2)
        self.assertIn("python3-rich", console.stderr)
        self.assertTrue(console.stderr.endswith(" [A124]\n"), console.stderr)
        self.assertNotIn("Traceback", console.stderr)
        self.assertEqual(run("whoami").returncode, 0)

    def test_exit_codes_and_output(self):
        done = self.run_client("get_incoming_sequence_number", "S1")
        self.assertEqual((done.returncode, done.stdout), (0, "sequence_number\n1\n"))
        refused = self.run_client("get_session_state", "NOBODY")
        self.assertEqual((refused.returncode, refused.stdout), (1, ""))
        self.assertRegex(refused.stderr, r"^refused: there is no session 'NOBODY'.* \[A104\]\n\Z")
        lines = self.run_client("--json", "get_all_session_states")
        self.assertEqual(json.loads(lines.stdout)["rows"][0]["session"], "S1")
        absent = self.run_client("--token-file", self.path("absent"), "whoami")
        self.assertEqual(absent.returncode, 2)
        self.assertRegex(absent.stderr, r"\Aaffix-admin: .* \[O101\]\n\Z")
        self.assertRegex(self.run_client("tap").stderr, r"\Aaffix-admin: tap <session> \[A124\]\n\Z")
        Path(self.path("wrong")).write_text("no-such-token-is-there\n", encoding="ascii")
        wrong = self.run_client("--token-file", self.path("wrong"), "whoami")
        self.assertEqual(wrong.returncode, 2)
        self.assertNotIn("no-such-token-is-there", wrong.stderr)
        self.port = 1
        unreachable = self.run_client("whoami")
        self.assertEqual(unreachable.returncode, 2)
        self.assertRegex(unreachable.stderr, r"\Aaffix-admin: .* \[O107\]\n\Z")

    def open_console(self):
        python = python_with_libraries()
        if python is None:
            self.skipTest("no Python with prompt_toolkit and rich (Debian: python3-prompt-toolkit, python3-rich)")
        terminal = Terminal([python, "-m", "affix_admin", "--port", str(self.port)],
                            {**os.environ, "PYTHONPATH": str(PACKAGE), "PYTHONDONTWRITEBYTECODE": "1",
                             "XDG_STATE_HOME": self.path("state")}, TIMEOUT)
        self.addCleanup(terminal.close)
        return terminal

    def see(self, terminal, text):
        self.assertTrue(terminal.wait_for(lambda lines: any(text in line for line in lines)), terminal.text())

    def see_typed(self, terminal, line):
        """The line at the prompt is this one, and no more."""
        self.assertTrue(terminal.wait_for(lambda lines: f"affix> {line}".rstrip() in lines), terminal.text())

    def carry_out(self, terminal, typed, answer):
        """Until the next prompt: what is typed while there is none meets another mode of the terminal."""
        terminal.type(f"{typed}\r")
        self.see(terminal, answer)
        self.see_typed(terminal, "")

    def complete(self, terminal, typed, completed):
        terminal.type(typed)
        self.see_typed(terminal, typed)
        terminal.type("\t")
        self.see_typed(terminal, completed)

    def test_the_console_in_a_terminal(self):
        terminal = self.open_console()
        self.see_typed(terminal, "")
        self.carry_out(terminal, "get_session_state S1", "next_outgoing")
        self.carry_out(terminal, "auth hands-on-the-switches", "role operate")
        terminal.type("quit\r")
        self.see(terminal, "goodbye")
        self.assertEqual(terminal.process.wait(timeout=TIMEOUT), 0)
        history = Path(self.path("state/affix-admin-history")).read_text(encoding="utf-8")
        self.assertIn("get_session_state S1", history)
        self.assertNotIn("hands-on", history)
        self.assertEqual(os.stat(self.path("state/affix-admin-history")).st_mode & 0o777, 0o600)

    def test_tab_completes_commands_and_their_arguments(self):
        terminal = self.open_console()
        self.see_typed(terminal, "")
        self.complete(terminal, "GET_UPT", "get_uptime")
        self.carry_out(terminal, "", "uptime_seconds")
        self.complete(terminal, "get_session_config S", "get_session_config S1")
        self.carry_out(terminal, "", "heartbeat_interval_seconds")
        for typed, completed in (("kill eng", "kill engine"), ("get_sessions EX", "get_sessions EXCHANGE"),
                                 ("set_engine_log_level w", "set_engine_log_level WARNING"),
                                 ("help get_config", "help get_configuration"), ("kill S", "kill S1")):
            self.complete(terminal, typed, completed)
            terminal.type("\x15")  # Ctrl-U: the line is given up.
            self.see_typed(terminal, "")
        # Of several, Tab goes from one to the next; what nothing fits stays.
        self.complete(terminal, "get_session_", "get_session_state")
        terminal.type("\t")
        self.see_typed(terminal, "get_session_config")
        terminal.type("\x15")
        self.see_typed(terminal, "")
        self.carry_out(terminal, "get_session_state NOBODY\t", "there is no session 'NOBODY'")

    def test_lines_come_back_from_the_history_file(self):
        first = self.open_console()
        self.see_typed(first, "")
        for line, answer in (("get_engine_log_level", "INFO"), ("auth hands-on-the-switches", "role operate"),
                             ("add_session S2 begin_string=FIX.4.4 sender_comp_id=US target_comp_id=X "
                              f"logon_password=not-for-files journal_path={self.path('journal')}", "S2")):
            self.carry_out(first, line, answer)
        first.type("\x04")  # Ctrl-D.
        self.assertEqual(first.process.wait(timeout=TIMEOUT), 0)
        second = self.open_console()
        self.see_typed(second, "")
        second.type("\x1b[A")
        self.see_typed(second, "get_engine_log_level")
        self.assertNotIn("not-for-files", Path(self.path("state/affix-admin-history")).read_text(encoding="utf-8"))


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
