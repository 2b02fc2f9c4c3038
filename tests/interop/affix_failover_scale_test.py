# SPDX-License-Identifier: MIT
"""Three nodes, six failover groups, 2,000 sessions that trade at a steady rate: each node leads two groups and is a standby of two. A
node is killed, or its machine cut off, in turns: how soon do its groups trade again, and do the groups that were not there notice? Every
order must be answered once, and all copies be equal in the end. AFFIX_ROUNDS ends of a node (`./dev torture --failover --scale` asks for
more), AFFIX_SEED, AFFIX_KEEP: a directory for what is left of a failure; AFFIX_SESSIONS, AFFIX_RATE (orders a second in all),
AFFIX_DURABILITY. Times are printed and not judged, since other load would disturb them."""

import csv
import os
import random
import statistics
import sys
import time
from bisect import bisect_left
from collections import namedtuple
from pathlib import Path

import affix_programs
import etcd_cluster
import failover_cluster
import machines
import peers

ROUNDS = int(os.environ.get("AFFIX_ROUNDS", "2"))
SEED = int(os.environ.get("AFFIX_SEED") or random.SystemRandom().getrandbits(32))
KEEP = os.environ.get("AFFIX_KEEP")
SESSIONS = int(os.environ.get("AFFIX_SESSIONS", "2000"))
ORDERS_PER_SECOND = int(os.environ.get("AFFIX_RATE", "2000"))
DURABILITY = os.environ.get("AFFIX_DURABILITY", "process")
# Orders of so long before and after the end of a node are compared.
WINDOW_SECONDS = 8.0
PLACEMENT = ("AB", "AC", "BC", "BA", "CA", "CB")
FIRST_PORT = 9870
SEGMENT_BYTES = 1 << 17
DISK_BYTES = 6 << 30

Row = namedtuple("Row", "due written answered")  # Seconds of the monotonic clock.
GOALS = {"killed": 100, "cut off": 1000}


def p99(values):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(0.99 * len(ordered)))]


def milliseconds(values):
    """min, median, p99 and max as text."""
    values = [1000 * one for one in values]
    if not values:
        return "none"
    return (f"{len(values)}: min {min(values):.1f} ms, median {statistics.median(values):.1f} ms, p99 {p99(values):.1f} ms, "
            f"max {max(values):.1f} ms")


class Load:
    """What counterparties of one group send, and when they had answers."""

    def __init__(self, test, folder, number, group, places, sessions):
        self.group = group
        self._rows = folder / f"answers-{number}.csv"
        self._orders, self._logons = [], []
        targets = ",".join(f"{host}:{FIRST_PORT + number}" for host in places)
        self.process = test.owned(peers.LineProcess(
            [peers.AFFIX_LAB, "bench", "load", "--target", targets, "--sessions", str(sessions), "--begin-string", "FIX.4.4",
             "--sender", f"G{number}C{{}}", "--target-comp-id", "US", "--rate", str(ORDERS_PER_SECOND / len(PLACEMENT)),
             "--seconds", "36000", "--window", "64", "--block", "--logon-timeout", "120", "--answer-timeout", "60",
             "--answers", str(self._rows)], f"the load of {group.name}"))

    def end(self, test):
        self.process.interrupt()
        test.assertEqual(self.process.wait_exit(), 0, f"{self.process.name}: {self.process.snapshot()}")
        with open(self._rows, encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                times = Row(*(int(row[name]) / 1e9 for name in ("due_ns", "written_ns", "answered_ns")))
                (self._orders if row["event"] == "order" else self._logons).append(times)
        self._orders.sort()
        self._logons.sort(key=lambda one: one.answered)

    def responses(self, since, until):
        """Of orders that were due between these times."""
        begin, end = (bisect_left(self._orders, (at,)) for at in (since, until))
        return [one.answered - one.due for one in self._orders[begin:end]]

    def returns(self, at, until):
        """For how long each session that came back between these times was away, since it had noticed."""
        return [one.answered - max(at, one.due) for one in self._logons if at < one.answered <= until]

    def trades_again(self, at):
        """The seconds from `at` until the next answered order after the first session came back."""
        first = min(one.answered for one in self._logons if one.answered > at)
        return min(one.answered for one in self._orders if one.answered > first) - at

    def __len__(self):
        return len(self._orders)


class FailoverScale(peers.InteropTest):
    def test_thousands_of_sessions_on_three_nodes(self):
        print(f"AFFIX_SEED={SEED} AFFIX_ROUNDS={ROUNDS}: {SESSIONS} sessions, {ORDERS_PER_SECOND} orders a second", flush=True)
        choice = random.Random(SEED)
        folder = self.folder("cluster")
        try:
            self.live(choice, folder)
        except BaseException:
            failover_cluster.keep(folder, Path(KEEP or "/tmp") / f"affix-failover-scale-{SEED}")
            raise

    def live(self, choice, folder):
        self.open_cluster(folder)
        ends = []
        for number in range(ROUNDS):
            kind = ("killed", "cut off")[number % 2]
            ends.append((kind, *self.round(choice.choice(self.cluster.nodes), kind)))
            print(f"  round {number}: {ends[-1][2].name} was {kind}", flush=True)
        for load in self.loads:
            load.end(self)
        self.cluster.wait_equal_copies()
        self.tell(ends)

    def open_cluster(self, folder):
        self.machines = [machines.Machine(self, number, name, folder / f"disk-{name}", DISK_BYTES)
                         for number, name in enumerate("ABC", 1)]
        etcd = etcd_cluster.EtcdCluster(self, self.machines, folder)
        groups = [failover_cluster.Group(f"GROUP{number}", nodes, "") for number, nodes in enumerate(PLACEMENT)]
        shares = [SESSIONS * (at + 1) // len(groups) - SESSIONS * at // len(groups) for at in range(len(groups))]
        self.cluster = failover_cluster.FailoverCluster(self, folder, self.machines, etcd, groups,
                                                        lambda node: self.sections(node, groups, shares))
        self.cluster.wait_in_sync()
        self.put_back()
        self.loads = [Load(self, folder, number, group, [node.machine.address for node in self.cluster.nodes_of(group)], share)
                      for number, (group, share) in enumerate(zip(groups, shares))]
        self.wait_logged_on(shares)

    def wait_logged_on(self, shares):
        deadline = time.monotonic() + peers.DEADLINE_SECONDS
        for number, load in enumerate(self.loads):
            node = self.cluster.nodes_of(load.group)[0]
            while True:
                rows = (node.ask("get_sessions", f"DOOR{number}") or {}).get("rows", [])
                if sum(row["state"] == "active" for row in rows) == shares[number]:
                    break
                if time.monotonic() > deadline:
                    raise peers.Deadline(f"{load.group.name}: not all have logged on; {rows[:3]}, {load.process.snapshot()}")
                time.sleep(0.1)

    @staticmethod
    def sections(node, groups, shares):
        text = ("[APPLICATION]\napplication=ECHO\n[SESSION_DEFAULTS]\nbegin_string=FIX.4.4\nsender_comp_id=US\n"
                f"durability={DURABILITY}\nmax_message_bytes=4096\nmax_serialised_file_size={SEGMENT_BYTES}\n"
                + affix_programs.VERSION_KEYS["FIX.4.4"])
        for number, (group, share) in enumerate(zip(groups, shares)):
            text += (f"[DOOR{number}]\ntype=server\nnic_address={node.machine.address}\naccept_port={FIRST_PORT + number}\n"
                     f"pending_connection_queue_size=1024\nfailover_group={group.name}\n")
            text += "".join(f"[G{number}C{at}]\ntype=session\ninstance=DOOR{number}\ntarget_comp_id=G{number}C{at}\n"
                            f"journal_path={node.journals(group)}\n" for at in range(1, share + 1))
        return text

    def round(self, victim, kind):
        """Returns when the node ended, and the node."""
        time.sleep(WINDOW_SECONDS)
        if kind == "killed":
            at = victim.kill()
        else:
            at = time.monotonic()
            victim.machine.link_down()
        time.sleep(WINDOW_SECONDS)
        self.cluster.heal()
        self.cluster.wait_in_sync()
        self.put_back()
        return at, victim

    def put_back(self):
        """Each group is led by the node that it prefers."""
        deadline = time.monotonic() + peers.DEADLINE_SECONDS
        while time.monotonic() < deadline:
            primaries = self.cluster.wait_in_sync()
            displaced = [group for group in self.cluster.groups if primaries[group.name].name != group.nodes[0]]
            if not displaced:
                return
            for group in displaced:
                primaries[group.name].ask("demote", group.name, group.nodes[0])
        raise peers.Deadline("groups are not led by the nodes that they prefer")

    def tell(self, ends):
        for kind, goal in GOALS.items():
            of_kind = [(at, victim.name) for one, at, victim in ends if one == kind]
            if not of_kind:
                continue
            took, returns, ratios, before, after = [], [], [], [], []
            for at, victim in of_kind:
                for load in self.loads:
                    if load.group.nodes[0] == victim:
                        took.append(load.trades_again(at))
                        returns += load.returns(at, at + WINDOW_SECONDS)
                    elif victim not in load.group.nodes:
                        earlier, later = load.responses(at - WINDOW_SECONDS, at), load.responses(at, at + WINDOW_SECONDS)
                        ratios.append(p99(later) / p99(earlier))
                        before += earlier
                        after += later
            print(f"  a node is {kind}: its groups trade again after {milliseconds(took)} (goal: {goal} ms)\n"
                  f"    its sessions, since each has noticed: {milliseconds(returns)}\n"
                  f"    orders of groups that were not there: p99 {1000 * p99(before):.2f} ms before, {1000 * p99(after):.2f} ms after "
                  f"({p99(after) / p99(before):.2f} x; a round and group: median {statistics.median(ratios):.2f} x, "
                  f"max {max(ratios):.2f} x; goal: 1.5 x)", flush=True)
        print(f"{len(ends)} ends of a node survived, {sum(map(len, self.loads))} orders, each answered once", flush=True)


if __name__ == "__main__":
    missing = failover_cluster.why_not()
    if missing is not None:
        print(f"not run, {missing}")
        sys.exit(peers.EXIT_SKIPPED)
    machines.go_apart()
    peers.main({"affix": peers.AFFIX})
