// SPDX-License-Identifier: MIT
// One line that came to the administration port, as the command it asks for: words that a person
// types, or a JSON object of a program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::admin {

/// Most bytes of one line without its end, and most words behind the command.
inline constexpr std::size_t request_bytes_max = 4096;
inline constexpr std::size_t request_arguments_max = 64;

struct Request {
  bool json = false;  ///< It came as JSON, and is to be answered so.
  std::string id;     ///< What the answer is to repeat, as JSON text; empty: nothing.
  std::string command;
  std::vector<std::string> arguments;
};

/// Why a line is no request, and how to say so.
struct RequestFault {
  bool json = false;
  std::string id;
  std::string text;
};

/// Reads a line without its end. Words have spaces or tabs between; one with spaces in it stands in
/// double quotes, with \" and \\ inside. A line whose first character is `{` is JSON: `command`,
/// `arguments` (strings, whole numbers and booleans, of which `true` and `false` become these
/// words; may be missing), `id` (a string or a whole number; may be missing). Control characters
/// are refused everywhere, since words end up in logs, files and terminals. An empty line is a
/// request without a command. Allocates; at most a few times the line's length.
[[nodiscard]] std::expected<Request, RequestFault> parse_request(std::string_view line);

}  // namespace affix::inline v0::admin
