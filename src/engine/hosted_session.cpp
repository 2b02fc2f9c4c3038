// SPDX-License-Identifier: MIT
// Inputs to the session, its actions to journal, application and reactor.
#include "engine/hosted_session.hpp"

#include "engine/deadline_queue.hpp"
#include "engine/identity.hpp"
#include "engine/report_text.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace affix::inline v0::engine {

namespace {

/// Room for the actions of several inputs, so that a callback may send many messages.
constexpr std::size_t actions_max = 128;

/// Messages of a replay between two looks at live input.
constexpr std::size_t replay_page = 64;

/// How long refused output may wait before the peer is given up.
constexpr std::int64_t output_stall_ns = 30 * base::ns_per_second;

/// Heartbeat, TestRequest, ResendRequest, Reject, SequenceReset, Logout, Logon.
bool is_session_message(const wire::MsgType& type) noexcept {
  return type.packed() && ((type.word() >= '0' && type.word() <= '5') || type.word() == 'A');
}

/// How long an orderly close may take.
constexpr std::int64_t close_flush_ns = 2 * base::ns_per_second;

}  // namespace

std::expected<std::unique_ptr<HostedSession>, base::Error> HostedSession::open(
    const SessionSettings& settings, session::Role role, std::size_t outbox_bytes,
    std::size_t number, SessionHost& host) {
  auto header = encode_static_header(settings);
  if (!header) {
    return std::unexpected(std::move(header.error()));
  }
  SessionTexts texts{std::move(*header)};
  if (const char* fault = session::option_fault(session_options(settings, texts, role))) {
    return std::unexpected(base::Error{base::ErrorCode::InvalidArgument, fault, settings.name});
  }
  auto journal = journal::Journal::open(journal_options(settings));
  if (!journal) {
    base::Error error = std::move(journal.error());
    error.message = "session " + settings.name + ": " + error.message;
    return std::unexpected(std::move(error));
  }
  return std::unique_ptr<HostedSession>(new HostedSession(
      settings, std::move(texts), role, std::move(*journal), outbox_bytes, number, host));
}

HostedSession::HostedSession(const SessionSettings& settings, SessionTexts texts,
                             session::Role role, std::unique_ptr<journal::Journal> journal,
                             std::size_t outbox_bytes, std::size_t number, SessionHost& host)
    : settings_(settings),
      texts_(std::move(texts)),
      identity_(identity_text(settings_)),
      journal_directory_(settings_.durability == "memory" ? std::string()
                                                          : journal_options(settings_).directory),
      options_(session_options(settings_, texts_, role)),
      host_(host),
      number_(number),
      journal_(std::move(journal)),
      memory_(std::make_unique_for_overwrite<Memory>()),
      outbox_(std::make_unique_for_overwrite<char[]>(
          std::max(outbox_bytes, 2 * session::Out::step_bytes))),
      actions_(actions_max),
      session_(options_, state_, memory_->memory()),
      out_({outbox_.get(), std::max(outbox_bytes, 2 * session::Out::step_bytes)}, actions_),
      framer_(static_cast<std::size_t>(settings_.max_message_bytes)) {
  state_.next_outgoing = journal_->next_outgoing();
  state_.next_expected = journal_->next_expected();
}

HostedSession::~HostedSession() {
  // A crash would leave the same; the clean mark only spares the next opening a scan.
  static_cast<void>(journal_->close());
}

std::int64_t HostedSession::deadline() const noexcept {
  // While output is refused the protocol cannot speak, so its timers would only be found due again.
  return stalled_since_ns_ == 0 ? session_.deadline() : stalled_since_ns_ + output_stall_ns;
}

void HostedSession::redeliver() noexcept {
  if (journal_->recovered().unprocessed == 0) {
    return;
  }
  journal::Replay walk = journal_->unprocessed();
  while (const std::optional<journal::Record> record = walk.next()) {
    MessageIndex& index = host_.replay_index();
    wire::index_message(record->bytes, index);
    const wire::MessageView message(record->bytes, index);
    if (!is_session_message(message.type())) {
      host_.application().on_message(SessionHandle(this), message,
                                     Delivery{.sequence = record->sequence, .redelivered = true});
    }
    journal_->mark_processed(record->position);
  }
  if (walk.damaged()) {
    host_.report(Event::Severity::Error, settings_.name,
                 "a stored message that the application has not had cannot be read");
  }
}

void HostedSession::on_connected(net::ConnectionId connection) noexcept {
  AFFIX_ASSERT(!connection_);
  connection_ = connection;
  down_reason_ = {};
  out_.clear();
  framer_.reset();
  session_.on_connected(host_.now(), out_);
  carry_out();
  host_.needs_attention(*this);
}

std::size_t HostedSession::on_bytes(base::PaddedBytes bytes, MessageIndex& index) noexcept {
  std::size_t consumed = 0;
  while (!closing_ && consumed < bytes.size) {
    if (!make_room()) {
      break;
    }
    const std::string_view rest = bytes.view().substr(consumed);
    const wire::Frame frame = framer_.next(rest);
    if (frame.status == wire::FrameStatus::Partial) {
      break;
    }
    if (frame.status == wire::FrameStatus::Skip) {
      consumed += frame.size;
      session_.on_garbled(wire::to_text(frame.error), host_.now(), out_);
      carry_out();
      continue;
    }
    // The receive buffer has readable bytes behind its end, so every message in it does.
    wire::index_message(base::PaddedBytes(rest.substr(0, frame.size)), index);
    const session::Progress progress = session_.on_message(
        wire::MessageView(rest.substr(0, frame.size), index), host_.now(), out_);
    if (progress == session::Progress::Blocked) {
      framer_.reset();
      pause_reading();
      break;
    }
    consumed += frame.size;
    carry_out();
    if (progress == session::Progress::More) {
      release_held();
    }
  }
  host_.needs_attention(*this);
  return closing_ ? bytes.size : consumed;
}

/// Released messages are the session's own copies, so the input at hand need not wait for them; but
/// what comes later must, and the session answers Blocked until they are out.
void HostedSession::release_held() noexcept {
  while (connection_ && !closing_ && session_.release_waits() && make_room()) {
    static_cast<void>(session_.on_ready(host_.now(), out_));
    carry_out();
  }
}

void HostedSession::on_drained() noexcept {
  host_.needs_attention(*this);
}

void HostedSession::on_closed(std::string_view why) noexcept {
  connection_.reset();
  closing_ = false;
  reading_paused_ = false;
  stalled_since_ns_ = 0;
  replaying_ = false;
  replay_ = journal::Replay();
  replay_record_.reset();
  session_.on_disconnected(host_.now(), out_);
  carry_out();
  out_.clear();
  if (journal_failed_) {
    // What the journal holds is what happened; a number that was given out but not stored was never
    // sent and is free again.
    state_.next_outgoing = journal_->next_outgoing();
    state_.next_expected = journal_->next_expected();
    journal_failed_ = false;
    journal_blocked_ = true;
  }
  const std::string_view reason = down_reason_.empty() ? why : down_reason_;
  if (std::exchange(told_logon_, false)) {
    host_.application().on_logout(SessionHandle(this), reason);
  } else {
    host_.report(Event::Severity::Info, settings_.name, reason);
  }
  host_.on_session_down(*this);
}

void HostedSession::on_time() noexcept {
  const base::Now now = host_.now();
  if (stalled_since_ns_ != 0 && now.steady_ns - stalled_since_ns_ >= output_stall_ns) {
    down_reason_ = "the peer does not read: output waited longer than allowed";
    const net::ConnectionId connection = *connection_;
    host_.reactor().close(connection);
    on_closed(down_reason_);
    return;
  }
  if (make_room()) {
    session_.on_time(now, out_);
    carry_out();
  }
  host_.needs_attention(*this);
}

bool HostedSession::attend() noexcept {
  if (replaying_) {
    pump_replay();
  }
  release_held();
  flush();
  if (connection_ && reading_paused_ && out_.ready() && !session_.release_waits()) {
    reading_paused_ = false;
    host_.reactor().resume_reading(*connection_);
  }
  if (backlogged_ && logged_on() && out_.ready()) {
    backlogged_ = false;
    host_.application().on_output_room(SessionHandle(this));
  }
  return connection_ && stalled_since_ns_ == 0 && (replaying_ || session_.release_waits());
}

std::string_view HostedSession::journal_refusal() noexcept {
  if (journal_blocked_) {
    journal_blocked_ = !journal_->prepare().has_value();
  }
  return journal_blocked_ ? "the journal has no room" : std::string_view{};
}

void HostedSession::pump_replay() noexcept {
  for (std::size_t page = 0; page < replay_page && replaying_; ++page) {
    if (!session_.replaying() || !make_room()) {
      replaying_ = session_.replaying();
      return;
    }
    if (!replay_record_) {
      replay_record_ = replay_.next();
    }
    session::Progress progress;
    if (replay_record_) {
      MessageIndex& index = host_.replay_index();
      wire::index_message(replay_record_->bytes, index);
      progress =
          session_.on_replayed(wire::MessageView(replay_record_->bytes, index), host_.now(), out_);
    } else {
      if (replay_.damaged()) {
        host_.report(Event::Severity::Error, settings_.name,
                     "a stored message cannot be read and is gap-filled");
      }
      progress = session_.on_replay_end(host_.now(), out_);
      replaying_ = progress == session::Progress::Blocked;
    }
    if (progress != session::Progress::Blocked) {
      replay_record_.reset();
    }
    carry_out();
  }
}

bool HostedSession::make_room() noexcept {
  if (out_.ready()) {
    return true;
  }
  flush();
  if (!out_.ready()) {
    pause_reading();
  }
  return out_.ready();
}

void HostedSession::pause_reading() noexcept {
  if (connection_ && !reading_paused_) {
    reading_paused_ = true;
    host_.reactor().pause_reading(*connection_);
  }
}

void HostedSession::flush() noexcept {
  if (!connection_ || closing_ || out_.bytes().empty()) {
    return;
  }
  if (out_.has_actions()) {
    // Inside a callback that something else follows: stored first, sent at the end of the turn.
    host_.needs_attention(*this);
    return;
  }
  switch (host_.reactor().send(*connection_, out_.bytes())) {
    case net::SendResult::Sent:
    case net::SendResult::Parked:
      out_.sent(out_.bytes().size());
      stalled_since_ns_ = 0;
      return;
    case net::SendResult::Overflow:
      if (stalled_since_ns_ == 0) {
        stalled_since_ns_ = host_.now().steady_ns;
      }
      return;
    case net::SendResult::Closed:
      // on_closed() follows or has come; the journal has everything for a resend.
      out_.sent(out_.bytes().size());
      return;
  }
}

// --- Actions ---

void HostedSession::carry_out() noexcept {
  if (carrying_out_) {
    carry_out_persists();
    return;
  }
  carrying_out_ = true;
  for (;;) {
    // Deferred actions came before whatever the list holds now. One of them may defer more.
    for (std::size_t at = 0; at < deferred_.size(); ++at) {
      execute(session::Action(deferred_[at]));
    }
    deferred_.clear();
    const session::Action* action = out_.next_action();
    if (action == nullptr) {
      break;
    }
    // A copy: what the action calls may add to the list.
    execute(session::Action(*action));
  }
  carrying_out_ = false;
}

void HostedSession::carry_out_persists() noexcept {
  while (!deferred_.full()) {
    const session::Action* action = out_.next_action();
    if (action == nullptr) {
      return;
    }
    if (is_persist(action->kind)) {
      persist(session::Action(*action));
    } else {
      static_cast<void>(deferred_.push_back(*action));
    }
  }
}

bool HostedSession::is_persist(session::ActionKind kind) noexcept {
  return kind == session::ActionKind::PersistSent || kind == session::ActionKind::PersistReceived ||
         kind == session::ActionKind::PersistHeld || kind == session::ActionKind::PersistResent ||
         kind == session::ActionKind::PersistEvent;
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
      replay_ = journal_->replay(action.replay.from, action.replay.to);
      replaying_ = true;
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

void HostedSession::persist(const session::Action& action) noexcept {
  if (journal_failed_) {
    return;
  }
  const std::int64_t utc_ns = host_.now().utc_ns;
  journal::AppendResult result = journal::AppendResult::Appended;
  switch (action.kind) {
    case session::ActionKind::PersistSent:
      persist_sent(action.persist_sent);
      return;
    case session::ActionKind::PersistReceived:
      persist_received(action.persist_received);
      return;
    case session::ActionKind::PersistHeld:
      result =
          journal_->append_held(action.persist_held.sequence, utc_ns, action.persist_held.bytes);
      break;
    case session::ActionKind::PersistResent:
      result =
          journal_->append_resent(action.persist_resent.from, action.persist_resent.to, utc_ns);
      break;
    default: {
      const session::PersistEvent& event = action.persist_event;
      const bool reset = event.why == session::NumbersMoved::Reset;
      result = journal_->append_event(
          reset ? journal::EventType::Reset : journal::EventType::NumbersSet, event.next_outgoing,
          event.next_expected, utc_ns, reset ? "reset" : "set by hand");
      break;
    }
  }
  if (result != journal::AppendResult::Appended) {
    fail_journal(result, nullptr);
  }
}

void HostedSession::persist_sent(const session::PersistSent& sent) noexcept {
  const journal::AppendResult result =
      journal_->append_sent(sent.sequence, host_.now().utc_ns, sent.bytes);
  if (result != journal::AppendResult::Appended) {
    fail_journal(result, sent.bytes.data());
  }
}

void HostedSession::persist_received(const session::PersistReceived& received) noexcept {
  const journal::Appended appended = journal_->append_received(
      received.sequence, received.expected_after, host_.now().utc_ns, received.bytes,
      received.deliver_follows ? journal::Delivery::Application : journal::Delivery::SessionOnly);
  if (appended.result != journal::AppendResult::Appended) {
    fail_journal(appended.result, nullptr);
    return;
  }
  received_at_ = appended.position;
}

void HostedSession::fail_journal(journal::AppendResult result, const char* unsent) noexcept {
  journal_failed_ = true;
  down_reason_ = journal::to_text(result);
  host_.report(Event::Severity::Error, settings_.name,
               "the journal did not take a record, so the session is disconnected");
  if (!connection_ || closing_) {
    return;
  }
  // What was stored before may still leave; the message that was not, never.
  const std::string_view bytes = out_.bytes();
  const bool in_outbox =
      unsent != nullptr && unsent >= bytes.data() && unsent < bytes.data() + bytes.size();
  const std::string_view stored =
      in_outbox ? bytes.substr(0, static_cast<std::size_t>(unsent - bytes.data())) : bytes;
  close_with(stored);
}

void HostedSession::close_with(std::string_view bytes) noexcept {
  closing_ = true;
  if (!bytes.empty()) {
    static_cast<void>(host_.reactor().send(*connection_, bytes));
  }
  host_.reactor().close_after_flush(*connection_, host_.now().steady_ns + close_flush_ns);
}

void HostedSession::deliver(const session::Deliver& delivery) noexcept {
  if (journal_failed_) {
    return;
  }
  if (delivery.admin) {
    // The session has acted on it, and there is nobody else to hand it to.
    journal_->mark_processed(received_at_);
    return;
  }
  const journal::Position position = received_at_;
  host_.application().on_message(SessionHandle(this), delivery.message,
                                 Delivery{.sequence = delivery.sequence,
                                          .possible_duplicate = delivery.possible_duplicate,
                                          .possible_resend = delivery.possible_resend});
  journal_->mark_processed(position);
}

void HostedSession::answer_logon(const session::LogonRequested& request) noexcept {
  const LogonAnswer answer =
      host_.application().on_logon_request(SessionHandle(this), request.message);
  if (answer.accepted) {
    static_cast<void>(session_.accept_logon(host_.now(), out_));
  } else {
    session_.refuse_logon(answer.text, host_.now(), out_);
  }
}

void HostedSession::disconnect(session::DisconnectReason reason) noexcept {
  if (down_reason_.empty()) {
    down_reason_ = session::to_text(reason);
  }
  if (connection_ && !closing_) {
    carry_out_persists();
    close_with(journal_failed_ ? std::string_view{} : out_.bytes());
  }
}

void HostedSession::report(const session::Report& report) noexcept {
  ReportText text;
  host_.report(severity_of(report.event), settings_.name, text.write(report));
  if (report.event == session::Event::LoggedOn && !std::exchange(told_logon_, true)) {
    host_.on_session_up(*this);
    host_.application().on_logon(SessionHandle(this));
  }
}

// --- Commands ---

wire::Encoder HostedSession::begin(std::string_view type) noexcept {
  if (connection_ && !out_.ready()) {
    carry_out_persists();
    flush();
  }
  return session_.begin(type, host_.now(), out_);
}

SendResult HostedSession::commit(wire::Encoder& message) noexcept {
  const session::SendResult result = session_.commit(message, host_.now(), out_);
  return after_send(result, message.error());
}

SendResult HostedSession::reject_business(const wire::MessageView& message,
                                          session::BusinessRejectReason reason,
                                          std::string_view text,
                                          std::string_view reference) noexcept {
  return after_send(session_.reject_business(message, reason, text, reference, host_.now(), out_),
                    wire::EncodeError::None);
}

SendResult HostedSession::after_send(const session::SendResult& result,
                                     wire::EncodeError encode_error) noexcept {
  if (!result) {
    backlogged_ = backlogged_ || result.error() == session::SendError::OutboxFull;
    return {status_of(result.error()), encode_error, 0};
  }
  carry_out();
  if (journal_failed_) {
    return {SendStatus::JournalFull, wire::EncodeError::None, 0};
  }
  if (host_.in_turn()) {
    host_.needs_attention(*this);
  } else {
    flush();
  }
  return {SendStatus::Sent, wire::EncodeError::None, *result};
}

void HostedSession::after_command() noexcept {
  carry_out();
  host_.needs_attention(*this);
  if (!host_.in_turn()) {
    flush();
  }
}

void HostedSession::logout(std::string_view text) noexcept {
  if (make_room()) {
    static_cast<void>(session_.logout(text, host_.now(), out_));
  }
  after_command();
}

void HostedSession::reset() noexcept {
  if (make_room()) {
    static_cast<void>(session_.reset(host_.now(), out_));
  }
  after_command();
}

void HostedSession::test_peer() noexcept {
  if (make_room()) {
    static_cast<void>(session_.test_peer(host_.now(), out_));
  }
  after_command();
}

}  // namespace affix::inline v0::engine
