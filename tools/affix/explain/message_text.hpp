// SPDX-License-Identifier: MIT
// Rows of the table of messages as text for a terminal and as JSON.
#pragma once

#include "explain/message_table.hpp"

#include <string>
#include <vector>

namespace affix::inline v0::tools::explain {

/// Code, kind and texts, then meaning, cause and action, in lines of at most 100 columns.
[[nodiscard]] std::string explanation(const MessageRow& row);

/// One line for each row: its code and first text.
[[nodiscard]] std::string message_list(const std::vector<const MessageRow*>& rows);

/// An array of objects with code, kind, texts, meaning, cause and action, and a line end.
[[nodiscard]] std::string messages_json(const std::vector<const MessageRow*>& rows);

/// Markdown as plain text: without backquotes; a link becomes its text and the page's path.
[[nodiscard]] std::string plain_text(std::string_view markdown);

}  // namespace affix::inline v0::tools::explain
