#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`affix import-quickfix` as its users run it: every setting of its table has the effect that the table says, files of
both roles are taken over whole or not at all, and wrong or lost settings are listed with their lines."""

import re
import subprocess
import sys
import unittest
from pathlib import Path

import program_fixture

AFFIX = sys.argv.pop(1)
PAGE = Path(__file__).resolve().parents[2] / "docs/reference/import-quickfix.md"

INITIATOR = """ConnectionType=initiator
BeginString={version}
SenderCompID=FIRM
TargetCompID=VENUE
HeartBtInt=30
SocketConnectHost=127.0.0.1
SocketConnectPort=5001
StartTime=00:00:00
EndTime=00:00:00
UseDataDictionary=N
"""
ACCEPTOR = """ConnectionType=acceptor
BeginString={version}
SenderCompID=VENUE
TargetCompID=FIRM
SocketAcceptPort=5001
StartTime=00:00:00
EndTime=00:00:00
UseDataDictionary=N
"""
TLS_INITIATOR = INITIATOR + "SocketUseSSL=Y\n"
TLS_ACCEPTOR = ACCEPTOR + "SocketUseSSL=Y\nServerCertificateFile=own.pem\n"

# Trials of a setting: lines that replace or extend the role's own, and the lines that the output must have then.
TRIALS = {
    "BeginString": (INITIATOR, "BeginString=FIX.4.2", "begin_string=FIX.4.2"),
    "SenderCompID": (INITIATOR, "SenderCompID=X", "sender_comp_id=X"),
    "TargetCompID": (INITIATOR, "TargetCompID=X", "target_comp_id=X"),
    "SenderSubID": (INITIATOR, "SenderSubID=X", "sender_sub_id=X"),
    "SenderLocationID": (INITIATOR, "SenderLocationID=X", "sender_location_id=X"),
    "TargetSubID": (INITIATOR, "TargetSubID=X", "target_sub_id=X"),
    "TargetLocationID": (INITIATOR, "TargetLocationID=X", "target_location_id=X"),
    "SessionQualifier": (INITIATOR, "SessionQualifier=a/b", "journal_path=journal/a_b"),
    "DefaultApplVerID": (INITIATOR, "BeginString=FIXT.1.1\nDefaultApplVerID=FIX.5.0SP2", "default_app_ver_id=9"),
    "ConnectionType": (ACCEPTOR, "ConnectionType=ACCEPTOR", "type=server"),
    "Description": (INITIATOR, "Description=the desk", "# the desk"),
    "TimeZone": (INITIATOR, "TimeZone=Asia/Tokyo", "schedule_time_zone=Asia/Tokyo"),
    "UseLocalTime": (INITIATOR, "UseLocalTime=Y", "schedule_time_zone=Europe/Zurich"),
    "StartTime": (INITIATOR, "StartTime=08:00:00\nEndTime=17:00:00", "schedule_windows=08:00:00-17:00:00"),
    "EndTime": (INITIATOR, "EndTime=17:00:00", "schedule_windows=00:00:00-17:00:00"),
    "StartDay": (INITIATOR, "StartDay=sun\nEndDay=friday\nStartTime=17:00:00\nEndTime=16:00:00",
                 "schedule_windows=SUN 17:00:00-FRI 16:00:00"),
    "EndDay": (INITIATOR, "StartDay=mo\nEndDay=tu\nEndTime=01:00:00", "schedule_windows=MON 00:00:00-TUE 01:00:00"),
    "Weekdays": (INITIATOR, "Weekdays=Mon,Wed\nEndTime=01:00:00",
                 "schedule_windows=MON 00:00:00-01:00:00,WED 00:00:00-01:00:00"),
    "LogonTime": (INITIATOR, "LogonTime=09:00:00", "schedule_windows=09:00:00-00:00:00"),
    "LogoutTime": (INITIATOR, "LogoutTime=18:00:00", "schedule_windows=00:00:00-18:00:00"),
    "LogonDay": (INITIATOR, "LogonDay=mon\nLogoutDay=fri", "schedule_windows=MON 00:00:00-FRI 00:00:00"),
    "LogoutDay": (INITIATOR, "LogonDay=mon\nLogoutDay=sat", "schedule_windows=MON 00:00:00-SAT 00:00:00"),
    "NonStopSession": (INITIATOR, "NonStopSession=Y", "!schedule_windows"),
    "ResetSeqTime": (INITIATOR, "EnableResetSeqTime=Y\nResetSeqTime=22:00:00", "daily_reset_utc=22:00:00"),
    "EnableResetSeqTime": (INITIATOR, "EnableResetSeqTime=N\nResetSeqTime=22:00:00", "!daily_reset_utc"),
    "MillisecondsInTimeStamp": (INITIATOR, "MillisecondsInTimeStamp=N", "timestamp_subseconds_precision=NONE"),
    "TimestampPrecision": (INITIATOR, "TimestampPrecision=5", "timestamp_subseconds_precision=MICRO"),
    "TimeStampPrecision": (INITIATOR, "TimeStampPrecision=NANOS", "timestamp_subseconds_precision=NANO"),
    "ClosedResendInterval": (INITIATOR, "ClosedResendInterval=Y", "resend_request_end=GAP"),
    "ResendRequestChunkSize": (INITIATOR, "ResendRequestChunkSize=7", "max_resend_range=7"),
    "MaxMessagesInResendRequest": (INITIATOR, "MaxMessagesInResendRequest=8", "max_resend_range=8"),
    "IgnorePossDupResendRequests": (INITIATOR, "IgnorePossDupResendRequests=Y", "repeated_resend_request=DISCARDED"),
    "ResetOnLogon": (INITIATOR, "ResetOnLogon=Y", "logon_reset_sequence_numbers=true"),
    "ResetOnLogout": (INITIATOR, "ResetOnLogout=Y", "reset_on_logout=true"),
    "ResetOnDisconnect": (INITIATOR, "ResetOnDisconnect=Y", "reset_on_disconnect=true"),
    "UseDataDictionary": (INITIATOR, "UseDataDictionary=N\nDataDictionary=d.xml", "!dictionary="),
    "DataDictionary": (INITIATOR, "UseDataDictionary=Y\nDataDictionary=d.xml", "dictionary=d.xml"),
    "TransportDataDictionary": (INITIATOR, "BeginString=FIXT.1.1\nDefaultApplVerID=9\nUseDataDictionary=Y\n"
                                "TransportDataDictionary=t.xml\nAppDataDictionary=a.xml", "transport_dictionary=t.xml"),
    "AppDataDictionary": (INITIATOR, "BeginString=FIXT.1.1\nDefaultApplVerID=9\nUseDataDictionary=Y\n"
                          "TransportDataDictionary=t.xml\nAppDataDictionary=a.xml", "dictionary=a.xml"),
    "AppDataDictionary.<v>": (INITIATOR, "BeginString=FIXT.1.1\nDefaultApplVerID=9\nUseDataDictionary=Y\n"
                              "TransportDataDictionary=t.xml\nAppDataDictionary=a.xml\nAppDataDictionary.FIX.4.4=f.xml",
                              "further_dictionaries=f.xml"),
    "ValidateFieldsOutOfOrder": (INITIATOR, "ValidateFieldsOutOfOrder=N", "validation_rules=section_order:OFF"),
    "ValidateFieldsHaveValues": (INITIATOR, "ValidateFieldsHaveValues=N", "validation_rules=empty_value:OFF"),
    "ValidateUserDefinedFields": (INITIATOR, "ValidateUserDefinedFields=N", "validation_rules=user_defined_tag:OFF"),
    "ValidateUnorderedGroupFields": (INITIATOR, "ValidateUnorderedGroupFields=Y", "validation_rules=group_order:REJECT"),
    "ValidateIncomingMessage": (INITIATOR, "ValidateIncomingMessage=N", "validations_enabled=false"),
    "AllowUnknownMsgFields": (INITIATOR, "AllowUnknownMsgFields=Y", "validation_rules=unknown_tag:OFF,tag_not_allowed:OFF"),
    "AllowUnknownEnumValues": (INITIATOR, "AllowUnknownEnumValues=Y", "validation_rules=value_not_listed:OFF"),
    "CheckLatency": (INITIATOR, "CheckLatency=N", "max_allowed_message_age_seconds=0"),
    "MaxLatency": (INITIATOR, "MaxLatency=9", "max_allowed_message_age_seconds=9"),
    "RejectGarbledMessage": (INITIATOR, "RejectGarbledMessage=Y", "malformed_fields=REJECT"),
    "RejectInvalidMessage": (INITIATOR, "RejectInvalidMessage=N", "required_missing:WARN"),
    "HeartBtInt": (INITIATOR, "HeartBtInt=17", "heartbeat_interval_seconds=17"),
    "TestRequestDelayMultiplier": (INITIATOR, "TestRequestDelayMultiplier=0.5", "receive_grace_percent=50"),
    "DisableHeartBeatCheck": (INITIATOR, "DisableHeartBeatCheck=Y", "receive_grace_percent=1000"),
    "EnableLastMsgSeqNumProcessed": (INITIATOR, "EnableLastMsgSeqNumProcessed=Y",
                                     "include_last_processed_seqnum_in_header=true"),
    "EnableNextExpectedMsgSeqNum": (INITIATOR, "EnableNextExpectedMsgSeqNum=Y", "logon_include_next_expected_seq_no=true"),
    "SendNextExpectedMsgSeqNum": (INITIATOR, "SendNextExpectedMsgSeqNum=Y", "logon_include_next_expected_seq_no=true"),
    "LogonTag": (INITIATOR, "LogonTag=553=me", "logon_username=me"),
    "LogonTag<n>": (INITIATOR, "LogonTag1=554=pw=d", "logon_password=pw=d"),
    "LogonTimeout": (INITIATOR, "LogonTimeout=11", "logon_timeout_seconds=11"),
    "LogoutTimeout": (INITIATOR, "LogoutTimeout=12", "logout_timeout_seconds=12"),
    "ReconnectInterval": (INITIATOR, "ReconnectInterval=5;3*10;60", "reconnect_milliseconds=5000\nreconnect_milliseconds_max=60000"),
    "SocketConnectHost": (INITIATOR, "SocketConnectHost=::1", "primary_address=::1"),
    "SocketConnectPort": (INITIATOR, "SocketConnectPort=7", "primary_port=7"),
    "SocketConnectHost<n>": (INITIATOR, "SocketConnectHost1=h1\nSocketConnectPort1=1\nSocketConnectHost2=::2\nSocketConnectPort2=2\n"
                             "SocketConnectHost3=h3\nSocketConnectPort3=3",
                             "secondary_address=h1\nsecondary_port=1\nfurther_addresses=[::2]:2,h3:3"),
    "SocketConnectPort<n>": (INITIATOR, "SocketConnectHost1=h1\nSocketConnectPort1=9", "secondary_port=9"),
    "SocketConnectTimeout": (INITIATOR, "SocketConnectTimeout=3", "connect_timeout_milliseconds=3000"),
    "SocketTimeout": (INITIATOR, "SocketTimeout=4s", "connect_timeout_milliseconds=4000"),
    "SocketConnectSourceHost": (INITIATOR, "SocketConnectSourceHost=127.0.0.2", "nic_address=127.0.0.2"),
    "SocketLocalHost": (INITIATOR, "SocketLocalHost=127.0.0.3", "nic_address=127.0.0.3"),
    "SocketAcceptPort": (ACCEPTOR, "SocketAcceptPort=6", "accept_port=6"),
    "SocketAcceptAddress": (ACCEPTOR, "SocketAcceptAddress=127.0.0.4", "nic_address=127.0.0.4"),
    "AcceptorTemplate": (ACCEPTOR, "AcceptorTemplate=Y\nTargetCompID=*", "acceptor_template=true"),
    "AllowedRemoteAddresses": (ACCEPTOR, "AllowedRemoteAddresses=127.0.0.1,10.0.0.7",
                               "allowed_peer_addresses=127.0.0.1,10.0.0.7"),
    "SocketAcceptHost": (ACCEPTOR, "SocketAcceptHost=127.0.0.5", "nic_address=127.0.0.5"),
    "SocketNodelay": (INITIATOR, "SocketNodelay=N", "disable_nagle=false"),
    "SocketTcpNoDelay": (ACCEPTOR, "SocketTcpNoDelay=N", "disable_nagle=false"),
    "SocketSendBufferSize": (INITIATOR, "SocketSendBufferSize=4096", "socket_tx_size=4096"),
    "SocketReceiveBufferSize": (ACCEPTOR, "SocketReceiveBufferSize=8192", "socket_rx_size=8192"),
    "SendBufferSize": (INITIATOR, "SendBufferSize=4096", "socket_tx_size=4096"),
    "ReceiveBufferSize": (INITIATOR, "ReceiveBufferSize=8192", "socket_rx_size=8192"),
    "SocketUseSSL": (INITIATOR, "SocketUseSSL=Y", "tls=ON"),
    "SSLEnable": (INITIATOR, "SSLEnable=Y", "tls=ON"),
    "SSLProtocol": (TLS_INITIATOR, "SSLProtocol=all -SSLv2", "tls_version_min=TLS1.2"),
    "SSLProtocols": (TLS_INITIATOR, "SSLProtocols=Tls12", "tls_version_max=TLS1.2"),
    "EnabledProtocols": (TLS_INITIATOR, "EnabledProtocols=TLSv1.3", "tls_version_min=TLS1.3"),
    "SocketMinimumTLSVersion": (TLS_INITIATOR, "SocketMinimumTLSVersion=TLS12", "tls_version_min=TLS1.2"),
    "SSLCipherSuite": (TLS_INITIATOR, "SSLCipherSuite=HIGH:!RC4", "tls_ciphers=HIGH:!RC4"),
    "CipherSuites": (TLS_INITIATOR, "CipherSuites=TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,TLS_AES_128_GCM_SHA256",
                     "tls_ciphers=ECDHE-RSA-AES128-GCM-SHA256\ntls_cipher_suites=TLS_AES_128_GCM_SHA256"),
    "ServerCertificateFile": (ACCEPTOR, "ServerCertificateFile=s.pem", "tls_certificate_file=s.pem\ntls_key_file=s.pem"),
    "ServerCertificateKeyFile": (TLS_ACCEPTOR, "ServerCertificateKeyFile=s.key", "tls_key_file=s.key"),
    "ClientCertificateFile": (INITIATOR, "ClientCertificateFile=c.pem", "tls_certificate_file=c.pem"),
    "ClientCertificateKeyFile": (INITIATOR, "ClientCertificateFile=c.pem\nClientCertificateKeyFile=c.key", "tls_key_file=c.key"),
    "CertificationAuthoritiesFile": (INITIATOR, "CertificationAuthoritiesFile=ca.pem", "tls_ca_file=ca.pem"),
    "CertificationAuthoritiesDirectory": (INITIATOR, "CertificationAuthoritiesDirectory=ca", "tls_ca_path=ca"),
    "CertificateRevocationListFile": (TLS_INITIATOR, "CertificateRevocationListFile=crl.pem", "tls_crl_file=crl.pem"),
    "CertificateVerifyLevel": (TLS_ACCEPTOR, "CertificateVerifyLevel=1", "tls_peer_proof=CERTIFICATE"),
    "SocketKeyStore": (TLS_INITIATOR, "SocketKeyStore=a.d/b.jks", "tls_certificate_file=a.d/b.pem"),
    "SocketTrustStore": (TLS_INITIATOR, "SocketTrustStore=ca.jks", "tls_ca_file=ca.pem"),
    "NeedClientAuth": (TLS_ACCEPTOR, "NeedClientAuth=Y", "tls_peer_proof=CERTIFICATE"),
    "EndpointIdentificationAlgorithm": (TLS_INITIATOR, "EndpointIdentificationAlgorithm=HTTPS", "tls_check_server_name=true"),
    "SNIHostName": (TLS_INITIATOR, "SNIHostName=v", "tls_server_name=v"),
    "SSLServerName": (TLS_INITIATOR, "SSLServerName=v", "tls_server_name=v"),
    "SSLValidateCertificates": (TLS_INITIATOR, "SSLValidateCertificates=N", "tls_peer_proof=NONE"),
    "SSLCertificate": (TLS_INITIATOR, "SSLCertificate=own.pfx", "tls_key_file=own.pem"),
    "SSLCACertificate": (TLS_INITIATOR, "SSLCACertificate=ca.cer", "tls_ca_file=ca.cer"),
    "SSLRequireClientCertificate": (TLS_ACCEPTOR, "SSLRequireClientCertificate=Y", "tls_peer_proof=CERTIFICATE"),
    "SocketPrivateKeyFile": (TLS_INITIATOR, "SocketCertificateFile=g.pem\nSocketPrivateKeyFile=g.key", "tls_key_file=g.key"),
    "SocketCertificateFile": (TLS_INITIATOR, "SocketCertificateFile=g.pem", "tls_certificate_file=g.pem"),
    "SocketCAFile": (TLS_INITIATOR, "SocketCAFile=gca.pem", "tls_ca_file=gca.pem"),
    "SocketInsecureSkipVerify": (TLS_INITIATOR, "SocketInsecureSkipVerify=Y", "tls_peer_proof=NONE"),
    "SocketServerName": (TLS_INITIATOR, "SocketServerName=v", "tls_server_name=v"),
    "PersistMessages": (INITIATOR, "PersistMessages=N", "max_serialised_file_size=0"),
    "FileStorePath": (INITIATOR, "FileStorePath=store", "journal_path=store"),
    "FileStoreSync": (INITIATOR, "FileStoreSync=Y", "durability=sync"),
    "FileLogPath": (INITIATOR, "FileLogPath=.", "log_file=./affix.log"),
}


class Import(program_fixture.ProgramTest):
    def setUp(self):
        super().setUp()
        self.file = self.folder / "settings.cfg"

    def run_tool(self, text, *arguments):
        self.file.write_text(text)
        run = subprocess.run([AFFIX, "import-quickfix", str(self.file), "--time-zone", "Europe/Zurich", *arguments],
                             capture_output=True, text=True, timeout=60, check=False, cwd=self.folder)
        return run.returncode, run.stdout, run.stderr

    def imported(self, text):
        code, out, remarks = self.run_tool(text)
        self.assertEqual(code, 0, remarks)
        return out, remarks

    @staticmethod
    def rows():
        text = subprocess.run([AFFIX, "import-quickfix", "--settings"], capture_output=True, text=True, timeout=60,
                              check=True).stdout
        return text, re.findall(r"^\| `([^`]+)` \| [^|]+ \| ([^|]+) \| ([^|]*) \| (.*) \|$", text, re.MULTILINE)

    @staticmethod
    def merged(role, lines):
        names = {line.partition("=")[0].lower() for line in lines.splitlines()}
        kept = [line for line in role.format(version="FIX.4.4").splitlines() if line.partition("=")[0].lower() not in names]
        return "[DEFAULT]\n" + "\n".join(kept) + "\n[SESSION]\n" + lines + "\n"

    def test_the_page_has_the_table(self):
        text, rows = self.rows()
        self.assertGreater(len(rows), 200)
        self.assertIn(text, PAGE.read_text())

    def test_every_setting_that_is_carried_over_is(self):
        _, rows = self.rows()
        carried = {name for name, fate, _, _ in rows if fate != "no"}
        self.assertEqual(sorted(carried), sorted(TRIALS))
        for name, (role, lines, expected) in TRIALS.items():
            with self.subTest(name):
                out, remarks = self.imported(self.merged(role, lines))
                if expected.startswith("!"):
                    self.assertNotIn("\n" + expected[1:], out)
                else:
                    self.assertIn(expected + "\n" if "WARN" not in expected else expected, out)
                self.assertNotIn("Unknown:", remarks)

    def test_every_setting_that_is_not_carried_over_is_listed_with_its_line(self):
        _, rows = self.rows()
        left = [name for name, fate, _, _ in rows if fate == "no"]
        templates = {"DynamicSession", "DynamicSessions"}
        lines = "\n".join(f"{name}=7" for name in left if name not in templates)
        lines = lines.replace("SocketConnectProtocol=7", "SocketConnectProtocol=tcp").replace(
            "SocketAcceptProtocol=7", "SocketAcceptProtocol=tcp")
        out, remarks = self.imported(self.merged(INITIATOR, lines))
        text = self.file.read_text().splitlines()
        for name in left:
            if name not in templates and not name.endswith("Protocol"):
                self.assertRegex(remarks, rf"settings.cfg:{text.index(f'{name}=7') + 1}: {re.escape(name)}: ")
        self.assertIn("not carried over: RefreshOnLogon:", out)

    def test_a_setting_equal_to_our_behaviour_is_not_listed(self):
        _, remarks = self.imported(self.merged(INITIATOR, "CheckCompID=Y\nRefreshOnLogon=N\nValidateLengthAndChecksum=Y"))
        self.assertEqual(remarks, "1 initiator sessions, 0 acceptor sessions\n")

    def test_a_file_of_both_roles_shares_endpoints(self):
        out, remarks = self.imported("""[default]
beginstring=FIX.4.4
UseDataDictionary=N
NonStopSession=Y
HeartBtInt=30
[session]
ConnectionType=acceptor
SenderCompID=V
TargetCompID=A
SocketAcceptPort=5001
[session]
ConnectionType=acceptor
SenderCompID=V
TargetCompID=B
SocketAcceptPort=5001
[session]
ConnectionType=acceptor
SenderCompID=V
TargetCompID=A
SocketAcceptPort=5002
[session]
ConnectionType=initiator
SenderCompID=F
TargetCompID=X
SocketConnectHost=h
SocketConnectPort=1
SessionQualifier=one
[session]
ConnectionType=initiator
SenderCompID=F
TargetCompID=X
SocketConnectHost=h
SocketConnectPort=1
SessionQualifier=two
[session]
ConnectionType=initiator
SenderCompID=F
TargetCompID=Y
SocketConnectHost=h
SocketConnectPort=1
""")
        self.assertEqual(re.findall(r"^instance=(\w+)$", out, re.MULTILINE),
                         ["SERVER_1", "SERVER_1", "SERVER_2", "CLIENT_1", "CLIENT_2", "CLIENT_1"])
        self.assertEqual(re.findall(r"^\[(.*)\]$", out, re.MULTILINE),
                         ["ENGINE", "SERVER_1", "SERVER_2", "CLIENT_1", "CLIENT_2", "FIX.4.4-V-A", "FIX.4.4-V-B",
                          "FIX.4.4-V-A_2", "FIX.4.4-F-X-one", "FIX.4.4-F-X-two", "FIX.4.4-F-Y"])
        self.assertEqual(out.count("journal_path=journal/FIX.4.4-V-A_2\n"), 1)
        self.assertIn("3 initiator sessions, 3 acceptor sessions", remarks)

    def test_wrong_files_are_refused_whole_with_every_line(self):
        code, out, remarks = self.run_tool("""[DEFAULT]
ConnectionType=broker
Password=topsecret
HeartBtInt=thirty
[SESSION]
BeginString=FIX.9.9
SenderCompID=A
[SESSION]
ConnectionType=initiator
BeginString=FIX.4.2
SenderCompID=A
TargetCompID=B
SocketConnectHost=h
SocketConnectPort=99999
StartTime=25:00:00
EndTime=10:00:00
ResetOnLogon=perhaps
LogonTag=topsecret
[SESSION]
BeginString=FIX.4.2
SenderCompID=A
TargetCompID=C
""")
        self.assertEqual((code, out), (1, ""))
        for line, code in ((2, "Q104"), (4, "Q104"), (5, "Q104"), (6, "Q104"), (14, "Q104"), (15, "Q108"), (17, "Q104"), (18, "Q104")):
            self.assertRegex(remarks, rf"(?m)settings.cfg:{line}: .* \[{code}\]$")
        self.assertIn("nothing is written", remarks)
        self.assertNotIn("topsecret", remarks)

    def test_values_that_our_parser_refuses_are_reported_at_their_setting(self):
        text = "[DEFAULT]\n" + INITIATOR.format(version="FIX.4.4") + "[SESSION]\nTimeZone=Mars/Olympus\n"
        line = text[:text.index("TimeZone")].count("\n") + 1
        code, out, remarks = self.run_tool(text)
        self.assertEqual((code, out), (1, ""))
        self.assertRegex(remarks, rf"(?m)settings.cfg:{line}: TimeZone: .*Mars/Olympus.* \[C\d\d\d\]$")
        self.assertNotIn("configuration:", remarks)

    def test_two_sessions_that_a_logon_does_not_tell_apart_are_refused(self):
        for role in (ACCEPTOR, INITIATOR):
            text = "[DEFAULT]\n" + role.format(version="FIX.4.4") + "[SESSION]\n[SESSION]\n"
            code, _, remarks = self.run_tool(text)
            self.assertEqual(code, 1)
            self.assertIn("[Q105]", remarks)

    def test_secrets_are_written_where_they_belong_and_printed_nowhere(self):
        out, remarks = self.imported(self.merged(INITIATOR, "LogonTag=554=hidden\nJdbcPassword=hidden2\nMySQLStorePassword=hidden3\n"
                                                         "LogonTag1=96=hidden4"))
        self.assertEqual(out.count("hidden"), 1)
        self.assertNotIn("hidden", remarks)

    def test_templates_without_a_pattern_are_left_out_and_listed(self):
        text = self.merged(ACCEPTOR, "") + "[SESSION]\nDynamicSession=Y\nTargetCompID=*\n"
        out, remarks = self.imported(text)
        self.assertNotIn("target_comp_id=*", out)
        self.assertIn("DynamicSession: ", remarks)
        self.assertRegex(remarks, r":12: this \[SESSION\] .* \[Q103\]\n")

    def test_a_template_becomes_one(self):
        text = self.merged(ACCEPTOR, "") + "[SESSION]\nAcceptorTemplate=Y\nTargetCompID=*\n"
        out, remarks = self.imported(text)
        self.assertIn("acceptor_template=true", out)
        self.assertIn("target_comp_id=*", out)
        self.assertNotIn("left out", remarks)

    def test_a_file_that_exists_is_replaced_only_on_demand(self):
        target = self.folder / "affix.cfg"
        text = self.merged(INITIATOR, "")
        self.assertEqual(self.run_tool(text, "--out", str(target))[0], 0)
        first = target.read_text()
        self.assertIn("profile=quickfix", first)
        target.write_text("mine")
        code, _, remarks = self.run_tool(text, "--out", str(target))
        self.assertEqual((code, target.read_text()), (2, "mine"))
        self.assertIn("exists", remarks)
        self.assertEqual(self.run_tool(text, "--out", str(target), "--overwrite")[0], 0)
        self.assertEqual(target.read_text(), first)

    def test_files_that_cannot_be_read_are_reported(self):
        run = subprocess.run([AFFIX, "import-quickfix", str(self.folder / "none.cfg")], capture_output=True, text=True,
                             timeout=60, check=False)
        self.assertEqual(run.returncode, 2)
        self.assertIn("none.cfg", run.stderr)

    def test_a_file_is_read_up_to_a_limit(self):
        limit = 16 << 20
        self.file.write_text("#" * (limit + 1))
        for path in ("/dev/zero", str(self.file)):
            with self.subTest(path=path):
                run = subprocess.run([AFFIX, "import-quickfix", path], capture_output=True, text=True, timeout=60, check=False)
                self.assertEqual((run.returncode, run.stdout), (2, ""))
                self.assertRegex(run.stderr, rf"\A{re.escape(str(path))}: .* 16 MiB \[Q101\]\n\Z")
        start = INITIATOR.format(version="FIX.4.4") + "[SESSION]\n"
        code, out, remarks = self.run_tool("[DEFAULT]\n" + start + "#" * (limit - len("[DEFAULT]\n" + start)))
        self.assertEqual(code, 0, remarks)
        self.assertIn("target_comp_id=VENUE", out)

    def test_warnings_have_their_codes(self):
        out, remarks = self.imported(self.merged(INITIATOR, "HeartBtInt=100000\nMisspelt=1\nStartDay=mon\nEndDay=mon\nEndTime=01:00:00"))
        for code in ("Q103", "Q106", "Q109"):
            self.assertRegex(remarks, rf"(?m)settings.cfg:\d+: .* \[{code}\]$")
            self.assertRegex(out, rf"(?m)^# line \d+, .* \[{code}\]$")

    def test_garbage_is_refused_without_harm(self):
        for text in ("", "[", "[]", "=", "[SESSION", "\x01\x02", "[SESSION]\n" * 50, "[DEFAULT]\n[DEFAULT]\nA=" + "x" * 100000):
            code, out, _ = self.run_tool(text)
            self.assertEqual((code, out), (1, ""), text[:20])

    def test_built_in_dictionaries_are_named_by_their_folder(self):
        text = self.merged(INITIATOR, "UseDataDictionary=Y\nBeginString=FIXT.1.1\nDefaultApplVerID=8")
        out, remarks = self.imported(text)
        self.assertNotIn("dictionary=", out)
        self.assertRegex(remarks, r"(?m)--dictionaries.* \[Q107\]$")
        code, out, _ = self.run_tool(text, "--dictionaries", "etc")
        self.assertEqual(code, 0)
        self.assertIn("transport_dictionary=etc/FIXT11.xml\ndictionary=etc/FIX50SP1.xml\n", out)


if __name__ == "__main__":
    unittest.main()
