# SPDX-License-Identifier: MIT
"""The comparison of replication: its scenarios, its tables, and its goals."""

import statistics
from dataclasses import dataclass

from system import jetstream, replicas, tail
from system.tail import COLUMNS, goal, ratios, rounds_of, spread

BEFORE_SEND = "affix_before_send"
# Turns of an outage, in their order.
ALIVE, AT_THE_KILL, DEAD = "standby_alive", "standby_killed", "standby_dead"
OUTAGE = (ALIVE, AT_THE_KILL, DEAD)
SESSIONS = 8
RATES = (1_000, 10_000)
PER_WRITE = (10, 100)
# The part of a turn's orders that the primary has read when the standby is killed.
KILL_AFTER = 0.3
FIGURES = ("rate", "server_cpu", "server_cpu_messages", "standby_cpu")
ADDED_MAX_NS = 2_000
CPU_MAX = 1.3
OUTAGE_P99_MAX = 2
# The default of replication_timeout_milliseconds, and a write to the election store.
WAIT_MAX_US = 60_000


@dataclass
class Scenario(tail.Scenario):
    sessions: int = 1
    spins: bool = False
    is_pinned: bool = True
    is_outage: bool = False   # The standby is killed in the middle.

    @property
    def has_steady(self):
        return False


def all_scenarios(options):
    """In the order of a round. `options` as of scripts/compare_replicate.py."""
    time = ["--seconds", str(options.seconds), "--warm-up", str(tail.WARM_UP)]
    one = ["--sessions", "1", "--window", "1", *time]
    shared = options.standby_core == options.load_core
    where = "the replica shares the generator's core" if shared else "a core for each"
    yield Scenario("one_at_a_time_spin", f"one order at a time, server and replica spin; {where}", replicas.KINDS,
                   [*one, "--block" if shared else "--spin"], (options.server_core,), latency="service", spins=True)
    yield Scenario("one_at_a_time_sleep", "one order, or message, at a time, everybody sleeps, on any core",
                   (*replicas.KINDS, jetstream.NAME), [*one, "--block"], (options.server_core,), latency="service",
                   is_pinned=False)
    for per_write in PER_WRITE:
        yield Scenario(f"flood_{per_write}", f"{SESSIONS} clients send as much as is answered, {per_write} orders to a write; "
                       "all sleep", replicas.KINDS,
                       ["--sessions", str(SESSIONS), "--per-write", str(per_write), "--window", str(tail.WINDOW), *time],
                       (options.server_core,), latency="service", sessions=SESSIONS)
    for rate in RATES:
        yield Scenario(f"outage_{rate}", f"{SESSIONS} clients, {rate:,} orders a second, BEFORE_SEND, all sleep: with the standby, "
                       "when it is killed, and after", OUTAGE,
                       ["--sessions", str(SESSIONS), "--rate", str(rate), "--block", *time], (options.server_core,),
                       sessions=SESSIONS, is_outage=True)


def orders_before_kill(scenario, seconds):
    """How many messages the primary reads in a turn before its standby is killed: Logons and the warm-up, too."""
    rate = int(scenario.load[scenario.load.index("--rate") + 1])
    return int(scenario.sessions * (1 + tail.WARM_UP) + KILL_AFTER * rate * seconds)


def show(scenario):
    """The scenario's table: of each percentile the median of the rounds (least-most)."""
    since = "due" if scenario.latency == "response" else "written"
    print(f"\n{scenario.name}: {scenario.about}")
    print(f"  {f'us since {since}':21}" + "".join(f"{title:>27}" for title, _ in COLUMNS) +
          f"{'CPU us an order':>27}{'the replica':>27}{'thousand/s':>12}")
    for name in scenario.turns:
        cells = [spread(rounds_of(scenario, name, scenario.latency, key)) for _, key in COLUMNS]
        # Of a loop that spins the processor time says nothing.
        cells += [spread([] if scenario.spins else values_of(scenario, name, figure)) for figure in ("server_cpu", "standby_cpu")]
        rate = values_of(scenario, name, "rate")
        print(f"  {name:21}" + "".join(f"{cell:>27}" for cell in cells) +
              f"{statistics.median(rate) / 1e3 if rate else 0:12.1f}")


def values_of(scenario, name, figure, percentile="median"):
    """A figure in each round, of a contender that may not have it."""
    if scenario is None or figure not in (scenario.turns.get(name) or [{}])[0]:
        return ()
    return tuple(turn[figure][percentile] for turn in scenario.turns[name])


def added(scenario, name, without):
    """Nanoseconds of the median round trip beyond that of `without`, in each round."""
    return tuple(mine - other for mine, other in zip(values_of(scenario, name, "service"),
                                                     values_of(scenario, without, "service")))


def added_goals(scenario, way, held):
    raw = added(scenario, replicas.RAW_REPLICATED, replicas.RAW_ALONE)
    yield goal(f"{way}: added to a round trip by the raw loop's replica", "beside it", None, raw, "ns")
    for name, mode in replicas.MODES.items():
        mine = added(scenario, name, replicas.ALONE)
        yield goal(f"{way}: added by {mode}", "beside it", None, mine, "ns")
        if name == BEFORE_SEND:
            yield goal(f"{way}: added by {mode}, beside the raw loop's", f"<= raw + {ADDED_MAX_NS} ns" if held else "beside it, - raw",
                       ADDED_MAX_NS if held else None, tuple(one - other for one, other in zip(mine, raw)), "ns")


def wait_goal(rate, outage):
    """The longest wait of an order when the standby is killed. It is judged where the machine's own waits are below the limit."""
    waits = tuple(ns / 1e3 for ns in values_of(outage, AT_THE_KILL, "response", "max"))
    before = values_of(outage, ALIVE, "response", "max")
    own_us = statistics.median(before) / 1e3 if before else 0
    quiet = own_us < WAIT_MAX_US
    return goal(f"{rate:,}/s: longest wait when the standby is killed",
                f"<= {WAIT_MAX_US} us" if quiet else f"beside {own_us:.0f} us with it", WAIT_MAX_US if quiet else None, waits, "us")


def goals(by_name):
    """Every goal's row. `by_name`: scenarios with their turns."""
    judged = [*added_goals(by_name.get("one_at_a_time_spin"), "spinning", True),
              *added_goals(by_name.get("one_at_a_time_sleep"), "sleeping", False)]
    for percentile in ("median", "p99"):
        sleep = by_name.get("one_at_a_time_sleep")
        judged.append(goal(f"sleeping: {percentile} of an order in BEFORE_SEND, to a NATS JetStream R3 publish",
                           "beside it, x NATS", None, ratios(values_of(sleep, BEFORE_SEND, "service", percentile),
                                                             values_of(sleep, jetstream.NAME, "service", percentile))))
    for per_write in PER_WRITE:
        flood = by_name.get(f"flood_{per_write}")
        alone = values_of(flood, replicas.ALONE, "server_cpu")
        for name, mode in replicas.MODES.items():
            held = name == BEFORE_SEND
            judged.append(goal(f"processor time an order, {per_write} to a write: {mode}",
                               f"<= {CPU_MAX} x alone" if held else "beside it, x alone", CPU_MAX if held else None,
                               ratios(values_of(flood, name, "server_cpu"), alone)))
        judged.append(goal(f"processor time an order, {per_write} to a write: the standby's", "beside it, x alone", None,
                           ratios(values_of(flood, BEFORE_SEND, "standby_cpu"), alone)))
        judged.append(goal(f"processor time an order, {per_write} to a write: the raw loop with a replica", "beside it, x alone",
                           None, ratios(values_of(flood, replicas.RAW_REPLICATED, "server_cpu"),
                                        values_of(flood, replicas.RAW_ALONE, "server_cpu"))))
    for rate in RATES:
        outage = by_name.get(f"outage_{rate}")
        judged.append(goal(f"{rate:,}/s: p99 with the standby dead", f"<= {OUTAGE_P99_MAX} x with it", OUTAGE_P99_MAX,
                           ratios(values_of(outage, DEAD, "response", "p99"), values_of(outage, ALIVE, "response", "p99"))))
        judged.append(wait_goal(rate, outage))
    return judged
