# SPDX-License-Identifier: MIT
"""The comparison of tails: its scenarios, its tables, and its goals."""

import statistics
from dataclasses import dataclass, field

from system import contenders
from system.goals import Goal

SLEEPING = ("raw_block", "affix_memory", "affix_process", "affix_group", "quickfix_file", "quickfix_memory")
SPINNING = ("raw_spin", "affix_memory_spin", "affix_process_spin", "affix_group_spin")
EVERYBODY = (*SLEEPING, *SPINNING)
JOURNALLED = ("affix_process", "affix_group", "affix_process_spin", "affix_group_spin")
# Contenders that answer a ResendRequest.
WITH_SESSIONS = tuple(kind for kind in EVERYBODY if kind not in contenders.RAW)
SESSIONS = 8
RATES = (1_000, 10_000, 50_000)
# The rate of what happens beside something else.
USUAL_RATE = 10_000
STEADY = f"steady_{USUAL_RATE}"
AFTER_BURST_SECONDS = 2
PER_WRITE = (10, 100)
WINDOW = 2048
WARM_UP = 500
FREE_CORE = "_free_core"
# Of an archive's journals, so that there are many that are closed.
SEGMENT_BYTES = 4 << 20
# Seconds without an answer before orders are lost: QuickFIX answers none while it sends a million messages again.
PATIENCE = 120
# Steps of a worker that are there because clients come and go with each turn.
NOT_STEADY = ("connection", "log", "change")
# Longest time that anything but a message may delay a worker.
WAIT_MAX_US = 100
COLUMNS = (("p50", "median"), ("p90", "p90"), ("p99", "p99"), ("p99.9", "p999"), ("p99.99", "p9999"), ("max", "max"))
# Goals of processor time, by whether the machine gives free pages back, and by orders to a write.
CPU_GOALS = {True: {10: 450, 100: 450}, False: {10: 300, 100: 400}}


@dataclass
class Scenario:
    name: str
    about: str
    kinds: tuple
    load: list                # Arguments of `affix-lab bench load` beside the target.
    cores: tuple              # The server's.
    orders_before: int = 0    # Of all sessions, before what is measured.
    latency: str = "response"      # The row whose percentiles are shown: from when each order was due.
    suffix: str = ""               # After the names of the load generator's rows.
    is_archive: bool = False       # An archive is at work.
    beside: list = field(default_factory=list)   # Seconds that it was, of each turn.
    turns: dict = field(default_factory=dict)    # Contender -> rows by benchmark, a round each.
    curves: dict = field(default_factory=dict)   # Contender -> [(fraction, ns)...], a round each.
    waits: dict = field(default_factory=dict)    # Contender -> {cause: ns} of its worker's account, a round each.
    gaps: dict = field(default_factory=dict)     # Contender -> ns that a spinning loop was held up in these rounds.

    @property
    def steady(self):
        """The scenario that this one is beside: nothing but trading, on the same cores."""
        return STEADY + (FREE_CORE if self.name.endswith(FREE_CORE) else "")

    @property
    def has_steady(self):
        """Whether the scenario that this one is beside is comparable with it."""
        return self.latency == "response" and self.name != self.steady

    def figure(self, turn, name):
        """A row of one turn."""
        return turn[name + self.suffix]


def paced(rate, seconds, warm_up=WARM_UP):
    return ["--sessions", str(SESSIONS), "--rate", str(rate), "--seconds", str(seconds), "--warm-up", str(warm_up), "--spin"]


def traded(options, cores, suffix):
    """The scenarios of a server on those cores."""
    where = "the server on one core" if len(cores) == 1 else "the server on a core of its own and a free one"
    for rate in RATES:
        yield Scenario(f"steady_{rate}{suffix}", f"{SESSIONS} clients, {rate:,} orders a second; {where}", EVERYBODY,
                       paced(rate, options.seconds), cores)
    yield Scenario(f"burst{suffix}", f"{USUAL_RATE:,} orders a second, in the {AFTER_BURST_SECONDS} seconds after a burst of "
                   f"{options.burst:,} of each of {SESSIONS} clients; {where}", EVERYBODY,
                   paced(USUAL_RATE, min(AFTER_BURST_SECONDS, options.seconds), options.burst), cores,
                   orders_before=SESSIONS * options.burst)
    yield Scenario(f"archive{suffix}", f"{USUAL_RATE:,} orders a second, beside `affix journal archive` of "
                   f"{options.archive:,} orders of each of {SESSIONS} clients on the server's cores; {where}", EVERYBODY,
                   paced(USUAL_RATE, options.seconds), cores, orders_before=2 * SESSIONS * options.archive, is_archive=True)
    yield Scenario(f"resend{suffix}", f"{USUAL_RATE:,} orders a second, while one more client is sent {options.resend:,} "
                   f"messages again, and again; {where}", WITH_SESSIONS,
                   [*paced(USUAL_RATE, options.seconds), "--resending", "1", "--resend-messages", str(options.resend),
                    "--answer-timeout", str(PATIENCE)], cores, orders_before=4 * options.resend, suffix="_beside_hostile")


def all_scenarios(options):
    """In the order of a round. `options` as of scripts/compare_tail.py."""
    one = (options.server_core,)
    yield from traded(options, one, "")
    if options.free_core is not None:
        yield from traded(options, (options.server_core, options.free_core), FREE_CORE)
    for per_write in PER_WRITE:
        yield Scenario(f"flood_{per_write}", f"{SESSIONS} clients send as much as is answered, {per_write} orders to a write; "
                       "the server on one core", SLEEPING,
                       ["--sessions", str(SESSIONS), "--per-write", str(per_write), "--window", str(WINDOW), "--seconds",
                        str(options.seconds), "--warm-up", str(WARM_UP)], one, latency="service")
    yield Scenario("one_at_a_time", "one order at a time, both spinning", SPINNING,
                   ["--sessions", "1", "--window", "1", "--spin", "--seconds", str(options.seconds), "--warm-up",
                    str(WARM_UP)], one, latency="service")


def rounds_of(scenario, name, figure, percentile):
    """A contender's figure in each round; empty when it has none."""
    if scenario is None:
        return []
    return [scenario.figure(turn, figure)[percentile] for turn in scenario.turns.get(name, [])]


def ratios(mine, others):
    return tuple(one / other for one, other in zip(mine, others) if other > 0)


def spread(values):
    """Least, median and most of the rounds, of nanoseconds in microseconds."""
    def text(value):
        return f"{value / 1e3:.{0 if value >= 1e5 else 1 if value >= 1e4 else 2}f}"
    return f"{text(statistics.median(values))} ({text(min(values))}-{text(max(values))})" if values else "-"


def show(scenario, by_name):
    """The scenario's table: of each percentile the median of the rounds (least-most)."""
    latency = scenario.latency
    since = "due" if latency == "response" else "written"
    print(f"\n{scenario.name}: {scenario.about}")
    if scenario.beside:
        print(f"  the archive was at work for {min(scenario.beside):.1f} to {max(scenario.beside):.1f} s of each turn")
    print(f"  {f'us since {since}':19}" + "".join(f"{title:>27}" for title, _ in COLUMNS) +
          f"{'CPU us an order':>27}{'p99 x floor':>13}{'x steady':>10}")
    steady = by_name.get(scenario.steady)
    for name in scenario.turns:
        cells = [spread(rounds_of(scenario, name, latency, key)) for _, key in COLUMNS]
        cells.append(spread(rounds_of(scenario, name, "server_cpu", "median")))
        floor = contenders.floor_of(name, scenario.turns)
        p99 = rounds_of(scenario, name, latency, "p99")
        beside = [ratios(p99, rounds_of(scenario, floor, latency, "p99")) if floor not in (None, name) else (),
                  ratios(p99, rounds_of(steady, name, latency, "p99"))
                  if scenario.has_steady else ()]
        cells_beside = [f"{statistics.median(values):.2f}" if values else "-" for values in beside]
        print(f"  {name:19}" + "".join(f"{cell:>27}" for cell in cells) + f"{cells_beside[0]:>13}{cells_beside[1]:>10}")
    for name, rounds in scenario.waits.items():
        causes = {cause: [each[cause] for each in rounds] for cause in rounds[0]}
        listed = ", ".join(f"{cause} {spread(values)}" for cause, values in causes.items() if any(values))
        print(f"  {name:19}largest waits of the worker, us: {listed or 'none'}; a loop that spins {spread(scenario.gaps[name])}")


def rows_of(scenario, prefix="tail", figures=("rate", "server_cpu", "server_cpu_messages")):
    """Rows in the form of all benchmarks, of the latency and of those figures that a contender has. Each percentile is the
    median of that percentile over the rounds, with the least and the most of them beside it."""
    rows = []
    for name, turns in scenario.turns.items():
        for figure in (scenario.latency, *figures):
            if figure + scenario.suffix not in turns[0]:
                continue
            mine = [scenario.figure(turn, figure) for turn in turns]
            row = {"benchmark": f"{prefix}/{scenario.name}/{figure}", "contender": name, "unit": mine[0]["unit"],
                   "n": sum(each["n"] for each in mine), "rounds": len(mine)}
            for key in ("min", *(key for _, key in COLUMNS)):
                values = [each[key] for each in mine]
                row[key] = round(statistics.median(values), 3)
                row[f"{key}_least"], row[f"{key}_most"] = round(min(values), 3), round(max(values), 3)
            rows.append(row)
    return rows


def goal(row, text, limit, values, unit="x"):
    return Goal(row, text, limit, unit, statistics.median(values) if values else None, tuple(values))


def wait_goals(steady):
    """Largest waits of workers by the engine's own account. They are judged where the machine's own is below the limit."""
    # Of one that sleeps: one that spins takes the stop before its turn for a wait.
    name = "affix_process"
    waits, gaps = (steady.waits.get(name, []), steady.gaps.get(name, [])) if steady else ([], [])
    largest = [max(causes.values(), default=0) / 1e3 for causes in waits]
    gap_us = statistics.median(gaps) / 1e3 if gaps else 0
    quiet = gap_us < WAIT_MAX_US
    yield goal(f"largest wait of a worker, steady {USUAL_RATE:,}/s, sleeping",
               f"<= {WAIT_MAX_US} us" if quiet else f"beside the machine's own {gap_us:.0f} us",
               WAIT_MAX_US if quiet else None, largest, "us")


def tail_goals(by_name, suffix, what):
    """Limits of a journal on disk relative to one in memory, for servers that sleep and that spin."""
    for way, ending, floor in (("sleeping", "", "raw_block"), ("spinning", "_spin", "raw_spin")):
        ours, memory = f"affix_process{ending}", f"affix_memory{ending}"
        for rate in RATES:
            steady = by_name.get(f"steady_{rate}{suffix}")
            row = f"steady {rate:,}/s, {way}{what}"
            for title, key, limit in (("p99", "p99", 1.25), ("p99.9", "p999", 1.5)):
                yield goal(f"{row}: {title} of process, to memory", f"<= {limit} x memory", limit,
                           ratios(rounds_of(steady, ours, "response", key), rounds_of(steady, memory, "response", key)))
            yield goal(f"{row}: p99 of process, to the floor", "<= 1.5 x raw", 1.5,
                       ratios(rounds_of(steady, ours, "response", "p99"), rounds_of(steady, floor, "response", "p99")))
            yield goal(f"{row}: p99 of group, to the floor", "beside it, x raw", None,
                       ratios(rounds_of(steady, f"affix_group{ending}", "response", "p99"),
                              rounds_of(steady, floor, "response", "p99")))
        steady = by_name.get(STEADY + suffix)
        for name, limits in (("burst", (1.1, 1.5)), ("archive", (None, None)), ("resend", (None, None))):
            scenario = by_name.get(name + suffix)
            for (title, key), limit in zip((("p50", "median"), ("p99", "p99")), limits):
                yield goal(f"{name}, {way}{what}: {title} of process",
                           "beside it, x steady" if limit is None else f"<= {limit} x steady", limit,
                           ratios(rounds_of(scenario, ours, "response", key), rounds_of(steady, ours, "response", key)))


def goals(by_name, sent, gives_pages_back):
    """Every goal's row. `by_name`: scenarios with their turns. `sent`: rows of the sending client."""
    judged = [*tail_goals(by_name, "", "")]
    if any(name.endswith(FREE_CORE) for name in by_name):
        judged += tail_goals(by_name, FREE_CORE, ", a free core")
    for per_write in PER_WRITE:
        flood = by_name.get(f"flood_{per_write}")
        limit = CPU_GOALS[gives_pages_back][per_write]
        for name, held in (("affix_process", limit), ("affix_memory", None)):
            values = [mine - floor for mine, floor in zip(rounds_of(flood, name, "server_cpu", "median"),
                                                          rounds_of(flood, "raw_block", "server_cpu", "median"))]
            judged.append(goal(f"CPU an order, all threads, {per_write} to a write: {name}",
                               "beside it, - raw" if held is None else f"<= raw + {held} ns", held, values, "ns"))
    judged += wait_goals(by_name.get(STEADY))
    single = by_name.get("one_at_a_time")
    for title, key, limit in (("median", "median", 1.10), ("p99.99", "p9999", 2.0)):
        judged.append(goal(f"one order at a time, both spinning: {title} of process", f"<= {limit} x raw", limit,
                           ratios(rounds_of(single, "affix_process_spin", "service", key),
                                  rounds_of(single, "raw_spin", "service", key))))
    above = [row["median"] for row in sent if row["benchmark"] == "client_tx_above_raw" and row["contender"] == "affix"]
    judged.append(Goal("client TX, median", "<= raw send() + 200 ns", 200, "ns", above[0] if above else None))
    return judged
