// SPDX-License-Identifier: MIT
// Messages that came ahead of a gap, ascending by number, in memory of the caller's. Bounded in
// messages and bytes; what does not fit is refused, and the session asks for it again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace affix::inline v0::session {

/// Without initialisers, so that room for many costs a session no memory until messages are held.
struct HeldMessage {
  std::uint64_t sequence;
  std::uint32_t offset;
  std::uint32_t size;
  bool answered;    ///< It took its effect when it came (a TestRequest was answered); only
                    ///< its number waits.
  bool over_limit;  ///< It was one too many for the throttle when it came, and is rejected in turn.
};

enum class HoldResult : std::uint8_t {
  Held,
  HeldAlready,  ///< The number is there; it stays as it is.
  Full,         ///< It does not fit; nothing changes.
};

class Hold {
 public:
  /// Both outlive this; `bytes` are fewer than 2^32.
  Hold(std::span<char> bytes, std::span<HeldMessage> messages) noexcept
      : bytes_(bytes), messages_(messages) {}

  /// O(1) for ascending numbers, else O(held messages).
  HoldResult insert(std::uint64_t sequence, std::string_view message, bool answered,
                    bool over_limit = false) noexcept;

  [[nodiscard]] bool empty() const noexcept { return first_ == count_; }

  [[nodiscard]] std::uint32_t size() const noexcept { return count_ - first_; }

  /// O(held messages), the latest first.
  [[nodiscard]] bool holds(std::uint64_t sequence) const noexcept {
    std::uint32_t at = count_;
    while (at != first_ && messages_[at - 1].sequence > sequence) {
      --at;
    }
    return at != first_ && messages_[at - 1].sequence == sequence;
  }

  /// The lowest number; not when empty.
  [[nodiscard]] const HeldMessage& front() const noexcept { return messages_[first_]; }

  /// Lives until the next insert or clear, pop_front included.
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

  /// Makes room at the end of either memory by moving what is held to its beginning.
  void compact() noexcept;

  std::span<char> bytes_;
  std::span<HeldMessage> messages_;
  std::uint32_t first_ = 0;
  std::uint32_t count_ = 0;  ///< One behind the last entry.
  std::uint32_t used_ = 0;   ///< Bytes in use, counted from the beginning.
};

}  // namespace affix::inline v0::session
