# SPDX-License-Identifier: MIT
"""verify_claims.py: every figure of the README has a measurement, and a claim that is not so is told. Nothing is measured."""

import re
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import verify_claims
from claims.measuring import median_of
from claims.readme import read_claims

TOLERANCE = 0.25


def claims_of(text):
    with tempfile.NamedTemporaryFile("w", suffix=".md", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        return read_claims(Path(file.name))


def exactly_as_claimed(claims):
    """Medians of a machine on which everything is as the README says."""
    medians = {}
    for claim in claims:
        key = (claim.source.program, claim.source.benchmark)
        medians[(*key, claim.source.ours)] = [claim.ours] * 3
        if claim.reference:
            medians[(*key, claim.source.reference)] = [claim.reference] * 3
    return medians


class VerifyClaims(unittest.TestCase):
    def setUp(self):
        self.readme = (ROOT / "README.md").read_text(encoding="utf-8")
        self.claims = claims_of(self.readme)

    def verdicts(self, claims, medians):
        factor = verify_claims.machine_factor(claims, medians)
        return [verify_claims.judge(claim, medians, factor, TOLERANCE)[2] for claim in claims]

    def test_the_readme_as_it_is(self):
        self.assertGreater(len(self.claims), 20)
        self.assertEqual(set(self.verdicts(self.claims, exactly_as_claimed(self.claims))), {"holds"})

    def test_a_slower_machine_is_no_fault(self):
        medians = {key: [3 * value for value in values] for key, values in exactly_as_claimed(self.claims).items()}
        self.assertEqual(set(self.verdicts(self.claims, medians)), {"holds"})

    def test_each_false_claim_is_told(self):
        medians = exactly_as_claimed(self.claims)
        for number, claim in enumerate(self.claims):
            better = [*self.claims]
            better[number] = claim.__class__(claim.what, claim.source, claim.ours / 2, claim.reference, claim.unit)
            verdicts = self.verdicts(better, medians)
            self.assertEqual(verdicts.pop(number), "FALSE", claim)
            self.assertEqual(set(verdicts), {"holds"}, claim)

    def test_a_figure_without_measurement_is_refused(self):
        row = next(line for line in self.readme.splitlines() if line.startswith("| framing alone"))
        for wrong in (row + "\n| think of an order | 1 | 1 | |", "", row.replace("3.1", "2.9 / 3.1 / 6.9", 1)):
            with self.assertRaises(SystemExit):
                claims_of(self.readme.replace(row, wrong))

    def test_evidence_that_is_reworded_is_refused(self):
        with self.assertRaises(SystemExit):
            claims_of(re.sub(r"QuickFIX parses it in [\d,]+ ns", "QuickFIX is slower", self.readme))

    def test_a_kernel_that_this_machine_lacks_is_not_false(self):
        medians = {key: values for key, values in exactly_as_claimed(self.claims).items() if "avx512" not in key[2]}
        verdicts = self.verdicts(self.claims, medians)
        self.assertIn("- not on this machine", verdicts)
        self.assertNotIn("FALSE", " ".join(verdicts))

    def test_what_was_not_measured_is_false(self):
        medians = exactly_as_claimed(self.claims)
        claim = next(claim for claim in self.claims if claim.source.program == "session")
        del medians[(claim.source.program, claim.source.benchmark, claim.source.ours)]
        self.assertIsNone(median_of(medians, claim.source, claim.source.ours))
        self.assertIn("FALSE: no figure", self.verdicts(self.claims, medians))


if __name__ == "__main__":
    unittest.main()
