#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`affix explain`, and that errors of many kinds show a code that it explains."""

import json
import re
import socket
import subprocess
import sys
import unittest

import program_fixture

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
        self.assertRegex(done.stderr, r"'S999'.* S307, .*\[P134\]\n")

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


class ErrorsShowCodes(program_fixture.ProgramTest):
    def expect(self, code, *arguments):
        """The call fails, shows the code, and the code's action is not `nothing`."""
        done = affix(*arguments)
        self.assertNotEqual(done.returncode, 0, arguments)
        self.assertIn(code, CODE.findall(done.stderr + done.stdout), done.stderr + done.stdout)
        row = json.loads(affix("explain", "--json", code).stdout)[0]
        self.assertFalse(row["action"].startswith("nothing"), row)

    def test_errors_of_many_kinds(self):
        self.expect("O101", "serve", str(self.folder / "missing.ini"))
        self.expect("C206", "serve", self.write("word.ini", SOUND.replace("accept_port=0", "accept_port=0\nwait_mode=SOMEHOW")))
        self.expect("C204", "config", "check", self.write("key.ini", SOUND + "hartbeat=30\n"))
        self.expect("C207", "config", "check", self.write("number.ini", SOUND.replace("accept_port=0", "accept_port=x")))
        self.expect("C106", "config", "check", self.write("form.ini", "[S\n"))
        self.expect("D103", "dictionary", "check", self.write("cut.xml", "<fix><fields>"))
        self.expect("D106", "dictionary", "check", self.write("other.xml", "<html/>"))
        self.expect("J222", "journal", "verify", str(self.folder))
        self.expect("P126", "log", str(self.folder / "missing.log"))
        log = self.write("day.log", "8=FIX.4.4\n")
        self.expect("P125", "log", log, "--where", "x")
        self.expect("P125", "log", log, "--from", "noon")
        self.expect("O101", "log", log, "--out", str(self.folder / "none" / "out"))
        self.expect("J222", "journal", "archive", str(self.folder), str(self.folder / "archive"))
        self.expect("J222", "journal", "archive", str(self.folder), str(self.folder / "archive"), "--older-than", "soon")
        self.expect("P130", "top", self.write("uncounted.ini", SOUND))
        self.expect("O101", "completion", "bash", str(self.folder / "none" / "bash"))
        self.expect("P101", "sevre")
        self.expect("Q101", "import-quickfix", str(self.folder / "missing.cfg"))
        self.expect("Q102", "import-quickfix", self.write("none.cfg", "[DEFAULT]\n"))
        self.expect("Q104", "import-quickfix", self.write("ids.cfg", "[SESSION]\nBeginString=FIX.9.9\n"))
        self.expect("P134", "explain", "X1")
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            self.expect("O105", "serve", self.write("port.ini", SOUND.replace(
                "accept_port=0", f"accept_port={port}\nnic_address=127.0.0.1")))


if __name__ == "__main__":
    unittest.main()
