# SPDX-License-Identifier: MIT
"""Damaged dictionaries: refused with a reason, or usable."""

import tempfile
from pathlib import Path

import affix
from fuzzing import material

VENUE = b"""<fix major="4" minor="4" type="FIX" servicepack="0">
<header><field name="BeginString" required="Y"/><field name="BodyLength" required="Y"/>
<field name="MsgType" required="Y"/></header>
<trailer><field name="CheckSum" required="Y"/></trailer>
<messages><message name="Odd" msgtype="D" msgcat="app"><field name="LotSize" required="Y"/>
<field name="BlobLength" required="N"/><field name="Blob" required="N"/>
<component name="Parties" required="N"/></message></messages>
<components><component name="Parties"><group name="NoPartyIDs" required="N"><field name="PartyID" required="N"/>
<group name="NoPartySubIDs" required="N"><field name="PartySubID" required="N"/></group></group></component>
</components>
<fields><field number="8" name="BeginString" type="STRING"/><field number="9" name="BodyLength" type="LENGTH"/>
<field number="35" name="MsgType" type="STRING"><value enum="D" description="ODD"/></field>
<field number="10" name="CheckSum" type="STRING"/>
<field number="20001" name="LotSize" type="QTY"/><field number="20002" name="BlobLength" type="LENGTH"/>
<field number="20003" name="Blob" type="DATA"/><field number="453" name="NoPartyIDs" type="NUMINGROUP"/>
<field number="448" name="PartyID" type="STRING"/><field number="802" name="NoPartySubIDs" type="NUMINGROUP"/>
<field number="523" name="PartySubID" type="STRING"/></fields></fix>
"""
WORDS = (b"LotSize", b"Blob", b"PartyID", b"NoPartyIDs", b"NoPartySubIDs", b"DATA", b"LENGTH", b"NUMINGROUP", b'"Y"',
         b"<group", b"</group>", b"\xe9", b"&amp;", b"20001", b"453", b"0", b"-1", b"99999999999", b"Parties", b"D")


def altered(random):
    data = VENUE
    for _ in range(random.randint(0, 3)):
        if random.random() < 0.6:
            data = data.replace(random.choice(WORDS), random.choice(WORDS), random.choice((1, 1, -1)))
        else:
            data = material.damaged(random, data, 2)
    return data


def run(random):
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "venue.xml"
        path.write_bytes(altered(random))
        try:
            codec = affix.dictionary_of_file(path)
        except affix.DictionaryError as refused:
            assert str(refused)
            return
    codec._fields()
    codec._messages()
    for data in (material.message(random), material.damaged(random, material.message(random))):
        message = codec.parse(data, defective=True)
        message.to_dict()
        message.validate("all")
        str(message.validate())
    try:
        data = codec.encode("D", {"LotSize": 5, "Blob": b"a\x01b", "NoPartyIDs": [{"PartyID": "x"}]})
        codec.parse(data, defective=True).to_dict()
    except (affix.UnknownNameError, affix.EncodeError):
        pass
