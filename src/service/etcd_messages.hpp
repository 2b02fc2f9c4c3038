// SPDX-License-Identifier: MIT
// The texts of etcd's JSON gateway: requests are made, answers are read; any bytes. No network.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::service {

/// Base 64 with padding, of RFC 4648.
[[nodiscard]] std::string to_base64(std::string_view bytes);

/// nullopt: not what to_base64() makes.
[[nodiscard]] std::optional<std::string> from_base64(std::string_view text);

/// A key of etcd.
struct EtcdValue {
  std::string key = {};
  std::string value = {};
  std::uint64_t revision = 0;  ///< Of its last change; positive.

  friend bool operator==(const EtcdValue&, const EtcdValue&) = default;
};

/// The result of a conditional write.
struct EtcdWrite {
  bool is_written = false;                ///< The answer's own word.
  std::uint64_t revision = 0;             ///< Written: that of the key.
  std::optional<EtcdValue> present = {};  ///< Not written: what is there; nullopt: nothing.
};

/// An error as etcd reports it.
struct EtcdFault {
  int code = 0;  ///< Of gRPC; 0: the answer has none.
  std::string message = {};
};

/// Reads one key, or with `range_end` all keys from `key` up to that; confirmed by a majority.
[[nodiscard]] std::string range_request(std::string_view key, std::string_view range_end = {});

/// Writes the key if its revision is `expected_revision`, and else reads it; 0: if there is none.
[[nodiscard]] std::string write_request(std::string_view key, std::string_view value,
                                        std::uint64_t expected_revision);

[[nodiscard]] std::string token_request(std::string_view user, std::string_view password);

// Answers. An error says what is wrong with the text.

[[nodiscard]] std::expected<std::vector<EtcdValue>, std::string> read_range(std::string_view text);
/// The same of a range of one key; nullopt: it is not there.
[[nodiscard]] std::expected<std::optional<EtcdValue>, std::string> read_value(
    std::string_view text);
[[nodiscard]] std::expected<EtcdWrite, std::string> read_write(std::string_view text);
[[nodiscard]] std::expected<std::string, std::string> read_token(std::string_view text);

/// Of an answer whose status is an error; without a message if the text has none.
[[nodiscard]] EtcdFault read_fault(std::string_view text);

/// True: a write that was answered with this fault was not carried out and never will be.
[[nodiscard]] bool is_refusal(const EtcdFault& fault) noexcept;

/// True: the token is missing, unknown or too old.
[[nodiscard]] bool is_about_token(const EtcdFault& fault) noexcept;

}  // namespace affix::inline v0::service
