// SPDX-License-Identifier: MIT
// When output may leave and when it is stored, in modes other than store first and then send.
#include "host/hosted_session.hpp"

#include <algorithm>

namespace affix::inline v0::host {

std::size_t HostedSession::sendable() noexcept {
  const std::size_t durable = durable_bytes();
  return output_.pace == nullptr ? durable
                                 : std::min(durable, output_.pace->sendable(host_.now().steady_ns,
                                                                            out_.bytes().size()));
}

std::size_t HostedSession::durable_bytes() noexcept {
  const std::size_t all = out_.bytes().size();
  if (!terms_.synced) {
    return all;
  }
  // All output is stored before this call, so if the journal is durable, all of it may leave.
  const std::size_t ready = output_.durable.update(journal_->durable(), journal_->end(), all);
  if (ready < all) {
    host_.await_durability(*this);
  }
  return ready;
}

void HostedSession::note_sent(std::size_t bytes) noexcept {
  store_unstored();
  out_.sent(bytes);
  if (output_.pace != nullptr) [[unlikely]] {
    output_.pace->note_sent(bytes);
  }
  output_.durable.on_sent(bytes);
}

void HostedSession::store_late(const session::PersistSent& sent) noexcept {
  if (output_.unstored->size() == unstored_max) {
    // The maximum for one turn is reached: these are stored before they are sent.
    store_unstored();
  }
  if (output_.unstored->empty()) {
    marks_.begin_late();
  }
  static_cast<void>(output_.unstored->push_back({sent, utc_ns_of_sent()}));
}

void HostedSession::store_unstored() noexcept {
  if (output_.unstored == nullptr || output_.unstored->empty()) [[likely]] {
    return;
  }
  for (const Unstored& one : *output_.unstored) {
    if (health_.failed()) {
      break;
    }
    append_sent(one.sent, one.utc_ns);
  }
  output_.unstored->clear();
  marks_.end_late(!health_.failed());
  if (health_.failed()) {
    host_.leave_unprocessed();
  }
}

void HostedSession::check_flush() noexcept {
  if (!journal_->failed() || !link_.connected() || health_.failed()) {
    return;
  }
  // Appended messages stay in the journal, which tries again to flush them; the peer will request
  // those it has not received.
  fail_journal(journal::AppendResult::Failed, nullptr);
}

}  // namespace affix::inline v0::host
