// SPDX-License-Identifier: MIT
// A message held against what is remembered of those before it.
#pragma once

#include "affix/dictionary/shapes.hpp"
#include "affix/dictionary/validator.hpp"
#include "affix/wire/view.hpp"

#include "dictionary/validation_tables.hpp"

#include <cstdint>

namespace affix::inline v0::dictionary {

/// Of one message whose index is whole. Views all it is made from.
class Recollection {
 public:
  /// Finds the place that the message's type and number of fields have in `shapes`.
  Recollection(const ValidationTables& tables, const wire::MessageView& message,
               Shapes& shapes) noexcept;

  /// The same tags in the same order were found good in structure, the groups' counters have the
  /// values they had then, and no field is empty.
  [[nodiscard]] bool known() const noexcept { return known_; }

  /// What is wrong with the values of a known message, a bit each.
  [[nodiscard]] std::uint32_t faults(FaultOrder order) const noexcept;

  /// Takes the message's place. Its structure is good; `entries` are its fields', by position.
  void remember(const TagEntry* entries) const noexcept;

 private:
  [[nodiscard]] bool recognise() const noexcept;

  const ValidationTables& tables_;
  const wire::MessageView& message_;
  Shapes::Shape* shape_ = nullptr;  ///< Null: the message is too long to be remembered.
  std::uint64_t type_ = 0;
  bool known_ = false;
};

}  // namespace affix::inline v0::dictionary
