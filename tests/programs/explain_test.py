#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`affix explain`, and that errors of many kinds show a code that it explains."""

import json
import re
import socket
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

AFFIX = sys.argv.pop(1)
CODE = re.compile(r"\[([A-Z]\d\d\d)\]")
SOUND = "[S]\naccept_port=0\n[A]\nbegin_string=FIX.4.4\nsender_comp_id=S\ntarget_comp_id=A\ndurability=memory\n"


def affix(*arguments):
    return subprocess.run([AFFIX, *arguments], capture_output=True, stdin=subprocess.DEVNULL, text=True, timeout=60, check=False)


class Explain(unittest.TestCase):
    def test_a_code_has_a_text_a_meaning_a_cause_and_an_action(self):
        done = affix("explain", "s127")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for words in ("S127, warning\n", "  text:    garbled message ignored\n", "  meaning: ", "  cause:   ", "  action:  "):
            self.assertIn(words, done.stdout)

    def test_several_codes_and_one_that_does_not_exist(self):
        done = affix("explain", "O105", "S999", "C206")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(re.findall(r"^(\w\d\d\d), ", done.stdout, re.MULTILINE), ["O105", "C206"])
        self.assertIn("there is no code 'S999'; the nearest are S307, ", done.stderr)

    def test_without_a_code_all_are_listed(self):
        lines = affix("explain").stdout.splitlines()
        self.assertGreater(len(lines), 300)
        self.assertTrue(all(re.match(r"[A-Z]\d\d\d  \S", line) for line in lines))

    def test_json(self):
        rows = json.loads(affix("explain", "--json").stdout)
        self.assertGreater(len(rows), 300)
        for row in rows:
            self.assertTrue(row["texts"] and row["meaning"] and row["cause"] and row["action"], row)
        self.assertEqual([row["code"] for row in json.loads(affix("explain", "--json", "t106").stdout)], ["T106"])


class ErrorsShowCodes(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="affix-explain-test-")
        self.addCleanup(directory.cleanup)
        self.folder = Path(directory.name)

    def file(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    def expect(self, code, *arguments):
        """The call fails, shows the code, and the code's action is not `nothing`."""
        done = affix(*arguments)
        self.assertNotEqual(done.returncode, 0, arguments)
        self.assertIn(code, CODE.findall(done.stderr + done.stdout), done.stderr + done.stdout)
        row = json.loads(affix("explain", "--json", code).stdout)[0]
        self.assertFalse(row["action"].startswith("nothing"), row)

    def test_errors_of_many_kinds(self):
        self.expect("O101", "serve", str(self.folder / "missing.ini"))
        self.expect("C206", "serve", self.file("word.ini", SOUND.replace("accept_port=0", "accept_port=0\nwait_mode=SOMEHOW")))
        self.expect("C204", "config", "check", self.file("key.ini", SOUND + "hartbeat=30\n"))
        self.expect("C207", "config", "check", self.file("number.ini", SOUND.replace("accept_port=0", "accept_port=x")))
        self.expect("C106", "config", "check", self.file("form.ini", "[S\n"))
        self.expect("D103", "dictionary", "check", self.file("cut.xml", "<fix><fields>"))
        self.expect("D106", "dictionary", "check", self.file("other.xml", "<html/>"))
        self.expect("J222", "journal", "verify", str(self.folder))
        self.expect("P126", "log", str(self.folder / "missing.log"))
        self.expect("P101", "sevre")
        self.expect("Q101", "import-quickfix", str(self.folder / "missing.cfg"))
        self.expect("P134", "explain", "X1")
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            self.expect("O105", "serve", self.file("port.ini", SOUND.replace(
                "accept_port=0", f"accept_port={port}\nnic_address=127.0.0.1")))


if __name__ == "__main__":
    unittest.main()
