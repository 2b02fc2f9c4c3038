// SPDX-License-Identifier: MIT
// Connections that outlive the process: what a later process needs is kept up to date, and what an
// earlier one left is continued.
#include "affix/base/assert.hpp"

#include "config/session_options.hpp"
#include "host/hosted_session.hpp"
#include "host/link_continuation.hpp"

#include <string>
#include <utility>

namespace affix::inline v0::host {

void HostedSession::begin_keeping() noexcept {
  LinkKeeper* const keeper = host_.link_keeper();
  // A journal in memory ends with its process, so that nobody could continue.
  kept_.begin(keeper == nullptr || settings_->durability == journal::Durability::Memory
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
  kept_.note_logon(state_, cancel_.peer_terms(), cancel_.grace_ms());
  note_output_place();
  host_.link_keeper()->hold(*kept_.row(), std::move(*duplicate));
}

void HostedSession::stop_keeping() noexcept {
  if (LinkRecord* const row = kept_.end()) [[unlikely]] {
    host_.link_keeper()->drop(*row);
  }
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
  const std::int64_t newest_utc_ns = journal_->recovered().last_utc_ns;
  auto found = find_continuation(row, taken, *journal_, terms_.journal_directory,
                                 options_.secret_tags, dictionary_.data_fields());
  if (!found) {
    return found.error();
  }
  if (terms_.synced && !journal_->flush()) {
    return {"the journal's last records do not reach the disk", "K301"};
  }
  kept_.begin_at(&row, found->place, taken + found->rest.size());
  if (!found->rest.empty()) {
    const net::SendResult sent = host_.reactor().send(connection, found->rest);
    if (sent != net::SendResult::Sent && sent != net::SendResult::Parked) {
      static_cast<void>(kept_.end());
      return {"the connection does not take the rest of the output", "K301"};
    }
    meter_.add(counters::SessionCounter::BytesSent, found->rest.size());
  }
  ensure_buffers();
  link_.begin(connection, host_.reactor().peer_address(connection));
  out_.clear();
  latencies_.begin_connection();
  input_.begin_connection();
  static_cast<void>(dictionary_.choose_default(found->state.appl_ver_id.view()));
  meter_.note_connected(link_.peer() ? link_.peer()->text() : std::string(), host_.now());
  cancel_.go_on_with(row.cancel_terms, row.cancel_grace_ms);
  const base::Now now = host_.now();
  const std::int64_t silent_ns = newest_utc_ns == 0 ? 0 : now.utc_ns - newest_utc_ns;
  continued_ = {now.utc_ns, silent_ns};
  meter_.note_continued(silent_ns);
  host_.report(Event::Severity::Info, settings_->name,
               "goes on with the connection of an earlier process, " +
                   std::to_string(silent_ns / base::ns_per_ms) +
                   " ms after its last record: " + std::to_string(found->rest.size()) +
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

void HostedSession::refuse_continuation() noexcept {
  if (options_.reset_on_disconnect && !numbers_are_first()) {
    reset();  // The connection has ended without us.
  }
}

}  // namespace affix::inline v0::host
