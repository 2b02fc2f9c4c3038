// SPDX-License-Identifier: MIT
// One session's settings, its own before those of [DEFAULT], read as texts, flags and numbers.
// Every look-up marks the setting as used.
#pragma once

#include "import_quickfix/ledger.hpp"
#include "import_quickfix/settings_text.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::tools::import_quickfix {

class SessionSource {
 public:
  /// All arguments outlive the source.
  SessionSource(const Section& own, const Section& defaults, Ledger& ledger)
      : own_(own), defaults_(defaults), ledger_(ledger) {}

  /// Null if neither section has it, or its value is empty.
  [[nodiscard]] const Setting* find(std::string_view name) const;

  /// The first that exists among several names for one setting.
  [[nodiscard]] const Setting* find_first(std::initializer_list<std::string_view> names) const;

  /// Y or N; any other value is a problem.
  [[nodiscard]] std::optional<bool> flag(std::string_view name) const;

  /// False if it is missing.
  [[nodiscard]] bool is_set(std::string_view name) const { return flag(name).value_or(false); }

  /// A number in our range: a number outside is limited to it, with a note. A problem if it is not
  /// a number.
  [[nodiscard]] std::optional<std::int64_t> number(std::string_view name, std::int64_t minimum,
                                                   std::int64_t maximum) const;

  /// Every setting in effect for the session, its own first.
  [[nodiscard]] std::vector<const Setting*> all() const;

  /// Adds the table's note about the difference. False: it exists already.
  bool differs(const Setting& setting) const;

  [[nodiscard]] Ledger& ledger() const noexcept { return ledger_; }

  /// Line of its [SESSION].
  [[nodiscard]] std::size_t line() const noexcept { return own_.line; }

 private:
  const Section& own_;
  const Section& defaults_;
  Ledger& ledger_;
};

}  // namespace affix::inline v0::tools::import_quickfix
