# SPDX-License-Identifier: MIT
"""Interpreters of this machine, virtual environments, and commands whose output shows only when they fail."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OLDEST = (3, 10)


def run(*command, **options):
    """The output of a command; a failed one ends the program."""
    words = [str(word) for word in command]
    done = subprocess.run(words, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
    if done.returncode != 0:
        sys.stdout.write(done.stdout)
        raise SystemExit(f"failed: {' '.join(words)}")
    return done.stdout


def say(text):
    print(f"dev: {text}", flush=True)


def text_of(version):
    return ".".join(map(str, version))


def tag_of(version):
    """The interpreter's part of a wheel's name."""
    return "cp" + "".join(map(str, version))


def is_complete(path):
    """Whether it has headers and venv, which Debian packs apart: python3-dev and python3-venv."""
    asked = subprocess.run([path, "-c", "import ensurepip, os, sysconfig; print(os.path.exists("
                            "os.path.join(sysconfig.get_path('include'), 'Python.h')))"], capture_output=True, text=True)
    return asked.stdout.strip() == "True"


def interpreters():
    """{(3, 11): path} of the machine's complete CPythons: for each version the first on the PATH, or else pyenv's."""
    found = {}
    places = [Path(place) for place in os.environ.get("PATH", "").split(":") if place and "shims" not in place]
    places += sorted(Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")).glob("versions/*/bin"))
    for place in places:
        for path in sorted(place.glob("python3*")) if place.is_dir() else []:
            if not re.fullmatch(r"python3\.\d+", path.name):
                continue
            version = tuple(int(part) for part in path.name.removeprefix("python").split("."))
            if version >= OLDEST and version not in found and is_complete(path):
                found[version] = path
    return dict(sorted(found.items()))


def chosen(word, found):
    """The version of `found` that a word means: 3.11, oldest or newest."""
    if not found:
        raise SystemExit("this machine has no CPython from 3.10 on with headers and venv")
    named = {"oldest": min(found), "newest": max(found)}
    version = named.get(word) or tuple(int(part) for part in word.split("."))
    if version not in found:
        raise SystemExit(f"this machine has no CPython {text_of(version)} with headers and venv")
    return version


def environment(python, place, *packages):
    """The interpreter of a virtual environment with these packages; kept between runs."""
    mark = place / "packages.txt"
    wanted = "\n".join(packages)
    if not mark.exists() or mark.read_text() != wanted:
        fresh_environment(python, place)
        run(place / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages)
        mark.write_text(wanted)
    return place / "bin" / "python"


def fresh_environment(python, place):
    shutil.rmtree(place, ignore_errors=True)
    run(python, "-m", "venv", place)
    return place / "bin" / "python"
