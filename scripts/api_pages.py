# SPDX-License-Identifier: MIT
"""One Markdown page for each public header, of what Doxygen reads there; make_site.py builds the site with them.

A header is a contract, so its page is the header in its order: what the file says of itself, then each type with its
members and each function, as declared, with its comment. Private parts and `detail/` are left out. A warning of
Doxygen is an error, except that a symbol has no comment of its own: those are counted, and BASELINE has their maximum.
"""

import os
import re
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

# Symbols whose name says all, as of enumerators and of getters beside a comment that covers several. May only shrink.
BASELINE = Path(__file__).resolve().parent.parent / "docs/site/undocumented.txt"

# The header's own comment becomes Doxygen's of the file; the inline namespace, which no user writes, is left out; a sentence
# that ends with a number at the beginning of a line is no list. Lines stay where they are.
FILTER = r"sed -E -e '1s|^// SPDX.*|/// @file|' -e '2,/^#pragma once/s|^// |/// |' " \
         r"-e 's/^namespace affix::inline v0/namespace affix/' -e 's|^( *///) ([0-9]+)\. |\1 \2\\. |'"

SETTINGS = """
PROJECT_NAME = affix
OUTPUT_DIRECTORY = {out}
INPUT = {include}
RECURSIVE = YES
FILE_PATTERNS = *.hpp
EXCLUDE_PATTERNS = */detail/*
EXCLUDE_SYMBOLS = affix::*::detail affix::*::detail::* std
STRIP_FROM_PATH = {include}
STRIP_FROM_INC_PATH = {include}
INPUT_FILTER = "{filter}"
GENERATE_HTML = NO
GENERATE_LATEX = NO
GENERATE_XML = YES
INCLUDE_GRAPH = NO
INCLUDED_BY_GRAPH = NO
XML_PROGRAMLISTING = NO
QUIET = YES
WARN_LOGFILE = {out}/warnings.txt
WARN_IF_UNDOCUMENTED = YES
WARN_NO_PARAMDOC = NO
JAVADOC_AUTOBRIEF = NO
MULTILINE_CPP_IS_BRIEF = NO
HIDE_UNDOC_RELATIONS = NO
BUILTIN_STL_SUPPORT = YES
EXTRACT_LOCAL_CLASSES = NO
ENABLE_PREPROCESSING = YES
MACRO_EXPANSION = NO
SORT_MEMBER_DOCS = NO
AUTOLINK_SUPPORT = NO
"""

KINDS = {"class": "class", "struct": "struct", "union": "union"}
UNDOCUMENTED = re.compile(r"warning: (Member|Compound) .* is not documented|warning: documented symbol|"
                          r"is not documented\.$")


def code(text):
    """A code span, whatever is in the text."""
    fence = "``" if "`" in text else "`"
    return f"{fence}{text}{fence}" if "`" not in text else f"{fence} {text} {fence}"


class Text:
    """Doxygen's comments as Markdown."""

    def inline(self, node):
        parts = [escape(node.text or "")]
        for child in node:
            parts.append(self.inline_child(child))
            parts.append(escape(child.tail or ""))
        return "".join(parts)

    def inline_child(self, child):
        if child.tag == "computeroutput":
            return code("".join(child.itertext()))
        if child.tag == "bold":
            return f"**{self.inline(child)}**"
        if child.tag == "emphasis":
            return f"*{self.inline(child)}*"
        if child.tag == "linebreak":
            return "  \n"
        if child.tag == "sp":
            return " "
        if child.tag in ("ndash", "mdash"):
            return "--" if child.tag == "ndash" else "---"
        return self.inline(child)

    def blocks(self, node, indent=""):
        """Paragraphs, lists and code below a description or a list's item."""
        out = []
        for para in node.findall("para"):
            out += self.paragraph(para, indent)
        return out

    def paragraph(self, para, indent):
        out, words = [], [escape(para.text or "")]

        def flush():
            text = " ".join("".join(words).split())
            if text:
                out.append(indent + text)
            words.clear()

        for child in para:
            if child.tag in ("itemizedlist", "orderedlist"):
                flush()
                mark = "-   " if child.tag == "itemizedlist" else "1.  "
                items = []
                for item in child.findall("listitem"):
                    inner = "\n\n".join(self.blocks(item, indent + "    "))
                    items.append(indent + mark + inner[len(indent) + 4:])
                out.append("\n".join(items))
            elif child.tag in ("programlisting", "verbatim", "preformatted"):
                flush()
                if child.tag == "programlisting":
                    lines = ["".join(" " if part is None else part for part in line_text(line))
                             for line in child.findall("codeline")]
                else:
                    lines = "".join(child.itertext()).strip("\n").split("\n")
                out.append("\n".join(indent + line for line in ["```cpp", *lines, "```"]))
            elif child.tag == "simplesect":
                flush()
                out += self.blocks(child, indent)
            elif child.tag == "parameterlist":
                flush()
                for item in child.findall("parameteritem"):
                    name = "".join(item.find("parameternamelist").itertext()).strip()
                    out.append(f"{indent}{code(name)}: " + " ".join(self.blocks(item.find("parameterdescription"))))
            else:
                words.append(self.inline_child(child))
            words.append(escape(child.tail or ""))
        flush()
        return out

    def described(self, node):
        """Brief and detailed comment of a symbol."""
        out = []
        for tag in ("briefdescription", "detaileddescription", "inbodydescription"):
            part = node.find(tag)
            if part is not None:
                out += self.blocks(part)
        return out


def line_text(line):
    for node in line.iter():
        if node.tag == "sp":
            yield " "
        elif node.text:
            yield node.text
        if node.tail and node is not line:
            yield node.tail


def escape(text):
    """Text of a comment, which Markdown and HTML must not read as theirs."""
    return re.sub(r"([\\*_\[\]])", r"\\\1", text.replace("&", "&amp;").replace("<", "&lt;"))


def plain(node):
    """A name, type or list of parameters in the spacing of the headers."""
    text = " ".join("".join(node.itertext()).split()) if node is not None else ""
    text = re.sub(r"(?<=\w)< (?=\S)", "<", text)
    text = re.sub(r"(?<=\S) >(?![=>])", ">", text)
    return re.sub(r" ([&*]+)(?=[\w.,)>]|$)", lambda found: found.group(1) + " ", text).replace("& )", "&)").replace(
        "& ,", "&,").replace("* ,", "*,").replace("* )", "*)").replace("& >", "&>").replace("* >", "*>").strip()


def declaration(member):
    """A member as its header declares it, on one line."""
    kind = member.get("kind")
    template = member.find("templateparamlist")
    head = ""
    if template is not None:
        parameters = []
        for parameter in template.findall("param"):
            name = plain(parameter.find("declname"))
            default = plain(parameter.find("defval"))
            parameters.append(plain(parameter.find("type")) + (f" {name}" if name else "") +
                              (f" = {default}" if default else ""))
        head = f"template <{', '.join(parameters)}>\n"
    name = plain(member.find("name"))
    result = plain(member.find("type"))
    if kind == "function":
        words = [word for word, on in (("static", member.get("static") == "yes"),
                                       ("explicit", member.get("explicit") == "yes"),
                                       ("virtual", member.get("virt") in ("virtual", "pure-virtual"))) if on]
        result = re.sub(r"\b(virtual|static|explicit) ", "", result)
        return head + " ".join([*words, *([result] if result else []), name + tidy(plain(member.find("argsstring")))])
    if kind == "typedef":
        return head + f"using {name} = {result}" if member.find("definition").text.startswith("using") else \
            plain(member.find("definition"))
    if kind == "define":
        parameters = [plain(parameter) for parameter in member.findall("param")]
        return f"#define {name}" + (f"({', '.join(parameters)})" if parameters else "")
    static = "static " if member.get("static") == "yes" and "static" not in result else ""
    return head + f"{static}{result} {name}{plain(member.find('argsstring'))}" + initial(member)


def tidy(arguments):
    return re.sub(r"\s*=\s*(0|default|delete)$", r" = \1", arguments).replace("override", "override").strip()


def initial(member):
    value = plain(member.find("initializer"))
    if not value or len(value) > 60:
        return ""
    return f" {value}" if value.startswith("=") else value


def line_of(node):
    place = node.find("location")
    return int(place.get("line", "0")) if place is not None else 0


class Header:
    """The page of one header."""

    def __init__(self, xml, file_node):
        self.xml = xml
        self.node = file_node
        self.path = file_node.find("location").get("file")
        self.name = file_node.find("compoundname").text
        self.text = Text()
        self.lines = []

    def add(self, *blocks):
        for block in blocks:
            self.lines += [block, ""]

    def page(self, include_name):
        self.add(f"# {Path(include_name).name}", f"`#include \"{include_name}\"`")
        self.add(*self.text.described(self.node))
        classes = []
        for inner in self.node.findall("innerclass"):
            if inner.get("prot", "public") != "public":
                continue
            tree = ElementTree.parse(self.xml / f"{inner.get('refid')}.xml").getroot().find("compounddef")
            name = re.sub(r"^affix::(\w+::)?", "", plain(tree.find("compoundname")))
            if "detail::" not in name:
                classes.append((line_of(tree), name, tree))
        entries = [(line, lambda n=name, t=tree: self.write_class(n, t)) for line, name, tree in classes]
        for section in self.node.findall("sectiondef"):
            members = section.findall("memberdef")
            groups = {}
            for member in members:
                if member.get("prot") == "private" or "::detail" in plain(member.find("qualifiedname")):
                    continue
                key = (member.get("kind"), plain(member.find("name")))
                if member.get("kind") == "define" and not key[1].startswith("AFFIX_"):
                    continue
                groups.setdefault(key, []).append(member)
            for (kind, name), same in groups.items():
                entries.append((line_of(same[0]), lambda k=kind, n=name, s=same: self.write_members("##", k, n, s)))
        for _, write in sorted(entries, key=lambda entry: entry[0]):
            write()
        return "\n".join(self.lines)

    def write_class(self, name, tree):
        bases = [plain(base) for base in tree.findall("basecompoundref")]
        kind = KINDS.get(tree.get("kind"), tree.get("kind"))
        self.add(f"## {code_title(name)}")
        head = f"{kind} {name}" + (f" : {', '.join(bases)}" if bases else "")
        template = tree.find("templateparamlist")
        if template is not None:
            parameters = [plain(p.find("type")) + (f" {plain(p.find('declname'))}" if p.find("declname") is not None else "")
                          for p in template.findall("param")]
            head = f"template <{', '.join(parameters)}>\n{head}"
        self.add(f"```cpp\n{head}\n```", *self.text.described(tree))
        fields, groups = [], {}
        for section in tree.findall("sectiondef"):
            if section.get("kind").startswith("private") or section.get("kind") == "friend":
                continue
            for member in section.findall("memberdef"):
                if member.get("kind") == "friend":
                    continue
                if member.get("kind") == "variable":
                    fields.append(member)
                else:
                    groups.setdefault((member.get("kind"), plain(member.find("name"))), []).append(member)
        if fields:
            rows = ["| member | meaning |", "|---|---|"]
            for member in sorted(fields, key=line_of):
                meaning = "<br>".join(self.text.described(member)).replace("|", "&#124;").replace("\n", " ")
                rows.append(f"| {cell(declaration(member))} | {meaning} |")
            self.add("\n".join(rows))
        for (member_kind, member_name), same in sorted(groups.items(), key=lambda item: line_of(item[1][0])):
            self.write_members("###", member_kind, member_name, same)

    def write_members(self, level, kind, name, same):
        if kind == "enum":
            self.write_enumeration(level, name, same[0])
            return
        self.add(f"{level} {code_title(name)}")
        declared = []
        for member in same:
            declared.append(declaration(member))
            comment = self.text.described(member)
            if comment or member is same[-1]:
                self.add("```cpp\n" + "\n".join(declared) + "\n```", *comment)
                declared = []

    def write_enumeration(self, level, name, member):
        self.add(f"{level} {code_title(name or 'enum')}", f"```cpp\nenum {'class ' if member.get('strong') == 'yes' else ''}{name}\n```",
                 *self.text.described(member))
        rows = ["| enumerator | meaning |", "|---|---|"]
        for value in member.findall("enumvalue"):
            meaning = "<br>".join(self.text.described(value)).replace("|", "&#124;").replace("\n", " ")
            rows.append(f"| {cell(plain(value.find('name')))} | {meaning} |")
        self.add("\n".join(rows))


def cell(text):
    """Code in a cell of a table."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace("|", "&#124;")
    return f"<code>{text}</code>"


def code_title(name):
    return escape(name).replace("\\_", "_")


def run_doxygen(root, work):
    """Doxygen's XML of the public headers, and how many symbols have no comment. Any other warning ends the program."""
    work.mkdir(parents=True, exist_ok=True)
    settings = SETTINGS.format(out=work, include=root / "include", filter=FILTER)
    subprocess.run(["doxygen", "-"], input=settings, text=True, check=True)
    warnings = [line for line in (work / "warnings.txt").read_text().splitlines() if "warning:" in line or "error:" in line]
    bare = [line for line in warnings if UNDOCUMENTED.search(line) and "(namespace)" not in line]
    others = [line for line in warnings if not UNDOCUMENTED.search(line)]
    if others:
        raise SystemExit("\n".join(others))
    return bare


def write(root, work, pages):
    """Writes the pages. Returns the menu, a list of (layer, pages), and the number of symbols without a comment."""
    bare = run_doxygen(root, work)
    allowed = int(BASELINE.read_text().split()[0])
    (work / "undocumented.txt").write_text("\n".join(sorted(bare)) + "\n")
    if len(bare) > allowed:
        raise SystemExit(f"{len(bare)} public symbols have no comment, {BASELINE.relative_to(root)} allows {allowed}: comment "
                         f"what is new. All of them: {work}/undocumented.txt")
    xml = work / "xml"
    layers = {}
    for node in ElementTree.parse(xml / "index.xml").getroot().findall("compound[@kind='file']"):
        file_node = ElementTree.parse(xml / f"{node.get('refid')}.xml").getroot().find("compounddef")
        name = os.path.relpath(root / "include" / file_node.find("location").get("file"), root / "include")
        parts = Path(name).parts  # affix/<layer>/<header>.hpp, or affix/<layer>.hpp, which includes the layer's others.
        if len(parts) != 3:
            continue
        page = f"{parts[1]}/{Path(parts[2]).stem}.md"
        target = pages / page
        target.parent.mkdir(parents=True, exist_ok=True)
        header = Header(xml, file_node)
        target.write_text(header.page(name))
        brief = " ".join(header.text.described(file_node)).split(". ")[0].rstrip(".")
        layers.setdefault(parts[1], []).append((page, parts[2], brief))
    index = ["# API", "", "One page for each public header; `affix/<layer>.hpp` includes all of a layer. "
             "[Application](../reference/application.md) is where to begin.", ""]
    menu = []
    for layer in sorted(layers):
        index += [f"## {layer}", "", "| header | what it is |", "|---|---|"]
        for page, name, brief in sorted(layers[layer]):
            index.append(f"| [{name}]({page}) | {brief} |".replace("\n", " "))
        index.append("")
        menu.append((layer, [f"api/{page}" for page, _, _ in sorted(layers[layer])]))
    (pages / "index.md").write_text("\n".join(index))
    return menu, len(bare)
