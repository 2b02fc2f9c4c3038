# SPDX-License-Identifier: MIT
"""A real etcd, one member a machine, with its data in memory."""

import json
import shutil
import subprocess
import time
import urllib.request

import machines
import peers

PROGRAM = shutil.which("etcd")
# In earnest it has a machine of its own, where no other work delays it until it loses its leader. Without the right to it: as it is.
PRECEDENCE = ("nice", "-n", "-15")
CLIENT_PORT = 2379
PEER_PORT = 2380
# As the handbook advises, in milliseconds: of a machine that is lost with etcd's leader the others know in time.
HEARTBEAT = 50
ELECTION = 300


class EtcdCluster:
    """Ends with `test`. Its times are `patience` times as long as advised."""

    def __init__(self, test, on, folder, patience=1):
        self._machines, self._folder, self._patience = on, folder / "etcd", patience
        self._members = {}
        self._folder.mkdir()
        machines.run("mount", "-t", "tmpfs", "tmpfs", str(self._folder))
        test.addCleanup(machines.run, "umount", "--lazy", str(self._folder))
        test.addCleanup(self.close)
        for machine in on:
            self.start(machine)
        self.leader()

    def start(self, machine):
        """With the data that it had."""
        def url(port, one=machine):
            return f"http://{one.address}:{port}"

        cluster = ",".join(f"{one.name}={url(PEER_PORT, one)}" for one in self._machines)
        with open(self._folder / f"etcd-{machine.name}.log", "ab") as log:
            self._members[machine.name] = subprocess.Popen(
                machine.command(*PRECEDENCE, PROGRAM, "--name", machine.name, "--data-dir", self._folder / f"etcd-{machine.name}",
                                "--listen-peer-urls", url(PEER_PORT), "--initial-advertise-peer-urls", url(PEER_PORT),
                                "--listen-client-urls", url(CLIENT_PORT), "--advertise-client-urls", url(CLIENT_PORT),
                                "--initial-cluster", cluster, "--heartbeat-interval", str(HEARTBEAT * self._patience),
                                "--election-timeout", str(ELECTION * self._patience)),
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def places(self):
        """For key `election`."""
        return ",".join(f"{machine.address}:{CLIENT_PORT}" for machine in self._machines)

    def leader(self):
        """The machine of the leading member, once there is one."""
        deadline = time.monotonic() + peers.DEADLINE_SECONDS
        while time.monotonic() < deadline:
            for machine in self._machines:
                status = self._ask(machine, "/v3/maintenance/status", {})
                if status and status.get("leader", "0") == status["header"]["member_id"]:
                    return machine
            time.sleep(0.05)
        raise peers.Deadline("etcd has no leader")

    def _ask(self, machine, path, body):
        try:
            with urllib.request.urlopen(f"http://{machine.address}:{CLIENT_PORT}{path}", json.dumps(body).encode(), 2) as answer:
                return json.load(answer)
        except (OSError, ValueError):
            return None

    def kill(self, machine):
        member = self._members.pop(machine.name)
        member.kill()
        member.wait()

    def heal(self):
        """Those that were killed are started, and one leads."""
        for machine in self._machines:
            if machine.name not in self._members:
                self.start(machine)
        self.leader()

    def close(self):
        for member in self._members.values():
            member.kill()
            member.wait()
