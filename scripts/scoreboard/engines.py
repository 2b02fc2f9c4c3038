# SPDX-License-Identifier: MIT
"""The engines of the scoreboard: how each is fetched and started, with which settings, and what it leaves to the
application that uses it, which is not judged.

The adapters have one command line; the settings that matter are in `settings`, the rest in the adapter itself.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ADAPTERS = ROOT / "tests" / "scoreboard" / "adapters"
DICTIONARIES = ROOT / "dictionaries"
VERSION = "FIX.4.4"
FETCH_SECONDS = 3600

QUICKFIX_SETTINGS = ("UseDataDictionary=Y, CheckLatency=Y, MaxLatency=120, CheckCompID=Y, ValidateFieldsOutOfOrder=Y, "
                     "ValidateFieldsHaveValues=Y, ValidateUserDefinedFields=Y, file store")
GAP_FILLED = "it sends no message again and fills the gap, which the standard allows"
NO_DICTIONARY = "checks of messages by a dictionary are left to the application"


class Absent(Exception):
    """Why an engine is not there, and what to do about it."""


def fetched(name, stamps, command, environment=None):
    """Runs the client of a registry once for each content of the files `stamps`; its output goes to a log."""
    folder = ROOT / "build" / "scoreboard" / name
    mark = folder / "fetched"
    text = "".join(stamp.read_text(encoding="utf-8") for stamp in stamps)
    if mark.exists() and mark.read_text(encoding="utf-8") == text:
        return folder
    folder.mkdir(parents=True, exist_ok=True)
    print(f"scoreboard: fetching {name}", flush=True)
    log = folder / "fetch.log"
    with open(log, "w", encoding="utf-8") as output:
        done = subprocess.run(command(folder), stdout=output, stderr=subprocess.STDOUT, check=False, env=environment,
                              timeout=FETCH_SECONDS)
    if done.returncode != 0:
        raise Absent(f"{name} cannot be fetched; the last lines of {log} say why")
    mark.write_text(text, encoding="utf-8")
    return folder


class Engine:
    """One row. `left` are ids of scenarios, or the stems of their files, with the reason why they are not judged."""

    name = title = version = origin = settings = adapter = ""
    left = {}

    def prepare(self):
        """Fetches and builds what is not there; raises Absent."""

    def command(self, sender, targets, folder):
        words = [*self.program(), "--begin_string", VERSION, "--sender", sender, "--directory", folder,
                 "--dictionaries", DICTIONARIES]
        for target in targets:
            words += ["--target", target]
        return [str(word) for word in words]

    def program(self):
        raise NotImplementedError

    def environment(self):
        return None

    def reason_left(self, scenario):
        """Why this scenario is not judged, or None."""
        return self.left.get(scenario.id) or self.left.get(scenario.path.stem)


class Affix(Engine):
    name, title, origin = "affix", "affix", "this repository"
    settings = "`affix serve` with application=ECHO, a dictionary, and otherwise what it does by itself"

    def __init__(self, programs):
        self.programs = programs

    def prepare(self):
        done = subprocess.run([self.programs / "affix", "--version"], capture_output=True, text=True, check=True)
        self.version = re.search(r"\d+\.\d+\.\d+\S*", done.stdout)[0]

    def command(self, sender, targets, folder):
        path = Path(folder) / "serve.ini"
        text = f"[ENGINE]\nlog_file={folder}/log\n[ECHO]\nnic_address=127.0.0.1\naccept_port=0\n"
        for target in targets:
            text += (f"[{target}]\nbegin_string={VERSION}\nsender_comp_id={sender}\ntarget_comp_id={target}\n"
                     f"dictionary={DICTIONARIES}/FIX44.xml\njournal_path={folder}/journal\n")
        path.write_text(text, encoding="utf-8")
        return [str(self.programs / "affix"), "serve", str(path)]


class QuickFix(Engine):
    name, title, version, origin = "quickfix", "QuickFIX", "1.15.1", "Debian: libquickfix-dev"
    settings, adapter = QUICKFIX_SETTINGS, "tests/interop/quickfix/quickfix_echo.cpp"

    def __init__(self, programs):
        self.programs = programs

    def prepare(self):
        if not (self.programs / "quickfix_echo").exists():
            raise Absent("QuickFIX: apt-get install libquickfix-dev")

    def program(self):
        return [self.programs / "quickfix_echo"]


class PythonEngine(Engine):
    """A package of PyPI, in an environment of Debian's interpreter."""

    def prepare(self):
        requirements = ADAPTERS / "python" / "requirements.txt"
        folder = fetched("python", [requirements],
                         lambda folder: ["sh", "-ec", f"/usr/bin/python3 -m venv {folder}/env; "
                                         f"{folder}/env/bin/pip install --no-deps -r {requirements}"])
        self.interpreter = folder / "env" / "bin" / "python"

    def environment(self):
        return dict(os.environ, PYTHONDONTWRITEBYTECODE="1")

    def program(self):
        return [self.interpreter, ROOT / self.adapter]


class QuickFixTls(PythonEngine):
    name, title, version, origin = "quickfix-tls", "QuickFIX (quickfix-tls)", "1.16.0.1rc1", "PyPI: quickfix-tls"
    settings, adapter = QUICKFIX_SETTINGS, "tests/scoreboard/adapters/python/quickfix_tls_echo.py"


class FixCore(PythonEngine):
    name, title, version, origin = "fixcore", "fixcore-engine", "0.15.0", "PyPI: fixcore-engine"
    settings = ("UseDataDictionary=Y, ValidateFieldsOutOfRange=Y, ValidateFieldsHaveValues=Y, ValidateUserDefinedFields=Y, "
                "CheckLatency=Y, MaxLatency=120, file store")
    adapter = "tests/scoreboard/adapters/python/fixcore_echo.py"


class JavaEngine(Engine):
    """A peer of tests/interop/jvm, with the jars that `./dev scoreboard` has fetched."""

    main = ""
    options = ()

    def __init__(self, jvm):
        self.jvm = jvm

    def prepare(self):
        if not (self.jvm / "classes").is_dir() or not shutil.which("java"):
            raise Absent(f"{self.title}: apt-get install openjdk-17-jdk-headless maven, then ./dev scoreboard")

    def program(self):
        # Short lives: what starts soon is better than what runs fast later.
        return ["java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto", *self.options, "-cp",
                f"{self.jvm}/classes:{self.jvm}/jars/*", self.main, "echo"]


class QuickFixJ(JavaEngine):
    name, title, version, origin = "quickfixj", "QuickFIX/J", "2.3.1", "Maven: org.quickfixj"
    settings = "UseDataDictionary=Y, ValidateUserDefinedFields=Y, CheckLatency=Y (120 s), file store"
    adapter, main = "tests/interop/jvm/QuickfixjPeer.java", "interop.QuickfixjPeer"


class Philadelphia(JavaEngine):
    name, title, version = "philadelphia", "Philadelphia", "2.0.0"
    origin = "Maven: com.paritytrading.philadelphia"
    settings = "setCheckSumEnabled(true)"
    adapter, main = "tests/interop/jvm/PhiladelphiaEcho.java", "interop.PhiladelphiaEcho"
    left = {"1S-b": "it has connections and no sessions: the adapter decides",
            "1S-c1": "it has connections and no sessions: the adapter decides",
            "1S-c2": "it has connections and no sessions: the adapter decides",
            "2c": "it calls the application, which decides", "10d": "it calls the application, which decides",
            "1S-d": "it calls the application with every Logon", "13b": "it calls the application, which answers",
            "16": "numbers between connections are the application's",
            **dict.fromkeys(("8b", "8c", "8d", "8e", "16b", "20"),
                            GAP_FILLED),
            "2n": "it does not look at SendingTime", "2o": "it does not look at SendingTime",
            "dictionary": NO_DICTIONARY, "2q": NO_DICTIONARY}


class Artio(JavaEngine):
    name, title, version, origin = "artio", "Artio", "0.175", "Maven: uk.co.real-logic"
    settings = "published session dictionary of FIX.4.4, sendingTimeWindowInMs as published (120 s)"
    adapter, main = "tests/interop/jvm/ArtioEcho.java", "interop.ArtioEcho"
    options = ("--add-opens", "java.base/sun.nio.ch=ALL-UNNAMED", "--add-opens", "java.base/jdk.internal.misc=ALL-UNNAMED")
    left = {"dictionary": "application messages are read by classes that the application has generated", "2q": NO_DICTIONARY,
            **dict.fromkeys(("2b2", "2e2"), "possible duplicates are delivered to the application, which decides")}


class JsPureFix(Engine):
    name, title, version, origin = "jspurefix", "jspurefix", "5.11.4", "npm: jspurefix"
    settings = "QuickFIX's FIX44.xml as dictionary, file store, TargetCompID * with the application's refusal of others"
    adapter = "tests/scoreboard/adapters/jspurefix/echo.js"
    left = dict.fromkeys(("8b", "8c", "8d", "8e", "16b", "20"), GAP_FILLED)

    def prepare(self):
        if not shutil.which("npm"):
            raise Absent("jspurefix: apt-get install nodejs npm")
        lock = ADAPTERS / "jspurefix" / "package-lock.json"
        self.folder = fetched("jspurefix", [lock], lambda folder: [
            "sh", "-ec", f"cp {ADAPTERS}/jspurefix/package.json {lock} {folder}; cd {folder}; "
                         "npm ci --no-audit --no-fund --ignore-scripts"])

    def environment(self):
        return dict(os.environ, NODE_PATH=str(self.folder / "node_modules"))

    def program(self):
        return ["node", ROOT / self.adapter]


class TrueFix(Engine):
    name, title, version, origin = "truefix", "TrueFix", "0.1.10", "Cargo: truefix"
    settings, adapter = QUICKFIX_SETTINGS, "tests/scoreboard/adapters/truefix/src/main.rs"
    cargo, rust = "/usr/bin/cargo", (1, 96)

    def prepare(self):
        rustc = shutil.which("rustc", path="/usr/bin")
        found = subprocess.run([rustc, "--version"], capture_output=True, text=True, check=True).stdout if rustc else "none"
        number = re.match(r"rustc (\d+)\.(\d+)", found)
        if not number or (int(number[1]), int(number[2])) < self.rust:
            raise Absent(f"TrueFix needs Rust {'.'.join(map(str, self.rust))}, and /usr/bin has {found.strip()}: "
                         "apt-get install rustc-web cargo-web")
        sources = ADAPTERS / "truefix"
        # In a copy: Cargo writes beside its sources.
        self.folder = fetched("truefix", [sources / "Cargo.toml", ROOT / self.adapter], lambda folder: [
            "sh", "-ec", f"rm -rf {folder}/adapter; cp -r {sources} {folder}/adapter; "
                         f"{self.cargo} build --release --manifest-path {folder}/adapter/Cargo.toml"],
            dict(os.environ, PATH=f"/usr/bin:{os.environ['PATH']}",
                 CARGO_TARGET_DIR=str(ROOT / "build" / "scoreboard" / "truefix" / "target")))

    def program(self):
        return [self.folder / "target" / "release" / "truefix_echo"]


def all_engines(programs, jvm):
    return [Affix(programs), QuickFix(programs), QuickFixTls(), QuickFixJ(jvm), Philadelphia(jvm), Artio(jvm), FixCore(),
            JsPureFix(), TrueFix()]
