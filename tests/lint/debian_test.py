#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The Debian source package: dpkg-source builds it, lintian finds nothing in it, and it agrees with the rest of the tree."""

import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CONTROL = (ROOT / "debian/control").read_text()


def paragraphs(text):
    """The fields of each paragraph, in the form of debian/control."""
    found = []
    for paragraph in re.split(r"\n\n+", text.strip()):
        fields = re.findall(r"^(\S+): *((?:.*)(?:\n .*)*)", paragraph, re.MULTILINE)
        found.append(dict(fields))
    return found


class SourcePackage(unittest.TestCase):
    def test_dpkg_source_and_lintian_accept_it(self):
        if not shutil.which("dpkg-source"):
            self.skipTest("no dpkg-source (Debian: dpkg-dev)")
        version = re.search(r"\(([0-9.]+)-", (ROOT / "debian/changelog").read_text()).group(1)
        with tempfile.TemporaryDirectory() as folder:
            tree = Path(folder) / f"affix-{version}"
            for name in ["debian", "dictionaries"]:
                shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("build", "files"))
            subprocess.run(["tar", "-czf", f"affix_{version}.orig.tar.gz", tree.name], cwd=folder, check=True)
            done = subprocess.run(["dpkg-source", "--build", tree.name], cwd=folder, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            if not shutil.which("lintian"):
                self.skipTest("no lintian")
            found = subprocess.run(["lintian", "--fail-on", "error,warning", *Path(folder).glob("*.dsc")], capture_output=True,
                                   text=True)
            self.assertEqual(found.returncode, 0, found.stdout)

    def test_version_and_abi_are_the_project_s(self):
        version = re.search(r'version = "([^"]+)"', (ROOT / "include/affix/base/version.hpp").read_text()).group(1)
        self.assertTrue((ROOT / "debian/changelog").read_text().startswith(f"affix ({version}-"))
        library = "libaffix" + ".".join(version.split(".")[:2])
        self.assertIn(library, [paragraph.get("Package") for paragraph in paragraphs(CONTROL)])

    def test_copyright_names_the_licence_of_each_dictionary(self):
        licence_of = {}
        for paragraph in paragraphs((ROOT / "debian/copyright").read_text()):
            for file in paragraph.get("Files", "").split():
                licence_of[file] = paragraph["License"]
        provenance = (ROOT / "dictionaries/PROVENANCE.md").read_text()
        licence_of_source = {"quickfixj": "QuickFIX-1.0", "fix-standard": "Apache-2.0"}
        sources = dict(re.findall(r"^\| `(FIX\w+\.xml)` \| ([a-z-]+)", provenance, re.MULTILINE))
        self.assertEqual(set(sources), {path.name for path in ROOT.glob("dictionaries/*.xml")})
        for name, source in sources.items():
            self.assertEqual(licence_of[f"dictionaries/{name}"], licence_of_source[source], name)

    def test_copyright_repeats_the_licences(self):
        text = re.sub(r"\n \.?", "\n", (ROOT / "debian/copyright").read_text())
        for name, begin in [("LICENSE", "Permission is"), ("dictionaries/LICENSE.QuickFIX", "Redistribution and")]:
            licence = (ROOT / name).read_text()
            words = " ".join(licence[licence.index(begin):].split())
            self.assertIn(words, " ".join(text.split()), name)


class Manual(unittest.TestCase):
    def test_page_of_affix_admin_has_every_option_and_exit_code(self):
        package = ROOT / "python/affix-admin"
        page = subprocess.run([sys.executable, "-B", "-m", "affix_admin.manual"], cwd=package, check=True, capture_output=True,
                              text=True).stdout.replace("\\-", "-")
        options = re.findall(r'add_argument\("(--[a-z-]+)"', (package / "affix_admin/cli.py").read_text())
        self.assertGreater(len(options), 5)
        for option in options:
            self.assertRegex(page, rf"(?m)^\.B {option}\b")
        for code in range(5):
            self.assertIn(f".TP\n.B {code}\n", page)


if __name__ == "__main__":
    unittest.main()
