// SPDX-License-Identifier: MIT
// Connections that outlive the process: what a later process needs is kept up to date, and what an
// earlier one left is continued.
#include "affix/base/assert.hpp"

#include "config/session_options.hpp"
#include "host/hosted_session.hpp"
#include "host/link_continuation.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace affix::inline v0::host {

void HostedSession::begin_keeping() noexcept {
  LinkKeeper* const keeper = host_.link_keeper();
  // A journal in memory ends with its process, so that nobody could continue. The peer of a session
  // of a failover group must notice that the process ended, to connect to the node that leads next.
  kept_.begin(keeper == nullptr || led_ != nullptr ||
                      settings_->durability == journal::Durability::Memory
                  ? nullptr
                  : keeper->take(identity_of(terms_.identity), settings_->name,
                                 static_cast<std::uint32_t>(options_.role)));
}

void HostedSession::keep_link() noexcept {
  if (!kept_.kept()) [[likely]] {
    return;
  }
  auto duplicate = host_.reactor().share(link_.id());
  if (!duplicate) {
    // TLS: its keys end with the process.
    stop_keeping();
    return;
  }
  // The row must not be ahead of the journal.
  store();
  store_unstored();
  kept_.note_logon(state_, host_.worker_number(), cancel_.peer_terms(), cancel_.grace_ms());
  note_output_place();
  host_.link_keeper()->hold(*kept_.row(), std::move(*duplicate));
}

void HostedSession::stop_keeping() noexcept {
  if (LinkRecord* const row = kept_.end()) [[unlikely]] {
    (passed_on() ? *kept_.passed_to() : *host_.link_keeper()).drop(*row);
    kept_.end_passing();
  }
}

bool HostedSession::output_waits() const noexcept {
  return link_.open() && logged_on() &&
         (!out_.bytes().empty() || !rest_.empty() || !late_.empty() ||
          host_.reactor().parked_bytes(link_.id()) != 0);
}

bool HostedSession::pass_on(const std::shared_ptr<LinkKeeper>& keeper) noexcept {
  take_back();
  if (!link_.open() || !logged_on() || !link_.logon_reported() || output_waits() ||
      settings_->durability == journal::Durability::Memory) {
    return false;
  }
  auto duplicate = host_.reactor().share(link_.id());
  LinkRecord* const row = duplicate ? keeper->take(identity_of(terms_.identity), settings_->name,
                                                   static_cast<std::uint32_t>(options_.role))
                                    : nullptr;
  if (row == nullptr) {
    return false;
  }
  kept_.pass_to(keeper, row);
  kept_.note_logon(state_, host_.worker_number(), cancel_.peer_terms(), cancel_.grace_ms());
  note_output_place();
  row->unserved_since_ns = host_.now().steady_ns;
  keeper->hold(*row, std::move(*duplicate));
  return true;
}

void HostedSession::take_back() noexcept {
  if (passed_on()) {
    stop_keeping();
  }
}

void HostedSession::leave_connection(base::CodedText why) noexcept {
  AFFIX_ASSERT(passed_on());
  link_.set_why(why);
  note_end(EndedBy::Change);
  static_cast<void>(kept_.end());  // The row is the other node's.
  if (!host_.reactor().leave(link_.id())) {
    host_.reactor().close(link_.id());
  }
  kept_.end_passing();  // Which lets the other node take it.
  on_closed(why);
}

void HostedSession::note_output_place() noexcept {
  kept_.before_send(state_, out_.bytes().size(), out_.unstored_bytes(), journal_->end());
}

base::CodedText HostedSession::continue_on(net::ConnectionId connection, LinkRecord& row,
                                           std::uint64_t taken) noexcept {
  AFFIX_ASSERT(!link_.connected());
  if (const base::CodedText refusal = connection_refusal(); !refusal.empty()) {
    return refusal;
  }
  if (!may_log_on()) {
    return {"outside of the session's schedule", "K301"};
  }
  const bool was_passed = led_ != nullptr;
  auto found = was_passed ? find_passed(row, taken, *journal_)
                          : find_continuation(row, taken, *journal_, terms_.journal_directory,
                                              options_.secret_tags, dictionary_.data_fields());
  if (!found) {
    return found.error();
  }
  if (was_passed) {
    kept_.begin_at(taken);
  } else if (terms_.synced && !journal_->flush()) {
    return {"the journal's last records do not reach the disk", "K301"};
  } else {
    kept_.begin_at(&row, host_.worker_number(), found->place, taken + found->rest.size());
  }
  const std::size_t left = found->rest.size();
  rest_.begin(std::move(found->rest));
  if (rest_.send(host_.reactor(), connection) == net::SendResult::Closed) {
    rest_.clear();
    static_cast<void>(kept_.end());
    return {"it has ended", "K301"};
  }
  meters_.counts.add(counters::SessionCounter::BytesSent, left - rest_.size());
  ensure_buffers();
  link_.begin(connection, host_.reactor().peer_address(connection));
  out_.clear();
  meters_.latencies.begin_connection();
  input_.begin_connection();
  static_cast<void>(dictionary_.choose_default(found->state.appl_ver_id.view()));
  meters_.counts.note_connected(link_.peer() ? link_.peer()->text() : std::string(), host_.now());
  cancel_.go_on_with(row.cancel_terms, row.cancel_grace_ms);
  const base::Now now = host_.now();
  const std::int64_t silent_ns =
      row.unserved_since_ns == 0 ? 0
                                 : std::max<std::int64_t>(now.steady_ns - row.unserved_since_ns, 0);
  history_.note_continued(now.utc_ns, silent_ns);
  meters_.counts.note_continued(silent_ns);
  host_.report(Event::Severity::Info, settings_->name,
               std::string("goes on with the connection of ") +
                   (was_passed ? "another node" : "an earlier process") + ", after a silence of " +
                   std::to_string(silent_ns / base::ns_per_ms) + " ms: " + std::to_string(left) +
                   " bytes were left to send, " + std::to_string(found->unanswered.size()) +
                   " session messages to answer; " + parties(),
               "K302");
  session_.on_continued(found->state, now, out_);
  carry_out();
  for (const std::string& message : found->unanswered) {
    if (!link_.open()) {
      break;
    }
    wire::index_message(message, host_.replay_index(), dictionary_.data_fields());
    session_.answer_again(wire::MessageView(message, host_.replay_index()), host_.now(), out_);
    carry_out();
  }
  host_.needs_attention(*this);
  return {};
}

bool HostedSession::send_rest() noexcept {
  const std::size_t before = rest_.size();
  const net::SendResult sent = rest_.send(host_.reactor(), link_.id());
  if (sent == net::SendResult::Closed) {
    return false;  // on_closed() follows or has come.
  }
  if (rest_.size() != before) {
    meters_.counts.add(counters::SessionCounter::BytesSent, before - rest_.size());
    link_.on_output_taken();
    if (!host_.in_turn()) {
      host_.reactor().submit();
    }
  }
  if (sent == net::SendResult::Overflow) {
    stall();
    return false;
  }
  return true;
}

void HostedSession::refuse_continuation() noexcept {
  if (options_.reset_on_disconnect && !numbers_are_first()) {
    reset();  // The connection has ended without us.
  }
}

}  // namespace affix::inline v0::host
