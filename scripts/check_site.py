#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Walks the built site: check_site.py SITE. Every link leads to a file of the site, every anchor to an element of that name,
and nothing that a page needs to be shown is asked of the network. Exit code 1 when something is wrong, with each fault.
"""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# Attributes whose address a browser fetches by itself, by element. A link that a reader follows may lead anywhere.
FETCHED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "video": "src", "audio": "src"}
# Links of the head that are only named: addresses of this page and of its neighbours.
NAMED_RELATIONS = {"canonical", "prev", "next", "alternate"}


class Page(HTMLParser):
    """Names of elements, links, and what is fetched, of one page."""

    def __init__(self, text):
        super().__init__()
        self.names = {"", "top"}
        self.links = []
        self.fetched = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        for key in ("id", "name"):
            if attributes.get(key):
                self.names.add(attributes[key])
        if tag == "a" and attributes.get("href"):
            self.links.append(attributes["href"])
        if tag == "link" and attributes.get("href") and attributes.get("rel") not in NAMED_RELATIONS:
            self.fetched.append(attributes["href"])
        if tag in FETCHED and attributes.get(FETCHED[tag]):
            self.fetched.append(attributes[FETCHED[tag]])


class Walk:
    def __init__(self, site):
        self.site = site
        self.pages = {}
        self.faults = []
        self.followed = set()  # Of the menu's links, which each page of a folder repeats, one is enough.

    def page(self, path):
        if path not in self.pages:
            self.pages[path] = Page(path.read_text())
        return self.pages[path]

    def follow(self, path, link, fetched):
        where = path.relative_to(self.site)
        if not link.startswith("#"):
            if (path.parent, link, fetched) in self.followed:
                return
            self.followed.add((path.parent, link, fetched))
        parts = urlsplit(link)
        if parts.scheme == "data" or (not fetched and parts.scheme):
            return
        if parts.scheme or parts.netloc:
            self.faults.append(f"{where}: fetches '{link}' from the network")
            return
        target = path if not parts.path else Path(self.site / parts.path.lstrip("/") if parts.path.startswith("/")
                                                  else path.parent / unquote(parts.path)).resolve()
        if target.is_dir():
            target = target / "index.html"
        if not target.is_file():
            self.faults.append(f"{where}: '{link}' leads nowhere")
        elif target.suffix == ".html" and unquote(parts.fragment) not in self.page(target).names:
            self.faults.append(f"{where}: '{link}' names nothing on that page")

    def walk(self):
        files = sorted(self.site.rglob("*.html"))
        for path in files:
            page = self.page(path)
            for link in page.links:
                self.follow(path, link, fetched=False)
            for link in page.fetched:
                self.follow(path, link, fetched=True)
        return len(files)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    walk = Walk(Path(sys.argv[1]).resolve())
    count = walk.walk()
    for fault in walk.faults:
        print(fault)
    print(f"check_site: {count} pages, {len(walk.faults)} faults")
    return 1 if walk.faults or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
