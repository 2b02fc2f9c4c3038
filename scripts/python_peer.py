#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the interpreter with which the interoperability tests run the Python package: OUTPUT/peer/bin/python.

Usage: python_peer.py OUTPUT [--python VERSION]
"""

import argparse
from pathlib import Path

import python_package


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("output", type=Path)
    parser.add_argument("--python", default="")
    arguments = parser.parse_args()
    output = arguments.output.resolve()
    found = python_package.interpreters()
    version = tuple(int(part) for part in arguments.python.split(".")) if arguments.python else max(found, default=None)
    if version not in found:
        raise SystemExit("this machine has no such CPython with headers and venv")
    wheel = python_package.build_wheel(found[version], python_package.ROOT, output, f"python-cp{version[0]}{version[1]}")
    python = python_package.environment(found[version], output / "peer", "pip")
    python_package.run(python, "-m", "pip", "install", "--quiet", "--no-index", "--force-reinstall", wheel)
    print(f"dev: {python} has {wheel.name}")


if __name__ == "__main__":
    main()
