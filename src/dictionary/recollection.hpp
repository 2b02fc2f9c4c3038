// SPDX-License-Identifier: MIT
// Compares a message with remembered ones.
#pragma once

#include "affix/dictionary/rules.hpp"
#include "affix/dictionary/shapes.hpp"
#include "affix/wire/view.hpp"

#include "dictionary/validation_tables.hpp"

#include <cstdint>

namespace affix::inline v0::dictionary {

/// Of one message with a complete index. Refers to all its arguments.
class Recollection {
 public:
  /// Finds the entry of `shapes` for the message's type and number of fields.
  Recollection(const ValidationTables& tables, const wire::MessageView& message,
               Shapes& shapes) noexcept;

  /// True if a message with the same tags in the same order had a valid structure, the groups'
  /// counters are equal to those of then, and no field is empty.
  [[nodiscard]] bool known() const noexcept { return known_; }

  /// Faults in the values of a known message, a bit each.
  [[nodiscard]] std::uint32_t faults(FaultOrder order) const noexcept;

  /// Stores the message. Its structure is valid; `entries` are its fields', by position.
  void remember(const TagEntry* entries) const noexcept;

 private:
  [[nodiscard]] bool recognise() const noexcept;

  const ValidationTables& tables_;
  const wire::MessageView& message_;
  Shapes::Shape* shape_ = nullptr;  ///< Null: the message is too long to remember.
  std::uint64_t type_ = 0;
  bool known_ = false;
};

}  // namespace affix::inline v0::dictionary
