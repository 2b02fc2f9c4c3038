#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds every #include to the architecture: doors open downwards only.

The layers, what each may use and which of its private headers it shares with the layers above are read from the
affix_layer(...) lines of CMakeLists.txt, so the build and this check cannot disagree. Beside them stand the rules the build cannot express: which system headers a
layer must not know, what a public header must not drag in, which layers never meet, which subjects of a room
include each other, who may use wire's details, and where intrinsics may stand.

A subject is a header and the sources of its folder whose names begin with its: foo.hpp, foo.cpp and foo_bar.cpp,
unless there is a foo_bar.hpp. A public header and the private ones of its layer are of one room.

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

# Headers that a layer must not include, with the words of the message. The architecture's table is the reason for each row.
MUST_NOT_KNOW = {
    "base": {"sockets": SOCKETS, "files": FILES, "clocks": CLOCKS, "threads": THREADS},
    "os": {"sockets": SOCKETS},
    "wire": {"sockets": SOCKETS, "files": FILES, "clocks": CLOCKS, "threads": THREADS},
    "session": {"sockets": SOCKETS, "files": FILES, "clocks": CLOCKS, "threads": THREADS},
    # A journal is shared by its worker and the helper that prepares segments, so it may lock; it starts no thread.
    "journal": {"sockets": SOCKETS, "threads": STARTS_THREADS},
    "config": {"threads": STARTS_THREADS},
    "counters": {"threads": STARTS_THREADS},
    "host": {"threads": STARTS_THREADS},
}

# In these layers time comes from the disk that a journal is given, so that a simulation has its own. Files that may read
# the machine's clocks, and why.
CLOCK_HEADER = "affix/os/clock.hpp"
READS_CLOCKS = {
    "journal": {
        "src/journal/disk.cpp": "the system's disk",
        "src/journal/fresh_id.hpp": "a number for a system without a random source",
        "src/journal/page_costs_linux.cpp": "measures the machine",
    },
}

# These layers have no dependency but libc and the C++ library.
NO_LIBRARY = {"base", "os", "wire", "session", "journal"}

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
INTRINSICS_HEADER = re.compile(r"\w*intrin\.h|arm_\w+\.h|cpuid\.h")
# Intrinsics that need no header.
INTRINSIC_BUILTIN = re.compile(r"\b__builtin_(?:ia32|aarch64|neon|arm)_\w+")
# Conditions that ask which system, processor or C library a file is compiled for ...
CONDITION = re.compile(r"^\s*#\s*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b(.*)")
PLATFORM = re.compile(r"\b(__linux\w*|__gnu_linux__|__unix\w*|__APPLE__|__MACH__|TARGET_OS_\w+|_WIN\w+|__WIN\w+|__MINGW\w+|__CYGWIN__|"
                      r"_MSC_VER|__ANDROID__|__\w*BSD__|__GLIBC\w*|__GNU_LIBRARY__|__BIONIC__|__x86_64\w*|__i386\w*|__amd64\w*|"
                      r"_M_\w+|__aarch64__|__arm\w*|__ARM_\w+|__SSE\w*__|__AVX\w*__|__riscv\w*|AFFIX_KERNELS_\w+|AFFIX_ON_\w+|"
                      r"(?:MADV|MAP|MLOCK|SOCK|MSG|SO|TCP|F|O|EPOLL|CLOCK|RUSAGE|SYS)_[A-Z]\w*)\b")
# ... stand in the rooms that know systems, and where a processor's instructions are chosen.
PLATFORM_PLACES = re.compile(r"(src|include/affix)/(os|net)/.*|src/base/(crc32c|x86_features)\.\w+|src/base/crc32c_\w+\.cpp|"
                             r"src/wire/(dispatch\.cpp|kernels\.hpp)")
WIRE_DETAIL = re.compile(r"\bwire::detail\b|affix/wire/detail/")
LIBC_FOLDERS = ("sys/", "linux/", "netinet/", "arpa/", "net/", "mach-o/", "pthread/")
LIBC = set("""
assert.h crt_externs.h ctype.h dirent.h endian.h errno.h fcntl.h fenv.h float.h inttypes.h limits.h math.h netdb.h poll.h pthread.h
sched.h signal.h spawn.h stdarg.h stddef.h stdint.h stdio.h stdlib.h string.h strings.h time.h unistd.h
""".split())


# Intrinsics stand in the kernels' files, each of which enables its instructions inside its own functions, ...
KERNEL_FILE = re.compile(r"src/wire/kernel_\w+\.(cpp|inl|hpp)|src/base/crc32c_\w+\.cpp")
# ... where every CPU of the target has them and a call would cost more than the work, and where the CPU is asked first.
BASELINE_INTRINSICS = {
    "benchmarks/micro/journal_append/stamp_counter.hpp": "the clock of operations of a few tens of nanoseconds",
    "include/affix/wire/detail/find_tag.hpp": "one comparison of sixteen marks, in line in every lookup",
    "include/affix/wire/detail/text_sum.hpp": "the sum of sixteen bytes, in line in every field that is written",
    "src/base/x86_features.hpp": "CPUID, which says what sets of instructions there are",
    "src/os/cycle_clock.hpp": "the cycle counter, in line in every clock reading, after CPUID has said that its rate is constant",
    "src/wire/convert_time.cpp": "sixteen characters of a time stamp against its pattern",
}


def is_system_header(name):
    return name in STANDARD or name in LIBC or name in INTRINSICS or name.startswith(LIBC_FOLDERS)


def read_layers(root, keyword="USES"):
    """Layer -> the words after the keyword, in the order of CMakeLists.txt: of USES, the layers it may use."""
    layers = {}
    for name, rest in LAYER_LINE.findall((root / "CMakeLists.txt").read_text()):
        words = rest.split()
        named = []
        if keyword in words:
            for word in words[words.index(keyword) + 1:]:
                if word.isupper():
                    break
                named.append(word)
        layers[name] = named
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


def room_of(path, root):
    """The folder that a subject is of, the same for a layer's public and private files; None outside the rooms."""
    parts = path.relative_to(root).parts
    if parts[:2] == ("include", "affix") and len(parts) > 3:
        return "/".join(parts[2:-1])
    if parts[0] == "src" and len(parts) > 2:
        return "/".join(parts[1:-1])
    return "/".join(parts[:-1]) if parts[0] == "tools" else None


class Subjects:
    """Which subjects include which; found by the includes between files of one room."""

    def __init__(self, root):
        self.root = root
        self.files = {}  # Path -> room.
        for folder in ("include/affix", "src", "tools"):
            for path in sources_below(root / folder):
                room = room_of(path, root)
                if room is not None:
                    self.files[path] = room
        self.headers = {(room, path.stem) for path, room in self.files.items() if path.suffix == ".hpp"}

    def subject_of(self, path):
        room, stem = self.files[path], path.stem
        words = stem.split("_")
        for count in range(len(words), 0, -1):
            name = "_".join(words[:count])
            if (room, name) in self.headers:
                return f"{room}/{name}"
        return f"{room}/{stem}"

    def target_of(self, room, name):
        """The subject of the same room that an include names, or None."""
        folder, _, header = name.removeprefix("affix/").rpartition("/")
        stem = header.removesuffix(".hpp")
        # A program's files are included from its own folder on: tools/affix_lab/trade/client.hpp as trade/client.hpp.
        of_room = room == folder or (room.startswith("tools/") and "/".join(room.split("/")[2:]) == folder)
        return f"{room}/{stem}" if of_room and (room, stem) in self.headers else None

    def uses(self):
        """(subject, other subject) -> the first (path, line, name) by which the first includes the second."""
        uses = {}
        for path, room in self.files.items():
            subject = self.subject_of(path)
            for line, bracket, name in includes_of(path):
                target = self.target_of(room, name) if bracket == '"' else None
                if target is not None and target != subject:
                    uses.setdefault((subject, target), (path, line, name))
        return uses

    @staticmethod
    def pairs(uses):
        """The pairs of subjects that include each other."""
        return {tuple(sorted(pair)) for pair in uses if pair[::-1] in uses}

    def faults(self):
        """(path, line, text) of each pair."""
        uses = self.uses()
        for pair in sorted(self.pairs(uses)):
            path, line, name = uses[pair]
            back, back_line, back_name = uses[pair[::-1]]
            yield path, line, (f"subjects '{pair[0]}' and '{pair[1]}' include each other ({name}, and {back_name} by "
                               f"{back.relative_to(self.root)}:{back_line}): give what both need a header of its own")


class Checker:
    def __init__(self, root):
        self.root = root
        self.layers = read_layers(root)
        # The headers that each layer shares, and those of them that another layer was seen to include.
        self.shared = {f"{layer}/{name}.hpp" for layer, names in read_layers(root, "SHARES").items() for name in names}
        self.shared_used = set()
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
                self.check_clock(path, line, layer, name, kind)
                if private and public_header:
                    self.fault(path, line, f"a public header may not include the private header '{name}'")
                elif used != layer and used not in allowed and not (kind == "test" and used == TEST_KIT):
                    order = list(self.layers)
                    direction = "up" if order.index(used) > order.index(layer) else "sideways"
                    rule = f"it may use {', '.join(allowed)} only" if allowed else "it may use no other layer"
                    self.fault(path, line, f"layer '{layer}' looks {direction} at '{used}' ({name}); {rule}")
                elif private and used != layer and kind != "test":
                    self.shared_used.add(name)
                    if name not in self.shared:
                        self.fault(path, line, f"'{name}' is private to layer '{used}', which does not share it; "
                                               f"layer '{layer}' may not include it")
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
        self.check_platform(path)
        if kind != "test":
            self.check_intrinsics(path)
            if layer != "wire":
                self.check_details(path)

    def check_clock(self, path, line, layer, name, kind):
        readers = READS_CLOCKS.get(layer)
        if name == CLOCK_HEADER and readers is not None and kind != "test":
            if path.relative_to(self.root).as_posix() not in readers:
                self.fault(path, line, f"layer '{layer}' takes its time from its owner ({name})")

    def check_platform(self, path):
        """A file asks the preprocessor for no system: sources of one system have its name, and CMake chooses them."""
        place = path.relative_to(self.root).as_posix()
        if PLATFORM_PLACES.fullmatch(place) or KERNEL_FILE.fullmatch(place) or place in BASELINE_INTRINSICS:
            return
        open_conditions = []  # Of each: the line of the platform's macro, or None; lines under it.
        for line, text in enumerate(path.read_text(errors="replace").splitlines(), 1):
            condition = CONDITION.match(text)
            if condition is None:
                for one in open_conditions:
                    one[2] += 1
                continue
            word, asked = condition.group(1), PLATFORM.search(condition.group(2).split("//")[0])
            if word.startswith("if"):
                open_conditions.append([line if asked else None, asked and asked.group(1), 0])
            elif word.startswith("elif") and open_conditions and asked and open_conditions[-1][0] is None:
                open_conditions[-1][:2] = [line, asked.group(1)]
            elif word == "endif" and open_conditions:
                begun, macro, lines = open_conditions.pop()
                if begun is not None:
                    self.fault(path, begun, f"{lines} lines under #if for a platform ({macro}): give the file of each "
                                            "system its name (cmake/affix_platform.cmake)")

    def check_details(self, path):
        """wire::detail is for wire's own headers only."""
        for line, text in enumerate(path.read_text(errors="replace").splitlines(), 1):
            if WIRE_DETAIL.search(text.split("//")[0]):
                self.fault(path, line, "wire::detail is wire's own: use its public headers")

    def check_intrinsics(self, path):
        place = path.relative_to(self.root).as_posix()
        if KERNEL_FILE.fullmatch(place) or place in BASELINE_INTRINSICS:
            return
        for line, text in enumerate(path.read_text(errors="replace").splitlines(), 1):
            include = INCLUDE.match(text)
            if include and INTRINSICS_HEADER.fullmatch(include.group(2)):
                self.fault(path, line, f"intrinsics (<{include.group(2)}>) stand in the kernels' files only")
            for name in INTRINSIC_BUILTIN.findall(text.split("//")[0]):
                self.fault(path, line, f"intrinsics ({name}) stand in the kernels' files only")

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
        self.check_platform(path)
        self.check_intrinsics(path)
        self.check_details(path)

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
        for name in sorted(self.shared - self.shared_used):
            self.faults.append(f"CMakeLists.txt:1: '{name}' is shared, but no other layer includes it")
        for folder in ("include/affix", "src", "tests/unit"):
            for child in sorted((self.root / folder).glob("*")):
                if child.is_dir() and any(child.rglob("*.?pp")) and child.name not in [*self.layers, "tools"]:
                    self.fault(child, 1, "this folder belongs to no layer that CMakeLists.txt declares")
        for folder in ("tools", "examples", "tests/unit/tools"):
            for path in sources_below(self.root / folder):
                self.check_outside(path)
        # Benchmarks measure private parts, too, so only this rule holds for them.
        for path in sources_below(self.root / "benchmarks"):
            self.check_intrinsics(path)
        for path, line, text in Subjects(self.root).faults():
            self.fault(path, line, text)
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
