// SPDX-License-Identifier: MIT
// The engine's side of a session, in memory and step by step.

#include "affix/testing/session_endpoint.hpp"

#include "affix/wire/view.hpp"

#include "testing/message_input.hpp"
#include "testing/recorded_numbers.hpp"
#include "testing/session_on_heap.hpp"
#include "testing/stored_replay.hpp"

#include <algorithm>

namespace affix::inline v0::testing {

using session::ActionKind;
using session::Progress;

SessionEndpoint::SessionEndpoint(const session::SessionOptions& options, std::size_t outbox_bytes)
    : heap_(std::make_unique<SessionOnHeap>(options, outbox_bytes)),
      input_(std::make_unique<MessageInput>()),
      replay_(std::make_unique<StoredReplay>()),
      numbers_(std::make_unique<RecordedNumbers>()) {}

SessionEndpoint::~SessionEndpoint() = default;

session::Session& SessionEndpoint::session() noexcept {
  return heap_->session();
}

const session::SessionState& SessionEndpoint::state() const noexcept {
  return heap_->state();
}

session::Phase SessionEndpoint::phase() const noexcept {
  return heap_->state().phase;
}

session::Out& SessionEndpoint::out() noexcept {
  return heap_->out();
}

std::uint64_t SessionEndpoint::recorded_outgoing() const noexcept {
  return numbers_->next_outgoing();
}

std::uint64_t SessionEndpoint::recorded_expected() const noexcept {
  return numbers_->next_expected();
}

void SessionEndpoint::connect() {
  disconnect_reason.reset();
  input_->clear();
  out().clear();
  session().on_connected(now, out());
  carry_out();
}

void SessionEndpoint::disconnect() {
  replay_->clear();
  out().clear();
  session().on_disconnected(now, out());
  carry_out();
}

void SessionEndpoint::restart() {
  replay_->clear();
  heap_->restart(*numbers_);
}

void SessionEndpoint::receive(std::string_view bytes) {
  input_->add(bytes);
  if (session().throttled()) {
    return;  // tick() continues.
  }
  const auto on_garbled = [this](wire::FrameError error) {
    session().on_garbled(wire::to_text(error), now, out());
    carry_out();
  };
  input_->take(on_garbled, [this](const wire::MessageView& message) { return handle(message); });
}

bool SessionEndpoint::handle(const wire::MessageView& message) {
  constexpr int attempts_max = 64;
  for (int attempt = 0; attempt < attempts_max; ++attempt) {
    const Progress progress = session().on_message(message, now, out());
    carry_out();
    if (progress != Progress::Blocked) {
      return true;
    }
    if (session().throttled()) {
      return false;
    }
  }
  return true;
}

void SessionEndpoint::tick() {
  const bool throttled = session().throttled();
  session().on_time(now, out());
  carry_out();
  if (throttled && !session().throttled()) {
    receive({});
  }
}

bool SessionEndpoint::replay_some() {
  if (!session().replaying()) {
    return false;
  }
  const bool passed =
      replay_->pass_some(stored, replay_page, [this](const wire::MessageView& message) {
        return (resend_veto && resend_veto(message.bytes())) ||
               session().on_replayed(message, now, out()) != Progress::Blocked;
      });
  carry_out();
  if (passed && replay_->finished() && session().on_replay_end(now, out()) == Progress::Done) {
    carry_out();
  }
  return true;
}

void SessionEndpoint::accept_logon() {
  static_cast<void>(session().accept_logon(now, out()));
  carry_out();
}

void SessionEndpoint::refuse_logon(std::string_view text) {
  session().refuse_logon(text, now, out());
  carry_out();
}

session::SendResult SessionEndpoint::send(std::string_view type, std::string_view fields) {
  std::string encoded(fields);
  std::replace(encoded.begin(), encoded.end(), '|', '\x01');
  if (!encoded.empty() && encoded.back() != '\x01') {
    encoded += '\x01';
  }
  const session::SendResult result = session().send(type, encoded, now, out());
  carry_out();
  return result;
}

void SessionEndpoint::logout(std::string_view text) {
  static_cast<void>(session().logout(text, now, out()));
  carry_out();
}

std::string SessionEndpoint::take_output() {
  std::string bytes(out().bytes());
  out().sent(bytes.size());
  return bytes;
}

void SessionEndpoint::carry_out() {
  do {
    while (const session::Action* action = out().next_action()) {
      carry_out_one(*action);
    }
  } while (session().release_waits() && session().on_ready(now, out()) != Progress::Blocked);
}

void SessionEndpoint::carry_out_one(const session::Action& action) {
  switch (action.kind) {
    case ActionKind::PersistSent:
      stored[action.persist_sent.sequence] = action.persist_sent.bytes;
      numbers_->record(action.persist_sent);
      break;
    case ActionKind::PersistReceived: {
      const session::PersistReceived& record = action.persist_received;
      numbers_->record(record);
      received.push_back({record.sequence, record.expected_after, std::string(record.bytes)});
      break;
    }
    case ActionKind::PersistHeld:
      held.push_back(action.persist_held.sequence);
      break;
    case ActionKind::PersistResent:
      resent.push_back(action.persist_resent);
      numbers_->record(action.persist_resent);
      break;
    case ActionKind::PersistEvent:
      events.push_back(action.persist_event);
      numbers_->record(action.persist_event);
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
        static_cast<void>(session().accept_logon(now, out()));
      } else if (logon_answer == LogonAnswer::Refuse) {
        session().refuse_logon(refusal_text, now, out());
      }
      break;
    case ActionKind::Replay:
      replay_->begin(stored, action.replay.from, action.replay.to);
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
