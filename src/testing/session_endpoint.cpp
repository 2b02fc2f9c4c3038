// SPDX-License-Identifier: MIT
// The engine's side of a session, in memory and step by step.

#include "affix/testing/session_endpoint.hpp"

#include <algorithm>

namespace affix::inline v0::testing {

using session::ActionKind;
using session::Progress;

SessionEndpoint::SessionEndpoint(const session::SessionOptions& options, std::size_t outbox_bytes)
    : options_(options),
      memory_(std::make_unique<session::SessionMemoryOf<>>()),
      outbox_(outbox_bytes),
      actions_(256),
      index_(std::make_unique<wire::FieldIndexOf<1024>>()),
      replay_index_(std::make_unique<wire::FieldIndexOf<1024>>()),
      throttle_times_(options.throttle_limit) {
  out_.emplace(outbox_, actions_);
  make_session();
}

void SessionEndpoint::make_session() {
  session::SessionMemory memory = memory_->memory();
  memory.throttle_times = throttle_times_;
  session_.emplace(options_, state_, memory);
}

void SessionEndpoint::connect() {
  disconnect_reason.reset();
  input_.clear();
  framer_.reset();
  out_->clear();
  session_->on_connected(now, *out_);
  carry_out();
}

void SessionEndpoint::disconnect() {
  replay_queue_.clear();
  out_->clear();
  session_->on_disconnected(now, *out_);
  carry_out();
}

void SessionEndpoint::restart() {
  state_ = {};
  session::restore(state_, recorded_outgoing_, recorded_expected_);
  session::restore_queued(state_, recorded_unsent_, recorded_unsent_ == 0 ? 0 : last_queued_);
  replay_queue_.clear();
  out_->clear();
  make_session();
}

void SessionEndpoint::receive(std::string_view bytes) {
  input_ += bytes;
  if (session_->throttled()) {
    return;  // tick() continues.
  }
  std::string_view rest = input_;
  for (;;) {
    const wire::Frame frame = framer_.next(rest);
    if (frame.status == wire::FrameStatus::Partial) {
      break;
    }
    if (frame.status == wire::FrameStatus::Skip) {
      session_->on_garbled(wire::to_text(frame.error), now, *out_);
      carry_out();
    } else if (!handle(rest.substr(0, frame.size))) {
      framer_.reset();
      break;
    }
    rest.remove_prefix(frame.size);
  }
  input_.erase(0, input_.size() - rest.size());
}

bool SessionEndpoint::handle(std::string_view message) {
  wire::index_message(message, *index_);
  const wire::MessageView view(message, *index_);
  constexpr int attempts_max = 64;
  for (int attempt = 0; attempt < attempts_max; ++attempt) {
    const Progress progress = session_->on_message(view, now, *out_);
    carry_out();
    if (progress != Progress::Blocked) {
      return true;
    }
    if (session_->throttled()) {
      return false;
    }
  }
  return true;
}

void SessionEndpoint::tick() {
  const bool throttled = session_->throttled();
  session_->on_time(now, *out_);
  carry_out();
  if (throttled && !session_->throttled()) {
    receive({});
  }
}

bool SessionEndpoint::replay_some() {
  if (!session_->replaying()) {
    return false;
  }
  for (std::uint32_t fed = 0; fed < replay_page && !replay_queue_.empty(); ++fed) {
    const auto found = stored.find(replay_queue_.back());
    if (found != stored.end() && !(resend_veto && resend_veto(found->second))) {
      wire::index_message(found->second, *replay_index_);
      const wire::MessageView view(found->second, *replay_index_);
      if (session_->on_replayed(view, now, *out_) == Progress::Blocked) {
        carry_out();
        return true;
      }
    }
    replay_queue_.pop_back();
  }
  carry_out();
  if (replay_queue_.empty() && session_->on_replay_end(now, *out_) == Progress::Done) {
    carry_out();
  }
  return true;
}

void SessionEndpoint::accept_logon() {
  static_cast<void>(session_->accept_logon(now, *out_));
  carry_out();
}

void SessionEndpoint::refuse_logon(std::string_view text) {
  session_->refuse_logon(text, now, *out_);
  carry_out();
}

session::SendResult SessionEndpoint::send(std::string_view type, std::string_view fields) {
  std::string encoded(fields);
  std::replace(encoded.begin(), encoded.end(), '|', '\x01');
  if (!encoded.empty() && encoded.back() != '\x01') {
    encoded += '\x01';
  }
  const session::SendResult result = session_->send(type, encoded, now, *out_);
  carry_out();
  return result;
}

void SessionEndpoint::logout(std::string_view text) {
  static_cast<void>(session_->logout(text, now, *out_));
  carry_out();
}

std::string SessionEndpoint::take_output() {
  std::string bytes(out_->bytes());
  out_->sent(bytes.size());
  return bytes;
}

void SessionEndpoint::carry_out() {
  do {
    while (const session::Action* action = out_->next_action()) {
      carry_out_one(*action);
    }
  } while (session_->release_waits() && session_->on_ready(now, *out_) != Progress::Blocked);
}

void SessionEndpoint::carry_out_one(const session::Action& action) {
  switch (action.kind) {
    case ActionKind::PersistSent:
      stored[action.persist_sent.sequence] = action.persist_sent.bytes;
      recorded_outgoing_ = action.persist_sent.sequence + 1;
      if (action.persist_sent.placed.empty()) {
        ++recorded_unsent_;
        last_queued_ = action.persist_sent.sequence;
      }
      break;
    case ActionKind::PersistReceived: {
      const session::PersistReceived& record = action.persist_received;
      recorded_expected_ = record.expected_after;
      received.push_back({record.sequence, record.expected_after, std::string(record.bytes)});
      break;
    }
    case ActionKind::PersistHeld:
      held.push_back(action.persist_held.sequence);
      break;
    case ActionKind::PersistResent:
      resent.push_back(action.persist_resent);
      recorded_unsent_ = action.persist_resent.unsent;
      break;
    case ActionKind::PersistEvent:
      events.push_back(action.persist_event);
      if (action.persist_event.why == session::NumbersMoved::Reset ||
          action.persist_event.why == session::NumbersMoved::Skipped ||
          action.persist_event.next_outgoing < recorded_outgoing_) {
        recorded_unsent_ = 0;
      }
      recorded_outgoing_ = action.persist_event.next_outgoing;
      recorded_expected_ = action.persist_event.next_expected;
      if (action.persist_event.why == session::NumbersMoved::Reset) {
        stored.clear();
      }
      break;
    case ActionKind::Deliver: {
      const session::Deliver deliver = action.deliver;
      (deliver.admin ? delivered_admin : delivered)
          .push_back({deliver.sequence, std::string(deliver.message.bytes()), deliver.admin,
                      deliver.possible_duplicate, deliver.possible_resend, deliver.released});
      if (on_deliver && !deliver.admin) {
        on_deliver(*this, deliver);
      }
      break;
    }
    case ActionKind::LogonRequested:
      ++logons_requested;
      if (logon_answer == LogonAnswer::Accept) {
        static_cast<void>(session_->accept_logon(now, *out_));
      } else if (logon_answer == LogonAnswer::Refuse) {
        session_->refuse_logon(refusal_text, now, *out_);
      }
      break;
    case ActionKind::Replay:
      replay_queue_.clear();
      for (auto at = stored.lower_bound(action.replay.from);
           at != stored.end() && at->first <= action.replay.to; ++at) {
        replay_queue_.push_back(at->first);
      }
      std::reverse(replay_queue_.begin(), replay_queue_.end());
      break;
    case ActionKind::Disconnect:
      disconnect_reason = action.disconnect.reason;
      break;
    case ActionKind::Report: {
      const session::Report& report = action.report;
      reports.push_back({report.event, report.first, report.second, std::string(report.text)});
      break;
    }
  }
}

bool SessionEndpoint::reported(session::Event event) const {
  return report_count(event) != 0;
}

std::size_t SessionEndpoint::report_count(session::Event event) const {
  return static_cast<std::size_t>(
      std::count_if(reports.begin(), reports.end(),
                    [&](const Reported& report) { return report.event == event; }));
}

}  // namespace affix::inline v0::testing
