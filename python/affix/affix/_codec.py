# SPDX-License-Identifier: MIT
"""Dictionaries, and what reads and writes messages with them or without one."""

from __future__ import annotations

import datetime
import decimal
import os
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

from affix import _affix
from affix.errors import DictionaryError

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped,import-not-found,unused-ignore]
    import pyarrow  # type: ignore[import-untyped,import-not-found,unused-ignore]

Value = Union[str, bytes, int, bool, decimal.Decimal, datetime.datetime, datetime.date, datetime.time, None,
              "Sequence[Fields]"]
# A TypedDict, such as those that affix.stubs writes, is a Mapping[str, object].
Fields = Union[Mapping[Any, Value], Mapping[str, object], Iterable["tuple[int | str, Value]"]]

_FILES = {
    "FIX.4.0": "FIX40.xml",
    "FIX.4.1": "FIX41.xml",
    "FIX.4.2": "FIX42.xml",
    "FIX.4.3": "FIX43.xml",
    "FIX.4.4": "FIX44.xml",
    "FIX.5.0": "FIX50.xml",
    "FIX.5.0SP1": "FIX50SP1.xml",
    "FIX.5.0SP2": "FIX50SP2.xml",
    "FIX.Latest": "FIXLatest.xml",
    "FIXT.1.1": "FIXT11.xml",
}
_TRANSPORT = "FIXT.1.1"


class Dictionary(_affix.Codec):
    """A dictionary: parses and encodes with its names, its groups and its raw data fields, and validates.

    `path` is a file of QuickFIX's form or of FIX Orchestra 1.0; `transport` the one with header and trailer, for an
    application version from 5.0 on.
    """

    def __init__(self, path: str | os.PathLike[str], transport: str | os.PathLike[str] | None = None) -> None:
        super().__init__(os.fspath(path), None if transport is None else os.fspath(transport))


class Receiver(_affix.Receiver):
    """A receive buffer: feed() it a stream's bytes, and iterate over the whole messages.

    Messages view the buffer: they expire at the next feed(), unless copy() is kept.
    """

    def __init__(self, codec: _affix.Codec | None = None, message_bytes_max: int = 1 << 20) -> None:
        super().__init__(_PLAIN if codec is None else codec, message_bytes_max)


_PLAIN = _affix.Codec()

parse = _PLAIN.parse
encode = _PLAIN.encode


def standard_dictionaries() -> list[str]:
    """Versions that dictionary() knows."""
    return list(_FILES)


def _path_of(version: str) -> str:
    try:
        name = _FILES[version]
    except KeyError:
        raise DictionaryError(f"no dictionary '{version}': there are {', '.join(_FILES)}") from None
    return str(resources.files("affix") / "dictionaries" / name)


@cache
def dictionary(version: str) -> Dictionary:
    """The standard dictionary of a version: "FIX.4.4", "FIX.5.0SP2", "FIX.Latest". Read once."""
    transported = version.startswith("FIX.5") or version == "FIX.Latest"
    return Dictionary(_path_of(version), _path_of(_TRANSPORT) if transported else None)


def dictionary_of_file(path: str | os.PathLike[str], transport: str | os.PathLike[str] | None = None) -> Dictionary:
    """A venue's own dictionary. From FIX 5.0 on, `transport` is FIXT.1.1 unless it is given."""
    if transport is None:
        try:
            return Dictionary(path)
        except DictionaryError:
            # Messages of 5.0 and later have no header of their own.
            return Dictionary(path, _path_of(_TRANSPORT))
    return Dictionary(path, transport)


def decode_log(path: str | os.PathLike[str], *, codec: _affix.Codec | None = None,
               own_comp_id: str = "") -> _affix.LogReader:
    """Every message and event of a journal, a text log of any engine, a capture, or all of them in a directory.

    Recognises them by their content, also compressed, and reads beside live engines. `own_comp_id` gives directions
    to logs that have none.
    """
    return _affix.LogReader(_PLAIN if codec is None else codec, os.fspath(Path(path)), own_comp_id)


def _columns(path: str | os.PathLike[str], fields: Sequence[int | str], codec: _affix.Codec | None,
             own_comp_id: str) -> dict[str, list[Any]]:
    columns: dict[str, list[Any]] = {name: [] for name in ("time", "session", "direction", "sequence", "type")}
    names = [str(field) for field in fields]
    columns.update({name: [] for name in names})
    for entry in decode_log(path, codec=codec, own_comp_id=own_comp_id):
        message = entry.message
        if message is None:
            continue
        columns["time"].append(entry.utc_ns or None)
        columns["session"].append(entry.session)
        columns["direction"].append(entry.direction)
        columns["sequence"].append(entry.sequence or None)
        columns["type"].append(message.type)
        for name, value in zip(names, message.values(*fields)):
            columns[name].append(value)
    return columns


def log_to_arrow(path: str | os.PathLike[str], fields: Sequence[int | str] = (), *,
                 codec: _affix.Codec | None = None, own_comp_id: str = "") -> pyarrow.Table:
    """The messages of a log as a pyarrow.Table: time, session, direction, sequence, type, and these fields as text."""
    import pyarrow as pa  # type: ignore[import-untyped,import-not-found,unused-ignore]

    columns = _columns(path, fields, codec, own_comp_id)
    kinds = {"time": pa.timestamp("ns", tz="UTC"), "sequence": pa.uint64()}
    return pa.table({name: pa.array(values, type=kinds.get(name, pa.string())) for name, values in columns.items()})


def log_to_pandas(path: str | os.PathLike[str], fields: Sequence[int | str] = (), *,
                  codec: _affix.Codec | None = None, own_comp_id: str = "") -> pandas.DataFrame:
    """The same as a pandas.DataFrame."""
    import pandas as pd  # type: ignore[import-untyped,import-not-found,unused-ignore]

    frame = pd.DataFrame(_columns(path, fields, codec, own_comp_id))
    frame["time"] = pd.to_datetime(frame["time"], unit="ns", utc=True)
    return frame
