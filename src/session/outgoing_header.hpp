// SPDX-License-Identifier: MIT
// Header of every message that we send, in the order that the options require.
#pragma once

#include "affix/session/extra_header_field.hpp"
#include "affix/session/options.hpp"
#include "affix/wire/encoder.hpp"

#include "session/tags.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace affix::inline v0::session {

struct Turn;

/// Begins a message in `encoder`: 8, 9, 35, then all header fields of the session, and `more`, in
/// ascending order of tags.
void put_header(const Turn& turn, wire::Encoder& encoder, std::string_view type,
                std::uint64_t sequence, std::span<const ExtraHeaderField> more = {}) noexcept;

/// Header of most messages: constant fields first, none that only this message has. Inline, so that
/// the caller's encoder can stay in registers.
[[gnu::always_inline]] inline void put_customary_header(wire::Encoder& encoder,
                                                        const wire::HeaderTemplate& constant,
                                                        std::string_view type,
                                                        std::uint64_t sequence, std::int64_t utc_ns,
                                                        wire::TimePrecision precision) noexcept {
  encoder.begin(constant, type);
  encoder.integer(tag::msg_seq_num, sequence);
  encoder.utc_time(tag::sending_time, {utc_ns, 0}, precision);
}

/// The same for a SequenceReset that replaces resent messages: 43=Y, and 122 equals 52.
void put_duplicate_header(const Turn& turn, wire::Encoder& encoder, std::string_view type,
                          std::uint64_t sequence) noexcept;

/// Header of a message to be sent later, with placeholders for 34 and 52.
void put_draft_header(const SessionOptions& options, Version version,
                      const wire::HeaderTemplate& constant, wire::Encoder& encoder,
                      std::string_view type, std::int64_t utc_ns) noexcept;

/// Writes LastMsgSeqNumProcessed (369) if the options ask for it.
void put_last_processed(const Turn& turn, wire::Encoder& encoder) noexcept;

/// Merges ascending runs of header fields with fields that are written in between.
class AscendingHeader {
 public:
  /// `encoded` is a run of `tag=value SOH`; both are in ascending order and outlive this object.
  AscendingHeader(wire::Encoder& encoder, std::string_view encoded,
                  std::span<const ExtraHeaderField> fields) noexcept;

  /// Writes all fields with tags below `limit` that are not written yet.
  void up_to(std::uint32_t limit) noexcept;

  /// Writes all remaining fields.
  void rest() noexcept { up_to(no_tag); }

 private:
  static constexpr std::uint32_t no_tag = UINT32_MAX;

  void put_encoded() noexcept;

  wire::Encoder& encoder_;
  std::string_view encoded_;
  std::span<const ExtraHeaderField> fields_;
  std::uint32_t encoded_tag_ = no_tag;
};

}  // namespace affix::inline v0::session
