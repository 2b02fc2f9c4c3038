// SPDX-License-Identifier: MIT
// Translates a session group's settings into options of the session and journal
// layers.
#pragma once

#include "affix/config/configuration.hpp"
#include "affix/journal/options.hpp"
#include "affix/session/options.hpp"

#include "config/resend_rules.hpp"

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

namespace affix::inline v0::config {

/// The version that `begin_string` names; the newest rules for one that is not known.
[[nodiscard]] inline session::Version version_of(const SessionSettings& settings) noexcept {
  return session::version_of(settings.begin_string);
}

/// Texts that session options view besides the settings; must live as long as the options.
struct SessionTexts {
  std::string static_header_fields;  ///< Encoded.
  ResendRules resend_rules;
  std::vector<std::uint32_t> secret_tags;
};

/// `100=XNAS,1128=9` as `100=XNAS SOH 1128=9 SOH`. An error names the piece that is not tag=value.
[[nodiscard]] std::expected<std::string, base::Error> encode_static_header(
    const SessionSettings& settings);

/// `554,9001` as tags. An error names the piece that is not a tag, or a tag that every message
/// needs.
[[nodiscard]] std::expected<std::vector<std::uint32_t>, base::Error> secret_tags_of(
    const SessionSettings& settings);

/// Nanoseconds from midnight of `daily_reset_utc`, HH:MM or HH:MM:SS; negative: none. An error
/// names the expected form.
[[nodiscard]] std::expected<std::int64_t, base::Error> daily_reset_of(
    const SessionSettings& settings);

/// Makes the texts from settings, which outlive the result. An error names the key.
[[nodiscard]] std::expected<SessionTexts, base::Error> session_texts(
    const SessionSettings& settings);

/// The result has views of `settings` and `texts`, which outlive it.
[[nodiscard]] session::SessionOptions session_options(const SessionSettings& settings,
                                                      const SessionTexts& texts, session::Role role,
                                                      session::Validator validator = {}) noexcept;

/// Maximum number of messages that a session may send.
struct SendLimit {
  std::size_t messages = 0;  ///< In any window; 0: any number.
  std::int64_t window_ns = base::ns_per_second;
  bool waits = true;  ///< True: further messages wait in the outbox; else they are refused.
};

/// True if `throttle_limit` limits sends: in other engines' files it does, for clients.
[[nodiscard]] bool throttle_limits_sends(const SessionSettings& settings,
                                         session::Role role) noexcept;

[[nodiscard]] SendLimit send_limit_of(const SessionSettings& settings, session::Role role) noexcept;

/// Outbox size of a session whose group has `wanted` as tx_encode_buffer_capacity: the output of
/// one protocol step must fit twice.
[[nodiscard]] std::uint64_t outbox_size(std::size_t wanted) noexcept;

/// Maximum size of a journal record of this session.
[[nodiscard]] std::uint64_t largest_record(const SessionSettings& settings,
                                           std::size_t outbox_bytes) noexcept;

/// Maximum segment size: max_serialised_file_size, or the minimum that holds two of the largest
/// records, and a power of two; 0: no messages are kept.
[[nodiscard]] std::uint64_t segment_bytes_of(const SessionSettings& settings,
                                             std::size_t outbox_bytes) noexcept;

/// Number of messages of up to 256 bytes that a ring in memory keeps:
/// replay_message_cache_initial_size, or what the ring's least size makes of it.
[[nodiscard]] std::int64_t cached_messages_of(const SessionSettings& settings,
                                              std::size_t outbox_bytes);

/// The session's own directory; not used with durability `memory`.
[[nodiscard]] std::string journal_directory(const SessionSettings& settings);

[[nodiscard]] journal::Options journal_options(const SessionSettings& settings);

/// Journal options for a session with that outbox size: every message that it may send or receive
/// fits into the journal.
[[nodiscard]] journal::Options journal_options(const SessionSettings& settings,
                                               std::size_t outbox_bytes);

/// Part of `memory_journal_bytes` that the session's journal has at first; 0 if it uses files.
[[nodiscard]] std::uint64_t ring_bytes_at_start(const SessionSettings& settings,
                                                std::size_t outbox_bytes);

}  // namespace affix::inline v0::config
