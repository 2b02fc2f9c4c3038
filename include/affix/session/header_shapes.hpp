// SPDX-License-Identifier: MIT
// Caches the positions of header fields in the last few messages, and the texts that identify
// sender and target. A counterparty's messages of one type have the same tags in the same order,
// hence the same positions.
#pragma once

#include "affix/wire/message_shape.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace affix::inline v0::session {

inline constexpr std::size_t header_field_count = 18;

/// Position in the index of each header field that the session reads.
using HeaderPositions = std::array<std::uint32_t, header_field_count>;

/// Precomputed checks for application messages of one shape that touch no special rule of the
/// protocol; computed at the shape's second message.
struct OrdinaryForm {
  enum class Answer : std::uint8_t {
    Unknown,
    Possible,  ///< If the values match.
    Never,     ///< Its header needs further rules.
  };

  /// Up to sixteen bytes of an expected field, from the session's options: the value with its SOH,
  /// so that no length needs checking. Longer values take several of these.
  struct KnownText {
    std::array<std::uint64_t, 2> words{};  ///< As load_word() reads them, zero-padded.
    std::uint32_t position = 0;
    std::uint16_t offset = 0;  ///< From the value's first byte.
    std::uint16_t size = 0;    ///< 1 to 16.
  };

  /// Fields 8, 49, 56, and if configured 50, 57, 142, 143, 115, 128; all of them, or fewer that are
  /// longer.
  static constexpr std::size_t known_max = 12;

  Answer answer = Answer::Unknown;
  std::uint8_t known_count = 0;
  std::array<KnownText, known_max> known{};
};

/// Part of a session, which fills it; 2 KiB. Caches only messages without repeated header fields,
/// so that no further check is needed.
class HeaderShapes {
 public:
  class Shape {
   public:
    /// True if `index` has exactly these tags, and every field has a value.
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

  /// Cache slot for a message with this number of fields.
  [[nodiscard]] Shape& shape_for(std::uint32_t field_count) noexcept {
    return shapes_[field_count % shapes_.size()];
  }

 private:
  std::array<Shape, 4> shapes_{};
};

}  // namespace affix::inline v0::session
