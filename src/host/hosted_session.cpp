// SPDX-License-Identifier: MIT
// A hosted session's life and inputs: opening, connections, bytes, time, and work at the end of a
// turn.
#include "host/hosted_session.hpp"

#include "affix/session/admin.hpp"

#include "config/schedule_text.hpp"
#include "config/session_checks.hpp"
#include "config/session_options.hpp"
#include "host/wait_step.hpp"

#include <algorithm>
#include <utility>

namespace affix::inline v0::host {

namespace {

/// Messages of a replay between two reads of live input.
constexpr std::size_t replay_page = 64;

/// Messages redelivered before other sessions get their turn.
constexpr std::size_t redelivery_page = 256;

/// Reason to reset the numbers before anything else; empty: there is none.
std::string_view reset_reason(const SessionMake& make, const journal::Journal& journal,
                              const config::Schedule* schedule) noexcept {
  const config::SessionSettings& settings = *make.settings;
  if (journal.next_outgoing() == 1 && journal.next_expected() == 1) {
    return {};
  }
  if (settings.reset_on_disconnect && !make.may_continue) {
    // The former process was connected when it ended, which ended the connection too.
    return "reset on disconnect, by the process's end";
  }
  if (schedule == nullptr || !settings.schedule_reset_at_start) {
    return {};
  }
  const config::ScheduleMoment moment = schedule->at(make.now.utc_ns);
  // Without a record nothing shows the age of the numbers. Numbers that are too high can be reset
  // by hand; messages forgotten within a period would be lost.
  const std::int64_t newest_ns = journal.recovered().last_utc_ns;
  return moment.open && newest_ns != 0 && newest_ns < moment.started_utc_ns
             ? "reset at the start of the session's window"
             : std::string_view();
}

}  // namespace

std::expected<HostedSessionPtr, base::Error> HostedSession::open(
    const SessionMake& make, SessionDictionary dictionary,
    std::unique_ptr<journal::Journal> journal) {
  const config::SessionSettings& settings = *make.settings;
  auto schedule = config::schedule_of(settings).value();  // check_session() has validated it.
  const std::string_view reason = reset_reason(make, *journal, schedule ? &*schedule : nullptr);
  if (!reason.empty() && journal->append_event(journal::EventType::Reset, 1, 1, make.now.utc_ns,
                                               reason) != journal::AppendResult::Appended) {
    return std::unexpected(base::Error{base::ErrorCode::NoSpace,
                                       "session " + settings.name + ": the journal has no room",
                                       make.slot.names.journal_directory, "S302"});
  }
  auto meter = SessionMeter::open(make.host.counters(), make.host.meter(),
                                  {.name = settings.name,
                                   .instance = settings.instance,
                                   .begin_string = settings.begin_string,
                                   .sender_comp_id = settings.sender_comp_id,
                                   .target_comp_id = settings.target_comp_id,
                                   .journal_directory = make.slot.names.journal_directory,
                                   .worker = make.host.worker_number(),
                                   .initiator = make.role == session::Role::Initiator},
                                  make.now, &make.slot);
  if (!meter) {
    return std::unexpected(std::move(meter.error()));
  }
  HostedSessionPtr session(
      new HostedSession(make, std::move(dictionary), std::move(journal), std::move(schedule)));
  session->meters_.counts = std::move(*meter);
  session->timetable_.recover(*session->journal_, make.now.utc_ns);
  session->meters_.counts.note_state(session->state_, 0, make.now);
  return session;
}

std::expected<HostedSessionPtr, base::Error> HostedSession::open_successor(
    const SessionMake& make, SessionDictionary dictionary) {
  if (auto problems = config::check_session(*make.settings, make.role); !problems.empty()) {
    return std::unexpected(std::move(problems.front()));
  }
  return HostedSessionPtr(new HostedSession(make, std::move(dictionary), nullptr,
                                            config::schedule_of(*make.settings).value()));
}

BufferSizes HostedSession::buffer_sizes(const config::SessionSettings& settings,
                                        std::size_t outbox_bytes, os::Pages pages) {
  // Any message may have a secret. Memory that no message needs is never touched.
  return {config::outbox_size(outbox_bytes), config::largest_record(settings, outbox_bytes), pages};
}

HostedSession::HostedSession(const SessionMake& make, SessionDictionary dictionary,
                             std::unique_ptr<journal::Journal> journal,
                             std::optional<config::Schedule> schedule)
    : terms_(session_terms(make.settings, make.slot.names.journal_directory,
                           {.output_tries = make.output_tries,
                            .takes_stamps = make.takes_stamps,
                            .records_latencies = make.host.latency() != nullptr})),
      settings_(make.settings),
      dictionary_(std::move(dictionary)),
      options_(make_options(make.role)),
      timetable_(*settings_, std::move(schedule), make.now.utc_ns),
      cancel_(*settings_),
      host_(make.host),
      hooks_(make.host.hooks()),
      handle_(make.slot.handle()),
      meters_{.latencies = {make.host.latency(), settings_->name}, .counts = {}},
      journal_(std::move(journal)),
      memory_(options_.throttle_limit),
      session_(options_, state_, memory_.memory_at_rest()),
      input_(static_cast<std::size_t>(settings_->max_message_bytes)),
      output_(config::send_limit_of(*settings_, make.role), config::outbox_size(make.outbox_bytes)),
      late_(make.host.delayed_marks(),
            terms_.stores_first ? LateStore::Use::Never : LateStore::Use::AfterSend) {
  if (output_.limited()) {
    guards_.raise(SendGuard::Limit);
  }
  if (journal_ != nullptr) {
    restore_numbers();
    roster_entry_ = std::make_unique<RosterEntry>(
        *journal_,
        settings_->durability == journal::Durability::Group
            ? settings_->group_interval_milliseconds * base::ns_per_ms
            : 0,
        settings_->durability == journal::Durability::Group || terms_.synced);
  }
}

session::SessionOptions HostedSession::make_options(session::Role role) noexcept {
  session::SessionOptions options =
      config::session_options(*settings_, terms_.texts, role, dictionary_.validator());
  options.admin_fields = {&add_admin_fields, this};
  return options;
}

void HostedSession::add_admin_fields(void* context, std::string_view type,
                                     wire::Encoder& message) noexcept {
  auto& self = *static_cast<HostedSession*>(context);
  self.guards_.raise(SendGuard::AdminMessage);
  self.hooks_.before_admin_send(self.handle_, type, message);
  self.guards_.lower(SendGuard::AdminMessage);
}

HostedSession::~HostedSession() {
  if (journal_ != nullptr) {
    // A crash would leave the same records; the clean mark only spares the next opening a scan.
    static_cast<void>(journal_->close());
  }
}

// --- Changes while running ---

void HostedSession::take_over(HostedSession& before) noexcept {
  AFFIX_ASSERT(before.is_settled() && journal_ == nullptr);
  journal_ = std::move(before.journal_);
  meters_.counts = std::move(before.meters_.counts);
  roster_entry_ = std::move(before.roster_entry_);
  delivery_.go_on_from(before.delivery_);
  number_ = before.number_;
  user = before.user;
  cancel_.go_on_from(before.cancel_);
  guards_.go_on_from(before.guards_);
  health_ = before.health_;
  timetable_.go_on_from(before.timetable_, settings_->schedule_reset_at_start);
  reads_.redelivery = std::move(before.reads_.redelivery);
  restore_numbers();
  state_.queued.count = before.state_.queued.count;
  history_ = before.history_;
}

void HostedSession::apply(SharedSettings settings) noexcept {
  settings_ = std::move(settings);
  options_ = make_options(options_.role);
  host_.needs_attention(*this);
}

// --- The buffers ---

void HostedSession::borrow_buffers() noexcept {
  memory_.borrow();
  session_.use_memory(memory_.memory(dictionary_.data_fields()));
  out_.use_memory(memory_.outbox(), memory_.actions());
}

void HostedSession::return_buffers() noexcept {
  if (memory_.may_keep()) {
    return;
  }
  if (!memory_.borrowed() || carrying_out_ || message_.begun() || !out_.memory_unused() ||
      !session_.memory_unused() || memory_.has_deferred() || !late_.empty()) {
    return;
  }
  out_.use_memory({}, {});
  memory_.give_back();
}

std::int64_t HostedSession::deadline() const noexcept {
  if (link_.ending() || guards_.has(SendGuard::HandingOver)) {
    return session::no_deadline;  // The transport, or the hand-over, has its own deadline.
  }
  // While output is refused, or a full outbox waits for the disk or for a standby, the protocol
  // cannot send, so its timers would be due again at once.
  const bool awaits_safety =
      (waits_.has(Wait::Durability) || waits_.has(Wait::Replication)) && !out_.ready();
  std::int64_t due = link_.stalled() ? link_.stalled_since_ns() + output_patience_ns()
                     : awaits_safety ? session::no_deadline
                                     : session_.deadline();
  if (output_.limited()) [[unlikely]] {
    // With a full outbox only the messages that wait there can change anything.
    due = std::min(
        output_.holds_messages() && !out_.ready() ? session::no_deadline : due,
        link_.connected() ? output_.deadline_ns(guards_.awaits_limit()) : session::no_deadline);
  }
  const std::int64_t cancel_ns =
      delivery_.farewell_said() ? session::no_deadline : cancel_.deadline();
  const std::int64_t nearest = std::min({due, cancel_ns, reports_.due_ns()});
  return timetable_.follows_clock() ? std::min(nearest, timetable_.deadline_ns(host_.now()))
                                    : nearest;
}

// --- Inputs ---

void HostedSession::on_connected(net::ConnectionId connection) noexcept {
  AFFIX_ASSERT(!link_.connected());
  ensure_buffers();
  link_.begin(connection, host_.reactor().peer_address(connection));
  begin_keeping();
  out_.clear();
  meters_.latencies.begin_connection();
  input_.begin_connection();
  host_.report(Event::Severity::Info, settings_->name, "connected: " + parties(), "S206");
  meters_.counts.note_connected(link_.peer() ? link_.peer()->text() : std::string(), host_.now());
  session_.on_connected(host_.now(), out_);
  carry_out();
  host_.needs_attention(*this);
}

std::size_t HostedSession::on_bytes(base::PaddedBytes bytes, MessageIndex& index) noexcept {
  ensure_buffers();
  if (terms_.looks_for_stamps) {
    take_stamp();
  }
  std::size_t consumed = 0;
  std::uint64_t messages = 0;
  std::uint64_t message_bytes = 0;
  while (!link_.ending() && consumed < bytes.size) {
    if (!make_room() || !may_deliver() || guards_.has(SendGuard::HandingOver)) {
      break;
    }
    const std::string_view rest = bytes.view().substr(consumed);
    const wire::Frame frame = input_.next(rest);
    if (frame.status == wire::FrameStatus::Partial) {
      break;
    }
    if (frame.status == wire::FrameStatus::Skip) {
      consumed += frame.size;
      take_skipped(frame.error, rest.substr(0, frame.size), index);
      continue;
    }
    end_large_message();
    const bool was_resending = reads_.resend.has_value();
    // The receive buffer has readable bytes after its end, so every message in it has.
    wire::index_message(base::PaddedBytes(rest.substr(0, frame.size)), index,
                        dictionary_.data_fields());
    const session::Progress progress = session_.on_message(
        wire::MessageView(rest.substr(0, frame.size), index), host_.now(), out_);
    if (progress == session::Progress::Blocked) {
      input_.put_back();
      if (session_.awaits_room(out_)) {
        flush();
        if (!session_.awaits_room(out_)) {
          continue;
        }
        leave_unread();
        break;
      }
      pause_reading();
      break;
    }
    consumed += frame.size;
    ++messages;
    link_.on_message();
    message_bytes += frame.size;
    meters_.counts.note_message(wire::MessageView(rest.substr(0, frame.size), index));
    carry_out();
    if (reads_.resend && !was_resending) {
      // A short resend is complete before the peer's messages after its request are answered.
      continue_resend();
    }
    if (progress == session::Progress::More) {
      release_held();
    }
  }
  meters_.counts.note_input(messages, message_bytes, host_.now());
  host_.needs_attention(*this);
  return link_.ending() ? bytes.size : consumed;
}

void HostedSession::take_stamp() noexcept {
  const std::int64_t received_ns = link_.connected() ? host_.reactor().received_ns(link_.id()) : 0;
  input_.set_arrival(terms_.takes_stamps ? received_ns : 0);
  if (meters_.latencies.recorded()) {
    meters_.latencies.begin_read(received_ns, host_.now().utc_ns);
  }
}

void HostedSession::take_skipped(wire::FrameError error, std::string_view bytes,
                                 MessageIndex& index) noexcept {
  if (error == wire::FrameError::Garbage) {
    end_large_message();
    meters_.counts.add(counters::SessionCounter::Garbled);
    // Not even a garbled message, so no reason to end a connection before its Logon.
    if (reports_.admits(session::Event::Garbled, host_.now().steady_ns)) {
      host_.report(Event::Severity::Warning, settings_->name, wire::to_text(error),
                   session::code_of(session::Event::Garbled));
    }
    return;
  }
  if (error != wire::FrameError::TooLarge || !logged_on()) {
    end_large_message();
    session_.on_garbled(wire::to_text(error), host_.now(), out_);
    carry_out();
    return;
  }
  if (bytes.starts_with("8=FIX")) {
    end_large_message();  // Another one follows it.
  }
  switch (input_.skip_large(bytes)) {
    case wire::LargeMessage::Progress::None:
    case wire::LargeMessage::Progress::Begun:
      return;
    case wire::LargeMessage::Progress::Whole: {
      const std::string_view head = input_.large_head();
      wire::index_message(head, index, dictionary_.data_fields());
      session_.on_too_large(wire::MessageView(head, index), input_.message_bytes_max(), host_.now(),
                            out_);
      break;
    }
    case wire::LargeMessage::Progress::Broken:
      session_.on_garbled(wire::to_text(error), host_.now(), out_);
      break;
  }
  carry_out();
}

void HostedSession::end_large_message() noexcept {
  if (input_.abandon_large()) [[unlikely]] {
    session_.on_garbled(wire::to_text(wire::FrameError::TooLarge), host_.now(), out_);
    carry_out();
  }
}

/// Released messages are the session's own copies, so the present input need not wait for them; but
/// later input must, and the session answers Blocked until they are delivered.
void HostedSession::release_held() noexcept {
  while (link_.open() && session_.release_waits() && make_room() && may_deliver()) {
    const bool blocked = session_.on_ready(host_.now(), out_) == session::Progress::Blocked;
    carry_out();
    if (blocked) {
      flush();
      if (!out_.bytes().empty()) {
        return;  // A later turn continues.
      }
    }
  }
}

void HostedSession::on_transmitted(std::uint64_t position, std::int64_t utc_ns) noexcept {
  meters_.latencies.note_transmitted(position, utc_ns);
}

counters::LatencyCause HostedSession::held_by() const noexcept {
  return terms_.synced       ? counters::LatencyCause::Flush
         : output_.limited() ? counters::LatencyCause::Limit
                             : counters::LatencyCause::Peer;
}

void HostedSession::on_drained() noexcept {
  host_.needs_attention(*this);
}

void HostedSession::on_closed(base::CodedText why) noexcept {
  ensure_buffers();
  carry_out();  // Work left by commands, while its cause is known.
  store_unstored();
  // After both Logouts it was a logout, whichever side closes first.
  const bool peer_logged_out = session_.phase() == session::Phase::LogoutAnswered;
  const bool by_logout = link_.logged_out() || peer_logged_out;
  note_end(peer_logged_out || link_.why().empty() ? EndedBy::Peer : EndedBy::Session);
  const base::CodedText why_down = link_.why().empty() ? why : link_.why();
  const std::string_view reason = why_down.text;
  report_end(why_down, by_logout);
  link_.reset();
  stop_keeping();
  meters_.counts.note_closed();
  waits_.remove(Wait::CallbackRoom);
  guards_.end_wait();
  reads_.redelivery.interrupt(*journal_);
  session_.on_disconnected(host_.now(), out_);
  carry_out();
  reports_.end_connection(report_line());
  reads_.resend.reset();
  rest_.clear();
  out_.clear();
  output_.end_connection();
  if (health_.take_failure()) {
    restore_numbers();
  }
  begin_period();
  meters_.counts.note_phase(state_, host_.now());
  // First: the application may call to connect again.
  host_.on_session_down(*this);
  if (link_.take_logon_reported()) {
    callbacks().on_logout(handle_, reason);
    cancel_.on_ended(by_logout, host_.now().steady_ns);
    report_cancel_orders();
  }
  return_buffers();  // Many connections may end in one turn.
}

std::string HostedSession::parties() const {
  std::string text = settings_->sender_comp_id + " with " + settings_->target_comp_id;
  return link_.peer() ? text + " at " + link_.peer()->text() : text;
}

void HostedSession::report_end(base::CodedText reason, bool by_logout) {
  history_.note(link_.ended_by(), reason.text, host_.now().utc_ns);
  meters_.counts.note_end(history_.why(), host_.now());
  const std::string text = "disconnected: " + parties() + ", " + history_.why();
  const bool in_order = by_logout || !link_.logon_reported();
  host_.report(in_order ? Event::Severity::Info : Event::Severity::Warning, settings_->name, text,
               reason.code);
  if (link_.logon_reported()) {
    note_in_journal(text);
  }
}

void HostedSession::note_in_journal(std::string_view text) noexcept {
  store_unstored();
  if (!health_.failed()) {
    // A journal without room for it, or a failed one, reports that with the next message.
    static_cast<void>(
        journal_->append_event(journal::EventType::Remark, 0, 0, host_.now().utc_ns, text));
  }
}

void HostedSession::note_disabled(std::string_view why) noexcept {
  meters_.counts.note_disabled(why, state_, host_.now());
}

void HostedSession::report_cancel_orders() noexcept {
  if (!delivery_.farewell_said() && cancel_.take_due(host_.now().steady_ns)) [[unlikely]] {
    callbacks().on_cancel_orders(handle_);
  }
}

void HostedSession::settle(bool for_good) noexcept {
  carry_out();
  if (for_good) {
    reads_.redelivery.stop();
  }
  if (for_good && cancel_.take_due(session::no_deadline - 1)) {
    callbacks().on_cancel_orders(handle_);  // The peer cannot come back any more.
  }
}

bool HostedSession::leave_ended_connection() noexcept {
  if (!link_.closing() && session_.phase() != session::Phase::LogoutAnswered) {
    return false;
  }
  host_.reactor().close(link_.id());
  on_closed({"the peer connected again before it closed", "N208"});
  return true;
}

void HostedSession::probe() noexcept {
  link_.begin_probe();
  test_peer();
}

std::int64_t HostedSession::answerable_since_ns() const noexcept {
  // A limit on sends may hold back a TestRequest; a peer that does not read is no reason to wait.
  const bool held_back = output_.holds_messages() && !link_.stalled() && !out_.bytes().empty();
  return held_back ? session::no_deadline : link_.read_since_ns();
}

void HostedSession::drop_connection(base::CodedText why) noexcept {
  link_.set_why(why);
  note_end(EndedBy::Session);
  host_.reactor().close(link_.id());
  on_closed(why);
}

void HostedSession::on_time() noexcept {
  ensure_buffers();
  if (guards_.has(SendGuard::HandingOver)) [[unlikely]] {
    host_.needs_attention(*this);
    return;
  }
  const base::Now now = host_.now();
  timetable_.advance_daily_reset(now.utc_ns);
  follow_schedule();
  report_cancel_orders();
  reports_.write_due(now.steady_ns, report_line());
  if (link_.stalled() && now.steady_ns - link_.stalled_since_ns() >= output_patience_ns()) {
    drop_connection({"the peer does not read: output waited longer than allowed", "S303"});
    return;
  }
  if (make_room()) {
    session_.on_time(now, out_);
    carry_out();
  }
  host_.needs_attention(*this);
}

// --- The end of a turn ---

bool HostedSession::attend() noexcept {
  ensure_buffers();
  const bool more = finish_turn();
  const std::size_t parked = link_.connected() ? host_.reactor().parked_bytes(link_.id()) : 0;
  meters_.counts.note_state(state_, parked + rest_.size() + out_.bytes().size(), host_.now());
  return_buffers();
  return more;
}

void HostedSession::follow_intake() noexcept {
  if (led_->intake() == Intake::Stopped) {
    guards_.raise(SendGuard::HandingOver);
    pause_reading();
  } else if (guards_.take(SendGuard::HandingOver)) {
    take_back();
    host_.needs_attention(*this);
  }
}

bool HostedSession::finish_turn() noexcept {
  check_flush();
  if (guards_.has(SendGuard::HandingOver)) [[unlikely]] {
    carry_out();
    flush();
    return false;
  }
  if (reads_.redelivery.due() && link_.logon_reported() && takes_messages()) [[unlikely]] {
    // A reset while connected had interrupted it.
    static_cast<void>(reads_.redelivery.on_logged_on());
  }
  const bool withholds =
      reads_.withheld.any() && !reads_.redelivery.running() && deliver_withheld();
  const bool redelivers =
      reads_.redelivery.running() && !delivery_.farewell_said() && redeliver_some();
  if (const std::uint64_t count = journal_->unprocessed_count();
      reports_.must_report_unprocessed(count)) [[unlikely]] {
    report_unprocessed(count);
  }
  advance_daily_reset();
  carry_out();
  if (reads_.resend) {
    continue_resend();
  }
  release_held();
  flush();
  if (!link_.open()) {
    return redelivers || withholds;
  }
  if (link_.logout_waits() && out_.ready()) {
    logout(link_.take_logout());
  }
  if (link_.reading_paused() && out_.ready() && !session_.release_waits() &&
      !session_.throttled() && !session_.awaits_room(out_) &&
      session_.phase() != session::Phase::LogonPending && may_deliver()) {
    link_.resume_reading(host_.now().steady_ns);
    session_.on_reading_resumed(host_.now());
    host_.reactor().resume_reading(link_.id());
  }
  if (guards_.awaits_limit() && !limit_refuses()) {
    guards_.on_limit_room();
  }
  if (guards_.awaits_room() && !is_stopped() && logged_on() && out_.ready() &&
      has_callback_room()) {
    guards_.end_wait();
    callbacks().on_output_room(handle_);
  }
  const bool resends = reads_.resend && !waits_.has(Wait::Pages);
  // A full outbox that waits for the standbys is looked at again when they have answered.
  const bool awaits_standbys = waits_.has(Wait::Replication) && !out_.ready();
  return !link_.stalled() && !awaits_standbys &&
         (resends || redelivers || withholds ||
          (session_.release_waits() && !waits_.has(Wait::CallbackRoom)));
}

bool HostedSession::redeliver_some() noexcept {
  const WaitStep step(host_.meter().waits(), host_.reactor(), counters::WaitCause::Resend);
  return continue_redelivery(redelivery_page);
}

void HostedSession::continue_resend() noexcept {
  const WaitStep step(host_.meter().waits(), host_.reactor(), counters::WaitCause::Resend);
  for (std::size_t page = 0; page < replay_page && reads_.resend; ++page) {
    if (link_.ending() || !session_.replaying()) {
      reads_.resend.reset();
      return;
    }
    if (!make_room()) {
      return;
    }
    session::Progress progress = session::Progress::Done;
    if (const std::optional<journal::Record> record = reads_.resend->next()) {
      MessageIndex& index = host_.replay_index();
      wire::index_message(record->bytes, index, dictionary_.data_fields());
      const wire::MessageView stored(record->bytes, index);
      if (may_resend(stored)) {
        progress = session_.on_replayed(stored, host_.now(), out_);
        if (progress != session::Progress::Blocked && state_.replay.next == record->sequence + 1) {
          meters_.counts.add(
              counters::SessionCounter::MessagesResent);  // And not part of a gap fill.
        }
      }
    } else if (reads_.resend->waiting()) {
      host_.await_pages(*this);
      return;
    } else {
      if (reads_.resend->damaged()) {
        host_.report(Event::Severity::Error, settings_->name,
                     "a stored message cannot be read and is gap-filled", "S304");
      }
      reads_.resend.reset();
      progress = session_.on_replay_end(host_.now(), out_);
    }
    carry_out();
    if (progress == session::Progress::Blocked) {
      // It does not fit after the waiting output. The record may not outlive this turn.
      reads_.resend->step_back();
      return;
    }
  }
}

bool HostedSession::may_resend(const wire::MessageView& stored) noexcept {
  return session::is_admin(stored.type()) ||
         (!is_stopped() && hooks_.before_resend(handle_, stored) == ResendDecision::Resend);
}

void HostedSession::flush() noexcept {
  if (!link_.open()) {
    return;
  }
  store();
  if (link_.ending() || (!rest_.empty() && !send_rest()) || out_.bytes().empty()) {
    return;
  }
  const std::string_view bytes = out_.bytes().substr(0, sendable());
  if (bytes.empty()) {
    store_unstored();
    return;
  }
  meters_.latencies.begin_sending();
  if (kept_.kept()) [[unlikely]] {
    note_output_place();
  }
  switch (host_.reactor().send(link_.id(), bytes)) {
    case net::SendResult::Sent:
    case net::SendResult::Parked:
      if (meters_.latencies.recorded()) [[unlikely]] {
        meters_.latencies.note_sent(bytes.size(), host_.reactor().output_position(link_.id()),
                                    held_by());
      }
      meters_.counts.add(counters::SessionCounter::BytesSent, bytes.size());
      if (meters_.counts.ends_watch(bytes.size())) [[unlikely]] {
        meters_.counts.end_watch(clock_ns());
      }
      note_sent(bytes.size());
      kept_.on_sent(bytes.size());
      link_.on_output_taken();
      if (!host_.in_turn()) {
        host_.reactor().submit();  // No end of a turn follows that would do it.
      }
      return;
    case net::SendResult::Overflow:
      stall();
      return;
    case net::SendResult::Closed:
      // on_closed() follows or has come; the journal has every message for a resend.
      note_sent(bytes.size());
      return;
  }
}

void HostedSession::stall() noexcept {
  // It may wait long to leave, and marks of received messages must not wait as long.
  store_unstored();
  if (!link_.stalled()) {
    link_.on_stalled(host_.now().steady_ns);
    host_.needs_attention(*this);
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
  if (link_.connected() && !link_.reading_paused()) {
    link_.pause_reading();
    host_.reactor().pause_reading(link_.id());
  }
}

void HostedSession::leave_unread() noexcept {
  pause_reading();
  if (link_.connected()) {
    session_.on_reading_paused(host_.now());
  }
}

}  // namespace affix::inline v0::host
