// SPDX-License-Identifier: MIT
// Flushes a journal, in parallel to its writer, and reports a disk that fails.
#include "affix/journal/journal.hpp"

#include "journal/gate.hpp"
#include "journal/home.hpp"

namespace affix::inline v0::journal {

std::expected<void, base::Error> Journal::flush() {
  const Position end = progress_.end();
  std::expected<bool, base::Error> all = false;
  while (all && !*all) {
    all = flush_piece(end);
  }
  if (!all) {
    return std::unexpected(all.error());
  }
  return {};
}

std::expected<bool, base::Error> Journal::flush_piece(Position end) {
  if (!flushes()) {
    return true;
  }
  const Gate gate(progress_.flushing());
  if ((halted_.load(std::memory_order_relaxed) & halted_by_close) != 0) {
    return true;
  }
  Flusher& flusher = *home_->flusher;
  // A burst leaves many records to flush, and uses up the reserve meanwhile: it comes first, since
  // an append may wait for it. If that fails, it is tried again below.
  static_cast<void>(renew_requested_reserve());
  const std::expected<bool, base::Error> all = flusher.flush_piece(end);
  std::expected<void, base::Error> result;
  if (!all) {
    result = std::unexpected(all.error());
  } else if (*all) {
    result = flusher.seal_vouched();
  }
  if (result) {
    result = renew_requested_reserve();
  }
  flusher.note_result(result.has_value());
  if (!result) {
    halted_.fetch_or(halted_by_flush, std::memory_order_relaxed);
    return std::unexpected(result.error());
  }
  halted_.fetch_and(~halted_by_flush, std::memory_order_relaxed);
  return *all;
}

std::expected<void, base::Error> Journal::renew_requested_reserve() {
  if (!requests_.take_flushed_reserve()) {
    return {};
  }
  std::expected<void, base::Error> renewed = renew_reserve(home_->flusher->segment());
  if (!renewed) {
    requests_.request(Work::FlushedReserve);
  }
  return renewed;
}

}  // namespace affix::inline v0::journal
