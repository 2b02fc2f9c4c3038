// SPDX-License-Identifier: MIT
// Requests and answers, as they are remembered: which of two that crossed is newer, and when to ask
// again.
#include "affix/replication/store_view.hpp"

#include "affix/base/assert.hpp"

#include <algorithm>
#include <utility>

namespace affix::inline v0::replication {

StoreRequest StoreView::ask(RequestKind kind, Entry entry, std::int64_t now_ns) {
  AFFIX_ASSERT(!pending_);
  has_changed_meanwhile_ = false;
  pending_ = Pending{.request = {.group = group_,
                                 .kind = kind,
                                 .entry = std::move(entry),
                                 .expected_revision = revision_},
                     .asked_ns = now_ns};
  return pending_->request;
}

bool StoreView::take_news(const Answer& news, std::int64_t now_ns) {
  heard_ns_ = now_ns;
  has_changed_meanwhile_ = true;
  if (news.revision == 0) {
    must_read_ = true;  // Removed, or not there yet: which of them, only a Read can say.
    return false;
  }
  return !is_known_ || news.revision > revision_;
}

StoreView::Heard StoreView::take_answer(const Answer& answer, std::optional<Pending>& asked,
                                        std::int64_t now_ns) {
  heard_ns_ = now_ns;
  if (!pending_ || answer_to(pending_->request.kind) != answer.kind) {
    return Heard::Nothing;
  }
  asked = std::exchange(pending_, std::nullopt);
  outcome_ = answer.outcome;
  error_ = answer.error;
  switch (answer.outcome) {
    case Outcome::Done:
    case Outcome::Conflict:
      back_off_ns_ = 0;
      error_ = {};
      // Of two that crossed, the one with the higher revision is newer; but of a removal and a
      // change nobody can say which was first.
      must_read_ = has_changed_meanwhile_ && answer.revision != revision_ &&
                   (answer.revision == 0 || answer.revision < revision_);
      return must_read_ ? Heard::NoEntry : Heard::Entry;
    case Outcome::Unknown:
      if (asked->request.kind != RequestKind::Read) {
        unsettled_ = asked->request.expected_revision;
      }
      must_read_ = true;
      break;
    case Outcome::Damaged:
      must_read_ = true;
      break;
    case Outcome::Unreachable:
      break;
  }
  back_off(now_ns);
  return Heard::NoEntry;
}

void StoreView::adopt(std::uint64_t revision, std::int64_t now_ns) {
  if (!is_known_ || revision != revision_) {
    observed_ns_ = now_ns;
  }
  is_known_ = true;
  revision_ = revision;
  if (unsettled_ && *unsettled_ != revision) {
    unsettled_.reset();
  }
}

void StoreView::back_off(std::int64_t now_ns) noexcept {
  back_off_ns_ = std::min(pauses_.most_ns, back_off_ns_ == 0 ? pauses_.first_ns : back_off_ns_ * 2);
  retry_at_ns_ = now_ns + back_off_ns_;
}

}  // namespace affix::inline v0::replication
