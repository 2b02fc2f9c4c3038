# SPDX-License-Identifier: MIT
"""What tests of programs share: a folder and processes that end with the test, and waiting."""

import shutil
import tempfile
import time
import unittest
from pathlib import Path

TIMEOUT = 60


def until(what, wanted):
    """Waits for `wanted` to return something true, and returns that."""
    give_up = time.monotonic() + TIMEOUT
    while time.monotonic() < give_up:
        found = wanted()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError(f"{what} did not happen in {TIMEOUT} s")


class ProgramTest(unittest.TestCase):
    """`directory` is the folder's path, `folder` the same as a Path."""

    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="affix-test-")
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)
        self.folder = Path(self.directory)

    def path(self, name):
        return str(self.folder / name)

    def write(self, name, text):
        Path(self.path(name)).write_text(text, encoding="utf-8")
        return self.path(name)

    @staticmethod
    def end(process):
        """For addCleanup()."""
        if process.poll() is None:
            process.kill()
        process.wait()
        for stream in filter(None, (process.stdout, process.stderr)):
            stream.close()
