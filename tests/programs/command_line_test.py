#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Behaviour that all commands of the programs share: output that could not be written, the two ways to name a
configuration, completion and manual pages made from the tables of options; and commands that another program runs."""

import errno
import os
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

import program_fixture

AFFIX = sys.argv.pop(1)
LAB, MONITOR, KEEP, GENERATOR = AFFIX + "-lab", AFFIX + "-monitor", AFFIX + "-keep", AFFIX + "_generator"
SOUND = "[S]\naccept_port=0\n[A]\nbegin_string=FIX.4.4\nsender_comp_id=S\ntarget_comp_id=A\ndurability=memory\n"
QUICKFIX = "[DEFAULT]\nConnectionType=acceptor\nBeginString=FIX.4.4\nSenderCompID=V\nSocketAcceptPort=5001\n" \
           "StartTime=00:00:00\nEndTime=00:00:00\nUseDataDictionary=N\n[SESSION]\nTargetCompID=F\n"
OUTPUT_STATUS = 74
DICTIONARY = Path(__file__).resolve().parents[2] / "dictionaries/FIX42.xml"


def program(path, *arguments, **options):
    return subprocess.run([path, *arguments], stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, timeout=60,
                          check=False, **options)


def affix(*arguments, **options):
    return program(AFFIX, *arguments, **options)


class CommandLine(program_fixture.ProgramTest):
    def test_output_that_a_full_disk_refuses_is_reported(self):
        configuration = self.write("main.ini", SOUND)
        settings = self.write("settings.cfg", QUICKFIX)
        demo = program(LAB, "demo", "--directory", str(self.folder / "demo"), "--duration", "0.2", stdout=subprocess.DEVNULL)
        self.assertEqual(demo.returncode, 0, demo.stderr)
        journal = str(next((self.folder / "demo").rglob("*.journal")).parent)
        counters = str(self.folder / "demo/exchange.counters")
        for words in (("config", "show", configuration), ("config", "check", configuration), ("config", "explain"),
                      ("config", "reference"), ("import-quickfix", settings), ("import-quickfix", "--settings"),
                      ("dictionary", "show", str(DICTIONARY)), ("dictionary", "check", str(DICTIONARY)),
                      ("doctor", "--root", str(self.folder)), ("journal", "verify", journal),
                      *(("journal", "export", "--format", form, journal) for form in ("text", "json", "raw")),
                      ("log", journal), ("log", "--stats", journal),
                      ("dictionary", "convert", str(DICTIONARY)),
                      ("top", counters, "--once", "--interval", "0"), ("completion", "bash"), ("--help",), ("--version",)):
            with self.subTest(words=words), open("/dev/full", "wb") as full:
                done = affix(*words, stdout=full)
                self.assertEqual(done.returncode, OUTPUT_STATUS, done.stderr)
                self.assertRegex(done.stderr, r"affix: .* \[E115\]")
        with self.subTest("a file"):
            done = affix("journal", "export", "--out", "/dev/full", journal)
            self.assertEqual(done.returncode, OUTPUT_STATUS, done.stderr)
            self.assertRegex(done.stderr, rf"{os.strerror(errno.ENOSPC)} \[P128\]")
        with self.subTest("a hash"), open("/dev/full", "wb") as full:
            done = subprocess.run([AFFIX, "config", "hash-password"], input="sesame\n", stdout=full,
                                  stderr=subprocess.PIPE, text=True, timeout=60, check=False)
            self.assertEqual(done.returncode, OUTPUT_STATUS, done.stderr)

    def test_a_closed_output_is_nobodys(self):
        configuration = self.write("main.ini", SOUND)
        done = subprocess.run(["/bin/sh", "-c", f'"{AFFIX}" config check "{configuration}" >&-'], stderr=subprocess.PIPE,
                              timeout=60, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, b""))

    def test_a_configuration_is_named_either_way(self):
        # None of them can start: no such file says which it was.
        for command in ((AFFIX, "serve"), (LAB, "exchange"), (LAB, "trade"), (AFFIX, "config", "check"),
                        (AFFIX, "config", "show")):
            missing = str(self.folder / "missing.ini")
            for words in ((*command, missing), (*command, "--config", missing)):
                with self.subTest(words=words):
                    done = program(*words, stdout=subprocess.DEVNULL)
                    self.assertIn(missing, done.stderr)
                    self.assertNotEqual(done.returncode, 0)
            with self.subTest(command=command):
                done = program(*command, stdout=subprocess.DEVNULL)
                self.assertEqual(done.returncode, 2)
                self.assertIn("config", done.stderr)

    def test_symbols_do_not_take_the_configuration(self):
        missing = str(self.folder / "missing.ini")
        for command in ("exchange", "trade"):
            self.assertIn(missing, program(LAB, command, "--symbol", "A", "--symbol", "B", missing, stdout=subprocess.DEVNULL).stderr)

    def test_every_command_has_a_manual_page(self):
        done = affix("completion", "man", str(self.folder), stdout=subprocess.DEVNULL)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        pages = {page.name for page in self.folder.glob("*.1")}
        self.assertLessEqual({"affix.1", "affix-serve.1", "affix-doctor.1", "affix-config-check.1", "affix-import-quickfix.1"}, pages)
        explain = (self.folder / "affix-config-explain.1").read_text(encoding="ascii")
        self.assertEqual(set(re.findall(r"\w+", explain.partition(".SH VALUES OF KEY\n")[2].partition("\n.SH")[0])), self.keys())
        serve = (self.folder / "affix-serve.1").read_text(encoding="ascii")
        self.assertIn(".TH AFFIX-SERVE 1", serve)
        self.assertIn("\\-\\-config", serve)
        self.assertIn("affix import\\-quickfix", (self.folder / "affix-import-quickfix.1").read_text(encoding="ascii"))
        for page in pages:
            text = (self.folder / page).read_text(encoding="ascii")
            for line in text.splitlines():
                self.assertRegex(line, r"^(\.(TH|SH|TP|B|BR)\b|\\&|[^.'])", page)
        if shutil.which("mandoc") or shutil.which("groff"):
            check = ["mandoc", "-Tlint", "-Werror"] if shutil.which("mandoc") else ["groff", "-man", "-ww", "-z"]
            done = subprocess.run([*check, str(self.folder / "affix-log.1")], capture_output=True, text=True, timeout=60, check=False)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_no_two_programs_have_a_manual_page_or_a_completion_of_one_name(self):
        pages = []
        for path in (AFFIX, LAB, MONITOR, KEEP, GENERATOR):
            folder = self.folder / Path(path).name
            folder.mkdir()
            self.assertEqual(program(path, "completion", "man", str(folder)).returncode, 0)
            self.assertIn(f"{Path(path).name}.1", os.listdir(folder))
            pages += os.listdir(folder)
        self.assertEqual(len(pages), len(set(pages)))
        self.assertIn(".B affix\\-lab bench load\n", (self.folder / "affix-lab/affix-lab-bench-load.1").read_text(encoding="ascii"))
        self.assertIn(".B affix\\-monitor\n[CONFIG]\n[OPTIONS]\n",
                      (self.folder / "affix-monitor/affix-monitor.1").read_text(encoding="ascii"))
        self.assertIn(".B affix\\-keep\n[OPTIONS]\n",
                      (self.folder / "affix-keep/affix-keep.1").read_text(encoding="ascii"))

    def test_the_generator_has_the_page_of_affix_generate(self):
        for path in (AFFIX, GENERATOR):
            self.assertEqual(program(path, "completion", "man", str(self.folder)).returncode, 0)
        options = [(self.folder / f"{name}.1").read_text(encoding="ascii").partition(".SH OPTIONS\n")[2].partition(".SH ")[0]
                   for name in ("affix-generate", "affix_generator")]
        self.assertIn(".B \\-\\-dictionary\n", options[0])
        for item in options[0].split(".TP\n"):
            self.assertIn(item, options[1])

    def test_options_are_required_unless_a_command_is_given(self):
        done = program(GENERATOR, stdout=subprocess.DEVNULL)
        self.assertEqual(done.returncode, 2)
        self.assertIn("--dictionary", done.stderr)
        self.assertIn("[P101]", done.stderr)

    def test_wrong_commands_are_refused_in_words(self):
        for path, commands in ((AFFIX, "serve, top, "), (LAB, "demo, exchange, trade, bench, ")):
            name = Path(path).name
            done = program(path, "nonsense", stdout=subprocess.DEVNULL)
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"{name}: no command 'nonsense'; there are {commands}", done.stderr)
            done = program(path, stdout=subprocess.DEVNULL)
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"Usage: {name} ", done.stderr)
        done = program(MONITOR, stdout=subprocess.DEVNULL)
        self.assertEqual((done.returncode, done.stderr),
                         (2, "affix-monitor: CONFIG is required [P101]\naffix-monitor --help says more.\n"))
        for path in (AFFIX, LAB, MONITOR, KEEP):
            self.assertRegex(program(path, "--version", stdout=subprocess.PIPE).stdout, rf"^{Path(path).name} \d+\.\d+\.\d+\n$")

    def test_a_command_of_another_program_is_run_by_that(self):
        for words, path, others in ((("demo",), LAB, ("demo",)), (("exchange",), LAB, ("exchange",)), (("trade",), LAB, ("trade",)),
                                    (("bench", "load"), LAB, ("bench", "load")), (("monitor",), MONITOR, ()), (("keep",), KEEP, ())):
            with self.subTest(words=words):
                there, own = affix(*words, "--help", stdout=subprocess.PIPE), program(path, *others, "--help", stdout=subprocess.PIPE)
                self.assertEqual((there.returncode, there.stdout), (0, own.stdout))
        done = affix("trade", "--nonsense", stdout=subprocess.DEVNULL)
        self.assertEqual((done.returncode, done.stderr), (2, program(LAB, "trade", "--nonsense", stdout=subprocess.DEVNULL).stderr))

    def test_another_program_that_is_not_there_is_named(self):
        alone = self.folder / "affix"
        shutil.copy(AFFIX, alone)
        done = program(alone, "demo", stdout=subprocess.DEVNULL, env={"PATH": "/usr/sbin:"})
        self.assertEqual((done.returncode, done.stderr),
                         (127, "affix demo: needs the program affix-lab, which is neither beside affix nor in PATH; its package is "
                               "affix-lab [P135]\n"))
        path = os.pathsep.join(["/usr/sbin", str(Path(AFFIX).resolve().parent)])
        self.assertEqual(program(alone, "demo", "--help", stdout=subprocess.DEVNULL, env={"PATH": path}).returncode, 0)

    def keys(self):
        """Every configuration key, from the tables that the program prints."""
        return set(re.findall(r"^\| `(\w+)` \|", affix("config", "reference", stdout=subprocess.PIPE).stdout, re.MULTILINE))

    def completed(self, script, *words, function="_affix"):
        line = " ".join(words)
        text = f"source {script}\nCOMP_WORDS=({' '.join(repr(word) for word in words)})\n" \
               f"COMP_CWORD={len(words) - 1}\nCOMP_LINE={line!r}\n{function}\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"\n"
        done = subprocess.run(["bash", "--norc", "-c", text], capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.stderr, "")
        return done.stdout.split()

    @unittest.skipUnless(shutil.which("bash"), "no bash on this machine")
    def test_bash_completes_commands_options_and_words(self):
        script = self.folder / "affix.bash"
        self.assertEqual(affix("completion", "bash", str(script)).returncode, 0)
        commands = re.findall(r"^  (\S+) ", affix("--help", stdout=subprocess.PIPE).stdout.split("Subcommands:")[1], re.MULTILINE)
        self.assertLessEqual(set(commands), set(self.completed(script, "affix", "")))
        self.assertEqual(self.completed(script, "affix", "ser"), ["serve"])
        self.assertEqual(self.completed(script, "affix", "config", "ch"), ["check"])
        self.assertEqual(self.completed(script, "affix", "doctor", "--j"), ["--json"])
        self.assertEqual(self.completed(script, "affix", "config", "show", "--ch"), ["--changed"])
        self.assertEqual(self.completed(script, "affix", "journal", "export", "--format", "j"), ["json"])
        self.assertEqual(self.completed(script, "affix", "config", "check", ""), [])
        self.assertEqual(self.completed(script, "affix", "config", "explain", "heartbeat_interval_seconds_m"),
                         ["heartbeat_interval_seconds_min", "heartbeat_interval_seconds_max"])
        self.assertEqual(self.completed(script, "affix", "config", "explain", "--"), ["--help", "--json"])
        self.assertEqual(set(self.completed(script, "affix", "config", "explain", "")), self.keys())
        self.assertEqual(program(LAB, "completion", "bash", str(script)).returncode, 0)
        self.assertEqual(self.completed(script, "affix-lab", "bench", "l", function="_affix_lab"), ["load"])
        self.assertEqual(program(MONITOR, "completion", "bash", str(script)).returncode, 0)
        self.assertEqual(self.completed(script, "affix-monitor", "--li", function="_affix_monitor"), ["--listen"])

    def script_for(self, shell, path):
        """The completion script of a program for a shell, which the shell can parse if the machine has it."""
        script = self.folder / f"{Path(path).name}.{shell}"
        done = program(path, "completion", shell, str(script), stdout=subprocess.PIPE)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        if shutil.which(shell):
            done = subprocess.run([shell, "-n", str(script)], capture_output=True, text=True, timeout=60, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
        text = script.read_text(encoding="utf-8")
        self.assertNotRegex(text, r"@\w+@")
        self.assertEqual(program(path, "completion", shell, stdout=subprocess.PIPE).stdout, text)
        return text

    def forms(self, path):
        """(words of a command, names of its commands, names of its options) of each command, as bash completes them."""
        words = program(path, "completion", "bash", stdout=subprocess.PIPE).stdout.partition("_words=(")[2].partition("\n)\n")[0]
        for place, names in re.findall(r'^  \["(.*) "\]="(.*)"$', words, re.MULTILINE):
            names = names.split()
            yield place, [name for name in names if name[0] != "-"], [name for name in names if name[0] == "-"]

    def test_zsh_has_every_command_and_option_with_its_description(self):
        for path in (AFFIX, LAB, MONITOR):
            text = self.script_for("zsh", path)
            self.assertTrue(text.startswith(f"#compdef {Path(path).name}\n"))
            for place, commands, options in self.forms(path):
                table = text.partition(f"\n    '{place}')\n")[2].partition("\n      ;;\n")[0]
                for name in commands + options:
                    self.assertRegex(table, rf"(?m)^        '{re.escape(name)}:.*'$", place)
                if not commands and "arguments=(" not in table:
                    self.assertTrue(table.endswith("\n      files=1"), place)
        text = self.script_for("zsh", AFFIX)
        self.assertIn("\n    'affix journal export --format') compadd -- ", text)
        self.assertIn("|'affix journal export'|", text)
        self.assertNotIn("files=1", text.partition("\n    'affix')\n")[2].partition("\n      ;;\n")[0])
        explain = text.partition("\n    'affix config explain')\n")[2].partition("\n      ;;\n")[0]
        self.assertEqual(set(re.search(r"(?m)^      arguments=\((.*)\)$", explain).group(1).split()), self.keys())

    def test_fish_has_every_command_and_option_with_its_description(self):
        for path in (AFFIX, LAB, MONITOR):
            name = Path(path).name
            text = self.script_for("fish", path)
            for place, commands, options in self.forms(path):
                start = rf"^complete -c {name} -n '__{name.replace('-', '_')}_at {place}'"
                for command in commands:
                    self.assertRegex(text, rf"(?m){start} -a {command} -d '.*'$")
                for option in options:
                    form = f"-l {option[2:]}" if option.startswith("--") else f"-s {option[1:]}"
                    self.assertRegex(text, rf"(?m){start} (-[ls] \S+ )*{form} .*-d '.*'$")
        text = self.script_for("fish", AFFIX)
        self.assertRegex(text, r"(?m)_at affix journal export' -l format -x -a '.*json.*' -d '")
        self.assertIn("_at affix' -f\n", text)
        explain = re.search(r"(?m)^complete -c affix -n '__affix_at affix config explain' -a '(.*)'$", text)
        self.assertEqual(set(explain.group(1).split()), self.keys())


if __name__ == "__main__":
    unittest.main()
