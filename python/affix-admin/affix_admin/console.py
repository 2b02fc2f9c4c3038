# SPDX-License-Identifier: MIT
"""The console: an input line with completion and history; answers as coloured tables."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import FileHistory, InMemoryHistory
from rich.console import Console
from rich.table import Table
from rich.text import Text

from affix_admin.cli import cell_text
from affix_admin.client import AdminClient, AdminError, Answer

STATUS_STYLES = {"done": "green", "refused": "red", "busy": "yellow", "begun": "yellow"}
GOOD_STATES = {"active", "yes", "sending"}
BAD_STATES = {"stopped", "worker busy", "disconnected"}


class Names:
    """Completions for words, queried from the port."""

    def __init__(self, client: AdminClient) -> None:
        self._client = client
        self.commands: dict[str, list[str]] = {}
        for row in client.ask("help").rows:
            arguments = row["arguments"].split(",") if row["arguments"] else []
            self.commands[row["command"].split()[0]] = arguments

    def sessions(self) -> list[str]:
        return [row["session"] for row in self._client.ask("get_all_session_states").rows]

    def instances(self) -> list[str]:
        return [row["name"] for command in ("get_clients", "get_servers") for row in self._client.ask(command).rows]

    def replication(self, column: str) -> list[str]:
        """Each name once, in the order of the rows."""
        return list(dict.fromkeys(row[column] for row in self._client.ask("get_replication").rows if row[column]))

    def words(self, kind: str) -> list[str]:
        if kind == "session":
            return self.sessions()
        if kind == "instance":
            return self.instances()
        if kind == "scope":
            return ["engine"] + self.instances() + self.sessions()
        if kind == "group":
            return ["ENGINE"] + self.instances() + self.sessions()
        if kind == "failover_group":
            return self.replication("group")
        if kind == "node":
            return self.replication("standby")
        if kind == "command":
            return list(self.commands)
        return [] if kind == "text" else kind.split("|")


class WordCompleter(Completer):
    """Completes the command, then its arguments."""

    def __init__(self, names: Names) -> None:
        self._names = names

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        words = document.text_before_cursor.split(" ")
        begun = words[-1]
        for word in self.candidates(words[:-1]):
            if word.lower().startswith(begun.lower()):
                yield Completion(word, start_position=-len(begun))

    def candidates(self, before: list[str]) -> list[str]:
        before = [word for word in before if word]
        if not before:
            return list(self._names.commands)
        arguments = self._names.commands.get(before[0], [])
        if len(before) > len(arguments):
            return []
        try:
            return self._names.words(arguments[len(before) - 1])
        except AdminError:
            return []


def styled(value: object) -> Text:
    text = cell_text(value)
    style = "green" if text in GOOD_STATES else "red" if text in BAD_STATES else ""
    return Text(text, style=style)


def print_answer(console: Console, answer: Answer) -> None:
    if answer.columns:
        table = Table(header_style="bold")
        for column in answer.columns:
            numbers = bool(answer.rows) and all(
                isinstance(row.get(column), (int, float)) and not isinstance(row.get(column), bool)
                for row in answer.rows)
            table.add_column(column, justify="right" if numbers else "left", overflow="fold")
        for row in answer.rows:
            table.add_row(*(styled(row.get(column)) for column in answer.columns))
        console.print(table)
    if answer.text or not answer.done or not answer.columns:
        console.print(Text(f"{answer.status}: {answer.reason}" if answer.text else answer.status,
                           style=STATUS_STYLES.get(answer.status, "")))
    if answer.cut:
        console.print(Text("rows are left out: the answer is too long", style="yellow"))


class SecretFreeHistory(FileHistory):
    """Stores no lines with tokens or passwords in the history file."""

    def store_string(self, string: str) -> None:
        if not string.lstrip().lower().startswith("auth") and "password" not in string:
            super().store_string(string)


def run_console(client: AdminClient) -> int:
    """Runs until `quit` or the end of the input. Returns 0, or 2 if the connection was lost."""
    console = Console(highlight=False)
    names = Names(client)
    place = Path(os.environ.get("XDG_STATE_HOME", Path.home() / ".local/state")) / "affix-admin-history"
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.touch(mode=0o600)
        history = SecretFreeHistory(str(place))
    except OSError:
        history = InMemoryHistory()
    prompt: PromptSession[str] = PromptSession(history=history, completer=WordCompleter(names))
    while True:
        try:
            line = prompt.prompt("affix> ")
        except KeyboardInterrupt:
            continue
        except EOFError:
            return 0
        try:
            if not _carry_out(client, console, line):
                return 0
        except ValueError as error:
            console.print(Text(str(error), style="red"))
        except AdminError as error:
            console.print(Text(str(error), style="red"))
            return 2


def _carry_out(client: AdminClient, console: Console, line: str) -> bool:
    words = shlex.split(line)
    if not words:
        return True
    if words[0].lower() == "tap" and len(words) == 2:
        _tap(client, console, words[1])
        return True
    print_answer(console, client.ask(*words))
    return words[0].lower() != "quit"


def _tap(client: AdminClient, console: Console, session: str) -> None:
    console.print(Text("Ctrl-C ends it", style="dim"))
    rows = client.tap(session)
    try:
        for row in rows:
            console.print(Text("  ".join(cell_text(value) for value in row.values())))
    except KeyboardInterrupt:
        rows.close()
        client.end_tap()
