// SPDX-License-Identifier: MIT
// Loads dictionaries: QuickFIX's XML and FIX Orchestra 1.0, distinguished by their root element.
// Checks the whole file: reports every problem with its line, not only the first. For start-up and
// tools; allocates freely. Thread-safe: no shared state.
#pragma once

#include "affix/dictionary/load_limits.hpp"
#include "affix/dictionary/model.hpp"
#include "affix/dictionary/problem.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::dictionary {

enum class Format : std::uint8_t { Unknown, QuickFix, Orchestra };

[[nodiscard]] const char* to_text(Format format) noexcept;

struct Loaded {
  Format format = Format::Unknown;
  std::optional<Dictionary> dictionary;  ///< Set if no problem is an error.
  std::vector<Problem> problems;         ///< By line.

  [[nodiscard]] explicit operator bool() const noexcept { return dictionary.has_value(); }
};

/// Reads a file. A file that cannot be read gives an error without a line.
[[nodiscard]] Loaded load(const std::string& path, const LoadLimits& limits = {});

/// Reads from memory; keeps no reference to `text`.
[[nodiscard]] Loaded load_text(std::string_view text, const LoadLimits& limits = {});

}  // namespace affix::inline v0::dictionary
