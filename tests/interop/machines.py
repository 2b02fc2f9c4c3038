# SPDX-License-Identifier: MIT
"""Machines of one process: network namespaces on a bridge, each with a disk of its own in memory, and what can happen to them.

The process goes into namespaces of its own first (network, mounts, processes). So namespaces, links, mounts and children end
with it, whatever ends it, and nothing outside ever sees them."""

import ctypes
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import peers

# Of benchmarks between devices (RFC 2544): nobody's real network.
NETWORK = "198.18.0"
HOST_ADDRESS = f"{NETWORK}.1"
PROGRAMS = ("unshare", "nsenter", "ip", "nft", "mount", "umount")
APART = "AFFIX_INTEROP_APART"
CLONE_NEWNET = 0x40000000

_switching = threading.Lock()


def why_not():
    """Why no machines can be made here; None if they can."""
    absent = [program for program in PROGRAMS if shutil.which(program) is None]
    if absent:
        return f"absent: {', '.join(absent)} (apt-get install util-linux iproute2 nftables)"
    if os.environ.get(APART):
        return None
    done = subprocess.run([*_unshare(), "sh", "-ec", "mount -t tmpfs tmpfs /mnt; ip link add name lan type bridge; "
                           "ip netns list; nft list ruleset"], capture_output=True, text=True, check=False)
    return None if done.returncode == 0 else f"namespaces cannot be made here: {done.stderr.strip()}"


def _unshare():
    rights = () if os.geteuid() == 0 else ("--map-root-user",)
    return ("unshare", *rights, "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc")


def go_apart():
    """The program goes on from its beginning in namespaces of its own."""
    if not os.environ.get(APART):
        os.environ[APART] = "1"
        sys.stdout.flush()
        os.execvp("unshare", [*_unshare(), sys.executable, *sys.argv])
    # The first process of a namespace hears only what it listens to.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    Path("/run/netns").mkdir(exist_ok=True)
    run("mount", "-t", "tmpfs", "tmpfs", "/run/netns")
    run("ip", "link", "set", "lo", "up")
    run("ip", "link", "add", "name", "lan", "type", "bridge")
    run("ip", "address", "add", f"{HOST_ADDRESS}/24", "dev", "lan")
    run("ip", "link", "set", "lan", "up")


def run(*words, **more):
    done = subprocess.run(words, capture_output=True, text=True, check=False, **more)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(words)}: {done.stderr}")
    return done.stdout


class Machine:
    """The `number`-th of them. Ends with `test`."""

    def __init__(self, test, number, name, disk, disk_bytes):
        self.name, self.address, self.disk = name, f"{NETWORK}.{10 + number}", Path(disk)
        self._namespace, self._port, self._filler = f"m{number}", f"port{number}", self.disk / "filler"
        run("ip", "netns", "add", self._namespace)
        test.addCleanup(run, "ip", "netns", "delete", self._namespace)
        run("ip", "link", "add", "name", self._port, "type", "veth", "peer", "name", "lan0", "netns", self._namespace)
        # A namespace ends later than its name; the link must not wait for that.
        test.addCleanup(run, "ip", "link", "delete", self._port)
        run("ip", "link", "set", self._port, "master", "lan", "up")
        self.inside("ip", "address", "add", f"{self.address}/24", "dev", "lan0")
        self.inside("ip", "link", "set", "lan0", "up")
        self.inside("ip", "link", "set", "lo", "up")
        self.disk.mkdir(parents=True)
        run("mount", "-t", "tmpfs", "-o", f"size={disk_bytes}", "tmpfs", str(self.disk))
        test.addCleanup(run, "umount", "--lazy", str(self.disk))

    def command(self, *words):
        """The command that runs `words` here."""
        return ["nsenter", f"--net=/run/netns/{self._namespace}", "--", *map(str, words)]

    def inside(self, *words, **more):
        return run(*self.command(*words), **more)

    def connect(self, port):
        """To a port of the loopback interface here."""
        with _switching, open("/proc/thread-self/ns/net", "rb") as outside, open(f"/run/netns/{self._namespace}", "rb") as here:
            _enter(here)
            try:
                return socket.create_connection(("127.0.0.1", port), timeout=peers.DEADLINE_SECONDS)
            finally:
                _enter(outside)

    # --- What happens to it ---

    def link_down(self):
        run("ip", "link", "set", self._port, "down")

    def drop(self, *rules):
        """Each rule is one of nft's conditions: ("input", "ip saddr 1.2.3.4")."""
        lines = ["add table inet faults"]
        for hook, condition in rules:
            lines += [f"add chain inet faults {hook} {{ type filter hook {hook} priority 0 ; }}",
                      f"add rule inet faults {hook} {condition} drop"]
        self.inside("nft", "-f", "-", input="\n".join(lines) + "\n")

    def drop_from(self, other):
        """What `other` sends never arrives."""
        self.drop(("input", f"ip saddr {other.address}"))

    def drop_to_port(self, port):
        """Connections from here to that port of any machine, this one included."""
        self.drop(("output", f"tcp dport {port}"), ("input", f"tcp sport {port}"))

    def fill_disk(self):
        with open(self._filler, "wb", buffering=0) as filler:
            try:
                while True:
                    filler.write(bytes(1 << 20))
            except OSError:
                pass  # Full.
            try:
                while True:
                    filler.write(bytes(4096))
            except OSError:
                pass

    def heal(self):
        run("ip", "link", "set", self._port, "up")
        self.inside("nft", "flush", "ruleset")
        self._filler.unlink(missing_ok=True)


class Pressure:
    """Of the real machine, by other work."""

    def __init__(self):
        self._begun, self._waited = time.monotonic(), _waited_seconds()

    def share(self):
        """Of the time since it was made, in which something waited for a processor; 0 where the kernel does not tell."""
        return (_waited_seconds() - self._waited) / max(time.monotonic() - self._begun, 1e-9)


def _waited_seconds():
    try:
        return int(Path("/proc/pressure/cpu").read_text().split("total=")[1].split()[0]) / 1e6
    except (OSError, IndexError):
        return 0.0


def _enter(namespace):
    if ctypes.CDLL(None, use_errno=True).setns(namespace.fileno(), CLONE_NEWNET) != 0:
        raise OSError(ctypes.get_errno(), "setns")
