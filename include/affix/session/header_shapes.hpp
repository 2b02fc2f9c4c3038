// SPDX-License-Identifier: MIT
// Where the header fields of the last few messages were, and which of them say who sent the message
// to whom. A counterparty's messages of one kind have the same tags in the same order, and where
// the tags are the same so are the places.
#pragma once

#include "affix/wire/message_shape.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace affix::inline v0::session {

inline constexpr std::size_t header_field_count = 18;

/// Position in the index of each header field that the session reads.
using HeaderPositions = std::array<std::uint32_t, header_field_count>;

/// What an application message of one shape needs, to be one that no rule of the protocol has a
/// word on; worked out when it comes for the second time.
struct OrdinaryForm {
  enum class Answer : std::uint8_t {
    Unknown,
    Possible,  ///< If the values are right.
    Never,     ///< Its header asks for rules.
  };

  /// Up to sixteen bytes of what the session's options give for a field: its value and the SOH
  /// behind it, so that nothing needs to be known of the value's size. Longer ones take several.
  struct KnownText {
    std::array<std::uint64_t, 2> words{};  ///< As load_word() reads them, zeros behind.
    std::uint32_t position = 0;
    std::uint16_t offset = 0;  ///< From the value's first byte on.
    std::uint16_t size = 0;    ///< 1 to 16.
  };

  /// 8, 49, 56, and of those that are there 50, 57, 142, 143, 115, 128; each of them, or fewer that
  /// are longer.
  static constexpr std::size_t known_max = 12;

  Answer answer = Answer::Unknown;
  std::uint8_t known_count = 0;
  std::array<KnownText, known_max> known{};
};

/// Part of a session; filled by it, 2 KiB. Only messages in which no header field comes twice are
/// remembered, so that what is known needs no second look.
class HeaderShapes {
 public:
  class Shape {
   public:
    /// Whether `index` has these tags and no others, and no field is without a value.
    [[nodiscard]] bool is_of(const wire::FieldIndex& index) const noexcept {
      return tags_.is_of(index);
    }

    void remember(const wire::FieldIndex& index, const HeaderPositions& found) noexcept {
      tags_.remember(index);
      positions = found;
      ordinary = {};
    }

    HeaderPositions positions{};
    OrdinaryForm ordinary;

   private:
    wire::MessageShape<48> tags_;
  };

  /// The place of a message with so many fields.
  [[nodiscard]] Shape& shape_for(std::uint32_t field_count) noexcept {
    return shapes_[field_count % shapes_.size()];
  }

 private:
  std::array<Shape, 4> shapes_{};
};

}  // namespace affix::inline v0::session
