#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds the Python package's extension with AddressSanitizer and UBSan, and runs its fuzz program or tests with it.

Usage: fuzz_python.py OUTPUT SECONDS [--python VERSION] [--tests] [ARGUMENTS OF python/affix/tests/fuzzing]

--tests runs the package's tests, a few rounds of the fuzz program among them, before the SECONDS. A round that ends the
process is named, with what runs it again. Whatever is downloaded goes to a virtual environment in OUTPUT.
"""

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

from wheels.environments import chosen, environment, interpreters, run

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "python" / "affix"
COMPILER = "clang++-19"
SANITIZERS = "-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer"
TOOLS = ["nanobind>=2.4", "pytest"]
# Tests that take long under sanitizers and use little of the extension.
NOT_THESE_TESTS = "not stubs_test and not pages_test"


def runtime(name):
    """A library that the process must have before the interpreter starts."""
    asked = subprocess.run([COMPILER, f"-print-file-name={name}"], capture_output=True, text=True, check=True)
    path = asked.stdout.strip()
    if not Path(path).is_absolute():
        raise SystemExit(f"{COMPILER} has no {name}: apt-get install clang-19 libclang-rt-19-dev")
    return path


def symbolizer():
    """The program that names functions in reports; without one they have addresses."""
    beside = Path(shutil.which(COMPILER) or "").resolve().parent / "llvm-symbolizer"
    return str(beside) if beside.exists() else shutil.which("llvm-symbolizer") or ""


def build(tools, output):
    """Compiles the extension; returns the directory that has the package."""
    place = output / "sanitized"
    nanobind = subprocess.run([tools, "-m", "nanobind", "--cmake_dir"], capture_output=True, text=True, check=True)
    launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
    environ = {**os.environ, "CCACHE_BASEDIR": str(ROOT), "CCACHE_NOHASHDIR": "true"}
    run(
        # Its findings for another interpreter are forgotten.
        "cmake", "-S", PACKAGE, "-B", place, "-G", "Ninja", "-UPython_*", "-U_Python_*",
        "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=-O1 -g1",
        f"-DCMAKE_CXX_COMPILER={COMPILER}", f"-DCMAKE_CXX_FLAGS={SANITIZERS}", "-DAFFIX_SANITIZE=address;undefined",
        "-DAFFIX_DEVELOPER_MODE=ON", f"-DPython_EXECUTABLE={tools}", f"-Dnanobind_DIR={nanobind.stdout.strip()}",
        *launcher, env=environ)
    # The stub is not built: the tool that writes it would have to load the extension.
    run("cmake", "--build", place, "--target", "_affix", "-j", str(os.cpu_count() or 1), env=environ)
    package = place / "package" / "affix"
    shutil.rmtree(package.parent, ignore_errors=True)
    shutil.copytree(PACKAGE / "affix", package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "dictionaries", package / "dictionaries")
    for module in place.glob("_affix*.so"):
        shutil.copy(module, package)
    return package.parent


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("output", type=Path)
    parser.add_argument("seconds", type=int)
    parser.add_argument("--python", default="oldest")
    parser.add_argument("--tests", action="store_true")
    arguments, further = parser.parse_known_args()
    output = arguments.output.resolve()
    found = interpreters()
    version = chosen(arguments.python, found)
    tools = environment(found[version], output / "tools" / f"sanitized-{version[0]}{version[1]}", *TOOLS)
    package = build(tools, output)
    environ = {
        **os.environ,
        # The runtime's own libstdc++ hooks need the library to be there when it starts.
        "LD_PRELOAD": f"{runtime('libclang_rt.asan-x86_64.so')} {runtime('libstdc++.so.6')}",
        "ASAN_SYMBOLIZER_PATH": symbolizer(),
        # Python keeps much to its end, and its allocator would hide what is used after it was freed.
        "ASAN_OPTIONS": "detect_leaks=0:detect_stack_use_after_return=1", "PYTHONMALLOC": "malloc",
        "UBSAN_OPTIONS": "print_stacktrace=1", "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": f"{package}:{PACKAGE / 'tests'}", "AFFIX_TEST_PATIENCE": "5",
        # pytest finds it by the metadata of an installed package, which this is not.
        "PYTEST_PLUGINS": "affix.testing.plugin",
    }
    if arguments.tests:
        tested = subprocess.run([tools, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", NOT_THESE_TESTS,
                                 "-c", os.devnull, "--rootdir", output, PACKAGE / "tests"], cwd=output, env=environ)
        if tested.returncode != 0:
            return tested.returncode
    if arguments.seconds == 0:
        return 0
    mark = output / "sanitized" / "round.txt"
    done = subprocess.run([tools, "-m", "fuzzing", str(arguments.seconds), "--mark", mark, *further], cwd=output,
                          env=environ)
    if done.returncode not in (0, 1):
        print(f"the process ended with {done.returncode} in a round; again with: ./dev python --fuzz 60 "
              f"{mark.read_text().strip()}")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
