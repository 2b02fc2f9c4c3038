# SPDX-License-Identifier: MIT
"""The table of what is tested where: that of the page is made from dev's stages, and a stage of `dev` is in it."""

import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import platform_table  # noqa: E402

DEV = """cmd_test() {
    build_stage gcc-debug all &&
        test_stage gcc-debug "unit tests" -L unit || true
}
cmd_check() {
    platform_macos_of aarch64 affix_program
    platform_musl ''
}
check_platform() {
    case $name in
        macos) platform_macos affix_layers ;;
        musl) platform_musl . affix_unit_tests ;;
    esac
}
platform_macos() {
    platform_macos_of aarch64 "$@"
    platform_macos_of x86_64 "$@"
}
platform_macos_of() {
    local processor=$1
    build_stage "macos-$processor" "$@" || return 0
}
platform_musl() {
    local tests=$1
    stage "musl-x86_64: alone" true
    [[ -n $tests ]] || return 0
    test_stage musl-x86_64 tests -R "$tests" || true
}
"""


class PlatformTable(unittest.TestCase):
    def test_the_page_has_the_table_of_dev(self):
        page = platform_table.PAGE.read_text()
        self.assertIn(platform_table.table((ROOT / "dev").read_text()), page, "run scripts/platform_table.py")

    def test_what_is_run_where(self):
        rows = platform_table.table(DEV).splitlines()[2:]
        self.assertIn("| Linux x86-64, GCC 12, debug | unit tests | `./dev test` | - |", rows)
        self.assertIn("| macOS aarch64, Clang of zig | compiled | `./dev check` | `--platform macos` |", rows)
        self.assertIn("| macOS x86-64, Clang of zig | compiled | no | `--platform macos` |", rows)
        self.assertIn("| Linux x86-64 with musl, static, Clang of zig | alone | `./dev check` | `--platform musl` |", rows)
        self.assertIn("| Linux x86-64 with musl, static, Clang of zig | tests | no | `--platform musl` |", rows)
        self.assertEqual(len(rows), 6, rows)


if __name__ == "__main__":
    unittest.main()
