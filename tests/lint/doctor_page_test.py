# SPDX-License-Identifier: MIT
"""Each finding of `affix doctor` has its paragraph in the operations handbook, and each paragraph its finding."""

import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "tools/affix/doctor"
PAGE = ROOT / "docs/guide/operations.md"


class DoctorPage(unittest.TestCase):
    def test_page_and_program_have_the_same_findings(self):
        text = "".join(source.read_text() for source in sorted(SOURCES.glob("*.cpp")))
        program = set(re.findall(r'\b(?:fine|unknown|costs)\(\s*"([a-z-]+)"', text))
        section = PAGE.read_text().split("## What `affix doctor` finds\n")[1].split("\n## ")[0]
        page = set(re.findall(r"^### ([a-z-]+)\n\n\S", section, re.MULTILINE))
        self.assertGreater(len(program), 20)
        self.assertEqual(sorted(program - page), [], "findings without a paragraph")
        self.assertEqual(sorted(page - program), [], "paragraphs without a finding")


if __name__ == "__main__":
    unittest.main()
