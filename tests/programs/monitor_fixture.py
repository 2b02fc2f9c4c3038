# SPDX-License-Identifier: MIT
"""An engine served with counters and an administration port, and `affix-monitor` beside it, asked over HTTP."""

import http.client
import json
import os
import re
import subprocess
import urllib.parse
from pathlib import Path

import serve_fixture

TIMEOUT = serve_fixture.TIMEOUT
READ_TOKEN = "look-but-do-not-touch"
OPERATE_TOKEN = "hands-on-the-switches"


class Monitor:
    """A process that has said where it listens."""

    def __init__(self, process, port, tls=None):
        self.process, self.port, self.tls = process, port, tls

    def request(self, path, method="GET", body=None, **headers):
        """Status, headers and body of one request."""
        if self.tls is None:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)
        else:
            connection = http.client.HTTPSConnection("127.0.0.1", self.port, timeout=TIMEOUT, context=self.tls)
        try:
            connection.request(method, path, body=body,
                               headers={name.replace("_", "-"): value for name, value in headers.items()})
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()
        finally:
            connection.close()

    def get(self, path, **parameters):
        """Answer of a path as JSON; its status must be 200."""
        query = urllib.parse.urlencode(parameters, doseq=True)
        status, _, body = self.request(path + ("?" + query if query else ""))
        if status != 200:
            raise AssertionError(f"{path} {parameters}: {status} {body.decode()}")
        return json.loads(body)

    def refused(self, path, status, **parameters):
        """The error's text and code, "text [M122]", of a request that must be refused so."""
        query = urllib.parse.urlencode(parameters, doseq=True)
        got, _, body = self.request(path + ("?" + query if query else ""))
        if got != status:
            raise AssertionError(f"{path} {parameters}: {got} {body.decode()}")
        answer = json.loads(body)
        return f"{answer['error']} [{answer['code']}]"

    def search(self, **parameters):
        """All messages that are asked for, over however many answers, and the problems that were met."""
        answer = self.get("/api/messages", **parameters)
        found = answer["messages"]
        while answer["cursor"] is not None:
            answer = self.get("/api/messages", **parameters, cursor=answer["cursor"])
            found += answer["messages"]
        return found, answer["problems"]

    def messages(self, **parameters):
        found, problems = self.search(**parameters)
        if problems:
            raise AssertionError(problems)
        return found

    def order(self, **parameters):
        answer = self.get("/api/order", **parameters)
        while not answer["complete"]:
            answer = self.get("/api/order", **parameters, cursor=answer["cursor"])
        return answer

    def session(self, name):
        return next(one for one in self.get("/api/state")["sessions"] if one["name"] == name)

    def act(self, command, token=OPERATE_TOKEN, **rest):
        status, _, body = self.request("/api/action", "POST", json.dumps({"command": command, **rest}),
                                       Authorization="Bearer " + token, Content_Type="application/json")
        return status, json.loads(body)


    def handle(self, act, token=OPERATE_TOKEN, **rest):
        """Does something about alerts."""
        status, _, body = self.request("/api/alert", "POST", json.dumps({"act": act, **rest}),
                                       Authorization="Bearer " + token, Content_Type="application/json")
        return status, json.loads(body)


class MonitorTest(serve_fixture.ServeTest):
    def setUp(self):
        super().setUp()
        for name, token in (("read", READ_TOKEN), ("operate", OPERATE_TOKEN)):
            Path(self.path(name)).write_text(token + "\n", encoding="ascii")
        self.admin_port = None

    def engine_group(self, more=""):
        return (f"counters_file={self.path('counters')}\nmanagement_server_port=-1\n"
                f"management_read_token=file:{self.path('read')}\n"
                f"management_operate_token=file:{self.path('operate')}\n{more}")

    def venue(self, *names, more="", session_more=""):
        """Text of a configuration with a session for each name."""
        return self.server(*(self.session(name, "US", name, session_more) for name in names),
                           engine=self.engine_group(more))

    def serve(self, text, name="serve.ini", **environment):
        process = self.popen(self.write(name, text), **environment)
        ports = []
        while (line := process.stdout.readline()) != "ready\n":
            found = re.fullmatch(r"(listening|administration) on 127\.0\.0\.1:(\d+)\n", line)
            if not found:
                self.fail(f"{line!r} {process.stderr.read()}")
            if found.group(1) == "administration":
                self.admin_port = int(found.group(2))
            else:
                ports.append(int(found.group(2)))
        return serve_fixture.Served(process, ports)

    def start_monitor(self, *options, config="serve.ini", listen="127.0.0.1:0", tls=None):
        process = subprocess.Popen([self.affix + "-monitor", self.path(config), "--listen", listen, *options],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=dict(os.environ))
        self.addCleanup(self.end, process)
        line = process.stdout.readline()
        found = re.fullmatch(r"monitor on https?://[\d.]+:(\d+)\n", line)
        if not found or process.stdout.readline() != "ready\n":
            self.fail(f"{line!r} {process.stderr.read()}")
        return Monitor(process, int(found.group(1)), tls)

    def assert_asks_for_more_than_a_post(self, monitor, path, body):
        """Refuses `body` without the right token, type, host and origin, and other methods; returns headers that do."""
        good = {"Authorization": "Bearer " + OPERATE_TOKEN, "Content_Type": "application/json"}
        for status, headers in ((401, {"Content_Type": "application/json"}),
                                (401, good | {"Authorization": "Bearer wrong-wrong-wrong"}),
                                (403, good | {"Authorization": "Bearer " + READ_TOKEN}),
                                (403, good | {"Origin": "http://evil.example"}),
                                (403, good | {"Sec_Fetch_Site": "cross-site"}),
                                (400, good | {"Content_Type": "text/plain"}),
                                (421, good | {"Host": "evil.example"})):
            got, _, answer = monitor.request(path, "POST", body, **headers)
            self.assertEqual(got, status, answer)
        self.assertEqual(monitor.request(path, **good)[0], 405)
        return good

    def journal(self, *options):
        """Entries of all journals, as `affix log` has them."""
        done = subprocess.run([self.affix, "log", "--json", "--heartbeats", *options, self.path("journal")], check=True,
                              capture_output=True, text=True, timeout=TIMEOUT)
        return [json.loads(line) for line in done.stdout.splitlines()]
