# SPDX-License-Identifier: MIT
"""The program affix-admin: one command with an exit code, or a console."""

from __future__ import annotations

import argparse
import contextlib
import errno
import json
import os
import re
import socket
import ssl
import sys
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from affix_admin.client import AdminClient, AdminError, Answer

EXIT_CODES = {"done": 0, "refused": 1, "busy": 3, "begun": 4}
NOT_GIVEN = 2
READER_GONE = 141  # The exit code that a shell reports for a program ended by SIGPIPE.
NOT_WRITTEN = 74  # As of the program affix. The answer itself may have been any.

# Codes of messages, which `affix explain` explains. A system error has that of its errno.
CODED = re.compile(r"\[[A-Z]\d{3}\]$")
OWN_CODE = "A124"
OTHER_SYSTEM_CODE = "O199"
SYSTEM_CODES = {
    errno.ENOENT: "O101", errno.ENOTDIR: "O101", errno.EACCES: "O102", errno.EPERM: "O102", errno.ENOSPC: "O103",
    errno.EDQUOT: "O103", errno.EROFS: "O104", errno.EADDRINUSE: "O105", errno.EADDRNOTAVAIL: "O106",
    errno.ECONNREFUSED: "O107", errno.ENETUNREACH: "O108", errno.EHOSTUNREACH: "O108", errno.ENETDOWN: "O108",
    errno.ETIMEDOUT: "O109", errno.EMFILE: "O110", errno.ENFILE: "O110", errno.ENOMEM: "O111", errno.EAGAIN: "O111",
    errno.EEXIST: "O112", errno.EIO: "O113", errno.EFBIG: "O114"}


class NotWritten(Exception):
    """Standard output refused the answer, e.g. on a full disk."""


def main(arguments: list[str] | None = None) -> int:
    try:
        status = _run(arguments)
        with _writing():
            sys.stdout.flush()
        return status
    except BrokenPipeError:
        # The reader of the output closed early.
        _discard_output()
        return READER_GONE
    except NotWritten as error:
        _discard_output()
        with contextlib.suppress(OSError):
            print(f"affix-admin: standard output could not be written: {error} [{code_of(error)}]", file=sys.stderr)
        return NOT_WRITTEN


@contextlib.contextmanager
def _writing() -> Iterator[None]:
    """Tells failures of the output from those of the connection, which are OSErrors too."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise NotWritten(error) from error


def code_of(error: Exception) -> str:
    """The code of a system error, or of the one that caused it; that of this program's own messages else."""
    cause = error.__cause__ or error
    if isinstance(cause, TimeoutError):
        return SYSTEM_CODES[errno.ETIMEDOUT]
    if isinstance(cause, OSError) and not isinstance(cause, (ssl.SSLError, socket.gaierror)):
        return SYSTEM_CODES.get(cause.errno or 0, OTHER_SYSTEM_CODE)
    return OWN_CODE


def _fail(error: Exception) -> int:
    """Reports what kept a command from being sent. The port's own texts may have their code."""
    text = str(error)
    print(f"affix-admin: {text}" + ("" if CODED.search(text) else f" [{code_of(error)}]"), file=sys.stderr)
    return NOT_GIVEN


def _discard_output() -> None:
    """Python's flush at exit must not fail again for the rest."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(arguments: list[str] | None) -> int:
    options = _options(arguments)
    run_console = None
    if not options.command:
        # Before connecting: missing packages are a local error, not an answer of the port.
        try:
            from affix_admin.console import run_console
        except ImportError as error:
            return _fail(AdminError(
                "a console needs prompt_toolkit and rich (apt install python3-prompt-toolkit python3-rich, or "
                f"pip install affix-admin): {error}. One command needs neither: affix-admin --port {options.port} sessions"))
    try:
        with _connect(options) as client:
            if run_console is not None:
                return run_console(client)
            if options.command[0] == "tap":
                return _tap(client, options)
            answer = client.ask(*options.command)
    except BrokenPipeError:
        raise
    except (AdminError, OSError) as error:
        return _fail(error)
    except KeyboardInterrupt:
        return 130
    with _writing():
        show(answer, options.json)
    return EXIT_CODES.get(answer.status, NOT_GIVEN)


def show(answer: Answer, as_json: bool) -> None:
    """Prints rows to standard output, and the reason for a failure to standard error."""
    if as_json:
        print(json.dumps(asdict(answer), ensure_ascii=False))
        return
    for line in plain_lines(answer.columns, answer.rows):
        print(line)
    if answer.text or not answer.done:
        print(f"{answer.status}: {answer.reason}", file=sys.stdout if answer.done else sys.stderr)


def plain_lines(columns: list[str], rows: list[dict[str, Any]]) -> list[str]:
    """Formats a table without colours, one string per line."""
    if not columns:
        return []
    table = [columns] + [[cell_text(row.get(column)) for column in columns] for row in rows]
    widths = [max(len(line[at]) for line in table) for at in range(len(columns))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in table]


def cell_text(value: Any) -> str:
    """Formats a value for a terminal: replaces characters that could move the cursor."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.1f}"
    text = str("" if value is None else value).replace("\x01", "|")
    return "".join(character if character.isprintable() else "?" for character in text)


def _tap(client: AdminClient, options: argparse.Namespace) -> int:
    if len(options.command) != 2:
        return _fail(AdminError("tap <session>"))
    for row in client.tap(options.command[1]):
        with _writing():
            print(json.dumps(row, ensure_ascii=False) if options.json
                  else "  ".join(cell_text(value) for value in row.values()), flush=True)
    return 0


def make_parser() -> argparse.ArgumentParser:
    """The options of the program; its manual page is made of them, too."""
    parser = argparse.ArgumentParser(prog="affix-admin", description="Client of affix's administration port.",
                                     epilog="Without a command: a console. `help` lists the commands.")
    parser.add_argument("--host", default=os.environ.get("AFFIX_ADMIN_HOST", "127.0.0.1"),
                        help="address or name of the port's machine (127.0.0.1, or the environment's AFFIX_ADMIN_HOST)")
    parser.add_argument("--port", type=int, default=os.environ.get("AFFIX_ADMIN_PORT"),
                        help="management_server_port of the engine (or the environment's AFFIX_ADMIN_PORT)")
    parser.add_argument("--token-file", help="file whose first line is the token; not on the command line, where "
                                             "every user of the machine could read it (or AFFIX_ADMIN_TOKEN)")
    parser.add_argument("--tls-ca", help="speak TLS, and trust this CA (PEM)")
    parser.add_argument("--tls-certificate", help="our certificate with its key, PEM, if the port asks for one")
    parser.add_argument("--timeout", type=float, default=5.0, help="seconds until an answer is given up")
    parser.add_argument("--json", action="store_true", help="answers as JSON, a line each")
    parser.add_argument("command", nargs=argparse.REMAINDER, help="a command and its words")
    return parser


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = make_parser()
    options = parser.parse_args(arguments)
    if options.port is None:
        parser.error("--port is needed")
    return options


def _connect(options: argparse.Namespace) -> AdminClient:
    token = os.environ.get("AFFIX_ADMIN_TOKEN")
    if options.token_file:
        with open(options.token_file, encoding="utf-8") as file:
            token = file.readline().strip()
    tls = None
    if options.tls_ca:
        tls = ssl.create_default_context(cafile=options.tls_ca)
        if options.tls_certificate:
            tls.load_cert_chain(options.tls_certificate)
    return AdminClient(options.host, options.port, token=token, tls=tls, timeout=options.timeout)


if __name__ == "__main__":
    sys.exit(main())
