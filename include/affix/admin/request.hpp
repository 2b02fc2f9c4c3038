// SPDX-License-Identifier: MIT
// Parses one line of input to the administration port: words typed by a person, or a JSON object
// from a program.
#pragma once

#include "affix/base/message_code.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::admin {

/// Maximum bytes of one line without its end, and maximum words after the command.
inline constexpr std::size_t request_bytes_max = 4096;
inline constexpr std::size_t request_arguments_max = 64;

struct Request {
  bool json = false;  ///< The request was JSON, and so is its answer.
  std::string id;     ///< JSON text to repeat in the answer; empty: none.
  std::string command;
  std::vector<std::string> arguments;
};

/// Describes an invalid line, and the form of its answer.
struct RequestFault {
  bool json = false;
  std::string id;
  std::string text;
  base::MessageCode code = "A105";
};

/// Parses a line without its end. Spaces or tabs separate words; a word with spaces is in double
/// quotes, with \" and \\ as escapes. A line that starts with `{` is JSON: `command`; `arguments`
/// (optional: strings, whole numbers and booleans, which become the words `true` and `false`); `id`
/// (optional: a string or a whole number). Refuses control characters everywhere, since words are
/// written to logs, files and terminals. An empty line gives a request without a command.
/// Allocates; at most a few times the line's length.
[[nodiscard]] std::expected<Request, RequestFault> parse_request(std::string_view line);

}  // namespace affix::inline v0::admin
