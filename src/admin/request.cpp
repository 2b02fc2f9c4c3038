// SPDX-License-Identifier: MIT
// Parses words and JSON into requests.
#include "affix/admin/request.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <utility>

namespace affix::inline v0::admin {

namespace {

using Json = nlohmann::json;

/// Answers repeat it, so it must be short.
constexpr std::size_t id_bytes_max = 128;

bool has_control(std::string_view text) noexcept {
  return std::any_of(text.begin(), text.end(), [](char byte) {
    return static_cast<unsigned char>(byte) < 0x20 || byte == '\x7f';
  });
}

bool is_space(char byte) noexcept {
  return byte == ' ' || byte == '\t';
}

/// The rest of a quoted word, `line` being after its first quote; nullopt when it does not end.
std::optional<std::string> take_quoted(std::string_view& line) {
  std::string word;
  while (!line.empty()) {
    const char byte = line.front();
    line.remove_prefix(1);
    if (byte == '"') {
      return word;
    }
    if (byte == '\\' && !line.empty() && (line.front() == '"' || line.front() == '\\')) {
      word += line.front();
      line.remove_prefix(1);
    } else {
      word += byte;
    }
  }
  return std::nullopt;
}

/// The next word; quotes may begin in the middle of it, as in `key="a value"`.
std::optional<std::string> take_word(std::string_view& line) {
  std::string word;
  while (!line.empty() && !is_space(line.front())) {
    const char byte = line.front();
    line.remove_prefix(1);
    if (byte != '"') {
      word += byte;
      continue;
    }
    const auto quoted = take_quoted(line);
    if (!quoted) {
      return std::nullopt;
    }
    word += *quoted;
  }
  return word;
}

std::expected<Request, RequestFault> parse_words(std::string_view line) {
  Request request;
  bool first = true;
  while (true) {
    while (!line.empty() && is_space(line.front())) {
      line.remove_prefix(1);
    }
    if (line.empty()) {
      return request;
    }
    auto word = take_word(line);
    if (!word) {
      return std::unexpected(RequestFault{false, {}, "a quote is not closed", "A103"});
    }
    if (std::exchange(first, false)) {
      request.command = std::move(*word);
      continue;
    }
    if (request.arguments.size() == request_arguments_max) {
      return std::unexpected(RequestFault{false, {}, "too many words", "A103"});
    }
    request.arguments.push_back(std::move(*word));
  }
}

/// A JSON argument as a typed word.
std::optional<std::string> word_of(const Json& value) {
  if (const auto* text = value.get_ptr<const std::string*>()) {
    return has_control(*text) ? std::nullopt : std::optional(*text);
  }
  if (value.is_number_integer()) {
    return value.dump();
  }
  if (const auto* flag = value.get_ptr<const bool*>()) {
    return *flag ? "true" : "false";
  }
  return std::nullopt;
}

std::expected<Request, RequestFault> parse_json(std::string_view line) {
  const Json json = Json::parse(line, nullptr, false);
  RequestFault fault{true, {}, {}};
  const auto refuse = [&](std::string text) {
    fault.text = std::move(text);
    return std::unexpected(fault);
  };
  if (!json.is_object()) {
    return refuse("no JSON object");
  }
  Request request;
  request.json = true;
  if (const auto id = json.find("id"); id != json.end()) {
    std::string text = id->dump(-1, ' ', true, Json::error_handler_t::replace);
    if (!(id->is_string() || id->is_number_integer()) || text.size() > id_bytes_max) {
      return refuse("`id` must be a short string or a whole number");
    }
    request.id = std::move(text);
    fault.id = request.id;
  }
  const auto command = json.find("command");
  if (command == json.end() || !command->is_string()) {
    return refuse("`command` must be a string");
  }
  if (const auto word = word_of(*command)) {
    request.command = *word;
  } else {
    return refuse("control characters in `command`");
  }
  const auto arguments = json.find("arguments");
  if (arguments == json.end()) {
    return request;
  }
  if (!arguments->is_array() || arguments->size() > request_arguments_max) {
    return refuse("`arguments` must be a list of at most " + std::to_string(request_arguments_max));
  }
  for (const Json& argument : *arguments) {
    auto word = word_of(argument);
    if (!word) {
      return refuse(
          "`arguments` are strings without control characters, whole numbers or booleans");
    }
    request.arguments.push_back(std::move(*word));
  }
  return request;
}

}  // namespace

std::expected<Request, RequestFault> parse_request(std::string_view line) {
  const bool json = line.starts_with('{');
  if (line.size() > request_bytes_max) {
    return std::unexpected(
        RequestFault{json, {}, "longer than " + std::to_string(request_bytes_max) + " bytes"});
  }
  if (json) {
    return parse_json(line);
  }
  // A tab counts as a space; other control characters are invalid.
  std::string plain(line);
  std::replace(plain.begin(), plain.end(), '\t', ' ');
  if (has_control(plain)) {
    return std::unexpected(RequestFault{false, {}, "control characters"});
  }
  return parse_words(plain);
}

}  // namespace affix::inline v0::admin
