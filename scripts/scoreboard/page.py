# SPDX-License-Identifier: MIT
"""The page of the scoreboard, between its two marks: engines, what each passes, and each failure with its bytes."""

from scoreboard.hostile import KINDS

BEGIN, END = "<!-- scoreboard: begin -->", "<!-- scoreboard: end -->"
MARKS = {"passed": "ok", "failed": "**fails**", "left": "-"}
BYTES_MAX = 400


def count(engine, result):
    return sum(row["result"] == result for row in engine["scenarios"].values())


def table(head, rows):
    return ["| " + " | ".join(head) + " |", "|" + "---|" * len(head), *("| " + " | ".join(row) + " |" for row in rows), ""]


def engine_rows(board):
    for engine in board.values():
        judged = count(engine, "passed") + count(engine, "failed")
        adapter = f", [adapter](../../{engine['adapter']})" if engine["adapter"] else ""
        yield (engine["title"], engine["version"], f"{count(engine, 'passed')} of {judged}", str(count(engine, "left")),
               f"{engine['origin']}{adapter}", engine["settings"])


def scenario_rows(board, scenarios):
    for scenario in scenarios:
        yield (scenario.id, scenario.title, scenario.source,
               *(MARKS[engine["scenarios"][scenario.id]["result"]] for engine in board.values()))


def hostile_cell(row):
    if row["ended"]:
        return "its process ended"
    growth = (row["memory_kib"][1] - row["memory_kib"][0]) // 1024 if None not in row["memory_kib"] else 0
    return ("served" if row["served"] else "not served") + (f", +{growth} MiB" if growth >= 16 else "")


def hostile_rows(board):
    for kind, peers in KINDS.items():
        what = " ".join((peers.__doc__ or "").split()).rstrip(".") or {
            "silent": "100 connections that send nothing", "half Logons": "50 connections that send half a Logon",
            "giant lengths": "20 connections that announce 2 GiB"}[kind]
        yield (f"{kind}: {what.split(';')[0]}", *(hostile_cell(engine["hostile"][kind]) for engine in board.values()))


def failures(board, scenarios):
    lines = []
    for engine in board.values():
        failed = [scenario for scenario in scenarios if engine["scenarios"][scenario.id]["result"] == "failed"]
        left = {}
        for scenario in scenarios:
            row = engine["scenarios"][scenario.id]
            if row["result"] == "left":
                left.setdefault(row["reason"], []).append(scenario.id)
        if not failed and not left:
            continue
        lines += [f"### {engine['title']} {engine['version']}", ""]
        lines += [f"Not judged, as {reason}: {', '.join(ids)}." for reason, ids in left.items()]
        lines += [""] if left else []
        for scenario in failed:
            row = engine["scenarios"][scenario.id]
            lines += [f"{scenario.id}, {scenario.title} ({scenario.source}):", "", "```"]
            lines += [text[:BYTES_MAX] for text in (*row["trace"], *row["fault"])] + ["```", ""]
    return lines


def text_of(board, scenarios, absent=()):
    names = [engine["title"] for engine in board.values()]
    return "\n".join([
        *table(("engine", "version", "passes", "not judged", "from", "settings"), engine_rows(board)),
        *(f"Not played in this run: {reason.splitlines()[0].split(': [')[0]}.\n" for reason in absent),
        "## Scenarios", "", *table(("id", "the engine", "source", *names), scenario_rows(board, scenarios)),
        "## Beside hostile peers", "",
        "An ordinary session logs on and has its TestRequest answered, or not, while others misbehave for four seconds. The",
        "standard asks for nothing here. Memory is named if the process grew by 16 MiB or more.", "",
        *table(("beside", *names), hostile_rows(board)),
        "## What failed, with the bytes", "",
        "`>` was sent to the engine, `<` came from it, `|` stands for SOH; then what was expected and what came.", "",
        *failures(board, scenarios)])


def write(path, board, scenarios, absent):
    text = path.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    path.write_text(f"{before}{BEGIN}\n{text_of(board, scenarios, absent)}{END}{after}", encoding="utf-8")
