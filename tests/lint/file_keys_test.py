# SPDX-License-Identifier: MIT
"""Every configuration key of llfix's eleven tables, and the test that sets it to another value than its default and sees
what that does. The keys are written down twice, by table and by test, so that none can be forgotten."""

import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TABLES = [*(ROOT / "src/config").glob("*_keys.cpp"), *(ROOT / "src/config").glob("configuration_keys_*.cpp")]

# As its documentation lists them.
KEYS = {
    "engine": "log_level log_file ignore_sighup management_server_port management_server_nic_ip "
              "management_server_cpu_core_id numa_bind_node numa_aware_allocations lock_pages",
    "client": "cpu_core_id nic_address nic_name primary_address primary_port secondary_address secondary_port "
              "send_try_count socket_rx_size socket_tx_size rx_buffer_capacity tx_encode_buffer_capacity disable_nagle "
              "quick_ack receive_size async_io_timeout_nanoseconds",
    "server": "cpu_core_id accept_port accept_timeout_seconds nic_address nic_name send_try_count socket_rx_size "
              "socket_tx_size rx_buffer_capacity tx_encode_buffer_capacity disable_nagle quick_ack "
              "pending_connection_queue_size receive_size async_io_timeout_nanoseconds max_poll_events",
    "general": "heartbeat_interval_seconds enable_simd_avx2 timestamp_subseconds_precision",
    "header": "begin_string sender_comp_id target_comp_id additional_static_header_tags "
              "include_last_processed_seqnum_in_header",
    "logon and logout": "default_app_ver_id logon_username logon_password logon_message_new_password "
                        "logon_reset_sequence_numbers logon_include_next_expected_seq_no logon_timeout_seconds "
                        "logout_timeout_seconds",
    "validations": "validations_enabled max_allowed_message_age_seconds validate_repeating_groups",
    "resend requests": "replay_messages_on_incoming_resend_request replay_message_cache_initial_size max_resend_range "
                       "include_t97_during_resends outgoing_resend_request_expire_in_secs",
    "throttler": "throttle_window_in_milliseconds throttle_limit throttle_action throttler_reject_message",
    "serialisation": "sequence_store_file_path incoming_message_serialisation_path "
                     "outgoing_message_serialisation_path max_serialised_file_size",
    "scheduler": "schedule_week_days start_hour_utc start_minute_utc end_hour_utc end_minute_utc",
}

GROUPS = "tests/integration/engine_group_keys_test.cpp"
SESSIONS = "tests/integration/engine_session_keys_test.cpp"
THROTTLE = "tests/integration/engine_throttle_test.cpp"
PROGRAMS = "tests/programs/engine_keys_test.py"
PROCESS = "tests/integration/engine_process_settings_test.cpp"

# Where the effect is seen: file, name of the test, keys.
EFFECTS = [
    (PROGRAMS, "test_log_level_and_file", "log_level log_file"),
    (PROGRAMS, "test_ignore_sighup", "ignore_sighup"),
    (PROCESS, "LockedPagesAreLocked", "lock_pages"),
    (PROCESS, "ANumaNodeHasTheProcessAndItsMemory", "numa_bind_node numa_aware_allocations"),
    ("tests/integration/engine_admin_test.cpp", "ThePortIsWhereTheKeysSay",
     "management_server_port management_server_nic_ip management_server_cpu_core_id"),
    (GROUPS, "CpuCoreIdPinsTheThread", "cpu_core_id"),
    (GROUPS, "NicAddressOfAClient", "nic_address"),
    (GROUPS, "SocketsOfAServer",
     "nic_name socket_rx_size socket_tx_size disable_nagle quick_ack"),
    (GROUPS, "BuffersAndBatches", "rx_buffer_capacity tx_encode_buffer_capacity max_poll_events"),
    (GROUPS, "PrimaryAndSecondaryAddress",
     "primary_address primary_port secondary_address secondary_port"),
    (SESSIONS, "SendTryCount", "send_try_count"),
    (GROUPS, "BoundsEveryRead", "receive_size"),
    (GROUPS, "AsyncIoTimeoutNanoseconds", "async_io_timeout_nanoseconds"),
    ("tests/integration/engine_virtual_test.cpp", "AHandWrittenPeerIsAnswered", "accept_port"),
    (SESSIONS, "AcceptTimeoutSeconds", "accept_timeout_seconds"),
    (GROUPS, "PendingConnectionQueueSize", "pending_connection_queue_size"),
    (SESSIONS, "HeartbeatIntervalSeconds", "heartbeat_interval_seconds"),
    (GROUPS, "ASessionsWishForAvx2IsCarriedOut", "enable_simd_avx2"),
    (SESSIONS, "TimestampSubsecondsPrecision", "timestamp_subseconds_precision"),
    (SESSIONS, "BeginStringAndIdentity", "begin_string sender_comp_id target_comp_id"),
    (SESSIONS, "AdditionalStaticHeaderTags", "additional_static_header_tags"),
    (SESSIONS, "IncludeLastProcessedSeqnumInHeader", "include_last_processed_seqnum_in_header"),
    (SESSIONS, "CredentialsAndVersionOfTheLogon",
     "default_app_ver_id logon_username logon_password logon_message_new_password"),
    (SESSIONS, "LogonResetSequenceNumbers", "logon_reset_sequence_numbers"),
    (SESSIONS, "LogonIncludeNextExpectedSeqNo", "logon_include_next_expected_seq_no"),
    (SESSIONS, "LogonTimeoutSeconds", "logon_timeout_seconds"),
    (SESSIONS, "LogoutTimeoutSeconds", "logout_timeout_seconds"),
    (SESSIONS, "ValidationsEnabled", "validations_enabled"),
    (SESSIONS, "MaxAllowedMessageAgeSeconds", "max_allowed_message_age_seconds"),
    (SESSIONS, "ValidateRepeatingGroups", "validate_repeating_groups"),
    (SESSIONS, "ReplayMessagesOnIncomingResendRequest", "replay_messages_on_incoming_resend_request"),
    (SESSIONS, "ReplayMessageCacheInitialSize", "replay_message_cache_initial_size"),
    (SESSIONS, "MaxResendRange", "max_resend_range"),
    (SESSIONS, "IncludeT97DuringResends", "include_t97_during_resends"),
    (SESSIONS, "OutgoingResendRequestExpireInSecs", "outgoing_resend_request_expire_in_secs"),
    (THROTTLE, "MessagesOverTheLimitWaitUnreadAndOthersFlow", "throttle_limit throttle_window_in_milliseconds"),
    (THROTTLE, "RejectedMessagesAreAnsweredCountedAndNotDelivered", "throttle_action throttler_reject_message"),
    (SESSIONS, "OldStorePathsAreWarnedOf",
     "sequence_store_file_path incoming_message_serialisation_path outgoing_message_serialisation_path"),
    (SESSIONS, "MaxSerialisedFileSizeOfAnySizeIsTakenAndRotates", "max_serialised_file_size"),
    (SESSIONS, "ScheduleOfDaysAndHours",
     "schedule_week_days start_hour_utc start_minute_utc end_hour_utc end_minute_utc"),
]


class FileKeys(unittest.TestCase):
    def test_every_key_has_a_test_that_sees_its_effect(self):
        keys = {key for table in KEYS.values() for key in table.split()}
        tested = [key for _, _, names in EFFECTS for key in names.split()]
        self.assertEqual(sorted(keys), sorted(tested))

    def test_those_tests_exist_and_name_their_keys(self):
        for path, test, keys in EFFECTS:
            text = (ROOT / path).read_text()
            self.assertRegex(text, rf"\b(TEST(_F|_P)?\(\w+, |def ){test}\b", path)
            for key in keys.split():
                self.assertIn(key, text, f"{path} says nothing of {key}")

    def test_the_program_knows_them(self):
        text = "".join(table.read_text() for table in TABLES)
        known = set(re.findall(r'"(\w+)"', text))
        for table, keys in KEYS.items():
            self.assertEqual([key for key in keys.split() if key not in known], [], table)


if __name__ == "__main__":
    unittest.main()
