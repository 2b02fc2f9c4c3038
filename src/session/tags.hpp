// SPDX-License-Identifier: MIT
// Tags and message types that the session protocol itself reads and writes.
#pragma once

#include "affix/wire/msg_type.hpp"

#include <cstdint>

namespace affix::inline v0::session::tag {

inline constexpr std::uint32_t begin_seq_no = 7;
inline constexpr std::uint32_t begin_string = 8;
inline constexpr std::uint32_t body_length = 9;
inline constexpr std::uint32_t check_sum = 10;
inline constexpr std::uint32_t end_seq_no = 16;
inline constexpr std::uint32_t msg_seq_num = 34;
inline constexpr std::uint32_t msg_type = 35;
inline constexpr std::uint32_t new_seq_no = 36;
inline constexpr std::uint32_t poss_dup_flag = 43;
inline constexpr std::uint32_t ref_seq_num = 45;
inline constexpr std::uint32_t sender_comp_id = 49;
inline constexpr std::uint32_t sender_sub_id = 50;
inline constexpr std::uint32_t sending_time = 52;
inline constexpr std::uint32_t target_comp_id = 56;
inline constexpr std::uint32_t target_sub_id = 57;
inline constexpr std::uint32_t text = 58;
inline constexpr std::uint32_t poss_resend = 97;
inline constexpr std::uint32_t encrypt_method = 98;
inline constexpr std::uint32_t heart_bt_int = 108;
inline constexpr std::uint32_t test_req_id = 112;
inline constexpr std::uint32_t on_behalf_of_comp_id = 115;
inline constexpr std::uint32_t on_behalf_of_sub_id = 116;
inline constexpr std::uint32_t orig_sending_time = 122;
inline constexpr std::uint32_t gap_fill_flag = 123;
inline constexpr std::uint32_t deliver_to_comp_id = 128;
inline constexpr std::uint32_t deliver_to_sub_id = 129;
inline constexpr std::uint32_t reset_seq_num_flag = 141;
inline constexpr std::uint32_t sender_location_id = 142;
inline constexpr std::uint32_t target_location_id = 143;
inline constexpr std::uint32_t on_behalf_of_location_id = 144;
inline constexpr std::uint32_t deliver_to_location_id = 145;
inline constexpr std::uint32_t last_msg_seq_num_processed = 369;
inline constexpr std::uint32_t ref_tag_id = 371;
inline constexpr std::uint32_t ref_msg_type = 372;
inline constexpr std::uint32_t session_reject_reason = 373;
inline constexpr std::uint32_t business_reject_ref_id = 379;
inline constexpr std::uint32_t business_reject_reason = 380;
inline constexpr std::uint32_t max_message_size = 383;
inline constexpr std::uint32_t test_message_indicator = 464;
inline constexpr std::uint32_t username = 553;
inline constexpr std::uint32_t password = 554;
inline constexpr std::uint32_t next_expected_msg_seq_num = 789;
inline constexpr std::uint32_t new_password = 925;
inline constexpr std::uint32_t default_appl_ver_id = 1137;

}  // namespace affix::inline v0::session::tag

namespace affix::inline v0::session::type {

inline constexpr wire::MsgType heartbeat = "0";
inline constexpr wire::MsgType test_request = "1";
inline constexpr wire::MsgType resend_request = "2";
inline constexpr wire::MsgType reject = "3";
inline constexpr wire::MsgType sequence_reset = "4";
inline constexpr wire::MsgType logout = "5";
inline constexpr wire::MsgType logon = "A";

}  // namespace affix::inline v0::session::type
