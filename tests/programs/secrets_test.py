#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Secrets in every place where one can be, two `affix serve` that log on to each other and to peers that get everything
wrong, every command that shows something: and then every byte that came out of any of them, and every file but those
that were written by hand, is searched for every secret."""

import itertools
import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import threading
import unittest

import fix_peer
from fix_peer import SOH, FixPeer
from serve_fixture import TIMEOUT, ServeTest

ServeTest.affix = sys.argv.pop(1)

STYLES = (["--names"], ["--fields"], ["--json"], ["--raw"], ["--stats"], ["--columns=11,554,925,96,9001,58"],
          ["--heartbeats"], ["--grep", "sesame"], ["--where", "554~sesame"], ["--order", "ONE"])


class Process:
    """A program with everything that it says."""

    def __init__(self, test, *arguments, **environment):
        self.test = test
        self.process = subprocess.Popen([test.affix, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                        text=True, errors="replace", env={**os.environ, **environment})
        test.addCleanup(self.end)
        self.said = []
        self.news = threading.Condition()
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            with self.news:
                self.said.append(line)
                self.news.notify_all()
        with self.news:
            self.said.append("")
            self.news.notify_all()

    def wait_for(self, pattern):
        def found():
            return next((match for line in self.said if (match := re.match(pattern, line))), None)

        with self.news:
            if not self.news.wait_for(lambda: found() or self.said[-1:] == [""], TIMEOUT):
                self.test.fail(f"{pattern!r} is not among {self.said}")
            if not (match := found()):
                self.test.fail(f"{pattern!r} is not among {self.said}")
            return match

    def ports(self, word):
        self.wait_for("ready\n")
        return [int(match.group(1)) for line in self.said
                if (match := re.fullmatch(rf"{word} on 127\.0\.0\.1:(\d+)\n", line))]

    def stop(self):
        self.process.terminate()
        return self.process.wait(timeout=TIMEOUT)

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.reader.join()
        self.process.stdout.close()

    def text(self):
        self.reader.join()
        return "".join(self.said)


def json_command(line):
    found = re.search(r'"command":"(\w+)"|"command": "(\w+)"', line)
    return found.group(1) or found.group(2) if found else "JSON"


class Admin:
    """Lines to an administration port, and all that it said."""

    def __init__(self, test, port):
        self.connection = socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT)
        self.answers = self.connection.makefile("r", encoding="utf-8", errors="replace")
        test.addCleanup(self.connection.close)
        test.addCleanup(self.answers.close)
        self.test = test

    def ask(self, line):
        self.connection.sendall(line.encode() + b"\n")
        answer = ""
        while not re.match(r'(done|refused|busy|begun)|\{.*"status"', last := self.answers.readline()):
            if not last:
                break
            answer += last
        self.note(line.split()[0] if line[0] != "{" else json_command(line), answer + last)
        return answer + last

    def note(self, command, text):
        place = f"the answer to {command}"
        self.test.outputs[place] = self.test.outputs.get(place, "") + text

    def tap(self, session):
        self.connection.sendall(f"tap {session}\n".encode())
        while not (line := self.answers.readline()).startswith("records of"):
            self.test.assertTrue(line)

    def end_tap(self, last):
        """Behind a record with that text."""
        text = ""
        while last not in text:
            text += (line := self.answers.readline())
            self.test.assertTrue(line, text)
        self.note("tap", text + self.ask("enough"))


class Secrets(ServeTest):
    def setUp(self):
        super().setUp()
        self.numbers = itertools.count(1)
        self.secrets = {}
        self.repeated = set()  # What a peer says in other fields, which journals keep as it came.
        self.outputs = {}
        self.by_hand = set()
        os.mkdir(self.path("own"))

    def secret(self, what):
        """A value that nobody may say, of letters that any place takes."""
        value = f"sesame{next(self.numbers):02}x{os.urandom(6).hex()}"
        self.secrets[what] = value
        return value

    def write(self, name, text):
        self.by_hand.add(self.path(name))
        return super().write(name, text)

    def run_affix(self, *arguments, what=None, **environment):
        done = subprocess.run([self.affix, *arguments], capture_output=True, text=True, errors="replace",
                              timeout=TIMEOUT, check=False, env={**os.environ, **environment})
        self.outputs[what or f"affix {' '.join(arguments[:2])}"] = done.stdout + done.stderr
        return done

    def expect_silence(self):
        told = []
        for place, text in self.outputs.items():
            of_journal = place.startswith(("log ", "journal ", "the answer to tail", "the answer to tap"))
            told += [f"{what}: {place}: {line[:300]}" for what, value in self.secrets.items()
                     for line in text.splitlines()
                     if value in line and not (of_journal and what in self.repeated)]
        searched = 0
        for folder, _, names in os.walk(self.directory):
            for path in (os.path.join(folder, name) for name in names):
                if path in self.by_hand or not os.path.isfile(path):
                    continue
                with open(path, "rb") as file:
                    content = file.read()
                searched += 1
                told += [f"{what}: {path}" for what, value in self.secrets.items() if value.encode() in content
                         and not (path.startswith(self.path("journals")) and what in self.repeated)]
        self.assertGreater(searched, 5)
        self.assertEqual(told, [])


class Running(Secrets):
    """Output of a venue and its client while they run."""

    def tls_files(self):
        password = self.secret("password of the TLS key")
        done = subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-passout", f"pass:{password}", "-days", "2", "-subj",
             "/CN=venue", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", self.path("key.pem"), "-out",
             self.path("certificate.pem")], capture_output=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.by_hand |= {self.path("key.pem"), self.path("certificate.pem")}
        return password

    def venue(self):
        key = os.urandom(24).hex()
        self.secrets["pre-shared key"] = key
        self.write("preshared", f"client:{key}\n")
        self.write("operate", self.secret("operate token") + "\n")
        return f"""[ENGINE]
log_file={self.path('venue.log')}
log_level=DEBUG
counters_file={self.path('venue.counters')}
management_server_port=-1
management_local_role=NONE
management_read_token=env:READ_TOKEN
management_operate_token=file:{self.path('operate')}
[PLAIN]
accept_port=0
nic_address=127.0.0.1
[OVER_TLS]
accept_port=0
nic_address=127.0.0.1
tls=ON
tls_peer_proof=NONE
tls_certificate_file={self.path('certificate.pem')}
tls_key_file={self.path('key.pem')}
tls_key_password=env:KEY_PASSWORD
[SHARED]
accept_port=0
nic_address=127.0.0.1
tls=ON
tls_peer_proof=PRESHARED_KEY
tls_preshared_keys=file:{self.path('preshared')}
""" + self.venue_session("CLIENT", "PLAIN") + self.venue_session("HAND", "PLAIN") \
            + self.venue_session("TLS_HAND", "OVER_TLS") + self.venue_session("KEYED", "SHARED")

    def venue_session(self, name, instance, more=""):
        return f"[{name}]\ninstance={instance}\nbegin_string=FIX.4.4\nsender_comp_id=VENUE\ntarget_comp_id={name}\n" \
               f"journal_path={self.path('journals')}\nsecret_tags=9001,9002\n{more}"

    def client(self, ports, deceiver):
        def session(name, instance, sender, more=""):
            return f"[{name}]\ninstance={instance}\nbegin_string=FIX.4.4\nsender_comp_id={sender}\n" \
                   f"target_comp_id=VENUE\njournal_path={self.path('journals')}\nlogon_username=me\n" \
                   f"logon_password={self.secret('password of ' + name)}\n" \
                   f"logon_message_new_password={self.secret('new password of ' + name)}\n{more}"

        self.repeated = {"password of DECEIVED", "new password of DECEIVED"}

        def group(name, port, more=""):
            return f"[{name}]\nprimary_address=127.0.0.1\nprimary_port={port}\nreconnect_milliseconds=200\n{more}"

        keyed = "tls=ON\ntls_peer_proof=PRESHARED_KEY\ntls_preshared_keys=env:PRESHARED\n"
        return f"""[ENGINE]
log_file={self.path('client.log')}
log_format=JSON
log_level=DEBUG
counters_file={self.path('client.counters')}
management_server_port=-1
management_local_role=OPERATE
""" + group("OUT", ports[0]) + group("OUT_SHARED", ports[2], keyed) + group("OUT_DECEIVED", deceiver) \
            + group("OUT_WRONG", ports[2], keyed.replace("PRESHARED\n", "PRESHARED_WRONG\n")) \
            + session("AS_CLIENT", "OUT", "CLIENT") + session("AS_KEYED", "OUT_SHARED", "KEYED") \
            + session("DECEIVED", "OUT_DECEIVED", "DECEIVED",
                                                                            "logon_reset_sequence_numbers=true\n") + session("WRONG_KEY", "OUT_WRONG", "KEYED2")

    def deceive(self, listener):
        """A venue that says the password of the Logon back in everything that it says."""
        for answer in ("5", "3", "j", "B"):
            try:
                connection, _ = listener.accept()
            except OSError:
                return  # The test has ended early.
            peer = FixPeer(connection, "VENUE", "DECEIVED")
            logon = peer.wait("A")
            said = f"no {logon[554]} nor {logon[925]} here"
            if answer != "5":
                peer.send("A", [(98, 0), (108, logon[108]), (141, "Y"), (58, said)])
            if answer == "3":
                peer.send("3", [(45, 1), (371, 554), (372, "A"), (58, said)])
            elif answer in ("j", "B"):
                peer.send(answer, [(45, 1), (372, "A"), (380, 0), (148, said), (58, said)])
            peer.send("5", [(58, said)])
            if answer == "5":
                peer.ended()
            else:
                peer.wait("5")
            peer.close()

    def logons_that_go_wrong(self, port):
        """By somebody else, twice the same field, without a number that is one, and cut."""
        def peer(name="HAND"):
            one = FixPeer.connect(port, name, "VENUE")
            self.addCleanup(one.close)
            return one

        secret = self.secret
        stranger, raw = peer("STRANGER"), secret("raw data of a stranger")
        stranger.send("A", [(98, 0), (108, 30), (141, "Y"), (553, "me"), (554, secret("password of a stranger")),
                            (95, len(raw)), (96, raw)])
        stranger.ended()
        for what, fields in (
                ("a Logon without HeartBtInt", [(98, 0)]),
                ("a Logon with a wrong HeartBtInt", [(98, 0), (108, "often")]),
                ("a Logon with a wrong EncryptMethod", [(98, 7), (108, 30)]),
                ("a Logon with a wrong length", [(98, 0), (108, 30), (95, 3), (96, secret("raw data that is longer"))]),
                ("a Logon with a field twice", [(98, 0), (108, 30), (108, 30)])):
            one = peer()
            one.send("A", [*fields, (141, "Y"), (553, "me"), (554, secret(f"password of {what}")),
                           (925, secret(f"new password of {what}"))])
            one.connection.shutdown(socket.SHUT_WR)
            one.ended()
        cut = peer()
        cut.connection.sendall(f"8=FIX.4.4{SOH}9=200{SOH}35=A{SOH}554={secret('password of half a Logon')}".encode())
        cut.connection.shutdown(socket.SHUT_WR)
        cut.ended()
        garbled = peer()
        garbled.connection.sendall(f"8=FIX.4.4{SOH}9=12{SOH}35=A{SOH}554={secret('garbled password')}{SOH}10=1{SOH}"
                                   .encode() * 3)
        garbled.connection.shutdown(socket.SHUT_WR)
        garbled.ended()

    def trade_by_hand(self, peer):
        secret = self.secret
        raw, encrypted = secret("raw data of a Logon"), secret("encrypted password")
        new = secret("encrypted new password")
        peer.send("A", [(98, 0), (108, 30), (141, "Y"), (95, len(raw)), (96, raw), (553, "me"),
                        (554, secret("password of a peer")), (925, secret("new password of a peer")),
                        (1401, len(encrypted)), (1402, encrypted), (1403, len(new)), (1404, new)])
        peer.wait("A")
        peer.order("ONE", (9001, secret("secret tag")), (9002, secret("second secret tag")))
        peer.wait("D")
        peer.send("BE", [(923, "1"), (924, 3), (553, "me"), (554, secret("password of a UserRequest")),
                         (925, secret("new password of a UserRequest"))])
        # Not to be resent, garbled, of no known type, and rejected: what is said of them says no secret.
        peer.send("D", [(11, "TWO"), (9001, secret("secret tag of an order with an empty field")), (55, "")])
        peer.send("ZZZ", [(11, "THREE"), (9001, secret("secret tag of an unknown type"))])
        peer.send("5", [(58, "bye"), (9001, secret("secret tag of a Logout"))])
        peer.wait("5")
        peer.close()

    @unittest.skipUnless(shutil.which("openssl"), "there is no openssl command")
    def test_nothing_of_a_life_with_secrets_is_said(self):
        environment = {"READ_TOKEN": self.secret("read token"), "KEY_PASSWORD": self.tls_files()}
        venue = Process(self, "serve", self.write("venue.ini", self.venue()), **environment)
        ports = venue.ports("listening")
        listener = socket.create_server(("127.0.0.1", 0))
        listener.settimeout(TIMEOUT)
        deceiver = threading.Thread(target=self.deceive, args=(listener,))
        deceiver.start()
        self.addCleanup(listener.close)
        self.addCleanup(deceiver.join)
        self.addCleanup(listener.shutdown, socket.SHUT_RDWR)
        wrong = os.urandom(24).hex()
        self.secrets["wrong pre-shared key"] = wrong
        keys = {"PRESHARED": f"client:{self.secrets['pre-shared key']}\n", "PRESHARED_WRONG": f"client:{wrong}\n"}
        client = Process(self, "serve", self.write("client.ini", self.client(ports, listener.getsockname()[1])), **keys)
        client_admin = Admin(self, client.ports("administration")[0])
        self.logons_that_go_wrong(ports[0])
        self.trade_by_hand(self.hand("HAND", ports[0]))
        watcher = Admin(self, venue.ports("administration")[0])
        watcher.ask(f"auth {environment['READ_TOKEN']}")
        watcher.tap("TLS_HAND")
        self.trade_by_hand(self.hand("TLS_HAND", ports[1], tls=True))
        watcher.end_tap("11=THREE")
        deceiver.join()
        self.operate(client_admin, "DECEIVED")
        self.operate_with_tokens(venue.ports("administration")[0])
        for name in ("AS_CLIENT", "AS_KEYED"):
            self.await_state(client_admin, name)
        self.reload_both(client_admin, Admin(self, venue.ports("administration")[0]))
        for process, name in ((venue, "venue"), (client, "client")):
            self.run_affix("top", "--once", "--interval", "0", self.path(f"{name}.counters"), what=f"top of {name}")
            self.run_affix("top", "--json", self.path(f"{name}.counters"), what=f"top of {name} as JSON")
            self.assertEqual(process.stop(), 0)
            self.outputs[f"what the {name} said"] = process.text()
        self.read_journals()
        self.read_configurations({**environment, **keys})
        self.assertRegex(self.read("client.log"), '"S101"')
        self.expect_silence()

    def hand(self, name, port, tls=False):
        peer = FixPeer.connect(port, name, "VENUE")
        if tls:
            context = ssl.create_default_context(cafile=self.path("certificate.pem"))
            peer.connection = context.wrap_socket(peer.connection, server_hostname="127.0.0.1")
        self.addCleanup(peer.close)
        return peer

    @staticmethod
    def await_state(admin, session):
        while "active" not in admin.ask(f"get_session_state {session}"):
            pass

    def operate(self, admin, session):
        """Everything that shows something, and what is refused with its reason."""
        secret = self.secret
        for line in ("help", "get_configuration", f"get_session_config {session}", f"get_session_state {session}",
                     "sessions", f"tail {session} 1000", f"preview_resend {session} 1", f"latency {session}",
                     "get_configuration ENGINE", f"kill {session} why not", f"resume {session}",
                     f"logout {session} for a test", f"connect {session}", f"tail {session} 1000"):
            admin.ask(line)
            admin.ask(json.dumps({"id": 1, "command": line.split()[0], "arguments": line.split()[1:]}))
        more = f"begin_string=FIX.4.4 sender_comp_id=A target_comp_id=B instance=PLAIN journal_path={self.path('journals')}"
        for line in (
                f"add_session NEW {more} logon_password={secret('password of an added session')} nonsense=1",
                f"add_session NEW {more} logon_password={secret('password beside a wrong value')} heartbeat_interval_seconds=x",
                f"add_session NEW {more} logon_password={secret('password that is said twice')} logon_password="
                f"{secret('second password')}",
                f"add_session NEW {more} \"logon_password={secret('password with a quote that has no end')}",
                f"add_session NEW {more} logon_password={secret('password with a variable')}${{HOME}}",
                f"add_session NEW {more} logon_password {secret('password without its sign')}",
                f"auth {secret('token of nobody')} {secret('word behind a token')}",
                f"auth \"{secret('token with a quote that has no end')}",
                "{\"id\":1,\"command\":\"auth\",\"arguments\":[\"" + secret("token in half a line of JSON"),
                "{\"id\":1,\"command\":\"auth\",\"arguments\":{\"token\":\"" + secret("token in an object") + "\"}}",
                f"get_uptime {secret('word that is too much')}"):
            admin.ask(line)
        # The two below are refused for what they say, which is no secret.
        del self.secrets["word that is too much"]
        added = more.replace("instance=PLAIN", "instance=OUT") if session == "DECEIVED" else more
        admin.ask(f"add_session ADDED {added} logon_password={secret('password of a session that is added')}")
        admin.ask("get_session_config ADDED")
        admin.ask("remove_session ADDED")

    def operate_with_tokens(self, port):
        reader = Admin(self, port)
        self.assertIn("role read", reader.ask(f"auth {self.secrets['read token']}"))
        reader.ask("kill engine")
        reader.ask("get_configuration")
        operator = Admin(self, port)
        self.assertIn("role operate", operator.ask(f"auth {self.secrets['operate token']}"))
        operator.ask(json.dumps({"id": 2, "command": "auth", "arguments": [self.secrets["operate token"]]}))
        self.operate(operator, "HAND")
        stranger = Admin(self, port)
        stranger.ask(f"auth {self.secret('wrong token')}")

    def reload_both(self, client_admin, venue_admin):
        """To other secrets, and to files with something wrong beside every one of them."""
        venue_admin.ask(f"auth {self.secrets['operate token']}")
        client = self.read("client.ini")
        changed = re.sub(r"logon_password=.*", lambda _: f"logon_password={self.secret('password of a reload')}", client)
        self.write("client.ini", changed)
        self.assertIn("logon_password", client_admin.ask("reload"))
        client_admin.ask("get_configuration")
        for name, admin in (("client", client_admin), ("venue", venue_admin)):
            good = self.read(f"{name}.ini")
            for wrong in self.wrong_lines(name):
                self.write(f"{name}.ini", good + wrong)
                self.assertIn("refused", admin.ask("reload"), wrong)
            self.write(f"{name}.ini", good)

    def wrong_lines(self, name):
        secret = self.secret
        last = "[LAST]\nbegin_string=FIX.4.4\nsender_comp_id=A\ntarget_comp_id=B\n" \
               f"instance={'PLAIN' if name == 'venue' else 'OUT'}\njournal_path={self.path('journals')}\n"
        for place in (
                "logon_password {}\n", "logon_password={}\nlogon_password=other\n", "logon_password={}\nnonsense=1\n",
                "logon_message_new_password={}\nheartbeat_interval_seconds=x\n", "logon_password={}${{NOWHERE}}\n",
                "\tlogon_password\t{}\n", "logon_password={}\n[LAST]\nbegin_string=FIX.4.4\n"):
            yield last + place.format(secret(f"password in a wrong file: {place!r}"))
        for place in ("[ENGINE]\nmanagement_read_token={}\n", "[ENGINE]\nmanagement_operate_token=file:\n# {}\n",
                      "[{}\n"):
            yield place.format(secret(f"token in a wrong file: {place!r}"))
        for key in ("tls_key_password", "tls_preshared_keys"):
            yield f"[NEW]\naccept_port=0\ntls=ON\n{key}={secret(f'{key} that is no place')}\n"
            yield f"[NEW]\nprimary_address=127.0.0.1\nprimary_port=1\ntls=ON\n{key}=literal:{secret(f'{key} of no kind')}\n"

    def read_journals(self):
        for style in STYLES:
            self.run_affix("log", *style, self.path("journals"), what=f"log {style}")
        for command in ("verify", "export"):
            self.run_affix("journal", command, self.path("journals"), what=f"journal {command}")
        for form in ("text", "json", "raw"):
            self.run_affix("journal", "export", "--format", form, self.path("journals"), what=f"journal export {form}")
        self.assertIn("11=ONE", self.outputs["journal export"])
        logged = f"20260131-12:00:00.123 in 8=FIX.4.4|9=60|35=A|34=1|49=A|56=B|554={self.secret('password in a text log')}|" \
                 f"9001={self.secret('secret tag in a text log')}|10=000|\n"
        self.write("venue.txt", logged)
        for style in ([], *STYLES):
            self.run_affix("log", "--secret", "9001", *style, self.path("venue.txt"), what=f"log of text {style}")

    def read_configurations(self, environment):
        for name in ("venue", "client"):
            for command in ("check", "show"):
                self.run_affix("config", command, self.path(f"{name}.ini"), what=f"config {command} {name}",
                               **environment)
            self.assertIn("logon_password", self.outputs[f"config show {name}"])
            good = self.read(f"{name}.ini")
            for number, wrong in enumerate(self.wrong_lines(name)):
                # Each of these makes its report of the same reading.
                command = (["config", "check"], ["config", "show"], ["serve"])[number % 3]
                self.write("wrong.ini", good + wrong)
                done = self.run_affix(*command, self.path("wrong.ini"), what=f"{command} {name} {number}", **environment)
                self.assertNotEqual(done.returncode, 0, wrong)
        for command in (["explain"], ["explain", "logon_password"], ["reference"]):
            self.run_affix("config", *command)


if __name__ == "__main__":
    unittest.main()
