# SPDX-License-Identifier: MIT
"""A small tree of files, and a check of the repository that runs on it."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class TreeTest(unittest.TestCase):
    script = None  # Of scripts/; set by the test.

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def check(self, *arguments):
        run = subprocess.run([sys.executable, ROOT / "scripts" / self.script, self.root, *arguments], capture_output=True,
                             text=True, check=False)
        return run.returncode, run.stdout

    def expect_fault(self, text, *arguments):
        code, output = self.check(*arguments)
        self.assertEqual(code, 1, output)
        self.assertIn(text, output)
