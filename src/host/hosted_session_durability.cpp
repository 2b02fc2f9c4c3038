// SPDX-License-Identifier: MIT
// When output may leave and when it is stored, in modes other than store first and then send.
#include "host/hosted_session.hpp"

#include <algorithm>

namespace affix::inline v0::host {

std::size_t HostedSession::sendable() noexcept {
  const std::size_t safe = safe_bytes();
  return output_.limited()
             ? std::min(safe, output_.within_limit(host_.now().steady_ns, out_.bytes().size()))
             : safe;
}

// All output is stored before this call, so if the journal is durable, and the standbys have it,
// all of it may leave.
std::size_t HostedSession::safe_bytes() noexcept {
  const std::size_t all = out_.bytes().size();
  std::size_t safe = all;
  if (terms_.synced) {
    safe = output_.durable(journal_->durable(), journal_->end(), all);
    if (safe < all) {
      host_.await_durability(*this);
    }
  }
  if (led_ != nullptr) [[unlikely]] {
    const auto released = led_->released(host_.now().steady_ns);
    const std::size_t replicated =
        released ? output_.replicated(*released, led_->stored(), all) : 0;
    if (replicated < all) {
      host_.await_replication(*this);
    }
    safe = std::min(safe, replicated);
  }
  return safe;
}

std::size_t HostedSession::last_safe_bytes() const noexcept {
  if (led_ != nullptr && !led_->released(host_.now().steady_ns)) {
    return 0;
  }
  const std::size_t all = out_.bytes().size();
  return std::min(terms_.synced ? output_.last_durable() : all,
                  led_ != nullptr ? output_.last_replicated() : all);
}

void HostedSession::note_sent(std::size_t bytes) noexcept {
  store_unstored();
  out_.sent(bytes);
  output_.on_sent(bytes);
}

void HostedSession::store_late(const session::PersistSent& sent) noexcept {
  if (late_.full()) {
    store_unstored();  // Before they are sent.
  }
  late_.add(sent, utc_ns_of_sent());
}

void HostedSession::store_unstored() noexcept {
  if (late_.empty()) [[likely]] {
    return;
  }
  const bool stored = late_.store([this](const session::PersistSent& sent, std::int64_t utc_ns) {
    if (!health_.failed()) {
      append_sent(sent, utc_ns);
    }
    return !health_.failed();
  });
  if (!stored) {
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
