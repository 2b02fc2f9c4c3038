# SPDX-License-Identifier: MIT
"""The fixture fix_scenarios: an engine of this package as the one under test, `affix certify` as its counterparty."""

import asyncio

import pytest
from exchange_test import exchange_program

import affix

SCENARIO = """scenario probe: a TestRequest is answered
role both
logon
> TestRequest | TestReqID=THERE
< Heartbeat | TestReqID={answer}
"""


@pytest.fixture(autouse=True)
def program(monkeypatch):
    found = exchange_program()
    if not found:
        pytest.skip("affix-lab is not built")
    monkeypatch.setenv("AFFIX_LAB", found)


def scenario(tmp_path, answer):
    file = tmp_path / "probe.scenario"
    file.write_text(SCENARIO.format(answer=answer))
    return file


def settings():
    return {"durability": "memory", "begin_string": "FIX.4.4", "sender_comp_id": "VENUE", "target_comp_id": "TRADER"}


def against_acceptor(fix_scenarios, file):
    async def play():
        async with affix.Acceptor(nic_address="127.0.0.1", accept_port=0, **settings()) as acceptor:
            return await asyncio.to_thread(fix_scenarios.run, file, address=f"127.0.0.1:{acceptor.port}",
                                           sender_comp_id="TRADER", target_comp_id="VENUE")

    return asyncio.run(play())


def test_an_acceptor_passes(fix_scenarios, tmp_path):
    (result,) = against_acceptor(fix_scenarios, scenario(tmp_path, "THERE"))
    assert result.name == "probe: a TestRequest is answered"
    assert not result.skipped


def test_a_failure_names_the_field(fix_scenarios, tmp_path):
    with pytest.raises(AssertionError, match=r"probe\.scenario:5: .*\n  TestReqID \(112\): expected 'GONE', got 'THERE'"):
        against_acceptor(fix_scenarios, scenario(tmp_path, "GONE"))


def test_an_initiator_passes(fix_scenarios, tmp_path):
    async def play(run):
        async with affix.Initiator(primary_address="127.0.0.1", primary_port=run.port, **settings()):
            return await asyncio.to_thread(run.finish, 60)

    with fix_scenarios.listen(scenario(tmp_path, "THERE"), sender_comp_id="TRADER", target_comp_id="VENUE") as run:
        assert len(asyncio.run(play(run))) == 1
