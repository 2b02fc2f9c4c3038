// SPDX-License-Identifier: MIT
// A validator's cache of earlier messages: shapes whose structure was valid. The messages of a
// session have few shapes, and for a known shape only the values need checks. Caching never changes
// a result.
#pragma once

#include "affix/wire/message_shape.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace affix::inline v0::dictionary {

struct ValidationTables;

/// Cache of one session or thread: 18 KiB, no allocation; not for use by two threads at once.
/// Several validators may use it in turn; each must outlive it.
class Shapes {
 public:
  /// Longer messages are not cached.
  static constexpr std::uint32_t fields_max = 96;
  static constexpr std::size_t shapes_max = 16;

 private:
  friend class Recollection;

  /// Check of one field's value; not initialised, because most are unused.
  struct Check {
    std::uint16_t slot;
    std::uint8_t quick;     ///< A QuickCheck.
    std::uint8_t position;  ///< In the index.
  };

  /// A group's counter, whose value is one byte.
  struct Counter {
    std::uint8_t position;
    char value;
  };

  static constexpr std::uint32_t counters_max = 16;

  struct Shape {
    const ValidationTables* tables = nullptr;  ///< Null: the entry is unused.
    std::uint64_t type = 0;                    ///< MsgType of up to eight bytes.
    std::uint32_t check_count = 0;
    std::uint32_t counter_count = 0;
    wire::MessageShape<fields_max> tags;
    std::array<Check, fields_max> checks;
    std::array<Counter, counters_max> counters;
  };

  std::array<Shape, shapes_max> shapes_;
};

}  // namespace affix::inline v0::dictionary
