# SPDX-License-Identifier: MIT
"""Text logs of engines, compressed or not; journals are read in session_test.py."""

import gzip

import pytest

import affix

MESSAGE = affix.encode("D", {49: "FIRM", 56: "VENUE", 34: 5, 52: "20260131-12:00:00.250", 11: "order-1", 55: "EUR/USD"})
LINE = b"20260131-12:00:00.500 : " + MESSAGE.replace(b"\x01", b"|") + b"\n"


def test_a_text_log(tmp_path):
    path = tmp_path / "venue.log"
    path.write_bytes(b"20260131-11:59:59 : Created session\n" + LINE * 3)
    reader = affix.decode_log(path, own_comp_id="FIRM", codec=affix.dictionary("FIX.4.4"))
    entries = list(reader)
    messages = [entry for entry in entries if entry.message is not None]
    assert len(messages) == 3
    assert messages[0].message["Symbol"] == "EUR/USD"
    assert messages[0].message.defect is None
    assert messages[0].direction == "out"
    assert messages[0].time.isoformat() == "2026-01-31T12:00:00.500000+00:00"
    assert messages[0].bytes == MESSAGE
    assert [entry.kind for entry in entries][0] == "event"
    assert reader.problems == []


def test_a_compressed_log_and_a_directory(tmp_path):
    (tmp_path / "a.log.gz").write_bytes(gzip.compress(LINE * 2))
    (tmp_path / "b.log").write_bytes(LINE)
    assert sum(entry.message is not None for entry in affix.decode_log(tmp_path)) == 3


def test_no_log(tmp_path):
    with pytest.raises(affix.LogError):
        affix.decode_log(tmp_path / "none")


def test_tables(tmp_path):
    path = tmp_path / "venue.log"
    path.write_bytes(LINE * 2)
    arrow = pytest.importorskip("pyarrow")
    table = affix.log_to_arrow(path, [11, 44])
    assert isinstance(table, arrow.Table)
    assert table.column("11").to_pylist() == ["order-1"] * 2
    assert table.column("44").to_pylist() == [None] * 2


def test_frames(tmp_path):
    path = tmp_path / "venue.log"
    path.write_bytes(LINE * 2)
    pytest.importorskip("pandas")
    frame = affix.log_to_pandas(path, [11])
    assert list(frame["11"]) == ["order-1"] * 2
    assert str(frame["time"].dt.tz) == "UTC"
