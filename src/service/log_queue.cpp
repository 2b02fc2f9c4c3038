// SPDX-License-Identifier: MIT
// Claims, fills and releases places.
#include "service/log_queue.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace affix::inline v0::service {

LogQueue::LogQueue() : ring_(std::make_unique<Place[]>(places)) {
  for (std::size_t index = 0; index < places; ++index) {
    ring_[index].turn.store(index, std::memory_order_relaxed);
  }
}

bool LogQueue::push(const LogRecord& record) noexcept {
  const std::size_t bytes = record.session.size() + record.text.size();
  std::unique_ptr<char[]> longer;
  if (bytes > short_bytes) [[unlikely]] {
    longer.reset(new (std::nothrow) char[bytes]);
    if (longer == nullptr) {
      dropped_.fetch_add(1, std::memory_order_relaxed);
      return false;
    }
  }
  std::uint64_t number = tail_.load(std::memory_order_relaxed);
  Place* place = nullptr;
  for (;;) {
    place = &ring_[number % places];
    const std::uint64_t turn = place->turn.load(std::memory_order_acquire);
    if (turn == number) {
      if (tail_.compare_exchange_weak(number, number + 1, std::memory_order_acq_rel)) {
        break;
      }
    } else if (turn < number) {
      // The reader has not released this place's record of the previous round.
      dropped_.fetch_add(1, std::memory_order_relaxed);
      return false;
    } else {
      number = tail_.load(std::memory_order_relaxed);  // Another writer was faster.
    }
  }
  place->utc_ns = record.utc_ns;
  place->severity = record.severity;
  place->code = record.code;
  place->session_bytes = static_cast<std::uint32_t>(record.session.size());
  place->text_bytes = static_cast<std::uint32_t>(record.text.size());
  char* const session = longer != nullptr ? longer.get() : place->bytes.data();
  char* const text = std::copy(record.session.begin(), record.session.end(), session);
  std::copy(record.text.begin(), record.text.end(), text);
  place->longer = std::move(longer);
  place->turn.store(number + 1, std::memory_order_release);
  return true;
}

std::optional<LogRecord> LogQueue::front(std::size_t behind) const noexcept {
  const std::uint64_t number = head_ + behind;
  const Place& place = ring_[number % places];
  if (place.turn.load(std::memory_order_acquire) != number + 1) {
    return std::nullopt;
  }
  const char* const bytes = place.longer ? place.longer.get() : place.bytes.data();
  return LogRecord{.utc_ns = place.utc_ns,
                   .severity = place.severity,
                   .session = {bytes, place.session_bytes},
                   .text = {bytes + place.session_bytes, place.text_bytes},
                   .code = place.code};
}

void LogQueue::release() noexcept {
  Place& place = ring_[head_ % places];
  place.longer.reset();
  place.turn.store(head_ + places, std::memory_order_release);
  ++head_;
}

}  // namespace affix::inline v0::service
