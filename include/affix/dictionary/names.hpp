// SPDX-License-Identifier: MIT
// Names of a dictionary's fields and messages, without the rest of it: for displaying texts after
// the dictionary has been freed.
#pragma once

#include "affix/dictionary/model.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::dictionary {

/// Immutable after construction: any number of threads may share one. Owns its text in one piece,
/// about 60 KiB for FIX 5.0 SP2; the dictionary may be freed.
class Names {
 public:
  /// Has no names.
  Names() noexcept = default;

  /// Allocates.
  explicit Names(const Dictionary& dictionary);

  /// "OrderQty" for 38; empty if the dictionary has no such tag. Binary search, no allocation. The
  /// view is valid as long as this object.
  [[nodiscard]] std::string_view field(std::uint32_t tag) const noexcept;

  /// "NewOrderSingle" for "D"; empty if unknown. Cost and lifetime as for field().
  [[nodiscard]] std::string_view message(std::string_view type) const noexcept;

 private:
  /// A piece of `text_`.
  struct Piece {
    std::uint32_t begin = 0;
    std::uint32_t size = 0;
  };

  struct Field {
    std::uint32_t tag = 0;
    Piece name;
  };

  struct Message {
    Piece type;
    Piece name;
  };

  [[nodiscard]] Piece keep(std::string_view text);

  [[nodiscard]] std::string_view text_of(Piece piece) const noexcept {
    return std::string_view(text_).substr(piece.begin, piece.size);
  }

  std::string text_;
  std::vector<Field> fields_;      ///< By tag.
  std::vector<Message> messages_;  ///< By length of type, then type, like the dictionary.
};

}  // namespace affix::inline v0::dictionary
