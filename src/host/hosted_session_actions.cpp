// SPDX-License-Identifier: MIT
// Carries out the protocol's actions: journal first, then the application and the
// transport.
#include "affix/host/receipt_position.hpp"

#include "host/callback_relay.hpp"
#include "host/hosted_session.hpp"
#include "host/report_text.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <utility>

namespace affix::inline v0::host {

namespace {

/// Maximum time of an orderly close.
constexpr std::int64_t close_flush_ns = 2 * base::ns_per_second;

constexpr std::uint32_t default_appl_ver_id_tag = 1137;

bool is_persist(session::ActionKind kind) noexcept {
  return kind == session::ActionKind::PersistSent || kind == session::ActionKind::PersistReceived ||
         kind == session::ActionKind::PersistHeld || kind == session::ActionKind::PersistResent ||
         kind == session::ActionKind::PersistEvent;
}

std::uint32_t stored_count(std::uint64_t unsent) noexcept {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(unsent, UINT32_MAX));
}

}  // namespace

void HostedSession::carry_out() noexcept {
  AFFIX_ASSERT(!carrying_out_);
  carrying_out_ = true;
  for (;;) {
    if (memory_.has_deferred()) {
      // They precede those in the list now.
      memory_.take_deferred([this](const session::Action& action) { execute(action); });
      continue;
    }
    const session::Action* action = out_.next_action();
    if (action == nullptr) {
      break;
    }
    // A copy: callees may add to the list.
    execute(session::Action(*action));
  }
  carrying_out_ = false;
  if (link_.ending() && !link_.closing()) {
    begin_close();
  }
  if (health_.take_unreported()) {
    host_.report(Event::Severity::Error, settings_->name,
                 "the journal did not take a record, so the session is down until it does", "S302");
  }
}

void HostedSession::store() noexcept {
  while (const session::Action* action = out_.next_action()) {
    if (is_persist(action->kind)) {
      persist(session::Action(*action));
    } else {
      memory_.defer(*action);
    }
  }
}

void HostedSession::execute(const session::Action& action) noexcept {
  switch (action.kind) {
    case session::ActionKind::Deliver:
      deliver(action.deliver);
      return;
    case session::ActionKind::LogonRequested:
      answer_logon(action.logon_requested);
      return;
    case session::ActionKind::Replay:
      store_unstored();
      reads_.resend =
          journal_->replay(action.replay.from, action.replay.to, journal::ColdPages::Await);
      host_.needs_attention(*this);
      return;
    case session::ActionKind::Disconnect:
      disconnect(action.disconnect.reason);
      return;
    case session::ActionKind::Report:
      report(action.report);
      return;
    default:
      persist(action);
      return;
  }
}

// --- Journal ---

void HostedSession::persist(const session::Action& action) noexcept {
  if (health_.failed()) {
    delivery_.on_not_stored();
    if (action.kind == session::ActionKind::PersistSent) {
      // It was placed before the journal refused an earlier record; its number is free again.
      link_.limit_last_bytes(outbox_bytes_before(action.persist_sent.placed.data()));
    }
    return;
  }
  switch (action.kind) {
    case session::ActionKind::PersistSent:
      persist_sent(action.persist_sent);
      return;
    case session::ActionKind::PersistReceived:
      persist_received(action.persist_received);
      return;
    default:
      persist_rarely(action);
      return;
  }
}

void HostedSession::persist_rarely(const session::Action& action) noexcept {
  const std::int64_t utc_ns = host_.now().utc_ns;
  journal::AppendResult result = journal::AppendResult::Appended;
  switch (action.kind) {
    case session::ActionKind::PersistHeld:
      meters_.counts.add(counters::SessionCounter::MessagesHeld);
      result = journal_->append_held(
          action.persist_held.sequence, utc_ns,
          without_secrets(action.persist_held.bytes, action.persist_held.has_secret));
      break;
    case session::ActionKind::PersistResent:
      meters_.counts.note_sending(utc_ns);
      journal_->set_unsent(stored_count(action.persist_resent.unsent));
      result =
          journal_->append_resent(action.persist_resent.from, action.persist_resent.to, utc_ns);
      break;
    default: {
      store_unstored();  // They have the numbers before this record.
      const session::PersistEvent& event = action.persist_event;
      const bool reset = event.why == session::NumbersMoved::Reset;
      if (event.why == session::NumbersMoved::Skipped) {
        journal_->set_unsent(0);
      }
      result =
          journal_->append_event(reset ? journal::EventType::Reset : journal::EventType::NumbersSet,
                                 event.next_outgoing, event.next_expected, utc_ns,
                                 reset                                            ? "reset"
                                 : event.why == session::NumbersMoved::TheirReset ? "theirs reset"
                                                                                  : "set by hand");
      break;
    }
  }
  if (result != journal::AppendResult::Appended) {
    fail_journal(result, nullptr);
  }
}

std::string_view HostedSession::without_secrets(std::string_view bytes, bool has_secret) noexcept {
  if (!has_secret && options_.secret_tags.empty()) [[likely]] {
    return bytes;
  }
  return session::copy_without_secrets(bytes, memory_.secret_copy(), options_.secret_tags,
                                       dictionary_.data_fields());
}

void HostedSession::persist_sent(const session::PersistSent& sent) noexcept {
  meters_.counts.add(counters::SessionCounter::MessagesSent);
  if (!terms_.stores_first) [[unlikely]] {
    if (link_.open() && !sent.placed.empty()) {
      store_late(sent);
      return;
    }
    // The journal's numbers ascend, and waiting messages have earlier ones.
    store_unstored();
    if (health_.failed()) {
      return;
    }
  }
  append_sent(sent, utc_ns_of_sent());
}

void HostedSession::append_sent(const session::PersistSent& sent, std::int64_t utc_ns) noexcept {
  meters_.counts.note_sending(utc_ns);
  const std::int64_t begun_ns = meters_.counts.measures_sent_append() ? clock_ns() : 0;
  const std::string_view message = without_secrets(sent.bytes, sent.has_secret);
  const bool queued = sent.placed.empty();
  const journal::AppendResult result = queued
                                           ? journal_->append_queued(sent.sequence, utc_ns, message)
                                           : journal_->append_sent(sent.sequence, utc_ns, message);
  if (begun_ns != 0) [[unlikely]] {
    meters_.counts.record(counters::SessionLatency::Append, clock_ns() - begun_ns);
  }
  if (result != journal::AppendResult::Appended) {
    fail_journal(result, sent.placed.data());
  }
}

void HostedSession::persist_received(const session::PersistReceived& received) noexcept {
  const std::int64_t utc_ns =
      input_.arrival_utc_ns() != 0 ? input_.arrival_utc_ns() : host_.now().utc_ns;
  const bool measured = received.deliver_follows && meters_.counts.measures_received_append();
  const std::int64_t begun_ns = measured ? clock_ns() : 0;
  const journal::Appended appended = journal_->append_received(
      received.sequence, received.expected_after, utc_ns,
      without_secrets(received.bytes, received.has_secret),
      received.deliver_follows ? journal::Delivery::Application : journal::Delivery::SessionOnly);
  if (measured) [[unlikely]] {
    meters_.counts.record(counters::SessionLatency::Append, clock_ns() - begun_ns);
  }
  delivery_.on_stored(appended.position());
  if (appended.result() != journal::AppendResult::Appended) {
    delivery_.on_not_stored();
    fail_journal(appended.result(), nullptr);
  }
}

void HostedSession::fail_journal(journal::AppendResult result, const char* unsent) noexcept {
  link_.set_why({journal::to_text(result), journal::code_of(result)});
  health_.on_refusal(
      result, link_.connected() ? JournalHealth::Link::Connected : JournalHealth::Link::Down);
  host_.needs_attention(*this);
  if (!link_.connected()) {
    restore_numbers();
    return;
  }
  note_end(EndedBy::Journal);
  // Output stored before may still leave; what was not stored must not, and nor must messages that
  // wait to be stored, since nothing more is.
  const std::size_t stored = outbox_bytes_before(unsent != nullptr ? unsent : late_.first_placed());
  if (link_.ending()) {
    link_.limit_last_bytes(stored);
    return;
  }
  end_connection(stored);
}

std::size_t HostedSession::outbox_bytes_before(const char* placed) const noexcept {
  const std::string_view bytes = out_.bytes();
  const bool in_outbox =
      placed != nullptr && placed >= bytes.data() && placed < bytes.data() + bytes.size();
  return in_outbox ? static_cast<std::size_t>(placed - bytes.data()) : bytes.size();
}

/// The journal decides: a number that was assigned but not stored was never sent and is free
/// again.
void HostedSession::restore_numbers() noexcept {
  session::restore(state_, journal_->next_outgoing(), journal_->next_expected());
  session::restore_queued(state_, journal_->queued().unsent, journal_->queued().last);
}

base::CodedText HostedSession::journal_refusal() noexcept {
  if (journal_->failed()) {
    return {journal::to_text(journal::AppendResult::Failed),
            journal::code_of(journal::AppendResult::Failed)};
  }
  if (health_.refuses() && journal_->try_prepare()) {
    health_.on_prepared();
    if (options_.reset_on_disconnect && !numbers_are_first()) {
      reset();  // The journal refused that one too.
    }
  }
  return health_.refusal();
}

// --- Application ---

void HostedSession::deliver(const session::Deliver& delivery) noexcept {
  const journal::Position position = delivery_.received_at();
  if (!position.valid()) {
    return;  // Not stored, so not received: the peer will resend it.
  }
  if (delivery.admin) {
    measure_round_trip(delivery.message);
    if (delivery_.relay() != nullptr) [[unlikely]] {
      delivery_.relay()->set_received_at(position);
    }
    callbacks().on_admin(handle_, delivery.message);
    if (delivery_.relay() == nullptr) [[likely]] {
      mark_processed(position);  // With a callback thread, after the callback has returned there.
    }
  } else {
    meters_.counts.add(counters::SessionCounter::ApplicationReceived);
    if (must_withhold()) [[unlikely]] {
      reads_.withheld.add(position, journal_->end(), led_->stored());
      host_.await_replication(*this);
      return;
    }
    // A message held after a gap came with an earlier read.
    const bool measured = !delivery.released && meters_.counts.measures_delivery();
    const std::int64_t begun_ns = measured ? clock_ns() : 0;
    if (measured) [[unlikely]] {
      meters_.counts.record(counters::SessionLatency::SocketToApplication,
                            begun_ns - host_.now().steady_ns);
    }
    meters_.latencies.begin_delivery(delivery.sequence, delivery.released);
    hand_over(delivery.message,
              Delivery{.sequence = delivery.sequence,
                       .possible_duplicate = delivery.possible_duplicate,
                       .possible_resend = delivery.possible_resend,
                       .receipt = receipt_of(position)},
              position);
    meters_.latencies.end_delivery();
    if (measured) [[unlikely]] {
      meters_.counts.record(counters::SessionLatency::Callback, clock_ns() - begun_ns);
    }
  }
}

void HostedSession::measure_round_trip(const wire::MessageView& message) noexcept {
  constexpr std::uint32_t test_req_id_tag = 112;
  if (state_.test_open == 0 && state_.test_count != 0 && message.type() == "0" &&
      message.find(test_req_id_tag)) {
    meters_.counts.note_round_trip(state_.test_count, state_.test_sent_ns, host_.now().steady_ns);
  }
}

bool HostedSession::version_right(const wire::MessageView& logon) noexcept {
  constexpr std::string_view fault =
      "DefaultApplVerID (1137) is a version without a dictionary here";
  dictionary::RuleAction action =
      dictionary_.choose_default(logon.value_or_null(default_appl_ver_id_tag));
  if (action == dictionary::RuleAction::Reject &&
      options_.practice.appl_ver_id_answer == session::ApplVerIdAnswer::Peer) {
    action = dictionary::RuleAction::Warn;  // A session that answers with any version accepts any.
  }
  switch (action) {
    case dictionary::RuleAction::Reject:
      session_.refuse_logon(fault, host_.now(), out_);
      return false;
    case dictionary::RuleAction::Warn:
      host_.report(Event::Severity::Warning, settings_->name, fault,
                   session::code_of(session::Event::Warned));
      break;
    case dictionary::RuleAction::Off:
      break;
  }
  return true;
}

void HostedSession::answer_logon(const session::LogonRequested& request) noexcept {
  if (!may_log_on()) {
    session_.refuse_logon("outside of the session's schedule", host_.now(), out_);
    return;
  }
  if (!version_right(request.message)) {
    return;
  }
  const bool acceptor = options_.role == session::Role::Acceptor;
  if (acceptor) {
    cancel_.on_logon_request(request.message);
    logon_.on_request(*settings_, request.message, host_.now().steady_ns);
  } else {
    logon_.on_answer();
  }
  const SessionHandle handle = handle_.for_logon(slot().begin_logon());
  const LogonAnswer said = acceptor ? callbacks().on_logon_request(handle, request.message)
                                    : callbacks().on_logon_answer(handle, request.message);
  if (link_.ending()) {
    return;
  }
  const LogonAnswer answer = logon_.decide(said);
  switch (answer.decision) {
    case LogonAnswer::Decision::AsConfigured:
    case LogonAnswer::Decision::Accept:
      static_cast<void>(session_.accept_logon(host_.now(), out_));
      break;
    case LogonAnswer::Decision::Refuse:
      session_.refuse_logon(answer.text, host_.now(), out_);
      break;
    case LogonAnswer::Decision::Later:
      break;
  }
}

void HostedSession::report(const session::Report& report) noexcept {
  meters_.counts.note_event(report.event, host_.now());
  if (report.event == session::Event::NumbersReset) {
    timetable_.on_numbers_reset();
  } else if (report.event == session::Event::LogoutReceived) {
    note_end(EndedBy::Peer);
  }
  const bool logged_on =
      report.event == session::Event::LoggedOn || report.event == session::Event::Continued;
  const bool is_first = logged_on && !link_.logon_reported();
  if (reports_.admits(report, host_.now().steady_ns) || is_first) {
    ReportText text;
    std::array<char, 512> room;
    const std::string_view written =
        text.write(without_passwords(report, room), dictionary_, right_value(report, options_));
    if (is_first) {
      const std::string whole = std::string(written) + "; " + parties();
      host_.report(severity_of(report.event), settings_->name, whole,
                   session::code_of(report.event));
      // The peer's NextExpectedMsgSeqNum (789) may have passed queued messages.
      journal_->set_unsent(stored_count(state_.queued.unsent));
      note_in_journal(whole);
    } else {
      host_.report(severity_of(report.event), settings_->name, written,
                   session::code_of(report.event));
    }
  }
  if (is_first) {
    link_.on_logon_reported();
    meters_.counts.note_phase(state_, host_.now());
    host_.on_session_up(*this);
    cancel_.on_logged_on();
    keep_link();
    callbacks().on_logon(handle_);
    if (reads_.redelivery.on_logged_on()) {
      host_.needs_attention(*this);
    }
  }
}

session::Report HostedSession::without_passwords(const session::Report& report,
                                                 std::span<char> room) const noexcept {
  session::Report reported = report;
  for (const std::string& password :
       {std::cref(settings_->logon_password), std::cref(settings_->logon_message_new_password)}) {
    if (password.empty() || reported.text.find(password) == std::string_view::npos) {
      continue;
    }
    const std::size_t size = std::min(reported.text.size(), room.size());
    std::memmove(room.data(), reported.text.data(), size);
    std::string_view text(room.data(), size);
    for (std::size_t at = 0; (at = text.find(password, at)) != std::string_view::npos;
         at += wire::secret_mask.size()) {
      const std::string_view rest = text.substr(at + password.size());
      wire::secret_mask.copy(room.data() + at, wire::secret_mask.size());
      std::memmove(room.data() + at + wire::secret_mask.size(), rest.data(), rest.size());
      text = {room.data(), at + wire::secret_mask.size() + rest.size()};
    }
    reported.text = text;
  }
  return reported;
}

// --- Transport ---

void HostedSession::disconnect(session::DisconnectReason reason) noexcept {
  store();
  if (link_.why().empty()) {
    link_.set_why({session::to_text(reason), session::code_of(reason)});
    if (reason == session::DisconnectReason::LogoutComplete) {
      link_.on_logged_out();
    }
  }
  end_connection(out_.bytes().size());
}

void HostedSession::end_connection(std::size_t bytes) noexcept {
  if (!link_.open()) {
    return;
  }
  // Paced output does not leave in a burst at the end: it is stored, and the peer requests it after
  // the next logon.
  link_.end(output_.limited() ? std::min(bytes, output_.within_limit(host_.now().steady_ns, bytes))
                              : bytes);
  kept_.give_up();
  host_.needs_attention(*this);
}

void HostedSession::begin_close() noexcept {
  if (holds_output() && safe_bytes() < link_.last_bytes()) {
    if (!health_.failed()) {
      return;  // attend() runs again when the rest is safe, or has failed.
    }
    link_.limit_last_bytes(last_safe_bytes());
  }
  link_.begin_closing();
  if (!rest_.empty() && rest_.send(host_.reactor(), link_.id()) != net::SendResult::Sent)
      [[unlikely]] {
    link_.limit_last_bytes(0);  // They would follow a message that is cut off.
  }
  if (link_.last_bytes() != 0) {
    const std::string_view bytes = out_.bytes().substr(0, link_.last_bytes());
    const net::SendResult result = host_.reactor().send(link_.id(), bytes);
    if (result == net::SendResult::Sent || result == net::SendResult::Parked) {
      meters_.counts.add(counters::SessionCounter::BytesSent, bytes.size());
    }
    store_unstored();
  }
  host_.reactor().close_after_flush(link_.id(), host_.now().steady_ns + close_flush_ns);
}

}  // namespace affix::inline v0::host
