# SPDX-License-Identifier: MIT
"""`affix-lab exchange` as the engine under test."""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def session(name, sender, target, folder, instance, keys=""):
    return (f"[{name}]\ntype=session\ninstance={instance}\nbegin_string=FIX.4.4\nsender_comp_id={sender}\n"
            f"target_comp_id={target}\njournal_path={folder}\ndictionary={ROOT}/dictionaries/FIX44.xml\n{keys}")


class Exchange:
    """Runs from its making to the end of `with`, with a session for each member."""

    def __init__(self, lab, folder, members, *arguments, engine_keys=""):
        folder.mkdir(exist_ok=True)
        text = f"[ENGINE]\n{engine_keys}" if engine_keys else ""
        text += "[EXCHANGE]\nnic_address=127.0.0.1\naccept_port=0\n"
        text += "".join(session(name, "EXCHANGE", name, folder / "journal", "EXCHANGE") for name in members)
        (folder / "exchange.ini").write_text(text)
        self.lines = []
        self.process = subprocess.Popen([lab, "exchange", folder / "exchange.ini", *arguments], stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, text=True)
        self.address = self.wait_for(r"listening on (127\.0\.0\.1:\d+)")

    def wait_for(self, pattern):
        """The first group of the first line, from now on, that has it."""
        for line in self.process.stdout:
            self.lines.append(line)
            if match := re.search(pattern, line):
                return match[1]
        raise AssertionError(f"the exchange has ended without '{pattern}':\n" + "".join(self.lines))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.communicate(timeout=60)
