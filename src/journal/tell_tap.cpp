// SPDX-License-Identifier: MIT
// Reports a journal's stores to its tap.
#include "affix/journal/journal.hpp"
#include "affix/journal/tap.hpp"

namespace affix::inline v0::journal {

void Journal::set_tap(Tap* tap, std::uint32_t tap_id) noexcept {
  if (in_memory()) {
    return;
  }
  tap_.tap = tap;
  tap_.id = tap_id;
  if (tap == nullptr) {
    after_store_ &= static_cast<std::uint8_t>(~then_tells);
    return;
  }
  after_store_ |= then_tells;
  tap_.told_reserve = reserved_outgoing();
  reserve_.always_reserve_first();
}

// Another thread stores the reserve, so the writer looks for a new one at each record: one that
// needs it comes later.
void Journal::tell_of_reserve() noexcept {
  const std::uint64_t reserved = reserve_.reserved();
  if (reserved != tap_.told_reserve) {
    tap_.told_reserve = reserved;
    tap_.tap->on_reserve(tap_.id, reserved);
  }
}

void Journal::tell_of_record(std::size_t offset, std::size_t record_bytes) noexcept {
  tell_of_reserve();
  tap_.tap->on_record(tap_.id, {mapped_.number(), static_cast<std::uint32_t>(offset)},
                      {base_ + offset, record_bytes});
}

}  // namespace affix::inline v0::journal
