// SPDX-License-Identifier: MIT
// The hold: entries sorted by number, bytes contiguous in order of arrival.

#include "affix/session/hold.hpp"

#include <cstring>

namespace affix::inline v0::session {

HoldResult Hold::insert(std::uint64_t sequence, std::string_view message, bool answered,
                        bool over_limit) noexcept {
  if (empty()) {
    clear();
  }
  std::uint32_t at = count_;
  while (at != first_ && messages_[at - 1].sequence >= sequence) {
    --at;
  }
  if (at != count_ && messages_[at].sequence == sequence) {
    return HoldResult::HeldAlready;
  }
  if (!fits(message.size())) {
    const std::uint32_t released = first_;
    compact();
    at -= released - first_;
    if (!fits(message.size())) {
      return HoldResult::Full;
    }
  }
  std::memmove(messages_.data() + at + 1, messages_.data() + at,
               (count_ - at) * sizeof(HeldMessage));
  const auto size = static_cast<std::uint32_t>(message.size());
  messages_[at] = {sequence, used_, size, answered, over_limit};
  message.copy(bytes_.data() + used_, message.size());
  used_ += size;
  ++count_;
  return HoldResult::Held;
}

void Hold::compact() noexcept {
  if (first_ == 0) {
    return;  // Nothing was released: no space to regain.
  }
  // Entries are sorted by number, bytes by arrival, so a move in entry order could overwrite live
  // bytes. Only space below every live byte can be reclaimed.
  std::uint32_t lowest = used_;
  for (std::uint32_t at = first_; at != count_; ++at) {
    lowest = messages_[at].offset < lowest ? messages_[at].offset : lowest;
  }
  std::memmove(bytes_.data(), bytes_.data() + lowest, used_ - lowest);
  used_ -= lowest;
  std::memmove(messages_.data(), messages_.data() + first_,
               (count_ - first_) * sizeof(HeldMessage));
  count_ -= first_;
  first_ = 0;
  for (std::uint32_t at = 0; at != count_; ++at) {
    messages_[at].offset -= lowest;
  }
}

}  // namespace affix::inline v0::session
