// SPDX-License-Identifier: MIT
// Messages received ahead of a gap, ascending by number, in the caller's memory. Bounded in
// messages and bytes; messages that do not fit are refused, and the session requests them again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace affix::inline v0::session {

/// Not initialised, so that a large capacity uses no physical memory until messages are held.
struct HeldMessage {
  std::uint64_t sequence;
  std::uint32_t offset;
  std::uint32_t size;
  bool answered;    ///< It was processed on arrival (a TestRequest was answered); only its number
                    ///< is pending.
  bool over_limit;  ///< It exceeded the throttle on arrival and will be rejected in sequence.
};

enum class HoldResult : std::uint8_t {
  Held,
  HeldAlready,  ///< The number is present; the first message stays.
  Full,         ///< It does not fit; nothing changed.
};

class Hold {
 public:
  /// Both must outlive this; `bytes` has fewer than 2^32 bytes.
  Hold(std::span<char> bytes, std::span<HeldMessage> messages) noexcept
      : bytes_(bytes), messages_(messages) {}

  /// O(1) for ascending numbers, else O(held messages).
  HoldResult insert(std::uint64_t sequence, std::string_view message, bool answered,
                    bool over_limit = false) noexcept;

  [[nodiscard]] bool empty() const noexcept { return first_ == count_; }

  [[nodiscard]] std::uint32_t size() const noexcept { return count_ - first_; }

  /// O(held messages), searched from the highest number.
  [[nodiscard]] bool holds(std::uint64_t sequence) const noexcept {
    std::uint32_t at = count_;
    while (at != first_ && messages_[at - 1].sequence > sequence) {
      --at;
    }
    return at != first_ && messages_[at - 1].sequence == sequence;
  }

  /// The message with the lowest number. Not when empty.
  [[nodiscard]] const HeldMessage& front() const noexcept { return messages_[first_]; }

  /// Valid until the next insert or clear, also after pop_front.
  [[nodiscard]] std::string_view bytes_of(const HeldMessage& held) const noexcept {
    return {bytes_.data() + held.offset, held.size};
  }

  void pop_front() noexcept { ++first_; }

  /// Drops everything below `sequence`.
  void drop_below(std::uint64_t sequence) noexcept {
    while (first_ != count_ && messages_[first_].sequence < sequence) {
      ++first_;
    }
  }

  void clear() noexcept { first_ = count_ = used_ = 0; }

 private:
  [[nodiscard]] bool fits(std::size_t size) const noexcept {
    return count_ != messages_.size() && size <= bytes_.size() - used_;
  }

  /// Frees space at the end of both memories by moving held messages to the beginning.
  void compact() noexcept;

  std::span<char> bytes_;
  std::span<HeldMessage> messages_;
  std::uint32_t first_ = 0;
  std::uint32_t count_ = 0;  ///< One past the last entry.
  std::uint32_t used_ = 0;   ///< Bytes in use, counted from the beginning.
};

}  // namespace affix::inline v0::session
