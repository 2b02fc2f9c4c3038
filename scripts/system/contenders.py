# SPDX-License-Identifier: MIT
"""The contenders of the system benchmarks: acceptors that answer a report to each order, how each is started, and
which floor it is held to.

An acceptor prints `listening on HOST:PORT` when it is ready and ends with SIGTERM.
"""

import os
import re
import select
import signal
import subprocess

START_TIMEOUT = 60
END_TIMEOUT = 20

# Arguments of `affix-lab bench server`. "core": its worker has the server's core, and the thread that prepares journals is
# where there is room; "cores": its two workers have a core each, but never the load's, and where there is no third core
# both have the server's; "load_core", "both_cores": a worker beside the load, to see what such a neighbour costs;
# without it the scheduler chooses, as it does without any configuration.
AFFIX = {
    "affix_block": (["--wait", "BLOCK"], "core"),
    "affix_block_uring": (["--wait", "BLOCK", "--reactor", "IO_URING"], "core"),
    "affix_spin": (["--wait", "SPIN"], "core"),
    "affix_spin_uring": (["--wait", "SPIN", "--reactor", "IO_URING"], "core"),
    "affix_two_workers": (["--wait", "BLOCK", "--workers", "2"], "cores"),
    "affix_beside_load": (["--wait", "BLOCK"], "load_core"),
    "affix_two_beside_load": (["--wait", "BLOCK", "--workers", "2"], "both_cores"),
    # Five ways to configure a server, from all checks and the scheduler's choice of core to none of both.
    "affix_default": ([], ""),
    "affix_balanced": (["--no-dictionary"], ""),
    "affix_aggressive": (["--wait", "SPIN_THEN_BLOCK"], ""),
    "affix_optimized": (["--wait", "SPIN_THEN_BLOCK", "--no-dictionary"], "core"),
    "affix_spinning": (["--wait", "SPIN", "--no-dictionary"], "core"),
    # Failures that stored messages survive.
    "affix_memory": (["--durability", "memory"], "core"),
    "affix_process": (["--durability", "process"], "core"),
    "affix_group": (["--durability", "group"], "core"),
    "affix_sync": (["--durability", "sync"], "core"),
    "affix_memory_spin": (["--wait", "SPIN", "--durability", "memory"], "core"),
    "affix_process_spin": (["--wait", "SPIN", "--durability", "process"], "core"),
    "affix_group_spin": (["--wait", "SPIN", "--durability", "group"], "core"),
    # In FIX.4.4, as the engines for Java: stored beside those that store, in memory beside those that do not.
    "affix_44": (["--wait", "BLOCK", "--begin-string", "FIX.4.4"], "core"),
    "affix_44_memory": (["--wait", "BLOCK", "--begin-string", "FIX.4.4", "--durability", "memory"], "core"),
    "affix_44_spin": (["--wait", "SPIN", "--begin-string", "FIX.4.4"], "core"),
    "affix_44_memory_spin": (["--wait", "SPIN", "--begin-string", "FIX.4.4", "--durability", "memory"], "core"),
}
RAW = {
    "raw_block": ["--block"],
    "raw_block_uring": ["--block", "--reactor", "io_uring"],
    "raw_spin": ["--spin"],
    "raw_spin_uring": ["--spin", "--reactor", "io_uring"],
    # It copies what is received and sent into files: the least that storing can be.
    "raw_stored": ["--block", "--store"],
}
# Store, and whether the dictionaries are used.
QUICKFIX = {
    "quickfix_file": ("file", True),
    "quickfix_memory": ("memory", True),
    "quickfix_file_unchecked": ("file", False),
}
# Engines for Java, of `./dev scoreboard`'s jars: class, and options of the machine. All in FIX.4.4; Artio stores in files, and
# Philadelphia has no store.
JAVA = {
    "quickfixj_file": ("QuickfixjAcceptor", ["-Dstore=file"]),
    "quickfixj_memory": ("QuickfixjAcceptor", ["-Dstore=memory"]),
    "artio": ("ArtioAcceptor", ["--add-opens", "java.base/sun.nio.ch=ALL-UNNAMED", "--add-opens",
                                "java.base/jdk.internal.misc=ALL-UNNAMED"]),
    "philadelphia": ("PhiladelphiaAcceptor", ["-Dwait=block"]),
    "philadelphia_spin": ("PhiladelphiaAcceptor", ["-Dwait=spin"]),
}
CONFIGURATIONS = ("affix_default", "affix_balanced", "affix_aggressive", "affix_optimized", "affix_spinning")
DURABILITIES = ("affix_memory", "affix_process", "affix_group", "affix_sync")
KINDS = (*RAW, *AFFIX, *QUICKFIX, *JAVA)


def command_of(kind, binaries, dictionaries, sessions, core, directory, listen=None, load_core=None):
    """The command line of a contender, or None when it was not built (QuickFIX). `core` None: nothing is pinned."""
    program = str(binaries / "affix-lab")
    pinned = [] if core is None else ["taskset", "-c", str(core)]
    where = ["--listen", listen] if listen else []
    if kind in RAW:
        store = [str(directory)] if "--store" in RAW[kind] else []
        return [*pinned, program, "bench", "floor", *RAW[kind], *store, *where]
    if kind in AFFIX:
        options, place = AFFIX[kind]
        pinning = [] if core is None else pins(place, core, load_core)
        return [program, "bench", "server", "--sessions", str(sessions), *options, *pinning, *where]
    if kind in JAVA:
        return java_command(kind, binaries, dictionaries, sessions, pinned, directory)
    quickfix = binaries / "affix_quickfix_acceptor"
    if not quickfix.exists():
        return None
    store, checked = QUICKFIX[kind]
    folder = directory / f"{kind}-{sessions}"
    folder.mkdir(exist_ok=True)
    checks = ["--dictionaries", str(dictionaries)] if checked else []
    return [*pinned, str(quickfix), "--sessions", str(sessions), "--store", store, "--directory", str(folder), *checks]


def java_command(kind, binaries, dictionaries, sessions, pinned, directory):
    """None when the engines for Java were not fetched and built."""
    jvm = binaries.resolve().parents[1] / "interop"
    if not (jvm / "bench-classes").is_dir():
        return None
    program, options = JAVA[kind]
    folder = directory / f"{kind}-{sessions}"
    folder.mkdir(exist_ok=True)
    targets = [word for number in range(1, sessions + 1) for word in ("--target", f"CLIENT{number}")]
    return [*pinned, "java", "-XX:+UseSerialGC", *options, "-cp", f"{jvm}/bench-classes:{jvm}/jars/*", f"interop.{program}",
            "echo", "--begin_string", "FIX.4.4", "--sender", "SERVER", *targets, "--directory", str(folder), "--dictionaries",
            str(dictionaries)]


def pins(place, core, load_core):
    """Options that place the workers of a server of ours. `load_core` None: the load is anywhere, no worker beside it."""
    if load_core is None and place in ("load_core", "both_cores"):
        return []
    if place in ("core", "load_core"):
        return ["--core", str(core if place == "core" else load_core)]
    if place in ("cores", "both_cores"):
        free = [other for other in sorted(os.sched_getaffinity(0)) if other not in (core, load_core)]
        other = load_core if place == "both_cores" else (free or [core])[0]
        return ["--worker-cores", f"{core},{other}"]
    return []


def floor_of(kind, there):
    """The raw loop that waits as the contender does; QuickFIX and contenders that sleep sooner or later are compared with the
    loop that sleeps. None: there is none among `there`."""
    wanted = "raw_spin" if "_spin" in kind else "raw_block"
    return wanted if wanted in there else next((other for other in there if other.startswith("raw")), None)


class Contender:
    """An acceptor in a process of its own, which is stopped (SIGSTOP) but for its turns."""

    def __init__(self, name, command, environment):
        self.name, self.command, self.environment = name, command, environment
        self.raw = name in RAW
        self.process, self.target = None, None

    def start(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                        env=self.environment)
        ready, _, _ = select.select([self.process.stdout], [], [], START_TIMEOUT)
        line = self.process.stdout.readline() if ready else ""
        found = re.fullmatch(r"listening on (\S+:\d+)\n", line)
        if not found:
            self.end()
            raise RuntimeError(f"{self.name} did not start: {' '.join(self.command)}")
        self.target = found.group(1)

    def stop(self):
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self):
        self.process.send_signal(signal.SIGCONT)

    def end(self):
        if self.process:
            self.go_on()
            self.process.terminate()
            try:
                self.process.wait(timeout=END_TIMEOUT)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
            self.process.stdout.close()


def make(kinds, binaries, dictionaries, sessions, core, load_core, directory, wanted=""):
    """Contenders of `kinds` that are there, and whose names have `wanted`; floors always."""
    environment = {**os.environ, "TMPDIR": str(directory)}
    made = []
    for kind in kinds:
        if kind not in RAW and wanted not in kind:
            continue
        command = command_of(kind, binaries, dictionaries, sessions, core, directory, load_core=load_core)
        if command:
            made.append(Contender(kind, command, environment))
    return made
