# SPDX-License-Identifier: MIT
"""`affix serve` on several machines as the nodes of failover groups, elected in a real etcd."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import namedtuple
from pathlib import Path

import etcd_cluster
import machines
import peers

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))
import affix_journal  # noqa: E402

NODE_PORT = 7100
ADMINISTRATION_PORT = 5042
HEADER_BYTES = 512
SEGMENT = 10 * "[0-9]" + ".journal"  # Not what was cut off.

# `nodes`: names, in order of preference. `keys`: further lines of the group.
Group = namedtuple("Group", "name nodes keys")


def why_not():
    """Why no cluster can run here; None if one can."""
    absent = [name for name, path in (("etcd", etcd_cluster.PROGRAM), ("openssl", shutil.which("openssl"))) if not path]
    return f"absent: {', '.join(absent)} (apt-get install etcd-server openssl)" if absent else machines.why_not()


def keep(folder, place):
    """Configuration, logs and journals of a cluster that has failed; not etcd's data."""
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(folder, place, ignore=shutil.ignore_patterns("member", "filler"))
    print(f"kept in {place}", flush=True)


def make_certificates(folder, names):
    """NAME.pem and NAME.key of an authority nodes.ca.pem."""
    def openssl(*words):
        subprocess.run(["openssl", *words], check=True, capture_output=True, cwd=folder)

    new_key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
    openssl("req", "-x509", *new_key, "-days", "30", "-subj", "/CN=nodes", "-keyout", "nodes.key", "-out", "nodes.ca.pem")
    for name in names:
        openssl("req", *new_key, "-subj", f"/CN={name}", "-keyout", f"{name}.key", "-out", f"{name}.csr")
        openssl("x509", "-req", "-in", f"{name}.csr", "-CA", "nodes.ca.pem", "-CAkey", "nodes.key", "-CAcreateserial",
                "-days", "30", "-out", f"{name}.pem")


class Node:
    """A process of `affix serve` on a machine, started again and again."""

    def __init__(self, cluster, machine):
        self.machine, self.name = machine, machine.name
        self.config = cluster.folder / f"{self.name}.ini"
        self.log = cluster.folder / f"{self.name}.log"
        self._output = cluster.folder / f"{self.name}.output"
        self.process = None
        self.paused = False

    def start(self):
        with open(self._output, "ab") as output:
            self.process = subprocess.Popen(self.machine.command(peers.AFFIX, "serve", self.config), stdin=subprocess.DEVNULL,
                                            stdout=output, stderr=output)

    def kill(self):
        """kill -9, at the returned time."""
        at = time.monotonic()
        self.process.kill()
        self.process.wait()
        self.process, self.paused = None, False
        return at

    def pause(self):
        self.process.send_signal(signal.SIGSTOP)
        self.paused = True

    def resume(self):
        if self.paused:
            self.process.send_signal(signal.SIGCONT)
            self.paused = False

    def wait_log(self, pattern, seconds):
        """Whether a line with it comes within the time; what was logged before does not count."""
        before = len(re.findall(pattern, self.log.read_text()))
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if len(re.findall(pattern, self.log.read_text())) > before:
                return True
            time.sleep(0.05)
        return False

    def ask(self, command, *arguments):
        """The answer of the administration port; None if it does not answer."""
        if self.process is None or self.paused:
            return None
        try:
            with self.machine.connect(ADMINISTRATION_PORT) as connection:
                connection.settimeout(5)
                line = json.dumps({"id": 1, "command": command, "arguments": list(arguments)})
                connection.sendall(line.encode() + b"\n")
                with connection.makefile(encoding="utf-8") as file:
                    return json.loads(file.readline())
        except (OSError, ValueError):
            return None

    def rows(self):
        """Of get_replication, by group; empty if it does not answer."""
        found = {}
        for row in (self.ask("get_replication") or {}).get("rows", []):
            found.setdefault(row["group"], []).append(row)
        return found

    def journals(self, group):
        return self.machine.disk / "journals" / group.name


class FailoverCluster:
    """Of `groups`, on the nodes that each names. `sessions(node)` is the text of the application, the servers, clients and sessions.
    Ends with `test`."""

    def __init__(self, test, folder, on, etcd, groups, sessions):
        self.folder, self.groups = folder, groups
        make_certificates(folder, [machine.name for machine in on])
        self.nodes = [Node(self, machine) for machine in on]
        self.by_name = {node.name: node for node in self.nodes}
        addresses = ", ".join(f"{machine.name}@{machine.address}:{NODE_PORT}" for machine in on)
        placed = "".join(f"[{group.name}]\ntype=failover\nreplication_nodes={','.join(group.nodes)}\n{group.keys}\n"
                         for group in groups)
        for node in self.nodes:
            node.config.write_text(
                f"[ENGINE]\ntype=engine\nlog_level=INFO\nlog_file={node.log}\nnode={node.name}\nnode_addresses={addresses}\n"
                f"election=etcd://{etcd.places()}\nfailover_directory={node.machine.disk}/failover\n"
                f"replication_tls_certificate_file={folder}/{node.name}.pem\n"
                f"replication_tls_key_file={folder}/{node.name}.key\nreplication_tls_ca_file={folder}/nodes.ca.pem\n"
                f"management_server_port={ADMINISTRATION_PORT}\nmanagement_local_role=OPERATE\n{placed}{sessions(node)}")
        test.addCleanup(self.close)
        for node in self.nodes:
            node.start()

    def nodes_of(self, group):
        return [self.by_name[name] for name in group.nodes]

    def wait_in_sync(self):
        """Every node runs, one leads each group, and the others have everything. Returns the primaries by the group's name."""
        deadline = time.monotonic() + peers.DEADLINE_SECONDS
        while time.monotonic() < deadline:
            for node in self.nodes:
                if node.process is not None and node.process.poll() is not None:
                    raise AssertionError(f"node {node.name} has ended with {node.process.returncode}\n{self.tell()}")
            rows = {node.name: node.rows() for node in self.nodes}
            primaries = {group.name: self._primary_in_sync(group, rows) for group in self.groups}
            if all(primaries.values()):
                return primaries
            time.sleep(0.02)
        raise peers.Deadline(f"not every group comes in sync\n{self.tell()}")

    def _primary_in_sync(self, group, rows):
        of_nodes = {name: rows[name].get(group.name) for name in group.nodes}
        if not all(of_nodes.values()):
            return None
        leading = [name for name, own in of_nodes.items() if own[0]["role"] == "primary"]
        if len(leading) != 1:
            return None
        own = of_nodes[leading[0]]
        followers = [row for row in own if row["standby"] and row["connected"] and row["in_gate"]]
        whole = (sorted(own[0]["in_sync"].split(",")) == sorted(group.nodes) and len(followers) == len(group.nodes) - 1
                 and own[0]["output"] == "passes")
        return self.by_name[leading[0]] if whole else None

    def wait_equal_copies(self):
        """Marks and beats are on their way: once everything has arrived the copies are equal. Returns the primaries then; on a
        busy machine they may be others than before."""
        deadline = time.monotonic() + peers.DEADLINE_SECONDS
        while True:
            primaries = self.wait_in_sync()
            differing = {}
            for group in self.groups:
                primary = primaries[group.name]
                for node in self.nodes_of(group):
                    found = node is not primary and copies_differ(primary.journals(group), node.journals(group))
                    if found:
                        differing[group.name, primary.name, node.name] = found
            if not differing:
                return primaries
            if time.monotonic() > deadline:
                raise AssertionError(f"journals of primaries and of their standbys differ: {str(differing)[:4000]}")
            time.sleep(0.05)

    def reigns(self):
        """Who leads each group, and in which epoch, as the nodes say."""
        rows = {node.name: node.rows() for node in self.nodes}
        return {(group.name, name, own[0]["epoch"]) for group in self.groups for name in group.nodes
                for own in [rows[name].get(group.name)] if own and own[0]["role"] == "primary"}

    def tell(self):
        """What everybody says, for a failure."""
        return "\n".join(f"--- {node.name}: {node.rows()}\n" + "\n".join(node.log.read_text().splitlines()[-12:])
                         for node in self.nodes if node.log.exists())

    def heal(self):
        for node in self.nodes:
            node.machine.heal()
            node.resume()
            if node.process is None:
                node.start()

    def close(self):
        for node in self.nodes:
            if node.process is not None:
                node.kill()


def copies_differ(one, other):
    """Where two directories of journals differ, as text; empty: nowhere. Places that are a node's own are left out."""
    found = []
    for name in sorted(os.listdir(one)):
        if name.endswith(".damaged") or ".epoch-" in name:
            continue
        segments = [{path.name: path for path in (directory / name).glob(SEGMENT)} for directory in (one, other)]
        contents = [{key: _stored(path) for key, path in some.items()} for some in segments]
        contents = [{key: value for key, value in some.items() if value is not None} for some in contents]
        common = sorted(set(contents[0]) & set(contents[1]))
        if not common or max(contents[0]) != max(contents[1]):
            found.append(f"{name}: segments {sorted(contents[0])} and {sorted(contents[1])}")
            continue
        for key in common:
            a, b = contents[0][key], contents[1][key]
            if a != b and (a := _with_plain_marks(a)) != (b := _with_plain_marks(b)):
                at = next((at for at, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
                found.append(f"{name}/{key}: bytes differ from {at} (of header and records)")
    return "; ".join(found)


def _stored(path):
    """Header and records of a segment in use."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None  # Renamed or removed meanwhile.
    return data[:HEADER_BYTES] + data[affix_journal.RECORDS_OFFSET:].rstrip(b"\0") if data[:8] != bytes(8) else None


def _with_plain_marks(stored):
    """Which mark says that a message was processed is a node's own: it depends on what is on its disk."""
    plain, at = bytearray(stored), HEADER_BYTES
    while at + 4 <= len(plain) and (length := int.from_bytes(plain[at:at + 4], sys.byteorder)):
        if at + length < len(plain):
            plain[at + length] = min(plain[at + length], 1)
        at += (length + 8) & ~7
    return bytes(plain).rstrip(b"\0")
