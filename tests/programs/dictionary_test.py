#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`affix dictionary` as its users run it: exit statuses, output, files that appear whole or not at all."""

import errno
import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

import program_fixture

AFFIX = sys.argv.pop(1)
DICTIONARIES = Path(__file__).resolve().parents[2] / "dictionaries"
FIX44 = str(DICTIONARIES / "FIX44.xml")

SMALL = """<fix type="FIX" major="5" minor="0" servicepack="2"><header/><trailer/><messages>
<message name="Order" msgtype="D" msgcat="app"><field name="Side" required="{required}"/></message></messages>
<fields><field number="54" name="Side" type="CHAR"><value enum="1" description="BUY"/></field></fields></fix>
"""


class Dictionary(program_fixture.ProgramTest):
    def run_tool(self, *arguments):
        run = subprocess.run([AFFIX, "dictionary", *arguments], capture_output=True, text=True, timeout=60, check=False)
        return run.returncode, run.stdout, run.stderr

    def test_check_prints_every_problem_and_fails_on_errors_only(self):
        good = self.write("good.xml", SMALL.format(required="Y"))
        sloppy = self.write("sloppy.xml", SMALL.format(required="C"))
        broken = self.write("broken.xml", SMALL.format(required="Y").replace('"Side" required', '"Foo" required'))
        code, out, _ = self.run_tool("check", good, sloppy)
        self.assertEqual(code, 0)
        self.assertIn(f"{good}: FIX.5.0SP2 (QuickFIX XML), 1 message, 0 components, 1 field; 0 errors, 0 warnings", out)
        self.assertRegex(out, rf"{re.escape(sloppy)}:2: warning: Order: .*'C'.*'Side'.* \[D115\]\n")
        self.assertEqual(self.run_tool("check", "--strict", sloppy)[0], 1)
        self.assertEqual(self.run_tool("check", "--strict", good)[0], 0)
        code, out, _ = self.run_tool("check", broken, good)
        self.assertEqual(code, 1)
        self.assertRegex(out, rf"{re.escape(broken)}:2: error: Order: .*'Foo'.* \[D116\]\n")
        self.assertIn(f"{good}: FIX.5.0SP2", out)
        code, out, _ = self.run_tool("check", str(self.folder / "none.xml"))
        self.assertEqual(code, 1)
        self.assertRegex(out, r"none\.xml: error: .* \[O101\]\n")

    def test_show_finds_messages_fields_and_components_by_every_name(self):
        code, out, _ = self.run_tool("show", FIX44)
        self.assertEqual(code, 0)
        self.assertTrue(out.startswith("FIX.4.4\n  BeginString FIX.4.4\n  ApplVerID 6\n  93 messages\n"), out[:200])
        by_name = self.run_tool("show", FIX44, "NewOrderSingle")[1]
        self.assertEqual(self.run_tool("show", FIX44, "D")[1], by_name)
        self.assertRegex(by_name, r"\Amessage D NewOrderSingle \(app\)\n")
        self.assertRegex(by_name, r"\n  Y    11 ClOrdID +String\n")
        self.assertRegex(by_name, r"\n  Y   453   NoPartyIDs +group\n  N   448     PartyID +String\n")
        field = self.run_tool("show", FIX44, "54")[1]
        self.assertEqual(self.run_tool("show", FIX44, "Side")[1], field)
        self.assertRegex(field, r"\Afield 54 Side\n  type char \(character\)\n  values\n    1  Buy\n")
        self.assertIn("NewOrderSingle", field.splitlines()[-1])
        component = self.run_tool("show", FIX44, "Parties")[1]
        self.assertTrue(component.startswith("component Parties\n"), component)
        both = self.run_tool("show", FIX44, "8")[1]
        self.assertIn("message 8 ExecutionReport", both)
        self.assertIn("field 8 BeginString", both)
        self.assertIn("CheckSum", self.run_tool("show", FIX44, "trailer")[1])
        code, out, err = self.run_tool("show", FIX44, "Nonsense", "54")
        self.assertEqual(code, 1)
        self.assertRegex(err, r"'Nonsense' \[P131\]\n")
        self.assertIn("field 54 Side", out)

    def test_diff_has_the_exit_statuses_of_diff(self):
        before = self.write("before.xml", SMALL.format(required="Y"))
        after = self.write("after.xml", SMALL.format(required="N"))
        self.assertEqual(self.run_tool("diff", before, before), (0, "", ""))
        self.assertEqual(self.run_tool("diff", before, after),
                         (1, "~ message D Order: Side (54) is optional now\n", ""))
        self.assertEqual(self.run_tool("diff", before, str(self.folder / "none.xml"))[0], 2)

    def test_convert_is_canonical_and_leaves_nothing_behind_when_it_fails(self):
        source = self.write("source.xml", SMALL.format(required="Y"))
        target = str(self.folder / "target.xml")
        self.assertEqual(self.run_tool("convert", source, "--output", target)[0], 0)
        canonical = Path(target).read_text()
        self.assertEqual(self.run_tool("convert", target), (0, canonical, ""))
        code, out, _ = self.run_tool("convert", source, "--version", "FIX.5.0SP1")
        self.assertEqual(code, 0)
        self.assertIn('major="5" minor="0" servicepack="1"', out)
        self.assertEqual(self.run_tool("convert", source, "--version", "5.0")[0], 1)
        missing = str(self.folder / "no" / "folder.xml")
        code, _, err = self.run_tool("convert", source, "--output", missing)
        self.assertEqual(code, 1)
        self.assertRegex(err, rf"{re.escape(missing)}: .*{os.strerror(errno.ENOENT)} \[P131\]\n")
        broken = self.write("broken.xml", "<fix>")
        self.assertEqual(self.run_tool("convert", broken, "--output", target)[0], 1)
        self.assertEqual(Path(target).read_text(), canonical)
        self.assertEqual(sorted(os.listdir(self.folder)), ["broken.xml", "source.xml", "target.xml"])

    def test_every_verb_explains_itself(self):
        for verb in ("check", "show", "diff", "convert"):
            code, out, _ = self.run_tool(verb, "--help")
            self.assertEqual(code, 0)
            self.assertIn("Usage:", out)
            code, _, err = self.run_tool(verb)
            self.assertEqual(code, 2)
            self.assertIn(f"affix dictionary {verb} --help says more.", err)
        code, _, err = self.run_tool("chekc", "file.xml")
        self.assertEqual(code, 2)
        self.assertRegex(err, r"'chekc'.* check, show, diff, convert \[P101\]\n")

    def test_generating_without_a_header_says_so_and_a_wrong_transport_is_refused(self):
        application = self.write("application.xml", SMALL.format(required="Y"))

        def generate(*arguments):
            run = subprocess.run([AFFIX, "generate", "--dictionary", application, "--namespace", "venue", "--output",
                                  str(self.folder / "made"), *arguments],
                                 capture_output=True, text=True, timeout=60, check=False)
            return run.returncode, run.stderr

        code, err = generate()
        self.assertEqual(code, 0)
        self.assertRegex(err, r"note: FIX\.5\.0SP2 .* \[P132\]\n")
        self.assertEqual(generate("--transport", str(DICTIONARIES / "FIXT11.xml")), (0, ""))
        code, err = generate("--transport", FIX44)
        self.assertEqual(code, 1)
        self.assertRegex(err, r"FIX\.4\.4: .* \[D126\]\n")


if __name__ == "__main__":
    unittest.main()
