// SPDX-License-Identifier: MIT
// Checks order, loss and repetition of business messages.
#include "simulation/channel.hpp"

#include <algorithm>

namespace affix::simulation {

void Channel::sent(std::uint64_t sequence, bool queued) {
  rows_.push_back({next_id_++, epoch_, sequence, false, queued});
}

void Channel::reset() noexcept {
  ++epoch_;
  account_for_queued();
}

void Channel::account_for_queued() noexcept {
  for (Row& row : rows_) {
    row.queued = false;
  }
}

void Channel::check_queued(std::uint64_t next) {
  for (const Row& row : rows_) {
    referee_.rule(!row.queued || row.sequence < next, [&] {
      return name_ + ": " + std::to_string(row.id) + " (number " + std::to_string(row.sequence) +
             ") was queued, and a reset lost it without a word";
    });
  }
}

void Channel::refused(std::uint64_t sequence) {
  for (Row& row : rows_) {
    row.refused = row.refused || row.sequence == sequence;
  }
}

bool Channel::excused(const Row& row, std::uint64_t epoch) const noexcept {
  return may_lose || row.refused || row.epoch < epoch;
}

void Channel::begin(std::uint64_t id, bool redelivered) {
  if (unfinished_) {
    referee_.rule(redelivered && id == *unfinished_, [&] {
      return name_ + ": " + std::to_string(id) + " was delivered before " +
             std::to_string(*unfinished_) + " came again, which a crash had interrupted";
    });
    return;
  }
  // A redelivered one may also be a message that was stored and never delivered, but no older one.
  take(id);
  unfinished_ = id;
}

void Channel::take(std::uint64_t id) {
  const auto wanted =
      std::find_if(rows_.begin(), rows_.end(), [id](const Row& row) { return row.id == id; });
  const std::uint64_t epoch = wanted == rows_.end() ? epoch_ : wanted->epoch;
  while (!rows_.empty() && rows_.front().id < id) {
    const Row skipped = rows_.front();
    rows_.pop_front();
    referee_.rule(excused(skipped, epoch), [&] {
      return name_ + ": " + std::to_string(id) + " was delivered, and " +
             std::to_string(skipped.id) + " (number " + std::to_string(skipped.sequence) +
             ") before it was not";
    });
  }
  referee_.rule(!rows_.empty() && rows_.front().id == id, [&] {
    return name_ + ": " + std::to_string(id) + " was delivered " +
           (id < next_id_ ? "a second time, or after a later one" : "and never sent");
  });
  if (!rows_.empty() && rows_.front().id == id) {
    rows_.pop_front();
  }
  ++delivered_;
}

void Channel::check_redelivered() {
  referee_.rule(!unfinished_, [&] {
    return name_ + ": " + std::to_string(*unfinished_) +
           " did not come again, although a crash had interrupted its delivery";
  });
}

bool Channel::all_arrived() const noexcept {
  return std::all_of(rows_.begin(), rows_.end(),
                     [this](const Row& row) { return excused(row, epoch_); });
}

void Channel::check_all_arrived() {
  for (const Row& row : rows_) {
    referee_.rule(excused(row, epoch_), [&] {
      return name_ + ": " + std::to_string(row.id) + " (number " + std::to_string(row.sequence) +
             ") was never delivered";
    });
  }
  rows_.clear();
}

}  // namespace affix::simulation
