# SPDX-License-Identifier: MIT
"""The figures that the README states, read from its tables, and which measurement each one stands for."""

import re
from dataclasses import dataclass

SECTION = "<!-- figures: begin -->"


@dataclass(frozen=True)
class Source:
    """A measurement: a benchmark of a program, or a scenario of whole systems; and who takes part."""
    program: str
    benchmark: str
    ours: str
    reference: str


@dataclass(frozen=True)
class Claim:
    """One figure. With `reference` the claim is their ratio; without, the figure itself on the README's machine."""
    what: str
    source: Source
    ours: float
    reference: float | None
    unit: str


# The rows of the table of evidence that have figures: what is said, and its measurement. Figures are ours and the other's.
EVIDENCE = (
    ("round trip, both spin", r"([\d.,]+) us beside raw TCP's ([\d.,]+) us if both sides spin", "us",
     Source("system", "round_trip_spin/service", "affix_spin", "raw_spin")),
    ("round trip, both sleep", r"([\d.,]+) us beside ([\d.,]+) us if both sleep", "us",
     Source("system", "round_trip_block/service", "affix_block", "raw_block")),
    ("processor time of a server for one order", r"for one order, median: ([\d.,]+) ns; QuickFIX ([\d.,]+) ns", "ns",
     Source("system", "server_8x10/server_cpu", "affix_block", "quickfix_file")),
    ("frame, check and index, as evidence", r"169 bytes in ([\d.,]+) ns \(median\); QuickFIX parses it in ([\d.,]+) ns", "ns",
     Source("wire", "index_er169", "affix-avx512", "quickfix")),
)

# How the rows of the table of figures begin, with the benchmark of each and its contenders: columns one and two.
ROWS = (
    ("frame, check and index an ExecutionReport", "wire", "index_er169", "affix-avx512", "affix-avx2"),
    ("the same, 64 different ExecutionReports", "wire", "index_mixed64", "affix-avx512", "affix-avx2"),
    ("framing alone", "wire", "framing", "affix-avx512", "affix-avx2"),
    ("four texts by tag", "wire", "lookup4", "affix-avx512", "affix-avx2"),
    ("frame, index, and eight typed values", "wire", "typed_er", "affix-avx512", "affix-avx2"),
    ("read ten typed fields", "dictionary", "typed_read10", "affix", None),
    ("encode the NewOrderSingle", "wire", "encode_nos242", "affix-avx512", "affix-avx2"),
    ("the same prepared, four fields patched", "wire", "prepared_nos242", "affix-avx512", "affix-avx2"),
    ("index an order of 212 bytes and validate it", "dictionary", "validate_nos", "affix", None),
    ("the same of a report with 30 fields", "dictionary", "validate_er30", "affix", None),
    ("receive an ExecutionReport", "session", "session_receive_er248", "affix", None),
    ("send a NewOrderSingle", "session", "session_send_nos", "affix-process", None),
    ("the same prepared, journal in memory", "session", "session_send_nos", "affix-prepared", None),
)


def number(text):
    return float(text.replace(",", ""))


def evidence(text):
    for what, pattern, unit, source in EVIDENCE:
        found = re.search(pattern, text)
        if not found:
            raise SystemExit(f"verify: the README does not state '{what}' as /{pattern}/ any more: change scripts/claims")
        yield Claim(what, source, number(found[1]), number(found[2]), unit)


def cell_number(cell):
    """The figure of a cell such as `41` or `1636 (parse)`, or None if it is empty."""
    if not cell:
        return None
    found = re.fullmatch(r"([\d.,]+)(?: \([a-z ]+\))?", cell)
    if not found:
        raise SystemExit(f"verify: '{cell}' in the README's figures is not one median")
    return number(found[1])


def figures(text):
    table = text.partition(SECTION)[2]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()
            if line.startswith("| ") and not line.startswith("| operation")]
    for cells in rows:
        known = [row for row in ROWS if cells[0].startswith(row[0])]
        if len(known) != 1:
            raise SystemExit(f"verify: nothing measures the README's row '{cells[0]}': add it to scripts/claims")
        _, program, benchmark, *ours = known[0]
        reference = cell_number(cells[3])
        for contender, cell in zip(ours, cells[1:3]):
            figure = cell_number(cell)
            if (figure is None) != (contender is None):
                raise SystemExit(f"verify: the columns of the README's row '{cells[0]}' are not those that are measured")
            if figure is not None:
                name = f"{cells[0]}"[:52] + (" (AVX2)" if contender.endswith("avx2") else "")
                yield Claim(name[:60], Source(program, benchmark, contender, "quickfix"), figure, reference, "ns")
    if len(rows) != len(ROWS):
        raise SystemExit(f"verify: the README has {len(rows)} rows of figures, {len(ROWS)} are measured")


def read_claims(path):
    text = path.read_text(encoding="utf-8")
    return [*evidence(text), *figures(text)]
