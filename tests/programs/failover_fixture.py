# SPDX-License-Identifier: MIT
"""Nodes of a cluster under test: `affix serve` processes of one machine, which elect a primary in a directory."""

import json
import pathlib
import socket
import subprocess
import sys

import program_fixture
import serve_fixture


sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from held_port import held_port  # noqa: E402

class FailoverTest(serve_fixture.ServeTest):
    NODES = ("A", "B")

    def setUp(self):
        super().setUp()
        self.node_ports = {node: self.hold_port() for node in self.NODES}
        self.served = {}

    def hold_port(self):
        """A port that nobody else gets."""
        return self.enterContext(held_port())

    def node_text(self, node, groups=None, engine="", group_keys="", election=None):
        """`groups`: the nodes of each failover group, which has a server and a session of its own."""
        addresses = ", ".join(f"{name}@127.0.0.1:{port}" for name, port in self.node_ports.items())
        text = (f"[ENGINE]\ntype=engine\nlog_file={self.path(node + '.log')}\nnode={node}\nnode_addresses={addresses}\n"
                f"election={election or 'file:' + self.path('election')}\n"
                f"failover_directory={self.path(node + '.failover')}\ncounters_file={self.path(node + '.counters')}\n"
                f"management_server_port=-1\nmanagement_local_role=OPERATE\n{engine}\n"
                "[APPLICATION]\napplication=ECHO\n\n")
        for group, nodes in (groups or {"DESKS": "A,B"}).items():
            text += (f"[{group}]\ntype=failover\nreplication_nodes={nodes}\n{group_keys}\n\n"
                     f"[{group}_SERVER]\ntype=server\nnic_address=127.0.0.1\naccept_port=0\nfailover_group={group}\n\n"
                     f"[{group}_TRADER]\ntype=session\ninstance={group}_SERVER\nbegin_string=FIX.4.4\nsender_comp_id=US\n"
                     f"target_comp_id={group}_TRADER\njournal_path={self.path(node + '.journals')}\n\n")
        return text

    def start(self, node, **more):
        environment = more.pop("environment", {})
        served = self.serve(self.node_text(node, **more), name=node + ".ini", **environment)
        self.served[node] = served
        return served

    def start_all(self, **more):
        for node in self.NODES:
            self.start(node, **more)

    def ask(self, node, command, *arguments):
        """The answer of the node's administration port; None if it does not answer."""
        try:
            with socket.create_connection(("127.0.0.1", self.served[node].administration),
                                          timeout=program_fixture.TIMEOUT) as connection:
                line = json.dumps({"id": 1, "command": command, "arguments": list(arguments)})
                connection.sendall(line.encode() + b"\n")
                with connection.makefile(encoding="utf-8") as file:
                    return json.loads(file.readline())
        except (OSError, ValueError):
            return None

    def replication(self, node, group="DESKS"):
        """The first row of the group; None: there is none."""
        answer = self.ask(node, "get_replication")
        return next((row for row in (answer or {}).get("rows", []) if row["group"] == group), None)

    def wait_for(self, node, group="DESKS", **wanted):
        """Waits until the node's row has these values."""
        def holds():
            row = self.replication(node, group)
            return row if row is not None and all(row[key] == value for key, value in wanted.items()) else None
        try:
            return program_fixture.until(f"{wanted} of {group} at {node}", holds)
        except AssertionError as error:
            logs = "\n".join(f"--- {one}\n{self.read(one + '.log')}" for one in self.served)
            raise AssertionError(f"{error}: {self.replication(node, group)}\n{logs}") from error

    def wait_for_pair(self, primary="A", group="DESKS", in_sync="A,B"):
        return self.wait_for(primary, group, role="primary", in_sync=in_sync, connected=True)

    def kill(self, node):
        served = self.served.pop(node)
        served.process.kill()
        served.wait()

    def wait_for_line(self, node, *pieces):
        """Waits for a line of the node's log with all of these."""
        return program_fixture.until(f"a line with {pieces} in the log of {node}", lambda: next(
            (line for line in self.read(node + ".log").splitlines() if all(piece in line for piece in pieces)), None))

    def cluster(self, *words):
        """Exit code, output and errors of `affix cluster`."""
        nodes = ",".join(f"127.0.0.1:{one.administration}" for one in self.served.values())
        done = subprocess.run([self.affix, "cluster", *words, "--nodes", nodes], capture_output=True, text=True,
                              timeout=program_fixture.TIMEOUT, check=False)
        return done.returncode, done.stdout, done.stderr
