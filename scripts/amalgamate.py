#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes affix for those who take sources: affix.hpp with affix.cpp, and the codec alone as affix_wire.hpp.

Usage: amalgamate.py SOURCE_DIR OUTPUT_DIR VERSION. The same sources give the same bytes. A file that has not changed keeps
its time, so that builds do not follow.

Changes that joining files requires, in addition to writing them one after another:
- Files of the tree included by others are placed before them, once; an .inl file, where it is included.
- A name of an unnamed namespace that two files have is given the file's name in each, since one file holds both now.
- In affix_wire.hpp definitions of source files become inline, and its unnamed namespaces an inline one.
- A source file of one system stands inside that system's macro (SYSTEMS), with the headers that only such files include.
- A source file that needs a foreign library stands inside that library's macro (FOREIGN), as CMake leaves it out.
- The standard's and the system's headers come first; any include that stands inside a condition stays there.
"""

import os
import re
import sys

# The layers in the order of CMakeLists.txt that an application links; generated messages need an include folder anyway.
LAYERS = ["base", "os", "wire", "dictionary", "session", "journal", "net", "keeper", "replication", "tls", "config", "counters",
          "host", "engine", "admin", "service"]

# The first letters of a foreign library's headers, and the macro that a build with it defines.
FOREIGN = {"openssl/": "AFFIX_TLS", "liburing.h": "AFFIX_IO_URING", "pugixml.hpp": "AFFIX_XML",
           "cctz/": "AFFIX_TIME_ZONES", "nlohmann/": "AFFIX_ADMIN", "immintrin.h": None, "emmintrin.h": None, "arm_neon.h": None}

# A layer that is compiled only where its macro is defined, since parts of it need a foreign library. Its headers are there
# in any case.
OPTIONAL_LAYERS = {"admin": "AFFIX_ADMIN", "service": "AFFIX_ADMIN"}

# The ends of names by which cmake/affix_platform.cmake chooses sources, and the macro of each. affix.cpp defines these.
SYSTEMS = {"linux": "AFFIX_ON_LINUX", "macos": "AFFIX_ON_MACOS", "windows": "AFFIX_ON_WINDOWS", "posix": "AFFIX_ON_POSIX",
           "not_linux": "AFFIX_NOT_ON_LINUX"}
SYSTEM_END = re.compile(r"_(not_linux|linux|macos|windows|posix)\.cpp$")
SYSTEM_MACROS = """#if defined(__linux__)
#define AFFIX_ON_LINUX
#define AFFIX_ON_POSIX
#elif defined(__APPLE__)
#define AFFIX_ON_MACOS
#define AFFIX_ON_POSIX
#define AFFIX_NOT_ON_LINUX
#elif defined(_WIN32)
#define AFFIX_ON_WINDOWS
#define AFFIX_NOT_ON_LINUX
#endif

"""

TOKEN = re.compile(
    r"""(?P<space>\s+)
      | (?P<comment>//[^\n]*|/\*.*?\*/)
      | (?P<string>(?:u8|[uUL])?R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|(?:u8|[uUL])?"(?:\\.|[^"\\\n])*")
      | (?P<number>\.?\d(?:'?[\w.]|(?<=[eEpP])[+-])*)
      | (?P<char>(?:u8|[uUL])?'(?:\\.|[^'\\\n])+')
      | (?P<name>[A-Za-z_]\w*)
      | (?P<mark_>->\*?|::|<<=|>>=|<=>|[-+*/%^&|=!<>]=|&&|\|\||<<|\+\+|--|\.\.\.|.)""",
    re.VERBOSE | re.DOTALL)
DIRECTIVE = re.compile(r"[ \t]*#(?:[^\n\\]|\\.|\\\n)*", re.DOTALL)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(<[^>]+>|"[^"]+")')
CLOSING = {"(": ")", "[": "]", "{": "}"}


class Token:
    __slots__ = ("kind", "text")

    def __init__(self, kind, text):
        self.kind = kind
        self.text = text


def tokens_of(text):
    """Every byte of `text` in one token or another; a preprocessor directive is one token."""
    tokens, at, line_start = [], 0, True
    while at < len(text):
        directive = DIRECTIVE.match(text, at) if line_start else None
        if directive:
            tokens.append(Token("directive", directive.group()))
            at = directive.end()
            continue
        match = TOKEN.match(text, at)
        tokens.append(Token(match.lastgroup.rstrip("_"), match.group()))
        if tokens[-1].kind == "space":
            line_start = "\n" in tokens[-1].text
        elif tokens[-1].kind != "comment":
            line_start = False
        at = match.end()
    return tokens


def closing(tokens, at):
    """Position of the bracket that closes the one at `at`."""
    depth = 0
    for position in range(at, len(tokens)):
        token = tokens[position]
        if token.kind == "mark":
            if token.text in "([{":
                depth += 1
            elif token.text in ")]}":
                depth -= 1
                if depth == 0:
                    return position
    raise ValueError("a bracket is never closed")


def significant(tokens, at):
    """First position from `at` on that is neither blank nor comment."""
    while at < len(tokens) and tokens[at].kind in ("space", "comment"):
        at += 1
    return at


class Declaration:
    """One declaration at namespace scope: which tokens it has, what it declares, and where `inline` would go."""

    def __init__(self, tokens, begin, end, has_body, scopes):
        self.begin = begin
        self.end = end
        self.unnamed = "" in scopes
        self.scope = "::".join(scope for scope in scopes if scope)
        # The namespace that holds it, if that is one within an unnamed one.
        self.private_space = scopes[-1] if self.unnamed else ""
        self.name = None
        self.is_type = False
        self.wants_inline = False
        self.inline_at = begin
        self.read_head(tokens, has_body)

    def read_head(self, tokens, has_body):
        words, at, is_template, initialised, qualified = [], self.begin, False, False, False
        while at < self.end:
            token = tokens[at]
            if token.kind in ("space", "comment", "directive"):
                at += 1
            elif token.kind == "mark" and token.text == "[" and self.text(tokens, at + 1) == "[":
                at = closing(tokens, at) + 1  # An attribute; `inline` may not stand before it.
                if not words:
                    self.inline_at = significant(tokens, at)
            elif token.text == "template":
                is_template = True
                at = self.behind_angles(tokens, significant(tokens, at + 1))
                if self.text(tokens, significant(tokens, at)) == "requires":
                    at = self.behind_requirement(tokens, significant(tokens, at) + 1)
            elif token.text == "__extension__":
                at += 1
                self.inline_at = significant(tokens, at)
            elif token.text in ("__attribute__", "alignas", "decltype"):
                if token.text == "decltype":
                    words.append("decltype")
                at = closing(tokens, significant(tokens, at + 1)) + 1
            elif token.kind == "name":
                words.append(token.text)
                at += 1
                following = significant(tokens, at)
                if self.text(tokens, following) == "<" and token.text != "operator":
                    at = self.behind_angles(tokens, following)
            elif token.kind == "mark" and token.text == "::":
                words.append("::")
                at += 1
            elif token.text == "[":
                at = closing(tokens, at) + 1
            elif token.text in ("(", "{", "=", ";"):
                initialised = token.text in ("{", "=")
                break
            else:
                at += 1  # *, & and what else a type is made of.
        kinds = [word for word in words if word in ("class", "struct", "union", "enum")]
        plain = [word for word in words if word not in ("final", "static", "inline", "constexpr", "constinit", "extern")]
        if not words or words[0] in ("static_assert", "friend", "typedef") or "operator" in words:
            self.wants_inline = bool(words) and "operator" in words and has_body and not is_template and \
                not {"inline", "constexpr", "consteval"} & set(words)
            return
        if words[0] == "using":
            self.name = words[1] if len(words) == 2 and initialised else None
            self.is_type = True
            return
        if kinds and not has_body and (initialised or self.text(tokens, at) == ";") and plain[0] in kinds:
            rest = [word for word in plain if word not in kinds and word != "::"]
            self.name = rest[0] if rest else None
            self.is_type = True
            return
        qualified = len(plain) > 2 and plain[-2] == "::"
        self.name = None if qualified else plain[-1]
        explicit = is_template and re.match(r"template\s*<\s*>", "".join(
            token.text for token in tokens[self.begin:self.end] if token.kind != "comment").lstrip())
        if {"inline", "consteval"} & set(words) or (is_template and not explicit):
            return
        if has_body:
            self.wants_inline = "constexpr" not in words
        elif "extern" not in words:
            self.wants_inline = initialised or (self.text(tokens, at) == ";" and "static" not in words)

    @staticmethod
    def text(tokens, at):
        return tokens[at].text if at < len(tokens) else ""

    @classmethod
    def behind_requirement(cls, tokens, at):
        """Behind a requires clause: bracketed expressions or concepts, joined by && and ||."""
        while True:
            at = significant(tokens, at)
            if tokens[at].text == "(":
                at = closing(tokens, at) + 1
            else:
                while tokens[at].kind == "name" or tokens[at].text == "::":
                    at += 1
                if cls.text(tokens, at) == "<":
                    at = cls.behind_angles(tokens, at)
            following = significant(tokens, at)
            if tokens[following].text not in ("&&", "||"):
                return at
            at = following + 1

    @staticmethod
    def behind_angles(tokens, at):
        depth = 0
        while True:
            text = tokens[at].text
            if text in ("(", "[", "{") and tokens[at].kind == "mark":
                at = closing(tokens, at)
            elif text == "<":
                depth += 1
            elif text in (">", ">>"):
                depth -= len(text)
                if depth <= 0:
                    return at + 1
            at += 1


def declarations(tokens):
    """The declarations at namespace scope, and the positions of `namespace` where it has no name."""
    found, unnamed_namespaces, scopes, at = [], [], [], 0
    while (at := significant(tokens, at)) < len(tokens):
        token = tokens[at]
        if token.kind == "directive" or token.text == ";":
            at += 1
        elif token.text == "}":
            scopes.pop()
            at += 1
        elif token.text == "namespace" or (token.text == "inline" and
                                           tokens[significant(tokens, at + 1)].text == "namespace"):
            opening = at
            while tokens[opening].text not in ("{", "=", ";"):
                opening += 1
            if tokens[opening].text == "{":
                words = [token.text for token in tokens[at:opening] if token.kind in ("name", "mark")]
                scopes.append("".join(word for word in words if word not in ("namespace", "inline")))
                if not scopes[-1]:
                    unnamed_namespaces.append(at)
                at = opening + 1
            else:
                while tokens[at].text != ";":
                    at += 1
        else:
            end, has_body = end_of_declaration(tokens, at)
            found.append(Declaration(tokens, at, end, has_body, scopes))
            at = end
    return found, unnamed_namespaces


def end_of_declaration(tokens, at):
    """Position after the declaration, and whether it ends with a function's body."""
    while True:
        token = tokens[at]
        if token.kind == "mark" and token.text == ";":
            return at + 1, False
        if token.kind == "mark" and token.text in "([":
            at = closing(tokens, at)
        elif token.kind == "mark" and token.text == "{":
            at = closing(tokens, at)
            following = significant(tokens, at + 1)
            text = Declaration.text(tokens, following)
            # After a body comes the next declaration; after an initialiser or a type comes more of this one.
            if text not in (";", ",", "{", "(", ".", "="):
                return at + 1, True
            at = following - 1
        at += 1


class SourceFile:
    """One file of the tree, its own includes taken out of its text."""

    def __init__(self, tree, path):
        self.path = path
        self.includes = []  # Paths below include/ and src/, outside every condition or not.
        self.needed_always = []  # Those outside every condition.
        self.system = []  # Headers of the standard and the system, outside every condition.
        optional = OPTIONAL_LAYERS.get(path.split("/")[0])
        self.macros = {optional} if optional else set()  # Macros that must be defined for its includes.
        self.tokens = tokens_of(self.text_of(tree, path))

    def text_of(self, tree, path):
        kept, depth = [], 0
        with open(tree.location(path), encoding="ascii") as file:
            lines = file.read().split("\n")
        if lines[0] == "// SPDX-License-Identifier: MIT":
            lines = lines[1:]
        for line in lines:
            include = INCLUDE.match(line)
            if re.match(r"\s*#\s*if", line):
                depth += 1
            elif re.match(r"\s*#\s*endif", line):
                depth -= 1
            if re.match(r"\s*#\s*pragma\s+once", line):
                continue
            if not include:
                kept.append(line)
                continue
            name = include.group(1)[1:-1]
            if name.endswith(".inl"):
                kept.append(self.text_of(tree, name))
            elif include.group(1).startswith('"'):
                self.includes.append(name)
                if depth == 0:
                    self.needed_always.append(name)
            elif depth > 0:
                kept.append(line)
            elif (foreign := next((start for start in FOREIGN if name.startswith(start)), None)) is not None:
                kept.append(line)
                if FOREIGN[foreign]:
                    self.macros.add(FOREIGN[foreign])
            else:
                self.system.append(name)
        return re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip("\n") + "\n"

    def enclose(self, macro):
        """Everything of it, its system headers too, is for builds with this macro."""
        if macro not in self.macros:
            self.macros.add(macro)
            self.tokens = tokens_of("".join(f"#include <{name}>\n" for name in self.system) + "\n" + text_of(self.tokens))
            self.system = []

    @property
    def mark(self):
        """Suffix that makes its names unique: `wire_framer`."""
        return re.sub(r"\W", "_", self.path.rsplit(".", 1)[0])


class Tree:
    def __init__(self, root):
        self.root = root
        self.files = {}

    def location(self, path):
        below = "include" if path.startswith("affix/") else "src"
        return os.path.join(self.root, below, path)

    def file(self, path):
        if path not in self.files:
            self.files[path] = SourceFile(self, path)
        return self.files[path]

    def listing(self, folder, ending):
        base = self.location(folder)
        return sorted(f"{folder}/{name}" for name in os.listdir(base) if name.endswith(ending))

    def closure(self, paths, order=None):
        """`paths` and what they include, each after the files that it includes itself."""
        order = [] if order is None else order
        for path in paths:
            if path not in order:
                self.closure(self.file(path).includes, order)
                if path not in order:
                    order.append(path)
        return order

    def macros(self, path):
        """Macros that a file needs: its own and those of the files that it always includes."""
        found = set()
        for below in self.closure([path]):
            if below == path or below in self.always(path):
                found |= self.file(below).macros
        return sorted(found)

    def always(self, path, found=None):
        found = set() if found is None else found
        for below in self.file(path).needed_always:
            if below not in found:
                found.add(below)
                self.always(below, found)
        return found


def clashing_names(tree, files):
    """Names of unnamed namespaces that another of the files declares too: path -> names. Not those that a file shares
    with one it includes: the two are overloads there already."""
    owners, own, public = {}, {}, {}
    for file in files:
        try:
            found, _ = declarations(file.tokens)
        except (IndexError, ValueError) as fault:
            sys.exit(f"amalgamate: {file.path} is written in a way that this script does not read: {fault}")
        for declaration in found:
            if declaration.name:
                owners.setdefault(declaration.name, set()).add(file.path)
                if declaration.unnamed:
                    own.setdefault(file.path, set()).add((declaration.scope, declaration.name))
                else:
                    public.setdefault(file.path, set()).add((declaration.scope, declaration.name))
    clashes = {}
    for path, names in own.items():
        included = set().union(*(public.get(below, set()) for below in tree.closure([path]) if below != path))
        clashes[path] = {name for _, name in names - included if len(owners[name]) > 1}
    return clashes


def renamed(tokens, names, mark):
    """The tokens with each of `names` made `<name>_<mark>`, or `<Name><Mark>` where it is a type's, but for members of other
    things that are called so."""
    camel = "".join(word.capitalize() for word in mark.split("_"))

    def marked(name):
        return f"{name}{camel}" if name[0].isupper() else f"{name}_{mark}"

    result, before, before_that = [], "", ""
    spaces = {declaration.private_space for declaration in declarations(tokens)[0]} if names else set()
    for token in tokens:
        text = token.text
        if token.kind == "name" and text in names:
            member = before in (".", "->") or (before == "::" and before_that not in names | spaces)
            if not member:
                text = marked(text)
        elif token.kind == "directive":
            text = re.sub(r"\b[A-Za-z_]\w*\b", lambda word: marked(word.group()) if word.group() in names else word.group(),
                          text)
        result.append(Token(token.kind, text))
        if token.kind not in ("space", "comment", "directive"):
            before, before_that = token.text, before
    return result


def made_inline(tokens):
    """The tokens of a source file as a header may have them."""
    found, unnamed_namespaces = declarations(tokens)
    inserts = {declaration.inline_at: "inline " for declaration in found if declaration.wants_inline}
    result = []
    for at, token in enumerate(tokens):
        if at in inserts:
            result.append(Token("name", inserts[at]))
        result.append(token)
        if at in unnamed_namespaces:
            result[-1] = Token("name", "inline namespace own")
    return result


def text_of(tokens):
    return "".join(token.text for token in tokens)


def section(file, tokens, macros):
    """A file's part of the output: its name, its text inside its macros, and no macro that lasts beyond."""
    text = text_of(tokens).strip("\n")
    own_macros = re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", text, re.MULTILINE)
    lines = [f"// ---- {file.path} " + "-" * max(3, 100 - len(file.path)), ""]
    lines += [f"#ifdef {macro}" for macro in macros]
    if re.search(r"#[ \t]*pragma GCC diagnostic", text):
        text = f"#pragma GCC diagnostic push\n{text}\n#pragma GCC diagnostic pop"
    lines.append(text)
    if file.path.endswith(".cpp"):
        lines += [f"#undef {macro}" for macro in own_macros]
    lines += ["#endif" for _ in macros]
    return "\n".join(lines) + "\n"


def system_includes(files):
    names = sorted({name for file in files for name in file.system})
    c_like = [name for name in names if name.endswith(".h")]
    standard = [name for name in names if not name.endswith(".h")]
    return "".join(f"#include <{name}>\n" for name in standard + c_like)


def licence(root):
    with open(os.path.join(root, "LICENSE"), encoding="ascii") as file:
        return "".join(f"// {line.rstrip()}".rstrip() + "\n" for line in file)


def write(path, text):
    try:
        with open(path, encoding="ascii") as file:
            if file.read() == text:
                return
    except FileNotFoundError:
        pass
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def system_of(path):
    """The macro of the system that a source is for, or None."""
    end = re.search(r"_(not_linux)\.cpp$", path) or SYSTEM_END.search(path)
    return SYSTEMS[end.group(1)] if end else None


def enclose_systems(tree, sources, private):
    """Puts sources of one system inside its macro, and the headers that only these include."""
    users = {}
    for source in sources:
        for below in tree.closure([source]):
            users.setdefault(below, set()).add(system_of(source))
    for path in sources + private:
        systems = users.get(path, {None})
        if len(systems) == 1 and None not in systems:
            tree.file(path).enclose(next(iter(systems)))


def application_files(root, version):
    tree = Tree(root)
    headers = tree.closure([path for layer in LAYERS for path in tree.listing(f"affix/{layer}", ".hpp")])
    sources = [path for layer in LAYERS for path in tree.listing(layer, ".cpp")]
    private = [path for path in tree.closure(sources) if path not in headers and path not in sources]
    enclose_systems(tree, sources, private)
    header_files = [tree.file(path) for path in headers]
    body_files = [tree.file(path) for path in private + sources]
    clashes = clashing_names(tree, header_files + body_files)

    version_line = f"// affix {version}, generated by scripts/amalgamate.py: change the sources, not this file.\n"
    header = ["// SPDX-License-Identifier: MIT\n", version_line,
              "// The layers " + ", ".join(LAYERS) + ". Compile affix.cpp once beside it.\n//\n",
              licence(root), "#pragma once\n\n", system_includes(header_files), "\n"]
    header += [section(file, file.tokens, tree.macros(file.path)) + "\n" for file in header_files]

    known = {name for file in header_files for name in file.system}
    for file in body_files:
        file.system = [name for name in file.system if name not in known]
    body = ["// SPDX-License-Identifier: MIT\n", version_line,
            "// Needs C++23, the C library, and nothing else. What these macros add needs a library more:\n"
            "//   AFFIX_TLS         TLS                         OpenSSL 3 (-lssl -lcrypto)\n"
            "//   AFFIX_ADMIN       administration and service  nlohmann/json.hpp, header only\n"
            "//   AFFIX_XML         dictionaries from XML       pugixml (-lpugixml)\n"
            "//   AFFIX_TIME_ZONES  schedules in named zones    cctz (-lcctz)\n"
            "//   AFFIX_IO_URING    the reactor on io_uring     liburing (-luring)\n"
            "// AFFIX_NO_SIMD leaves the scalar kernels.\n//\n",
            licence(root), '#include "affix.hpp"\n\n', SYSTEM_MACROS, system_includes(body_files), "\n"]
    body += [section(file, renamed(file.tokens, clashes.get(file.path, set()), file.mark), tree.macros(file.path)) + "\n"
             for file in body_files]
    return {"affix.hpp": "".join(header), "affix.cpp": "".join(body)}


def codec_header(root, version):
    tree = Tree(root)
    headers = tree.closure(tree.listing("affix/wire", ".hpp"))
    # Of the layer below, only what the codec includes.
    sources = [path for path in tree.listing("base", ".cpp") if f"affix/{path[:-4]}.hpp" in headers]
    sources += tree.listing("wire", ".cpp")
    headers = tree.closure(headers + [below for path in sources for below in tree.closure([path])
                                      if below.startswith("affix/")])
    private = [path for path in tree.closure(sources) if path not in headers and path not in sources]
    files = [tree.file(path) for path in headers + private + sources]
    clashes = clashing_names(tree, files)
    # The compilers' warnings about foreign code are the project's own to hear, and it hears them in its own build.
    text = ["// SPDX-License-Identifier: MIT\n",
            f"// affix {version}, generated by scripts/amalgamate.py: change the sources, not this file.\n",
            "// The codec alone, header-only: everything of affix::wire. Needs C++23, the C library, and nothing else.\n"
            "// Kernels for several instruction sets are in it, whatever the machine it is compiled for, and one is chosen\n"
            "// at run time; AFFIX_NO_SIMD leaves the scalar one.\n//\n",
            licence(root), "#pragma once\n\n#pragma GCC system_header\n\n", system_includes(files), "\n"]
    for file in files:
        tokens = renamed(file.tokens, clashes.get(file.path, set()), file.mark)
        if file.path.endswith(".cpp"):
            tokens = made_inline(tokens)
        text.append(section(file, tokens, tree.macros(file.path)) + "\n")
    return {"affix_wire.hpp": "".join(text)}


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    root, output, version = sys.argv[1:]
    os.makedirs(output, exist_ok=True)
    for name, text in {**application_files(root, version), **codec_header(root, version)}.items():
        write(os.path.join(output, name), text)


if __name__ == "__main__":
    main()
