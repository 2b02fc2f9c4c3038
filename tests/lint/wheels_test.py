#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the checks of Python's wheels refuse, and which interpreters words name."""

import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
import python_package  # noqa: E402
from wheels import module_check  # noqa: E402

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
