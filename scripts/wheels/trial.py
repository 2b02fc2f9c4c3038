# SPDX-License-Identifier: MIT
"""Installs a wheel, or the sources, as a user does, and runs the package's tests on what was installed."""

import os
import subprocess
import time

from wheels import test_report
from wheels.debian import Debian
from wheels.environments import ROOT, fresh_environment, run, say, tag_of, text_of
from wheels.target import PLATFORM

TESTS = ROOT / "python" / "affix" / "tests"
TEST_TOOLS = ("pytest", "mypy")
# Tests that need one of these say that they are skipped.
OPTIONAL_TOOLS = ("uvloop", "pyarrow", "pandas", "pandas-stubs", "quickfix-tls")
INSTALL_SECONDS = 5
EMULATED_PATIENCE = 10
# Releases of Debian that have an interpreter for other processors.
RELEASE_OF = {(3, 11): "bookworm", (3, 13): "trixie"}
EMULATOR = """#!/bin/sh
exec qemu-{processor} -L "{root}" -0 "{python}" "{root}/usr/bin/python{version}" "$@"
"""


def pip(python, *arguments, **options):
    return run(python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", *arguments, **options)


def run_tests(python, place, name, patience=1):
    """From elsewhere than the sources, so that the package that is imported is the installed one.

    `patience` is how many times as long as on this machine's processor the tests wait for what must come.
    """
    done = subprocess.run([python, "-m", "pytest", "-q", *test_report.OPTIONS, "-p", "no:cacheprovider", "--rootdir", place,
                           "-c", os.devnull, TESTS], cwd=place, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, env={**os.environ, "AFFIX_TEST_PATIENCE": str(patience)})
    if done.returncode != 0:
        print(done.stdout, flush=True)
        raise SystemExit("\n".join([*test_report.digest(done.stdout), f"failed: the tests of {name}"]))
    say(f"{name}: {test_report.total(done.stdout)}")
    for line in test_report.skipped(done.stdout):
        print(f"skipped: {name} {line}", flush=True)


def try_wheel(python, version, wheel, output):
    place = output / "trials" / tag_of(version)
    tested = fresh_environment(python, place)
    began = time.monotonic()
    pip(tested, "--no-index", wheel)
    seconds = time.monotonic() - began
    verdict = "" if seconds <= INSTALL_SECONDS else f", which is MORE than {INSTALL_SECONDS}"
    say(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB, installed in {seconds:.1f} s{verdict}")
    pip(tested, *TEST_TOOLS)
    for package in OPTIONAL_TOOLS:
        subprocess.run([tested, "-m", "pip", "install", "--quiet", "--only-binary", ":all:", package],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    run_tests(tested, place, wheel.name)
    examples = sorted((ROOT / "python" / "affix" / "examples").glob("*.py"))
    programs = sorted((ROOT / "python" / "affix" / "tests" / "quickfix_programs").glob("*.py"))
    for what in (["-p", "affix"], [*examples, *programs]):
        run(tested, "-m", "mypy", "--strict", "--cache-dir", place / "mypy", *what, cwd=place)
    say(f"{wheel.name}: mypy --strict passes over the package and its examples")


def emulated_environment(python, version, processor, output):
    """As a virtual environment of Debian's interpreter for another processor, with the site-packages' place.

    The emulator is told the name of the script that starts it, so the interpreter takes the environment for its own, and
    programs that it starts are emulated too.
    """
    root = output / processor / "system" / text_of(version)
    interpreter = root / "usr" / "bin" / f"python{text_of(version)}"
    if not interpreter.exists():
        debian = Debian(output / processor / "debian" / RELEASE_OF[version], RELEASE_OF[version], processor)
        debian.unpack_closure(root, f"python{text_of(version)}", "tzdata")
    place = output / "trials" / f"{tag_of(version)}-{processor}"
    fresh_environment(python, place)  # By an interpreter of this machine, for its folders and pip.
    started = place / "emulated" / "bin" / "python"
    site = place / "emulated" / "lib" / f"python{text_of(version)}" / "site-packages"
    site.mkdir(parents=True)
    started.parent.mkdir()
    started.write_text(EMULATOR.format(processor=processor, root=root, python=started, version=text_of(version)))
    started.chmod(0o755)
    (place / "emulated" / "pyvenv.cfg").write_text(f"home = {root}/usr/bin\ninclude-system-site-packages = false\n")
    return started, site


def try_emulated_wheel(python, version, processor, wheel, output):
    tested, site = emulated_environment(python, version, processor, output)
    place = site.parents[3]
    # pip for another processor takes the wheel only if its name fits.
    fits = ("--target", site, "--platform", f"{PLATFORM}_{processor}", "--python-version", text_of(version),
            "--implementation", "cp", "--only-binary", ":all:")
    pip(place / "bin" / "python", *fits, "--no-index", wheel)
    pip(place / "bin" / "python", *fits, "pytest")
    run_tests(tested, place, wheel.name, EMULATED_PATIENCE)


def try_sources(python, version, archive, output):
    """Installs as pip does where no wheel fits: it fetches the tools of the build, and compiles with this machine's compiler."""
    place = output / "trials" / "sources"
    tested = fresh_environment(python, place)
    builds = place / "builds"
    builds.mkdir()
    environ = {**os.environ, "TMPDIR": str(builds), "CMAKE_CXX_COMPILER_LAUNCHER": "ccache", "CCACHE_BASEDIR": str(builds),
               "CCACHE_NOHASHDIR": "true"}
    began = time.monotonic()
    pip(tested, archive, env=environ)
    say(f"{archive.name}: compiled and installed by pip in {time.monotonic() - began:.0f} s, with the compiler cache")
    pip(tested, "pytest")
    run_tests(tested, place, archive.name)
