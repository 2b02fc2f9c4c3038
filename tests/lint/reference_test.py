# SPDX-License-Identifier: MIT
"""docs/reference/configuration.md and the importer name only keys of the configuration's tables, the page all of them."""

import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TABLES = [*(ROOT / "src/config").glob("*_keys.cpp"), *(ROOT / "src/config").glob("configuration_keys_*.cpp")]
PAGE = ROOT / "docs/reference/configuration.md"
IMPORTER = ROOT / "tools/affix/import_quickfix"


def names_of(rows):
    """Names in the rows of the tables; `rows` is the pattern of the types of rows."""
    text = "".join(table.read_text() for table in TABLES)
    return set(re.findall(rf'\b(?:{rows})\{{\s*"(\w+)"', text))


class ConfigurationReference(unittest.TestCase):
    def test_the_importer_writes_only_keys_that_exist(self):
        text = "".join(source.read_text() for source in sorted(IMPORTER.glob("*.cpp")))
        written = set(re.findall(r'\b(?!rules\.)\w+\.set\(\s*"(\w+)"', text))
        self.assertGreater(len(written), 30)
        self.assertEqual(sorted(written - names_of("Key") - {"type"}), [])

    def test_page_and_program_name_the_same_keys(self):
        program = names_of("Key|AbsentKey|ForeignKey")
        page = set(re.findall(r"^\| `(\w+)` \|", PAGE.read_text(), re.MULTILINE))
        self.assertGreater(len(program), 40)
        self.assertEqual(sorted(program - page), [], "keys that the page lacks")
        self.assertEqual(sorted(page - program), [], "keys that the program does not know")


if __name__ == "__main__":
    unittest.main()
