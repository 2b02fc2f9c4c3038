// SPDX-License-Identifier: MIT
// The table of messages: every code of an error, warning or event once, with its texts, meaning,
// cause and action. `affix explain` prints it, and scripts/message_pages.py makes the tables of
// docs/reference/errors.md and problems.md from it.
#pragma once

#include "affix/base/message_code.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::tools::explain {

enum class Kind : std::uint8_t {
  Error,    ///< Something did not happen, or ended.
  Warning,  ///< Something continues that may need attention.
  Note,     ///< No fault.
};

/// "error", "warning", "note". Static storage.
[[nodiscard]] const char* to_text(Kind kind) noexcept;

/// All texts are static and in the Markdown of the pages, with links relative to docs/reference.
struct MessageRow {
  base::MessageCode code;
  Kind kind = Kind::Error;
  std::string_view texts;  ///< One in each line; an ellipsis stands for what varies.
  std::string_view meaning;
  std::string_view cause;
  std::string_view action;
};

// By the letter of their codes, in ascending order.
[[nodiscard]] std::span<const MessageRow> session_messages() noexcept;
[[nodiscard]] std::span<const MessageRow> network_messages() noexcept;
[[nodiscard]] std::span<const MessageRow> tls_messages() noexcept;
[[nodiscard]] std::span<const MessageRow> journal_messages() noexcept;
[[nodiscard]] std::span<const MessageRow> keeper_messages() noexcept;
[[nodiscard]] std::span<const MessageRow> replication_messages() noexcept;
[[nodiscard]] std::span<const MessageRow> configuration_messages() noexcept;
[[nodiscard]] std::span<const MessageRow> election_messages() noexcept;
[[nodiscard]] std::span<const MessageRow> engine_messages() noexcept;
[[nodiscard]] std::span<const MessageRow> dictionary_messages() noexcept;
[[nodiscard]] std::span<const MessageRow> administration_messages() noexcept;
[[nodiscard]] std::span<const MessageRow> programs_messages() noexcept;
[[nodiscard]] std::span<const MessageRow> monitor_messages() noexcept;
[[nodiscard]] std::span<const MessageRow> import_messages() noexcept;
[[nodiscard]] std::span<const MessageRow> failover_messages() noexcept;
[[nodiscard]] std::span<const MessageRow> load_messages() noexcept;
[[nodiscard]] std::span<const MessageRow> system_messages() noexcept;

/// The whole table in ascending order of the codes.
[[nodiscard]] std::vector<const MessageRow*> all_messages();

/// Null: no row has this code.
[[nodiscard]] const MessageRow* find_message(base::MessageCode code);

/// Codes that resemble `word`, at most `most`, the most similar first: for a misspelt code.
[[nodiscard]] std::vector<std::string> nearest_codes(std::string_view word, std::size_t most);

}  // namespace affix::inline v0::tools::explain
