#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Releases made of a copy of this tree: every file, checksum and statement agrees with the bytes, and a checkout that may not
be released is refused with every reason."""

import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VERSION = "9.8.7"


def git(folder, *arguments):
    identity = ["-c", "user.name=Test", "-c", "user.email=test@affix.invalid"]
    return subprocess.run(["git", *identity, "-C", folder, *arguments], check=True, capture_output=True, text=True).stdout.strip()


class Release(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """A checkout of what this tree holds now, committed, with a version of its own in the changelog."""
        cls.work = Path(tempfile.mkdtemp())
        cls.tree = cls.work / "tree"
        for name in ["include", "src", "scripts", "dictionaries", "debian", "LICENSE", "CHANGELOG.md"]:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, cls.tree / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copyfile(source, cls.tree / name)
        header = cls.tree / "include/affix/base/version.hpp"
        text = header.read_text()
        version = text.split('version = "')[1].split('"')[0]
        header.write_text(text.replace(f'"{version}"', f'"{VERSION}"'))
        changes = cls.tree / "CHANGELOG.md"
        changes.write_text(changes.read_text().replace("## Unreleased", f"## {VERSION}", 1))
        packaged = cls.tree / "debian/changelog"
        packaged.write_text(packaged.read_text().replace(f"({version}-", f"({VERSION}-", 1))
        git(cls.work, "init", "--quiet", "--initial-branch=main", cls.tree)
        git(cls.tree, "add", "--all")
        git(cls.tree, "commit", "--quiet", "--message", "A release")
        cls.packages = cls.work / "packages"
        cls.packages.mkdir()
        (cls.packages / "affix-tools_9.8.7-1_amd64.deb").write_bytes(b"a package")
        cls.python = cls.work / "python"
        for name in [f"wheels/affix-{VERSION}-cp311-cp311-manylinux_2_28_x86_64.whl",
                     "wheels/affix-9.8.6-cp311-cp311-manylinux_2_28_x86_64.whl", f"sdist/affix-{VERSION}.tar.gz"]:
            (cls.python / name).parent.mkdir(parents=True, exist_ok=True)
            (cls.python / name).write_text(name)
        cls.first = cls.work / "first"
        done = cls.release(cls.first, "--packages", cls.packages, "--python", cls.python, tree=cls.tree)
        assert done.returncode == 0, done.stderr

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.work)

    @staticmethod
    def release(output, *options, tree):
        """Runs the tree's own script on the tree."""
        return subprocess.run([sys.executable, tree / "scripts/make_release.py", tree, output, *options], capture_output=True,
                              text=True)

    def test_files_and_statements_agree(self):
        output = self.first
        subprocess.run(["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"], cwd=output, check=True)
        named = {line.split()[1] for line in (output / "SHA256SUMS").read_text().splitlines()}
        self.assertEqual(named | {"SHA256SUMS"}, {path.name for path in output.iterdir()})
        self.assertEqual(named, {f"affix-{VERSION}.tar.gz", f"affix-{VERSION}-amalgamated.tar.gz", f"affix-{VERSION}.spdx.json",
                                 f"affix-{VERSION}.intoto.json", "affix-tools_9.8.7-1_amd64.deb",
                                 f"affix-{VERSION}-cp311-cp311-manylinux_2_28_x86_64.whl", f"affix-{VERSION}-python.tar.gz",
                                 f"affix_{VERSION}-1.dsc", f"affix_{VERSION}-1.debian.tar.xz", f"affix_{VERSION}.orig.tar.gz"})

        self.assertEqual((output / f"affix-{VERSION}-python.tar.gz").read_text(), f"sdist/affix-{VERSION}.tar.gz")
        with tarfile.open(output / f"affix-{VERSION}.tar.gz") as tar:
            tracked = set(git(self.tree, "ls-files").splitlines())
            self.assertEqual({entry.name for entry in tar if entry.isfile()}, {f"affix-{VERSION}/{name}" for name in tracked})
        with tarfile.open(output / f"affix-{VERSION}-amalgamated.tar.gz") as tar:
            names = [Path(entry.name).name for entry in tar]
            header = tar.extractfile(f"affix-{VERSION}-amalgamated/affix.hpp").read().decode()
        self.assertEqual(names, ["LICENSE", "affix.cpp", "affix.hpp", "affix_wire.hpp"])
        self.assertIn(VERSION, header)

        commit = git(self.tree, "rev-parse", "HEAD")
        origin = json.loads((output / f"affix-{VERSION}.intoto.json").read_text())
        self.assertEqual(origin["predicate"]["buildDefinition"]["resolvedDependencies"][0]["digest"]["gitCommit"], commit)
        self.assertEqual({one["name"] for one in origin["subject"]}, named - {f"affix-{VERSION}.intoto.json"})
        for subject in origin["subject"]:
            self.assertEqual(subject["digest"]["sha256"], hashlib.sha256((output / subject["name"]).read_bytes()).hexdigest())

        bill = json.loads((output / f"affix-{VERSION}.spdx.json").read_text())
        by_name = {package["name"]: package for package in bill["packages"]}
        self.assertEqual(by_name["affix"]["versionInfo"], VERSION)
        self.assertEqual(by_name["FIX44.xml"]["licenseDeclared"], "Apache-2.0")
        self.assertEqual(by_name["FIX43.xml"]["licenseDeclared"], "LicenseRef-QuickFIX")
        self.assertEqual(by_name[f"affix-{VERSION}.tar.gz"]["licenseDeclared"], "Apache-2.0 AND LicenseRef-QuickFIX AND MIT")
        self.assertEqual(by_name[f"affix-{VERSION}-amalgamated.tar.gz"]["licenseDeclared"], "MIT")
        self.assertEqual({path.name for path in ROOT.glob("dictionaries/*.xml")}, {name for name in by_name if name.endswith(".xml")})
        identifiers = [package["SPDXID"] for package in bill["packages"]]
        self.assertEqual(len(identifiers), len(set(identifiers)))
        for relation in bill["relationships"]:
            self.assertIn(relation["relatedSpdxElement"], identifiers)
            self.assertIn(relation["spdxElementId"], [*identifiers, "SPDXRef-DOCUMENT"])

    def test_a_checkout_that_may_not_be_released_is_refused_with_every_reason(self):
        tree = self.work / "changed"
        subprocess.run(["cp", "-a", self.tree, tree], check=True)
        header = tree / "include/affix/base/version.hpp"
        header.write_text(header.read_text().replace(VERSION, "9.9.0"))
        git(tree, "tag", "v9.9.0")
        git(tree, "commit", "--quiet", "--allow-empty", "--message", "After the tag")
        empty = self.work / "no packages"
        empty.mkdir()
        full = self.work / "full"
        full.mkdir()
        (full / "old").touch()
        refused = self.release(full, "--packages", empty, "--python", empty, "--tag", tree=tree)
        self.assertEqual(refused.returncode, 1)
        for reason in ["version.hpp", "no section '## 9.9.0'", "debian/changelog begins with", "v9.9.0 names another commit", "holds no Debian package", "holds no wheel", "holds no sdist", "is not empty"]:
            self.assertIn(reason, refused.stderr)
        self.assertEqual([path.name for path in full.iterdir()], ["old"])

    def test_a_dry_run_accepts_the_section_unreleased(self):
        tree = self.work / "unreleased"
        git(self.work, "clone", "--quiet", self.tree, tree)
        changes = tree / "CHANGELOG.md"
        changes.write_text(changes.read_text().replace(f"## {VERSION}", "## Unreleased", 1))
        git(tree, "commit", "--quiet", "--all", "--message", "Not released yet")
        output = self.work / "none"
        refused = self.release(output, "--check", tree=tree)
        self.assertEqual(refused.returncode, 1)
        self.assertIn(f"CHANGELOG.md has no section '## {VERSION}'", refused.stderr)
        accepted = self.release(output, "--check", "--dry-run", tree=tree)
        self.assertEqual(accepted.returncode, 0, accepted.stderr)
        self.assertIn(f"'## Unreleased' of CHANGELOG.md becomes '## {VERSION}'", accepted.stdout)
        self.assertFalse(output.exists())

    def test_the_same_commit_gives_the_same_bytes_and_the_tag_names_it(self):
        tree = self.work / "tagged"
        subprocess.run(["cp", "-a", self.tree, tree], check=True)
        git(tree, "config", "user.name", "Test")
        git(tree, "config", "user.email", "test@affix.invalid")
        again = self.work / "again"
        done = self.release(again, "--packages", self.packages, "--python", self.python, "--tag", tree=tree)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((again / "SHA256SUMS").read_text(), (self.first / "SHA256SUMS").read_text())
        self.assertEqual(git(tree, "rev-parse", f"v{VERSION}^{{commit}}"), git(tree, "rev-parse", "HEAD"))
        self.assertEqual(git(tree, "cat-file", "-t", f"v{VERSION}"), "tag")


if __name__ == "__main__":
    unittest.main()
