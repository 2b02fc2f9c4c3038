#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Results of scripts/amalgamate.py for small files; that its results compile and run is tested by tests/install."""

import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

import amalgamate  # noqa: E402


def inlined(text):
    return amalgamate.text_of(amalgamate.made_inline(amalgamate.tokens_of(text)))


def names(text):
    return [declaration.name for declaration in amalgamate.declarations(amalgamate.tokens_of(text))[0]]


class Inline(unittest.TestCase):
    def test_functions_and_variables_become_inline(self):
        self.assertEqual(inlined("int f() { return 1; }\n"), "inline int f() { return 1; }\n")
        self.assertEqual(inlined("[[nodiscard]] int f() { return 1; }"), "[[nodiscard]] inline int f() { return 1; }")
        self.assertEqual(inlined("constexpr int a[]{1, 2};"), "inline constexpr int a[]{1, 2};")
        self.assertEqual(inlined("S::S(int a) : a_{a}, b_(a) { go(); }"), "inline S::S(int a) : a_{a}, b_(a) { go(); }")
        self.assertEqual(inlined("bool operator==(S a, S b) { return true; }"),
                         "inline bool operator==(S a, S b) { return true; }")

    def test_inline_code_and_declarations_stay(self):
        for text in ("inline int f() { return 1; }", "constexpr int f() { return 1; }", "int f();", "struct S { int f() { return 1; } };",
                     "template <class T> requires(sizeof(T) > 1) T f() { return {}; }", "enum class E : int { A };",
                     "using T = int;", "extern const int a;", "static_assert(true);"):
            self.assertEqual(inlined(text), text)

    def test_unnamed_namespaces_get_a_name(self):
        self.assertEqual(inlined("namespace a {\nnamespace {\nint f() { return 1; }\n}\n}"),
                         "namespace a {\ninline namespace own {\ninline int f() { return 1; }\n}\n}")

    def test_an_attribute_after_a_body_begins_the_next_declaration(self):
        self.assertEqual(names("int f() {\n  return 0;\n}\n\n[[nodiscard]] int g() {\n  return 1;\n}\n"), ["f", "g"])

    def test_text_that_only_looks_like_code_is_none(self):
        self.assertEqual(names('const char* a = "}{ // ";\nchar b = \'{\';\nconst char* c = R"x(}")x";\n'), ["a", "b", "c"])


class Names(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "src" / "wire").mkdir(parents=True)

    def files(self, **texts):
        tree = amalgamate.Tree(str(self.root))
        for name, text in texts.items():
            (self.root / "src" / "wire" / f"{name}.cpp").write_text(text, encoding="ascii")
        files = [tree.file(f"wire/{name}.cpp") for name in texts]
        clashes = amalgamate.clashing_names(tree, files)
        return {file.path[5:-4]: amalgamate.text_of(amalgamate.renamed(file.tokens, clashes.get(file.path, set()), file.mark))
                for file in files}

    def test_a_name_of_two_files_is_made_unique(self):
        made = self.files(a="namespace {\nint size() { return 1; }\nint own() { return s.size() + size(); }\n}\n",
                          b="namespace {\nint size() { return 2; }\n}\n")
        self.assertIn("int own() { return s.size() + size_wire_a(); }", made["a"])
        self.assertIn("int size_wire_b()", made["b"])

    def test_a_type_is_made_unique_in_its_own_style(self):
        made = self.files(a="namespace {\nstruct Row {};\nRow f();\n}\n", b="namespace {\nstruct Row {};\n}\n")
        self.assertIn("struct RowWireA {};\nRowWireA f();", made["a"])

    def test_a_name_of_a_named_namespace_within_the_unnamed_one_follows(self):
        made = self.files(a="namespace {\nnamespace rows {\nconst int table = 1;\n}\n}\nint f() { return rows::table; }\n",
                          b="namespace {\nconst int table = 2;\n}\nint g() { return table + other::table; }\n")
        self.assertIn("return rows::table_wire_a;", made["a"])
        self.assertIn("return table_wire_b + other::table;", made["b"])

    def test_names_within_directives_follow(self):
        made = self.files(a="namespace {\nconst int limit = 1;\n}\n#define TWICE (limit * 2)\n",
                          b="namespace {\nconst int limit = 2;\n}\n")
        self.assertIn("#define TWICE (limit_wire_a * 2)", made["a"])

    def test_a_foreign_library_puts_the_file_inside_its_macro(self):
        (self.root / "src" / "wire" / "x.cpp").write_text("#include <openssl/ssl.h>\nint f();\n", encoding="ascii")
        tree = amalgamate.Tree(str(self.root))
        self.assertEqual(tree.macros("wire/x.cpp"), ["AFFIX_TLS"])
        self.assertEqual(amalgamate.section(tree.file("wire/x.cpp"), tree.file("wire/x.cpp").tokens,
                                            tree.macros("wire/x.cpp")).split("\n")[2], "#ifdef AFFIX_TLS")


if __name__ == "__main__":
    unittest.main()
