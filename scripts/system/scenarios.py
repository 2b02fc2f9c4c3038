# SPDX-License-Identifier: MIT
"""Scenarios of the system benchmarks: the number of clients, their messages, and the figures that are shown."""

from dataclasses import dataclass, field

from system import contenders

SPINNING = ("raw_spin", "affix_spin", "affix_spin_uring", "quickfix_file", "quickfix_memory")
BLOCKING = ("raw_block", "affix_block", "affix_block_uring", "quickfix_file", "quickfix_memory")
EVERYBODY = ("raw_block", "affix_block", "affix_block_uring", "raw_spin", "affix_spin", "affix_spin_uring",
             "quickfix_file", "quickfix_memory")
# In FIX.4.4, which all engines for Java speak.
ENGINES_ASLEEP = ("raw_block", "raw_stored", "affix_44", "affix_44_memory", "quickfixj_file", "quickfixj_memory", "artio",
                  "philadelphia")
ENGINES_SPINNING = ("raw_spin", "affix_44_spin", "affix_44_memory_spin", "philadelphia_spin")
FIX44 = ["--begin-string", "FIX.4.4"]
# Of each turn: a machine that compiles what runs often must have had the occasion.
JAVA_WARM_UP = 20_000
FLOODED = ("raw_block", "raw_stored", *EVERYBODY[1:], "affix_two_workers")
CLIENTS = (2, 4, 6, 8, 32)
GOAL_CLIENTS = (8, 32)
ORDERS_A_WRITE = (10, 100)
RATES = (1_000, 10_000, 50_000)
WINDOW = 2048
# So much for one worker and for two; a third of what one takes here.
WORKERS_RATE = 200_000
# User and system time are separated by the clock tick, so that a turn needs a second of processor time.
WORKERS_SECONDS = 6.0


@dataclass
class Scenario:
    name: str
    about: str
    sessions: int
    load: list           # Arguments of `affix-lab bench load` beside target and sessions.
    kinds: tuple         # Contenders, in the order of the table.
    figures: list        # Rows of the load generator that are shown and kept.
    is_goal: bool = False    # Needed for the table of goals, so in every mode.
    seconds: float = 1.0     # Of a turn, times what the options say.
    warm_up: int = 1000
    by_count: bool = False   # Takes --messages instead of a time.
    has_curve: str = ""      # The latency whose percentile curve is kept.
    turns: dict = field(default_factory=dict)   # Contender -> rows by benchmark, a round each.
    curves: dict = field(default_factory=dict)  # Contender -> [(fraction, ns)...], a round each.


def all_scenarios():
    """In the order in which they run and are shown."""
    yield Scenario("round_trip_spin", "one order at a time, the generator spins", 1, ["--window", "1", "--spin"],
                   SPINNING, ["service"], is_goal=True, has_curve="service")
    yield Scenario("round_trip_block", "one order at a time, the generator sleeps in the kernel", 1,
                   ["--window", "1", "--block"], BLOCKING, ["service"], is_goal=True, has_curve="service")
    for sessions in CLIENTS:
        for per_write in ORDERS_A_WRITE:
            yield Scenario(f"server_{sessions}x{per_write}",
                           f"{sessions} clients send as much as is answered, {per_write} orders to a write", sessions,
                           ["--per-write", str(per_write), "--window", str(WINDOW)],
                           FLOODED, ["server_cpu", "server_cpu_messages", "rate"],
                           is_goal=sessions in GOAL_CLIENTS, by_count=True)
    yield Scenario("paced_10000", "8 clients, 10,000 orders a second in all, the generator spins", 8,
                   ["--rate", "10000", "--spin"], EVERYBODY, ["response", "server_cpu_messages"], is_goal=True,
                   has_curve="response")
    for rate in RATES:
        for way, kinds in (("spin", SPINNING), ("block", BLOCKING)):
            yield Scenario(f"rate_{rate}_{way}",
                           f"one client, {rate:,} orders a second, open loop, the generator "
                           f"{'spins' if way == 'spin' else 'sleeps in the kernel'}", 1,
                           ["--rate", str(rate), f"--{way}"], (*kinds, "quickfix_file_unchecked"), ["response"],
                           is_goal=rate == 10_000, has_curve="response")
    for rate in RATES:
        yield Scenario(f"configurations_{rate}", f"one client, {rate:,} orders a second, by the server's configuration",
                       1, ["--rate", str(rate), "--spin"], ("raw_block", "raw_spin", *contenders.CONFIGURATIONS),
                       ["response"], has_curve="response")
    yield Scenario("durability_1000", "one client, 1,000 orders a second, by what stored messages survive", 1,
                   ["--rate", "1000", "--spin"], ("raw_block", *contenders.DURABILITIES), ["response"],
                   has_curve="response")
    for way, kinds in (("spin", ENGINES_SPINNING), ("block", ENGINES_ASLEEP)):
        yield Scenario(f"java_one_{way}", "one order at a time, FIX.4.4, engines for Java too; the generator "
                       f"{'spins' if way == 'spin' else 'sleeps in the kernel'}", 1,
                       ["--window", "1", f"--{way}", *FIX44], kinds, ["service"], warm_up=JAVA_WARM_UP, has_curve="service")
    yield Scenario("java_load", "8 clients send as much as is answered, 10 orders to a write, FIX.4.4, engines for "
                   "Java too", 8, ["--per-write", "10", "--window", str(WINDOW), *FIX44], ENGINES_ASLEEP,
                   ["server_cpu", "server_cpu_messages", "rate"], warm_up=JAVA_WARM_UP, by_count=True)
    yield Scenario("workers", f"8 clients, {WORKERS_RATE:,} orders a second, 10 to a write: one worker and two", 8,
                   ["--rate", str(WORKERS_RATE), "--per-write", "10", "--block"],
                   ("raw_block", "affix_block", "affix_two_workers", "affix_beside_load", "affix_two_beside_load"),
                   ["server_user", "server_system", "server_cpu_messages"], is_goal=True, seconds=WORKERS_SECONDS)
