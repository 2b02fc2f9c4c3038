// SPDX-License-Identifier: MIT
// Results of the calls by which a copy of a journal follows another one.
#pragma once

#include <cstdint>

namespace affix::inline v0::journal {

/// Result of Journal::follow_record() and its like. After all values but Stored nothing has
/// changed, except that AlreadyThere may have changed a processed mark.
enum class Followed : std::uint8_t {
  Stored,
  AlreadyThere,  ///< The copy has it already, equal.
  WrongPlace,    ///< It does not begin where the copy ends, or the copy has something else there:
                 ///< one of both has what the other never had. See cut().
  Damaged,       ///< The bytes are not a whole record or header of this journal.
  NoSpace,       ///< The disk has no space for the next segment. May be tried again.
  Failed,        ///< The disk failed, the journal was closed, or it is not a copy at present.
};

/// Name of a value for logs; static text.
[[nodiscard]] const char* to_text(Followed result) noexcept;

}  // namespace affix::inline v0::journal
