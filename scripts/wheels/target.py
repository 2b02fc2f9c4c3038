# SPDX-License-Identifier: MIT
"""The tools that compile the wheels for one processor: a compiler that targets glibc 2.28, and the libraries inside them.

The compiler is the Clang of PyPI's `ziglang`, which has the headers and symbol versions of every glibc, and links libc++
into the module. The libraries of C are the static ones of Debian, which follow its security updates; those of C++ are
compiled from Debian's sources, see packaging/wheel.
"""

import os
import shutil

from wheels.debian import Debian
from wheels.environments import ROOT, environment, run
from wheels.notices import Library, write_notices

GLIBC = "2.28"
# auditwheel's name of the same.
PLATFORM = "manylinux_2_28"
COMPILER = "ziglang==0.17.1"
BINDING = "nanobind==3.1.0"
# Its libc is what the static libraries are compiled against; what they need of a newer one fails the check of the wheel.
RELEASE = "bookworm"
C_LIBRARIES = {"libssl-dev": ("openssl", "Apache-2.0"), "zlib1g-dev": ("zlib", "Zlib"),
               "libzstd-dev": ("zstd", "BSD-3-Clause OR GPL-2.0-only")}
CXX_SOURCES = {"pugixml": ("pugixml", "MIT"), "abseil": ("cctz", "Apache-2.0")}
PROCESSORS = ("x86_64", "aarch64")
TOOLCHAIN = """
set(CMAKE_C_COMPILER "{tools}/cc")
set(CMAKE_CXX_COMPILER "{tools}/c++")
set(CMAKE_AR "{tools}/ar")
set(CMAKE_RANLIB "{tools}/ranlib")
# Nothing of this machine is linked; packages are for CMake itself.
set(CMAKE_FIND_ROOT_PATH "{root}")
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(OPENSSL_USE_STATIC_LIBS ON)
# The first program that is linked with other flags has a libc++ compiled for it: checks do not link.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
"""
FOREIGN = """
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR {processor})
"""


class Target:
    """Made once in `place`, and again when a version in this file changes."""

    def __init__(self, place, processor, python, tools_place):
        self.processor = processor
        self.is_native = processor == os.uname().machine
        self.toolchain = place / "toolchain.cmake"
        self.root = place / "root"
        # Folders for the wheel's .dist-info.
        self.notices = place / "notices"
        compiler = environment(python, tools_place / "compiler", COMPILER, BINDING)
        (self.site,) = compiler.parent.parent.glob("lib/python3*/site-packages")
        self._write_tools(place)
        mark = self.root / "complete"
        wanted = "\n".join((RELEASE, COMPILER, BINDING, *C_LIBRARIES, *CXX_SOURCES))
        if not mark.exists() or mark.read_text() != wanted:
            self._make_root(place)
            mark.write_text(wanted)

    def environ(self):
        """The environment of builds: the compiler cache, if the machine has one, serves every interpreter's."""
        environ = {**os.environ, "CMAKE_BUILD_PARALLEL_LEVEL": str(os.cpu_count())}
        if not shutil.which("ccache"):
            return environ
        return {**environ, "CMAKE_C_COMPILER_LAUNCHER": "ccache", "CMAKE_CXX_COMPILER_LAUNCHER": "ccache",
                "CCACHE_BASEDIR": str(ROOT), "CCACHE_NOHASHDIR": "true", "CCACHE_COMPILERTYPE": "clang",
                "CCACHE_COMPILERCHECK": f"string:{COMPILER} {self.processor} {GLIBC}"}

    def _write_tools(self, place):
        place.mkdir(parents=True, exist_ok=True)
        aim = f"-target {self.processor}-linux-gnu.{GLIBC}"
        for name, words in {"cc": f"cc {aim}", "c++": f"c++ {aim}", "ar": "ar", "ranlib": "ranlib"}.items():
            tool = place / name
            tool.write_text(f'#!/bin/sh\nexec "{self.site}/ziglang/zig" {words} "$@"\n')
            tool.chmod(0o755)
        text = TOOLCHAIN if self.is_native else TOOLCHAIN + FOREIGN
        self.toolchain.write_text(text.lstrip().format(tools=place, root=self.root, processor=self.processor))

    def _make_root(self, place):
        shutil.rmtree(self.root, ignore_errors=True)
        for name in ("debian", "packages", "sources", "libraries"):
            shutil.rmtree(place / name, ignore_errors=True)
        debian = Debian(place / "debian", RELEASE, self.processor)
        unpacked = place / "packages"
        libraries = []
        for package, version in debian.unpack_packages(unpacked, *C_LIBRARIES).items():
            libraries.append(Library(*C_LIBRARIES[package], version, f"pkg:deb/debian/{package}@{version}",
                                     unpacked / "usr/share/doc" / package / "copyright"))
        self._take_static_libraries(unpacked / "usr")
        for package in CXX_SOURCES:
            sources = place / "sources" / package
            version = debian.unpack_source(sources, package)
            libraries.append(Library(*CXX_SOURCES[package], version, f"pkg:deb/debian/{package}@{version}?arch=source",
                                     sources / "debian" / "copyright"))
        for name, licence, package, text in (
                ("libcxx", "Apache-2.0 WITH LLVM-exception", COMPILER, "ziglang/lib/libcxx/LICENSE.TXT"),
                ("nanobind", "BSD-3-Clause", BINDING, f"{BINDING.replace('==', '-')}.dist-info/licenses/LICENSE"),
                ("robin-map", "MIT", BINDING, "nanobind/ext/robin_map/include/tsl/robin_map.h")):
            libraries.append(Library(name, licence, package.split("==")[1], f"pkg:pypi/{package.replace('==', '@')}",
                                     self.site / text))
        write_notices(self.notices, libraries)
        build = place / "libraries"
        run("cmake", "-G", "Ninja", "-S", ROOT / "packaging" / "wheel", "-B", build, f"-DCMAKE_TOOLCHAIN_FILE={self.toolchain}",
            "-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_INSTALL_PREFIX={self.root}/usr", "-DCMAKE_INSTALL_LIBDIR=lib",
            *(f"-DAFFIX_{name.upper()}={place}/sources/{name}" for name in CXX_SOURCES), env=self.environ())
        run("cmake", "--build", build, "--target", "install", env=self.environ())

    def _take_static_libraries(self, unpacked):
        """Leaves the shared ones, and the folders that Debian has for each processor."""
        triplet = f"{self.processor}-linux-gnu"
        shutil.copytree(unpacked / "include", self.root / "usr/include", ignore=shutil.ignore_patterns(triplet))
        if (unpacked / "include" / triplet).exists():
            shutil.copytree(unpacked / "include" / triplet, self.root / "usr/include", dirs_exist_ok=True)
        libraries = self.root / "usr/lib"
        libraries.mkdir(parents=True, exist_ok=True)
        for library in (unpacked / "lib" / triplet).glob("*.a"):
            shutil.copyfile(library, libraries / library.name)
