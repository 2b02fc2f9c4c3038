# SPDX-License-Identifier: MIT
"""Two or three machines with one to three failover groups, and etcd on three, under everything that can happen to them: killed,
paused, cut off in one or both directions, without etcd, with a full disk, groups handed over. Counterparties trade meanwhile. After
each round the cluster is healed, and what the counterparties have seen is compared with the journals of every node. AFFIX_ROUNDS
faults over all (`./dev torture --failover` asks for more), AFFIX_SEED for the same ones again, AFFIX_KEEP: a directory for what is
left of a failure. Times are printed and not judged, since other load would disturb them."""

import contextlib
import os
import random
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
# Every group is of this one.
MODE = os.environ.get("AFFIX_MODE")
MODES = {"BEFORE_SEND": 3, "BEFORE_DELIVER": 1, "ASYNC": 1}
# Nodes of an episode, and of each of its groups, in order of preference.
PLACEMENTS = (
    ("AB", ("AB",)), ("AB", ("AB", "BA")),
    ("ABC", ("ABC",)), ("ABC", ("AB", "BC", "CA")), ("ABC", ("ABC", "CB")),
)
# Journals and records of their own for so many faults, so that no comparison is of a day's messages.
EPISODE_ROUNDS = 20
DISK_BYTES = 192 << 20
# Whatever has happened: so soon everybody has an answer again, and after it has ended so soon everything is in sync and equal. Far
# more than either takes, and far less than a time after which something is merely tried again.
BOUND_SECONDS = 60 if PATIENT else 20
# If other work kept both processors busy for so much of a round, it may have taken longer than that.
BUSY = 0.5
JUDGEMENTS = 5

# Faults that end the primary's reign by a kill, and by silence: (goal in milliseconds) of each, without a lease.
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
        self.survived = self.busy = 0
        self.times = defaultdict(list)  # What happened: seconds until the next answered order.
        self.acts = {
            "the primary is killed": (6, self.kill_primary),
            "a standby is killed": (2, self.kill_standby),
            "all nodes of the group are killed": (2, self.kill_all),
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
            print(f"  {who}: {what}: {milliseconds(times)}{goal}", flush=True)
        print(f"{self.survived} of {ROUNDS} rounds survived, {orders} orders, each answered; {self.busy} of them on a machine that other "
              "work kept busy", flush=True)

    # --- One cluster's life ---

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
        self.choice, self.traffics = choice, []
        self.machines = [machines.Machine(scope, number, name, folder / f"disk-{name}", DISK_BYTES)
                         for number, name in enumerate("ABC", 1)]
        self.etcd = etcd_cluster.EtcdCluster(scope, self.machines, folder, 10 if PATIENT else 1)
        kind = self.kind_of(first, choice)
        used, placed = choice.choice(PLACEMENTS)
        durability = choice.choice(("process", "process", "group", "sync"))
        for number, nodes in enumerate(placed):
            mode = MODE or choice.choices([*MODES], MODES.values())[0]
            keys = f"replication={mode}\n"
            if PATIENT:
                keys += "replication_timeout_milliseconds=500\nreplication_beat_milliseconds=400\n"
            group = failover_cluster.Group(f"DESK{number}", nodes, keys)
            self.traffics.append(kind(self, scope, folder, group, number, mode == "ASYNC", durability))
            print(f"  {kind.name}: {group.name} on {nodes}, replication={mode}, durability={durability}", flush=True)
        self.cluster = failover_cluster.FailoverCluster(
            scope, folder, self.machines[:len(used)], self.etcd, [one.group for one in self.traffics],
            lambda node: f"[APPLICATION]\n{kind.APPLICATION}\n" + "".join(one.sections(node) for one in self.traffics))
        self.cluster.wait_in_sync()
        for one in self.traffics:
            one.begin(self.cluster.nodes_of(one.group))
        acts = [act for act in self.acts if ACT in act]
        for number in range(first, first + rounds):
            self.round(number, choice.choices(acts, [self.acts[act][0] for act in acts])[0])
        primaries = self.cluster.wait_in_sync()
        orders = sum(one.end(primaries[one.group.name]) for one in self.traffics)
        self.cluster.wait_equal_copies()
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
        """It is about one of the groups; others lose their primary with it, or a standby, or nothing."""
        for one in self.traffics:
            one.resume()
        time.sleep(self.choice.random() * 0.2)
        primaries = self.cluster.wait_in_sync()
        self.traffic = self.choice.choice(self.traffics)
        self.primary = primaries[self.traffic.group.name]
        self.standbys = [node for node in self.cluster.nodes_of(self.traffic.group) if node is not self.primary]
        self.led = [one for one in self.traffics if primaries[one.group.name] is self.primary]
        leader = self.etcd.leader()
        begun, pressure = time.monotonic(), machines.Pressure()
        done, self.hit, self.is_alone, self.others = what, [], False, []
        try:
            took = self.acts[what][1]()
            if what.endswith("is cut off") and self.hit[0].machine is leader:
                done += ", and etcd's leader with it"  # Which takes etcd's own election.
            if self.is_alone:
                done += ", and was alone"  # Nobody may lead but itself.
            self.note_others(begun, done)
            self.cluster.heal()
            self.etcd.heal()
            healed = time.monotonic()
            now = self.settle(begun)
            busy = pressure.share()
            if busy < BUSY:
                self.assertLess(took, BOUND_SECONDS, "seconds until an order was answered")
                self.assertLess(time.monotonic() - healed, BOUND_SECONDS, "seconds until all was in sync and compared")
        except AssertionError as error:
            raise AssertionError(f"round {number}, {done} ({self.traffic.group.name}, primary {self.primary.name}): {error}\n"
                                 f"{self.cluster.tell()}") from error
        self.note(self.traffic, done, took)
        for other in self.others:
            self.note(*other)
        self.busy += busy >= BUSY
        self.survived += 1
        print(f"  round {number}: {done}, {1000 * took:.0f} ms; {self.traffic.group.name}: {self.primary.name} -> "
              f"{now[self.traffic.group.name].name}, {time.monotonic() - begun:.1f} s" + (", busy" if busy >= BUSY else ""), flush=True)

    def settle(self, begun):
        """Everything is healed and compared. Returns the primaries."""
        now = self.cluster.wait_in_sync()
        for one in self.traffics:
            one.failed_over(begun, time.monotonic())
            one.rest()
        if self.traffic.name == "measured":
            now = self.cluster.wait_equal_copies()
        return self.judge(now)

    def judge(self, now):
        """Compares what was seen with the journals. Returns the primaries. On a busy machine another node may lead before the
        journal of the one that did is read, which then lacks what the other one has sent since: that is compared anew."""
        for _ in range(JUDGEMENTS):
            reigns = self.cluster.reigns()
            try:
                for one in self.traffics:
                    one.judge(now[one.group.name])
                return now
            except AssertionError:
                if self.cluster.reigns() == reigns and all(
                        (group, node.name) in {reign[:2] for reign in reigns} for group, node in now.items()):
                    raise
            now = self.cluster.wait_equal_copies() if self.traffic.name == "measured" else self.cluster.wait_in_sync()
        raise AssertionError(f"the groups' primaries changed during each of {JUDGEMENTS} judgements")

    def note(self, traffic, what, took):
        self.times[traffic.name, what + (", with a lease" if traffic.may_lose else "")].append(took)

    def note_others(self, begun, done):
        """How long groups were silent that have lost nothing. (Of a lost leader of etcd they would not know either.)"""
        lost = {node.name for node in self.hit}
        for one in self.traffics:
            if one is not self.traffic and lost and not lost & set(one.group.nodes):
                self.others.append((one, f"{done}: longest silence of groups on other nodes", one.silence(begun)))

    def keep(self, folder):
        """What is left of a failure."""
        place = Path(KEEP or "/tmp") / f"affix-failover-{SEED}-{folder.name}"
        failover_cluster.keep(folder, place)
        for one in self.traffics:
            one.keep(place)

    # --- What happens; each returns the seconds until the next answered order ---

    def linger(self, least, most):
        time.sleep(self.choice.uniform(least, most))

    def take_over(self, at):
        """By another node. On a busy machine the primary may have been alone at that moment; then it must come back."""
        begun = time.monotonic()
        while time.monotonic() - begun < 2:
            rows = self.standby_rows()
            if any(row["role"] == "primary" for row in rows):
                break
            if rows and all("not in sync" in row["why_standby"] for row in rows):
                self.is_alone = True
                self.cluster.heal()
                return self.traffic.next_answer(at)
            time.sleep(0.02)
        took = self.traffic.next_answer(at, self.primary.name)
        for one in self.led:
            if one is not self.traffic and not one.may_lose and not self.traffic.may_lose:
                self.others.append((one, "a second group of the lost node", one.next_answer(at, self.primary.name)))
        return took

    def standby_rows(self):
        return [row for node in self.standbys for row in node.rows().get(self.traffic.group.name, [])[:1]]

    def kill(self, node):
        self.hit.append(node)
        return node.kill()

    def kill_primary(self):
        return self.take_over(self.kill(self.primary))

    def kill_standby(self):
        at = self.kill(self.choice.choice(self.standbys))
        self.linger(0.1, 0.5)
        return self.traffic.silence(at)

    def kill_all(self):
        """One after the other, at any distance; the last one must come back."""
        nodes = [self.primary, *self.standbys]
        self.choice.shuffle(nodes)
        for node in nodes:
            at = self.kill(node)
            self.linger(0, self.choice.choice((0.001, 0.05, 0.5)))
        self.choice.shuffle(nodes)
        for node in nodes:
            node.start()
            self.linger(0, 0.3)
        return self.traffic.next_answer(at)

    def pause_primary(self):
        at = time.monotonic()
        self.hit.append(self.primary)
        self.primary.pause()
        self.linger(0.2, 2)
        self.primary.resume()
        return self.traffic.silence(at)

    def cut_off(self, node):
        at = time.monotonic()
        self.hit.append(node)
        node.machine.link_down()
        return at

    def cut_primary_off(self):
        return self.take_over(self.cut_off(self.primary))

    def cut_standby_off(self):
        at = self.cut_off(self.choice.choice(self.standbys))
        self.linger(0.2, 1)
        return self.traffic.silence(at)

    def cut_nodes(self):
        """They do not reach each other, and all reach etcd."""
        at = time.monotonic()
        self.hit += [self.primary, *self.standbys]
        self.primary.machine.drop(*(("input", f"ip saddr {standby.machine.address} tcp {side} {failover_cluster.NODE_PORT}")
                                    for standby in self.standbys for side in ("dport", "sport")))
        self.linger(0.3, 1.5)
        return self.traffic.silence(at)

    def cut_one_way(self):
        at = time.monotonic()
        pair = [self.primary, self.choice.choice(self.standbys)]
        self.hit += pair
        self.choice.shuffle(pair)
        pair[0].machine.drop_from(pair[1].machine)
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
        self.kill(self.choice.choice(self.standbys))
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
        return self.take_over(self.kill(self.primary))

    def hand_over(self):
        at = time.monotonic()
        answer = self.primary.ask("demote", self.traffic.group.name)
        self.assertEqual((answer or {}).get("status"), "begun", answer)
        return self.traffic.next_answer(at, self.primary.name)

    def fill_disk(self):
        """Which matters when a segment is needed: orders come faster until it does."""
        at = time.monotonic()
        standby = self.choice.choice(self.standbys)
        self.hit.append(standby)
        standby.machine.fill_disk()
        self.traffic.press(5)
        standby.wait_log(r" R11[36] ", self.choice.choice((2, 5)))
        self.traffic.press(1)
        self.linger(0, 2)
        return self.traffic.silence(at)


if __name__ == "__main__":
    missing = failover_cluster.why_not()
    if missing is not None:
        print(f"not run, {missing}")
        sys.exit(peers.EXIT_SKIPPED)
    machines.go_apart()
    peers.main({"affix": peers.AFFIX})
