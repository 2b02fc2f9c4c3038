// SPDX-License-Identifier: MIT
// Begins a journal's replays, and reads ahead for them.
#include "affix/journal/journal.hpp"
#include "affix/journal/replay.hpp"

#include "journal/gate.hpp"
#include "journal/home.hpp"
#include "journal/read_ahead.hpp"

#include <algorithm>

namespace affix::inline v0::journal {

Replay Journal::replay(std::uint64_t from, std::uint64_t to, ColdPages cold_pages) const {
  if (from > to || from >= next_outgoing_) {
    return {};
  }
  return Replay::of_sent(home_->replays, {from, to}, barrier_, end(), cold_pages);
}

Replay Journal::unprocessed(Position until, ColdPages cold_pages) const {
  if (marks_.unprocessed() == 0) {
    return {};
  }
  return Replay::of_unprocessed(home_->replays, marks_.oldest_unprocessed(), until, cold_pages);
}

Replay Journal::unprocessed(Position from, Position until, ColdPages cold_pages) const {
  return marks_.unprocessed() == 0
             ? Replay()
             : Replay::of_unprocessed(home_->replays, std::max(from, marks_.oldest_unprocessed()),
                                      until, cold_pages);
}

bool Journal::read_ahead() noexcept {
  if (!needs_read_ahead()) {
    return false;
  }
  const Gate gate(asked_.reading());
  ReadAhead* asked = asked_.take();
  bool any = false;
  while (asked != nullptr) {
    // Before it is read: from then on it is the writer's, which may request again.
    ReadAhead* const next = asked->next_asked;
    if (ReadAhead::bring(asked, *home_->files)) {
      any = true;
    } else {
      asked_.push(*asked);  // For the next call.
    }
    asked = next;
  }
  return any;
}

void Journal::drop_read_ahead() noexcept {
  ReadAhead* asked = asked_.take();
  while (asked != nullptr) {
    ReadAhead* const next = asked->next_asked;
    delete asked;
    asked = next;
  }
}

}  // namespace affix::inline v0::journal
