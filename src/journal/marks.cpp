// SPDX-License-Identifier: MIT
// Processed marks that survive a power loss, MarkTrust::Vouched: a mark counts once everything sent
// before it is on the disk, in any journal. The writer settles its marks between two messages, the
// flushing thread vouches for them, and flusher.cpp stores the position.
#include "affix/journal/journal.hpp"
#include "affix/journal/late_marks.hpp"
#include "affix/journal/tap.hpp"

#include "journal/home.hpp"

#include <utility>

namespace affix::inline v0::journal {

SettledMarks Journal::settle_marks() noexcept {
  return marks_.vouched() ? marks_.settle(end()) : SettledMarks{};
}

SettledMarks Journal::settle_followed() noexcept {
  return marks_.vouched() ? marks_.settle_processed(end()) : SettledMarks{};
}

void Journal::vouch_for_marks(const SettledMarks& settled) noexcept {
  if (marks_.vouched()) {
    vouched_.vouch(settled);
  }
}

void Journal::set_late_marks(LateMarks* late) noexcept {
  late_marks_ = late;
  if (late != nullptr) {
    for (const Position position : std::exchange(home_->left_late, {})) {
      late->add(*this, position);
    }
  }
}

void Journal::note_late(Position position) noexcept {
  marks_.add_late(position);
  if (late_marks_ != nullptr) {
    late_marks_->add(*this, position);
  } else if (is_copy()) {
    home_->left_late.push_back(position);  // For who makes it append.
  }
}

bool Journal::awaits_confirmations() const noexcept {
  return late_marks_ != nullptr && late_marks_->full();
}

void Journal::confirm_mark(Position position) noexcept {
  if (!marks_.vouched() || !marks_.any_late()) {
    return;
  }
  confirm_stored(position);
  marks_.confirm_late(position);
  if (tap_.tap != nullptr) {
    tap_.tap->on_mark(tap_.id, position, format::Mark::Final);
  }
}

void Journal::confirm_stored(Position position) noexcept {
  if (Segment* const segment = mapped_.find(position.segment)) {
    char* const mark = mark_of(segment->base(), position.offset);
    __atomic_store_n(mark, static_cast<char>(format::Mark::Final), __ATOMIC_RELAXED);
    if (segment->is_written()) {
      bring_mark(*segment, position, static_cast<std::size_t>(mark - segment->base()));
    }
  } else {
    static_cast<void>(
        home_->files->mark_processed(position.segment, position.offset, format::Mark::Final));
  }
}

// False: a power loss may take what was sent before one of the marks, so the journal must not count
// as closed on the disk, where every mark counts.
bool Journal::all_marks_vouched() const noexcept {
  return !marks_.vouched() || (vouched_.before() == end() &&
                               (!marks_.any_late() || vouched_.late() == marks_.late_set()));
}

}  // namespace affix::inline v0::journal
