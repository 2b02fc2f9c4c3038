# SPDX-License-Identifier: MIT
"""Two or three machines of a failover group, and etcd on three, under everything that can happen to them: killed, paused, cut off in
one or both directions, without etcd, with a full disk, handed over. Counterparties trade meanwhile. After each round the group is
healed, and what the counterparties have seen is compared with the journals of every node. AFFIX_ROUNDS faults over all
(`./dev torture --failover` asks for more), AFFIX_SEED for the same ones again, AFFIX_KEEP: a directory for what is left of a
failure. Times are printed and not judged, since other load would disturb them."""

import contextlib
import os
import random
import shutil
import statistics
import sys
import time
from collections import defaultdict
from pathlib import Path

import etcd_cluster
import failover_cluster
import failover_traffic
import machines
import peers

ROUNDS = int(os.environ.get("AFFIX_ROUNDS", "10"))
SEED = int(os.environ.get("AFFIX_SEED") or random.SystemRandom().getrandbits(32))
KEEP = os.environ.get("AFFIX_KEEP")

# measured, affix or quickfix: all counterparties are of that kind.
KIND = os.environ.get("AFFIX_KIND")
# On a machine with much other work nobody is given up for a moment's silence.
PATIENT = os.environ.get("AFFIX_PATIENT") == "1"
# A part of the name of what is to happen, and nothing else.
ACT = os.environ.get("AFFIX_ACT", "")
# Journals and records of their own for so many faults, so that no comparison is of a day's messages.
EPISODE_ROUNDS = 20
DISK_BYTES = 192 << 20

# What ends the primary's reign by a kill, and what by silence: (goal in milliseconds) of each.
GOALS = {"the primary is killed": 100, "the primary's machine is cut off": 1000, "the primary is paused": 1000}


def milliseconds(seconds):
    """min, median, p99 and max as text."""
    ordered = sorted(1000 * one for one in seconds)
    p99 = ordered[min(len(ordered) - 1, int(0.99 * len(ordered)))]
    return (f"{len(ordered)}: min {ordered[0]:.0f} ms, median {statistics.median(ordered):.0f} ms, p99 {p99:.0f} ms, "
            f"max {ordered[-1]:.0f} ms")


def episodes():
    """(number of the first round, rounds) of each. A short run has two, with counterparties of different kinds."""
    ends = [*range(0, ROUNDS, EPISODE_ROUNDS), ROUNDS] if ROUNDS > EPISODE_ROUNDS else sorted({0, ROUNDS * 2 // 3, ROUNDS})
    return [(first, end - first) for first, end in zip(ends, ends[1:])]


class Scope(contextlib.ExitStack):
    """What ends with an episode."""

    addCleanup = contextlib.ExitStack.callback


class Failover(peers.InteropTest):
    def setUp(self):
        super().setUp()
        print(f"AFFIX_SEED={SEED} AFFIX_ROUNDS={ROUNDS}", flush=True)
        self.survived = 0
        self.times = defaultdict(list)  # What happened: seconds until the next answered order.
        self.acts = {
            "the primary is killed": (6, self.kill_primary),
            "a standby is killed": (2, self.kill_standby),
            "both are killed": (2, self.kill_both),
            "the primary is paused": (3, self.pause_primary),
            "the primary's machine is cut off": (3, self.cut_primary_off),
            "a standby's machine is cut off": (1, self.cut_standby_off),
            "the nodes are cut from each other": (2, self.cut_nodes),
            "one node does not hear the other": (2, self.cut_one_way),
            "the primary is cut off etcd": (2, self.cut_etcd),
            "the primary is cut off etcd, then a standby is killed": (1, self.cut_etcd_and_kill),
            "etcd's leader is killed": (1, self.kill_etcd_leader),
            "etcd's leader and the primary are killed": (1, self.kill_etcd_leader_and_primary),
            "the group is handed over": (2, self.hand_over),
            "a standby's disk is full": (1, self.fill_disk),
        }

    def test_everything_that_can_happen(self):
        orders = 0
        for first, rounds in episodes():
            with self.subTest(seed=SEED, first_round=first):
                orders += self.episode(random.Random(f"{SEED} {first}"), first, rounds)
        for (who, what), times in sorted(self.times.items()):
            goal = f" (goal: {GOALS[what]} ms)" if who == "measured" and what in GOALS else ""
            print(f"  {who}: {what}, until the next answered order: {milliseconds(times)}{goal}", flush=True)
        print(f"{self.survived} of {ROUNDS} rounds survived, {orders} orders, each answered", flush=True)

    # --- One group's life ---

    def episode(self, choice, first, rounds):
        folder = self.folder(f"episode-{first}")
        with Scope() as scope:
            try:
                return self.live(scope, choice, folder, first, rounds)
            except BaseException as fault:
                print(f"{type(fault).__name__}: {str(fault)[:2000]}", flush=True)
                self.keep(folder)
                raise

    def live(self, scope, choice, folder, first, rounds):
        self.choice, self.victim, self.traffic = choice, None, None
        self.machines = [machines.Machine(scope, number, name, folder / f"disk-{name}", DISK_BYTES)
                         for number, name in enumerate("ABC", 1)]
        data = folder / "etcd"
        data.mkdir()
        machines.run("mount", "-t", "tmpfs", "tmpfs", str(data))
        scope.addCleanup(machines.run, "umount", "--lazy", str(data))
        self.etcd = etcd_cluster.EtcdCluster(scope, self.machines, data, 10 if PATIENT else 1)
        used = self.machines[:choice.choice((2, 2, 3))]
        mode = choice.choice(("BEFORE_SEND", "BEFORE_SEND", "BEFORE_DELIVER"))
        durability = choice.choice(("process", "process", "group", "sync"))
        kind = self.kind_of(first, choice)
        print(f"  {kind.name}: {len(used)} nodes, replication={mode}, durability={durability}", flush=True)
        self.traffic = kind(self, scope, folder, durability)
        keys = f"replication={mode}\n"
        if PATIENT:
            keys += "replication_timeout_milliseconds=500\nreplication_beat_milliseconds=400\n"
        self.cluster = failover_cluster.FailoverCluster(scope, folder, used, self.etcd, self.traffic.groups, keys)
        primary = self.cluster.wait_in_sync()
        self.traffic.begin(self.cluster.nodes)
        acts = [act for act in self.acts if ACT in act]
        for number in range(first, first + rounds):
            what = choice.choices(acts, [self.acts[act][0] for act in acts])[0]
            primary = self.round(number, what)
        orders = self.traffic.end(primary)
        self.wait_equal_copies()
        return orders

    def kind_of(self, first, choice):
        """The first episode is measured, a short run's second one is not, and those of a long one are by chance."""
        kinds = [failover_traffic.Measured, failover_traffic.RoutedAffix]
        if peers.QUICKFIX_TRADER and peers.QUICKFIX_EXCHANGE:
            kinds.append(failover_traffic.RoutedQuickfix)
        if KIND:
            return next(kind for kind in kinds if kind.name == KIND)
        shares = (1, 0, 0) if first == 0 else (0, 1, 1) if ROUNDS <= EPISODE_ROUNDS else (2, 1, 1)
        return choice.choices(kinds, shares[:len(kinds)])[0]

    def round(self, number, what):
        """Returns the primary after it."""
        self.traffic.resume()
        time.sleep(self.choice.random() * 0.2)
        self.primary = self.cluster.wait_in_sync()
        self.standbys = [node for node in self.cluster.nodes if node is not self.primary]
        leader = self.etcd.leader()
        begun = time.monotonic()
        done, self.is_alone = what, False
        try:
            took = self.acts[what][1]()
            cut = {"the primary's machine is cut off": self.primary.machine, "a standby's machine is cut off": self.victim}
            if cut.get(what) is leader:
                done += ", and etcd's leader with it"  # Which takes etcd's own election.
            if self.is_alone:
                done += ", and was alone"  # Nobody may lead but itself.
            self.cluster.heal()
            self.etcd.heal()
            now = self.cluster.wait_in_sync()
            self.traffic.rest()
            if self.traffic.name == "measured":
                now = self.wait_equal_copies()
            self.traffic.judge(now)
        except AssertionError as error:
            raise AssertionError(f"round {number}, {done} (primary {self.primary.name}): {error}\n"
                                 f"{self.cluster.tell()}") from error
        self.times[self.traffic.name, done].append(took)
        self.survived += 1
        print(f"  round {number}: {done}, {1000 * took:.0f} ms; {self.primary.name} -> {now.name}, "
              f"{time.monotonic() - begun:.1f} s", flush=True)
        return now

    def keep(self, folder):
        """What is left of a failure."""
        place = Path(KEEP or "/tmp") / f"affix-failover-{SEED}-{folder.name}"
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(folder, place, ignore=shutil.ignore_patterns("member", "filler"))
        if self.traffic is not None:
            self.traffic.keep(place)
        print(f"kept in {place}", flush=True)

    # --- What happens; each returns the seconds until the next answered order ---

    def linger(self, least, most):
        time.sleep(self.choice.uniform(least, most))

    def take_over(self, at):
        """By another node. On a busy machine the primary may have been alone at that moment; then it must come back."""
        begun = time.monotonic()
        while time.monotonic() - begun < 2 and not all("not in sync" in row["why_standby"] for row in self.first_rows()):
            if any(row["role"] == "primary" for row in self.first_rows()):
                return self.traffic.next_answer(at, self.primary.name)
            time.sleep(0.02)
        if not all("not in sync" in row["why_standby"] for row in self.first_rows()):
            return self.traffic.next_answer(at, self.primary.name)
        self.is_alone = True
        self.cluster.heal()
        return self.traffic.next_answer(at)

    def first_rows(self):
        return [row for node in self.standbys for row in node.rows()[:1]]

    def kill_primary(self):
        return self.take_over(self.primary.kill())

    def kill_standby(self):
        at = self.choice.choice(self.standbys).kill()
        self.linger(0.1, 0.5)
        return self.traffic.silence(at)

    def kill_both(self):
        """One after the other, at any distance; the last one must come back."""
        both = [self.primary, *self.standbys]
        self.choice.shuffle(both)
        for node in both:
            at = node.kill()
            self.linger(0, self.choice.choice((0.001, 0.05, 0.5)))
        self.choice.shuffle(both)
        for node in both:
            node.start()
            self.linger(0, 0.3)
        return self.traffic.next_answer(at)

    def pause_primary(self):
        at = time.monotonic()
        self.primary.pause()
        self.linger(0.2, 2)
        self.primary.resume()
        return self.traffic.silence(at)

    def cut_primary_off(self):
        at = time.monotonic()
        self.primary.machine.link_down()
        return self.take_over(at)

    def cut_standby_off(self):
        at = time.monotonic()
        self.victim = self.choice.choice(self.standbys).machine
        self.victim.link_down()
        self.linger(0.2, 1)
        return self.traffic.silence(at)

    def cut_nodes(self):
        """They do not reach each other, and both reach etcd."""
        at = time.monotonic()
        for standby in self.standbys:
            self.primary.machine.drop(("input", f"ip saddr {standby.machine.address} tcp dport {failover_cluster.NODE_PORT}"),
                                      ("input", f"ip saddr {standby.machine.address} tcp sport {failover_cluster.NODE_PORT}"))
        self.linger(0.3, 1.5)
        return self.traffic.silence(at)

    def cut_one_way(self):
        at = time.monotonic()
        pair = [self.primary.machine, self.choice.choice(self.standbys).machine]
        self.choice.shuffle(pair)
        pair[0].drop_from(pair[1])
        self.linger(0.3, 1.5)
        return self.traffic.silence(at)

    def cut_etcd(self):
        at = time.monotonic()
        self.primary.machine.drop_to_port(etcd_cluster.CLIENT_PORT)
        self.linger(0.3, 1.5)
        return self.traffic.silence(at)

    def cut_etcd_and_kill(self):
        """The primary may not let the dead standby go, and so holds its output until it reaches etcd again: from then on."""
        self.primary.machine.drop_to_port(etcd_cluster.CLIENT_PORT)
        self.linger(0.1, 0.5)
        self.choice.choice(self.standbys).kill()
        self.linger(0.3, 1)
        at = time.monotonic()
        self.primary.machine.heal()
        return self.traffic.next_answer(at)

    def kill_etcd_leader(self):
        at = time.monotonic()
        self.etcd.kill(self.etcd.leader())
        self.linger(0.3, 1.5)
        return self.traffic.silence(at)

    def kill_etcd_leader_and_primary(self):
        """A takeover waits for etcd's own election."""
        self.etcd.kill(self.etcd.leader())
        return self.take_over(self.primary.kill())

    def hand_over(self):
        at = time.monotonic()
        answer = self.primary.ask("demote", failover_cluster.GROUP)
        self.assertEqual((answer or {}).get("status"), "begun", answer)
        return self.traffic.next_answer(at, self.primary.name)

    def fill_disk(self):
        """Which matters when a segment is needed: orders come faster until it does."""
        at = time.monotonic()
        standby = self.choice.choice(self.standbys)
        standby.machine.fill_disk()
        self.traffic.press(5)
        standby.wait_log(r" R11[36] ", self.choice.choice((2, 5)))
        self.traffic.press(1)
        self.linger(0, 2)
        return self.traffic.silence(at)

    # --- What must be true of it ---

    def wait_equal_copies(self):
        """Marks and beats are on their way: once everything has arrived the copies are equal. Returns the primary then; on a
        busy machine it may be another one than before."""
        deadline = time.monotonic() + peers.DEADLINE_SECONDS
        while True:
            primary = self.cluster.wait_in_sync()
            own = primary.machine.disk / "journals"
            differing = {node.name: failover_cluster.copies_differ(own, node.machine.disk / "journals")
                         for node in self.cluster.nodes if node is not primary}
            if not any(differing.values()):
                return primary
            if time.monotonic() > deadline:
                self.fail(f"journals of {primary.name} and of its standbys differ: {differing}")
            time.sleep(0.05)


if __name__ == "__main__":
    missing = machines.why_not()
    if missing is None and not etcd_cluster.PROGRAM:
        missing = "absent: etcd (apt-get install etcd-server)"
    if missing is None and shutil.which("openssl") is None:
        missing = "absent: openssl"
    if missing is not None:
        print(f"not run, {missing}")
        sys.exit(peers.EXIT_SKIPPED)
    machines.go_apart()
    peers.main({"affix": peers.AFFIX})
