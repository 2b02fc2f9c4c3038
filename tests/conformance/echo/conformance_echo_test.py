# SPDX-License-Identifier: MIT
"""The conformance echo over TCP, statement by statement of docs/reference/conformance-echo.md, in every FIX version, with
input whole and in pieces of 7 bytes. Usage: conformance_echo_test.py PROGRAM [unittest options]"""

import re
import sys
import threading
import time
import unittest

from echo_peer import FUTURE, NO_VALUES, VALIDATE, VERSIONS, Echo, Peer, encode, time_text

PROGRAM = sys.argv.pop(1)
MISSING = "Required tag missing"
VALUE = "Value is incorrect (out of range) for this tag"
FORMAT = "Incorrect data format for value"


class EchoCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.echo = Echo(PROGRAM)

    @classmethod
    def tearDownClass(cls):
        assert cls.echo.stop() == 0

    def each(self, check, versions=VERSIONS, log_on=True):
        """Runs `check(peer)` in every version, whole and in pieces."""
        for version in versions:
            for pieces in (None, 7):
                with self.subTest(version=version.name, pieces=pieces):
                    peer = Peer(self.echo.port, version, pieces)
                    try:
                        if log_on:
                            peer.log_on()
                        check(peer)
                    finally:
                        peer.close()

    def expect_reject(self, peer, text, tag=None, reason=None, ref_type=None, ref_sequence=None):
        """A Reject in the layout of the version."""
        reject = peer.receive("3")
        if not peer.version.has_reject_fields:
            text = text if tag is None else f"{text} ({tag})"
            tag = reason = ref_type = None
        if peer.version.number == 42 and reason is not None and reason > 11:
            reason = None
        wanted = [(45, ref_sequence), (58, text), (371, tag), (372, ref_type), (373, reason)]
        body = "|".join(f"{number}={value}" for number, value in wanted if value is not None)
        self.assertEqual(reject.body(), body)
        return reject

    def expect_logout(self, peer, text=None):
        logout = peer.receive("5")
        self.assertEqual(logout[58], text)
        return logout


class Logon(EchoCase):
    def test_answer(self):
        def check(peer):
            answer = peer.log_on()
            body = "98=0|108=2" + (f"|1137={peer.version.appl_ver_id}" if peer.version.is_fixt else "")
            self.assertEqual(answer.body(), body)
            self.assertEqual(answer.tags[:7], [8, 9, 35, 34, 49, 52, 56])
            self.assertEqual((answer[49], answer[56]), ("ISLD", peer.version.comp_id))
            fraction = r"\.\d{3}" if peer.version.number >= 42 else ""
            self.assertRegex(answer[52], rf"^\d{{8}}-\d\d:\d\d:\d\d{fraction}$")
            peer.probe()

        self.each(check, log_on=False)

    def test_too_high(self):
        def check(peer):
            peer.sequence = 5
            peer.log_on()
            request = peer.receive("2")
            self.assertEqual(request.body(), f"7=1|16={'0' if peer.version.number >= 42 else '999999'}")
            peer.send("4", "36=5|123=Y", sequence=1, extra="43=Y|122=" + time_text())
            peer.probe()  # Number 6: the Logon was counted in its turn.

        self.each(check, log_on=False)

    def test_reset(self):
        def check(peer):
            answer = peer.log_on(peer.version.logon_fields().replace("|1137", "|141=Y|1137")
                                 if peer.version.is_fixt else peer.version.logon_fields() + "|141=Y")
            self.assertEqual(answer[141], "Y")
            peer.order("1")
            peer.receive("D")
            peer.sequence = peer.expected = 1
            again = peer.log_on(peer.version.logon_fields() + "|141=Y")
            self.assertEqual(again[141], "Y")
            peer.probe()

        self.each(check, [v for v in VERSIONS if v.number >= 41], log_on=False)

    def test_silence(self):
        """Connections that are closed without an answer, before any Logon was taken."""
        def closed(**changes):
            def check(peer):
                if "age" in changes:  # When it is sent, as each peer takes its time.
                    changes["time"] = time_text(-changes.pop("age"))
                peer.send(changes.pop("msg_type", "A"), peer.version.logon_fields(), **changes)
                peer.receive_end()
            return check

        for changes in ({"sender": "WRONG"}, {"target": "WRONG"}, {"begin_string": "FIX.9.9"}, {"msg_type": "0"},
                        {"age": 125}, {"age": -125}, {"checksum": "999"}, {"checksum": "00x"}):
            self.each(lambda peer, changes=changes: closed(**dict(changes))(peer), log_on=False)

        def too_short(peer):
            peer.send("A", peer.version.logon_fields(), length=20)
            peer.receive_end()

        self.each(too_short, log_on=False)

        def no_version(peer):
            peer.send("A", "98=0|108=2")
            peer.receive_end()

        self.each(no_version, [v for v in VERSIONS if v.is_fixt], log_on=False)

    def test_garbage_before_it(self):
        def check(peer):
            peer.send_bytes(b"GET / HTTP/1.0\r\n\r\n")
            peer.log_on()
            peer.probe()

        self.each(check, log_on=False)

    def test_second_connection(self):
        def check(peer):
            other = Peer(self.echo.port, peer.version, peer.pieces)
            other.send("A", peer.version.logon_fields())
            other.receive_end()
            other.close()
            peer.probe()

        self.each(check)

    def test_repeated(self):
        def check(peer):
            peer.send("A", peer.version.logon_fields())
            peer.receive_end()

        self.each(check)

    def test_number_zero(self):
        def check(peer):
            peer.send("A", peer.version.logon_fields(), sequence=0)
            self.expect_logout(peer, "MsgSeqNum too low, expecting 1 but received 0")
            peer.receive_end()

        self.each(check, log_on=False)

    def test_version_is_taken_over(self):
        def check(peer):
            other = "8" if peer.version.appl_ver_id == "9" else "9"
            answer = peer.log_on(f"98=0|108=2|1137={other}")
            self.assertEqual(answer[1137], other)
            peer.order("A")
            peer.receive("D")
            peer.send("H", "11=A|54=1|55=INTC")
            self.assertEqual(peer.receive("j")[1137], other)

        self.each(check, [v for v in VERSIONS if v.is_fixt], log_on=False)


class Application(EchoCase):
    def test_order_comes_back_sorted(self):
        def check(peer):
            peer.send("D", "60=<TIME>|55=INTC|54=1|40=1|38=002000.00|21=3|11=ID" if peer.version.number in (42, 43)
                      else "55=INTC|54=1|40=1|38=002000|21=3|11=ID" if peer.version.number < 42
                      else "60=<TIME>|55=INTC|54=1|40=1|38=002000.00|11=ID",
                      extra="97=Y|115=C|116=S|128=D|129=T|50=a|57=b")
            echo = peer.receive("D")
            self.assertEqual(echo[38], "002000" if peer.version.number < 42 else "002000.00")
            self.assertEqual(echo.tags[:14], [8, 9, 35, 34, 49, 50, 52, 56, 57, 97, 115, 116, 128, 129])
            body = echo.tags[14:-1]
            self.assertEqual(body, sorted(body))
            self.assertEqual((echo[50], echo[57]), ("a", "b"))
            peer.probe()

        self.each(check)

    def test_resent_order(self):
        def check(peer):
            peer.order("ID", extra="97=Y")  # Not seen before.
            self.assertEqual(peer.receive("D")[97], "Y")
            peer.order("ID", extra="97=Y")  # Seen: nothing, but the number is taken.
            peer.probe()
            peer.order("ID")  # Seen, and not said to be the same.
            self.assertEqual(peer.receive("D")[97], None)
            peer.order("OTHER", extra="43=Y|122=" + time_text(-5))
            echo = peer.receive("D")
            self.assertEqual((echo[43], echo[122]), (None, None))

        self.each(check)

        def forgotten(peer):
            peer.order("ID", extra="97=Y")
            peer.receive("D")

        self.each(forgotten)  # A new session has seen nothing.

    def test_email_and_security_definition(self):
        def email(peer):
            body = "33=1|58=x|94=0|147=Subject" if peer.version.number >= 41 else "33=1|58=x|94=0"
            if peer.version.number >= 44:
                body = "33=1|58=x|94=0|147=Subject|164=T"
            if peer.version.number < 44:
                body += "|164=T" if peer.version.number >= 41 else ""
            peer.send("C", body)
            self.assertIn(peer.receive().type, ("C",))

        self.each(email)

        def definition(peer):
            body = {42: "320=R|322=S|323=1|393=1|55=INTC"}.get(peer.version.number, "320=R|322=S|323=1|55=INTC")
            if peer.version.number >= 51:
                body = "55=INTC|320=R|322=S|323=1"
            peer.send("d", body)
            self.assertEqual(peer.receive("d")[320], "R")

        self.each(definition, [v for v in VERSIONS if v.number >= 42])

    def test_zero_group(self):
        def check(peer):
            counter = 78 if peer.version.number >= 42 else None
            peer.send("D", f"11=ID|{peer.version.order}|{counter}=0")
            self.assertEqual(peer.receive("D")[counter], "0")

        self.each(check, [v for v in VERSIONS if v.number >= 42])

    def test_groups_stay_whole(self):
        def check(peer):
            peer.send("D", f"11=ID|78=2|79=a|80=1|79=b|80=2|{peer.version.order}")
            self.assertIn("78=2|79=a|80=1|79=b|80=2", peer.receive("D").body())
            peer.send("D", f"11=ID|78=2|79=a|80=1|79=b|{peer.version.order}|1=ACC")
            echo = peer.receive("D")
            self.assertIn("78=2|79=a|80=1|79=b", echo.body())
            self.assertEqual(echo.tags[7], 1)

        self.each(check, [v for v in VERSIONS if v.number >= 42])

    def test_unsupported(self):
        def check(peer):
            number = peer.sequence
            peer.send("H", "11=A|54=1|55=INTC")
            if peer.version.number < 42:
                self.assertEqual(peer.receive("3").body(), f"45={number}|58=Unsupported message type")
            else:
                version = f"|1137={peer.version.appl_ver_id}" if peer.version.is_fixt else ""
                self.assertEqual(peer.receive("j").body(),
                                 f"45={number}|58=Unsupported Message Type|372=H|380=3{version}")
            peer.probe()

        self.each(check)


class Framing(EchoCase):
    def test_garbled_is_ignored(self):
        def check(peer):
            bad = [
                encode(peer.version.begin_string, peer.fields("1", "112=X", sequence=2), checksum="256"),
                encode(peer.version.begin_string, peer.fields("1", "112=X", sequence=2), checksum="x"),
                encode(peer.version.begin_string, peer.fields("1", "112=X", sequence=2), length=5),
                encode(peer.version.begin_string, peer.fields("1", "112=X|TEST", sequence=2)),
                encode(peer.version.begin_string, peer.fields("1", "112=X|=5", sequence=2)),
                encode(peer.version.begin_string, peer.fields("1", "112=X|a=5", sequence=2)),
                encode(peer.version.begin_string, "49=X|" + peer.fields("1", "112=X", sequence=2)),
            ]
            for data in bad:
                peer.send_bytes(data)
                peer.probe()

        self.each(check)

    def test_checksum_is_a_number(self):
        def check(peer):
            for size in range(1, 200):
                text = "z" * size
                data = encode(peer.version.begin_string, peer.fields("1", f"112={text}", sequence=2))
                if data[-4:-3] != b"0":
                    continue
                peer.sequence = 3
                peer.send_bytes(re.sub(rb"\x0110=0+(?=\d)", b"\x0110=", data))
                self.assertEqual(peer.receive("0")[112], text)
                peer.probe()
                return
            self.fail("no checksum begins with 0")

        self.each(check)

    def test_swallowing(self):
        def too_long(peer):
            """A BodyLength that is too large takes the beginning of the next message, up to its checksum."""
            peer.send_bytes(encode(peer.version.begin_string, peer.fields("1", "112=A", sequence=2), length=120))
            peer.send_bytes(encode(peer.version.begin_string, peer.fields("1", "112=B", sequence=2)))
            peer.probe()

        self.each(too_long)

        def no_number(peer):
            peer.send_bytes(encode(peer.version.begin_string, peer.fields("1", "112=A", sequence=2), length="abc"))
            peer.probe()
            peer.send_bytes(encode(peer.version.begin_string, peer.fields("1", "112=A", sequence=3), length="-5"))
            peer.probe()

        self.each(no_number)

        def out_of_order(peer):
            fields = peer.fields("1", "112=A", sequence=2)
            behind = fields.split("|", 1)
            length = len(behind[1]) + 1
            data = encode(peer.version.begin_string, fields).split(b"\x019=", 1)[0].decode()
            text = f"{data}\x0135=1\x019={length}\x01" + behind[1].replace("|", "\x01") + "\x01"
            peer.send_bytes(text.encode() + f"10={sum(text.encode()) % 256:03}\x01".encode())
            peer.probe()

        self.each(out_of_order)


class Validation(EchoCase):
    def rejected(self, msg_type, body, text, tag=None, reason=None, versions=VERSIONS, **header):
        """The message is rejected, counted, and the session goes on."""
        def check(peer):
            number = header.get("sequence", peer.sequence)
            peer.send(msg_type, body(peer) if callable(body) else body, **header)
            self.expect_reject(peer, text, tag, reason, msg_type, number)
            if msg_type in ("A", "4"):
                peer.sequence -= 1
            peer.probe()

        self.each(check, versions)

    def with_order(self, more):
        return lambda peer: f"11=ID|{peer.version.order}|{more}"

    def test_tags(self):
        for tag in ("0", "-1", "999", "5000", "10000"):
            versions = [v for v in VERSIONS if not (tag == "999" and v.number >= 50)]
            self.rejected("D", self.with_order(f"{tag}=x"), "Invalid tag number", tag, 0, versions)
        self.rejected("D", self.with_order("-1=x|0=y|-5=z"), "Invalid tag number", -5, 0)
        self.rejected("D", self.with_order("41=x"), "Tag not defined for this message type", 41, 2,
                      [v for v in VERSIONS if v.number < 50])
        self.rejected("0", "56=ISLD", "Tag appears more than once", 56, 13)
        self.rejected("D", self.with_order("54=1"), "Tag appears more than once", 54, 13)
        self.rejected("D", self.with_order("58="), "Tag specified without a value", 58, 4)
        self.rejected("D", lambda p: f"11=ID|{p.version.order}".replace("38=002000", "38=+2000"), FORMAT, 38, 6)
        self.rejected("D", lambda p: f"11=ID|{p.version.order}".replace("38=002000", "38=2e3"), FORMAT, 38, 6)
        self.rejected("D", lambda p: f"11=ID|{p.version.order}".replace("54=1", "54=~"), VALUE, 54, 5)
        self.rejected("D", self.with_order("126=20250132-00:00:00"), FORMAT, 126, 6)
        self.rejected("D", self.with_order("50=SUB"), "Tag specified out of required order", 50, 14)
        self.rejected("D", self.with_order("43=X"), "Tag specified out of required order", 43, 14)
        self.rejected("ZZ", "58=x", "Invalid MsgType", None, 11)

    def test_missing(self):
        self.rejected("D", lambda p: p.version.order, MISSING, 11, 1)
        self.rejected("D", lambda p: f"11=ID|{p.version.order}".replace("54=1|", ""), MISSING, 54, 1)
        self.rejected("1", "", MISSING, 112, 1)
        self.rejected("D", "58=x", MISSING, 52, 1, time="")
        self.rejected("D", "58=x", MISSING, 49, 1, sender="")
        self.rejected("D", "58=x", MISSING, 56, 1, target="")

    def test_no_number(self):
        def check(peer):
            """Rejected, and no number is consumed."""
            peer.send_bytes(encode(peer.version.begin_string,
                                   f"35=0|49={peer.version.comp_id}|52={time_text()}|56=ISLD"))
            self.expect_reject(peer, MISSING, 34, 1, "0")
            peer.send("0", sequence="x")
            self.expect_reject(peer, FORMAT, 34, 6, "0")
            peer.probe()

        self.each(check)

    def test_fields_are_judged_by_tag(self):
        self.rejected("D", self.with_order("999=x|43="), "Tag specified out of required order", 43, 14)
        self.rejected("D", lambda p: f"58=|11=|{p.version.order}", "Tag specified without a value", 11, 4)
        self.rejected("D", lambda p: f"9999=x|11=ID|{p.version.order}".replace("54=1", "54=~"), VALUE, 54, 5)

    def test_groups(self):
        newer = [v for v in VERSIONS if v.number >= 42]
        self.rejected("D", self.with_order("78=2|79=a|80=1"), "Incorrect NumInGroup count for repeating group",
                      78, 16, newer)
        self.rejected("D", self.with_order("78=x|79=a"), FORMAT, 78, 6, newer)

    def test_ahead_of_a_gap_and_duplicates(self):
        def check(peer):
            """Judged before the number: a Reject, no ResendRequest, no number taken."""
            peer.send("D", "58=x", sequence=20)
            self.expect_reject(peer, MISSING, 11, 1, "D", 20)
            peer.probe()
            peer.send("D", "58=x", sequence=1, extra="43=Y|122=" + time_text())
            self.expect_reject(peer, MISSING, 11, 1, "D", 1)
            peer.probe()

        self.each(check)

    def test_reverse_route(self):
        def check(peer):
            number = peer.sequence
            ids = "115=ob|116=os|128=dc|129=ds" + ("|144=ol|145=dl" if peer.version.number >= 41 else "")
            peer.send("D", "58=x", extra=ids)
            reject = self.expect_reject(peer, MISSING, 11, 1, "D", number)
            wanted = {115: "dc", 116: "ds", 128: "ob", 129: "os"}
            if peer.version.number >= 41:
                wanted |= {144: "dl", 145: "ol"}
            self.assertEqual({tag: reject[tag] for tag in wanted}, wanted)
            self.assertEqual(reject.tags[3:7 + len(wanted)], [34, 49, 52, 56] + sorted(wanted))

        self.each(check)

    def test_location_ids_are_none_of_fix40(self):
        self.rejected("D", lambda p: f"11=ID|{p.version.order}", "Invalid tag number", 144, 0, VERSIONS[:1],
                      extra="144=L")

    def test_reject_of_a_reject(self):
        self.rejected("3", "45=1|58=", "Tag specified without a value", 58, 4)

    def test_empty_values_where_they_are_allowed(self):
        def check(peer):
            peer.send("D", f"11=ID|{peer.version.order}|58=")
            self.assertEqual(peer.receive("D")[58], "")
            peer.send("1", "112=")
            self.assertEqual(peer.receive("0")[112], "")

        self.each(check, [NO_VALUES])

    def test_future(self):
        def check(peer):
            peer.send("D", f"11=ID|{peer.version.order}|78=1|80=1|79=a")
            self.expect_reject(peer, "Out of order repeating group members", 80, 15, "D", 2)
            peer.send("D", f"11=ID|{peer.version.order}|58=TE|ST")
            self.expect_reject(peer, "Embedded SOH", 58, 17, "D", 3)
            peer.order("GOOD")
            peer.receive("D")

        self.each(check, [FUTURE])

    def test_validate(self):
        self.rejected("D", self.with_order("5001=x"), "Invalid tag number", 5001, 0, [VALIDATE])


class Sequence(EchoCase):
    def test_begin_string(self):
        def check(peer):
            peer.send("1", "112=X", begin_string="FIX.9.9")
            self.expect_logout(peer, "Incorrect BeginString")
            peer.send("5")
            peer.receive_end()

        self.each(check)

        def logout(peer):
            peer.send("5", begin_string="FIX.9.9")
            self.expect_logout(peer)
            peer.receive_end()

        self.each(logout)

    def test_comp_ids(self):
        for wrong in ({"sender": "WT"}, {"target": "WT"}):
            def check(peer, wrong=wrong):
                peer.send("1", "112=X", **wrong)
                self.expect_reject(peer, "CompID problem", None, 9, "1", 2)
                self.expect_logout(peer)
                peer.send("5")
                peer.receive_end()

            self.each(check)

    def test_sending_time(self):
        for offset in (-130, 130):
            def check(peer, offset=offset):
                peer.send("1", "112=X", time=time_text(offset))
                self.expect_reject(peer, "SendingTime accuracy problem", None, 10, "1", 2)
                self.expect_logout(peer)
                peer.send("5")
                peer.receive_end()

            self.each(check)

        def near(peer):
            peer.send("1", "112=X", time=time_text(-115))
            peer.receive("0")
            peer.send("1", "112=X", time=time_text(115))
            peer.receive("0")

        self.each(near)

    def test_too_low(self):
        def check(peer):
            peer.send("1", "112=X", sequence=1)
            self.expect_logout(peer, "MsgSeqNum too low, expecting 2 but received 1")
            peer.receive_end()

        self.each(check)

        def zero(peer):
            peer.send("1", "112=X", sequence=0)
            self.expect_logout(peer, "MsgSeqNum too low, expecting 2 but received 0")
            peer.receive_end()

        self.each(zero)

    def test_duplicates(self):
        def check(peer):
            peer.order("A")
            peer.receive("D")
            peer.order("A", sequence=2, extra="43=Y|122=" + time_text())
            peer.probe()  # Ignored.
            peer.order("A", sequence=2, extra="43=Y")
            self.expect_reject(peer, MISSING, 122, 1, "D", 2)
            peer.send("4", "36=2|123=Y", sequence=2, extra="43=Y")
            peer.probe()  # A SequenceReset needs no 122.
            peer.order("B", extra="43=Y")
            peer.receive("D")  # Of the expected number nothing is asked.
            peer.order("A", sequence=2, extra="43=Y|122=" + time_text(60))
            self.expect_reject(peer, "SendingTime accuracy problem", None, 10, "D", 2)
            self.expect_logout(peer)

        self.each(check)

    def test_too_high(self):
        def check(peer):
            number = peer.sequence
            peer.order("C", sequence=number + 2)
            request = peer.receive("2")
            self.assertEqual(request.body(), f"7={number}|16={'0' if peer.version.number >= 42 else '999999'}")
            peer.send("1", "112=LATE", sequence=number + 3)
            peer.order("A", extra="43=Y|122=" + time_text())
            self.assertEqual(peer.receive("D")[11], "A")
            peer.order("B", extra="43=Y|122=" + time_text())
            self.assertEqual(peer.receive("D")[11], "B")
            self.assertEqual(peer.receive("D")[11], "C")  # In its turn, and no second ResendRequest.
            self.assertEqual(peer.receive("0")[112], "LATE")
            peer.sequence += 2
            peer.probe()
            peer.order("Z", sequence=peer.sequence + 1)
            self.assertEqual(peer.receive("2")[7], str(peer.sequence))  # The first is satisfied.

        self.each(check)

    def test_one_request_until_it_is_satisfied(self):
        def check(peer):
            peer.order("X", sequence=4)
            self.assertEqual(peer.receive("2")[7], "2")
            peer.order("Y", sequence=10)
            peer.order("A", extra="43=Y|122=" + time_text())
            peer.receive("D")
            peer.order("B", extra="43=Y|122=" + time_text())
            peer.receive("D")
            self.assertEqual(peer.receive("D")[11], "X")
            peer.sequence = 5
            peer.probe()  # Nobody asks for 6 to 9 until something ahead comes again.
            peer.order("Z", sequence=11)
            self.assertEqual(peer.receive("2")[7], "6")

        self.each(check)

    def test_gap_fill(self):
        def check(peer):
            peer.send("4", "36=20|123=Y", sequence=5)  # Too high.
            self.assertEqual(peer.receive("2")[7], "2")
            peer.send("4", "36=10|123=Y", sequence=2, extra="43=Y|122=" + time_text())
            peer.sequence = 10
            peer.probe()
            peer.send("4", "36=11|123=Y", sequence=11)  # Equal to the expected number: nothing.
            peer.send("1", "112=Y", sequence=11)
            peer.receive("0")
            peer.send("4", "36=5|123=Y", sequence=12)
            self.expect_reject(peer, VALUE, None, 5, "4", 12)
            peer.sequence = 12
            peer.probe()
            peer.send("4", "36=30|123=Y", sequence=3)
            self.expect_logout(peer, "MsgSeqNum too low, expecting 13 but received 3")
            peer.receive_end()

        self.each(check)

    def test_reset(self):
        def check(peer):
            peer.send("4", "36=20|123=N", sequence=7)  # Its number does not matter.
            peer.sequence = 20
            peer.probe()
            peer.send("4", "36=21", sequence=1)  # Equal.
            peer.probe()
            peer.send("4", "36=5", sequence=22)
            self.expect_reject(peer, VALUE, None, 5, "4", 22)
            peer.probe()

        self.each(check)

    def test_reject_and_logout(self):
        def check(peer):
            peer.send("3", "45=1|58=no")
            peer.probe()
            peer.send("3", "45=1|58=no", sequence=peer.sequence + 5)  # Counted as the next.
            peer.sequence += 1
            peer.probe()
            peer.send("5", sequence=peer.sequence + 5)
            self.expect_logout(peer)
            peer.receive_end()

        self.each(check)

        def low(peer):
            peer.send("5", sequence=1)
            self.expect_logout(peer)
            peer.receive_end()

        self.each(low)


class Resend(EchoCase):
    def open_end(self, peer):
        return "0" if peer.version.number >= 42 else "999999"

    def test_everything(self):
        def check(peer):
            peer.order("A", extra="97=Y|115=C|128=D")
            first = peer.receive("D")
            peer.probe()
            peer.order("B")
            peer.receive("D")
            peer.probe()
            number = peer.sequence
            peer.send("2", f"7=1|16={self.open_end(peer)}")
            fill = peer.receive("4", sequence=1)
            self.assertEqual(fill.tags, [8, 9, 35, 34, 43, 49, 52, 56, 122, 36, 123, 10])
            self.assertEqual((fill[43], fill[122], fill[36], fill[123]), ("Y", fill[52], "2", "Y"))
            again = peer.receive("D", sequence=2)
            self.assertEqual((again[43], again[122], again[97]), ("Y", first[52], "Y"))
            self.assertEqual(again.tags[3:12], [34, 43, 49, 52, 56, 97, 115, 122, 128])
            self.assertEqual(again.body(), first.body())
            self.assertEqual(peer.receive("4", sequence=3)[36], "4")
            self.assertEqual(peer.receive("D", sequence=4)[11], "B")
            self.assertEqual(peer.receive("4", sequence=5)[36], "6")
            self.assertEqual(peer.sequence, number + 1)
            peer.probe()

        self.each(check)

    def test_ranges(self):
        def check(peer):
            for order in "ABC":
                peer.order(order)
                peer.receive("D")
            for begin, end, numbers in ((2, 2, "2"), (3, 4, "34"), (2, 100, "234"), (4, 4, "4")):
                peer.send("2", f"7={begin}|16={end}")
                for number in numbers:
                    self.assertEqual(peer.receive("D", sequence=int(number))[43], "Y")
                if end == 100:
                    self.assertEqual(peer.receive("4", sequence=5)[36], str(peer.expected))
                peer.probe()

        self.each(check)

        def ends(peer):
            """The number that stands for all messages depends on the version."""
            peer.order("A")
            peer.receive("D")
            for end, is_open in (("0", peer.version.number >= 42), ("999999", True)):
                peer.send("2", f"7=2|16={end}")
                if is_open:
                    peer.receive("D", sequence=2)
                    if peer.expected > 3:
                        peer.receive("4", sequence=3)
                peer.probe()

        self.each(ends)

    def test_number_of_the_request(self):
        def check(peer):
            peer.order("A")
            peer.receive("D")
            for number in (1, 3, 50):
                peer.send("2", "7=2|16=2", sequence=number)
                peer.receive("D", sequence=2)
                if number == 3:
                    peer.sequence = 4
            peer.probe()

        self.each(check)


class Timers(EchoCase):
    def test_all_at_once(self):
        """Real time, every version side by side."""
        faults = []

        def run(version):
            peer = Peer(self.echo.port, version)
            try:
                fields = version.logon_fields()
                peer.log_on(fields)
                began = time.monotonic()
                peer.receive("0")  # After 2 s.
                peer.receive("0")  # After 4 s.
                test = peer.receive("1")  # 4.4 s after the last receipt.
                assert test[112] == "TEST", test
                assert 4.2 <= time.monotonic() - began <= 6.5, time.monotonic() - began
                peer.send("0", "112=TEST")
                answered = time.monotonic()
                peer.receive("0")
                peer.receive("0")
                assert peer.receive("1")[112] == "TEST"
                peer.receive_end()  # No Heartbeat while the question is open, and no Logout.
                assert 6.0 <= time.monotonic() - answered <= 10.0, time.monotonic() - answered
            except Exception as fault:  # pylint: disable=broad-except
                faults.append(f"{version.name}: {fault!r}")
            finally:
                peer.close()

        def unanswered_logout(version):
            peer = Peer(self.echo.port, version)
            try:
                peer.log_on("98=0|108=30")
                peer.send("1", "112=X", begin_string="FIX.9.9")
                peer.receive("5")
                began = time.monotonic()
                peer.receive_end()
                assert 1.5 <= time.monotonic() - began <= 4.0, time.monotonic() - began
            except Exception as fault:  # pylint: disable=broad-except
                faults.append(f"{version.name} logout: {fault!r}")
            finally:
                peer.close()

        def no_logon():
            peer = Peer(self.echo.port, VERSIONS[0])
            began = time.monotonic()
            try:
                peer.receive_end()
                assert 8.0 <= time.monotonic() - began <= 13.0, time.monotonic() - began
            except Exception as fault:  # pylint: disable=broad-except
                faults.append(f"no logon: {fault!r}")
            finally:
                peer.close()

        threads = [threading.Thread(target=run, args=(version,)) for version in VERSIONS]
        threads.append(threading.Thread(target=unanswered_logout, args=(VALIDATE,)))
        threads.append(threading.Thread(target=no_logon))
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(faults, [])


class Program(unittest.TestCase):
    def test_fresh_start_and_clean_end(self):
        echo = Echo(PROGRAM)
        peer = Peer(echo.port, VERSIONS[4])
        peer.log_on()
        peer.order("A")
        peer.receive("D")
        peer.close()
        self.assertEqual(echo.stop(), 0)


if __name__ == "__main__":
    unittest.main()
