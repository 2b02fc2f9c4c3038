# SPDX-License-Identifier: MIT
"""A terminal for tests of programs that edit lines: a pseudo terminal with a process on it, and what its screen shows."""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time

ROWS, COLUMNS = 50, 160
SEQUENCE = re.compile(r"\x1b\[([?>]?)([\d;]*)([A-Za-z])|\x1b[()][A-Z0-9]|\x1b\][^\x07]*\x07|\x1b[=>78]")


class Terminal:
    """Lines never scroll away: the screen is as long as what was written, and all movements are relative."""

    def __init__(self, arguments, environment, patience):
        self.parent, child = pty.openpty()
        fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self.process = subprocess.Popen(arguments, stdin=child, stdout=child, stderr=child, start_new_session=True,
                                        env={**environment, "TERM": "xterm"})
        os.close(child)
        self.patience = patience
        self.lines = [""]
        self.row = self.column = 0
        self.unread = ""

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.parent)

    def type(self, text):
        os.write(self.parent, text.encode())

    def text(self):
        return "\n".join(line.rstrip() for line in self.lines)

    def wait_for(self, shows):
        """Until `shows` is true of the screen's lines; False when that takes too long."""
        end = time.monotonic() + self.patience
        while not shows([line.rstrip() for line in self.lines]):
            if not select.select([self.parent], [], [], max(0, end - time.monotonic()))[0]:
                return False
            try:
                self.unread += os.read(self.parent, 65536).decode(errors="replace")
            except OSError:  # The process has closed its end.
                return shows([line.rstrip() for line in self.lines])
            self.draw()
        return True

    def draw(self):
        at = 0
        while at < len(self.unread):
            byte = self.unread[at]
            if byte == "\x1b":
                found = SEQUENCE.match(self.unread, at)
                if found is None:
                    if len(self.unread) - at < 32:
                        break  # The rest of it is on its way.
                    at += 1
                    continue
                self.obey(found)
                at = found.end()
                continue
            at += 1
            if byte == "\r":
                self.column = 0
            elif byte == "\n":
                self.row += 1
            elif byte == "\b":
                self.column = max(0, self.column - 1)
            elif byte >= " ":
                self.put(byte)
        self.unread = self.unread[at:]

    def put(self, byte):
        line = self.line().ljust(self.column)
        self.lines[self.row] = line[:self.column] + byte + line[self.column + 1:]
        self.column += 1

    def line(self):
        while len(self.lines) <= self.row:
            self.lines.append("")
        return self.lines[self.row]

    def obey(self, found):
        if found.group(3) is None or found.group(1):
            return
        count = int(found.group(2).split(";")[0] or 0)
        by = max(1, count)
        match found.group(3):
            case "A":
                self.row = max(0, self.row - by)
            case "B":
                self.row += by
            case "C":
                self.column += by
            case "D":
                self.column = max(0, self.column - by)
            case "K" if count == 0:
                self.lines[self.row] = self.line()[:self.column]
            case "J" if count == 0:
                self.lines[self.row] = self.line()[:self.column]
                del self.lines[self.row + 1:]
            case "n" if count == 6:
                self.type("\x1b[1;1R")  # Where the cursor is, as far as anybody here cares.
