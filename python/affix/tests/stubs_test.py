# SPDX-License-Identifier: MIT
"""Typed modules of dictionaries."""

import importlib.util

import pytest

import affix
from affix import stubs


def imported(text, place):
    path = place / "generated.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location("generated", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("version", ["FIX.4.0", "FIX.4.4", "FIX.5.0SP2", "FIXT.1.1"])
def test_a_module_of_a_version(version, tmp_path, capsys):
    assert stubs.main([version]) == 0
    module = imported(capsys.readouterr().out, tmp_path)
    codec = affix.dictionary(version)
    assert module.begin_string == codec.begin_string
    assert module.Tag.SenderCompID == 49
    if version == "FIXT.1.1":
        return
    assert module.Side.SELL_SHORT == "5"
    order: module.NewOrderSingleFields = {"ClOrdID": "x", "Side": module.Side.BUY}
    message = codec.parse(codec.encode(module.MsgType.NewOrderSingle, order))
    assert message[module.Tag.Side] == "1" and message.type == "D"


def test_what_cannot_be_read(tmp_path, capsys):
    assert stubs.main([str(tmp_path / "none.xml")]) == 1
    assert "none.xml" in capsys.readouterr().err
