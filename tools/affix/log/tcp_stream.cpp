// SPDX-License-Identifier: MIT
// Sequence numbers wrap around; positions do not.
#include "log/tcp_stream.hpp"

#include <utility>

namespace affix::inline v0::tools::log {

void TcpStream::begin(std::uint32_t syn_sequence) {
  *this = TcpStream();
  begun_ = true;
  // Far from zero, so that an old segment is before it and not after the wrap.
  next_ = (std::uint64_t{1} << 32) + syn_sequence + 1;
}

void TcpStream::add(std::uint32_t sequence, std::string_view payload) {
  if (payload.empty()) {
    return;
  }
  if (!begun_) {
    begin(sequence - 1);
  }
  // The position nearest to the next one with these low 32 bits.
  const auto distance = static_cast<std::int32_t>(sequence - static_cast<std::uint32_t>(next_));
  std::uint64_t at = next_ + static_cast<std::uint64_t>(static_cast<std::int64_t>(distance));
  if (distance < 0) {
    const auto known = static_cast<std::uint64_t>(-static_cast<std::int64_t>(distance));
    if (known >= payload.size()) {
      return;  // A retransmission.
    }
    payload.remove_prefix(known);
    at = next_;
  }
  if (at == next_) {
    if (consumed_ > ready_.size() / 2) {
      ready_.erase(0, std::exchange(consumed_, 0));
    }
    ready_ += payload;
    next_ += payload.size();
    take_pending();
    return;
  }
  std::string& waiting = pending_[at];
  if (payload.size() > waiting.size()) {
    pending_bytes_ += payload.size() - waiting.size();
    waiting = payload;
  }
  while (pending_bytes_ > pending_bytes_max && pass_over_gap()) {
  }
}

void TcpStream::take_pending() {
  while (!pending_.empty() && pending_.begin()->first <= next_) {
    const auto node = pending_.extract(pending_.begin());
    pending_bytes_ -= node.mapped().size();
    const std::uint64_t known = next_ - node.key();
    if (known < node.mapped().size()) {
      ready_.append(node.mapped(), known);
      next_ += node.mapped().size() - known;
    }
  }
}

bool TcpStream::pass_over_gap() {
  if (pending_.empty()) {
    return false;
  }
  missing_ += pending_.begin()->first - next_;
  next_ = pending_.begin()->first;
  gap_passed_ = true;
  take_pending();
  return true;
}

}  // namespace affix::inline v0::tools::log
