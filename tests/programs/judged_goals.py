# SPDX-License-Identifier: MIT
"""Goals of comparisons, as tests meet them: they say nothing about times, only that a verdict is that of the figure."""

import re
import unittest


class JudgedGoals(unittest.TestCase):
    def assert_judged_by_what_was_measured(self, row):
        """`row` of goals.csv. As printed, a figure on the limit may be a little more or less."""
        limit = re.match(r"<= (?:raw \+ )?([\d.]+) ", row["goal"])
        measured = float(row["measured"].split()[0])
        if not limit:
            self.assertEqual(row["holds"], "not judged", row)
        elif measured != float(limit[1]):
            self.assertEqual(row["holds"], "holds" if measured < float(limit[1]) else "does not", row)
