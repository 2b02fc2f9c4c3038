#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds the documentation site from the tree: make_site.py OUT [GENERATOR].

Every Markdown page of docs/ and of the root, every program, header or other file that a page links to, and one page for
each public header, made of what Doxygen reads there (api_pages.py). With the program affix_generator also a page for each
message and enum of the versions in MESSAGES. Pages are copied to OUT-pages first, since links that
leave docs/ must lead to pages of the site; then mkdocs builds OUT, and any warning of either program is an error. The
menu follows the tables of the README.md of each folder: a page that its folder's map does not name is an error too.

Needs mkdocs with its Material theme, and Doxygen. The site needs no network to be read.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import api_pages

ROOT = Path(__file__).resolve().parent.parent
LINK = re.compile(r"\[([^\]]*)\]\(([^)\s]+)\)")  # Of a picture too.
MAPPED_LINK = re.compile(r"\]\((?!\.\./)([\w./-]+\.md)\)")
FENCE = re.compile(r"^(```.*?^```$)", re.DOTALL | re.MULTILINE)
CODE_SPAN = re.compile(r"`[^`]*`")
LANGUAGES = {".cpp": "cpp", ".hpp": "cpp", ".py": "python", ".ini": "ini", ".cmake": "cmake", ".xml": "xml", ".sh": "sh"}
PICTURES = {".png", ".svg"}
# Sections of docs/ in the order of the menu. Pages for operators are in the guide and in the reference.
SECTIONS = (("Guide", "guide"), ("Reference", "reference"), ("Internals", "internals"), ("Decisions", "decisions"))
ROOT_PAGES = ("ARCHITECTURE.md", "CONTRIBUTING.md", "RELEASING.md", "STYLE.md", "ROADMAP.md", "CHANGELOG.md", "SECURITY.md", "SUPPORT.md",
              "CODE_OF_CONDUCT.md")
# Versions whose messages have pages: their dictionary, and the one of their session messages.
MESSAGES = {"fix42": ("FIX42.xml", None), "fix44": ("FIX44.xml", None), "fix50sp2": ("FIX50SP2.xml", "FIXT11.xml")}


class Site:
    """Copies pages, and remembers which files of the tree they want as pages beside."""

    def __init__(self, pages):
        self.pages = pages
        self.wanted = []  # Files and folders of the tree that some page links to, in the order of their first mention.
        self.done = set()
        self.faults = []

    def place(self, path):
        """Where a file or folder of the tree is in the site."""
        name = path.relative_to(ROOT).as_posix()
        if name == "README.md":
            return "index.md"
        if name.startswith("docs/") and path.suffix in (".md", *PICTURES):
            return name[len("docs/"):]
        if "/" not in name and path.suffix == ".md":
            return f"project/{name}"
        return f"tree/{name}" if path.suffix == ".md" else f"tree/{name}.md"

    def link(self, source, target):
        """The target of a link in `source`, as its page in the site has to write it."""
        if re.match(r"[a-z]+:", target) or target.startswith("#"):
            return target
        file_name, _, anchor = target.partition("#")
        path = (source.parent / file_name).resolve()
        if path.is_dir() and (path / "README.md").is_file():
            path = path / "README.md"
        if not path.is_file():
            self.faults.append(f"{source.relative_to(ROOT)}: the link to '{target}' leads to no file")
            return target
        self.wanted.append(path)
        relative = os.path.relpath(self.place(path), Path(self.place(source)).parent)
        return f"{relative}#{anchor}" if anchor else relative

    def text(self, source):
        """A Markdown page of the tree as mkdocs wants it. Code stays as it is."""
        pieces = FENCE.split(source.read_text())
        for number in range(0, len(pieces), 2):
            lines = []
            for line in pieces[number].split("\n"):
                # A list needs an empty line before it there.
                if re.match(r"([-*]|\d+\.) ", line) and lines and lines[-1] and not re.match(r"([-*]|\d+\.| ) ?", lines[-1]):
                    lines.append("")
                if line.startswith("|"):
                    line = CODE_SPAN.sub(lambda code: code.group(0).replace("\\|", "&#124;") if "\\|" not in code.group(0)
                                         else table_code(code.group(0)), line)
                lines.append(LINK.sub(lambda found: f"[{found.group(1)}]({self.link(source, found.group(2))})", line))
            pieces[number] = "\n".join(lines)
        return "".join(pieces)

    def copy(self, source):
        if source in self.done:
            return
        self.done.add(source)
        target = self.pages / self.place(source)
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.suffix in PICTURES:
            shutil.copy(source, target)
        elif source.suffix == ".md":
            target.write_text(self.text(source))
        else:
            fence = "`" * 4
            language = LANGUAGES.get(source.suffix, "text")
            target.write_text(f"# {source.relative_to(ROOT)}\n\n{fence}{language}\n{source.read_text()}{fence}\n")

    def copy_wanted(self):
        while self.wanted:
            self.copy(self.wanted.pop())


def table_code(code):
    """A code span with a bar in it, in a row of a table: as HTML, since the table's bars are found first."""
    text = code[1:-1].replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\\|", "&#124;")
    return f"<code>{text}</code>"


def section_menu(site, folder):
    """The pages of a folder of docs/, in the order of its map."""
    place = ROOT / "docs" / folder
    order = ["README.md"]
    for name in MAPPED_LINK.findall((place / "README.md").read_text()):
        if name not in order and (place / name).is_file():
            order.append(name)
    for path in sorted(place.glob("*.md")):
        if path.name not in order and path.name != "000-template.md":
            site.faults.append(f"docs/{folder}/README.md: does not name {path.name}")
    return [f"{folder}/{name}" for name in order]


def write_message_pages(generator, folder):
    """Has the generator write the pages of each version; returns the first page of each, as the menu names it."""
    first = []
    for version, (dictionary, transport) in MESSAGES.items():
        arguments = ["--dictionary", ROOT / "dictionaries" / dictionary, "--namespace", f"affix::{version}",
                     "--output", folder / version, "--pages"]
        if transport:
            arguments += ["--transport", ROOT / "dictionaries" / transport]
        subprocess.run([generator, *arguments], check=True, stdout=subprocess.DEVNULL)
        first.append(f"api/messages/{version}/README.md")
    return first


def menu(site, api):
    """The menu as YAML: a list of titles and pages, which have their titles themselves."""
    lines = ["nav:", "  - index.md"]

    def section(title, pages, indent="  "):
        lines.append(f"{indent}- {title}:")
        lines.extend(f"{indent}    - {page}" for page in pages)

    for title, folder in SECTIONS[:2]:
        section(title, section_menu(site, folder))
    section("Examples", ["tree/examples/README.md"])
    lines.append("  - API:")
    lines.append("      - api/index.md")
    for layer, pages in api:
        section(layer, pages, "      ")
    for title, folder in SECTIONS[2:]:
        section(title, section_menu(site, folder))
    section("Project", [f"project/{name}" for name in ROOT_PAGES] + ["benchmarks.md"])
    return "\n".join(lines) + "\n"


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    out = Path(sys.argv[1]).resolve()
    work = out.with_name(out.name + "-pages")
    shutil.rmtree(work, ignore_errors=True)
    pages = work / "pages"
    pages.mkdir(parents=True)
    site = Site(pages)
    for source in [ROOT / "README.md", *(ROOT / name for name in ROOT_PAGES), *sorted((ROOT / "docs").rglob("*.md")),
                   ROOT / "examples/README.md"]:
        site.copy(source)
    site.copy_wanted()
    for source in (ROOT / "docs/site").iterdir():
        if source.suffix in (".css", ".svg"):
            shutil.copy(source, pages / source.name)
    api, undocumented = api_pages.write(ROOT, work / "doxygen", pages / "api")
    if len(sys.argv) == 3:
        api.append(("messages", write_message_pages(sys.argv[2], pages / "api/messages")))
    (work / "mkdocs.yml").write_text((ROOT / "docs/site/mkdocs.yml").read_text() + menu(site, api))
    if site.faults:
        sys.exit("\n".join(site.faults))
    done = subprocess.run(["mkdocs", "build", "--strict", "--quiet", "--config-file", work / "mkdocs.yml", "--site-dir", out],
                          check=False)
    if done.returncode != 0:
        sys.exit(done.returncode)
    print(f"{len(list(out.rglob('*.html')))} pages in {out}; {undocumented} public symbols without a comment of their own")


if __name__ == "__main__":
    main()
