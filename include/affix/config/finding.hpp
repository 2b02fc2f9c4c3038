// SPDX-License-Identifier: MIT
// A finding of a configuration check: the group and the key, apart from the sentence about them,
// so that the reader of a file can add the line and programs need not read the sentence.
#pragma once

#include "affix/base/error.hpp"
#include "affix/config/configuration_catalogue.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::config {

/// Every problem found, in file order; never empty when returned as an error.
using Problems = std::vector<base::Error>;

/// Consequence of a finding.
enum class FindingSort : std::uint8_t {
  Wrong,     ///< The engine does not start with it.
  Missing,   ///< The engine does not start: a key that the group needs has no value.
  NoEffect,  ///< A warning: the value changes nothing, or another value is used.
};

/// One finding. Programs decide by group, key and code; the message is for people.
struct Finding {
  FindingSort sort = FindingSort::Wrong;  ///< Whether the engine starts with it.
  GroupKind kind = GroupKind::Engine;     ///< Kind of the group.
  std::string group{};                    ///< Empty: it concerns a file or the whole, no group.
  std::string_view key{};                 ///< Static text; empty: the group as a whole.
  std::string message{};                  ///< Names the key if there is one, never the group.
  std::string where{};       ///< "file:line" of the configuration, another file, or empty.
  base::MessageCode code{};  ///< `affix explain` says what to do.
  base::ErrorCode error = base::ErrorCode::InvalidArgument;  ///< Kind of the fault.

  /// The finding for people: at its place, or at "[GROUP]" without one. Allocates.
  [[nodiscard]] base::Error as_error() const {
    return {error, message, where.empty() && !group.empty() ? "[" + group + "]" : where, code};
  }

  /// True if both are about the same fault of the same value, wherever it was read.
  [[nodiscard]] bool is_same(const Finding& other) const noexcept {
    return kind == other.kind && group == other.group && key == other.key && code == other.code;
  }
};

/// The findings that keep the engine from starting. Allocates.
[[nodiscard]] Problems problems_of(const std::vector<Finding>& findings);

/// All of them, whatever their sort. Allocates.
[[nodiscard]] Problems errors_of(const std::vector<Finding>& findings);

}  // namespace affix::inline v0::config
