#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the interpreter with which the interoperability tests run the Python package: OUTPUT/peer/bin/python.

Usage: python_peer.py OUTPUT [--python VERSION]
"""

import argparse
import os
from pathlib import Path

from wheels.build import build_wheel
from wheels.environments import chosen, environment, interpreters, run
from wheels.target import Target


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("output", type=Path)
    parser.add_argument("--python", default="newest")
    arguments = parser.parse_args()
    output = arguments.output.resolve()
    found = interpreters()
    version = chosen(arguments.python, found)
    target = Target(output / os.uname().machine, os.uname().machine, found[max(found)], output / "tools")
    wheel = build_wheel(found[version], version, target, output, output / "stubs")
    python = environment(found[version], output / "peer", "pip")
    run(python, "-m", "pip", "install", "--quiet", "--no-index", "--force-reinstall", wheel)
    print(f"dev: {python} has {wheel.name}")


if __name__ == "__main__":
    main()
