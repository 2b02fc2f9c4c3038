#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the checks of Python's wheels refuse, what is told of their tests, and which interpreters words name."""

import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
import python_package  # noqa: E402
from wheels import module_check, test_report  # noqa: E402

ENTRY = "extern int PyLong_Something(void);\nint PyInit_module(void) { return PyLong_Something() %s; }\n"


@unittest.skipUnless(shutil.which("cc") and shutil.which("readelf"), "no C compiler (Debian: gcc, binutils)")
class Modules(unittest.TestCase):
    def setUp(self):
        self.place = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.place)

    def module(self, source, *options):
        path = self.place / "module.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", path, *options], input=source, text=True, check=True)
        return path

    def test_what_needs_only_python_and_libc_passes(self):
        source = "#include <stdlib.h>\n" + ENTRY % "+ abs(atoi(getenv(\"HOME\")))"
        self.assertEqual(module_check.faults_of(self.module(source)), [])

    def test_a_symbol_of_no_library_is_refused(self):
        source = "extern int of_a_newer_libc(void);\n" + ENTRY % "+ of_a_newer_libc()"
        self.assertEqual(module_check.faults_of(self.module(source)), ["needs of_a_newer_libc, which no known library has"])

    def test_a_symbol_for_other_modules_is_refused(self):
        source = "int SSL_read(void) { return 0; }\n" + ENTRY % ""
        self.assertEqual(module_check.faults_of(self.module(source)), ["defines SSL_read for others"])

    def test_a_library_beside_the_module_is_refused(self):
        wheel = self.place / "affix.whl"
        with zipfile.ZipFile(wheel, "w") as archive:
            archive.write(self.module(ENTRY % "", "-Wl,--no-as-needed", "-lgcc_s"), "affix/_affix.so")
            archive.writestr("affix.libs/libz.so", "")
        with self.assertRaises(SystemExit) as refused:
            module_check.check_modules(wheel)
        self.assertIn("_affix.so needs libgcc_s.so.1", str(refused.exception))
        self.assertIn("affix.libs/libz.so is not inside", str(refused.exception))


# As pytest writes it with test_report.OPTIONS.
FAILED_RUN = """.F..s                                                                    [100%]
=================================== FAILURES ===================================
_______________________________ test_the_market ________________________________
tests/market_test.py:12: in test_the_market
    assert price_of(order) == 2
tests/market_test.py:8: in price_of
    return market.ask(order)
E   AssertionError: the market is closed
----------------------------- Captured stdout call -----------------------------
tests/market_test.py:9: what the market prints
=========================== short test summary info ============================
FAILED tests/market_test.py::test_the_market - AssertionError: the market is closed
SKIPPED [1] tests/uvloop_test.py:3: could not import 'uvloop'
1 failed, 3 passed, 1 skipped in 0.07s
"""


class Reports(unittest.TestCase):
    def test_a_failure_is_told_with_its_place_and_its_assertion(self):
        self.assertEqual(test_report.digest(FAILED_RUN), [
            "test_the_market:",
            "  tests/market_test.py:12: in test_the_market",
            "  tests/market_test.py:8: in price_of",
            "  E   AssertionError: the market is closed",
            "FAILED tests/market_test.py::test_the_market - AssertionError: the market is closed",
            "1 failed, 3 passed, 1 skipped in 0.07s"])

    def test_many_failures_fit_into_the_end_of_a_log(self):
        failures = "".join(f"____ test_{number} ____\n" + "many_test.py:1: in f\n" * 50 + "E   a long difference\n" * 50
                           for number in range(30))
        summary = "".join(f"FAILED many_test.py::test_{number}\n" for number in range(30))
        told = test_report.digest(f"{failures}=== short test summary info ===\n{summary}30 failed in 1.00s\n")
        self.assertLess(len(told), 40)
        self.assertEqual((told[0], told[-1]), ("test_0:", "30 failed in 1.00s"))

    def test_a_run_that_ended_before_its_tests_is_told_by_its_end(self):
        self.assertEqual(test_report.digest("Fatal Python error: Segmentation fault\nCurrent thread:\n"),
                         ["Fatal Python error: Segmentation fault", "Current thread:"])
        self.assertEqual(test_report.total(""), "no output")

    def test_what_was_skipped_has_its_reason(self):
        self.assertEqual(test_report.skipped(FAILED_RUN), ["[1] tests/uvloop_test.py:3: could not import 'uvloop'"])


class Versions(unittest.TestCase):
    FOUND = {(3, 10): Path("a"), (3, 11): Path("b"), (3, 13): Path("c")}

    def test_words_name_versions(self):
        self.assertEqual(python_package.wanted_versions([], self.FOUND), [(3, 10), (3, 11), (3, 13)])
        self.assertEqual(python_package.wanted_versions(["newest", "oldest", "3.10"], self.FOUND), [(3, 10), (3, 13)])

    def test_the_only_version_is_both(self):
        self.assertEqual(python_package.wanted_versions(["oldest", "newest"], {(3, 11): Path("b")}), [(3, 11)])

    def test_an_absent_version_is_refused(self):
        with self.assertRaisesRegex(SystemExit, "no CPython 3.12"):
            python_package.wanted_versions(["3.12"], self.FOUND)
        with self.assertRaisesRegex(SystemExit, "no CPython"):
            python_package.wanted_versions([], {})


if __name__ == "__main__":
    unittest.main()
