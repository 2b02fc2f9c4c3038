# SPDX-License-Identifier: MIT
"""docs/reference/configuration.md names every configuration key of the engine's tables, and no key they lack."""

import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TABLES = [*(ROOT / "src/config").glob("*_keys.cpp"), *(ROOT / "src/config").glob("configuration_keys_*.cpp")]
PAGE = ROOT / "docs/reference/configuration.md"


class ConfigurationReference(unittest.TestCase):
    def test_page_and_program_name_the_same_keys(self):
        text = "".join(table.read_text() for table in TABLES)
        program = set(re.findall(r'(?:(?:Key|AbsentKey|ForeignKey)\{|choice<[^()]*>\()\s*"(\w+)"', text))
        page = set(re.findall(r"^\| `(\w+)` \|", PAGE.read_text(), re.MULTILINE))
        self.assertGreater(len(program), 40)
        self.assertEqual(sorted(program - page), [], "keys that the page lacks")
        self.assertEqual(sorted(page - program), [], "keys that the program does not know")


if __name__ == "__main__":
    unittest.main()
