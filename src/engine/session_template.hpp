// SPDX-License-Identifier: MIT
// Acceptor templates: patterns of ids, which peer's Logon they match, and the settings that a
// session made for it has.
#pragma once

#include "affix/engine/configuration.hpp"
#include "affix/wire/view.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace affix::inline v0::engine {

/// Ids of a session from our point of view, or patterns of such. In a pattern `*` stands for any
/// characters, one at least.
struct SessionIds {
  /// Sender and target CompID, SubID and LocationID.
  static constexpr std::size_t count = 6;

  /// The longest that a template takes: its text becomes part of file names.
  static constexpr std::size_t bytes_max = 64;

  std::string begin_string;
  std::array<std::string, count> ids;
};

[[nodiscard]] SessionIds ids_of(const SessionSettings& settings);

[[nodiscard]] bool matches_pattern(std::string_view pattern, std::string_view text) noexcept;

/// The ids of the session that the Logon is for, if they are what `patterns` say: each id that is
/// not empty there must be in the message, of printable characters and not too long. An id that is
/// empty in the pattern is not looked at, as in a session that has none. Allocates.
[[nodiscard]] std::optional<SessionIds> ids_for(const SessionIds& patterns,
                                                const wire::MessageView& logon);

/// The template's, with these ids, and named after it and the ids that it leaves open: two peers
/// never share a name.
[[nodiscard]] SessionSettings settings_for(const SessionSettings& made_from, const SessionIds& ids);

/// What is wrong with a template as such; empty: nothing.
[[nodiscard]] std::string template_fault(const SessionSettings& settings);

}  // namespace affix::inline v0::engine
