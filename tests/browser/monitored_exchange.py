# SPDX-License-Identifier: MIT
"""An exchange with traders and a monitor beside it: what the tests of the monitor's page look at, and its pictures show."""

import datetime
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/programs"), str(ROOT / "python/affix-admin")]
sys.dont_write_bytecode = True

import fix_peer  # noqa: E402
from affix_admin import AdminClient  # noqa: E402

TIMEOUT = 60
OPERATE_TOKEN = "hands-on-the-switches"
READ_TOKEN = "look-but-do-not-touch"
MARKUP = "<script>window.hacked=1</script><img src=x onerror=window.hacked=2>"


class Trader(fix_peer.FixPeer):
    """A peer that knows the messages of an order's life."""

    def now(self):
        return datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%d-%H:%M:%S.%f")[:-3]

    def terms(self, symbol, side, quantity, price):
        return [(55, symbol), (54, side), (60, self.now()), (38, quantity), (40, 2), (44, price)]

    def limit(self, name, symbol="IBM", side=1, quantity=100, price="101.5", more=()):
        """Sends a limit order and returns the first report about it."""
        self.send("D", [(11, name), *self.terms(symbol, side, quantity, price), *more])
        return self.wait("8")

    def replace(self, name, before, symbol="IBM", side=1, quantity=150, price="101.5"):
        self.send("G", [(41, before), (11, name), *self.terms(symbol, side, quantity, price)])
        return self.wait("8")

    def cancel(self, name, before, answer="8", symbol="IBM", side=1, quantity=100):
        self.send("F", [(41, before), (11, name), (55, symbol), (54, side), (60, self.now()), (38, quantity)])
        return self.wait(answer)


class MonitoredExchange:
    """`affix-lab exchange` and `affix-monitor` in a directory of their own. `close()` ends both."""

    def __init__(self, affix, sessions, engine="", name="exchange"):
        self.affix = str(affix)
        self.directory = tempfile.mkdtemp(prefix="affix-monitor-page-")
        self.processes = []
        self.traders = []
        for role, token in (("read", READ_TOKEN), ("operate", OPERATE_TOKEN)):
            Path(self.path(role)).write_text(token + "\n", encoding="ascii")
        self.config = self.path(f"{name}.ini")
        self.sessions, self.engine = sessions, engine
        self.exchange = self.monitor = None
        self.fix_port = 0

    def path(self, name):
        return os.path.join(self.directory, name)

    def write_config(self):
        text = f"[ENGINE]\nlog_file={self.path('log')}\ncounters_file={self.path('counters')}\n" \
               f"management_server_port=-1\nmanagement_operate_token=file:{self.path('operate')}\n" \
               f"management_read_token=file:{self.path('read')}\n{self.engine}\n" \
               f"[VENUE]\nnic_address=127.0.0.1\naccept_port={self.fix_port}\n"
        for name in self.sessions:
            text += f"[{name}]\nbegin_string=FIX.4.4\nsender_comp_id=EXCHANGE\ntarget_comp_id={name}\n" \
                    f"journal_path={self.path('journal')}\n"
        Path(self.config).write_text(text, encoding="ascii")

    def start(self, program, *arguments):
        process = subprocess.Popen([f"{self.affix}-{program}", *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   text=True)
        self.processes.append(process)
        return process

    @staticmethod
    def read_line(process, pattern):
        line = process.stdout.readline()
        found = re.fullmatch(pattern, line.rstrip("\n"))
        if not found:
            process.kill()
            raise AssertionError(f"{line}{process.stdout.read()} is not {pattern}")
        return found

    def start_exchange(self, *symbols):
        self.write_config()
        options = [word for symbol in symbols for word in ("--symbol", symbol)]
        self.exchange = self.start("lab", "exchange", "--config", self.config, *options)
        self.fix_port = int(self.read_line(self.exchange, r"listening on 127\.0\.0\.1:(\d+)")[1])
        self.admin = self.read_line(self.exchange, r"administration on (127\.0\.0\.1:\d+)")[1]

    def start_monitor(self, *options, port=0):
        self.monitor = self.start("monitor", self.config, "--listen", f"127.0.0.1:{port}", *options)
        self.address = self.read_line(self.monitor, r"monitor on (http://127\.0\.0\.1:\d+)")[1]
        self.read_line(self.monitor, "ready")

    def trader(self, name):
        trader = Trader.connect(self.fix_port, name, "EXCHANGE")
        self.traders.append(trader)
        trader.log_on(heartbeat=600)
        return trader

    def command(self, *words):
        """Has a command of the administration port done, past the page."""
        host, port = self.admin.split(":")
        with AdminClient(host, int(port), token=OPERATE_TOKEN, timeout=TIMEOUT) as client:
            client.do(*words)

    def log(self, *options):
        """Output of `affix log` for the journals, to compare with the page."""
        done = subprocess.run([self.affix, "log", "--json", *options, self.path("journal")], capture_output=True, text=True,
                              timeout=TIMEOUT, check=True)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def end(self, process, number=signal.SIGTERM):
        if process is not None and process.poll() is None:
            process.send_signal(number)
            process.send_signal(signal.SIGCONT)  # It may have been stopped, and take no signal until it goes on.
            try:
                process.wait(timeout=TIMEOUT)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def close(self):
        for trader in self.traders:
            trader.close()
        for process in reversed(self.processes):
            self.end(process)
            process.stdout.close()
        shutil.rmtree(self.directory, ignore_errors=True)
