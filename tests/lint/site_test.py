# SPDX-License-Identifier: MIT
"""The making of the site's pages: links that leave docs/ lead to pages of the site, code stays as it is, and the walk over
the built site finds what is wrong."""

import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

import check_site  # noqa: E402
import make_site  # noqa: E402


class Pages(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.site = make_site.Site(Path(self.folder.name))

    def test_links_lead_to_pages_of_the_site(self):
        guide = ROOT / "docs/guide/README.md"
        self.assertEqual(self.site.link(guide, "first_session.md"), "first_session.md")
        self.assertEqual(self.site.link(guide, "../../README.md#figures"), "../index.md#figures")
        self.assertEqual(self.site.link(guide, "../../examples/01_decode.cpp"), "../tree/examples/01_decode.cpp.md")
        self.assertEqual(self.site.link(ROOT / "README.md", "docs/guide/README.md"), "guide/README.md")
        self.assertEqual(self.site.link(guide, "../../ARCHITECTURE.md"), "../project/ARCHITECTURE.md")
        self.assertEqual(self.site.link(guide, "#here"), "#here")
        self.assertEqual(self.site.faults, [])
        self.site.link(guide, "nowhere.md")
        self.assertEqual(len(self.site.faults), 1)

    def test_code_is_not_touched(self):
        page = Path(self.folder.name) / "docs_page.md"
        page.write_text("# T\n\ntext:\n- item\n\n```\na(b) [x](nowhere)\n- no item\n```\n\n| `a\\|b` |\n|---|\n")
        text = self.site.text(page)
        self.assertIn("text:\n\n- item\n", text)
        self.assertIn("```\na(b) [x](nowhere)\n- no item\n```", text)
        self.assertIn("| <code>a&#124;b</code> |", text)
        self.assertEqual(self.site.faults, [])

    def test_every_page_is_named_by_its_folders_map(self):
        for _, folder in make_site.SECTIONS:
            make_site.section_menu(self.site, folder)
        self.assertEqual(self.site.faults, [])


class Walk(unittest.TestCase):
    def faults(self, html):
        with tempfile.TemporaryDirectory() as folder:
            site = Path(folder)
            (site / "sub").mkdir()
            (site / "sub/b.html").write_text('<h1 id="there">x</h1>')
            (site / "a.html").write_text(html)
            walk = check_site.Walk(site.resolve())
            walk.walk()
            return walk.faults

    def test_right_links_pass(self):
        self.assertEqual(self.faults('<a id="me" href="sub/b.html#there">x</a><a href="#me">y</a><a href="/sub/b.html">z</a>'
                                     '<a href="https://example.org/">w</a><link rel="canonical" href="https://example.org/">'), [])

    def test_wrong_ones_are_reported(self):
        self.assertIn("leads nowhere", self.faults('<a href="sub/c.html">x</a>')[0])
        self.assertIn("names nothing", self.faults('<a href="sub/b.html#here">x</a>')[0])
        self.assertIn("from the network", self.faults('<script src="https://example.org/x.js"></script>')[0])
        self.assertIn("from the network", self.faults('<link rel="stylesheet" href="//example.org/x.css">')[0])


if __name__ == "__main__":
    unittest.main()
