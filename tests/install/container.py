#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""container.py SOURCE PACKAGES: follows the last stage of packaging/container/Dockerfile in a Debian root made by mmdebstrap,
with the Debian packages in PACKAGES, and runs the services of compose.yaml in it.

Exit code 77 where no such root can be made: without root, mmdebstrap or a Debian mirror.
"""

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from held_port import held_port  # noqa: E402

PATIENCE_SECONDS = 120


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(77)


def instructions_of(dockerfile):
    """(name, argument) of each instruction of the last stage."""
    stage = []
    for line in dockerfile.read_text().splitlines():
        if line and not line.startswith("#"):
            name, argument = line.split(None, 1)
            stage = [] if name == "FROM" else stage
            stage.append((name, argument))
    return stage


def service_of(compose, name):
    """The lines of one service of compose.yaml: its command, and its volumes as (source, target)."""
    text = re.search(rf"^  {name}:\n((?:    .*\n|\n)+)", compose.read_text(), re.MULTILINE).group(1)
    command = json.loads(re.search(r"^    command: (.*)$", text, re.MULTILINE).group(1))
    volumes = [tuple(volume.split(":")[:2]) for volume in re.findall(r"^      - (\S+:/\S+)$", text, re.MULTILINE)]
    return command, volumes


class Container:
    """A root in which the instructions of an image are carried out."""

    def __init__(self, root, places):
        self.root, self.places = root, places
        self.user, self.directory, self.entry = "root", "/", []

    def carry_out(self, name, argument):
        if name == "FROM":
            suite = {"debian:12-slim": "bookworm"}[argument]
            made = subprocess.run(["mmdebstrap", "--quiet", "--variant=minbase", suite, self.root], capture_output=True, text=True)
            if made.returncode != 0:
                skip(f"mmdebstrap makes no root: {made.stderr.strip().splitlines()[-1:]}")
            shutil.copyfile("/etc/resolv.conf", self.root / "etc/resolv.conf")
        elif name == "COPY":
            source, target = re.fullmatch(r"--from=build (\S+) (\S+)", argument).groups()
            folder, pattern = source.rsplit("/", 1)
            (self.root / target.lstrip("/")).mkdir(parents=True)
            for file in self.places[folder].glob(pattern):
                shutil.copy(file, self.root / target.lstrip("/"))
        elif name == "RUN":
            self.run(["sh", "-c", argument], check=True, env={"DEBIAN_FRONTEND": "noninteractive"})
        elif name == "USER":
            self.user = argument
        elif name == "WORKDIR":
            self.directory = argument
        elif name == "ENTRYPOINT":
            self.entry = json.loads(argument)
        elif name != "CMD":
            raise SystemExit(f"container: no rule for {name}")

    def command(self, words):
        """In a process space of its own with a /proc of it, as the image's user and in its directory."""
        inside = f'cd {self.directory} && exec setpriv --reuid {self.user} --regid {self.user} --init-groups "$@"'
        if self.user == "root":
            inside = f'cd {self.directory} && exec "$@"'
        return ["unshare", "--pid", "--fork", "--kill-child", f"--mount-proc={self.root}/proc", "chroot", str(self.root), "sh",
                "-c", inside, "sh", *words]

    def run(self, words, env=None, **options):
        path = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": self.directory}
        return subprocess.run(self.command(words), env={**path, **(env or {})}, timeout=900, **options)


def await_text(file, wanted, process):
    """Until `wanted` stands in the file that a running process writes."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while wanted not in file.read_text():
        if process.poll() is not None or time.monotonic() > deadline:
            raise SystemExit(f"container: no '{wanted}' (exit code {process.poll()}) in:\n{file.read_text()}")
        time.sleep(0.05)


def check_serve(container, folder, work, port, admin_port):
    """The service starts, answers its administration port, and ends in order at SIGTERM, with its journals in the volume."""
    command, volumes = service_of(folder / "compose.yaml", "serve")
    for source, target in volumes:
        inside = container.root / target.lstrip("/")
        if source.startswith("./"):
            shutil.copytree(folder / source, inside, dirs_exist_ok=True)
        else:
            assert inside.is_dir(), f"the image has no {target} for the volume {source}"
    file = container.root / command[1].lstrip("/")
    file.write_text(file.read_text().replace("9876", str(port)).replace("5042", str(admin_port)))
    log = work / "serve.log"
    with open(log, "w") as output:
        running = subprocess.Popen(container.command([*container.entry, *command]), stdout=output, stderr=subprocess.STDOUT)
    try:
        await_text(log, "listening", running)
        check_certify(container, folder, port)
        answer = container.run(["affix-admin", "--port", str(admin_port), "sessions"], capture_output=True, text=True)
        assert answer.returncode == 0 and "CLIENT" in answer.stdout, answer
        # unshare has one child, the first process of the container, which is affix by now.
        child = int(Path(f"/proc/{running.pid}/task/{running.pid}/children").read_text().split()[0])
        os.kill(child, 15)
        code = running.wait(timeout=PATIENCE_SECONDS)
    finally:
        running.kill()
        running.wait()
    assert code == 0, f"serve ends with {code} at SIGTERM:\n{log.read_text()}"
    done = container.run([*container.entry, "log", "journal"], capture_output=True, text=True)
    assert done.returncode == 0, f"affix log cannot read the journals: {done}"
    journals = list((container.root / "var/lib/affix").rglob("*.journal"))
    assert journals, "no journal in the volume"
    assert all(journal.stat().st_uid == 3094 for journal in journals), "journals of another owner"


def check_certify(container, folder, port):
    """The service's scenarios, of which the quick ones are enough here."""
    command, volumes = service_of(folder / "compose.yaml", "certify")
    for _, target in volumes:
        assert (container.root / target.lstrip("/")).is_dir(), f"the image has no {target}"
    command = [word.replace("9876", str(port)) for word in command] + ["--scenario", "4 b", "--scenario", "2 k"]
    played = container.run([*container.entry, *command], capture_output=True, text=True)
    assert played.returncode == 0, played.stdout + played.stderr
    assert "<testsuites" in (container.root / "results/junit.xml").read_text()


def main():
    source, packages = Path(sys.argv[1]), Path(sys.argv[2])
    if os.geteuid() != 0:
        skip("only root can make a root")
    if not shutil.which("mmdebstrap"):
        skip("mmdebstrap is not installed")
    folder = source / "packaging/container"
    with contextlib.ExitStack() as held:
        work = Path(held.enter_context(tempfile.TemporaryDirectory(prefix="affix-container-")))
        port, admin_port = held.enter_context(held_port()), held.enter_context(held_port())
        container = Container(work / "root", {"/affix/build/package/packages": packages})
        for name, argument in instructions_of(folder / "Dockerfile"):
            container.carry_out(name, argument)
        assert container.user == "affix" and container.entry == ["affix"], "the image runs something else"
        container.run([*container.entry, "--version"], check=True)
        demo, _ = service_of(folder / "compose.yaml", "demo")
        container.run([*container.entry, *demo, "--duration", "2"], check=True)
        check_serve(container, folder, work, port, admin_port)


if __name__ == "__main__":
    main()
