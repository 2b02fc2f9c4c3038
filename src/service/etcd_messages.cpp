// SPDX-License-Identifier: MIT
// Numbers of 64 bits are strings in this JSON, keys and values are base 64. Fields that have their
// default are left out.
#include "service/etcd_messages.hpp"

#include "affix/base/text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace affix::inline v0::service {

namespace {

using EtcdJson = nlohmann::json;

constexpr std::string_view base64_digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// Codes of gRPC.
constexpr int invalid_argument_code = 3;
constexpr int permission_denied_code = 7;
constexpr int resource_exhausted_code = 8;
constexpr int unauthenticated_code = 16;

/// nullptr: `object` is none, or has no such member.
const EtcdJson* member_of(const EtcdJson& object, const char* name) noexcept {
  if (!object.is_object()) {
    return nullptr;
  }
  const auto found = object.find(name);
  return found == object.end() ? nullptr : &*found;
}

const std::string* text_of(const EtcdJson* value) noexcept {
  return value == nullptr ? nullptr : value->get_ptr<const EtcdJson::string_t*>();
}

/// A number, or a string of digits.
std::optional<std::uint64_t> whole_number_of(const EtcdJson* value) noexcept {
  if (value != nullptr && value->is_number_unsigned()) {
    return *value->get_ptr<const EtcdJson::number_unsigned_t*>();
  }
  const std::string* const text = text_of(value);
  return text == nullptr ? std::nullopt : base::parse_number<std::uint64_t>(*text);
}

std::expected<EtcdValue, std::string> value_in(const EtcdJson& object) {
  EtcdValue value;
  const std::string* const key = text_of(member_of(object, "key"));
  auto key_bytes = key == nullptr ? std::nullopt : from_base64(*key);
  if (!key_bytes) {
    return std::unexpected("a key is missing or not base 64");
  }
  value.key = std::move(*key_bytes);
  if (const EtcdJson* const member = member_of(object, "value"); member != nullptr) {
    const std::string* const text = text_of(member);
    auto bytes = text == nullptr ? std::nullopt : from_base64(*text);
    if (!bytes) {
      return std::unexpected("a value is not base 64");
    }
    value.value = std::move(*bytes);
  }
  const auto revision = whole_number_of(member_of(object, "mod_revision"));
  if (!revision || *revision == 0) {
    return std::unexpected("a key has no mod_revision");
  }
  value.revision = *revision;
  return value;
}

/// The `kvs` of a range.
std::expected<std::vector<EtcdValue>, std::string> values_in(const EtcdJson& range) {
  std::vector<EtcdValue> values;
  const EtcdJson* const list = member_of(range, "kvs");
  if (list == nullptr) {
    return values;
  }
  if (!list->is_array()) {
    return std::unexpected("kvs is not a list");
  }
  for (const EtcdJson& one : *list) {
    auto value = value_in(one);
    if (!value) {
      return std::unexpected(std::move(value.error()));
    }
    values.push_back(std::move(*value));
  }
  return values;
}

/// The same of one key.
std::expected<std::optional<EtcdValue>, std::string> only_value_in(const EtcdJson& range) {
  auto values = values_in(range);
  if (!values) {
    return std::unexpected(std::move(values.error()));
  }
  if (values->size() > 1) {
    return std::unexpected("it has several values of one key");
  }
  return values->empty() ? std::nullopt : std::optional(std::move(values->front()));
}

/// An answer's object: one with a header, as all of them have.
std::expected<EtcdJson, std::string> answer_in(std::string_view text) {
  EtcdJson answer = EtcdJson::parse(text, nullptr, /*allow_exceptions=*/false);
  const EtcdJson* const header = member_of(answer, "header");
  if (header == nullptr || !header->is_object()) {
    return std::unexpected("it is not a JSON object with a header");
  }
  return answer;
}

}  // namespace

std::string to_base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t group = 0;
    for (std::size_t index = 0; index < 3; ++index) {
      const auto byte = index < count ? static_cast<unsigned char>(bytes[at + index]) : 0U;
      group = group << 8 | byte;
    }
    for (std::size_t digit = 0; digit < 4; ++digit) {
      text += digit <= count ? base64_digits[group >> (18 - 6 * digit) & 63U] : '=';
    }
  }
  return text;
}

std::optional<std::string> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) {
    return std::nullopt;
  }
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  for (std::size_t at = 0; at < text.size(); at += 4) {
    const std::string_view four = text.substr(at, 4);
    const std::size_t digits = std::min(four.find('='), four.size());
    const bool is_last = at + 4 == text.size();
    if (digits < 2 || (digits < 4 && !is_last) || (digits == 2 && four[3] != '=')) {
      return std::nullopt;
    }
    std::uint32_t group = 0;
    for (std::size_t digit = 0; digit < 4; ++digit) {
      const std::size_t value = digit < digits ? base64_digits.find(four[digit]) : 0;
      if (value == std::string_view::npos) {
        return std::nullopt;
      }
      group = group << 6 | static_cast<std::uint32_t>(value);
    }
    const std::size_t count = digits - 1;
    if ((group & ((std::uint32_t{1} << (8 * (3 - count))) - 1)) != 0) {
      return std::nullopt;  // Bits that stand for nothing.
    }
    for (std::size_t index = 0; index < count; ++index) {
      bytes += static_cast<char>(group >> (16 - 8 * index) & 0xFFU);
    }
  }
  return bytes;
}

std::string range_request(std::string_view key, std::string_view range_end) {
  EtcdJson request = EtcdJson::object();
  request["key"] = to_base64(key);
  if (!range_end.empty()) {
    request["range_end"] = to_base64(range_end);
  }
  return request.dump();
}

std::string write_request(std::string_view key, std::string_view value,
                          std::uint64_t expected_revision) {
  const std::string name = to_base64(key);
  EtcdJson request = EtcdJson::object();
  EtcdJson& compare = request["compare"][0];
  compare["key"] = name;
  compare["target"] = "MOD";
  compare["result"] = "EQUAL";
  compare["mod_revision"] = std::to_string(expected_revision);
  EtcdJson& put = request["success"][0]["request_put"];
  put["key"] = name;
  put["value"] = to_base64(value);
  request["failure"][0]["request_range"]["key"] = name;
  return request.dump();
}

std::string token_request(std::string_view user, std::string_view password) {
  EtcdJson request = EtcdJson::object();
  request["name"] = std::string(user);
  request["password"] = std::string(password);
  // Bytes that are no UTF-8 must not end the process; etcd refuses such a user then.
  return request.dump(-1, ' ', false, EtcdJson::error_handler_t::replace);
}

std::expected<std::vector<EtcdValue>, std::string> read_range(std::string_view text) {
  const auto answer = answer_in(text);
  if (!answer) {
    return std::unexpected(answer.error());
  }
  return values_in(*answer);
}

std::expected<std::optional<EtcdValue>, std::string> read_value(std::string_view text) {
  const auto answer = answer_in(text);
  if (!answer) {
    return std::unexpected(answer.error());
  }
  return only_value_in(*answer);
}

std::expected<EtcdWrite, std::string> read_write(std::string_view text) {
  const auto answer = answer_in(text);
  if (!answer) {
    return std::unexpected(answer.error());
  }
  EtcdWrite write;
  if (const EtcdJson* const succeeded = member_of(*answer, "succeeded"); succeeded != nullptr) {
    if (!succeeded->is_boolean()) {
      return std::unexpected("succeeded is neither true nor false");
    }
    write.is_written = *succeeded->get_ptr<const EtcdJson::boolean_t*>();
  }
  if (write.is_written) {
    // The store's revision after a transaction is that of the one key which it has written.
    const auto revision = whole_number_of(member_of(*member_of(*answer, "header"), "revision"));
    if (!revision || *revision == 0) {
      return std::unexpected("its header has no revision");
    }
    write.revision = *revision;
    return write;
  }
  const EtcdJson* const responses = member_of(*answer, "responses");
  if (responses == nullptr || !responses->is_array() || responses->size() != 1) {
    return std::unexpected("it does not have one response");
  }
  const EtcdJson* const range = member_of(responses->front(), "response_range");
  if (range == nullptr) {
    return std::unexpected("it has no response_range");
  }
  auto present = only_value_in(*range);
  if (!present) {
    return std::unexpected(std::move(present.error()));
  }
  write.present = std::move(*present);
  return write;
}

std::expected<std::string, std::string> read_token(std::string_view text) {
  const auto answer = answer_in(text);
  if (!answer) {
    return std::unexpected(answer.error());
  }
  const std::string* const token = text_of(member_of(*answer, "token"));
  // It becomes part of a header.
  const auto is_plain = [](char c) { return c > ' ' && c < '\x7F'; };
  if (token == nullptr || token->empty() || !std::ranges::all_of(*token, is_plain)) {
    return std::unexpected("it has no token");
  }
  return *token;
}

EtcdFault read_fault(std::string_view text) {
  const EtcdJson answer = EtcdJson::parse(text, nullptr, /*allow_exceptions=*/false);
  EtcdFault fault;
  const std::string* message = text_of(member_of(answer, "message"));
  if (message == nullptr) {
    message = text_of(member_of(answer, "error"));
  }
  if (message != nullptr) {
    fault.message = *message;
  }
  // Codes of gRPC are small.
  if (const auto code = whole_number_of(member_of(answer, "code")); code && *code < 100) {
    fault.code = static_cast<int>(*code);
  }
  return fault;
}

bool is_refusal(const EtcdFault& fault) noexcept {
  return fault.code == invalid_argument_code || fault.code == permission_denied_code ||
         fault.code == resource_exhausted_code || fault.code == unauthenticated_code;
}

bool is_about_token(const EtcdFault& fault) noexcept {
  // The second is the text of etcd for a token from before a change of its users.
  return fault.code == unauthenticated_code ||
         fault.message.find("auth revision in header is old") != std::string::npos ||
         fault.message.find("user name is empty") != std::string::npos;
}

}  // namespace affix::inline v0::service
