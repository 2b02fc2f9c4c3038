// SPDX-License-Identifier: MIT
// A ring of marks, oldest first.
#include "affix/journal/late_marks.hpp"

#include "affix/base/assert.hpp"
#include "affix/journal/journal.hpp"

#include <utility>

namespace affix::inline v0::journal {

LateMarks::LateMarks(std::size_t expected)
    : marks_(std::make_unique<Mark[]>(expected)), expected_(expected), capacity_(expected) {}

void LateMarks::add(Journal& journal, Position position) noexcept {
  if (size_ == capacity_) [[unlikely]] {
    grow();
  }
  marks_[(first_ + size_) % capacity_] = {&journal, position};
  ++size_;
}

void LateMarks::grow() noexcept {
  auto larger = std::make_unique<Mark[]>(2 * capacity_ + 1);
  for (std::size_t at = 0; at < size_; ++at) {
    larger[at] = marks_[(first_ + at) % capacity_];
  }
  marks_ = std::move(larger);
  capacity_ = 2 * capacity_ + 1;
  first_ = 0;
}

void LateMarks::confirm(std::size_t count) noexcept {
  AFFIX_ASSERT(count <= size_);
  for (; count != 0; --count) {
    const Mark mark = marks_[first_];
    first_ = (first_ + 1) % capacity_;
    --size_;
    if (mark.journal != nullptr) {
      mark.journal->confirm_mark(mark.position);
    }
  }
}

std::vector<Position> LateMarks::take_out(const Journal& journal) {
  std::vector<Position> taken;
  for (std::size_t at = 0; at < size_; ++at) {
    Mark& mark = marks_[(first_ + at) % capacity_];
    if (mark.journal == &journal) {
      taken.push_back(mark.position);
      mark.journal = nullptr;
    }
  }
  return taken;
}

}  // namespace affix::inline v0::journal
