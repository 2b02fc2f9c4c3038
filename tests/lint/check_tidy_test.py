# SPDX-License-Identifier: MIT
"""check_tidy.py against single wrong files: each must fail for its own reason."""

import unittest

import tree_fixture

HEADER = "// SPDX-License-Identifier: MIT\n// A header that is in order.\n#pragma once\n"


class CheckTidy(tree_fixture.TreeTest):
    script = "check_tidy.py"

    def check_file(self, name, content, *arguments):
        path = self.write(name, content)
        found = self.check(*arguments)
        path.unlink()
        return found

    def expect_fault_in(self, name, content, text):
        code, output = self.check_file(name, content)
        self.assertEqual(code, 1, output)
        self.assertIn(text, output)

    def test_a_right_header_passes(self):
        code, output = self.check_file("include/affix/wire/view.hpp", HEADER)
        self.assertEqual(code, 0, output)

    def test_text(self):
        self.expect_fault_in("src/a.hpp", HEADER + "\tint x;\n", "src/a.hpp:4: a tab")
        self.expect_fault_in("src/a.hpp", HEADER + "int x; \n", "src/a.hpp:4: a space at the end of the line")
        self.expect_fault_in("src/a.hpp", HEADER + "int x;", "src/a.hpp:4: no newline at the end")
        self.expect_fault_in("src/a.hpp", HEADER + "// caf\u00e9\n", "src/a.hpp:4: a character outside ASCII")
        self.expect_fault_in("src/a.hpp", HEADER + "// TO" "DO later\n", "src/a.hpp:4: 'TO" "DO'")

    def test_cpp(self):
        self.expect_fault_in("src/a.cpp", "int x;\n", "src/a.cpp:1: the first line must be")
        self.expect_fault_in("src/a.cpp", "// SPDX-License-Identifier: MIT\nint x;\n", "a file comment must follow")
        self.expect_fault_in("src/a.hpp", HEADER.replace("#pragma once\n", ""), "a header without #pragma once")
        self.expect_fault_in("src/a.hpp", HEADER + "typedef int Price;\n", "src/a.hpp:4: C's way; C++ has using")
        self.expect_fault_in("src/a.hpp", HEADER + "int price(void);\n", "src/a.hpp:4: C's way; C++ has ()")
        self.expect_fault_in("src/a.hpp", HEADER + "char* text = NULL;\n", "src/a.hpp:4: C's way; C++ has nullptr")
        code, output = self.check_file("src/a.hpp", HEADER + 'auto a = "NULL";  // NULL, f(void)\nauto f = static_cast<int (*)(void*)>(g);\n')
        self.assertEqual(code, 0, output)

    def test_names_and_binaries(self):
        self.expect_fault_in("src/wire/utils.hpp", HEADER, "'utils' is a banned name")
        self.expect_fault_in("src/blob.bin", b"\0\1", "a binary file outside")
        code, output = self.check_file("tests/data/blob.bin", b"\0\1")
        self.assertEqual(code, 0, output)

    def test_pictures_are_small_and_those_of_pages_are_there(self):
        code, output = self.check_file("docs/images/small.png", b"\0" * 1000)
        self.assertEqual(code, 0, output)
        self.expect_fault_in("docs/images/large.png", b"\0" * 200_000, "a picture of 200000 bytes")
        self.expect_fault_in("docs/a.md", "# A\n\n![nothing](none.png)\n", "none.png")

    def test_markdown(self):
        self.expect_fault_in("a.md", "no title\n", "one '# Title', this one 0")
        self.expect_fault_in("a.md", "# One\n\n# Two\n", "a.md:3: a Markdown file has one '# Title', this one 2")
        self.expect_fault_in("a.md", "# One\n\n[x](docs/nowhere.md)\n", "a.md:3: the link to 'docs/nowhere.md' leads nowhere")
        self.expect_fault_in("a.md", "# One\n\n[x](#tow)\n\n## Two\n", "a.md:3: the link to '#tow' names no heading of that page")
        self.expect_fault_in("a.md", "# One\n\n[x](#two)\n\n```\n## Two\n```\n",
                          "a.md:3: the link to '#two' names no heading of that page")
        code, output = self.check_file("a.md", "# One\n\n```\n# a comment\n```\n[x](a.md#one) [y](https://example.org)\n")
        self.assertEqual(code, 0, output)

    def test_rows_of_a_table_have_its_columns(self):
        self.expect_fault_in("a.md", "# A\n\n| a | b | c |\n|---|---|\n| 1 | 2 |\n", "a.md:4: a row of 2 columns in a table of 3")
        self.expect_fault_in("a.md", "# A\n\n| a |\n|---|\n| `x|y` |\n", "a.md:5: a row of 2 columns in a table of 1")
        code, output = self.check_file("a.md", "# A\n\n| a |\n|---|\n| x\\|y |\n\n| a | b |\n|---|---|\n\n```\n| a\n| a | b\n```\n")
        self.assertEqual(code, 0, output)

    def test_a_shown_program_is_its_file(self):
        (self.root / "x.cpp").write_text(HEADER)
        self.expect_fault_in("a.md", "# A\n\n<!-- the file x.cpp -->\n```cpp\nint other;\n```\n", "not the text of x.cpp")
        code, output = self.check_file("a.md", f"# A\n\n<!-- the file x.cpp -->\n```cpp\n{HEADER}```\n")
        self.assertEqual(code, 0, output)

    def test_code_names_its_test(self):
        self.expect_fault_in("a.md", "# A\n\n```sh\nls\n```\n", "a.md:3: code that no test keeps right")
        self.expect_fault_in("a.md", "# A\n\n<!-- some words -->\n```sh\nls\n```\n", "code that no test keeps right")
        self.expect_fault_in("a.md", "# A\n\n<!-- as in x_test.py -->\n```sh\nls\n```\n", "a.md:3: there is no x_test.py")
        (self.root / "x.cpp").write_text(HEADER + "int a(\n    int b);\n")
        self.expect_fault_in("a.md", "# A\n\n<!-- part of x.cpp -->\n```cpp\nint c;\n```\n", "a.md:3: the code is no part of x.cpp")
        code, output = self.check_file("a.md", "# A\n\n<!-- part of x.cpp -->\n```cpp\nint a(int b);\n```\n\n<!-- run -->\n```sh\nls\n```\n")
        self.assertEqual(code, 0, output)

    def test_the_report_does_not_fail(self):
        long_line = "// " + "word " * 30 + "end.\n"
        code, output = self.check_file("include/affix/wire/view.hpp", HEADER + long_line, "--report")
        self.assertEqual(code, 0, output)
        self.assertIn("columns, aim at 100", output)
        self.assertIn("no unit test file tests/unit/wire/view_test.cpp", output)


if __name__ == "__main__":
    unittest.main()
