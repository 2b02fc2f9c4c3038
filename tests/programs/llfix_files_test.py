#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Files as they are written for llfix 1.0.5, with every key of its tables: `affix serve` takes them unchanged and trades."""

import os
import socket
import sys
import unittest
from pathlib import Path

import fix_peer
from serve_fixture import TIMEOUT, ServeTest

ServeTest.affix = sys.argv.pop(1)
DICTIONARIES = Path(__file__).resolve().parents[2] / "dictionaries"

ENGINE = """###########################################################
# LLFIX SINGLETON ENGINE
[ENGINE]
log_level=DEBUG
log_file=log
ignore_sighup=true
management_server_port=0
management_server_nic_ip=127.0.0.1
management_server_cpu_core_id=-1
numa_bind_node=-1
numa_aware_allocations=false
lock_pages=false
logger_async=true
logger_buffer_capacity=65536
"""
INSTANCE = """cpu_core_id=0
nic_address=127.0.0.1
nic_name=
send_try_count=1024
socket_rx_size=131072
socket_tx_size=131072
rx_buffer_capacity=65536
tx_encode_buffer_capacity=65536
disable_nagle=false
quick_ack=true
receive_size=8192
async_io_timeout_nanoseconds=1000000
spin_count=1
busy_poll_microseconds=0
nic_ringbuffer_tx_size=2048
nic_ringbuffer_rx_size=4096
starts_as_primary_instance=true
refresh_resend_cache_during_promotion=true
use_ssl=false
ssl_version=TLS12
ssl_cipher_suite=
ssl_certificate_pem_file=
ssl_private_key_pem_file=
ssl_private_key_password=
ssl_ca_pem_file=
ssl_verify_peer=false
"""
SERVER = """
# FIXSERVER INSTANCE
[EXAMPLE_SERVER]
accept_port=0
accept_timeout_seconds=4
pending_connection_queue_size=16
max_poll_events=32
worker_thread_count=1
ssl_crl_path=
"""
CLIENT = """
# FIXCLIENT INSTANCE
[EXAMPLE_CLIENT]
primary_address=127.0.0.1
primary_port={port}
secondary_address=
secondary_port=
connect_timeout_seconds=3
"""
SESSION = """
# SESSIONS
[{name}]
#journal_path=commented out
heartbeat_interval_seconds=20
enable_simd_avx2=true
timestamp_subseconds_precision=MICRO
begin_string=FIXT.1.1
sender_comp_id={sender}
target_comp_id={target}
additional_static_header_tags=50=SNDR_SUB,57=SRVR_SUB
include_last_processed_seqnum_in_header=true
default_app_ver_id=7
logon_username=us#er
logon_password=pa#ss=x
logon_message_new_password=next
logon_reset_sequence_numbers=true
logon_include_next_expected_seq_no=true
logon_timeout_seconds=7
logout_timeout_seconds=6
validations_enabled=true
max_allowed_message_age_seconds=0
validate_repeating_groups=false
replay_messages_on_incoming_resend_request=true
replay_message_cache_initial_size=20480
max_resend_range=500
include_t97_during_resends=true
outgoing_resend_request_expire_in_secs=10
outgoing_test_request_interval_multiplier=2
application_dictionary_path={folder}/FIX50.xml
transport_dictionary_path={folder}/FIXT11.xml
dictionary_validations_enabled=true
throttle_window_in_milliseconds=500
throttle_limit=1000
throttle_action=WAIT
throttler_reject_message=Too fast
sequence_store_file_path=client1/sequence.store
incoming_message_serialisation_path=client1/messages_incoming
outgoing_message_serialisation_path=client1/messages_outgoing
max_serialised_file_size=4096
schedule_week_days=1-2-3-4-5-6-7
start_hour_utc=-1
start_minute_utc=0
end_hour_utc=17
end_minute_utc=30
"""


class LlfixFiles(ServeTest):
    def setUp(self):
        super().setUp()
        # Their paths are relative, and ours too where they say nothing.
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.directory)

    def assert_logged(self):
        log = self.read("log")
        self.assertNotIn("ERROR", log)
        warned = [line.split("key '")[1].split("'")[0] for line in log.splitlines() if "has no effect" in line]
        self.assertEqual(warned, ["sequence_store_file_path", "incoming_message_serialisation_path",
                                  "outgoing_message_serialisation_path", "start_minute_utc", "end_hour_utc", "end_minute_utc"])

    def test_a_server_file_trades(self):
        served = self.serve(ENGINE + SERVER + INSTANCE + SESSION.format(folder=DICTIONARIES, name="SESSION1", sender="EXECUTOR", target="CLIENT1"))
        peer = fix_peer.FixPeer.connect(served.port, "CLIENT1", "EXECUTOR")
        peer.begin_string = "FIXT.1.1"
        self.addCleanup(peer.close)
        peer.send("A", [(98, 0), (108, 20), (141, "Y"), (553, "us#er"), (554, "pa#ss=x"), (789, 1), (1137, 7)])
        logon = peer.wait("A")
        self.assertEqual((logon[50], logon[57], logon[369], logon[1137]), ("SNDR_SUB", "SRVR_SUB", "1", "7"))
        peer.order("ONE", (60, "20260105-09:00:00"))
        echo = peer.wait("D")
        self.assertEqual((echo[11], echo[50], len(echo[52])), ("ONE", "SNDR_SUB", len("20260105-09:00:00.000000")))
        peer.send("2", [(7, 2), (16, 0)])
        again = peer.wait("D")
        self.assertEqual((again[43], again[97], again[57]), ("Y", "Y", "SRVR_SUB"))
        peer.log_out()
        self.assertEqual(served.stop(), 0)
        self.assert_logged()
        self.assertFalse(os.path.exists("client1"))

    def test_a_client_file_trades(self):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            listener.settimeout(TIMEOUT)
            served = self.serve(ENGINE + CLIENT.format(port=listener.getsockname()[1]) + INSTANCE +
                                SESSION.format(folder=DICTIONARIES, name="EXAMPLE_SESSION", sender="CLIENT1", target="EXECUTOR"))
            connection, _ = listener.accept()
            venue = fix_peer.FixPeer(connection, "EXECUTOR", "CLIENT1", "FIXT.1.1")
            self.addCleanup(venue.close)
            logon = venue.wait("A")
            self.assertEqual([logon[tag] for tag in (50, 57, 108, 141, 553, 554, 789, 925, 1137)],
                             ["SNDR_SUB", "SRVR_SUB", "20", "Y", "us#er", "pa#ss=x", "1", "next", "7"])
            venue.send("A", [(98, 0), (108, 20), (141, "Y"), (789, 2), (1137, 7)])
            venue.send("1", [(112, "UP")])
            self.assertEqual(venue.wait("0")[112], "UP")
            served.process.terminate()
            venue.wait("5")
            venue.send("5")
            self.assertEqual(venue.ended(), [])
            venue.close()
            self.assertEqual(served.wait(), 0)
        self.assert_logged()


if __name__ == "__main__":
    unittest.main()
