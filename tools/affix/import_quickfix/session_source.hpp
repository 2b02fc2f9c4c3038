// SPDX-License-Identifier: MIT
// One session's settings, those of [DEFAULT] behind its own, read as texts, flags and numbers.
// Every look marks the setting as used.
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
  /// All three outlive the source.
  SessionSource(const Section& own, const Section& defaults, Ledger& ledger)
      : own_(own), defaults_(defaults), ledger_(ledger) {}

  /// Null when neither section has it, or its value is empty.
  [[nodiscard]] const Setting* find(std::string_view name) const;

  /// The first that is there of several names for one thing.
  [[nodiscard]] const Setting* find_first(std::initializer_list<std::string_view> names) const;

  /// Y or N; a problem when it is neither.
  [[nodiscard]] std::optional<bool> flag(std::string_view name) const;

  /// False when it is not there.
  [[nodiscard]] bool is_set(std::string_view name) const { return flag(name).value_or(false); }

  /// A number of our range: what is beyond is brought into it, with a note. A problem when it is no
  /// number.
  [[nodiscard]] std::optional<std::int64_t> number(std::string_view name, std::int64_t minimum,
                                                   std::int64_t maximum) const;

  /// Every setting that is in force for the session, its own first.
  [[nodiscard]] std::vector<const Setting*> all() const;

  /// Notes what the table says that is different. False: it has been told before.
  bool differs(const Setting& setting) const;

  [[nodiscard]] Ledger& ledger() const noexcept { return ledger_; }

  /// Of its [SESSION].
  [[nodiscard]] std::size_t line() const noexcept { return own_.line; }

 private:
  const Section& own_;
  const Section& defaults_;
  Ledger& ledger_;
};

}  // namespace affix::inline v0::tools::import_quickfix
