// SPDX-License-Identifier: MIT
// Reading dictionaries: QuickFIX's XML and FIX Orchestra 1.0, told apart by their root element. A
// file is judged as a whole: every problem is reported with its line, not the first one only.
// Called at start-up and by tools; allocates freely. Thread-safe: no shared state.
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
  Warning,  ///< The file is sloppy there and its meaning clear; the text says how it was read.
  Error,    ///< Meaning is lost: no dictionary is made.
};

[[nodiscard]] const char* to_text(Severity severity) noexcept;

struct Problem {
  Severity severity = Severity::Error;
  std::uint32_t line = 0;  ///< From 1; 0 for the file as a whole.
  std::string name;        ///< The message, component, field or group it is about; may be empty.
  std::string text;

  bool operator==(const Problem&) const = default;
};

/// "fix.xml:12: error: NewOrderSingle: field 'Foo' is not defined".
[[nodiscard]] std::string to_text(const Problem& problem, std::string_view file);

/// What a file may cost. The largest published file (FIX Latest's Orchestra) has 9.4 MB, 77,000
/// pieces of markup and 125,000 attributes. Beyond a limit the file is refused with the limit's
/// name.
struct LoadLimits {
  std::size_t bytes_max = 64U << 20;
  std::uint32_t depth_max = 64;  ///< Elements within elements.
  /// Elements, comments and other pieces of markup.
  std::uint32_t elements_max = 1'000'000;
  std::uint32_t attributes_max = 2'000'000;
  std::uint32_t name_bytes_max = 255;         ///< Of fields, messages, components, types and codes.
  std::uint32_t value_name_bytes_max = 4096;  ///< Some venues put whole sentences there.
  std::uint32_t component_depth_max = 32;     ///< Components within components; FIX Latest has 10.
  std::uint32_t group_depth_max = 16;  ///< Groups within groups, as wire's; FIX Latest has 7.
  /// Fields of one message with every component and group expanded; FIX Latest has up to 4,600.
  std::uint32_t expanded_members_max = 200'000;
  /// The same of all messages together; FIX Latest has 304,000.
  std::uint32_t expanded_total_max = 4'000'000;
  std::uint32_t problems_max = 1000;  ///< One more then says that there are more.
};

enum class Format : std::uint8_t { Unknown, QuickFix, Orchestra };

[[nodiscard]] const char* to_text(Format format) noexcept;

struct Loaded {
  Format format = Format::Unknown;
  std::optional<Dictionary> dictionary;  ///< There when no problem is an error.
  std::vector<Problem> problems;         ///< By line.

  [[nodiscard]] explicit operator bool() const noexcept { return dictionary.has_value(); }
};

/// Reads a file. One that cannot be read is an error without a line.
[[nodiscard]] Loaded load(const std::string& path, const LoadLimits& limits = {});

/// The same from memory; nothing of `text` is kept.
[[nodiscard]] Loaded load_text(std::string_view text, const LoadLimits& limits = {});

/// For start-up code that reports one text: every error of `problems`, a line each.
[[nodiscard]] base::Error make_error(const std::vector<Problem>& problems, std::string_view file);

}  // namespace affix::inline v0::dictionary
