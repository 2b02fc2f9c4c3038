// SPDX-License-Identifier: MIT
// One session with what belongs to it: protocol state, journal, output and the connection it has at
// the moment. Carries out the protocol's actions, in order; the worker drives it.
#pragma once

#include "affix/base/bytes.hpp"
#include "affix/base/fixed_vector.hpp"
#include "affix/engine/application.hpp"
#include "affix/engine/configuration.hpp"
#include "affix/engine/session_controls.hpp"
#include "affix/journal/journal.hpp"
#include "affix/net/reactor.hpp"
#include "affix/session/session.hpp"
#include "affix/wire/encoder.hpp"
#include "affix/wire/framer.hpp"
#include "affix/wire/large_message.hpp"

#include "engine/cancel_watch.hpp"
#include "engine/credential_check.hpp"
#include "engine/delayed_marks.hpp"
#include "engine/journal_roster.hpp"
#include "engine/repeated_events.hpp"
#include "engine/schedule_watch.hpp"
#include "engine/send_pace.hpp"
#include "engine/session_dictionary.hpp"
#include "engine/session_meter.hpp"
#include "engine/session_options.hpp"
#include "engine/session_room.hpp"
#include "engine/session_seat.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::engine {

/// SessionRejectReasons of the validator's warnings are below; what is not counts as the last.
inline constexpr std::size_t warning_reasons_max = 20;

using MessageIndex = wire::FieldIndexOf<message_fields_max>;

class CallbackRelay;
class HostedSession;

/// Who ended a connection, or began to.
enum class EndedBy : std::uint8_t {
  Unknown,
  Peer,         ///< By its Logout, or by closing.
  Session,      ///< By a rule of the protocol, a time-out or a limit.
  Application,  ///< By logout().
  Operator,     ///< By a command, disabling included.
  Change,       ///< The session is removed or restarted.
  Schedule,     ///< Its window has ended.
  Stop,         ///< The engine ends.
  Journal,      ///< It did not take a record.
};

[[nodiscard]] const char* to_text(EndedBy who) noexcept;

/// What a session needs of the worker that drives it. One thread.
class SessionHost {
 public:
  /// Which of the engine's workers it is.
  [[nodiscard]] virtual std::size_t worker_number() const noexcept = 0;
  [[nodiscard]] virtual base::Now now() noexcept = 0;
  [[nodiscard]] virtual net::Reactor& reactor() noexcept = 0;
  [[nodiscard]] virtual Application& application() noexcept = 0;

  /// The same for questions while a message is written, which are no news to it.
  [[nodiscard]] virtual Application& hooks() noexcept = 0;

  /// Where the worker counts, and where its sessions have their seats.
  [[nodiscard]] virtual WorkerMeter& meter() noexcept = 0;
  [[nodiscard]] virtual CounterFile& counters() noexcept = 0;

  /// For messages read from the journal, so that the index of the message at hand stays.
  [[nodiscard]] virtual MessageIndex& replay_index() noexcept = 0;

  /// Inside a turn output waits for its end; outside it leaves at once.
  [[nodiscard]] virtual bool in_turn() const noexcept = 0;

  /// The session has output, an earlier deadline, or work that is not to be done inside a callback:
  /// attend() it at the end of the turn, or before the next one waits.
  virtual void needs_attention(HostedSession& session) noexcept = 0;

  /// Its connection is over and the session knows.
  virtual void on_session_down(HostedSession& session) noexcept = 0;

  /// Something was appended to its journal outside a turn; at a turn's end the host looks itself.
  virtual void note_append(HostedSession& session) noexcept = 0;

  /// Where its worker's sessions have marks that wait, and whether any has to.
  [[nodiscard]] virtual DelayedMarks& delayed_marks() noexcept = 0;

  /// Stores every message that waits to be stored behind its sending, of all sessions.
  virtual void store_late_messages() noexcept = 0;

  /// The session's output waits for its journal to be on the disk: attend() it when there is news.
  virtual void await_durability(HostedSession& session) noexcept = 0;

  /// The session's resend waits for pages of its journal's history: attend() it when they are
  /// there.
  virtual void await_pages(HostedSession& session) noexcept = 0;

  /// Its schedule allows logons, HostedSession::may_log_on(), or does not any more.
  virtual void on_logon_window(HostedSession& session) noexcept = 0;

  /// It is logged on.
  virtual void on_session_up(HostedSession& session) noexcept = 0;

  /// The application's wishes about its connection: down with a Logout and not to come back, up
  /// again, and whether it is on its way.
  virtual void log_out(HostedSession& session, std::string_view text) noexcept = 0;
  virtual void connect(HostedSession& session) noexcept = 0;
  [[nodiscard]] virtual bool dialing(const HostedSession& session) const noexcept = 0;

  /// Whether the session is enabled, and else by whom it was disabled and when.
  virtual void show_enabled(const HostedSession& session, SessionSight& sight) const noexcept = 0;

  virtual void report(Event::Severity severity, std::string_view session,
                      std::string_view text) noexcept = 0;

 protected:
  ~SessionHost() = default;
};

using HostedSessionPtr = std::unique_ptr<HostedSession>;

/// Settings are large and there are many sessions, so whoever has them shares them.
using SharedSettings = std::shared_ptr<const SessionSettings>;

/// What a session is made of. What it refers to outlives the session.
struct SessionMake {
  SharedSettings settings;
  session::Role role;
  std::size_t outbox_bytes;
  std::int64_t output_tries;  ///< `send_try_count` of its group.
  bool takes_stamps;          ///< `receive_time_stamps` of its group asks for some.
  SessionSeat& seat;
  SessionHost& host;
  base::Now now;
};

/// Aligned as a whole: nothing of it is on a cache line with what another worker writes. Made by
/// any thread, and its worker's from sitting down in its seat to getting up.
class alignas(base::cache_line) HostedSession {
 public:
  /// Restores the sequence numbers from the journal, which is that of the settings; check_session()
  /// found nothing wrong with them.
  [[nodiscard]] static std::expected<HostedSessionPtr, base::Error> open(
      const SessionMake& make, SessionDictionary dictionary,
      std::unique_ptr<journal::Journal> journal);

  /// The same without a journal, for a session that is to take_over() another's.
  [[nodiscard]] static std::expected<HostedSessionPtr, base::Error> open_successor(
      const SessionMake& make, SessionDictionary dictionary);

  /// What the rooms must hold that a session of `settings` works in; `outbox_bytes` as its group
  /// says.
  [[nodiscard]] static RoomSizes room_sizes(const SessionSettings& settings,
                                            std::size_t outbox_bytes,
                                            net::Pages pages = net::Pages::Small);

  /// Where it borrows its rooms; one there is for it. Before anything is asked of it.
  void set_rooms(RoomPool& rooms) noexcept { rooms_ = &rooms; }

  /// The pool has its room back, and it asks for none any more.
  void vacate() noexcept;

  [[nodiscard]] RoomPool& rooms() const noexcept { return *rooms_; }

  HostedSession(const HostedSession&) = delete;
  HostedSession& operator=(const HostedSession&) = delete;
  ~HostedSession();

  [[nodiscard]] const SessionSettings& settings() const noexcept { return *settings_; }

  [[nodiscard]] const session::Session& protocol() const noexcept { return session_; }

  [[nodiscard]] journal::Journal& journal() noexcept { return *journal_; }

  /// Counts how often its journal was refused memory since the last call. True: it was.
  [[nodiscard]] bool count_ring_refusals() noexcept {
    const std::uint64_t refusals = journal_->take_ring_refusals();
    if (refusals != 0) [[unlikely]] {
      meter_.add(SessionCounter::JournalMemoryRefused, refusals);
    }
    return refusals != 0;
  }

  [[nodiscard]] std::string_view journal_directory() const noexcept { return journal_directory_; }

  [[nodiscard]] const std::string& identity() const noexcept { return identity_; }

  [[nodiscard]] bool logged_on() const noexcept {
    return session_.phase() == session::Phase::Active;
  }

  /// A connection is attached, in whatever phase.
  [[nodiscard]] bool connected() const noexcept { return connection_.has_value(); }

  /// Place in the worker's table.
  [[nodiscard]] std::size_t number() const noexcept { return number_; }

  void set_number(std::size_t number) noexcept { number_ = number; }

  [[nodiscard]] SessionSeat& seat() const noexcept { return seat_; }

  /// For the application, while it sits.
  [[nodiscard]] SessionHandle handle() const noexcept { return handle_; }

  /// What those see of its journal who prepare and flush; null for a session that is yet to take
  /// over, or was taken over.
  [[nodiscard]] RosterEntry* roster_entry() noexcept { return roster_entry_.get(); }

  [[nodiscard]] std::int64_t deadline() const noexcept;

  /// The end of a turn has something to do for it.
  [[nodiscard]] bool attended() const noexcept { return attended_; }

  void set_attended(bool attended) noexcept { attended_ = attended; }

  /// It is in the worker's list of those that await durability.
  [[nodiscard]] bool awaits_durability() const noexcept { return awaits_durability_; }

  void set_awaits_durability(bool awaits) noexcept { awaits_durability_ = awaits; }

  /// The same for its resend, which awaits pages of the journal's history.
  [[nodiscard]] bool awaits_pages() const noexcept { return awaits_pages_; }

  void set_awaits_pages(bool awaits) noexcept { awaits_pages_ = awaits; }

  /// Its callbacks go to another thread by this way, which outlives the session. Before the first
  /// turn.
  void set_relay(CallbackRelay& relay) noexcept {
    relay_ = &relay;
    seat_.relay.store(&relay, std::memory_order_release);
  }

  /// Those of its dictionaries' messages. Any thread.
  [[nodiscard]] const wire::DataFields& data_fields() const noexcept {
    return dictionary_.data_fields();
  }

  [[nodiscard]] CallbackRelay* relay() const noexcept { return relay_; }

  /// There is something to flush, and its durability asks for that.

  // Leaving and being replaced, in the worker's turn.

  /// Nothing of it is under way. What an earlier run left and was not handed over stays the
  /// journal's to know.
  [[nodiscard]] bool is_settled() const noexcept { return !connection_; }

  void tell_added() noexcept { callbacks().on_session_added(handle_); }

  /// With a callback thread the relay's farewell does that.
  void tell_removed() noexcept { callbacks().on_session_removed(handle_); }

  /// Carries out what commands have left behind the last connection, and when the session goes
  /// `for_good`, what waited for its peer to come back.
  void settle(bool for_good) noexcept;

  /// The callback thread has had everything of it. Set by the relay.
  [[nodiscard]] bool relay_drained() const noexcept { return relay_drained_; }

  void set_relay_drained() noexcept { relay_drained_ = true; }

  /// Goes on where `before` ended, which is settled and is nobody's from here on: with its journal
  /// and numbers, its way to callbacks, its place and the application's pointer.
  void take_over(HostedSession& before) noexcept;

  /// Goes by settings that differ in keys only which applies_in_place() is true of.
  void apply(SharedSettings settings) noexcept;

  // Inputs, from the worker.

  /// It has come to its worker: finds out what an earlier run left unprocessed and when the
  /// application wants it; at once, and all of it, if that is at the start.
  void begin_redelivery() noexcept;

  void on_connected(net::ConnectionId connection) noexcept;
  [[nodiscard]] std::size_t on_bytes(base::PaddedBytes bytes, MessageIndex& index) noexcept;
  void on_drained() noexcept;
  void on_closed(std::string_view why) noexcept;

  /// The peer has come back on another connection. True: the one there is was over but for the
  /// peer's own closing of it, and is given up, so that the session is free.
  [[nodiscard]] bool leave_ended_connection() noexcept;

  /// The same while the connection there may be dead: asks its peer for a sign of life, and whether
  /// one came since. A session whose application has yet to answer its Logon is not asked.
  [[nodiscard]] bool may_probe() const noexcept {
    return session_.phase() != session::Phase::LogonPending;
  }

  void probe() noexcept;

  [[nodiscard]] bool heard_since_probe() const noexcept { return heard_since_probe_; }

  /// Steady time since when what the peer says to a probe has been read; no_deadline while a limit
  /// or a full queue keeps it from being read or asked.
  [[nodiscard]] std::int64_t answerable_since_ns() const noexcept;

  /// Ends the connection at once and without a word; `why` is static text.
  void drop_connection(std::string_view why) noexcept;
  void on_time() noexcept;

  /// Pages of a replay, released messages, output. True: more waits, and no event will say so.
  bool attend() noexcept;

  /// Why the journal refuses, so that no connection is worth making; empty when it does not. Looks
  /// at the schedule first, so that what a new period begins with is done.
  [[nodiscard]] std::string_view connection_refusal() noexcept;

  /// Its schedule, if it has one, lets it log on.
  [[nodiscard]] bool may_log_on() const noexcept {
    return schedule_ == nullptr || schedule_->may_log_on();
  }

  // Commands, from the application.

  // They call nothing of the application's: it may be inside a callback of another session. What a
  // command has to tell or to end waits for attend().

  /// The encoder stays here until the next call; the caller writes into a copy.
  [[nodiscard]] const wire::Encoder& begin(
      std::string_view type, std::span<const session::ExtraHeaderField> header) noexcept;
  [[nodiscard]] SendResult commit(wire::EncodedMessage finished) noexcept;
  /// Instead of commit(); false: commit() would have refused.
  bool warm(wire::EncodedMessage finished) noexcept;
  [[nodiscard]] wire::Encoder draft(std::string_view type, std::span<char> buffer) noexcept;
  [[nodiscard]] SendResult send_prepared(wire::PreparedMessage& prepared,
                                         std::uint32_t sequence_slot,
                                         std::uint32_t time_slot) noexcept;
  SendResult reject_business(const wire::MessageView& message, session::BusinessRejectReason reason,
                             std::string_view text, std::string_view reference) noexcept;
  /// Gives the reactor what waits in the outbox, and outside a turn the kernel too.
  void flush() noexcept;
  /// Gives it to the kernel.
  void flush_now() noexcept;
  // SessionHandle says what these three are; not by way of a relay.
  bool keep_message() noexcept;
  bool finish_message(Receipt receipt) noexcept;
  void ask_for_redelivery() noexcept;

  /// store_order after_send: what was sent and is not stored yet is.
  void store_unstored() noexcept;
  /// `logon` is the number of the one meant; 0: whichever waits.
  bool accept_logon(std::uint32_t logon) noexcept;
  bool refuse_logon(std::string_view text, std::uint32_t logon) noexcept;
  /// Answers by the configured credentials.
  bool check_logon(std::uint32_t logon) noexcept;
  void logout(std::string_view text) noexcept;

  /// Who is about to end the connection there is, if nobody is yet.
  void note_end(EndedBy who) noexcept {
    ended_by_ = ended_by_ == EndedBy::Unknown ? who : ended_by_;
  }

  /// Who disabled it and why; empty: it is enabled. For those who read the counters.
  void note_disabled(std::string_view why) noexcept;
  void reset() noexcept;
  void test_peer() noexcept;

  // Commands, from an operator: what SessionControls says of them. hosted_session_controls.cpp.

  [[nodiscard]] SessionSight sight() noexcept;
  [[nodiscard]] bool set_numbers(std::optional<std::uint64_t> next_outgoing,
                                 std::optional<std::uint64_t> next_expected) noexcept;
  [[nodiscard]] bool send_sequence_reset(std::uint64_t next_outgoing) noexcept;
  void disconnect() noexcept;
  void stop_sending() noexcept;

  /// The same before it has sent anything: the application is not asked.
  void begin_stopped() noexcept;

  void resume_sending() noexcept;
  [[nodiscard]] bool remark(std::string_view text) noexcept;

  [[nodiscard]] SessionHost& host() noexcept { return host_; }

  void* user = nullptr;

 private:
  HostedSession(const SessionMake& make, SessionDictionary dictionary,
                std::unique_ptr<journal::Journal> journal, std::optional<Schedule> schedule);

  [[nodiscard]] session::SessionOptions make_options(session::Role role) noexcept;

  /// The session core's door to Application::before_admin_send().
  static void add_admin_fields(void* context, std::string_view type,
                               wire::Encoder& message) noexcept;

  /// Before anything is asked of the protocol or of the outbox: there is a room to work in.
  void enter_room() noexcept {
    if (room_ == nullptr) [[unlikely]] {
      borrow_room();
    }
  }

  void borrow_room() noexcept;

  /// Gives the room back, unless something is in it.
  void leave_room() noexcept;

  [[nodiscard]] bool look_after() noexcept;

  /// A reading for what is measured, which in a turn is later than now().
  [[nodiscard]] std::int64_t clock_ns() noexcept { return host_.reactor().now().steady_ns; }

  /// Counts an answer to our TestRequest.
  void measure_round_trip(const wire::MessageView& message) noexcept;

  /// Carries out actions until there is none, and ends the connection if one of them said so. Not
  /// for use inside a callback.
  void carry_out() noexcept;

  /// Carries out what concerns the journal and keeps the rest for carry_out(): afterwards
  /// everything in the outbox is stored, and the list of actions is empty. For use anywhere.
  void store() noexcept;
  void execute(const session::Action& action) noexcept;
  void persist(const session::Action& action) noexcept;
  /// What is no message sent or taken.
  void persist_rarely(const session::Action& action) noexcept;

  /// When the journal says that a message of ours was sent: an application's when it was begun.
  /// Outside a turn a reading of the clocks takes 50 ns, and one a message is enough.
  [[nodiscard]] std::int64_t utc_ns_of_sent() noexcept {
    return committing_ ? begun_at_.utc_ns : host_.now().utc_ns;
  }

  /// What the journal may have of a message.
  [[nodiscard]] std::string_view without_secrets(std::string_view bytes, bool has_secret) noexcept;
  void persist_sent(const session::PersistSent& sent) noexcept;
  void append_sent(const session::PersistSent& sent, std::int64_t utc_ns) noexcept;
  void persist_received(const session::PersistReceived& received) noexcept;

  /// How much of the outbox may leave: what is durable and within the limit on sends.
  [[nodiscard]] std::size_t sendable() noexcept;

  /// With durability sync what is on the disk, else all.
  [[nodiscard]] std::size_t durable_bytes() noexcept;

  /// Whether a message of the application's may be begun.
  [[nodiscard]] bool may_begin() noexcept;

  /// send_throttle_limit has no room for one.
  [[nodiscard]] bool pace_refuses() noexcept;
  [[nodiscard]] SendResult refused_by_pace() noexcept;

  [[nodiscard]] bool is_stopped() const noexcept { return (guards_ & guard_stopped) != 0; }

  [[nodiscard]] SendResult refused_by_operator() noexcept;
  [[nodiscard]] session::SessionMemory session_memory() noexcept;

  /// The first `bytes` of the outbox are with the transport.
  void note_sent(std::size_t bytes) noexcept;

  /// store_order after_send: what was kept until it was sent.
  void store_late(const session::PersistSent& sent) noexcept;

  /// Ends the connection when the journal's last flush failed.
  void check_flush() noexcept;
  void deliver(const session::Deliver& delivery) noexcept;
  void answer_logon(const session::LogonRequested& request) noexcept;

  /// That Logon waits for its answer.
  [[nodiscard]] bool logon_waits(std::uint32_t logon) const noexcept;

  /// Their application version (1137) has a dictionary, or the rules let it go. False: refused.
  [[nodiscard]] bool version_right(const wire::MessageView& logon) noexcept;
  void disconnect(session::DisconnectReason reason) noexcept;
  void report(const session::Report& report) noexcept;
  /// A report with the passwords that we log on with overwritten: a peer may repeat them.
  [[nodiscard]] session::Report without_passwords(const session::Report& report,
                                                  std::span<char> room) const noexcept;
  void advance_daily_reset() noexcept;

  /// Tells the application when it is due that open orders are to be cancelled.
  void tell_cancel_orders() noexcept;

  /// Who the session is between, and where the peer is.
  [[nodiscard]] std::string parties() const;

  /// Tells, and if it was logged on writes into the journal, that its connection has ended.
  void tell_end(std::string_view reason, bool by_logout);

  /// Into the journal, for whoever reads it later, if it takes it.
  void note_in_journal(std::string_view text) noexcept;

  /// Does what the schedule asks for at this time, if it asks for anything new.
  void follow_schedule() noexcept;

  /// Resets the numbers if a period that has begun asks for it, as soon as there is no connection.
  void begin_period() noexcept;

  /// Looks at what the wall clock decides: the daily reset and the schedule.
  [[nodiscard]] std::int64_t wall_clock_deadline() const noexcept;
  [[nodiscard]] std::string_view journal_refusal() noexcept;

  /// Whether a warning of the validator is to be told: the first of its reason in a connection is,
  /// the others are counted until the connection ends.
  [[nodiscard]] bool is_first_warning(std::uint64_t reason) noexcept;
  void report_warnings() noexcept;

  /// Tells how many events were left out since the last call whose second is over by `now_ns`.
  void report_repeated(std::int64_t now_ns) noexcept;

  /// Bytes of the input that are no message. `index` is free to use.
  void end_large_message() noexcept;
  void take_skipped(wire::FrameError error, std::string_view bytes, MessageIndex& index) noexcept;
  void release_held() noexcept;

  /// Whom its callbacks are for: the application, or the way to its thread.
  [[nodiscard]] Application& callbacks() noexcept;

  /// Whether a message that came may be handed over. False: the way to the application's thread is
  /// full, nothing is read until it is not, and what is not read is no silence of the peer.
  [[nodiscard]] bool may_deliver() noexcept {
    if (relay_ == nullptr && redelivery_stage_ != RedeliveryStage::Running) [[likely]] {
      return true;
    }
    return may_deliver_late();
  }

  [[nodiscard]] bool may_deliver_late() noexcept;

  /// The same but for what is redelivered, which is what it is asked for.
  [[nodiscard]] bool has_callback_room() noexcept;

  /// The application has had the record and did not keep it.
  void mark_processed(journal::Position position) noexcept {
    if (marks_.open()) [[likely]] {
      journal_->mark_processed(position);
    } else {
      mark_late(position);
    }
  }

  void mark_late(journal::Position position) noexcept;

  /// Calls on_message(), or has it called, and sets the mark.
  void hand_over(const wire::MessageView& message, const Delivery& delivery,
                 journal::Position position) noexcept;

  /// At most `messages_max`; true: more waits, and no event will say so.
  bool continue_redelivery(std::size_t messages_max) noexcept;
  void end_redelivery() noexcept;
  void report_unreadable() noexcept;

  /// Tells an operator when the application leaves more and more unprocessed.
  void warn_of_unprocessed() noexcept;
  /// Keeps an action in the room. False: it is full.
  [[nodiscard]] bool defer(const session::Action& action) noexcept;
  /// As the step of the worker's that it is.
  bool redeliver_some() noexcept;
  void pump_replay() noexcept;
  void end_replay() noexcept;
  /// Whether the application lets a stored message go out again.
  [[nodiscard]] bool may_resend(const wire::MessageView& stored) noexcept;
  [[nodiscard]] bool make_room() noexcept;
  void pause_reading() noexcept;
  void after_command() noexcept;
  [[nodiscard]] SendResult after_send(const session::SendResult& result,
                                      wire::EncodeError encode_error) noexcept;

  /// The journal did not take a record: nothing of it may be seen by the peer, so the connection
  /// ends and the numbers go back to what is stored.
  void fail_journal(journal::AppendResult result, const char* unsent) noexcept;
  void take_numbers_from_journal() noexcept;

  /// From here on no more than the outbox's first `bytes` leaves, and nothing is taken in. The
  /// transport learns it from begin_close(), after the actions, whose views live in its memory.
  void end_connection(std::size_t bytes) noexcept;
  void begin_close() noexcept;

  /// Nothing is tried again and again: a try is a second in which the peer takes nothing.
  [[nodiscard]] std::int64_t output_patience_ns() const noexcept;

  const SharedSettings made_with_;  // texts_ and session_ view texts of it.
  SharedSettings settings_;
  const SessionTexts texts_;
  SessionDictionary dictionary_;  // options_ point to it.
  const std::string identity_;
  const std::string journal_directory_;
  session::SessionOptions options_;
  const std::int64_t output_tries_;
  std::int64_t output_timeout_ns_;
  const bool synced_;                              // Durability sync.
  const bool takes_stamps_;                        // The socket may tell when bytes arrived.
  const bool stores_first_;                        // store_order before_send.
  const std::int64_t daily_reset_ns_;              // From midnight; negative: none.
  const std::unique_ptr<ScheduleWatch> schedule_;  // Null: it always runs.
  const bool wall_clock_decides_;                  // One of these two is there.
  CancelWatch cancel_watch_;
  CredentialCheck credentials_;
  std::string_view credentials_fault_;  // Static text: of the Logon that waits; empty: none.
  SessionHost& host_;
  Application& hooks_;
  SessionSeat& seat_;
  const SessionHandle handle_;
  std::size_t number_ = 0;
  DelayedMarks& marks_;
  std::uint64_t unprocessed_warned_ = 0;  // What was told last of how many there are.

  SessionMeter meter_;  // With a seat, unless it is yet to take over, or was taken over.
  std::unique_ptr<journal::Journal> journal_;
  std::vector<std::int64_t> throttle_times_;
  const std::unique_ptr<SendPace> pace_;  // Null: sends have no limit.
  std::unique_ptr<RosterEntry> roster_entry_;
  RoomPool* rooms_ = nullptr;
  SessionRoom* room_ = nullptr;  // What session_ and out_ work in; null: they are at rest.
  session::SessionState state_;
  session::Session session_;
  session::Out out_;
  wire::Framer framer_;
  std::unique_ptr<wire::LargeMessage>
      large_;  // One that the framer has given up; of this connection.
  RepeatedEvents repeated_;

  std::optional<net::ConnectionId> connection_;
  std::optional<net::Address> peer_;  // Of that connection.
  EndedBy ended_by_ = EndedBy::Unknown;
  std::int64_t ended_utc_ns_ = 0;  // The last connection; 0: there was none.
  std::string ended_why_;
  wire::Encoder encoder_{std::span<char>()};  // Of the last begin().
  std::int64_t stamped_ns_ = 0;    // When the bytes at hand arrived, UTC, if the socket tells.
  journal::Position received_at_;  // Of the last received message; invalid if it was not stored.
  journal::Replay replay_;

  /// What an earlier run left, or the application has asked for again.
  enum class RedeliveryStage : std::uint8_t {
    Nothing,
    Due,      ///< There is some, and its time has not come.
    Running,  ///< It is being handed over, and nothing new is.
  };

  journal::Replay redelivery_;          // While it runs or is interrupted.
  journal::Position redelivery_until_;  // Later records are this run's.
  CallbackRelay* relay_ = nullptr;      // Null: the application is called here.
  /// Actions that store() met and kept, so many of the room's.
  std::size_t deferred_count_ = 0;
  /// Reports beyond that, in the same order: of an application that gives commands by the dozen in
  /// one callback.
  std::vector<session::Report> further_reports_;

  // In one byte, so that a message asks once.
  static constexpr std::uint8_t guard_pace = 1;     // There is a limit on sends.
  static constexpr std::uint8_t guard_admin = 2;    // The application writes into an admin message.
  static constexpr std::uint8_t guard_stopped = 4;  // An operator has stopped what it sends.

  /// A message that leaves before it is stored.
  struct Unstored {
    session::PersistSent sent;
    std::int64_t utc_ns = 0;
  };

  /// Made for sessions that store after sending; others have none.
  static constexpr std::size_t unstored_max = 64;
  std::unique_ptr<base::FixedVector<Unstored, unstored_max>> unstored_;
  journal::Position waits_until_;  // Durable there, `waiting_bytes_` of the outbox may leave.
  std::size_t waiting_bytes_ = 0;
  std::size_t ready_bytes_ = 0;  // So much of the outbox may leave now.

  std::array<std::uint64_t, warning_reasons_max> warnings_{};  ///< By SessionRejectReason.
  std::int64_t next_reset_utc_ns_ = session::no_deadline;      // The next daily reset.
  std::int64_t read_since_ns_ = 0;     // Steady time when reading went on last after a pause.
  std::int64_t stalled_since_ns_ = 0;  // Steady time since when output is refused; 0 = not.
  base::Now begun_at_;                 // When begin() or send_prepared() was called last.
  std::size_t bytes_before_ = 0;       // In the outbox, in front of the message at hand.
  std::size_t last_bytes_ = 0;         // While closing_: how much of the outbox may leave.
  std::string_view down_reason_;       // Static text of why the session went down.
  std::string_view journal_refusal_;   // The same of why the journal did not take a record.
  std::string logout_text_;            // Of a logout that waits for room in the outbox.
  bool logout_waits_ = false;
  bool journal_failed_ = false;   // In this connection.
  bool journal_blocked_ = false;  // Until preparing it succeeds.
  bool failure_untold_ = false;   // The application has not heard of the journal's failure.
  bool closing_ = false;          // end_connection() was called.
  bool close_begun_ = false;      // begin_close() was.
  bool replaying_ = false;
  bool carrying_out_ = false;
  bool reading_paused_ = false;
  bool heard_since_probe_ = false;  // The peer.
  bool told_logon_ = false;
  bool logged_out_ = false;        // In this connection, and both sides said so.
  bool period_reset_due_ = false;  // A period has begun, and its numbers have not.
  bool reset_due_ = false;         // The daily reset's hour has come, and it has not happened.
  std::uint8_t guards_ = 0;        // Why begin() and commit() look twice: guard_... below.
  bool message_begun_ = false;     // begin() was called, and commit() has not been.
  bool committing_ = false;        // In commit() or send_prepared().
  bool backlogged_ = false;        // A send was refused, and the application waits to hear of room.
  bool paced_out_ = false;         // The message begun is one too many for the limit on sends.
  bool awaits_pace_ = false;       // A message was, and there is no room yet.
  bool attended_ = false;

  /// What on_message() is about that is being called.
  enum class MessageAtHand : std::uint8_t { None, Handed, Kept };

  MessageAtHand at_hand_ = MessageAtHand::None;
  Redelivery redelivery_time_ = Redelivery::AfterLogon;
  RedeliveryStage redelivery_stage_ = RedeliveryStage::Nothing;
  bool redelivery_begun_ = false;      // redelivery_ leads to what is next.
  bool redelivery_again_ = false;      // It was asked for while it ran.
  bool awaits_callback_room_ = false;  // may_deliver() said no.
  bool awaits_durability_ = false;
  bool awaits_pages_ = false;
  bool relay_drained_ = false;
};

}  // namespace affix::inline v0::engine
