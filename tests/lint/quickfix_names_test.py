#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The page of names that differ from QuickFIX's is what its script writes, where QuickFIX's headers are; and the script sees differences."""

import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HEADERS = Path("/usr/include/quickfix")
sys.path.insert(0, str(ROOT / "scripts"))
import quickfix_names  # pylint: disable=wrong-import-position


class QuickFixNames(unittest.TestCase):
    @unittest.skipUnless(HEADERS.is_dir(), "no headers of QuickFIX (libquickfix-dev)")
    def test_the_page_is_the_output_of_the_script(self):
        self.assertEqual(quickfix_names.PAGE.read_text(encoding="utf-8"), quickfix_names.page(HEADERS))

    def test_differences_are_listed_and_nothing_else(self):
        with tempfile.TemporaryDirectory(prefix="affix-names-test-") as directory:
            headers = Path(directory)
            (headers / "fix44").mkdir()
            (headers / "fix44/Order.h").write_text(
                'class Order : public Message\n{ static FIX::MsgType MsgType() { return FIX::MsgType("D"); } };\n', encoding="ascii")
            (headers / "FixFieldNumbers.h").write_text("const int ClOrdID = 11;\nconst int Way = 54;\n", encoding="ascii")
            (headers / "FixValues.h").write_text("const char Side_BUY = '1';\nconst char Way_OUT = '2';\n"
                                                 "const char PossDupFlag_NO = 'N';\n", encoding="ascii")
            rows, counts = quickfix_names.differences(headers)
        self.assertEqual(rows["messages"], [("D", "NewOrderSingle", "`Order`")])
        self.assertEqual(rows["fields"], [(54, "Side", "`Way`")])
        self.assertEqual(rows["values"], [(54, "2", "Side::Sell", "`Way_OUT`")])
        self.assertEqual(counts, {"messages": 1, "fields": 2, "values": 2})


if __name__ == "__main__":
    unittest.main()
