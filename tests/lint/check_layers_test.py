# SPDX-License-Identifier: MIT
"""check_layers.py against small wrong trees: each must fail, with the file, the line and the rule."""

import unittest

import tree_fixture

LAYERS = """
affix_layer(base)
affix_layer(wire USES base)
affix_layer(session USES wire base)
affix_layer(journal USES base)
affix_layer(engine USES session journal wire base PRIVATE_LIBS Threads::Threads)
"""


class CheckLayers(tree_fixture.TreeTest):
    script = "check_layers.py"

    def setUp(self):
        super().setUp()
        self.write("CMakeLists.txt", LAYERS)

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

    def test_a_header_that_its_layer_shares(self):
        self.write("CMakeLists.txt", LAYERS.replace("journal USES base", "journal USES base SHARES home"))
        self.write("src/journal/home.hpp", "#pragma once\n")
        self.write("src/journal/gate.hpp", "#pragma once\n")
        self.write("src/engine/engine.cpp", '#include "journal/home.hpp"\n')
        code, output = self.check()
        self.assertEqual(code, 0, output)
        self.write("src/engine/engine.cpp", '#include "journal/gate.hpp"\n')
        self.expect_fault("'journal/gate.hpp' is private to layer 'journal', which does not share it")
        self.expect_fault("CMakeLists.txt:1: 'journal/home.hpp' is shared, but no other layer includes it")
        # A program is not a layer.
        self.write("tools/affix/main.cpp", '#include "journal/home.hpp"\n')
        self.expect_fault("tools/affix/main.cpp:1: 'journal/home.hpp' is private to layer 'journal'")

    def test_a_unit_test_sees_the_private_headers_of_lower_layers(self):
        self.write("src/journal/home.hpp", "#pragma once\n")
        self.write("tests/unit/engine/engine_test.cpp", '#include "journal/home.hpp"\n')
        code, output = self.check()
        self.assertEqual(code, 0, output)

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

    def test_headers_that_a_layer_must_not_include(self):
        for layer, header, subject in (("session", "sys/socket.h", "sockets"), ("session", "chrono", "clocks"),
                                       ("session", "thread", "threads"), ("session", "fstream", "files"),
                                       ("wire", "netinet/in.h", "sockets"), ("base", "mutex", "threads"),
                                       ("journal", "sys/socket.h", "sockets")):
            with self.subTest(layer=layer, header=header):
                self.write(f"src/{layer}/x.cpp", f"#include <{header}>\n")
                self.expect_fault(f"src/{layer}/x.cpp:1: layer '{layer}' must not know {subject} (<{header}>)")

    def test_a_layer_whose_time_comes_from_its_owner(self):
        self.write("CMakeLists.txt", LAYERS.replace("journal USES base", "os USES base)\naffix_layer(journal USES os base"))
        self.write("src/journal/disk.cpp", '#include "affix/os/clock.hpp"\n')
        self.write("tests/unit/journal/flush_test.cpp", '#include "affix/os/clock.hpp"\n')
        code, output = self.check()
        self.assertEqual(code, 0, output)
        self.write("src/journal/flush.cpp", '#include "affix/os/clock.hpp"\n')
        self.expect_fault("src/journal/flush.cpp:1: layer 'journal' takes its time from its owner (affix/os/clock.hpp)")

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

    def test_two_headers_that_include_each_other(self):
        self.write("include/affix/wire/view.hpp", '#include "affix/wire/index.hpp"\n')
        self.write("include/affix/wire/index.hpp", '\n#include "affix/wire/view.hpp"\n')
        self.expect_fault("include/affix/wire/index.hpp:2: subjects 'wire/index' and 'wire/view' include each other "
                          "(affix/wire/view.hpp, and affix/wire/index.hpp by include/affix/wire/view.hpp:1)")

    def test_two_subjects_that_include_each_other_by_a_source(self):
        self.write("src/engine/host.hpp", "#pragma once\n")
        self.write("src/engine/host_actions.cpp", '#include "engine/host.hpp"\n#include "engine/relay.hpp"\n')
        self.write("src/engine/relay.hpp", '#include "engine/host.hpp"\n')
        self.expect_fault("src/engine/host_actions.cpp:2: subjects 'engine/host' and 'engine/relay' include each other")
        # With a header of its own it is a subject of its own.
        self.write("src/engine/host_actions.hpp", "#pragma once\n")
        code, output = self.check()
        self.assertEqual(code, 0, output)

    def test_a_public_header_and_a_private_one_of_its_layer(self):
        self.write("include/affix/journal/log.hpp", "#pragma once\n")
        self.write("src/journal/log.cpp", '#include "affix/journal/log.hpp"\n#include "journal/home.hpp"\n')
        self.write("src/journal/home.hpp", '#include "affix/journal/log.hpp"\n')
        self.expect_fault("subjects 'journal/home' and 'journal/log' include each other")

    def test_subjects_of_the_programs(self):
        self.write("tools/affix/log/printer.hpp", "#pragma once\n")
        self.write("tools/affix/log/printer.cpp", '#include "log/printer.hpp"\n#include "log/lines.hpp"\n')
        self.write("tools/affix/log/lines.hpp", '#include "log/printer.hpp"\n')
        self.expect_fault("subjects 'tools/affix/log/lines' and 'tools/affix/log/printer' include each other")

    def test_subjects_of_a_program_with_a_longer_name(self):
        self.write("tools/affix_lab/trade/client.hpp", '#include "trade/flow.hpp"\n')
        self.write("tools/affix_lab/trade/flow.hpp", '#include "trade/client.hpp"\n')
        self.expect_fault("subjects 'tools/affix_lab/trade/client' and 'tools/affix_lab/trade/flow' include each other")

    def test_details_of_wire(self):
        self.write("src/wire/view.cpp", "int a = wire::detail::load_word();\n")
        self.write("src/session/x.cpp", "// Not of wire::detail.\n")
        code, output = self.check()
        self.assertEqual(code, 0, output)
        self.write("src/session/x.cpp", "\nint a = wire::detail::load_word();\n")
        self.expect_fault("src/session/x.cpp:2: wire::detail is wire's own")
        self.write("src/session/x.cpp", '#include "affix/wire/detail/digits.hpp"\n')
        self.expect_fault("src/session/x.cpp:1: wire::detail is wire's own")
        self.write("src/session/x.cpp", "\n")
        self.write("tools/affix/x.cpp", "using affix::wire::detail::load_word;\n")
        self.expect_fault("tools/affix/x.cpp:1: wire::detail is wire's own")

    def test_intrinsics(self):
        self.write("src/base/crc32c_armv8.cpp", "#include <arm_neon.h>\n")
        self.write("include/affix/wire/detail/find_tag.hpp", "#include <emmintrin.h>\n")
        code, output = self.check()
        self.assertEqual(code, 0, output)
        for place in ("src/session/header.cpp", "src/wire/view.cpp", "tools/affix/x.cpp", "src/base/crc.cpp", "benchmarks/x.hpp"):
            with self.subTest(place=place):
                self.write(place, "#include <emmintrin.h>\n")
                self.expect_fault(f"{place}:1: intrinsics (<emmintrin.h>) stand in the kernels' files only")
                self.write(place, "#include <cpuid.h>\n")
                self.expect_fault(f"{place}:1: intrinsics (<cpuid.h>) stand in the kernels' files only")
                self.write(place, "\nauto now = __builtin_ia32_rdtsc();  // The counter.\n")
                self.expect_fault(f"{place}:2: intrinsics (__builtin_ia32_rdtsc) stand in the kernels' files only")
                self.write(place, "// Not with __builtin_ia32_rdtsc().\n")

    def test_conditions_for_a_platform(self):
        planted = ("#ifdef __linux__\n#include <a.h>\nint one();\n#endif\n", "#if defined(_WIN32)\n\nint one();\n#endif\n",
                   "#if FOO\nint one();\n#elif defined(__APPLE__)\nint two();\n#endif\n", "#ifndef MADV_X\n#define MADV_X 1\n\n#endif\n",
                   "#if __x86_64__ && !defined(FOO)\nint one();\nint two();\n#else\n#endif\n")
        for place in ("src/session/header.cpp", "include/affix/journal/x.hpp", "src/engine/x.cpp", "tools/affix/x.cpp",
                      "tests/unit/wire/x_test.cpp"):
            for text in planted:
                with self.subTest(place=place, text=text):
                    self.write(place, "\n" + text)
                    self.expect_fault("2 lines under #if for a platform")
            self.write(place, "#ifdef NDEBUG\n#endif\n// #ifdef __linux__\n#if defined(__SANITIZE_THREAD__)\n#endif\n")
        self.write("CMakeLists.txt", LAYERS + "affix_layer(os)\naffix_layer(net)\n")
        for place in ("src/os/pages.cpp", "src/net/socket.cpp", "src/wire/kernel_avx2.cpp", "src/base/crc32c.cpp"):
            self.write(place, "#ifdef __linux__\n#endif\n")
        code, output = self.check()
        self.assertEqual(code, 0, output)

    def test_intrinsics_that_have_a_reason_to_be_elsewhere(self):
        self.write("CMakeLists.txt", LAYERS + "affix_layer(os)\n")
        self.write("src/os/cycle_clock.hpp", "#include <cpuid.h>\nauto now = __builtin_ia32_rdtsc();\n")
        self.write("benchmarks/micro/journal_append/stamp_counter.hpp", "#include <x86intrin.h>\n")
        code, output = self.check()
        self.assertEqual(code, 0, output)


if __name__ == "__main__":
    unittest.main()
