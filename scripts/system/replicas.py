# SPDX-License-Identifier: MIT
"""The contenders of the comparison of replication: a server of ours alone, or with a standby on another node, and the raw
loop with and without a replica. Each is started for its turn and ended after it: nodes that were stopped between turns
would take each other for dead.

What waits for messages is placed alike for all: the server's loop on one core, the loop that stores what the server sends
on another, which it shares with the load generator where the machine has no third one. There the generator sleeps, and
has precedence, so that it runs as soon as it is woken; and beside a server without a replica one spins that idles, so
that the generator is woken on a core that is as busy.
"""

import contextlib
import json
import os
import shutil
import socket
import subprocess
import time
from pathlib import Path

from system import contenders

RAW_ALONE, RAW_REPLICATED = "raw_stored", "raw_replicated"
ALONE = "affix_alone"
MODES = {"affix_async": "ASYNC", "affix_before_send": "BEFORE_SEND", "affix_before_deliver": "BEFORE_DELIVER"}
WAITING = ("affix_before_send", "affix_before_deliver")
KINDS = (RAW_ALONE, RAW_REPLICATED, ALONE, *MODES)
# A node that another program holds up does not count as gone; nor as late, where it is measured what waiting for it takes.
BEAT = ["--replication-beat", "10000"]
TIMEOUT = ["--replication-timeout", "60000"]
JOIN_TIMEOUT = 30
# Pause between two looks at counters that other processes write.
LOOK_SECONDS = 0.01
# Threads that prepare segments. When they are done they only look, for less than that share of a core in so many seconds.
PREPARING = ("affix-journal", "affix-copies")
SETTLED_SECONDS, SETTLED_SHARE = 0.2, 0.03
SETTLE_TIMEOUT = 3


def free_port(stack):
    """A port that nobody else is given until `stack` ends; a server may bind it."""
    holder = stack.enter_context(socket.socket())
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    holder.bind(("127.0.0.1", 0))
    return holder.getsockname()[1]


def until(what, holds, seconds=JOIN_TIMEOUT):
    """The first true value of `holds()`; RuntimeError when there is none in time."""
    deadline = time.monotonic() + seconds
    while True:
        value = holds()
        if value:
            return value
        if time.monotonic() > deadline:
            raise RuntimeError(f"not in {seconds} s: {what}")
        time.sleep(LOOK_SECONDS)


def processor_time(pid, names=()):
    """Nanoseconds that the threads of a process have run: all, or those with such names."""
    spent = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        with contextlib.suppress(OSError):
            if not names or (task / "comm").read_text().strip() in names:
                spent += int((task / "schedstat").read_text().split()[0])
    return spent


class Replicated:
    """A server and what replicates it. `process`, `target`, `name` and `raw` are as a Contender's, for turns.take()."""

    def __init__(self, options, kind, scenario, directory):
        self.options, self.name, self.scenario = options, kind, scenario
        self.raw = kind in (RAW_ALONE, RAW_REPLICATED)
        self.directory = Path(directory) / kind
        self.server, self.standby = None, None
        self.stack = contextlib.ExitStack()

    @property
    def process(self):
        return self.server.process

    @property
    def target(self):
        return self.server.target

    @property
    def wait(self):
        return "SPIN" if self.scenario.spins else "BLOCK"

    def start(self):
        self.directory.mkdir()
        try:
            if self.name in MODES:
                self.start_nodes()
            else:
                self.start_alone_or_raw()
            self.settle()
        except BaseException:
            self.end()
            raise

    def run(self, command, what):
        """A program that says where it listens."""
        part = contenders.Contender(f"{self.name}: {what}", command, {**os.environ, "TMPDIR": str(self.directory)})
        self.stack.callback(part.end)
        part.start()
        return part

    def raw_command(self, what, core, *more):
        pinned = ["taskset", "-c", str(core)] if self.scenario.is_pinned else []
        spin = ["--spin"] if self.scenario.spins else []
        return [*pinned, str(self.options.binaries / "affix_bench_replicate"), what, "--directory", str(self.directory), *spin,
                *more]

    def server_command(self, *more):
        return [str(self.options.binaries / "affix-lab"), "bench", "server", "--sessions", str(self.scenario.sessions),
                "--durability", "process", *more]

    def pin(self, option, core):
        return [option, str(core)] if self.scenario.is_pinned else []

    def start_alone_or_raw(self):
        if self.name == RAW_REPLICATED or self.scenario.spins:
            replica = self.run(self.raw_command("replica", self.options.standby_core), "replica")
            self.standby = replica if self.name == RAW_REPLICATED else None
        if self.name == ALONE:
            command = self.server_command("--wait", self.wait, *self.pin("--core", self.options.server_core))
        else:
            command = self.raw_command("server", self.options.server_core,
                                       *(["--replica", self.standby.target] if self.standby else []))
        self.server = self.run(command, "server")

    def start_nodes(self):
        addresses = ",".join(f"{node}@127.0.0.1:{free_port(self.stack)}" for node in ("A", "B"))
        common = ["--node-addresses", addresses, "--election", f"file:{self.directory / 'election'}", "--replication",
                  MODES[self.name], *BEAT, *([] if self.scenario.is_outage else TIMEOUT)]
        # Of the primary, the thread that stores for others has nothing to do, and of the standby the worker.
        self.server = self.run(self.server_command("--node", "A", "--wait", self.wait, "--counters", str(self.counters), *common,
                                                   *self.pin("--core", self.options.server_core)), "primary")
        self.standby = self.run(self.server_command("--node", "B", "--replication-wait", self.wait, *common,
                                                    *self.pin("--replication-core", self.options.standby_core)), "standby")
        self.await_standby()

    def settle(self):
        """Waits until segments are prepared, which a start begins and which is no part of an order; not for long, since loops
        that spin may keep those threads from it."""
        deadline = time.monotonic() + SETTLE_TIMEOUT
        before, spent = 0, self.preparing_time()
        while spent - before > SETTLED_SHARE * SETTLED_SECONDS * 1e9 and time.monotonic() < deadline:
            time.sleep(SETTLED_SECONDS)
            before, spent = spent, self.preparing_time()

    def preparing_time(self):
        return sum(processor_time(part.process.pid, PREPARING) for part in (self.server, self.standby) if part)

    @property
    def counters(self):
        return self.directory / "counters"

    def counted(self):
        """The primary's counts: its first worker's figures and those of the failover group. None: not to be read yet."""
        done = subprocess.run([str(self.options.binaries / "affix"), "top", str(self.counters), "--json", "--once", "--interval",
                               "0"], capture_output=True, text=True, check=False)
        try:
            read = json.loads(done.stdout)
            return read["workers"][0], read["failover"][0]
        except (ValueError, LookupError):
            return None

    def messages(self):
        """How many messages the primary has read."""
        counted = self.counted()
        return counted[0]["messages"] if counted else 0

    def is_in_sync(self):
        """Whether output waits for the standby, which may take over."""
        counted = self.counted()
        return bool(counted) and counted[1]["in_sync_nodes"] == 2 and any(
            standby["in_gate"] for standby in counted[1]["standbys"])

    def is_alone(self):
        counted = self.counted()
        return bool(counted) and counted[1]["in_sync_nodes"] == 1

    def await_standby(self):
        until(f"{self.name}: the standby is in sync", self.is_in_sync)

    def await_alone(self):
        until(f"{self.name}: the primary is alone", self.is_alone)

    def kill_standby(self):
        self.standby.process.kill()
        self.standby.process.wait()

    def standby_time(self):
        """Nanoseconds of processor time of what replicates."""
        return processor_time(self.standby.process.pid) if self.standby else 0

    def end(self):
        self.stack.close()
        shutil.rmtree(self.directory, ignore_errors=True)
