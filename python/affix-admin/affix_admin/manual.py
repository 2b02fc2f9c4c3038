# SPDX-License-Identifier: MIT
"""Prints the manual page of affix-admin, made of its options and exit codes: python3 -m affix_admin.manual > affix-admin.1"""

from __future__ import annotations

from affix_admin import __version__
from affix_admin.cli import EXIT_CODES, NOT_GIVEN, make_parser


def roff(text: str) -> str:
    """Text as roff takes it: nothing in it is a request or an escape."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text


def item(term: str, text: str) -> str:
    return f".TP\n.B {roff(term)}\n{roff(text)}\n"


def manual_text() -> str:
    parser = make_parser()
    page = (f'.TH AFFIX\\-ADMIN 1 "" "affix {__version__}"\n.SH NAME\n'
            "affix\\-admin \\- client of the administration port of affix engines\n"
            ".SH SYNOPSIS\n.B affix\\-admin\n[OPTIONS] [COMMAND [WORD...]]\n"
            f".SH DESCRIPTION\n{roff(parser.description or '')}\n.PP\n{roff(parser.epilog or '')}\n.SH OPTIONS\n")
    for action in parser._actions:
        if action.option_strings:
            value = "" if action.nargs == 0 else " " + (action.metavar or action.dest.upper())
            page += item(", ".join(action.option_strings) + value, action.help or "")
    page += ".SH EXIT STATUS\n"
    for meaning, code in sorted({**EXIT_CODES, "not sent": NOT_GIVEN}.items(), key=lambda pair: pair[1]):
        page += item(str(code), meaning)
    return page + ".SH SEE ALSO\n.BR affix\\-serve (1)\n"


if __name__ == "__main__":
    print(manual_text(), end="")
