# SPDX-License-Identifier: MIT
"""NATS JetStream as a rival of replication: three `nats-server` processes, and a stream that each of them keeps in files."""

import contextlib
import json
import os
import shutil
import socket
import subprocess
from pathlib import Path

from system import replicas

NAME = "nats_r3"
STREAM = "AFFIX"
INBOX = "_INBOX.affix.setup"
SERVERS = 3
ANSWER_TIMEOUT = 5
END_TIMEOUT = 20
# Seconds of messages before those that are measured.
WARM_UP_SECONDS = 0.2


def available():
    return shutil.which("nats-server") is not None


class Connection:
    """Requests to a server, in its text protocol."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=ANSWER_TIMEOUT)
        self.file = self.socket.makefile("rb")
        self.socket.sendall(f'CONNECT {{"verbose":false}}\r\nSUB {INBOX} 1\r\n'.encode())

    def request(self, subject, body):
        """The answer, as JSON."""
        data = json.dumps(body).encode()
        self.socket.sendall(f"PUB {subject} {INBOX} {len(data)}\r\n".encode() + data + b"\r\n")
        while line := self.file.readline():
            words = line.split()
            if words[:1] == [b"MSG"]:
                return json.loads(self.file.read(int(words[-1]) + 2))
            if words[:1] == [b"PING"]:
                self.socket.sendall(b"PONG\r\n")
        raise OSError("the server has closed the connection")

    def close(self):
        self.file.close()
        self.socket.close()


class JetStream:
    """The servers, which run where the scheduler puts them; `port` is that of the stream's leader."""

    def __init__(self, directory):
        self.directory = Path(directory) / NAME
        self.stack = contextlib.ExitStack()
        self.ports = [replicas.free_port(self.stack) for _ in range(SERVERS)]
        self.routes = [replicas.free_port(self.stack) for _ in range(SERVERS)]
        self.port = None

    def start(self):
        self.directory.mkdir()
        try:
            for number in range(SERVERS):
                self.start_server(number)
            leader = replicas.until("a leader of the stream", self.leader)
            self.port = self.ports[int(leader.removeprefix("n"))]
        except BaseException:
            self.end()
            raise

    def start_server(self, number):
        routes = ", ".join(f"nats-route://127.0.0.1:{port}" for port in self.routes)
        file = self.directory / f"n{number}.conf"
        file.write_text(f"""listen: 127.0.0.1:{self.ports[number]}
server_name: n{number}
jetstream {{ store_dir: {json.dumps(str(self.directory / f"n{number}"))} }}
cluster {{ name: affix, listen: 127.0.0.1:{self.routes[number]}, routes: [{routes}] }}
""")
        log = self.stack.enter_context(open(self.directory / f"n{number}.log", "wb"))
        process = subprocess.Popen(["nats-server", "-c", str(file)], stdout=log, stderr=log, env=os.environ)
        self.stack.callback(self.end_server, process)

    @staticmethod
    def end_server(process):
        process.terminate()
        try:
            process.wait(timeout=END_TIMEOUT)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def leader(self):
        """Name of the server that leads the stream, which is made if it is not there. None: none does yet."""
        wanted = {"name": STREAM, "subjects": [STREAM], "storage": "file", "num_replicas": SERVERS, "retention": "limits"}
        try:
            with contextlib.closing(Connection(self.ports[0])) as connection:
                answer = connection.request(f"$JS.API.STREAM.CREATE.{STREAM}", wanted)
        except (OSError, ValueError):
            return None
        cluster = answer.get("cluster") or {}
        followers = cluster.get("replicas") or []
        whole = len(followers) == SERVERS - 1 and all(one.get("current") for one in followers)
        return cluster.get("leader") if whole else None

    def publish(self, options, spins, directory):
        """Rows and points of the percentile curve of messages that were published one after the other, 200 bytes each."""
        rows, curve = Path(directory) / "published.json", Path(directory) / "published.csv"
        done = subprocess.run(["taskset", "-c", str(options.load_core), str(options.binaries / "affix_bench_replicate"),
                               "publish", "--target", f"127.0.0.1:{self.port}", "--subject", STREAM, "--seconds",
                               str(options.seconds), "--warm-up-seconds", str(WARM_UP_SECONDS), *(["--spin"] if spins else []), "--json", str(rows), "--distribution", str(curve)],
                              capture_output=True, text=True, timeout=replicas.JOIN_TIMEOUT + options.seconds, check=False)
        if done.returncode != 0:
            raise RuntimeError(done.stderr + done.stdout)
        return rows, curve

    def end(self):
        self.stack.close()
        shutil.rmtree(self.directory, ignore_errors=True)
