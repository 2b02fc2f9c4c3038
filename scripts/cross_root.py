#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A compiler for another system, the libraries that affix links there, and the toolchain file that names both.

Usage: cross_root.py TARGET ROOT. TARGET is one of x86_64-macos, aarch64-macos, x86_64-musl and aarch64-musl; ROOT receives
everything. Does nothing when it is there already. The compiler is the Clang of PyPI's `ziglang`, which has the headers of
these systems and links them; the libraries are compiled from Debian's sources.
"""

import os
import shutil
import sys
from pathlib import Path

from wheels.debian import Debian
from wheels.environments import ROOT as PROJECT
from wheels.environments import chosen, environment, interpreters, run
from wheels.target import COMPILER, RELEASE

SOURCES = ("googletest", "pugixml", "abseil", "libzstd")
# As upstream has them: what Debian changes is for Debian's own builds.
UPSTREAM = ("zlib", "openssl")
# Of tests only: a newer release has one without changes of Debian.
TEST_RELEASE = "trixie"
TEST_SOURCES = ("rapidcheck",)
# Headers without a library are this machine's.
HEADERS = ("include/CLI", "include/nlohmann", "include/httplib.h", "share/cmake/CLI11", "share/cmake/nlohmann_json")
# The names that the compiler, CMake and OpenSSL have for each. Nothing here can run what is built for macOS, and encryption that nobody
# has run is no encryption.
TARGETS = {
    "x86_64-macos": ("x86_64-macos.13.0", "Darwin", "x86_64", None),
    "aarch64-macos": ("aarch64-macos.13.0", "Darwin", "arm64", None),
    "x86_64-musl": ("x86_64-linux-musl", "Linux", "x86_64", "linux-x86_64"),
    "aarch64-musl": ("aarch64-linux-musl", "Linux", "aarch64", "linux-aarch64"),
}
# Of OpenSSL, what a FIX engine does not use, and what its own programs and tests need.
OPENSSL_OPTIONS = ("no-shared", "no-tests", "no-module", "no-engine", "no-legacy", "no-comp", "no-ui-console", "no-cms", "no-srp",
                   "no-ts", "no-ocsp", "no-ct", "no-dso", "--libdir=lib", "--openssldir=/etc/ssl")
TOOLCHAIN = """set(CMAKE_SYSTEM_NAME {system})
set(CMAKE_SYSTEM_PROCESSOR {processor})
set(CMAKE_C_COMPILER "{root}/tools/clang")
set(CMAKE_CXX_COMPILER "{root}/tools/clang++")
set(CMAKE_AR "{root}/tools/ar")
set(CMAKE_RANLIB "{root}/tools/ranlib")
# Nothing of this machine is linked.
set(CMAKE_FIND_ROOT_PATH "{root}")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(OPENSSL_USE_STATIC_LIBS ON)
# The first program that is linked with other flags has a libc++ compiled for it: checks do not link.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(Threads_FOUND TRUE)
"""
FOR_DARWIN = """# The linker of that compiler takes no more of Apple's options than it needs.
set(CMAKE_OSX_SYSROOT "")
set(CMAKE_INSTALL_NAME_TOOL "{root}/tools/none")
set(CMAKE_OTOOL "{root}/tools/none")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,-headerpad_max_install_names")
"""
FOR_MUSL = """set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
set(BUILD_SHARED_LIBS OFF)
{emulator}"""


# Licences of what a static program has inside: below the compiler, below the sources, and of this machine's headers.
NOTICES = {
    "musl": ("compiler", "lib/libc/musl/COPYRIGHT"), "libc++": ("compiler", "lib/libcxx/LICENSE.TXT"),
    "zig's compiler runtime": ("compiler", "LICENSE"), "pugixml": ("sources", "pugixml/LICENSE.md"),
    "cctz (abseil)": ("sources", "abseil/LICENSE"), "zlib": ("sources", "zlib/LICENSE"), "zstd": ("sources", "libzstd/LICENSE"),
    "OpenSSL": ("sources", "openssl/LICENSE.txt"), "CLI11": ("machine", "libcli11-dev/copyright"),
    "nlohmann/json": ("machine", "nlohmann-json3-dev/copyright"),
}


def write_if_new(path, text, mode=0o644):
    # A compiler whose file is newer is another one for ccache.
    if not path.exists() or path.read_text() != text:
        path.write_text(text)
    path.chmod(mode)


def write_tools(target, root):
    tools = root / "tools"
    tools.mkdir(parents=True, exist_ok=True)
    found = interpreters()
    compiler = environment(found[chosen("newest", found)], root.parent / "compiler", COMPILER)
    (site,) = compiler.parent.parent.glob("lib/python3*/site-packages")
    write_if_new(root / "site.txt", str(site))
    aim = f"-target {TARGETS[target][0]} -fno-sanitize=undefined"
    for name, words in {"clang": f"cc {aim}", "clang++": f"c++ {aim}", "ar": "ar", "ranlib": "ranlib"}.items():
        write_if_new(tools / name, f'#!/bin/sh\nexec "{site}/ziglang/zig" {words} "$@"\n', 0o755)
    _, system, processor, _ = TARGETS[target]
    emulator = ""
    if system == "Linux" and processor != os.uname().machine:
        emulator = f"set(CMAKE_CROSSCOMPILING_EMULATOR qemu-{processor})\n"
    text = TOOLCHAIN + (FOR_DARWIN if system == "Darwin" else FOR_MUSL)
    write_if_new(root / "toolchain.cmake", text.format(system=system, processor=processor, root=root, emulator=emulator))


def unpack_sources(place):
    """The sources of all libraries, which every target shares."""
    sources = place / "sources"
    mark = sources / "complete"
    wanted = "\n".join((RELEASE, *SOURCES, *UPSTREAM, TEST_RELEASE, *TEST_SOURCES))
    if mark.exists() and mark.read_text() == wanted:
        return sources
    shutil.rmtree(sources, ignore_errors=True)
    work = place / "downloads"
    shutil.rmtree(work, ignore_errors=True)
    debian = Debian(work / "debian", RELEASE, "x86_64")
    for name in SOURCES:
        debian.unpack_source(sources / name, name)
    for name in UPSTREAM:
        debian.unpack_upstream(sources / name, name)
    debian = Debian(work / "test-debian", TEST_RELEASE, "x86_64")
    for name in TEST_SOURCES:
        debian.unpack_upstream(sources / name, name)
    shutil.rmtree(work)
    mark.write_text(wanted)
    return sources


def build_openssl(target, root, sources, work):
    build = work / "openssl"
    shutil.copytree(sources / "openssl", build, symlinks=True)
    environ = {**os.environ, "CC": str(root / "tools" / "clang"), "AR": str(root / "tools" / "ar"),
               "RANLIB": str(root / "tools" / "ranlib")}
    run("./Configure", TARGETS[target][3], *OPENSSL_OPTIONS, f"--prefix={root}/usr", cwd=build, env=environ)
    run("make", f"-j{os.cpu_count()}", "build_libs", cwd=build, env=environ)
    run("make", "install_dev", cwd=build, env=environ)


def build_libraries(root, sources, work):
    launchers = [f"-DCMAKE_{language}_COMPILER_LAUNCHER=ccache" for language in ("C", "CXX") if shutil.which("ccache")]
    build = work / "build"
    run("cmake", "-G", "Ninja", "-S", PROJECT / "packaging" / "cross", "-B", build,
        f"-DCMAKE_TOOLCHAIN_FILE={root}/toolchain.cmake", "-DCMAKE_BUILD_TYPE=Release", *launchers,
        f"-DAFFIX_SOURCES={sources}", f"-DCMAKE_INSTALL_PREFIX={root}/usr", "-DCMAKE_INSTALL_LIBDIR=lib")
    run("cmake", "--build", build, "--target", "install")
    for name in HEADERS:
        (root / "usr" / name).parent.mkdir(parents=True, exist_ok=True)
        if (Path("/usr") / name).is_dir():
            shutil.copytree(Path("/usr") / name, root / "usr" / name, dirs_exist_ok=True)
        else:
            shutil.copyfile(Path("/usr") / name, root / "usr" / name)


def write_notices(root, sources):
    places = {"compiler": Path((root / "site.txt").read_text()) / "ziglang", "sources": sources, "machine": Path("/usr/share/doc")}
    (root / "NOTICES").write_text("".join(
        f"==== {name}\n\n{(places[place] / file).read_text().strip()}\n\n" for name, (place, file) in NOTICES.items()))


def make(target, root):
    mark = root / "complete"
    wanted = "\n".join((COMPILER, RELEASE, TEST_RELEASE, *SOURCES, *UPSTREAM, *TEST_SOURCES, *HEADERS, *OPENSSL_OPTIONS,
                        *map(str, TARGETS[target])))
    is_complete = mark.exists() and mark.read_text() == wanted
    if not is_complete:
        shutil.rmtree(root, ignore_errors=True)
    write_tools(target, root)
    if is_complete:
        return
    work = root / "work"
    sources = unpack_sources(root.parent)
    build_libraries(root, sources, work)
    if TARGETS[target][3] is not None:
        build_openssl(target, root, sources, work)
    write_notices(root, sources)
    shutil.rmtree(work)
    mark.write_text(wanted)


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in TARGETS:
        sys.exit(__doc__)
    make(sys.argv[1], Path(sys.argv[2]).resolve())
