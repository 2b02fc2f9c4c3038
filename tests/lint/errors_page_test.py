# SPDX-License-Identifier: MIT
"""The table of messages or docs/reference/errors.md has an entry for every text that the library's enumerations of faults say."""

import importlib.util
import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SPEC = importlib.util.spec_from_file_location("message_pages", ROOT / "scripts/message_pages.py")
message_pages = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(message_pages)
PAGE = ROOT / "docs/reference/errors.md"
# Enumerations that tell a user what went wrong, by the file that has their texts.
FAULTS = {
    "src/session/texts.cpp": ("Event", "DisconnectReason", "SendError", "RejectReason"),
    "src/host/session_handle.cpp": ("SendStatus",),
    "src/engine/hand_over.cpp": ("HandOver",),
    "src/net/handler.cpp": ("CloseReason", "ConnectFailure", "AcceptPause"),
    "src/journal/append_result.cpp": ("AppendResult",),
    "src/wire/convert.cpp": ("FieldError",),
    "src/wire/encoder.cpp": ("EncodeError",),
    "src/wire/framer.cpp": ("FrameError",),
    "src/wire/groups.cpp": ("GroupFault",),
    "src/wire/index.cpp": ("MessageDefect", "FieldFault"),
    "src/wire/dispatch.cpp": ("KernelError",),
}
# Texts that are not faults: a message that was sent, a value that is not an enumerator.
NO_FAULTS = {"none", "no error", "no fault", "sent", "queued", "appended"}
TEXT = re.compile(r'case \w+::\w+:\s*return \{?"((?:[^"\\]|\\.)*)"')


def texts_of(source, name):
    """Text of `to_text(name)` for each enumerator: by itself, or from the function that has the codes too."""
    body = re.search(rf"(?:described|to_text)\({name} \w+\) noexcept {{\n(.*?)\n}}\n", source, re.DOTALL)
    if body is None:
        raise AssertionError(f"no to_text({name})")
    return TEXT.findall(body.group(1))


class ErrorsPage(unittest.TestCase):
    def test_every_text_has_an_entry(self):
        by_hand = set(re.findall(r"^\| `([^`]+)` \|", message_pages.PART.sub("", PAGE.read_text()), re.MULTILINE))
        entries = by_hand | {text for row in message_pages.rows() for text in row["texts"]}
        texts = set()  # As they are printed.
        for path, names in FAULTS.items():
            source = (ROOT / path).read_text()
            for name in names:
                said = texts_of(source, name)
                self.assertGreater(len(said), 1, name)
                texts.update(text.replace("\\\"", "\"") for text in said)
        self.assertGreater(len(texts), 100)
        self.assertEqual(sorted(texts - NO_FAULTS - entries), [], "texts without an entry")
        self.assertEqual(sorted(by_hand - texts), [], "entries of texts that nothing says")


if __name__ == "__main__":
    unittest.main()
