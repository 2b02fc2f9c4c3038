// SPDX-License-Identifier: MIT
// What a validator remembers of the messages before: shapes whose structure was right.
// The messages of one session have few of them, and one that is known needs only its values looked
// at. Remembering changes no answer.
#pragma once

#include "affix/wire/message_shape.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace affix::inline v0::dictionary {

struct ValidationTables;

/// Memory of one session or thread: 18 KiB, no allocation, not to be used by two threads at once.
/// May be given to several validators in turn, each of which outlives it.
class Shapes {
 public:
  /// Longer messages are not remembered.
  static constexpr std::uint32_t fields_max = 96;
  static constexpr std::size_t shapes_max = 16;

 private:
  friend class Recollection;

  /// How one field's value is looked at; without initialisers, as most are not in use.
  struct Check {
    std::uint16_t slot;
    std::uint8_t quick;     ///< A QuickCheck.
    std::uint8_t position;  ///< In the index.
  };

  /// A group's counter; its value is this one byte.
  struct Counter {
    std::uint8_t position;
    char value;
  };

  static constexpr std::uint32_t counters_max = 16;

  struct Shape {
    const ValidationTables* tables = nullptr;  ///< Null: nothing is remembered here.
    std::uint64_t type = 0;                    ///< MsgType, of eight bytes at most.
    std::uint32_t check_count = 0;
    std::uint32_t counter_count = 0;
    wire::MessageShape<fields_max> tags;
    std::array<Check, fields_max> checks;
    std::array<Counter, counters_max> counters;
  };

  std::array<Shape, shapes_max> shapes_;
};

}  // namespace affix::inline v0::dictionary
