#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles messages generated from dictionaries whose names are chosen to collide.

    hostile.py GENERATOR --include DIR --compiler COMMAND [--first SEED] [--seeds N] [--keep DIR]

Each seed makes one legal dictionary in QuickFIX XML. Seeds 0 and 1 hold every name of the generator's own (OWN) as field or
group, message and component at once; the others are random. Names are drawn from what the generator itself
writes (every identifier of an ordinary dictionary's headers and of the library's headers below
them), from C++ keywords, names of the standard library and macros, and from spellings that differ
in case or separators only. Shapes are random: empty messages, groups in groups of the same counter,
one counter with several shapes, components in components, nothing required, all required. The
generator must take it, and the compiler must take every header, accessor and setter.
AFFIX_HOSTILE_SEEDS in the environment replaces the number of seeds.
"""

import argparse
import os
import random
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.sax.saxutils import quoteattr

KEYWORDS = """alignas and asm auto bitand bool break case catch char class compl concept const continue
decltype default delete do double else enum explicit export extern false float for friend goto if inline int
long mutable namespace new noexcept not nullptr operator or private protected public register requires return
short signed sizeof static struct switch template this throw true try typedef typeid typename union unsigned
using virtual void volatile while xor final override import module""".split()

STANDARD = """string vector string_view span optional expected size_t uint32_t int64_t move forward size begin end
data swap get std abs min max array list map set pair tuple function thread main printf strong_ordering""".split()

MACROS = """EOF NULL errno assert stdin stdout stderr offsetof major minor makedev unix linux i386 EAGAIN EINTR
ENOENT SIGINT SIGTERM BUFSIZ RAND_MAX INFINITY NAN HUGE DOMAIN OVERFLOW NDEBUG INT_MAX CHAR_BIT FILE I M_PI TRUE
FALSE MIN MAX B0 B9600 TAB0 CR3 PRId64 SCNu8 POLLIN SIOCATMARK TIOCSTI ECHO CTRL HZ st_mtime sa_handler
si_value sched_priority s6_addr isset howmany setbit roundup alloca""".split()

# Files that the generator always writes, whatever the dictionary below contains.
OWN = """Message MessageReader MessageWriter Entry EntryReader EntryWriter ViewReader FieldWriter Required Self At
After Source Fill Header HeaderWriter Trailer TrailerWriter Group Field Fields Setters Writer Reader Tag Enum Code
Codes CodeSet CodeRange Price Qty Amt Percentage PriceOffset SeqNum Result Decimal UtcTime Script Visitor
Application Extra View Encoder Place Step Closed Missing Base Wire Messages Detail Affix Dispatch Version Known
KnownTags Count Value Values Bytes Begun Precision Text From Finish Complete""".split()

TYPES = """STRING CHAR INT PRICE QTY AMT PRICEOFFSET PERCENTAGE FLOAT BOOLEAN UTCTIMESTAMP UTCTIMEONLY UTCDATEONLY
LOCALMKTDATE MONTHYEAR EXCHANGE CURRENCY COUNTRY MULTIPLEVALUESTRING MULTIPLECHARVALUE MULTIPLESTRINGVALUE SEQNUM
LENGTH TAGNUM DAYOFMONTH TZTIMEONLY TZTIMESTAMP XMLDATA TENOR LOCALMKTTIME LANGUAGE""".split()

ENUM_TYPES = ["STRING", "CHAR", "INT", "MULTIPLEVALUESTRING", "MULTIPLECHARVALUE", "MULTIPLESTRINGVALUE", "NUMINGROUP",
              "BOOLEAN", "QTY", "EXCHANGE"]

SESSION_FIELDS = [(8, "BeginString", "STRING"), (9, "BodyLength", "LENGTH"), (35, "MsgType", "STRING"),
                  (49, "SenderCompID", "STRING"), (56, "TargetCompID", "STRING"), (34, "MsgSeqNum", "SEQNUM"),
                  (52, "SendingTime", "UTCTIMESTAMP"), (10, "CheckSum", "STRING")]


def pascal(word):
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"[^A-Za-z0-9]+", word) if part)


def identifiers_below(folder, pattern):
    found = set()
    for path in Path(folder).glob(pattern):
        text = re.sub(r"//.*", "", path.read_text())
        found.update(re.findall(r"[A-Za-z_][A-Za-z0-9_]*", text))
    return found


class Names:
    """Names that no two fields, or messages, or components share; near misses on purpose."""

    def __init__(self, rng, pool):
        self.rng = rng
        self.pool = pool
        self.taken = set()

    def draw(self):
        for _ in range(1000):
            name = self.variant(self.rng.choice(self.pool))
            if name not in self.taken:
                self.taken.add(name)
                return name
        raise RuntimeError("no names left")

    def variant(self, word):
        kind = self.rng.randrange(10)
        if self.taken and kind == 0:  # As one that is there, but for case or separators.
            word = self.rng.choice(sorted(self.taken))
            return self.rng.choice([word.swapcase(), word.upper(), word.lower(), word + "_", word.replace("_", "-"),
                                    "-".join(re.findall(r"[A-Z]?[^A-Z]+|[A-Z]", word))])
        if kind == 1:
            return word
        if kind == 2:
            return word + self.rng.choice(["Writer", "Fields", "Setters", "s", "1", "_1", "_", "Reader", " "]).strip()
        if kind == 3:
            return "No" + pascal(word)
        if kind == 4:
            return self.rng.choice([word.upper(), word.lower(), "7" + word, word + "+", "*" + word])
        return pascal(word) or word


class Hostile:
    """One dictionary of one seed."""

    def __init__(self, seed, pool):
        self.rng = random.Random(seed)
        self.field_names = Names(self.rng, pool)
        self.message_names = Names(self.rng, pool)
        self.component_names = Names(self.rng, pool)
        self.fields = []  # (tag, name, type, values)
        self.counters = []
        self.components = []  # (name, text, tags)
        self.tags = set(tag for tag, _, _ in SESSION_FIELDS)
        for _, name, _ in SESSION_FIELDS:
            self.field_names.taken.add(name)

    def tag(self):
        while True:
            tag = self.rng.choice([self.rng.randrange(1, 1000), self.rng.randrange(1000, 4095),
                                   self.rng.randrange(4096, 40000), self.rng.randrange(1, 2**31 - 1)])
            if tag not in self.tags:
                self.tags.add(tag)
                return tag

    def values(self, kind):
        if kind == "BOOLEAN":
            codes = ["Y", "N"]
        elif kind in ("INT", "NUMINGROUP", "QTY"):
            codes = [str(self.rng.choice([number, -number, number * 100003])) if kind == "INT" else str(number)
                     for number in self.rng.sample(range(0, 400), self.rng.randrange(1, 8))]
        elif kind in ("CHAR", "MULTIPLECHARVALUE"):
            codes = self.rng.sample("ABCDEFGHIJKabcdefg0123456789!\"#$%&'*+?\\", self.rng.randrange(1, 9))
        else:
            codes = self.rng.sample(["1", "2", "AB", "\"", "a\\", "??/", "*/", "//", "x", "XX", "*", "%d", "R\"("],
                                    self.rng.randrange(1, 7))
        names = Names(self.rng, self.field_names.pool)
        return [(code, names.draw()) for code in dict.fromkeys(codes)]

    def make_fields(self):
        for _ in range(self.rng.randrange(25, 60)):
            kind = self.rng.choice(TYPES)
            values = []
            if self.rng.random() < 0.5:
                kind = self.rng.choice(ENUM_TYPES)
                values = self.values(kind)
            self.fields.append((self.tag(), self.field_names.draw(), kind, values))
        for _ in range(self.rng.randrange(0, 4)):  # Length and data, named as QuickFIX pairs them.
            name = self.field_names.draw()
            length = name + "Len"
            if length not in self.field_names.taken:
                self.field_names.taken.add(length)
                self.fields.append((self.tag(), length, "LENGTH", []))
                self.fields.append((self.tag(), name, "DATA", []))
        for _ in range(self.rng.randrange(3, 9)):
            self.counters.append((self.tag(), self.field_names.draw(), "NUMINGROUP", []))

    def required(self):
        return quoteattr("Y" if self.rng.random() < 0.4 else "N")

    def members(self, depth, used, in_group):
        """Text of members, none of whose tags are in `used`, which they are added to."""
        text = ""
        wanted = self.rng.randrange(1 if in_group else 0, 7)
        first = in_group
        for _ in range(wanted):
            kind = self.rng.randrange(6)
            if kind == 0 and not first and depth < 3:
                free = [counter for counter in self.counters if counter[0] not in used]
                if free:
                    counter = self.rng.choice(free)
                    used.add(counter[0])
                    inner = self.members(depth + 1, set(used) if self.rng.random() < 0.5 else {counter[0]}, True)
                    if inner:
                        text += f"<group name={quoteattr(counter[1])} required={self.required()}>{inner}</group>"
                continue
            if kind == 1 and not first:
                free = [component for component in self.components if not component[2] & used]
                if free:
                    component = self.rng.choice(free)
                    used |= component[2]
                    text += f"<component name={quoteattr(component[0])} required={self.required()}/>"
                continue
            free = [field for field in self.fields if field[0] not in used]
            if free:
                field = self.rng.choice(free)
                used.add(field[0])
                text += f"<field name={quoteattr(field[1])} required={self.required()}/>"
                first = False
        return text

    def text(self):
        self.make_fields()
        for _ in range(self.rng.randrange(0, 6)):
            used = set()
            inner = self.members(0, used, False)
            if inner:
                self.components.append((self.component_names.draw(), inner, used))
        messages = ""
        types = set()
        for _ in range(self.rng.randrange(6, 18)):
            kind = "".join(self.rng.choice("ABCDEFXYZ089abc+-") for _ in range(self.rng.choice([1, 2, 2, 3, 10])))
            if kind in types:
                continue
            types.add(kind)
            messages += (f"<message name={quoteattr(self.message_names.draw())} msgtype={quoteattr(kind)} "
                         f"msgcat=\"app\">{self.members(0, set(), False)}</message>\n")
        header = self.members(0, set(), False) if self.rng.random() < 0.5 else ""
        components = "".join(f"<component name={quoteattr(name)}>{inner}</component>\n"
                             for name, inner, _ in self.components)
        fields = "".join(
            f"<field number=\"{tag}\" name={quoteattr(name)} type=\"{kind}\">"
            + "".join(f"<value enum={quoteattr(code)} description={quoteattr(meaning)}/>" for code, meaning in values)
            + "</field>\n"
            for tag, name, kind, values in self.fields + self.counters)
        return document(messages, components, fields, header)


def own_names(odd):
    """Every name of OWN as an enumerated field or a group, as a message and its writer's name, as a component and as
    an enumerator at once. `odd`: fields and groups the other way round."""
    fields, members, messages = "", "", ""
    for place, name in enumerate(OWN):
        tag = 1000 + place * 10
        if place % 2 == odd:
            values = "".join(f"<value enum=\"{code}\" description=\"{OWN[(place + code) % len(OWN)]}\"/>"
                             for code in range(3))
            kind = ("CHAR", "INT", "STRING", "MULTIPLEVALUESTRING")[place // 2 % 4]
            fields += f"<field number=\"{tag}\" name=\"{name}\" type=\"{kind}\">{values}</field>\n"
            members += f"<field name=\"{name}\" required=\"{'YN'[place // 2 % 2]}\"/>"
        else:
            outer = name + ("Writer" if name + "Writer" not in OWN else "Writers")
            fields += (f"<field number=\"{tag}\" name=\"{name}\" type=\"NUMINGROUP\"/>"
                       f"<field number=\"{tag + 1}\" name=\"{outer}\" type=\"NUMINGROUP\"/>"
                       f"<field number=\"{tag + 2}\" name=\"{name}-id\" type=\"PRICE\"/>\n")
            # A group X within the group XWriter: neither's class may be the other's writer.
            members += (f"<group name=\"{outer}\" required=\"N\"><field name=\"{name}-id\" required=\"Y\"/>"
                        f"<group name=\"{name}\" required=\"Y\"><field name=\"{name}-id\" required=\"N\"/></group>"
                        f"</group>")
        messages += (f"<message name=\"{name}\" msgtype=\"A{place}\" msgcat=\"app\">"
                     f"<component name=\"Entry\" required=\"N\"/></message>\n")
    components = (f"<component name=\"Entry\">{members}</component>"
                  f"<component name=\"Header\"><component name=\"Entry\" required=\"Y\"/></component>")
    messages += "<message name=\"NothingAtAll\" msgtype=\"N\" msgcat=\"app\"/>"
    messages += ("<message name=\"OfHeader\" msgtype=\"H\" msgcat=\"app\"><component name=\"Header\" "
                 "required=\"Y\"/></message>\n")
    return document(messages, components, fields, "")


def document(messages, components, fields, header):
    session = "".join(f"<field name=\"{name}\" required=\"Y\"/>" for tag, name, _ in SESSION_FIELDS if tag != 10)
    fields += "".join(f"<field number=\"{tag}\" name=\"{name}\" type=\"{kind}\"/>\n" for tag, name, kind in SESSION_FIELDS)
    return (f"<fix type=\"FIX\" major=\"4\" minor=\"4\" servicepack=\"0\">\n<header>{session}{header}</header>\n"
            f"<trailer><field name=\"CheckSum\" required=\"Y\"/></trailer>\n<messages>\n{messages}</messages>\n"
            f"<components>\n{components}</components>\n<fields>\n{fields}</fields>\n</fix>\n")


def run(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode, done.stdout


def make_pool(generator, include, dictionary, folder):
    code, words = run([*shlex.split(generator), "--dictionary", dictionary, "--namespace", "usual", "--output", f"{folder}/usual",
                       "--exercise"])
    if code != 0:
        raise SystemExit(f"the ordinary dictionary is refused:\n{words}")
    own = identifiers_below(f"{folder}/usual", "usual/[defhikv]*.hpp")
    own |= identifiers_below(f"{folder}/usual", "usual/new_order_single.hpp")
    own |= identifiers_below(f"{include}/affix/messages", "*.hpp")
    own = sorted(name for name in own if len(name) > 1)
    return OWN * 8 + own + KEYWORDS * 2 + STANDARD + MACROS * 2


def try_seed(seed, pool, arguments, folder):
    """The fault, or an empty text."""
    dictionary = Path(folder) / f"hostile_{seed}.xml"
    dictionary.write_text(own_names(seed) if seed < 2 else Hostile(seed, pool).text())
    output = Path(folder) / f"hostile_{seed}"
    code, words = run([*shlex.split(arguments.generator), "--dictionary", str(dictionary), "--namespace", "hostile", "--output",
                       str(output), "--exercise"])
    if code != 0:
        return f"the generator refuses it:\n{words}"
    source = output / "all.cpp"
    # The system's headers first: their macros are there in programs, too.
    source.write_text("#include <cerrno>\n#include <cinttypes>\n#include <csignal>\n#include <cstdio>\n"
                      "#include <math.h>\n#include <poll.h>\n#include <sys/ioctl.h>\n#include <sys/param.h>\n"
                      "#include <sys/stat.h>\n#include <sys/types.h>\n#include <termios.h>\n"
                      "#include \"hostile.hpp\"\n#include \"hostile/instantiations.hpp\"\n"
                      "#include \"hostile/exercise.hpp\"\n" + CALLS)
    code, words = run([*shlex.split(arguments.compiler), "-std=c++23", "-fsyntax-only", "-Wall", "-Wextra", "-Werror",
                       f"-I{arguments.include}", f"-I{output}", str(source)])
    return words if code != 0 else ""


# Every setter and accessor is called, as a program would call them.
CALLS = """
#include <cstddef>
#include <string_view>
#include <type_traits>
struct Script {
  bool take(unsigned, bool) { return true; }
  template <typename T> auto make(unsigned) {
    if constexpr (std::is_same_v<T, affix::wire::MultipleValue>) {
      return std::string_view("x");
    } else {
      return T();
    }
  }
  template <typename E> std::span<const E> codes(unsigned) { return {}; }
  std::string_view data(unsigned, bool) { return "x"; }
  affix::wire::TimePrecision time_precision() { return affix::wire::TimePrecision::Millis; }
  int entries(unsigned) { return 1; }
  void enter() {}
  void leave() {}
  template <typename T> void see(unsigned, const T&) {}
  template <typename T> void see_group(unsigned, const T&) {}
};
struct Visitor {
  const affix::wire::MessageView* view;
  template <typename Reader, typename Writer, typename Write, typename Read>
  void message(Write write, Read read, std::initializer_list<unsigned>) {
    Script script;
    Writer writer{affix::wire::Encoder({})};
    write(writer, script);
    if (const auto reader = Reader::from(*view)) {
      read(*reader, script);
    }
  }
};
void call(const affix::wire::MessageView& view) {
  Visitor visitor{&view};
  hostile::for_each_message(visitor);
  struct Nobody {} nobody;
  hostile::dispatch(view, nobody);
}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("generator")
    parser.add_argument("--include", required=True)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--dictionary", required=True, help="the ordinary one: FIX44.xml")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seeds", type=int, default=4)
    parser.add_argument("--keep", default="", help="folder for dictionaries and headers")
    arguments = parser.parse_args()
    seeds = int(os.environ.get("AFFIX_HOSTILE_SEEDS", arguments.seeds))
    failed = []
    with tempfile.TemporaryDirectory(prefix="affix-hostile-") as temporary:
        folder = arguments.keep or temporary
        pool = make_pool(arguments.generator, arguments.include, arguments.dictionary, folder)
        for seed in range(arguments.first, arguments.first + seeds):
            words = try_seed(seed, pool, arguments, folder)
            if words:
                failed.append(seed)
                wrong = [line for line in words.splitlines() if "error" in line] or words.splitlines()
                print(f"seed {seed}:", *wrong[:10], sep="\n  ")
    print(f"{seeds - len(failed)} of {seeds} dictionaries compile" + (f"; not {failed}" if failed else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
