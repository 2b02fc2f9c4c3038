// SPDX-License-Identifier: MIT
// Acceptor templates: patterns of ids, how a peer's Logon matches them, and the settings of the
// session made for it.
#pragma once

#include "affix/base/error.hpp"
#include "affix/config/configuration.hpp"
#include "affix/wire/view.hpp"

#include <array>
#include <cstddef>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

namespace affix::inline v0::config {

/// Ids of a session from our point of view, or patterns of ids. In a pattern `*` stands for one or
/// more characters.
struct SessionIds {
  /// Sender and target CompID, SubID and LocationID.
  static constexpr std::size_t count = 6;

  /// Maximum length for a template: the text becomes part of file names.
  static constexpr std::size_t bytes_max = 64;

  std::string begin_string;
  std::array<std::string, count> ids;
};

[[nodiscard]] SessionIds ids_of(const SessionSettings& settings);

[[nodiscard]] bool matches_pattern(std::string_view pattern, std::string_view text) noexcept;

/// Ids of the session that the Logon names, if they match `patterns`: the message must have each id
/// that is not empty there, in printable characters and not too long. An id that is empty in the
/// pattern is not checked, as in a session that has none. Allocates.
[[nodiscard]] std::optional<SessionIds> ids_for(const SessionIds& patterns,
                                                const wire::MessageView& logon);

/// The template's settings with these ids, named after the template and the ids that it leaves
/// open: two peers never share a name.
[[nodiscard]] SessionSettings settings_for(const SessionSettings& made_from, const SessionIds& ids);

/// Finds a fault in a template's own settings.
[[nodiscard]] std::expected<void, base::Error> check_template(const SessionSettings& settings);

}  // namespace affix::inline v0::config
