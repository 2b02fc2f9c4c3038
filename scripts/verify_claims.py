#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures each figure of the README's tables anew, and says which claims hold.

Usage: verify_claims.py README BIN DICTIONARIES [--tolerance FRACTION]

A claim beside QuickFIX or raw TCP is a ratio, and so is its measurement: both take part in every round. It holds if the
median of the measured ratios is at least the claimed one less the tolerance (0.25). A figure that has nothing beside it is
compared with the README's after scaling by this machine's speed: the median, over all claims with QuickFIX beside them, of
QuickFIX's measured time and its time in the README.

Exit code 0: all claims hold that this machine can measure (AVX-512 is not everywhere).
"""

import argparse
import statistics
import sys
import time
from pathlib import Path

from claims.measuring import measured_programs, measured_systems, median_of, ratios
from claims.readme import read_claims


def machine_factor(claims, medians):
    """How much longer QuickFIX takes here than on the README's machine."""
    factors = [median_of(medians, claim.source, "quickfix") / claim.reference for claim in claims
               if claim.source.reference == "quickfix" and claim.reference
               and median_of(medians, claim.source, "quickfix")]
    return statistics.median(factors) if factors else 1.0


def judge(claim, medians, factor, tolerance):
    """(claim, measured, verdict) as texts; the verdict is 'holds', 'FALSE' or '- REASON'."""
    ours = median_of(medians, claim.source, claim.source.ours)
    if ours is None:
        return str(claim.ours), "", "- not on this machine" if "avx" in claim.source.ours else "FALSE: no figure"
    if claim.reference:
        measured = ratios(medians, claim.source)
        if not measured:
            return str(claim.ours), f"{ours:.4g}", "FALSE: nothing beside it"
        claimed, found = claim.reference / claim.ours, statistics.median(measured)
        reference = median_of(medians, claim.source, claim.source.reference)
        return (f"{claim.ours:g} beside {claim.reference:g} {claim.unit}: x {claimed:.3g}",
                f"{ours:.4g} beside {reference:.4g} {claim.unit}: x {found:.3g} [{min(measured):.3g}, {max(measured):.3g}]",
                "holds" if found >= claimed * (1 - tolerance) else "FALSE")
    allowed = claim.ours * factor * (1 + tolerance)
    return (f"{claim.ours:g} {claim.unit}", f"{ours:.4g} {claim.unit}, at most {allowed:.4g} here",
            "holds" if ours <= allowed else "FALSE")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("readme", type=Path)
    parser.add_argument("binaries", type=Path)
    parser.add_argument("dictionaries", type=Path)
    parser.add_argument("--tolerance", type=float, default=0.25)
    options = parser.parse_args()
    begin = time.monotonic()
    claims = read_claims(options.readme)
    sources = [claim.source for claim in claims]
    medians = {**measured_programs(options.binaries.resolve(), sources),
               **measured_systems(options.binaries.resolve(), options.dictionaries.resolve(), sources)}
    factor = machine_factor(claims, medians)
    rows = [("figure", "claim", "measured", "")]
    rows += [(claim.what, *judge(claim, medians, factor, options.tolerance)) for claim in claims]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    print()
    for row in rows:
        print(" | ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
    false = sum(row[3].startswith("FALSE") for row in rows)
    held = sum(row[3] == "holds" for row in rows)
    print(f"\nQuickFIX takes {factor:.2f} times as long here as on the README's machine; "
          f"{time.monotonic() - begin:.0f} seconds\n{held} hold, {false} do not, {len(claims) - held - false} are not measured")
    return 1 if false or not held else 0


if __name__ == "__main__":
    sys.exit(main())
