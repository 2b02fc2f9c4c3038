#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds every #include to the architecture: doors open downwards only.

The layers and what each may use are read from the affix_layer(...) lines of CMakeLists.txt, so the build
and this check cannot disagree. Beside them stand the rules the build cannot express: which system headers a
layer must not know, what a public header must not drag in, and which layers never meet.

Usage: check_layers.py [ROOT]. Prints "file:line: rule" for each fault; exit code 1 if there is one.
"""

import re
import sys
from pathlib import Path

SOURCE_SUFFIXES = {".hpp", ".cpp", ".h", ".cc", ".inl"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
LAYER_LINE = re.compile(r"^\s*affix_layer\(\s*(\w+)(.*?)\)", re.MULTILINE | re.DOTALL)

# Pairs that must never meet, whatever CMakeLists.txt says.
NEVER_MEET = [("session", "journal"), ("session", "dictionary"), ("session", "net"), ("journal", "wire")]

# Folders of headers that `affix generate` makes in the build tree, one a FIX version, and the layer they are of.
GENERATED = re.compile(r"fixt?\d+(sp\d)?|fixlatest")
GENERATED_LAYER = "messages"

# Headers that cost every includer too much, or bring in what GCC 12 lacks.
BANNED_IN_PUBLIC_HEADERS = {"iostream", "regex", "functional", "format", "print", "thread"}

# The kit that ships for tests: any unit test may use it, and its headers may take std::function, since no program
# that trades includes them.
TEST_KIT = "testing"

SOCKETS = {"sys/socket.h", "sys/un.h", "netdb.h", "poll.h", "sys/epoll.h", "sys/eventfd.h"}
SOCKET_FOLDERS = ("netinet/", "arpa/", "net/", "linux/if")
FILES = {"fstream", "filesystem", "fcntl.h", "sys/mman.h", "sys/stat.h", "sys/uio.h", "dirent.h", "unistd.h", "iostream"}
CLOCKS = {"chrono", "ctime", "time.h", "sys/time.h", "sys/timerfd.h"}
STARTS_THREADS = {"thread", "future", "pthread.h"}
THREADS = {"thread", "mutex", "shared_mutex", "condition_variable", "future", "pthread.h", "sched.h", "semaphore",
           "stop_token", "barrier", "latch"}

# What a layer must not know, in the words of the message. The architecture's table is the reason for each row.
MUST_NOT_KNOW = {
    "base": {"sockets": SOCKETS, "files": FILES, "clocks": CLOCKS, "threads": THREADS},
    "wire": {"sockets": SOCKETS, "files": FILES, "clocks": CLOCKS, "threads": THREADS},
    "session": {"sockets": SOCKETS, "files": FILES, "clocks": CLOCKS, "threads": THREADS},
    # A journal is shared by its worker and the helper that prepares segments, so it may lock; it starts no thread.
    "journal": {"sockets": SOCKETS, "threads": STARTS_THREADS},
}

# These layers have no dependency but libc and the C++ library.
NO_LIBRARY = {"base", "wire", "session", "journal"}

STANDARD = set("""
algorithm any array atomic barrier bit bitset cassert cctype cerrno cfenv cfloat charconv chrono cinttypes climits
clocale cmath compare complex concepts condition_variable coroutine csetjmp csignal cstdarg cstddef cstdint cstdio
cstdlib cstring ctime cuchar cwchar cwctype deque exception execution expected filesystem format forward_list fstream
functional future initializer_list iomanip ios iosfwd iostream istream iterator latch limits list locale map memory
memory_resource mutex new numbers numeric optional ostream print queue random ranges ratio regex scoped_allocator
semaphore set shared_mutex source_location span spanstream sstream stack stdexcept stop_token streambuf string
string_view strstream syncstream system_error thread tuple type_traits typeindex typeinfo unordered_map unordered_set
utility valarray variant vector version
""".split())
INTRINSICS = {"immintrin.h", "nmmintrin.h", "emmintrin.h", "smmintrin.h", "arm_neon.h", "cpuid.h"}
LIBC_FOLDERS = ("sys/", "linux/", "netinet/", "arpa/", "net/")
LIBC = set("""
assert.h ctype.h dirent.h endian.h errno.h fcntl.h fenv.h float.h inttypes.h limits.h math.h netdb.h poll.h pthread.h
sched.h signal.h stdarg.h stddef.h stdint.h stdio.h stdlib.h string.h strings.h time.h unistd.h
""".split())


def is_system_header(name):
    return name in STANDARD or name in LIBC or name in INTRINSICS or name.startswith(LIBC_FOLDERS)


def read_layers(root):
    """Layer -> the layers it may use, in the order of CMakeLists.txt."""
    layers = {}
    for name, rest in LAYER_LINE.findall((root / "CMakeLists.txt").read_text()):
        words = rest.split()
        uses = []
        if "USES" in words:
            for word in words[words.index("USES") + 1:]:
                if word.isupper():
                    break
                uses.append(word)
        layers[name] = uses
    return layers


def includes_of(path):
    """(line number, '<' or '"', name) of each #include in the file."""
    for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1), match.group(2)


def sources_below(folder):
    if folder.is_dir():
        yield from sorted(p for p in folder.rglob("*") if p.suffix in SOURCE_SUFFIXES)


class Checker:
    def __init__(self, root):
        self.root = root
        self.layers = read_layers(root)
        self.faults = []
        self.files = 0

    def fault(self, path, line, text):
        self.faults.append(f"{path.relative_to(self.root)}:{line}: {text}")

    def layer_of_include(self, name):
        """The layer a quoted or angled include of ours belongs to, or None; and whether it is a private header."""
        if name.startswith("affix/"):
            first = name.split("/")[1].removesuffix(".hpp")
            if "/" in name.removeprefix("affix/") and GENERATED.fullmatch(first):
                first = GENERATED_LAYER
            return (first if first in self.layers else None), False
        first = name.split("/")[0]
        if "/" in name and first in self.layers and (self.root / "src" / name).exists():
            return first, True
        return None, False

    def check_file(self, path, layer, public_header, kind):
        self.files += 1
        allowed = self.layers[layer]
        for line, bracket, name in includes_of(path):
            used, private = self.layer_of_include(name)
            if used is not None:
                if private and public_header:
                    self.fault(path, line, f"a public header may not include the private header '{name}'")
                elif used != layer and used not in allowed and not (kind == "test" and used == TEST_KIT):
                    order = list(self.layers)
                    direction = "up" if order.index(used) > order.index(layer) else "sideways"
                    rule = f"it may use {', '.join(allowed)} only" if allowed else "it may use no other layer"
                    self.fault(path, line, f"layer '{layer}' looks {direction} at '{used}' ({name}); {rule}")
                elif private and used != layer:
                    self.fault(path, line, f"'{name}' is private to layer '{used}'; layer '{layer}' may not include it")
                continue
            if name.startswith("affix/"):
                self.fault(path, line, f"'{name}' belongs to no layer that CMakeLists.txt declares")
                continue
            if bracket == '"':
                continue
            if public_header and layer != TEST_KIT and name in BANNED_IN_PUBLIC_HEADERS:
                self.fault(path, line, f"a public header may not include <{name}>")
            if kind != "test":
                self.check_system_header(path, line, layer, name)

    def check_system_header(self, path, line, layer, name):
        for subject, headers in MUST_NOT_KNOW.get(layer, {}).items():
            if name in headers or (subject == "sockets" and name.startswith(SOCKET_FOLDERS)):
                self.fault(path, line, f"layer '{layer}' must not know {subject} (<{name}>)")
        if layer in NO_LIBRARY and not is_system_header(name):
            self.fault(path, line, f"layer '{layer}' has no dependency but libc and the C++ library (<{name}>)")

    def check_outside(self, path):
        """Tools, examples and fuzz targets may use every layer, but through its public headers."""
        self.files += 1
        for line, _, name in includes_of(path):
            used, private = self.layer_of_include(name)
            if private:
                self.fault(path, line, f"'{name}' is private to layer '{used}'; use its public headers")

    def run(self):
        if not self.layers:
            self.faults.append("CMakeLists.txt:1: no affix_layer(...) line found")
        for one, other in NEVER_MEET:
            for layer, uses in ((one, other), (other, one)):
                if uses in self.layers.get(layer, []):
                    self.faults.append(f"CMakeLists.txt:1: layers '{one}' and '{other}' never meet, "
                                       f"but '{layer}' is declared with USES {uses}")
        for layer in self.layers:
            umbrella = self.root / "include/affix" / f"{layer}.hpp"
            headers = list(sources_below(self.root / "include/affix" / layer))
            for path in ([umbrella] if umbrella.exists() else []) + headers:
                self.check_file(path, layer, True, "header")
            for path in sources_below(self.root / "src" / layer):
                self.check_file(path, layer, False, "source")
            for path in sources_below(self.root / "tests/unit" / layer):
                self.check_file(path, layer, False, "test")
        for folder in ("include/affix", "src", "tests/unit"):
            for child in sorted((self.root / folder).glob("*")):
                if child.is_dir() and any(child.rglob("*.?pp")) and child.name not in [*self.layers, "tools"]:
                    self.fault(child, 1, "this folder belongs to no layer that CMakeLists.txt declares")
        for folder in ("tools", "examples", "tests/unit/tools"):
            for path in sources_below(self.root / folder):
                self.check_outside(path)
        return self.faults


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent).resolve()
    checker = Checker(root)
    faults = checker.run()
    for fault in faults:
        print(fault)
    print(f"check_layers: {checker.files} files, {len(checker.layers)} layers, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
