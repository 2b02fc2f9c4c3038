#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`affix config`: files checked and shown, keys explained, and the reference page held to the program's tables."""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

AFFIX = sys.argv.pop(1)
ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/reference/configuration.md"
SCRIPT = ROOT / "scripts/configuration_page.py"
SOUND = "[SESSION_DEFAULTS]\nlogon_password=hunter2\n[S]\naccept_port=0\n" \
        "[A]\nbegin_string=FIX.4.4\nsender_comp_id=S\ntarget_comp_id=A\n"


def config(*arguments):
    done = subprocess.run([AFFIX, "config", *arguments], capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stdout, done.stderr


class Config(unittest.TestCase):
    def file(self, text):
        directory = tempfile.TemporaryDirectory(prefix="affix-config-test-")
        self.addCleanup(directory.cleanup)
        path = os.path.join(directory.name, "main.ini")
        Path(path).write_text(text, encoding="ascii")
        return path

    def test_a_sound_file_is_reported_as_sound(self):
        path = self.file(SOUND)
        self.assertEqual(config("check", path),
                         (0, f"{path}: sound, 0 client groups, 1 server group, 1 session\n", ""))

    def test_a_wrong_file_gets_its_whole_report(self):
        path = self.file("[S]\naccept_port=x\nacept_port=1\n")
        code, out, err = config("check", path)
        self.assertEqual((code, out), (1, ""))
        self.assertEqual([line.split(": ")[0] for line in err.splitlines()], [f"{path}:2", f"{path}:3"])
        self.assertRegex(err, r":3: key 'acept_port' .*'accept_port'.* \[C204\]\n")
        self.assertEqual(config("show", path)[0], 1)

    def test_a_key_without_effect_is_a_warning_and_not_a_problem(self):
        path = self.file(SOUND + "sequence_store_file_path=old.store\n")
        code, out, err = config("check", path)
        self.assertEqual((code, out.split(",")[0]), (0, f"{path}: sound"))
        self.assertRegex(err, rf"^warning: {re.escape(path)}:9: key 'sequence_store_file_path' .* \[C208\]\n")

    def test_dictionaries_are_looked_into_whatever_else_is_wrong(self):
        path = self.file(SOUND)
        broken = path + ".xml"
        Path(broken).write_text("<fix>\n<header></fix>\n", encoding="ascii")
        Path(path).write_text(SOUND + f"dictionary={broken}\ndurability=memory\n", encoding="ascii")
        code, out, err = config("check", path)
        self.assertEqual((code, out), (1, ""))
        self.assertRegex(err, rf"^{re.escape(broken)}:\d+: ")
        Path(path).write_text(SOUND + f"dictionary={broken}\ncolour=red\n", encoding="ascii")
        err = config("check", path)[2]
        self.assertRegex(err, rf"(?m)^{re.escape(path)}:10: key 'colour'")
        self.assertRegex(err, rf"(?m)^{re.escape(broken)}:\d+: ")

    def test_nothing_waits_for_a_pipe(self):
        path = self.file(SOUND)
        pipe = path + ".pipe"
        os.mkfifo(pipe)
        for line in (f"dictionary={pipe}", f"schedule_windows=08:00-17:00\nschedule_holidays_file={pipe}"):
            Path(path).write_text(SOUND + line + "\n", encoding="ascii")
            self.assertRegex(config("check", path)[2], rf"^{re.escape(path)}:\d+: key '\w+': '{re.escape(pipe)}' (is|does) not ")

    def test_faults_that_only_opening_finds_are_reported_at_their_group(self):
        path = self.file(SOUND)
        for lines, words in (("nic_address=banana", "key 'nic_address': 'banana' is not a numeric address"),
                             ("worker_core_ids=0,x", "'x' is neither AUTO nor a core"),
                             ("nic_name=no-such-card", "key 'nic_name': this machine has no network interface 'no-such-card'"),
                             ("tls=ON\ntls_certificate_file={file}\ntls_key_file={file}\ntls_peer_proof=NONE", "certificate")):
            Path(path).write_text(SOUND.replace("accept_port=0\n", f"accept_port=0\n{lines.format(file=path)}\n"), encoding="ascii")
            code, out, err = config("check", path)
            self.assertEqual((code, out), (1, ""), lines)
            self.assertRegex(err, rf"(?m)^{re.escape(path)}:[3-5]: .*{re.escape(words)}")

    def test_faults_of_this_machine_are_reported_at_their_line(self):
        path = self.file(SOUND)
        occupied = path + ".file"
        Path(occupied).write_text("", encoding="ascii")
        Path(path).write_text(SOUND + f"journal_path={occupied}/below\n", encoding="ascii")
        code, out, err = config("check", path)
        self.assertEqual((code, out), (1, ""))
        self.assertRegex(err, rf"^{re.escape(path)}:9: key 'journal_path': ")
        token = path + ".token"
        Path(token).write_text("short\n", encoding="ascii")
        engine = f"[ENGINE]\nmanagement_server_port=-1\nmanagement_operate_token=file:{token}\n"
        Path(path).write_text(engine + SOUND, encoding="ascii")
        code, out, err = config("check", path)
        self.assertEqual((code, out), (1, ""))
        self.assertRegex(err, rf"^{re.escape(path)}:3: key 'management_operate_token': .*16 to 256 characters")

    def test_groups_that_could_not_start_together_are_reported(self):
        port = "accept_port=5001\n"
        path = self.file(SOUND.replace("accept_port=0\n", port) + "instance=S\n[T]\n" + port)
        err = config("check", path)[2]
        self.assertRegex(err, rf"(?m)^{re.escape(path)}:11: key 'accept_port': 5001 is the accept_port of \[S\] too \[C222\]$")
        twin = "[B]\nbegin_string=FIX.4.4\nsender_comp_id=S\ntarget_comp_id=A\ninstance=T\n"
        path = self.file(SOUND + "instance=S\n[T]\naccept_port=0\n" + twin)
        err = config("check", path)[2]
        self.assertRegex(err, rf"(?m)^{re.escape(path)}:12: .*'journal_path': \[A\] has the same ids")

    def test_further_demands_of_a_program_are_checked_for_it(self):
        def told(text, *words):
            path = self.file(text)
            code, out, err = config("check", path, *words)
            return code, out.replace(path, "FILE"), err.replace(path, "FILE")

        workers = SOUND.replace("accept_port=0\n", "accept_port=0\nworker_thread_count=2\n") + "callback_thread=0\n"
        self.assertEqual(told(workers)[:2], (0, "FILE: sound, 0 client groups, 1 server group, 1 session\n"))
        code, out, err = told(workers, "--for", "exchange")
        self.assertEqual((code, out), (1, ""))
        self.assertRegex(err, r"(?m)\AFILE:5: key 'worker_thread_count': 2 does not go with affix-lab exchange.*\n"
                              r"FILE:10: key 'callback_thread': 0 does not go with affix-lab exchange.*\n\Z")
        code, out, err = told(workers, "--for=serve")
        self.assertEqual((code, out), (1, ""))
        self.assertRegex(err, r"\AFILE:10: callback_thread=0 does not go with application ECHO \[C401\]\n\Z")
        # A route says what the file is for.
        routed = workers + "[APPLICATION]\napplication=ROUTER\n[R]\nroute_to=A\n"
        self.assertEqual(told(routed), told(routed, "--for", "serve"))
        self.assertEqual([line.split(" ")[:2] for line in sorted(told(routed)[2].splitlines())],
                         [["FILE:10:", "callback_thread=0"], ["FILE:5:", "worker_thread_count=2"]])
        routed = SOUND + "[APPLICATION]\napplication=ROUTER\n[R]\nroute_to=A\n"
        self.assertEqual(told(routed), (0, "FILE: sound for affix serve, 0 client groups, 1 server group, 1 session\n", ""))
        self.assertEqual(told(SOUND.split("[A]")[0], "--for", "trade")[::2],
                         (1, "[ENGINE]: affix-lab trade needs a session group to trade over [C403]\n"))
        code, _, err = told("[ENGINE]\nlog_level=INFO\n" + SOUND, "--for", "monitor")
        self.assertEqual(code, 1)
        self.assertRegex(err, r"\AFILE:1: .*'counters_file'")
        self.assertNotEqual(told(SOUND, "--for", "nothing")[0], 0)

    def test_a_plug_in_is_loaded_for_serve_alone(self):
        path = self.file("")
        file = path + ".so"
        Path(file).write_text("no library\n", encoding="ascii")
        Path(path).write_text(SOUND + f"[APPLICATION]\napplication=PLUGIN\nplugin_file={file}\n", encoding="ascii")
        self.assertEqual(config("check", path)[0], 0)
        code, out, err = config("check", "--for", "serve", path)
        self.assertEqual((code, out), (1, ""))
        self.assertRegex(err, rf"\A{re.escape(path)}:11: key 'plugin_file': ")

    def test_a_key_that_strayed_is_the_one_that_is_blamed(self):
        path = self.file(SOUND + "accept_port=1\n")
        self.assertEqual(config("check", path)[2],
                         f"{path}:9: key 'accept_port' is not known in [A] (it is a key of server groups) [C204]\n")
        path = self.file(SOUND.replace("accept_port", "acept_port"))
        self.assertEqual(config("check", path)[2],
                         f"{path}:4: key 'acept_port' is not known in [S] (did you mean 'accept_port'?) [C204]\n")

    def test_everything_is_there_as_json(self):
        path = self.file(SOUND + "send_queue_max=3\n")
        code, out, err = config("check", "--json", path)
        self.assertEqual((code, err), (0, ""))
        checked = json.loads(out)
        self.assertEqual((checked["sound"], checked["servers"], checked["sessions"], checked["problems"]), (True, 1, 1, []))
        self.assertRegex(checked["warnings"][0], r"'send_queue_max' .* \[C210\]")
        groups = json.loads(config("show", "--json", "--changed", path)[1])
        self.assertIn({"key": "accept_port", "value": "0", "origin": "group", "where": f"{path}:4"}, groups[1]["values"])
        self.assertNotIn("hunter2", config("show", "--json", path)[1])
        key = json.loads(config("explain", "--json", "accept_port")[1])[0]
        self.assertEqual((key["name"], key["groups"], key["default"]), ("accept_port", ["server"], "0"))
        Path(path).write_text(SOUND + "colour=red\n", encoding="ascii")
        code, out, _ = config("check", "--json", path)
        self.assertEqual((code, json.loads(out)["problems"][0]["where"]), (1, f"{path}:9"))

    def test_a_file_is_shown_with_places_and_without_secrets(self):
        path = self.file(SOUND)
        code, out, _ = config("show", path)
        self.assertEqual(code, 0)
        self.assertIn(f"accept_port=0  # {path}:4\n", out)
        self.assertIn(f"logon_password=...  # defaults {path}:2\n", out)
        self.assertIn("heartbeat_interval_seconds=30  # default\n", out)
        self.assertNotIn("hunter2", out)
        self.assertNotIn("heartbeat", config("show", "--changed", path)[1])

    def test_keys_are_explained(self):
        code, out, _ = config("explain", "accept_port")
        self.assertEqual(code, 0)
        self.assertIn("0 to 65535", out)
        code, _, err = config("explain", "acept_port")
        self.assertEqual(code, 1)
        self.assertRegex(err, r"\A.*'acept_port'.*'accept_port'.* \[P129\]\n\Z")
        self.assertIn("  accept_port=0\n", config("explain")[1])
        self.assertEqual(config("explain", "use_ssl"), (0, "use_ssl\n  is of llfix's files, and becomes here: tls\n", ""))

    def test_the_reference_pages_tables_are_made_from_the_rows(self):
        done = subprocess.run([sys.executable, str(SCRIPT), "--check", AFFIX], capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)

    def test_every_key_of_the_page_is_in_a_table_that_is_made(self):
        page = PAGE.read_text(encoding="utf-8").split("## Keys and defaults that other engines")[0]
        row = re.compile(r"^\| `\w+` \|(?:[^|\n]*\|){3}$", re.MULTILINE)
        self.assertEqual(sorted(row.findall(config("reference")[1])), sorted(row.findall(page)))


if __name__ == "__main__":
    unittest.main()
