#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The files that a code host reads (.github) name scripts, paths and commands of this tree that exist, and are valid YAML."""

import re
import subprocess
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
YAML = sorted(path for pattern in ["*.yml", "*/*.yml"] for path in (ROOT / ".github").glob(pattern))


class Repository(unittest.TestCase):
    def test_yaml_is_read(self):
        self.assertGreaterEqual(len(YAML), 7)
        try:
            import yaml
        except ImportError:
            # Debian's Python has it where the site is built; the interpreter of this test need not be Debian's.
            done = subprocess.run(["/usr/bin/python3", "-c", "import yaml"], capture_output=True)
            if done.returncode != 0:
                self.skipTest("no YAML reader (Debian: python3-yaml)")
            script = "import sys, yaml\nfor name in sys.argv[1:]: assert isinstance(yaml.safe_load(open(name)), dict), name"
            done = subprocess.run(["/usr/bin/python3", "-c", script, *YAML, ROOT / "packaging/container/compose.yaml"],
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            return
        for path in [*YAML, ROOT / "packaging/container/compose.yaml"]:
            self.assertIsInstance(yaml.safe_load(path.read_text()), dict, path)

    def test_workflows_run_existing_scripts(self):
        usage = subprocess.run([ROOT / "dev", "help"], check=True, capture_output=True, text=True).stdout
        runs = [run for path in YAML for run in re.findall(r"^\s+run: (\S.*)$", path.read_text(), re.MULTILINE)]
        self.assertTrue(any(".ci/run" in run for run in runs))
        for run in runs:
            words = run.split()
            if words[0].startswith((".", "scripts/")):
                self.assertTrue((ROOT / words[0]).is_file(), run)
            if words[0] == "./dev":
                self.assertRegex(usage, rf"(?m)^\./dev {words[1]}\b", run)

    def test_owners_own_existing_paths(self):
        for line in (ROOT / ".github/CODEOWNERS").read_text().splitlines():
            if line.startswith("/"):
                self.assertTrue((ROOT / line.split()[0].lstrip("/")).exists(), line)

    def test_figures_of_the_readme_stand_in_the_tables(self):
        """Each figure of the table "Proof" is in a row of a table: of docs/benchmarks.md or of the README's own figures."""
        readme = (ROOT / "README.md").read_text()
        proof = re.search(r"\n## Proof\n(.*?)\n## ", readme, re.DOTALL).group(1)
        tables = (ROOT / "docs/benchmarks.md").read_text() + readme.split("<!-- figures: begin -->")[1]
        rows = "\n".join(line for line in tables.splitlines() if line.startswith("|"))
        claimed = re.findall(r"([\d.,]*\d) (?:us|ns|times)", proof)
        self.assertGreaterEqual(len(claimed), 8)
        for figure in claimed:
            self.assertRegex(rows, rf"(?<![\d.]){re.escape(figure.replace(',', ''))}(?![\d.])")

    def test_releasing_names_commands_that_are_there(self):
        usage = subprocess.run([ROOT / "dev", "help"], check=True, capture_output=True, text=True).stdout
        commands = re.findall(r"^\s+\./dev (\w+)", (ROOT / "RELEASING.md").read_text(), re.MULTILINE)
        self.assertIn("release", commands)
        for command in commands:
            self.assertRegex(usage, rf"(?m)^\./dev {command}\b")


if __name__ == "__main__":
    unittest.main()
