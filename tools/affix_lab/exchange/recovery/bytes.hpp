// SPDX-License-Identifier: MIT
// Converts values to bytes and back, for records that stay on this machine.
#pragma once

#include "exchange/book/events.hpp"

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

namespace affix::inline v0::tools::exchange {

/// Appends to the caller's string, whose memory is reused.
class ByteWriter {
 public:
  explicit ByteWriter(std::string& bytes) noexcept : bytes_(bytes) {}

  template <typename Value>
    requires std::is_arithmetic_v<Value> || std::is_enum_v<Value> ||
             std::is_same_v<Value, WideInteger>
  void put(Value value) {
    char bytes[sizeof(Value)];
    std::memcpy(bytes, &value, sizeof(Value));
    bytes_.append(bytes, sizeof(Value));
  }

  void put(std::string_view text) {
    put(static_cast<std::uint32_t>(text.size()));
    bytes_.append(text);
  }

  void put(const std::string& text) { put(std::string_view(text)); }

 private:
  std::string& bytes_;
};

/// Views point into the bytes. After a read past the end everything reads as zero or empty, and
/// failed() is true.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) noexcept : bytes_(bytes) {}

  template <typename Value>
  [[nodiscard]] Value get() noexcept {
    Value value{};
    if (bytes_.size() < sizeof(Value)) {
      fail();
      return value;
    }
    std::memcpy(&value, bytes_.data(), sizeof(Value));
    bytes_.remove_prefix(sizeof(Value));
    return value;
  }

  [[nodiscard]] std::string_view text() noexcept {
    const auto size = get<std::uint32_t>();
    if (bytes_.size() < size) {
      fail();
      return {};
    }
    const std::string_view value = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return value;
  }

  [[nodiscard]] bool failed() const noexcept { return failed_; }

  /// True if everything was read, and nothing was missing.
  [[nodiscard]] bool done() const noexcept { return !failed_ && bytes_.empty(); }

 private:
  void fail() noexcept {
    failed_ = true;
    bytes_ = {};
  }

  std::string_view bytes_;
  bool failed_ = false;
};

}  // namespace affix::inline v0::tools::exchange
