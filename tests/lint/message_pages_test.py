# SPDX-License-Identifier: MIT
"""The table of messages is whole: every code once, with a meaning, cause and action; every code that a source has is in it and the
other way round; and the pages of the reference have its tables as they are made from it."""

import importlib.util
import re
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts/message_pages.py"
SPEC = importlib.util.spec_from_file_location("message_pages", SCRIPT)
message_pages = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(message_pages)

CODE = re.compile(r'"([A-Z]\d\d\d)"|\[([A-Z]\d\d\d)\]')
# Names of macros of <termios.h> that look like codes.
NO_CODES = ROOT / "tools/generator/codegen/naming.cpp"
# An error made in place, with what its braces hold.
ERROR = re.compile(r'\{((?:base::)?ErrorCode::\w+,(?:[^{}"]|"(?:[^"\\]|\\.)*"|\{[^{}]*\})*)\}')
EXPLAIN = ROOT / "docs/reference/explain.md"


def without_code(source):
    """Each error with a text and neither a code nor a variable that has one."""
    found = []
    for error in ERROR.findall(source):
        without_kind = error.replace("ErrorCode", "")
        if re.search('"|strerror', error) and "code" not in without_kind and not CODE.search(error):
            found.append(" ".join(error.split()))
    return found


def used():
    """Codes in the sources, with a file that has each."""
    found = {}
    for folder, files in (("include", "*.[ch]pp"), ("src", "*.[ch]pp"), ("tools", "*.[ch]pp"), ("python", "*.py")):
        for path in sorted((ROOT / folder).rglob(files)):
            if path == NO_CODES or (path.name.startswith("messages_") and path.parent.name == "explain"):
                continue
            for line in path.read_text().splitlines():
                if line.lstrip().startswith("//"):
                    continue
                for quoted, bracketed in CODE.findall(line):
                    found.setdefault(quoted or bracketed, path.relative_to(ROOT).as_posix())
    return found


class MessageTable(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.rows = message_pages.rows()

    def test_codes_are_unique_and_of_one_form(self):
        codes = [row["code"] for row in self.rows]
        self.assertGreater(len(codes), 300)
        self.assertEqual(sorted(set(codes)), codes)
        for row in self.rows:
            self.assertRegex(row["code"], r"^[A-Z]\d\d\d$")

    def test_rows_of_a_file_ascend_and_share_their_letter(self):
        for path in sorted({row["file"] for row in self.rows}):
            source = (message_pages.TABLE / path).read_text()
            codes = re.findall(r'MessageRow\{"(\w+)"', source)
            self.assertEqual(codes, sorted(codes), path)
            self.assertEqual(len({code[0] for code in codes}), 1, path)

    def test_no_row_lacks_a_text_a_meaning_a_cause_or_an_action(self):
        for row in self.rows:
            for part in ("meaning", "cause", "action"):
                self.assertTrue(row[part].strip(), f"{row['code']}: {part}")
            self.assertTrue(all(text.strip() for text in row["texts"]), row["code"])

    def test_an_error_or_a_warning_says_what_to_do(self):
        """"nothing" alone is an action for a note only: a warning says at least when it matters."""
        for row in self.rows:
            action = row["action"].strip(" .")
            self.assertRegex(action, r"^[a-z`]", row["code"])
            if row["kind"] != "note":
                self.assertGreater(len(action.split()), 1, f"{row['code']}: {action}")

    def test_the_letters_are_explained(self):
        explained = set()
        for line in EXPLAIN.read_text().split("\n## Codes\n")[1].split("\n## ")[0].splitlines():
            if line.startswith("| `"):
                explained |= set(re.findall(r"`([A-Z])`", line.split(" | ")[0]))
        self.assertEqual(explained, {row["code"][0] for row in self.rows})

    def test_every_code_of_the_sources_has_a_row(self):
        known = {row["code"] for row in self.rows}
        self.assertEqual({code: path for code, path in used().items() if code not in known}, {})

    def test_every_row_is_used(self):
        self.assertEqual(sorted({row["code"] for row in self.rows} - set(used())), [])


class Errors(unittest.TestCase):
    def test_every_error_has_a_code(self):
        found, count = {}, 0
        for folder in ("include", "src", "tools"):
            for path in sorted((ROOT / folder).rglob("*.[ch]pp")):
                # The virtual network's errors are for authors of tests.
                if path.parent == ROOT / "src/testing":
                    continue
                source = path.read_text()
                count += len(ERROR.findall(source))
                for error in without_code(source):
                    found[error] = path.relative_to(ROOT).as_posix()
        self.assertGreater(count, 50)
        self.assertEqual(found, {})

    def test_one_without_a_code_is_found(self):
        self.assertEqual(without_code('f(base::Error{base::ErrorCode::Io, "is gone", "a"});'), ['base::ErrorCode::Io, "is gone", "a"'])
        self.assertEqual(without_code('f(base::Error{base::ErrorCode::Io, "is gone", "a", "J201"});'), [])
        self.assertEqual(without_code('f(base::Error{base::ErrorCode::Io, "is gone", where, code_of(x)});'), [])


class MessagePages(unittest.TestCase):
    def test_the_pages_are_made_from_the_table(self):
        done = subprocess.run([sys.executable, str(SCRIPT), "--check"], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (0, ""))


if __name__ == "__main__":
    unittest.main()
