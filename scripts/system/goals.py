# SPDX-License-Identifier: MIT
"""The table of goals: the figure of each row, its limit relative to the floor or a rival, and whether a run kept it. A
figure is a median over rounds of ratios (or differences) within a round."""

import statistics
from dataclasses import dataclass

QUICKFIX = "quickfix_file"


@dataclass
class Goal:
    row: str
    goal: str      # As it is read: `<= 1.10 x raw`.
    limit: float   # At most so much; None: shown beside another row, not judged.
    unit: str      # After the measured number: "x" or "ns".
    measured: object = None   # None: the run did not measure it.
    rounds: tuple = ()        # The same of each round, where that is shown.

    @property
    def verdict(self):
        if self.measured is None:
            return "not measured"
        if self.limit is None:
            return "not judged"
        return "holds" if self.measured <= self.limit else "does not"

    def cells(self):
        digits = 3 if self.unit == "x" else 0
        measured = "-" if self.measured is None else f"{self.measured:.{digits}f} {self.unit}"
        if self.rounds:
            measured += f" ({min(self.rounds):.{digits}f} to {max(self.rounds):.{digits}f})"
        return self.row, self.goal, measured, self.verdict


def over_rounds(scenario, name, other, figure, percentile, combine):
    """The median over rounds of `combine(ours, theirs)`, or None when one of both is not there."""
    if scenario is None or name not in scenario.turns or other not in scenario.turns:
        return None
    pairs = [(mine[figure][percentile], theirs[figure][percentile])
             for mine, theirs in zip(scenario.turns[name], scenario.turns[other])
             if figure in mine and figure in theirs]
    values = [combine(mine, theirs) for mine, theirs in pairs if theirs > 0]
    return statistics.median(values) if values else None


def ratio(scenario, name, other, figure, percentile="median"):
    return over_rounds(scenario, name, other, figure, percentile, lambda mine, theirs: mine / theirs)


def difference(scenario, name, other, figure):
    return over_rounds(scenario, name, other, figure, "median", lambda mine, theirs: mine - theirs)


def two_beside_load(scenario):
    """User time of two workers, one of which has the load's core, by the mean of one worker's on either core."""
    kinds = ("affix_two_beside_load", "affix_block", "affix_beside_load")
    if scenario is None or any(kind not in scenario.turns for kind in kinds):
        return None
    rounds = zip(*([turn["server_user"]["median"] for turn in scenario.turns[kind]] for kind in kinds))
    values = [two / ((own + beside) / 2) for two, own, beside in rounds if own + beside > 0]
    return statistics.median(values) if values else None


def server_rows(scenarios):
    for sessions in (8, 32):
        for per_write in (10, 100):
            scenario = scenarios.get(f"server_{sessions}x{per_write}")
            what = f"server, {sessions} clients, {per_write} to a write"
            yield Goal(f"{what}: processor time an order", "<= raw + 300 ns", 300, "ns",
                       difference(scenario, "affix_block", "raw_block", "server_cpu"))
            yield Goal(f"{what}: the same without preparing journals", "beside it", None, "ns",
                       difference(scenario, "affix_block", "raw_block", "server_cpu_messages"))
            yield Goal(f"{what}: the raw loop that copies all bytes into files", "beside it", None, "ns",
                       difference(scenario, "raw_stored", "raw_block", "server_cpu"))
            yield Goal(f"{what}: with io_uring", "beside it", None, "ns",
                       difference(scenario, "affix_block_uring", "raw_block", "server_cpu"))
            if per_write == 100:
                yield Goal(f"{what}: processor time beside QuickFIX", "<= 1/45 of QuickFIX", 1 / 45, "x",
                           ratio(scenario, "affix_block", QUICKFIX, "server_cpu"))


def client_tx_rows(rows):
    """`rows`: of the sending client."""
    times = {row["contender"]: row for row in rows if row["benchmark"] == "client_tx"}
    above = {row["contender"]: row["median"] for row in rows if row["benchmark"] == "client_tx_above_raw"}

    def tail(name):
        return times[name]["p999"] - times[name]["median"] if name in times else None

    yield Goal("client TX, median", "<= raw send() + 120 ns", 120, "ns", above.get("affix"))
    yield Goal("client TX, prepared, median", "beside it", None, "ns", above.get("affix_prepared"))
    yield Goal("client TX of a raw sender that reads the clock and copies the bytes into a file", "beside it", None, "ns",
               above.get("raw_stored"))
    yield Goal("client TX, p99.9 - p50", "<= 1.10 x raw", 1.10, "x", tail("affix") / tail("raw") if tail("raw") else None)


def table(scenarios, sent, rested):
    """All rows. `scenarios`: by name, with their turns; `sent`, `rested`: rows of the sending client and of sessions at
    rest, empty when they were not measured."""
    idle_bytes = next((row["median"] for row in rested if row["benchmark"] == "idle/one_more_session"), None)
    spin, block = scenarios.get("round_trip_spin"), scenarios.get("round_trip_block")
    rate_spin, rate_block = scenarios.get("rate_10000_spin"), scenarios.get("rate_10000_block")
    paced, workers = scenarios.get("paced_10000"), scenarios.get("workers")
    return [
        *client_tx_rows(sent),
        Goal("round trip, both spin, median", "<= 1.10 x raw", 1.10, "x", ratio(spin, "affix_spin", "raw_spin", "service")),
        Goal("round trip, both spin, p99", "<= 1.20 x raw", 1.20, "x",
             ratio(spin, "affix_spin", "raw_spin", "service", "p99")),
        Goal("round trip, both spin, io_uring, median", "beside it", None, "x",
             ratio(spin, "affix_spin_uring", "raw_spin", "service")),
        Goal("round trip, both sleep, median", "<= 1.10 x raw", 1.10, "x",
             ratio(block, "affix_block", "raw_block", "service")),
        *server_rows(scenarios),
        Goal("8 clients at 10,000/s, spinning, median", "<= 1.10 x raw", 1.10, "x",
             ratio(paced, "affix_spin", "raw_spin", "response")),
        Goal("two workers, user time an order", "<= 1.10 x one worker", 1.10, "x",
             ratio(workers, "affix_two_workers", "affix_block", "server_user")),
        Goal("the same, one of them on the load's core", "beside one's on either core", None, "x", two_beside_load(workers)),
        Goal("10,000/s, both sleep, median", "<= 1.10 x raw", 1.10, "x",
             ratio(rate_block, "affix_block", "raw_block", "response")),
        Goal("10,000/s, both sleep, median beside QuickFIX", "<= 0.80 of QuickFIX", 0.80, "x",
             ratio(rate_block, "affix_block", QUICKFIX, "response")),
        Goal("10,000/s, spinning, median beside QuickFIX", "<= 1/6 of QuickFIX", 1 / 6, "x",
             ratio(rate_spin, "affix_spin", QUICKFIX, "response")),
        Goal("10,000/s, spinning, p99 beside QuickFIX", "<= 1/6 of QuickFIX", 1 / 6, "x",
             ratio(rate_spin, "affix_spin", QUICKFIX, "response", "p99")),
        Goal("session at rest, memory beyond its socket", "<= 16384 bytes", 16384, "bytes", idle_bytes),
    ]


def show(goals):
    rows = [("row", "goal", "measured", "holds?"), *(goal.cells() for goal in goals)]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    for row in rows:
        print("  " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
