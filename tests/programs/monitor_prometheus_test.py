#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Metrics of `affix-monitor` for Prometheus: promtool finds nothing to mend in it, and a real Prometheus scrapes it and
answers the dashboard's queries; and none of who watches costs the engine a system call a message."""

import json
import re
import shutil
import signal
import subprocess
import sys
import unittest
import urllib.parse
import urllib.request
from pathlib import Path

import monitor_fixture
from program_fixture import until

AFFIX = sys.argv.pop(1)
monitor_fixture.MonitorTest.affix = AFFIX
ROOT = Path(__file__).resolve().parents[2]
MESSAGES = 300


class Metrics(monitor_fixture.MonitorTest):
    @unittest.skipUnless(shutil.which("promtool"), "promtool is not installed")
    def test_promtool_has_nothing_to_say(self):
        served = self.serve(self.venue("A"))
        peer = self.peer(served.port, "A")
        self.echoed(peer, "1")
        monitor = self.start_monitor()
        until("the session", lambda: monitor.session("A")["counters"]["messages_sent"] == 2)
        for target in ("/metrics", "/metrics?session=A"):
            status, headers, body = monitor.request(target)
            self.assertEqual(status, 200)
            self.assertTrue(headers["Content-Type"].startswith("text/plain; version=0.0.4"))
            done = subprocess.run(["promtool", "check", "metrics"], input=body, capture_output=True, check=False,
                                  timeout=monitor_fixture.TIMEOUT)
            self.assertEqual((done.returncode, done.stdout + done.stderr), (0, b""))
            text = body.decode()
            self.assertIn('affix_session_messages_received_total{session="A"} 2\n', text)
            self.assertIn('affix_session_up{session="A"} 1\n', text)
            for family in re.findall(r"^# TYPE (\S+) ", text, re.MULTILINE):
                if family.startswith("affix_failover_"):
                    continue  # This engine is no node of a cluster.
                self.assertRegex(text, rf"(?m)^{family}(_count)?[{{ ]", "a family without a sample")

    def query(self, port, text):
        url = f"http://127.0.0.1:{port}/api/v1/query?" + urllib.parse.urlencode({"query": text})
        with urllib.request.urlopen(url, timeout=monitor_fixture.TIMEOUT) as answer:
            return json.load(answer)["data"]["result"]

    @unittest.skipUnless(shutil.which("prometheus"), "prometheus is not installed")
    def test_prometheus_scrapes_it(self):
        served = self.serve(self.venue("A"))
        peer = self.peer(served.port, "A")
        for number in range(MESSAGES):
            self.echoed(peer, str(number))
        monitor = self.start_monitor()
        config = self.write("prometheus.yml", "global:\n  scrape_interval: 1s\nscrape_configs:\n  - job_name: affix\n"
                            f"    static_configs:\n      - targets: ['127.0.0.1:{monitor.port}']\n")
        process = subprocess.Popen(["prometheus", "--config.file", config, "--storage.tsdb.path", self.path("tsdb"),
                                    "--web.listen-address", "127.0.0.1:0", "--log.level", "info"],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        port = None
        while port is None:
            line = process.stderr.readline()
            self.assertNotEqual(line, "", "prometheus has ended")
            found = re.search(r'address=127\.0\.0\.1:(\d+)', line)
            # The address is printed once as it was given, and once as it became.
            if found and found.group(1) != "0":
                port = int(found.group(1))
        until("prometheus", lambda: self.is_ready(port))
        total = 'affix_session_messages_received_total{session="A"}'
        until("a scrape", lambda: any(one["value"][1] == str(MESSAGES + 1) for one in self.query(port, total)))
        until("rates", lambda: self.query(port, 'rate(affix_session_messages_sent_total[1m])'))
        dashboard = json.loads((ROOT / "packaging/grafana/affix.json").read_text(encoding="utf-8"))
        for panel in dashboard["panels"]:
            for target in panel["targets"]:
                expression = target["expr"].replace("$session", ".*").replace("$__rate_interval", "1m")
                self.assertTrue(self.query(port, expression), f"{panel['title']}: {expression}")

    @staticmethod
    def is_ready(port):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/-/ready", timeout=5) as answer:
                return answer.status == 200
        except OSError:
            return False


class Cost(monitor_fixture.MonitorTest):
    def calls(self, served, peer, prefix):
        """The engine's socket calls while it echoes MESSAGES orders and one more, by name."""
        report = self.path("strace-" + prefix)
        tracer = subprocess.Popen(["strace", "-f", "-c", "-e", "trace=sendto,recvfrom,sendmsg,recvmsg", "-o", report, "-p",
                                   str(served.process.pid)], stderr=subprocess.PIPE, text=True)
        try:
            line = tracer.stderr.readline()
            if "attached" not in line:
                self.skipTest(f"processes cannot be traced here: {line.strip()}")
            # The answer to one more arrives before its call has ended, and a call that has not is not counted.
            for number in range(MESSAGES + 1):
                self.echoed(peer, f"{prefix}-{number}")
        finally:
            tracer.send_signal(signal.SIGINT)
            tracer.wait(monitor_fixture.TIMEOUT)
            tracer.stderr.close()
        rows = re.findall(r"^ *[\d.]+ +[\d.]+ +\d+ +(\d+)(?: +\d+)? +(\w+)$", Path(report).read_text(encoding="ascii"),
                          re.MULTILINE)
        return {name: int(count) for count, name in rows if name != "total"}

    @unittest.skipUnless(shutil.which("strace"), "strace is not installed")
    def test_who_watches_costs_the_engine_no_call(self):
        # One core and a scheduler's whim may cut a message in two reads: no two messages meet here.
        served = self.serve(self.venue("A"))
        peer = self.peer(served.port, "A")
        alone = self.calls(served, peer, "alone")
        self.assertGreaterEqual(alone["sendto"], MESSAGES)
        monitor = self.start_monitor()
        watchers = [subprocess.Popen([AFFIX, "top", self.path("counters"), "--once", "--json", "--interval", "3600"],
                                     stdout=subprocess.DEVNULL)]
        scraper = subprocess.Popen(
            [sys.executable, "-c", "import sys, urllib.request\nwhile True:\n  for path in ('metrics', 'api/state', "
             "'api/messages?text=nothing'):\n    urllib.request.urlopen(sys.argv[1] + path).read()",
             f"http://127.0.0.1:{monitor.port}/"])
        watchers.append(scraper)
        try:
            until("a look", lambda: monitor.session("A")["counters"]["messages_sent"] == MESSAGES + 2)
            watched = self.calls(served, peer, "watched")
            self.assertIsNone(scraper.poll(), "it scrapes still")
        finally:
            for watcher in watchers:
                watcher.kill()
                watcher.wait()
        for name in ("sendto", "recvfrom"):
            # A heartbeat or two may fall into either.
            self.assertLessEqual(abs(watched[name] - alone[name]), 4, (alone, watched))


if __name__ == "__main__":
    unittest.main()
