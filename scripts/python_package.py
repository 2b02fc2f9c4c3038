#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds and checks the Python package: wheels and the sources, installed and tested as a user has them.

Usage: python_package.py OUTPUT [--python VERSION]... [--processor NAME]... [--sources] [--no-tests]

Without --python: every CPython from 3.10 on that this machine has; `oldest` and `newest` are versions too. Without
--processor: x86_64 and aarch64. OUTPUT/wheels and OUTPUT/sdist receive what a release has. Each wheel is checked by
auditwheel and twine, installed into a fresh virtual environment, and tested there; those of another processor are tested
under emulation where Debian has an interpreter. --sources also has pip compile the sdist. Whatever is downloaded stays
in OUTPUT.
"""

import argparse
import os
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from wheels import trial
from wheels.build import BUILD_TOOLS, build_wheel, finish_wheel
from wheels.environments import ROOT, chosen, environment, interpreters, run, say
from wheels.target import PROCESSORS, Target


def wanted_versions(words, found):
    """The versions that these words mean; without one all of the machine, which has one at least."""
    wanted = {chosen(word, found) for word in words or ("oldest",)}
    return sorted(wanted if words else found)


def build_sources(python, output):
    tools = environment(python, output / "tools" / "sources", *BUILD_TOOLS, "twine")
    place = output / "sdist"
    shutil.rmtree(place, ignore_errors=True)
    run(tools, "-m", "build", "--sdist", "--no-isolation", "--outdir", place, ROOT)
    (archive,) = place.glob("*.tar.gz")
    run(tools, "-m", "twine", "check", "--strict", archive)
    say(f"{archive.name}: {archive.stat().st_size / 1e6:.1f} MB")
    return archive


class Builder:
    """Builds wheels one by one, each on all cores, while those that are built are tried."""

    def __init__(self, found, output, trials):
        self.found = found
        self.output = output
        self.trials = trials
        self.newest = max(found)
        self.pending = []

    def target(self, processor):
        began = time.monotonic()
        target = Target(self.output / processor, processor, self.found[self.newest], self.output / "tools")
        say(f"compiler and libraries for {processor}: {time.monotonic() - began:.0f} s")
        return target

    def build(self, target, versions):
        stubs = self.output / "stubs"
        for version in versions:
            began = time.monotonic()
            raw = build_wheel(self.found[version], version, target, self.output, stubs)
            wheel = finish_wheel(raw, self.found[self.newest], target, self.output)
            say(f"{wheel.name}: built and checked in {time.monotonic() - began:.0f} s")
            if self.trials is not None:
                self._try(target, version, wheel)

    def _try(self, target, version, wheel):
        python = self.found[version]
        if target.is_native:
            self.pending.append(self.trials.submit(trial.try_wheel, python, version, wheel, self.output))
        elif version in trial.RELEASE_OF:
            self.pending.append(self.trials.submit(trial.try_emulated_wheel, python, version, target.processor, wheel,
                                                   self.output))
        else:
            say(f"{wheel.name}: not tested, since Debian has no such interpreter for {target.processor}")

    def finish(self):
        """Awaits the trials; what failed is said last, of each."""
        failures = []
        for each in self.pending:
            try:
                each.result()
            except SystemExit as failure:
                failures.append(str(failure))
        if failures:
            raise SystemExit("\n".join(failures))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("output", type=Path)
    parser.add_argument("--python", action="append", default=[], metavar="VERSION")
    parser.add_argument("--processor", action="append", default=[], choices=PROCESSORS)
    parser.add_argument("--sources", action="store_true", help="compile the sdist too")
    parser.add_argument("--no-tests", action="store_true")
    arguments = parser.parse_args()
    began = time.monotonic()
    output = arguments.output.resolve()
    found = interpreters()
    versions = wanted_versions(arguments.python, found)
    native = os.uname().machine
    # The native ones first: they describe the types of the extension for the others.
    processors = sorted(arguments.processor or PROCESSORS, key=lambda processor: processor != native)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        builder = Builder(found, output, None if arguments.no_tests else pool)
        if processors[0] != native and not (output / "stubs").exists():
            builder.build(builder.target(native), versions[-1:])
        for processor in processors:
            builder.build(builder.target(processor), versions)
        archive = build_sources(found[versions[-1]], output)
        if arguments.sources:
            trial.try_sources(found[versions[-1]], versions[-1], archive, output)
        builder.finish()
    say(f"all of it: {(time.monotonic() - began) / 60:.1f} minutes")


if __name__ == "__main__":
    main()
