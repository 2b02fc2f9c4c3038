// SPDX-License-Identifier: MIT
// A hosted session's life and inputs: opening, connections, bytes, time, and work at the end of a
// turn.
#include "host/hosted_session.hpp"

#include "affix/session/admin.hpp"

#include "config/identity.hpp"
#include "config/schedule_text.hpp"
#include "config/session_checks.hpp"
#include "host/wait_step.hpp"

#include <algorithm>
#include <utility>

namespace affix::inline v0::host {

namespace {

/// Messages of a replay between two reads of live input.
constexpr std::size_t replay_page = 64;

/// Messages redelivered before other sessions get their turn.
constexpr std::size_t redelivery_page = 256;

/// Memory for constructing the protocol before it has a room; never worked in.
session::SessionMemory memory_at_rest(std::span<std::int64_t> throttle_times) noexcept {
  static std::array<char, session::logon_bytes_max> nowhere;
  session::SessionMemory memory{
      .held_bytes = {}, .held_messages = {}, .logon_received = nowhere, .logon_sent = nowhere};
  memory.throttle_times = throttle_times;
  return memory;
}

/// Reason to reset the numbers before anything else; empty: there is none.
std::string_view reset_reason(const config::SessionSettings& settings,
                              const journal::Journal& journal, const config::Schedule* schedule,
                              std::int64_t utc_ns) noexcept {
  if (journal.next_outgoing() == 1 && journal.next_expected() == 1) {
    return {};
  }
  if (settings.reset_on_disconnect) {
    // The former process was connected when it ended, which ended the connection too.
    return "reset on disconnect, by the process's end";
  }
  if (schedule == nullptr || !settings.schedule_reset_at_start) {
    return {};
  }
  const config::ScheduleMoment moment = schedule->at(utc_ns);
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
  const std::string_view reason =
      reset_reason(settings, *journal, schedule ? &*schedule : nullptr, make.now.utc_ns);
  if (!reason.empty() && journal->append_event(journal::EventType::Reset, 1, 1, make.now.utc_ns,
                                               reason) != journal::AppendResult::Appended) {
    return std::unexpected(base::Error{base::ErrorCode::NoSpace,
                                       "session " + settings.name + ": the journal has no room",
                                       make.seat.names.journal_directory, "S302"});
  }
  auto meter = SessionMeter::open(make.host.counters(), make.host.meter(),
                                  {.name = settings.name,
                                   .instance = settings.instance,
                                   .begin_string = settings.begin_string,
                                   .sender_comp_id = settings.sender_comp_id,
                                   .target_comp_id = settings.target_comp_id,
                                   .journal_directory = make.seat.names.journal_directory,
                                   .worker = make.host.worker_number(),
                                   .initiator = make.role == session::Role::Initiator},
                                  make.now, &make.seat);
  if (!meter) {
    return std::unexpected(std::move(meter.error()));
  }
  HostedSessionPtr session(
      new HostedSession(make, std::move(dictionary), std::move(journal), std::move(schedule)));
  session->meter_ = std::move(*meter);
  session->timetable_.resets.recover(*session->journal_, make.now.utc_ns);
  session->meter_.note_state(session->state_, 0, make.now);
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

RoomSizes HostedSession::room_sizes(const config::SessionSettings& settings,
                                    std::size_t outbox_bytes, os::Pages pages) {
  // Any message may have a secret. Memory that no message needs is never touched.
  return {config::outbox_size(outbox_bytes), config::largest_record(settings, outbox_bytes), pages};
}

HostedSession::HostedSession(const SessionMake& make, SessionDictionary dictionary,
                             std::unique_ptr<journal::Journal> journal,
                             std::optional<config::Schedule> schedule)
    : terms_(make_terms(make)),
      settings_(make.settings),
      dictionary_(std::move(dictionary)),
      options_(make_options(make.role)),
      timetable_{.schedule = schedule ? std::make_unique<ScheduleWatch>(std::move(*schedule),
                                                                        make.now.utc_ns)
                                      : nullptr,
                 .resets = {config::daily_reset_of(*settings_).value(), make.now.utc_ns},
                 .cancel = CancelWatch(*settings_)},
      host_(make.host),
      hooks_(make.host.hooks()),
      seat_(make.seat),
      handle_(make.seat.handle()),
      marks_(make.host.delayed_marks()),
      latency_{.recorder = make.host.latency(), .track = {}},
      journal_(std::move(journal)),
      throttle_times_(options_.throttle_limit),
      session_(options_, state_, memory_at_rest(throttle_times_)),
      input_{.framer = wire::Framer(static_cast<std::size_t>(settings_->max_message_bytes)),
             .large = nullptr},
      output_{
          .timeout_ns = output_patience_ns(), .pace = nullptr, .durable = {}, .unstored = nullptr} {
  if (latency_.recorder != nullptr) {
    latency_.track = latency_.recorder->track(settings_->name);
  }
  if (const auto limit = config::send_limit_of(*settings_, make.role); limit.messages != 0) {
    output_.pace = std::make_unique<SendPace>(limit, config::outbox_size(make.outbox_bytes));
    sending_.guards = guard_pace;
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
  if (!terms_.stores_first) {
    output_.unstored = std::make_unique<base::FixedVector<Unstored, unstored_max>>();
  }
}

HostedSession::Terms HostedSession::make_terms(const SessionMake& make) {
  const config::SessionSettings& settings = *make.settings;
  return {.made_with = make.settings,
          .texts = config::session_texts(settings).value(),  // The callers have validated them.
          .identity = config::identity_text(settings),
          .journal_directory = make.seat.names.journal_directory,
          .output_tries = make.output_tries,
          .synced = settings.durability == journal::Durability::Sync,
          .stores_first = settings.store_order != config::StoreOrder::AfterSend,
          .takes_stamps = make.takes_stamps,
          .looks_for_stamps = make.takes_stamps || make.host.latency() != nullptr};
}

session::SessionMemory HostedSession::session_memory() noexcept {
  session::SessionMemory memory = *memory_.room->memory;
  memory.data_fields = &dictionary_.data_fields();
  memory.throttle_times = throttle_times_;
  return memory;
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
  self.sending_.guards |= guard_admin;
  self.hooks_.before_admin_send(self.handle_, type, message);
  self.sending_.guards &= static_cast<std::uint8_t>(~guard_admin);
}

HostedSession::~HostedSession() {
  if (journal_ != nullptr) {
    // A crash would leave the same records; the clean mark only spares the next opening a scan.
    static_cast<void>(journal_->close());
  }
  vacate();
}

// --- Changes while running ---

void HostedSession::take_over(HostedSession& before) noexcept {
  AFFIX_ASSERT(before.is_settled() && journal_ == nullptr);
  journal_ = std::move(before.journal_);
  meter_ = std::move(before.meter_);
  roster_entry_ = std::move(before.roster_entry_);
  delivery_.relay = before.delivery_.relay;
  number_ = before.number_;
  user = before.user;
  timetable_.cancel.go_on_from(before.timetable_.cancel);
  sending_.guards |= before.sending_.guards & guard_stopped;
  health_ = before.health_;
  timetable_.resets.go_on_from(before.timetable_.resets, settings_->schedule_reset_at_start);
  delivery_.redelivery = std::move(before.delivery_.redelivery);
  restore_numbers();
  state_.queued.count = before.state_.queued.count;
  last_end_ = before.last_end_;
}

void HostedSession::apply(SharedSettings settings) noexcept {
  settings_ = std::move(settings);
  options_ = make_options(options_.role);
  output_.timeout_ns = output_patience_ns();
  host_.needs_attention(*this);
}

std::int64_t HostedSession::output_patience_ns() const noexcept {
  const std::int64_t seconds = settings_->output_timeout_seconds;
  return (terms_.output_tries == 0 ? seconds : std::min(seconds, terms_.output_tries)) *
         base::ns_per_second;
}

// --- The room ---

void HostedSession::borrow_room() noexcept {
  memory_.room = &memory_.pool->lend();
  session_.use_memory(session_memory());
  out_.use_memory(memory_.room->outbox, memory_.room->actions);
}

void HostedSession::leave_room() noexcept {
  if (memory_.pool->suffices()) {
    return;
  }
  if (memory_.room == nullptr || carrying_out_ || sending_.begun || !out_.memory_unused() ||
      !session_.memory_unused() || !memory_.deferred.empty() ||
      (output_.unstored != nullptr && !output_.unstored->empty())) {
    return;
  }
  out_.use_memory({}, {});
  memory_.pool->give_back(*std::exchange(memory_.room, nullptr));
}

void HostedSession::vacate() noexcept {
  if (memory_.room != nullptr) {
    memory_.pool->give_back(*std::exchange(memory_.room, nullptr));
  }
}

std::int64_t HostedSession::deadline() const noexcept {
  if (link_.ending()) {
    return session::no_deadline;  // The transport has its own deadline for that.
  }
  // While output is refused the protocol cannot send, so its timers would be due again at once.
  std::int64_t due =
      link_.stalled() ? link_.stalled_since_ns() + output_.timeout_ns : session_.deadline();
  if (output_.pace != nullptr) [[unlikely]] {
    // With a full outbox only the messages that wait there can change anything.
    due = std::min(output_.pace->waits() && !out_.ready() ? session::no_deadline : due,
                   link_.connected() ? output_.pace->deadline_ns(sending_.wait == SendWait::Limit)
                                     : session::no_deadline);
  }
  const std::int64_t nearest =
      std::min({due, timetable_.cancel.deadline(), reports_.repeated.due_ns()});
  return timetable_.resets.are_daily() || timetable_.schedule != nullptr
             ? std::min(nearest, wall_clock_deadline())
             : nearest;
}

// --- Inputs ---

void HostedSession::on_connected(net::ConnectionId connection) noexcept {
  AFFIX_ASSERT(!link_.connected());
  enter_room();
  link_.begin(connection, host_.reactor().peer_address(connection));
  out_.clear();
  latency_.track.begin_connection();
  input_.framer.reset();
  input_.large.reset();
  host_.report(Event::Severity::Info, settings_->name, "connected: " + parties(), "S206");
  meter_.note_connected(link_.peer() ? link_.peer()->text() : std::string(), host_.now());
  session_.on_connected(host_.now(), out_);
  carry_out();
  host_.needs_attention(*this);
}

std::size_t HostedSession::on_bytes(base::PaddedBytes bytes, MessageIndex& index) noexcept {
  enter_room();
  if (terms_.looks_for_stamps) {
    take_stamp();
  }
  std::size_t consumed = 0;
  std::uint64_t messages = 0;
  std::uint64_t message_bytes = 0;
  while (!link_.ending() && consumed < bytes.size) {
    if (!make_room() || !may_deliver()) {
      break;
    }
    const std::string_view rest = bytes.view().substr(consumed);
    const wire::Frame frame = input_.framer.next(rest);
    if (frame.status == wire::FrameStatus::Partial) {
      break;
    }
    if (frame.status == wire::FrameStatus::Skip) {
      consumed += frame.size;
      take_skipped(frame.error, rest.substr(0, frame.size), index);
      continue;
    }
    end_large_message();
    const bool was_resending = resend_.has_value();
    // The receive buffer has readable bytes after its end, so every message in it has.
    wire::index_message(base::PaddedBytes(rest.substr(0, frame.size)), index,
                        dictionary_.data_fields());
    const session::Progress progress = session_.on_message(
        wire::MessageView(rest.substr(0, frame.size), index), host_.now(), out_);
    if (progress == session::Progress::Blocked) {
      input_.framer.reset();
      if (session_.awaits_room()) {
        flush();
        if (out_.bytes().empty()) {
          continue;
        }
      }
      pause_reading();
      break;
    }
    consumed += frame.size;
    ++messages;
    link_.on_message();
    message_bytes += frame.size;
    meter_.note_message(wire::MessageView(rest.substr(0, frame.size), index));
    carry_out();
    if (resend_ && !was_resending) {
      // A short resend is complete before the peer's messages after its request are answered.
      continue_resend();
    }
    if (progress == session::Progress::More) {
      release_held();
    }
  }
  meter_.note_input(messages, message_bytes, host_.now());
  host_.needs_attention(*this);
  return link_.ending() ? bytes.size : consumed;
}

void HostedSession::take_stamp() noexcept {
  const std::int64_t received_ns = link_.connected() ? host_.reactor().received_ns(link_.id()) : 0;
  input_.stamped_ns = terms_.takes_stamps ? received_ns : 0;
  if (latency_.recorder != nullptr) {
    latency_.recorder->begin_read(received_ns, host_.now().utc_ns);
  }
}

void HostedSession::take_skipped(wire::FrameError error, std::string_view bytes,
                                 MessageIndex& index) noexcept {
  if (error == wire::FrameError::Garbage) {
    end_large_message();
    meter_.add(counters::SessionCounter::Garbled);
    // Not even a garbled message, so no reason to end a connection before its Logon.
    if (reports_.repeated.admits(session::Event::Garbled, host_.now().steady_ns)) {
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
  if (input_.large == nullptr) {
    input_.large = std::make_unique<wire::LargeMessage>();
  }
  switch (input_.large->skip(bytes)) {
    case wire::LargeMessage::Progress::None:
    case wire::LargeMessage::Progress::Begun:
      return;
    case wire::LargeMessage::Progress::Whole: {
      const std::string_view head = input_.large->head();
      wire::index_message(head, index, dictionary_.data_fields());
      session_.on_too_large(wire::MessageView(head, index), input_.framer.message_bytes_max(),
                            host_.now(), out_);
      break;
    }
    case wire::LargeMessage::Progress::Broken:
      session_.on_garbled(wire::to_text(error), host_.now(), out_);
      break;
  }
  carry_out();
}

void HostedSession::end_large_message() noexcept {
  if (input_.large != nullptr && input_.large->abandon()) [[unlikely]] {
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
  if (latency_.recorder != nullptr) {
    latency_.recorder->note_transmitted(latency_.track, position, utc_ns);
  }
}

counters::LatencyCause HostedSession::held_by() const noexcept {
  return terms_.synced             ? counters::LatencyCause::Flush
         : output_.pace != nullptr ? counters::LatencyCause::Limit
                                   : counters::LatencyCause::Peer;
}

void HostedSession::on_drained() noexcept {
  host_.needs_attention(*this);
}

void HostedSession::on_closed(base::CodedText why) noexcept {
  enter_room();
  carry_out();  // Work left by commands, while its cause is known.
  store_unstored();
  // After both Logouts it was a logout, whichever side closes first.
  const bool peer_logged_out = session_.phase() == session::Phase::LogoutAnswered;
  const bool by_logout = link_.logged_out() || peer_logged_out;
  note_end(peer_logged_out || link_.why().empty() ? EndedBy::Peer : EndedBy::Session);
  const base::CodedText why_down = link_.why().empty() ? why : link_.why();
  const std::string_view reason = why_down.text;
  tell_end(why_down, by_logout);
  link_.reset();
  meter_.note_closed();
  waits_.remove(Wait::CallbackRoom);
  sending_.wait = SendWait::Nothing;
  waiting_logout_.reset();
  delivery_.redelivery.interrupt(*journal_);
  session_.on_disconnected(host_.now(), out_);
  carry_out();
  report_warnings();
  report_repeated(session::no_deadline);
  resend_.reset();
  out_.clear();
  output_.durable.clear();
  if (output_.pace != nullptr) {
    output_.pace->end_connection();
  }
  if (health_.take_failure()) {
    restore_numbers();
  }
  begin_period();
  meter_.note_phase(state_, host_.now());
  // First: the application may call to connect again.
  host_.on_session_down(*this);
  if (link_.take_logon_reported()) {
    callbacks().on_logout(handle_, reason);
    timetable_.cancel.on_ended(by_logout, host_.now().steady_ns);
    tell_cancel_orders();
  }
  leave_room();  // Many connections may end in one turn.
}

std::string HostedSession::parties() const {
  std::string text = settings_->sender_comp_id + " with " + settings_->target_comp_id;
  return link_.peer() ? text + " at " + link_.peer()->text() : text;
}

void HostedSession::tell_end(base::CodedText reason, bool by_logout) {
  const std::string why =
      std::string("ended by ") + to_text(link_.ended_by()) + ": " + std::string(reason.text);
  last_end_ = {host_.now().utc_ns, why};
  meter_.note_end(why, host_.now());
  const std::string text = "disconnected: " + parties() + ", " + why;
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
  meter_.note_disabled(why, state_, host_.now());
}

void HostedSession::tell_cancel_orders() noexcept {
  if (timetable_.cancel.take_due(host_.now().steady_ns)) [[unlikely]] {
    callbacks().on_cancel_orders(handle_);
  }
}

void HostedSession::settle(bool for_good) noexcept {
  carry_out();
  if (for_good) {
    delivery_.redelivery.stop();
  }
  if (for_good && timetable_.cancel.take_due(session::no_deadline - 1)) {
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
  const bool held_back =
      output_.pace != nullptr && output_.pace->waits() && !link_.stalled() && !out_.bytes().empty();
  return held_back ? session::no_deadline : link_.read_since_ns();
}

void HostedSession::drop_connection(base::CodedText why) noexcept {
  link_.set_why(why);
  note_end(EndedBy::Session);
  host_.reactor().close(link_.id());
  on_closed(why);
}

void HostedSession::on_time() noexcept {
  enter_room();
  const base::Now now = host_.now();
  timetable_.resets.advance(now.utc_ns);
  follow_schedule();
  tell_cancel_orders();
  report_repeated(now.steady_ns);
  if (link_.stalled() && now.steady_ns - link_.stalled_since_ns() >= output_.timeout_ns) {
    drop_connection({"the peer does not read: output waited longer than allowed", "S303"});
    return;
  }
  if (waits_.has(Wait::CallbackRoom) || delivery_.redelivery.running()) [[unlikely]] {
    // The peer may have sent messages that are not read yet.
    state_.last_received_ns = now.steady_ns;
    state_.test_open = 0;
  }
  if (make_room()) {
    session_.on_time(now, out_);
    carry_out();
  }
  host_.needs_attention(*this);
}

// --- The end of a turn ---

bool HostedSession::attend() noexcept {
  enter_room();
  const bool more = look_after();
  const std::size_t parked = link_.connected() ? host_.reactor().parked_bytes(link_.id()) : 0;
  meter_.note_state(state_, parked + out_.bytes().size(), host_.now());
  leave_room();
  return more;
}

bool HostedSession::look_after() noexcept {
  check_flush();
  if (delivery_.redelivery.due() && link_.logon_reported() && takes_messages()) [[unlikely]] {
    // A reset while connected had interrupted it.
    static_cast<void>(delivery_.redelivery.on_logged_on());
  }
  const bool redelivers = delivery_.redelivery.running() && redeliver_some();
  if (const std::uint64_t count = journal_->unprocessed_count();
      delivery_.unprocessed.must_report(count)) [[unlikely]] {
    report_unprocessed(count);
  }
  advance_daily_reset();
  carry_out();
  if (resend_) {
    continue_resend();
  }
  release_held();
  flush();
  if (!link_.open()) {
    return redelivers;
  }
  if (waiting_logout_ && out_.ready()) {
    const std::string text = *std::exchange(waiting_logout_, std::nullopt);
    logout(text);
  }
  if (link_.reading_paused() && out_.ready() && !session_.release_waits() &&
      !session_.throttled() && (!session_.awaits_room() || out_.bytes().empty()) &&
      session_.phase() != session::Phase::LogonPending && may_deliver()) {
    link_.resume_reading(host_.now().steady_ns);
    host_.reactor().resume_reading(link_.id());
  }
  if (sending_.wait == SendWait::Limit && !pace_refuses()) {
    sending_.wait = SendWait::Room;
  }
  if (sending_.wait == SendWait::Room && !is_stopped() && logged_on() && out_.ready() &&
      has_callback_room()) {
    sending_.wait = SendWait::Nothing;
    callbacks().on_output_room(handle_);
  }
  const bool resends = resend_ && !waits_.has(Wait::Pages);
  return !link_.stalled() &&
         (resends || redelivers || (session_.release_waits() && !waits_.has(Wait::CallbackRoom)));
}

bool HostedSession::redeliver_some() noexcept {
  const WaitStep step(host_.meter().waits(), host_.reactor(), counters::WaitCause::Resend);
  return continue_redelivery(redelivery_page);
}

void HostedSession::continue_resend() noexcept {
  const WaitStep step(host_.meter().waits(), host_.reactor(), counters::WaitCause::Resend);
  for (std::size_t page = 0; page < replay_page && resend_; ++page) {
    if (link_.ending() || !session_.replaying()) {
      resend_.reset();
      return;
    }
    if (!make_room()) {
      return;
    }
    session::Progress progress = session::Progress::Done;
    if (const std::optional<journal::Record> record = resend_->next()) {
      MessageIndex& index = host_.replay_index();
      wire::index_message(record->bytes, index, dictionary_.data_fields());
      const wire::MessageView stored(record->bytes, index);
      if (may_resend(stored)) {
        progress = session_.on_replayed(stored, host_.now(), out_);
        if (progress != session::Progress::Blocked && state_.replay.next == record->sequence + 1) {
          meter_.add(counters::SessionCounter::MessagesResent);  // And not part of a gap fill.
        }
      }
    } else if (resend_->waiting()) {
      host_.await_pages(*this);
      return;
    } else {
      if (resend_->damaged()) {
        host_.report(Event::Severity::Error, settings_->name,
                     "a stored message cannot be read and is gap-filled", "S304");
      }
      resend_.reset();
      progress = session_.on_replay_end(host_.now(), out_);
    }
    carry_out();
    if (progress == session::Progress::Blocked) {
      // It does not fit after the waiting output. The record may not outlive this turn.
      resend_->step_back();
      return;
    }
  }
}

bool HostedSession::may_resend(const wire::MessageView& stored) noexcept {
  return session::is_admin(stored.type()) ||
         ((sending_.guards & guard_stopped) == 0 &&
          hooks_.before_resend(handle_, stored) == ResendDecision::Resend);
}

void HostedSession::flush() noexcept {
  if (!link_.open()) {
    return;
  }
  store();
  if (link_.ending() || out_.bytes().empty()) {
    return;
  }
  const std::string_view bytes = out_.bytes().substr(0, sendable());
  if (bytes.empty()) {
    store_unstored();
    return;
  }
  if (latency_.recorder != nullptr) [[unlikely]] {
    latency_.recorder->begin_sending();
  }
  switch (host_.reactor().send(link_.id(), bytes)) {
    case net::SendResult::Sent:
    case net::SendResult::Parked:
      if (latency_.recorder != nullptr) [[unlikely]] {
        latency_.recorder->note_sent(latency_.track, bytes.size(),
                                     host_.reactor().output_position(link_.id()), held_by());
      }
      meter_.add(counters::SessionCounter::BytesSent, bytes.size());
      if (meter_.ends_watch(bytes.size())) [[unlikely]] {
        meter_.end_watch(clock_ns());
      }
      note_sent(bytes.size());
      link_.on_output_taken();
      if (!host_.in_turn()) {
        host_.reactor().submit();  // No end of a turn follows that would do it.
      }
      return;
    case net::SendResult::Overflow:
      // It may wait long to leave, and marks of received messages must not wait as long.
      store_unstored();
      if (!link_.stalled()) {
        link_.on_stalled(host_.now().steady_ns);
        host_.needs_attention(*this);
      }
      return;
    case net::SendResult::Closed:
      // on_closed() follows or has come; the journal has every message for a resend.
      note_sent(bytes.size());
      return;
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

}  // namespace affix::inline v0::host
