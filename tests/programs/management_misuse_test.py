#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A running `affix serve` and `affix-monitor` misused from outside, by clients that reach their ports and have no token: both
live on, nothing changes, their memory and descriptors stay bounded, and who has a token is served. AFFIX_MISUSE_SCALE
multiplies the amounts."""

import json
import os
import random
import signal
import socket
import ssl
import struct
import sys
import unittest
from pathlib import Path

import monitor_fixture
from monitor_fixture import OPERATE_TOKEN, READ_TOKEN
from program_fixture import until

monitor_fixture.MonitorTest.affix = sys.argv.pop(1)
ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python/affix-admin"))
sys.dont_write_bytecode = True

from affix_admin import AdminClient  # noqa: E402

SCALE = int(os.environ.get("AFFIX_MISUSE_SCALE", "1"))
AT_ONCE = 200  # Connections of ours that are open together.
SERVE_GROWTH_KB = 48 * 1024
MONITOR_GROWTH_KB = 160 * 1024
# A sanitizer keeps what was freed, and a shadow of everything.
SANITIZED = any(name in os.environ for name in ("ASAN_OPTIONS", "TSAN_OPTIONS"))


def resident_kb(process):
    status = Path(f"/proc/{process.pid}/status").read_text(encoding="ascii")
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS")))


def descriptors(process):
    return len(os.listdir(f"/proc/{process.pid}/fd"))


def reset(connection):
    """Ends a connection at once, with what the other side has sent thrown away."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def hear(connection):
    """Bytes until the end, which may be an abrupt one."""
    heard = b""
    try:
        while more := connection.recv(65536):
            heard += more
    except OSError:
        pass
    return heard


class Misuse(monitor_fixture.MonitorTest):
    def setUp(self):
        super().setUp()
        text = self.venue("A", "B", more="management_local_role=NONE\n")
        self.served = self.serve(text)
        self.monitor = self.start_monitor("--operate", "--admin", f"127.0.0.1:{self.admin_port}")
        self.fix = self.peer(self.served.port, "A")
        self.orders = 0
        self.random = random.Random(7)
        self.look()
        self.before = {process: (resident_kb(process), descriptors(process))
                       for process in (self.served.process, self.monitor.process)}

    # --- what must hold whatever was done ---

    def look(self):
        """The state that strangers must not change, as who shows the token sees it on both ports."""
        with AdminClient("127.0.0.1", self.admin_port, token=OPERATE_TOKEN, timeout=monitor_fixture.TIMEOUT) as client:
            told = {name: client.state(name) for name in ("A", "B")}
            sessions = [(session.name, session.state) for session in client.sessions()]
            level = client.log_level()
        status, _, body = self.monitor.request("/api/state", Authorization="Bearer " + READ_TOKEN)
        self.assertEqual(status, 200)
        engine = json.loads(body)["engine"]
        return {
            "sessions": sessions, "level": level, "stopped": (engine["sending_stopped"], engine["stopped_instances"]),
            **{name: [state[key] for key in ("state", "sending_stopped", "enabled") if key in state]
               for name, state in told.items()},
        }

    def unharmed(self, before):
        for process in self.before:
            self.assertIsNone(process.poll(), "it lives")
        self.orders += 1
        self.echoed(self.fix, f"STILL-{self.orders}")
        self.assertEqual(self.look(), before)
        if SANITIZED:
            return
        for (process, (resident, opened)), growth in zip(self.before.items(), (SERVE_GROWTH_KB, MONITOR_GROWTH_KB)):
            self.assertLess(resident_kb(process), resident + growth, f"kilobytes of {process.args[1]}")
            until("descriptors given back", lambda process=process, opened=opened: descriptors(process) <= opened + 4)

    def ports(self):
        return self.admin_port, self.monitor.port

    def connect(self, port, receive_buffer=None):
        connection = socket.socket()
        self.addCleanup(connection.close)
        if receive_buffer is not None:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        connection.settimeout(monitor_fixture.TIMEOUT)
        connection.connect(("127.0.0.1", port))
        return connection

    def begin(self, port):
        """A connection that is asked for and not waited for: a queue may be full."""
        connection = socket.socket()
        connection.setblocking(False)
        connection.connect_ex(("127.0.0.1", port))
        return connection

    def say(self, port, data, reset_after=False, half_closed=True):
        """Sends what it can of `data` and hears the answer, or does not wait for one."""
        connection = self.connect(port)
        try:
            connection.sendall(data)
            if reset_after:
                reset(connection)
                return b""
            if half_closed:
                connection.shutdown(socket.SHUT_WR)
        except OSError:
            pass
        heard = hear(connection)
        connection.close()
        return heard

    def tearDown(self):
        super().tearDown()
        self.fix.log_out()  # Else the engine's end waits for it.
        self.assertEqual(self.served.stop(signal.SIGTERM), 0)
        self.monitor.process.send_signal(signal.SIGTERM)
        self.assertEqual(self.monitor.process.wait(timeout=monitor_fixture.TIMEOUT), 0)
        errors = self.served.process.stderr.read() + self.monitor.process.stderr.read()
        for tool in ("Sanitizer", "runtime error"):
            self.assertNotIn(tool, errors)

    # --- both ports ---

    def test_half_open_and_slow_connections(self):
        before = self.look()
        for port in self.ports():
            for _ in range(10 * SCALE):
                crowd = [self.begin(port) for _ in range(AT_ONCE)]
                for connection in crowd:
                    try:
                        connection.send(b"G")  # Of GET, or of get_sessions.
                    except OSError:
                        pass  # Not connected yet, or turned away already.
                for at, connection in enumerate(crowd):
                    reset(connection) if at % 2 else connection.close()
            # A byte at a time from many at once, for as long as the port hears them.
            slow = [self.begin(port) for _ in range(60)]
            for byte in b"kill engine     ":
                for connection in slow:
                    try:
                        connection.send(bytes([byte]))
                    except OSError:
                        pass
            for connection in slow:
                connection.close()
            self.unharmed(before)

    def test_giant_lines_and_noise(self):
        before = self.look()
        for port in self.ports():
            for giant in (b"a", b"{", b"GET /", b"\x00", b"kill \"", b"\\\"" * 5):
                self.say(port, giant * (4_000_000 * SCALE // len(giant)))
            for number in range(100 * SCALE):
                noise = self.random.randbytes(self.random.randrange(1, 6000))
                self.say(port, noise if number % 2 else noise.replace(b"\n", b" ") + b"\n", reset_after=number % 3 == 0)
            self.unharmed(before)

    def test_tls_where_it_is_plain(self):
        before = self.look()
        tls = ssl.create_default_context()
        for port in self.ports():
            for _ in range(20 * SCALE):
                with self.assertRaises((ssl.SSLError, OSError)):
                    tls.wrap_socket(self.connect(port), server_hostname="localhost")
            self.unharmed(before)

    def test_guessed_tokens_give_nothing(self):
        before = self.look()
        guesses = ["", "x", OPERATE_TOKEN[:-1], OPERATE_TOKEN + "x", OPERATE_TOKEN.upper(), READ_TOKEN[:-1], "\"", "*",
                   "file:" + self.path("operate"), "0" * 3000, "None"]
        for _ in range(2 * SCALE):
            # A wrong one is answered late and ends its connection: what stands behind it is not carried out.
            crowd = [self.connect(self.admin_port) for _ in guesses]
            for guess, connection in zip(guesses, crowd):
                connection.sendall(f"auth {guess}\nkill engine\nset_engine_log_level DEBUG\n".encode())
            for connection in crowd:
                heard = hear(connection) if connection.shutdown(socket.SHUT_WR) is None else b""
                self.assertNotIn(b"done", heard)
            for guess in guesses:
                status, answer = self.monitor.act("kill", token=guess, arguments=["engine"])
                self.assertIn(status, (400, 401, 429), answer)
        self.unharmed(before)

    def test_commands_without_a_token_are_refused_however_many(self):
        before = self.look()
        commands = ["kill engine", "resume engine", "reset_session A force", "remove_session B", "disable_session A",
                    "set_outgoing_sequence_number A 1 force", "set_engine_log_level DEBUG", "reload", "sessions",
                    '{"command":"kill","arguments":["engine"]}']
        rounds = 500 * SCALE
        connection = self.connect(self.admin_port)
        text = ("\n".join(commands) + "\n").encode()
        heard = b""
        for _ in range(rounds):
            connection.sendall(text)
            while heard.count(b"refused") < len(commands):
                more = connection.recv(65536)
                self.assertTrue(more, heard)
                heard += more
            self.assertEqual(heard.count(b"refused"), len(commands), heard)
            heard = b""
        # All at once, and the answers read afterwards.
        connection.sendall(text * 50 + b"quit\n")
        heard = hear(connection)
        self.assertEqual((heard.count(b"refused"), heard.count(b"done")), (50 * len(commands), 1))
        status, _, _ = self.monitor.request("/api/action", "POST", '{"command":"kill","arguments":["engine"]}',
                                            Content_Type="application/json")
        self.assertEqual(status, 401)
        # A connection carries one request: what is sent behind it is never read as one.
        host = f"Host: 127.0.0.1:{self.monitor.port}\r\n"
        action = json.dumps({"command": "kill", "arguments": ["engine"]})
        smuggled = (f"GET /healthz HTTP/1.1\r\n{host}\r\nPOST /api/action HTTP/1.1\r\n{host}Authorization: Bearer {OPERATE_TOKEN}"
                    f"\r\nContent-Type: application/json\r\nContent-Length: {len(action)}\r\n\r\n{action}")
        self.assertEqual(self.say(self.monitor.port, smuggled.encode()).count(b"HTTP/1.1 "), 1)
        self.unharmed(before)

    def test_a_command_cut_at_any_byte_does_nothing(self):
        before = self.look()
        token = f"auth {OPERATE_TOKEN}\n".encode()
        for line in (b"kill engine wind down", b'{"id":1,"command":"kill","arguments":["engine"]}'):
            for cut in range(len(line) + 1):
                # The command ends with the line; before that it is not a command.
                self.say(self.admin_port, token + line[:cut], reset_after=cut % 2 == 1)
        for cut in range(len(token)):
            self.assertNotIn(b"operate", self.say(self.admin_port, token[:cut], reset_after=cut % 2 == 1))
        action = json.dumps({"command": "kill", "arguments": ["engine"]})
        whole = (f"POST /api/action HTTP/1.1\r\nHost: 127.0.0.1:{self.monitor.port}\r\nAuthorization: Bearer {OPERATE_TOKEN}\r\n"
                 f"Content-Type: application/json\r\nContent-Length: {len(action)}\r\n\r\n{action}").encode()
        for cut in range(len(whole)):
            heard = self.say(self.monitor.port, whole[:cut], reset_after=cut % 2 == 1)
            self.assertNotIn(b" 200 ", heard.split(b"\r\n")[0], whole[:cut])
        self.unharmed(before)
        # The same bytes whole are a command: the test would see it.
        self.assertIn(b" 200 ", self.say(self.monitor.port, whole).split(b"\r\n")[0])
        until("the kill", lambda: self.look()["stopped"] == (True, []))

    def test_readers_that_never_read(self):
        for number in range(300):
            self.echoed(self.fix, f"FILL-{number}")
        before = self.look()
        # They may ask for much, as they have the token to look; each answer is far more than a socket's buffers take.
        deaf = [self.connect(self.admin_port, receive_buffer=4096) for _ in range(12)]
        for connection in deaf:
            connection.sendall(f"auth {READ_TOKEN}\n".encode())
            connection.setblocking(False)
            for _ in range(200 * SCALE):
                try:
                    connection.send(b"get_configuration\nhelp\ntail A 500\n" * 20)
                except BlockingIOError:
                    break  # The port reads no further while an answer is not taken: the sender's buffers are full.
        host = f"Host: 127.0.0.1:{self.monitor.port}\r\nAuthorization: Bearer {READ_TOKEN}\r\n\r\n"
        for path in ("/api/messages?limit=500&session_messages=1", "/api/state", "/metrics"):
            for _ in range(4 * SCALE):
                connection = self.connect(self.monitor.port, receive_buffer=4096)
                connection.sendall(f"GET {path} HTTP/1.1\r\n{host}".encode())
                deaf.append(connection)
        # Others are served beside them.
        self.assertEqual(self.look(), before)
        for connection in deaf:
            connection.close()
        self.unharmed(before)


if __name__ == "__main__":
    unittest.main()
