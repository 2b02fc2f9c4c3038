// SPDX-License-Identifier: MIT
// From a session group's settings to what the layers below take: protocol options and journal
// options.
#pragma once

#include "affix/engine/configuration.hpp"
#include "affix/journal/options.hpp"
#include "affix/session/options.hpp"

#include "engine/resend_rules.hpp"

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

namespace affix::inline v0::engine {

/// What session options view beside the settings; lives as long as they do.
struct SessionTexts {
  std::string static_header_fields;  ///< Encoded.
  ResendRules resend_rules;
  std::vector<std::uint32_t> secret_tags;
};

/// `100=XNAS,1128=9` as `100=XNAS SOH 1128=9 SOH`. An error names the piece that is not tag=value.
[[nodiscard]] std::expected<std::string, std::string> encode_static_header(
    const SessionSettings& settings);

/// `554,9001` as tags. An error names the piece that is no tag, or one that no message can do
/// without.
[[nodiscard]] std::expected<std::vector<std::uint32_t>, std::string> secret_tags_of(
    const SessionSettings& settings);

/// Nanoseconds from midnight of `daily_reset_utc`, HH:MM or HH:MM:SS; negative: none. An error says
/// what it is not.
[[nodiscard]] std::expected<std::int64_t, std::string> daily_reset_of(
    const SessionSettings& settings);

/// All of it from settings, which outlive the result. An error names the key.
[[nodiscard]] std::expected<SessionTexts, base::Error> session_texts(
    const SessionSettings& settings);

/// The views go into `settings` and `texts`, which outlive the result.
[[nodiscard]] session::SessionOptions session_options(const SessionSettings& settings,
                                                      const SessionTexts& texts, session::Role role,
                                                      session::Validator validator = {}) noexcept;

/// How many messages a session may send.
struct SendLimit {
  std::size_t messages = 0;  ///< In any window; 0: any number.
  std::int64_t window_ns = base::ns_per_second;
  bool waits = true;  ///< What is over it waits in the outbox; else it is refused.
};

/// Whether `throttle_limit` is about what is sent: in files of the field it is, for clients.
[[nodiscard]] bool throttle_limits_sends(const SessionSettings& settings,
                                         session::Role role) noexcept;

[[nodiscard]] SendLimit send_limit_of(const SessionSettings& settings, session::Role role) noexcept;

/// How large the outbox is of a session whose group has `wanted` as tx_encode_buffer_capacity: what
/// one step of the protocol may write must fit twice.
[[nodiscard]] std::uint64_t outbox_size(std::size_t wanted) noexcept;

/// The largest that may ever have to go into the journal at once.
[[nodiscard]] std::uint64_t largest_record(const SessionSettings& settings,
                                           std::size_t outbox_bytes) noexcept;

/// How large a segment of the journal may become: max_serialised_file_size, or the least that takes
/// two of the largest records, and a power of two; 0: no messages are kept.
[[nodiscard]] std::uint64_t segment_bytes_of(const SessionSettings& settings,
                                             std::size_t outbox_bytes) noexcept;

/// Of the session's own; nothing is there with durability `memory`.
[[nodiscard]] std::string journal_directory(const SessionSettings& settings);

[[nodiscard]] journal::Options journal_options(const SessionSettings& settings);

/// The same for a session that its group gives so large an outbox: no message that it may send or
/// receive is too large for the journal.
[[nodiscard]] journal::Options journal_options(const SessionSettings& settings,
                                               std::size_t outbox_bytes);

/// With how much of `memory_journal_bytes` the session's journal begins; 0 where it has files.
[[nodiscard]] std::uint64_t ring_bytes_at_start(const SessionSettings& settings,
                                                std::size_t outbox_bytes);

}  // namespace affix::inline v0::engine
