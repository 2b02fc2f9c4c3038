# SPDX-License-Identifier: MIT
"""check_layers.py against small wrong trees: each must fail, with the file, the line and the rule."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts/check_layers.py"
LAYERS = """
affix_layer(base)
affix_layer(wire USES base)
affix_layer(session USES wire base)
affix_layer(journal USES base)
affix_layer(engine USES session journal wire base PRIVATE_LIBS Threads::Threads)
"""


class CheckLayers(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = Path(self.folder.name)
        self.addCleanup(self.folder.cleanup)
        self.write("CMakeLists.txt", LAYERS)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def check(self):
        run = subprocess.run([sys.executable, str(SCRIPT), str(self.root)], capture_output=True, text=True, check=False)
        return run.returncode, run.stdout

    def expect_fault(self, text):
        code, output = self.check()
        self.assertEqual(code, 1, output)
        self.assertIn(text, output)

    def test_a_right_tree_passes(self):
        self.write("include/affix/base/time.hpp", "#include <cstdint>\n")
        self.write("include/affix/wire/view.hpp", '#include "affix/base/time.hpp"\n#include <string_view>\n')
        self.write("src/wire/kernel_avx2.cpp", '#include "wire/kernels.hpp"\n#include <immintrin.h>\n')
        self.write("src/wire/kernels.hpp", "\n")
        self.write("src/engine/engine.cpp", '#include "affix/session.hpp"\n#include <thread>\n')
        self.write("tests/unit/wire/view_test.cpp", '#include "affix/wire/view.hpp"\n#include <gtest/gtest.h>\n')
        code, output = self.check()
        self.assertEqual(code, 0, output)
        self.assertIn("0 faults", output)

    def test_generated_headers_are_of_the_messages_layer(self):
        self.write("CMakeLists.txt", LAYERS + "affix_layer(messages USES wire base)\n")
        self.write("tests/unit/messages/order_test.cpp", '#include "affix/fix50sp2/new_order_single.hpp"\n')
        self.assertEqual(self.check()[0], 0)
        self.write("src/session/logon.cpp", '#include "affix/fixt11/logon.hpp"\n')
        self.expect_fault("src/session/logon.cpp:1: layer 'session' looks up at 'messages' (affix/fixt11/logon.hpp)")
        self.write("src/session/logon.cpp", '#include "affix/fixture/logon.hpp"\n')
        self.expect_fault("'affix/fixture/logon.hpp' belongs to no layer")

    def test_looking_up(self):
        self.write("src/wire/view.cpp", '\n#include "affix/session/session.hpp"\n')
        self.expect_fault("src/wire/view.cpp:2: layer 'wire' looks up at 'session' (affix/session/session.hpp); "
                          "it may use base only")

    def test_looking_sideways(self):
        self.write("include/affix/journal/log.hpp", '#include "affix/session.hpp"\n')
        self.expect_fault("include/affix/journal/log.hpp:1: layer 'journal' looks sideways at 'session'")

    def test_a_unit_test_obeys_its_layer(self):
        self.write("tests/unit/base/time_test.cpp", '#include "affix/wire.hpp"\n')
        self.expect_fault("tests/unit/base/time_test.cpp:1: layer 'base' looks up at 'wire'")

    def test_only_tests_may_use_the_kit(self):
        self.write("CMakeLists.txt", LAYERS + "affix_layer(testing USES session journal wire base)\n")
        self.write("tests/unit/session/x_test.cpp", '#include "affix/testing/manual_clock.hpp"\n')
        code, output = self.check()
        self.assertEqual(code, 0, output)
        self.write("src/session/x.cpp", '#include "affix/testing/manual_clock.hpp"\n')
        self.expect_fault("src/session/x.cpp:1: layer 'session' looks up at 'testing'")

    def test_a_private_header_of_another_layer(self):
        self.write("src/wire/kernels.hpp", "\n")
        self.write("src/session/resend.cpp", '#include "wire/kernels.hpp"\n')
        self.expect_fault("'wire/kernels.hpp' is private to layer 'wire'")

    def test_a_private_header_in_a_public_one(self):
        self.write("src/wire/kernels.hpp", "\n")
        self.write("include/affix/wire/index.hpp", '#include "wire/kernels.hpp"\n')
        self.expect_fault("a public header may not include the private header")

    def test_a_tool_may_not_look_into_src(self):
        self.write("src/wire/kernels.hpp", "\n")
        self.write("tools/affix/trade.cpp", '#include "wire/kernels.hpp"\n')
        self.expect_fault("tools/affix/trade.cpp:1: 'wire/kernels.hpp' is private to layer 'wire'")

    def test_what_a_layer_must_not_know(self):
        for layer, header, subject in (("session", "sys/socket.h", "sockets"), ("session", "chrono", "clocks"),
                                       ("session", "thread", "threads"), ("session", "fstream", "files"),
                                       ("wire", "netinet/in.h", "sockets"), ("base", "mutex", "threads"),
                                       ("journal", "sys/socket.h", "sockets")):
            with self.subTest(layer=layer, header=header):
                self.write(f"src/{layer}/x.cpp", f"#include <{header}>\n")
                self.expect_fault(f"src/{layer}/x.cpp:1: layer '{layer}' must not know {subject} (<{header}>)")

    def test_no_library_below(self):
        self.write("src/journal/log.cpp", "#include <spdlog/spdlog.h>\n")
        self.expect_fault("layer 'journal' has no dependency but libc and the C++ library (<spdlog/spdlog.h>)")

    def test_costly_headers(self):
        self.write("include/affix/engine/engine.hpp", "#include <functional>\n")
        self.expect_fault("include/affix/engine/engine.hpp:1: a public header may not include <functional>")

    def test_session_and_journal_never_meet_whatever_cmake_says(self):
        self.write("CMakeLists.txt", LAYERS.replace("journal USES base", "journal USES session base"))
        self.expect_fault("layers 'session' and 'journal' never meet")

    def test_an_unknown_folder(self):
        self.write("src/misplaced/x.cpp", "\n")
        self.expect_fault("this folder belongs to no layer")

    def test_an_unknown_header_of_ours(self):
        self.write("src/base/x.cpp", '#include "affix/basement/x.hpp"\n')
        self.expect_fault("'affix/basement/x.hpp' belongs to no layer")


if __name__ == "__main__":
    unittest.main()
