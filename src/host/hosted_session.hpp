// SPDX-License-Identifier: MIT
// One session with its protocol state, journal, output and present connection. Carries out the
// protocol's actions in order; the worker drives it.
#pragma once

#include "affix/base/bytes.hpp"
#include "affix/config/configuration.hpp"
#include "affix/host/application.hpp"
#include "affix/host/session_controls.hpp"
#include "affix/journal/journal.hpp"
#include "affix/net/reactor.hpp"
#include "affix/session/session.hpp"
#include "affix/wire/encoder.hpp"
#include "affix/wire/framer.hpp"

#include "config/schedule.hpp"
#include "counters/latency_recorder.hpp"
#include "host/borrowed_buffers.hpp"
#include "host/cancel_watch.hpp"
#include "host/delayed_marks.hpp"
#include "host/journal_health.hpp"
#include "host/journal_reads.hpp"
#include "host/journal_roster.hpp"
#include "host/kept_link.hpp"
#include "host/late_store.hpp"
#include "host/led_group.hpp"
#include "host/link.hpp"
#include "host/link_history.hpp"
#include "host/link_keeper.hpp"
#include "host/link_record.hpp"
#include "host/link_rest.hpp"
#include "host/logon_check.hpp"
#include "host/message_delivery.hpp"
#include "host/message_in_progress.hpp"
#include "host/message_input.hpp"
#include "host/meters.hpp"
#include "host/output_gate.hpp"
#include "host/report_filter.hpp"
#include "host/send_guards.hpp"
#include "host/session_buffers.hpp"
#include "host/session_dictionary.hpp"
#include "host/session_slot.hpp"
#include "host/session_terms.hpp"
#include "host/timetable.hpp"
#include "host/wait_set.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace affix::inline v0::host {

using MessageIndex = wire::FieldIndexOf<message_fields_max>;

class CallbackRelay;
class HostedSession;

/// Interface of a session to the worker that drives it. One thread.
class SessionHost {
 public:
  /// Index of the worker in the engine.
  [[nodiscard]] virtual std::size_t worker_number() const noexcept = 0;
  [[nodiscard]] virtual base::Now now() noexcept = 0;
  [[nodiscard]] virtual net::Reactor& reactor() noexcept = 0;
  [[nodiscard]] virtual Application& application() noexcept = 0;

  /// The application, for hooks while a message is written; they do not count as callbacks.
  [[nodiscard]] virtual Application& hooks() noexcept = 0;

  /// The worker's meter, which also holds the file of seats for its sessions.
  [[nodiscard]] virtual counters::WorkerMeter& meter() noexcept = 0;
  [[nodiscard]] virtual counters::CounterFile& counters() noexcept = 0;

  /// The recorder of its sessions' messages; null: none is recorded.
  [[nodiscard]] virtual counters::LatencyRecorder* latency() noexcept = 0;

  /// For messages read from the journal, so that the index of the current message stays valid.
  [[nodiscard]] virtual MessageIndex& replay_index() noexcept = 0;

  /// In a turn output waits for the turn's end; outside it leaves at once.
  [[nodiscard]] virtual bool in_turn() const noexcept = 0;

  /// The session has output, an earlier deadline, or work that must not run inside a callback:
  /// calls attend() at the end of the turn, or before the next one waits.
  virtual void needs_attention(HostedSession& session) noexcept = 0;

  /// The connection has ended and the protocol state is down.
  virtual void on_session_down(HostedSession& session) noexcept = 0;

  /// Keeps connections for a later process; null: nobody does.
  [[nodiscard]] virtual LinkKeeper* link_keeper() noexcept = 0;

  /// Records an append outside a turn; at a turn's end the host checks by itself.
  virtual void note_append(HostedSession& session) noexcept = 0;

  /// Delayed marks of the worker's sessions.
  [[nodiscard]] virtual DelayedMarks& delayed_marks() noexcept = 0;

  /// Stores the messages of all sessions that were sent before they were stored.
  virtual void store_late_messages() noexcept = 0;

  /// A journal refused messages that were sent: the message that the application is being called
  /// for, on whichever session, is not marked as processed.
  virtual void leave_unprocessed() noexcept = 0;

  /// The session's output waits for the journal to be on the disk: calls attend() on progress.
  virtual void await_durability(HostedSession& session) noexcept = 0;

  /// The session's output waits for the standbys of its failover group: calls attend() on progress.
  virtual void await_replication(HostedSession& session) noexcept = 0;

  /// The session's resend waits for pages of its journal's history: calls attend() when they are in
  /// memory.
  virtual void await_pages(HostedSession& session) noexcept = 0;

  /// The schedule now allows logons, or forbids them: HostedSession::may_log_on() has changed.
  virtual void on_logon_window(HostedSession& session) noexcept = 0;

  /// The session is logged on.
  virtual void on_session_up(HostedSession& session) noexcept = 0;

  /// The application's requests about the connection: log out and stay down, connect again, and ask
  /// whether a connection is wanted.
  virtual void log_out(HostedSession& session, std::string_view text) noexcept = 0;
  virtual void connect(HostedSession& session) noexcept = 0;
  [[nodiscard]] virtual bool dialing(const HostedSession& session) const noexcept = 0;

  /// Fills in whether the session is enabled, and if not, the time and origin of the disabling.
  virtual void show_enabled(const HostedSession& session, SessionSight& sight) const noexcept = 0;

  virtual void report(Event::Severity severity, std::string_view session, std::string_view text,
                      base::MessageCode code) noexcept = 0;

 protected:
  ~SessionHost() = default;
};

using HostedSessionPtr = std::unique_ptr<HostedSession>;

/// Arguments for making a session. Referenced objects outlive the session.
struct SessionMake {
  SharedSettings settings;
  session::Role role;
  std::size_t outbox_bytes;
  std::int64_t output_tries;  ///< `send_try_count` of its group.
  bool takes_stamps;          ///< `receive_time_stamps` of its group asks for time stamps.
  bool may_continue;          ///< A keeper has a connection of the session's earlier process.
  SessionSlot& slot;
  SessionHost& host;
  base::Now now;
};

/// Aligned as a whole: it shares no cache line with data that another worker writes. Made by any
/// thread; from SessionSlot::attach() until it leaves the slot it is its worker's.
class alignas(base::cache_line) HostedSession {
 public:
  /// Restores the sequence numbers from the journal that the settings name; check_session() must
  /// have found no fault in them.
  [[nodiscard]] static std::expected<HostedSessionPtr, base::Error> open(
      const SessionMake& make, SessionDictionary dictionary,
      std::unique_ptr<journal::Journal> journal);

  /// The same without a journal, for a session that is to take_over() that of its predecessor.
  [[nodiscard]] static std::expected<HostedSessionPtr, base::Error> open_successor(
      const SessionMake& make, SessionDictionary dictionary);

  /// Sizes of the buffers that a session of `settings` needs; `outbox_bytes` comes from its
  /// group.
  [[nodiscard]] static BufferSizes buffer_sizes(const config::SessionSettings& settings,
                                                std::size_t outbox_bytes,
                                                os::Pages pages = os::Pages::Small);

  /// Sets the pool from which it borrows its buffers; the pool has a set for it. Call first.
  void set_buffer_pool(BufferPool& pool) noexcept { memory_.set_pool(pool); }

  /// Returns its buffers to the pool for good.
  void vacate() noexcept { memory_.give_back(); }

  [[nodiscard]] BufferPool& buffer_pool() const noexcept { return memory_.pool(); }

  HostedSession(const HostedSession&) = delete;
  HostedSession& operator=(const HostedSession&) = delete;
  ~HostedSession();

  [[nodiscard]] const config::SessionSettings& settings() const noexcept { return *settings_; }

  [[nodiscard]] const session::Session& protocol() const noexcept { return session_; }

  [[nodiscard]] journal::Journal& journal() noexcept { return *journal_; }

  /// Counts how often its journal was refused memory since the last call. True: at least once.
  [[nodiscard]] bool count_ring_refusals() noexcept {
    const std::uint64_t refusals = journal_->take_ring_refusals();
    if (refusals != 0) [[unlikely]] {
      meters_.counts.add(counters::SessionCounter::JournalMemoryRefused, refusals);
    }
    return refusals != 0;
  }

  [[nodiscard]] std::string_view journal_directory() const noexcept {
    return terms_.journal_directory;
  }

  [[nodiscard]] const std::string& identity() const noexcept { return terms_.identity; }

  [[nodiscard]] bool logged_on() const noexcept {
    return session_.phase() == session::Phase::Active;
  }

  /// The peer's new messages are given to the application: until it has answered our Logout, too.
  [[nodiscard]] bool takes_messages() const noexcept {
    return logged_on() || session_.phase() == session::Phase::LogoutSent;
  }

  /// A connection is attached, in any phase.
  [[nodiscard]] bool connected() const noexcept { return link_.connected(); }

  /// Index in the worker's table.
  [[nodiscard]] std::size_t number() const noexcept { return number_; }

  void set_number(std::size_t number) noexcept { number_ = number; }

  [[nodiscard]] SessionSlot& slot() const noexcept { return handle_.slot(); }

  /// For the application, while the session is in its slot.
  [[nodiscard]] SessionHandle handle() const noexcept { return handle_; }

  /// Sets its failover group, whose shipper has its journal, and which outlives it or is replaced:
  /// output waits until the standbys have what was stored before. Call before the first turn, or
  /// when another epoch of the same group begins.
  void set_led_group(LedGroup& led) noexcept {
    led_ = &led;
    output_.begin_epoch();
    reads_.withheld.begin_epoch(led.stored());
  }

  /// Follows LedGroup::intake(): while it is stopped, reads no input, sends nothing new and stores
  /// nothing.
  void follow_intake() noexcept;

  /// The journal as the preparing and flushing threads see it; null for a session that is yet to
  /// take over, or was taken over.
  [[nodiscard]] RosterEntry* roster_entry() noexcept { return roster_entry_.get(); }

  [[nodiscard]] std::int64_t deadline() const noexcept;

  /// The worker's lists that the session is in.
  [[nodiscard]] WaitSet& waits() noexcept { return waits_; }

  /// Sets the relay, which outlives the session, for callbacks on another thread. Call before the
  /// first turn.
  void set_relay(CallbackRelay& relay) noexcept {
    delivery_.set_relay(relay);
    slot().relay.store(&relay, std::memory_order_release);
  }

  /// Raw data fields of its dictionaries' messages. Any thread.
  [[nodiscard]] const wire::DataFields& data_fields() const noexcept {
    return dictionary_.data_fields();
  }

  /// Further tags that its journal masks. Valid until its settings change.
  [[nodiscard]] session::SecretTags secret_tags() const noexcept { return options_.secret_tags; }

  [[nodiscard]] CallbackRelay* relay() const noexcept { return delivery_.relay(); }

  // Leaving and being replaced, in the worker's turn.

  /// It has no connection. Messages that an earlier run left undelivered remain in the journal,
  /// which keeps track of them.
  [[nodiscard]] bool is_settled() const noexcept { return !link_.connected(); }

  void report_added() noexcept { callbacks().on_session_added(handle_); }

  /// With a callback thread, the relay's farewell does this.
  void report_removed() noexcept { callbacks().on_session_removed(handle_); }

  /// Completes what commands left undone after the last connection, and, when the session goes
  /// `for_good`, a wait for its peer to come back.
  void settle(bool for_good) noexcept;

  /// With a relay: queues the farewell, once. From here on the session relays no callback; what is
  /// left to redeliver, or to cancel, is its successor's.
  void say_farewell(bool for_good) noexcept;

  /// The callback thread has run all of its callbacks. Set by the relay.
  [[nodiscard]] bool relay_drained() const noexcept { return delivery_.relay_drained(); }

  void set_relay_drained() noexcept { delivery_.on_relay_drained(); }

  /// Continues where `before` ended, which is settled and unused from here on: takes its journal
  /// and numbers, its relay, its place and the application's pointer.
  void take_over(HostedSession& before) noexcept;

  /// Switches to settings that differ only in keys for which applies_in_place() is true.
  void apply(SharedSettings settings) noexcept;

  // Inputs, from the worker.

  /// Call once the session is on its worker: finds the messages that an earlier run left
  /// unprocessed, and redelivers them at once if the application wants them at the start.
  void begin_redelivery() noexcept;

  void on_connected(net::ConnectionId connection) noexcept;

  /// Goes on with a connection that an earlier process left, of which the kernel has taken `taken`
  /// bytes; `row` is the session's from here on. Not empty: why it cannot, and nothing has changed
  /// but that bytes may have been sent: the caller closes the connection and frees the row. In the
  /// first turn; blocks on the disk. A session of a failover group goes on with one that another
  /// node has passed on: `row` stays the caller's, and no file is read.
  [[nodiscard]] base::CodedText continue_on(net::ConnectionId connection, LinkRecord& row,
                                            std::uint64_t taken) noexcept;

  /// It is logged on, and output waits for the disk, the standbys, a limit or the socket.
  [[nodiscard]] bool output_waits() const noexcept;

  /// Puts the connection into `keeper`, for another node of this machine to go on with; the session
  /// shares `keeper` until it has left the connection. Call it while the intake is stopped. False:
  /// it cannot be passed on, as it is not logged on, speaks TLS, or has output that waits.
  bool pass_on(const std::shared_ptr<LinkKeeper>& keeper) noexcept;

  [[nodiscard]] bool passed_on() const noexcept { return kept_.passed_to() != nullptr; }

  /// The connection was passed on, and the other node leads: this side of it is closed, and the
  /// streams go on. `why` is static text.
  void leave_connection(base::CodedText why) noexcept;

  /// The keeper is a new one: gives it the connection, if there is one that is kept.
  void keep_again() noexcept {
    if (link_.logon_reported() && link_.open() && !passed_on()) {
      keep_link();
    }
  }

  /// The connection of the earlier process was closed instead.
  void refuse_continuation() noexcept;

  [[nodiscard]] std::size_t on_bytes(base::PaddedBytes bytes, MessageIndex& index) noexcept;
  void on_drained() noexcept;
  void on_transmitted(std::uint64_t position, std::int64_t utc_ns) noexcept;
  void on_closed(base::CodedText why) noexcept;

  /// The peer has connected again. True: the old connection was finished except for the peer's
  /// closing of it, and is dropped, so the session is free.
  [[nodiscard]] bool leave_ended_connection() noexcept;

  /// For a possibly dead old connection: sends a TestRequest to its peer, and shows whether a
  /// message has come since. Not for a session whose application has yet to answer its Logon.
  [[nodiscard]] bool may_probe() const noexcept {
    return session_.phase() != session::Phase::LogonPending;
  }

  void probe() noexcept;

  [[nodiscard]] bool heard_since_probe() const noexcept { return link_.heard_since_probe(); }

  /// Steady time since when an answer to the probe would have been read; no_deadline while a limit
  /// or a full queue blocks reading or the probe.
  [[nodiscard]] std::int64_t answerable_since_ns() const noexcept;

  /// Ends the connection at once without a Logout; `why` is static text.
  void drop_connection(base::CodedText why) noexcept;
  void on_time() noexcept;

  /// Continues replays, released messages, output. True: more waits, and no event will report it.
  bool attend() noexcept;

  /// Reason why the journal refuses, so that no connection should be made; empty when it does not.
  /// Checks the schedule first, so that a new period begins before.
  [[nodiscard]] base::CodedText connection_refusal() noexcept;

  /// The schedule, if there is one, allows a logon.
  [[nodiscard]] bool may_log_on() const noexcept { return timetable_.may_log_on(); }

  // Commands, from the application.

  // They call no callback: the application may be inside a callback of another session. Reports and
  // the end of a connection wait for attend().

  /// The encoder stays here until the next call; the caller writes into a copy.
  [[nodiscard]] const wire::Encoder& begin(
      std::string_view type, std::span<const session::ExtraHeaderField> header) noexcept;
  [[nodiscard]] SendResult commit(wire::EncodedMessage finished) noexcept;
  /// Replaces commit(); false: commit() would have refused.
  bool warm(wire::EncodedMessage finished) noexcept;
  [[nodiscard]] wire::Encoder draft(std::string_view type, std::span<char> buffer) noexcept;
  [[nodiscard]] SendResult send_prepared(wire::PreparedMessage& prepared,
                                         std::uint32_t sequence_slot,
                                         std::uint32_t time_slot) noexcept;
  SendResult reject_business(const wire::MessageView& message, session::BusinessRejectReason reason,
                             std::string_view text, std::string_view reference) noexcept;
  SendResult reject(const wire::MessageView& message, session::RejectReason reason,
                    std::uint32_t tag, std::string_view text) noexcept;
  /// Hands the outbox to the reactor, and outside a turn to the kernel too.
  void flush() noexcept;
  /// Hands the outbox to the kernel.
  void flush_now() noexcept;
  // SessionHandle has the contracts of these three; not used with a relay.
  bool keep_message() noexcept;
  bool finish_message(Receipt receipt) noexcept;
  void ask_for_redelivery() noexcept;

  /// If the application is being called for a message, it is not marked as processed.
  void leave_unprocessed() noexcept;

  /// store_order after_send: stores what was sent and is not stored yet.
  void store_unstored() noexcept;
  /// `logon` is the number of the Logon to answer; 0: any that waits.
  bool accept_logon(std::uint32_t logon) noexcept;
  bool refuse_logon(std::string_view text, std::uint32_t logon) noexcept;
  /// Answers according to the configured credentials.
  bool check_logon(std::uint32_t logon) noexcept;
  void logout(std::string_view text) noexcept;

  /// Records the origin of the coming end of the connection, unless one is recorded already.
  void note_end(EndedBy who) noexcept { link_.note_end(who); }

  /// Shows in the counters why it was disabled and by whom; empty: it is enabled.
  void note_disabled(std::string_view why) noexcept;
  void reset() noexcept;
  void test_peer() noexcept;

  // Commands from an operator: SessionControls has their contracts. hosted_session_controls.cpp.

  [[nodiscard]] SessionSight sight() noexcept;
  [[nodiscard]] bool set_numbers(std::optional<std::uint64_t> next_outgoing,
                                 std::optional<std::uint64_t> next_expected) noexcept;
  [[nodiscard]] bool send_sequence_reset(std::uint64_t next_outgoing) noexcept;
  void disconnect() noexcept;
  void stop_sending() noexcept;

  /// The same before it has sent anything: without asking the application.
  void begin_stopped() noexcept;

  void resume_sending() noexcept;
  [[nodiscard]] bool remark(std::string_view text) noexcept;

  [[nodiscard]] SessionHost& host() noexcept { return host_; }

  void* user = nullptr;

 private:
  HostedSession(const SessionMake& make, SessionDictionary dictionary,
                std::unique_ptr<journal::Journal> journal,
                std::optional<config::Schedule> schedule);

  [[nodiscard]] session::SessionOptions make_options(session::Role role) noexcept;

  /// Calls Application::before_admin_send() for the session core.
  static void add_admin_fields(void* context, std::string_view type,
                               wire::Encoder& message) noexcept;

  /// Borrows buffers if it has none. Call before any use of the protocol or of the outbox.
  void ensure_buffers() noexcept {
    if (!memory_.borrowed()) [[unlikely]] {
      borrow_buffers();
    }
  }

  void borrow_buffers() noexcept;

  /// Returns the buffers, unless they are in use.
  void return_buffers() noexcept;

  [[nodiscard]] bool finish_turn() noexcept;

  /// Clock reading for measurements, which in a turn is later than now().
  [[nodiscard]] std::int64_t clock_ns() noexcept { return host_.reactor().now().steady_ns; }

  /// Records when the current bytes arrived.
  void take_stamp() noexcept;

  /// Cause that delays output beyond the turn in which it was stored.
  [[nodiscard]] counters::LatencyCause held_by() const noexcept;

  /// Counts an answer to our TestRequest.
  void measure_round_trip(const wire::MessageView& message) noexcept;

  /// Carries out actions until none is left, then ends the connection if one of them asked for it.
  /// Not for use inside a callback.
  void carry_out() noexcept;

  /// Carries out the journal's actions and keeps the others for carry_out(): afterwards the whole
  /// outbox is stored, and the list of actions is empty. Usable anywhere.
  void store() noexcept;
  void execute(const session::Action& action) noexcept;
  void persist(const session::Action& action) noexcept;
  /// Persists actions other than messages sent or received.
  void persist_rarely(const session::Action& action) noexcept;

  /// Time at which the journal records our message as sent: for the application's, when it was
  /// begun. Outside a turn a clock reading takes 50 ns, and one a message is enough.
  [[nodiscard]] std::int64_t utc_ns_of_sent() noexcept {
    return message_.committing() ? message_.begun_at().utc_ns : host_.now().utc_ns;
  }

  /// Copy of a message for the journal, without its secrets.
  [[nodiscard]] std::string_view without_secrets(std::string_view bytes, bool has_secret) noexcept;
  void persist_sent(const session::PersistSent& sent) noexcept;
  void append_sent(const session::PersistSent& sent, std::int64_t utc_ns) noexcept;
  void persist_received(const session::PersistReceived& received) noexcept;

  /// Bytes of the outbox that may leave: durable and within the limit on sends.
  [[nodiscard]] std::size_t sendable() noexcept;

  /// Bytes of the outbox that no crash can make unsaid: with durability sync those on the disk, in
  /// a failover group those that the standbys have, else all.
  [[nodiscard]] std::size_t safe_bytes() noexcept;

  /// The last result, less what has left.
  [[nodiscard]] std::size_t last_safe_bytes() const noexcept;

  /// Output may have to wait after it was stored.
  [[nodiscard]] bool holds_output() const noexcept { return terms_.synced || led_ != nullptr; }

  /// True if the application may begin a message.
  [[nodiscard]] bool may_begin() noexcept;

  /// send_throttle_limit has no room for one.
  [[nodiscard]] bool limit_refuses() noexcept;
  [[nodiscard]] SendResult refused_by_limit() noexcept;

  [[nodiscard]] bool is_stopped() const noexcept { return guards_.has(SendGuard::Stopped); }

  /// It sends nothing of the application's: an operator's stop, or a hand-over to another node.
  [[nodiscard]] bool sending_refused() const noexcept {
    return is_stopped() || guards_.has(SendGuard::HandingOver);
  }

  [[nodiscard]] SendResult refused_by_operator() noexcept;

  /// The transport has taken the first `bytes` of the outbox.
  void note_sent(std::size_t bytes) noexcept;

  /// store_order after_send: stores a message that was kept until it was sent.
  void store_late(const session::PersistSent& sent) noexcept;

  /// Ends the connection when the journal's last flush failed.
  void check_flush() noexcept;
  void deliver(const session::Deliver& delivery) noexcept;
  void answer_logon(const session::LogonRequested& request) noexcept;

  /// True if that Logon waits for its answer.
  [[nodiscard]] bool logon_waits(std::uint32_t logon) const noexcept;

  /// True: a dictionary has the peer's application version (1137), or the rules accept it.
  [[nodiscard]] bool version_right(const wire::MessageView& logon) noexcept;
  void disconnect(session::DisconnectReason reason) noexcept;
  void report(const session::Report& report) noexcept;
  /// Copies a report and overwrites the passwords of our logon in it: a peer may repeat them.
  [[nodiscard]] session::Report without_passwords(const session::Report& report,
                                                  std::span<char> room) const noexcept;
  void advance_daily_reset() noexcept;

  /// Calls on_cancel_orders() when it is due.
  void report_cancel_orders() noexcept;

  /// Names of the session's two sides, and the peer's address.
  [[nodiscard]] std::string parties() const;

  /// Reports the end of the connection, and records it in the journal if it was logged on.
  void report_end(base::CodedText reason, bool by_logout);

  /// Writes a note for later readers into the journal, if the journal accepts it.
  void note_in_journal(std::string_view text) noexcept;

  /// Applies the schedule's changes at the present time.
  void follow_schedule() noexcept;

  /// Resets the numbers if a new period requires it, as soon as there is no connection.
  void begin_period() noexcept;

  /// The journal's numbers need no reset.
  [[nodiscard]] bool numbers_are_first() const noexcept {
    return journal_->next_outgoing() == 1 && journal_->next_expected() == 1;
  }

  [[nodiscard]] base::CodedText journal_refusal() noexcept;

  /// For lines of the reports that were counted.
  [[nodiscard]] auto report_line() noexcept {
    return [this](Event::Severity severity, std::string_view text, base::MessageCode code) {
      host_.report(severity, settings_->name, text, code);
    };
  }

  /// Keeps the connection that begins for a later process, where it can.
  void begin_keeping() noexcept;

  /// The session is logged on: gives its connection to the keeper.
  void keep_link() noexcept;

  /// The connection has ended, or cannot be kept.
  void stop_keeping() noexcept;
  void take_back() noexcept;

  /// Sends more of what an earlier process left. True: all of it, and the outbox may follow.
  [[nodiscard]] bool send_rest() noexcept;

  /// The transport has no room: waits until the peer reads, or for output_timeout_seconds.
  void stall() noexcept;

  /// Notes where the output stands. Call when the whole outbox is stored.
  void note_output_place() noexcept;

  /// Handles input bytes that are no message. `index` is free to use.
  void end_large_message() noexcept;
  void take_skipped(wire::FrameError error, std::string_view bytes, MessageIndex& index) noexcept;
  void release_held() noexcept;

  /// Receiver of its callbacks: the application, or the relay to its thread.
  [[nodiscard]] Application& callbacks() noexcept;

  /// True if a received message may be delivered. False: the relay to the application's thread is
  /// full; the session stops reading until it has room, and the pause is no silence of the peer.
  [[nodiscard]] bool may_deliver() noexcept {
    if (delivery_.relay() == nullptr && !reads_.redelivery.running()) [[likely]] {
      return true;
    }
    return may_deliver_late();
  }

  [[nodiscard]] bool may_deliver_late() noexcept;

  /// Does the same regardless of redelivery; for redelivered messages.
  [[nodiscard]] bool has_callback_room() noexcept;

  /// The application's callback has returned and did not keep the record.
  void mark_processed(journal::Position position) noexcept {
    if (late_.marks().open()) [[likely]] {
      journal_->mark_processed(position);
    } else {
      mark_late(position);
    }
  }

  void mark_late(journal::Position position) noexcept;

  /// Calls on_message(), directly or by the relay, and sets the mark.
  void hand_over(const wire::MessageView& message, const Delivery& delivery,
                 journal::Position position) noexcept;

  /// With `replication=BEFORE_DELIVER`: a message that was just stored must wait for the standbys.
  [[nodiscard]] bool must_withhold() const noexcept {
    return led_ != nullptr && led_->mode() == config::Replication::BeforeDeliver;
  }

  /// Whether a message from the journal may have been delivered before.
  enum class Redelivered : std::uint8_t { No, Yes };

  /// Calls the application for an unprocessed record, and sets its mark.
  void deliver_stored(const journal::Record& record, Redelivered redelivered) noexcept;

  /// Delivers what the standbys have, a page at most; true: more waits, and no event will report
  /// it.
  bool deliver_withheld() noexcept;

  /// At most `messages_max`; true: more waits, and no event will report it.
  bool continue_redelivery(std::size_t messages_max) noexcept;
  void report_unreadable() noexcept;

  /// Informs the operator that the number of unprocessed messages keeps growing.
  void report_unprocessed(std::uint64_t count) noexcept;
  /// Redelivers, timed as a step of the worker.
  bool redeliver_some() noexcept;
  void continue_resend() noexcept;
  /// True if the application allows a stored message to be resent.
  [[nodiscard]] bool may_resend(const wire::MessageView& stored) noexcept;
  [[nodiscard]] bool make_room() noexcept;
  void pause_reading() noexcept;
  /// Pauses reading because the application cannot be given more, or the outbox has no room for the
  /// answer to a large message. Neither is silence of the peer.
  void leave_unread() noexcept;
  void after_command() noexcept;
  template <typename Send>
  SendResult send_reject(Send send) noexcept;
  [[nodiscard]] SendResult after_send(const session::SendResult& result,
                                      wire::EncodeError encode_error) noexcept;

  /// The journal refused a record: the peer must not see any of its message, so the connection ends
  /// and the numbers return to those that are stored.
  void fail_journal(journal::AppendResult result, const char* unsent) noexcept;

  /// Number of the outbox's bytes before a message that is placed there; all, for any other.
  [[nodiscard]] std::size_t outbox_bytes_before(const char* placed) const noexcept;

  /// Restores the numbers and the account of queued messages from the journal.
  void restore_numbers() noexcept;

  /// From here on only the outbox's first `bytes` may leave, and no input is read. begin_close()
  /// informs the transport after the actions, since their views are in its memory.
  void end_connection(std::size_t bytes) noexcept;
  void begin_close() noexcept;

  /// Time for which the peer may refuse output.
  [[nodiscard]] std::int64_t output_patience_ns() const noexcept {
    return terms_.output_patience_ns(*settings_);
  }

  const SessionTerms terms_;
  SharedSettings settings_;
  SessionDictionary dictionary_;  // options_ point to it.
  session::SessionOptions options_;
  Timetable timetable_;
  CancelWatch cancel_;
  LogonCheck logon_;
  SessionHost& host_;
  Application& hooks_;
  const SessionHandle handle_;
  std::size_t number_ = 0;
  Meters meters_;
  std::unique_ptr<journal::Journal> journal_;
  LedGroup* led_ = nullptr;  // Its failover group; null: it is in none.
  std::unique_ptr<RosterEntry> roster_entry_;
  BorrowedBuffers memory_;  // Of session_ and out_.
  session::SessionState state_;
  session::Session session_;
  session::Out out_;
  Link link_;
  MessageInput input_;
  OutputGate output_;
  LateStore late_;
  SendGuards guards_;
  MessageInProgress message_;
  MessageDelivery delivery_;
  JournalReads reads_;
  JournalHealth health_;
  WaitSet waits_;
  bool carrying_out_ = false;
  ReportFilter reports_;
  LinkHistory history_;
  KeptLink kept_;
  LinkRest rest_;
};

}  // namespace affix::inline v0::host
