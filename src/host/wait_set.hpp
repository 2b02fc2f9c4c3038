// SPDX-License-Identifier: MIT
// What a session waits for, so that its worker keeps it in each of its lists once.
#pragma once

#include <cstdint>

namespace affix::inline v0::host {

enum class Wait : std::uint8_t {
  Attention,     ///< The end of a turn has work for it.
  NextTurn,      ///< It has more to do than one look allows.
  Durability,    ///< Its output waits for the disk.
  Pages,         ///< Its resend or redelivery waits for pages of its journal's history.
  CallbackRoom,  ///< The next message waits for room in the queue to the application's thread.
};

/// One thread.
class WaitSet {
 public:
  [[nodiscard]] bool has(Wait wait) const noexcept { return (bits_ & bit(wait)) != 0; }

  /// True: it was not there.
  bool add(Wait wait) noexcept {
    const bool is_new = !has(wait);
    bits_ = static_cast<std::uint8_t>(bits_ | bit(wait));
    return is_new;
  }

  void remove(Wait wait) noexcept { bits_ = static_cast<std::uint8_t>(bits_ & ~bit(wait)); }

 private:
  [[nodiscard]] static constexpr unsigned bit(Wait wait) noexcept {
    return 1U << static_cast<unsigned>(wait);
  }

  std::uint8_t bits_ = 0;
};

}  // namespace affix::inline v0::host
