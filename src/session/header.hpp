// SPDX-License-Identifier: MIT
// Header fields of a received message that the session protocol reads, found in one pass over the
// tags. Checks only what needs no state.
#pragma once

#include "affix/base/words.hpp"
#include "affix/session/header_shapes.hpp"
#include "affix/wire/view.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace affix::inline v0::session {

/// Header fields by meaning; their order is that of `Header::positions`.
enum class HeaderField : std::uint8_t {
  None,
  BeginString,
  BodyLength,
  CheckSum,
  MsgSeqNum,
  MsgType,
  PossDupFlag,
  SenderCompId,
  SendingTime,
  TargetCompId,
  PossResend,
  OrigSendingTime,  ///< The last one that must not be repeated.
  SenderSubId,
  TargetSubId,
  OnBehalfOfCompId,
  DeliverToCompId,
  SenderLocationId,
  TargetLocationId,
};

static_assert(static_cast<std::size_t>(HeaderField::TargetLocationId) + 1 == header_field_count);

/// Views the message it was scanned from.
struct Header {
  HeaderPositions positions;  ///< no_position: absent. The entry of None has no meaning.
  wire::MsgType type;
  std::uint64_t sequence = 0;      ///< 0 when 34 is missing, no number, 0, or above 2^63-1.
  std::uint32_t repeated_tag = 0;  ///< First tag that occurs twice although it must not.
  std::uint32_t first_empty = wire::no_position;  ///< Position of the first field without a value.
  bool sequence_zero = false;                     ///< 34 is present with the value 0.
  bool possible_duplicate = false;                ///< 43=Y.
  bool possible_resend = false;                   ///< 97=Y.

  [[nodiscard]] bool has(HeaderField field) const noexcept {
    return positions[static_cast<std::size_t>(field)] != wire::no_position;
  }

  /// Empty when absent.
  [[nodiscard]] std::string_view text(const wire::MessageView& message,
                                      HeaderField field) const noexcept {
    const std::uint32_t position = positions[static_cast<std::size_t>(field)];
    return position == wire::no_position ? std::string_view() : message.value_at(position);
  }
};

/// True if both texts are equal; without a call for an identity's usual 4 to 16 bytes: words from
/// either end cover every size.
[[nodiscard]] inline bool same_text(std::string_view left, std::string_view right) noexcept {
  using base::load_half_word;
  using base::load_word;
  const std::size_t size = left.size();
  if (size != right.size()) {
    return false;
  }
  if (size - 8 <= 8) {
    return ((load_word(left.data()) ^ load_word(right.data())) |
            (load_word(left.data() + size - 8) ^ load_word(right.data() + size - 8))) == 0;
  }
  if (size - 4 < 4) {
    return ((load_half_word(left.data()) ^ load_half_word(right.data())) |
            (load_half_word(left.data() + size - 4) ^ load_half_word(right.data() + size - 4))) ==
           0;
  }
  return left == right;
}

/// O(fields), no allocation; only a comparison of the tags if `shapes` has them.
[[nodiscard]] Header scan_header(const wire::MessageView& message, HeaderShapes& shapes) noexcept;

}  // namespace affix::inline v0::session
