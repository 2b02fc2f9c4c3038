# SPDX-License-Identifier: MIT
"""A counterparty of the conformance echo written by hand: it sends what a test says, byte for byte, whole or in small
pieces, and reads what comes back. Knows no protocol but framing."""

import datetime
import os
import re
import shlex
import socket
import ssl
import subprocess
import tempfile

SOH = "\x01"
MESSAGE = re.compile(rb"8=FIX.*?\x0110=\d{3}\x01", re.DOTALL)


class Version:
    """One row of the echo's sessions, and what its FIX version brings with it."""

    def __init__(self, name, begin_string, comp_id, number, appl_ver_id=None, order=""):
        self.name = name
        self.begin_string = begin_string
        self.comp_id = comp_id
        self.number = number  # 4.0 is 40, FIX 5.0 SP2 is 52.
        self.appl_ver_id = appl_ver_id
        self.order = order  # Fields of a NewOrderSingle behind 11, ascending.

    @property
    def is_fixt(self):
        return self.appl_ver_id is not None

    @property
    def has_reject_fields(self):
        return self.number >= 42

    def logon_fields(self):
        return "98=0|108=2" + (f"|1137={self.appl_ver_id}" if self.is_fixt else "")


VERSIONS = [
    Version("fix40", "FIX.4.0", "TW40", 40, order="21=3|38=002000|40=1|54=1|55=INTC"),
    Version("fix41", "FIX.4.1", "TW41", 41, order="21=3|38=002000|40=1|54=1|55=INTC"),
    Version("fix42", "FIX.4.2", "TW42", 42, order="21=3|38=002000.00|40=1|54=1|55=INTC|60=<TIME>"),
    Version("fix43", "FIX.4.3", "TW43", 43, order="21=3|38=002000.00|40=1|54=1|55=INTC|60=<TIME>"),
    Version("fix44", "FIX.4.4", "TW44", 44, order="38=002000.00|40=1|54=1|55=INTC|60=<TIME>"),
    Version("fix50", "FIXT.1.1", "TW50", 50, "7", order="38=002000.00|40=1|54=1|55=INTC|60=<TIME>"),
    Version("fix50sp1", "FIXT.1.1", "TW50SP1", 51, "8", order="38=002000.00|40=1|54=1|55=INTC|60=<TIME>"),
    Version("fix50sp2", "FIXT.1.1", "TW50SP2", 52, "9", order="38=002000.00|40=1|54=1|55=INTC|60=<TIME>"),
]
VALIDATE = Version("validate", "FIX.4.4", "TW", 44, order=VERSIONS[4].order)
NO_VALUES = Version("validate_no_values", "FIX.4.4", "NO_CHECK_FIELDS_HAVE_VALUES", 44, order=VERSIONS[4].order)
FUTURE = Version("future", "FIX.4.2", "TW", 42, order=VERSIONS[2].order)


def time_text(seconds=0, fraction=False):
    """A UTC time so many seconds from now."""
    now = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
    text = now.strftime("%Y%m%d-%H:%M:%S")
    return text + f".{now.microsecond // 1000:03}" if fraction else text


def encode(begin_string, fields, length=None, checksum=None):
    """Bytes of a message: 8, 9, `fields` with `|` between, 10. Wrong length and checksum on request."""
    body = (fields.strip("|") + "|").replace("|", SOH)
    head = f"8={begin_string}{SOH}9={len(body.encode()) if length is None else length}{SOH}"
    text = (head + body).encode()
    total = sum(text) % 256
    return text + f"10={f'{total:03}' if checksum is None else checksum}{SOH}".encode()


class Received:
    """A message of the echo: its fields in order."""

    def __init__(self, raw):
        self.raw = raw
        self.fields = [piece.split("=", 1) for piece in raw.decode("latin-1").split(SOH)[:-1]]

    def __getitem__(self, tag):
        return next((value for name, value in self.fields if name == str(tag)), None)

    @property
    def type(self):
        return self[35]

    @property
    def tags(self):
        return [int(name) for name, _ in self.fields]

    def body(self):
        """Fields behind the header, as text with `|`."""
        header = {8, 9, 34, 35, 43, 49, 50, 52, 56, 57, 97, 115, 116, 122, 128, 129, 142, 143, 144, 145}
        return "|".join(f"{name}={value}" for name, value in self.fields[3:-1] if int(name) not in header)

    def __repr__(self):
        return self.raw.decode("latin-1").replace(SOH, "|")


class Peer:
    """One connection. `pieces` cuts everything it sends."""

    patience = 20.0  # Seconds for an answer that must come; nothing waits so long when all is well.

    def __init__(self, port, version, pieces=None):
        self.version = version
        self.pieces = pieces
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if "AFFIX_ECHO_TLS" in os.environ:
            context = ssl.create_default_context()
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE  # Who the echo is does not matter here.
            self.socket = context.wrap_socket(self.socket)
        self.buffer = b""
        self.sequence = 1
        self.expected = 1  # Of the echo's numbers.

    def close(self):
        self.socket.close()

    def send_bytes(self, data):
        try:
            if self.pieces is None:
                self.socket.sendall(data)
            else:
                for at in range(0, len(data), self.pieces):
                    self.socket.sendall(data[at : at + self.pieces])
        except (BrokenPipeError, ConnectionResetError, ssl.SSLError):
            pass  # The test reads next, and sees the end.

    def fields(self, msg_type, body="", sequence=None, sender=None, target="ISLD", time=None, extra=""):
        """35 to the end of the body. `extra` are header fields; a `time` of "" leaves 52 out."""
        if sequence is None:
            sequence = self.sequence
            self.sequence += 1
        text = f"35={msg_type}|34={sequence}"
        sender = self.version.comp_id if sender is None else sender
        text += f"|49={sender}" if sender else ""
        time = time_text() if time is None else time
        text += f"|52={time}" if time else ""
        text += f"|56={target}" if target else ""
        return "|".join(part for part in (text, extra, body.replace("<TIME>", time_text())) if part)

    def send(self, msg_type, body="", begin_string=None, length=None, checksum=None, **header):
        begin_string = begin_string or self.version.begin_string
        self.send_bytes(encode(begin_string, self.fields(msg_type, body, **header), length, checksum))

    def log_on(self, body=None, **header):
        """Logon and its answer."""
        self.send("A", body or self.version.logon_fields(), **header)
        answer = self.receive("A")
        return answer

    def order(self, order_id, **header):
        self.send("D", f"11={order_id}|{self.version.order}", **header)

    def receive(self, msg_type=None, sequence=None):
        """The next message; its number follows the last one's, unless `sequence` says otherwise."""
        self.socket.settimeout(self.patience)
        while True:
            found = MESSAGE.match(self.buffer)
            if found:
                self.buffer = self.buffer[found.end() :]
                message = Received(found.group())
                if msg_type is not None and message.type != msg_type:
                    raise AssertionError(f"expected {msg_type}, received {message}")
                if sequence is None:
                    sequence = self.expected
                    self.expected += 1
                if message[34] != str(sequence):
                    raise AssertionError(f"expected number {sequence}, received {message}")
                return message
            data = self.socket.recv(65536)
            if not data:
                raise AssertionError(f"closed, expected {msg_type}")
            self.buffer += data

    def receive_end(self):
        """The echo closes, and says nothing more."""
        self.socket.settimeout(self.patience)
        try:
            data = self.socket.recv(65536)
        except (ConnectionResetError, ssl.SSLError):
            data = b""
        if self.buffer or data:
            raise AssertionError(f"expected the end, received {self.buffer + data}")

    def probe(self, test_id="PROBE"):
        """A TestRequest and its Heartbeat: everything before was taken, and nothing else was said."""
        self.send("1", f"112={test_id}")
        answer = self.receive("0")
        if answer[112] != test_id:
            raise AssertionError(f"expected the Heartbeat of {test_id}, received {answer}")
        return answer


class Echo:
    """The program, listening on a port of the kernel's choice, with a directory of its own. AFFIX_ECHO_ARGUMENTS has more
    arguments for it; with AFFIX_ECHO_TLS all peers speak TLS."""

    def __init__(self, program):
        self.directory = tempfile.TemporaryDirectory(prefix="conformance_echo_")
        arguments = [program, "--port", "0", "--directory", self.directory.name,
                     *shlex.split(os.environ.get("AFFIX_ECHO_ARGUMENTS", ""))]
        if "AFFIX_ECHO_TLS" in os.environ:
            certificate, key = (os.path.join(self.directory.name, name) for name in ("own.pem", "own.key"))
            subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=echo",
                            "-keyout", key, "-out", certificate], check=True, capture_output=True)
            arguments += ["--tls-certificate", certificate, "--tls-key", key]
        self.process = subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        self.port = int(line.rsplit(":", 1)[1])

    def stop(self):
        self.process.terminate()
        code = self.process.wait(timeout=20)
        self.process.stdout.close()
        self.directory.cleanup()
        return code
