// SPDX-License-Identifier: MIT
// Loads dictionaries: QuickFIX's XML and FIX Orchestra 1.0, distinguished by their root element.
// Checks the whole file: reports every problem with its line, not only the first. For start-up and
// tools; allocates freely. Thread-safe: no shared state.
#pragma once

#include "affix/base/error.hpp"
#include "affix/dictionary/model.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::dictionary {

enum class Severity : std::uint8_t {
  Warning,  ///< Incorrect but unambiguous; the text says how it was read.
  Error,    ///< Invalid or ambiguous: no dictionary is made.
};

[[nodiscard]] const char* to_text(Severity severity) noexcept;

struct Problem {
  Severity severity = Severity::Error;
  std::uint32_t line = 0;  ///< From 1; 0 for the whole file.
  std::string name;        ///< The affected message, component, field or group; may be empty.
  std::string text;

  bool operator==(const Problem&) const = default;
};

/// "fix.xml:12: error: NewOrderSingle: field 'Foo' is not defined".
[[nodiscard]] std::string to_text(const Problem& problem, std::string_view file);

/// Limits on the cost of a file. The largest published file (FIX Latest's Orchestra) has 9.4 MB,
/// 77,000 pieces of markup and 125,000 attributes. A file beyond a limit is refused with the
/// limit's name.
struct LoadLimits {
  std::size_t bytes_max = 64U << 20;
  std::uint32_t depth_max = 64;  ///< Elements within elements.
  /// Elements, comments and other pieces of markup.
  std::uint32_t elements_max = 1'000'000;
  std::uint32_t attributes_max = 2'000'000;
  std::uint32_t name_bytes_max = 255;         ///< Of fields, messages, components, types and codes.
  std::uint32_t value_name_bytes_max = 4096;  ///< Some venues write whole sentences.
  std::uint32_t component_depth_max = 32;     ///< Components within components; FIX Latest has 10.
  std::uint32_t group_depth_max = 16;  ///< Groups within groups, as in wire; FIX Latest has 7.
  /// Fields of one message, all components and groups expanded; FIX Latest has up to 4,600.
  std::uint32_t expanded_members_max = 200'000;
  /// Total over all messages; FIX Latest has 304,000.
  std::uint32_t expanded_total_max = 4'000'000;
  std::uint32_t problems_max = 1000;  ///< One more then reports that there are more.
};

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

/// Makes one error text for start-up code: every error of `problems`, one per line.
[[nodiscard]] base::Error make_error(const std::vector<Problem>& problems, std::string_view file);

}  // namespace affix::inline v0::dictionary
