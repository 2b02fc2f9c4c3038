// SPDX-License-Identifier: MIT
// One thread's share of the engine: a reactor and its sessions. Connections from the acceptor's
// thread come through its inbox; without such a thread the worker has the gate itself.
#pragma once

#include "affix/base/byte_ring.hpp"
#include "affix/base/bytes.hpp"
#include "affix/base/deadline_heap.hpp"
#include "affix/base/spsc_queue.hpp"
#include "affix/config/configuration.hpp"
#include "affix/host/application.hpp"
#include "affix/net/reactor.hpp"
#include "affix/tls/tls_reactor.hpp"

#include "config/worker_plan.hpp"
#include "counters/worker_meter.hpp"
#include "engine/client_group.hpp"
#include "engine/courier_queues.hpp"
#include "engine/logon_gate.hpp"
#include "engine/mark_rounds.hpp"
#include "engine/name_thread.hpp"
#include "engine/report_limit.hpp"
#include "engine/worker_change.hpp"
#include "host/callback_relay.hpp"
#include "host/delayed_marks.hpp"
#include "host/flush_list.hpp"
#include "host/hosted_session.hpp"
#include "host/journal_roster.hpp"
#include "host/wait_step.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <expected>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::engine {

/// A connection on its way from the acceptor's thread to its session's worker.
struct HandedConnection {
  net::DetachedConnection connection;
  host::SessionHandle session;
  Visitor visitor{};
};

/// Maximum number of connections on their way to one worker; more are closed.
inline constexpr std::size_t handed_connections_max = 256;

/// Aligned as a whole: it shares no cache line with data that another worker writes.
class alignas(base::cache_line) Worker final : private net::Handler, private host::SessionHost {
 public:
  using Inbox = base::SpscQueue<HandedConnection>;

  /// Opens the worker for its `share` of the plan; sessions follow with take_in(), listeners, if it
  /// has any, with listen(). `counters` and `latencies` outlive it and its sessions; null
  /// `latencies`: no latencies are recorded. Null `reactor`: the system's.
  [[nodiscard]] static std::expected<std::unique_ptr<Worker>, config::Problems> open(
      const config::Configuration& configuration, const config::WorkerPlan& plan,
      const config::WorkerShare& share, host::Application& application,
      counters::CounterFile& counters, counters::LatencyFile* latencies,
      std::unique_ptr<net::Reactor> reactor);

  ~Worker();

  /// Listens for a server group whose sessions are all this worker's. `endpoint` as for
  /// LogonGate::listen().
  [[nodiscard]] std::expected<net::Address, base::Error> listen(
      const config::ServerSettings& settings, std::span<const LogonGate::Target> targets,
      std::shared_ptr<const tls::TlsEndpoint> endpoint);

  /// Reports these to the application in the first turn, before which it does not listen.
  void warn_at_start(std::vector<std::string> warnings);

  /// The same for a note that is not a warning; ignores an empty one.
  void note_at_start(std::string note) { start_note_ = std::move(note); }

  /// Inbox for connections from the acceptor's thread, which wakes the worker afterwards. Null:
  /// there is no such thread.
  [[nodiscard]] Inbox* inbox() noexcept { return inbox_.get(); }

  /// Adds a session before the first turn. Its journal is on the roster.
  void take_in(Arrival arrival);

  /// Host for opening sessions that will be this worker's.
  [[nodiscard]] host::SessionHost& as_host() noexcept { return *this; }

  /// Queues `change` for its next turn. Its sessions' journals are on the roster, and there is room
  /// for them (capacity()). Any thread; `change` is the worker's from here on.
  void post(std::unique_ptr<WorkerChange> change);

  /// Results of changes since the last call. Any thread. Released sessions are still on the roster;
  /// the caller takes them off before it destroys them.
  [[nodiscard]] WorkerNews take_news();

  /// True if take_news() has results. Cheap; any thread.
  [[nodiscard]] bool has_news() const noexcept { return has_news_.load(std::memory_order_acquire); }

  /// Maximum number of sessions.
  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }

  /// Adds this journal to those of prepare_journals() and flush_journals(), or removes it. Waits
  /// for the disk while they work. Any thread.
  void enter_roster(host::RosterEntry& entry);
  void leave_roster(host::RosterEntry& entry);

  /// Limits of its connections, and if they support TLS. Any thread.
  [[nodiscard]] const net::ReactorOptions& limits() const noexcept { return reactor_->options(); }

  [[nodiscard]] bool has_tls() const noexcept { return tls_ != nullptr; }

  /// The gate with the listeners; null: the acceptor's thread has it.
  [[nodiscard]] LogonGate* gate() noexcept { return gate_.get(); }

  /// Makes a queue of `bytes` for callbacks of sessions whose `callback_thread` is `thread`. Null:
  /// it has no such session. Before the first turn; `waker` is that thread's.
  [[nodiscard]] host::CallbackRelay* open_relay(std::int64_t thread, std::size_t bytes,
                                                net::Waker& waker);

  /// The relay to that thread for messages of up to `message_bytes`; null: there is none, or only
  /// for shorter ones. Any thread.
  [[nodiscard]] host::CallbackRelay* relay_to(std::int64_t thread,
                                              std::int64_t message_bytes) const noexcept;

  /// Carries out the last reports of callback threads, after they have ended.
  void take_last_told() noexcept;

  /// Adds a command queue to read. Any thread, one at a time; the ring outlives the last
  /// turn.
  void add_commands(base::ByteRing& ring) noexcept;

  /// Reads the clock, and runs a turn.
  bool poll(std::int64_t wait_until_ns) noexcept;

  /// Runs one turn, for callers that run turns without a pause: it begins with the last reading
  /// of the turn before, which saves a spinning thread one of two. True: there may be more to
  /// do.
  bool turn(std::int64_t wait_until_ns) noexcept;

  /// For the first one.
  void read_clock() noexcept { now_ = reactor_->now_again(); }

  /// Prepares segments, and reads the pages of history that resends wait for. Any thread but one at
  /// a time; in parallel to the worker's.
  bool prepare_journals() noexcept;

  /// Flushes what is due: sync journals with unflushed data, group journals with data older than
  /// their interval. Any thread, in parallel to the worker's and to prepare_journals(). True: it
  /// flushed something.
  bool flush_journals() noexcept;

  /// Time from now for which flush_journals() need not be called; never_ns while no journal needs
  /// it, in which case its waker is woken. For the flushing thread, after flush_journals().
  [[nodiscard]] std::int64_t flush_pause_ns() noexcept;

  /// True if there is, or was, a session that sends only what is flushed. Any thread.
  [[nodiscard]] bool awaits_flushes() const noexcept {
    return awaits_flushes_.load(std::memory_order_relaxed);
  }

  /// The flushing thread has woken, for any reason.
  void end_flush_rest() noexcept { unflushed_.end_rest(); }

  /// Waker for urgent work of flush_journals(). Null: only the thread that drives the worker
  /// flushes, and the worker does not wait while output waits for a flush. Before the worker's
  /// thread runs, or after it.
  void set_flush_waker(net::Waker* waker) noexcept {
    flush_waker_.store(waker, std::memory_order_release);
  }

  /// Sets the resolver of names. Null: there is none. The worker's thread.
  void set_name_thread(NameThread* names) noexcept { names_ = names; }

  /// True if a journal has come to need prepare_journals() since the last call; rate-limited while
  /// that fails. The worker's thread.
  [[nodiscard]] bool take_preparation_request() noexcept;

  /// Stops listening, logs all sessions out, and makes no more connections.
  void finish(std::string_view text) noexcept;

  /// No session has a connection, and none will make one.
  [[nodiscard]] bool all_down() const noexcept;

  /// Time of its reactor.
  [[nodiscard]] base::Now clocks() noexcept { return reactor_->now(); }

  [[nodiscard]] std::int64_t steady_ns() noexcept { return clocks().steady_ns; }

  /// Steady time of its last clock reading, in or after the last turn. The worker's thread.
  [[nodiscard]] std::int64_t last_reading_ns() const noexcept { return now_.steady_ns; }

  /// Leaves every journal as it is now, as a kill of the process would.
  void abandon() noexcept;

  [[nodiscard]] net::Waker& waker() noexcept { return reactor_->waker(); }

  [[nodiscard]] std::int64_t core() const noexcept { return core_; }

  /// The worker's thread.
  [[nodiscard]] std::uint64_t timer_visits() const noexcept { return timer_visits_; }

  [[nodiscard]] std::size_t number() const noexcept { return number_; }

 private:
  /// State of a reactor's connection. Connections of the gate are not in the table.
  struct Connection {
    std::uint32_t generation = 0;
    host::HostedSession* session = nullptr;  // Null until its Logon is accepted.
    host::HostedSession* wanted = nullptr;   // The session its Logon is for, while it has none.
    Visitor visitor{};
  };

  /// A session with its connection attempts, if it is an initiator's, and its pending changes.
  struct Place {
    host::HostedSessionPtr session;  // Null: free.
    std::optional<Dialer> dialer;
    std::optional<net::ConnectionId> dialing;
    std::shared_ptr<const ClientGroup> client;
    std::vector<std::size_t> hosts{};           // Host of each of the dialer's addresses.
    std::uint32_t hosts_version = 0;            // Of the client's addresses when they were read.
    AddressPlace address_place{};               // Of its connection.
    std::optional<net::ConnectionId> newcomer;  // Waits until the old connection is found dead.
    bool again = false;                         // It is in again_.
    bool enabled = true;
    bool leaving = false;  // It is in leaving_.
    bool of_template = false;
    bool was_up = false;         // Logged on at least once since it came.
    std::int64_t retire_ns = 0;  // As in Arrival.
    std::int64_t retire_at_ns = never_ns;
    std::string disabled_why;
    std::int64_t switched_utc_ns = 0;       // Time of the last disabling or enabling.
    std::vector<ChangeItem> until_down{};   // Completed when its connection has ended.
    bool wanted_afterwards = false;         // True: reconnect after the restart.
    std::vector<LaterChange> afterwards{};  // Carried out after the restart, in this order.
  };

  /// The relay to one callback thread.
  struct Relay {
    std::int64_t thread = 0;
    std::int64_t message_bytes = 0;  // Maximum size of a message.
    std::unique_ptr<host::CallbackRelay> relay;
    std::size_t told = 0;  // Reports to be carried out.
  };

  /// A departure in progress.
  struct Leaving {
    Departure departure;
    std::int64_t deadline_ns = 0;
    std::vector<ChangeItem> further_items{};  // Of changes that request the same.
    bool forced = false;
    bool farewell_said = false;  // To the callback thread.
  };

  Worker(host::Application& application, const config::WorkerShare& share,
         counters::CounterFile& counters);

  void open_reactor(const config::Configuration& configuration, const config::WorkerPlan& plan,
                    const config::WorkerShare& share, std::unique_ptr<net::Reactor> reactor,
                    config::Problems& problems);

  // Changes of sessions (worker_changes.cpp).
  Place& sit_down(Arrival& arrival);
  void move_in(host::HostedSession& session, host::RoomReservation room);
  void begin(Place& place) noexcept;
  void take_changes();
  void carry_out_change(WorkerChange& change);
  void arrive(Arrival& arrival);
  void depart(Departure& departure);
  void depart_again(Place& place, Departure& departure);
  void adjust(const Adjustment& adjustment);
  void switch_session(const Switch& wanted);
  void set_enabled(Place& place, bool enabled, std::string_view why, std::string_view by) noexcept;
  void go_down(Place& place, host::EndedBy who, std::string_view text) noexcept;
  void complete_when_down(Place& place, const ChangeItem& item);
  void complete_down(Place& place) noexcept;
  [[nodiscard]] Leaving& leaving_of(const Place& place) noexcept;
  void replace(Leaving& leaving, Place& place, host::RoomReservation room);
  void advance_leaving();
  [[nodiscard]] bool is_out(Leaving& leaving);
  void release(Leaving& leaving);
  void forget(host::HostedSession& session);
  void look_for_retirement(Place& place) noexcept;
  void set_retirement(Place& place) noexcept;
  [[nodiscard]] Place* place_of(host::SessionHandle session) noexcept;
  void tell(WorkerNews news);

  // net::Handler
  void on_accepted(net::ListenerId listener, net::ConnectionId connection,
                   const net::Address& peer) noexcept override;
  void on_connected(net::ConnectionId connection) noexcept override;
  void on_connect_failed(net::ConnectionId connection, net::ConnectFailure failure,
                         int error_number) noexcept override;
  [[nodiscard]] std::size_t on_bytes(net::ConnectionId connection,
                                     base::PaddedBytes bytes) noexcept override;
  void on_tls_fault(net::ConnectionId connection, std::string_view text) noexcept override;
  void on_transmitted(net::ConnectionId connection, std::uint64_t position,
                      std::int64_t utc_ns) noexcept override;
  void on_drained(net::ConnectionId connection) noexcept override;
  void on_closed(net::ConnectionId connection, net::CloseReason reason,
                 int error_number) noexcept override;
  void on_accept_paused(net::ListenerId listener, net::AcceptPause pause) noexcept override;

  // SessionHost
  [[nodiscard]] std::size_t worker_number() const noexcept override { return number_; }

  [[nodiscard]] base::Now now() noexcept override;

  [[nodiscard]] net::Reactor& reactor() noexcept override { return *reactor_; }

  /// For callbacks, after which the application's on_turn_end() is due.
  [[nodiscard]] host::Application& application() noexcept override {
    called_back_ = true;
    return application_;
  }

  [[nodiscard]] host::Application& hooks() noexcept override { return application_; }

  [[nodiscard]] host::DelayedMarks& delayed_marks() noexcept override { return delayed_marks_; }

  void store_late_messages() noexcept override;
  void leave_unprocessed() noexcept override;

  [[nodiscard]] counters::WorkerMeter& meter() noexcept override { return meter_; }

  [[nodiscard]] counters::CounterFile& counters() noexcept override { return counters_; }

  [[nodiscard]] counters::LatencyRecorder* latency() noexcept override { return latency_.get(); }

  [[nodiscard]] host::MessageIndex& replay_index() noexcept override { return *replay_index_; }

  [[nodiscard]] bool in_turn() const noexcept override { return in_turn_; }

  void needs_attention(host::HostedSession& session) noexcept override;
  void on_session_down(host::HostedSession& session) noexcept override;
  void note_append(host::HostedSession& session) noexcept override;
  void await_durability(host::HostedSession& session) noexcept override;
  void await_pages(host::HostedSession& session) noexcept override;
  void on_logon_window(host::HostedSession& session) noexcept override;
  void on_session_up(host::HostedSession& session) noexcept override;
  void log_out(host::HostedSession& session, std::string_view text) noexcept override;
  void connect(host::HostedSession& session) noexcept override;
  [[nodiscard]] bool dialing(const host::HostedSession& session) const noexcept override;
  void show_enabled(const host::HostedSession& session,
                    host::SessionSight& sight) const noexcept override;
  void report(host::Event::Severity severity, std::string_view session,
              std::string_view text) noexcept override;

  [[nodiscard]] Connection* find(net::ConnectionId connection) noexcept;
  Connection& enter(net::ConnectionId connection);
  void take_handed() noexcept;
  [[nodiscard]] host::HostedSession* hosted_now(host::SessionHandle session) noexcept;

  // Commands of other threads (worker_commands.cpp).
  /// Returns their number.
  std::uint64_t take_commands() noexcept;

  /// Runs every command that was queued at the call, however many.
  void take_all_commands() noexcept;

  /// Carries out reports of callback threads, and attends sessions that waited for room there.
  void notice_relays() noexcept;
  void take_told() noexcept;
  void carry_out_command(std::string_view record) noexcept;

  [[nodiscard]] std::size_t on_first_bytes(net::ConnectionId connection,
                                           base::PaddedBytes bytes) noexcept;
  [[nodiscard]] std::size_t judge(net::ConnectionId connection, Connection& entry,
                                  base::PaddedBytes bytes) noexcept;
  void admit(net::ConnectionId connection, Connection& entry,
             host::HostedSession& session) noexcept;
  [[nodiscard]] bool wait_for_probe(net::ConnectionId connection,
                                    host::HostedSession& session) noexcept;
  void end_probes() noexcept;
  void refuse_newcomer(Place& place, std::string_view why) noexcept;
  void admit_newcomer(Place& place) noexcept;
  void refuse(net::ConnectionId connection, Connection& entry, std::string_view why) noexcept;
  void tell_of_refusals() noexcept;
  void leave_waiting(net::ConnectionId connection, Connection& entry) noexcept;
  void run_timers() noexcept;
  void dial(Place& place) noexcept;
  void give_up_dialing(Place& place) noexcept;
  void take_addresses(Place& place);
  void on_attempt_failed(Place& place) noexcept;
  [[nodiscard]] std::expected<net::ConnectionId, base::Error> begin_to_connect(Place& place);
  void end_turn() noexcept;
  void attend_sessions() noexcept;
  void notice_flushes() noexcept;
  void wake_flusher() noexcept;
  void list_unflushed(host::HostedSession& session) noexcept;
  void tell_ring_refusal(const host::HostedSession& session) noexcept;
  void take_unflushed();
  void take_round();
  void finish_round(std::int64_t now_ns) noexcept;
  [[nodiscard]] bool flush_all() noexcept;
  void vouch_for_all() noexcept;
  [[nodiscard]] bool flush(host::RosterEntry& journal, std::int64_t now_ns) noexcept;
  void notice_pages() noexcept;
  void read_histories() noexcept;
  void tell_pages() noexcept;
  void attend(host::HostedSession& session) noexcept;
  /// Begins redelivery of earlier runs' messages, and the first attempts to connect.
  void begin_all() noexcept;
  void tell_start_warnings() noexcept;
  void account_for_turn(std::uint64_t commands) noexcept;
  void do_what_is_due() noexcept;
  [[nodiscard]] std::int64_t next_deadline() const noexcept;

  host::Application& application_;
  counters::CounterFile& counters_;
  counters::WorkerMeter meter_;       // Sessions count here until they are destroyed.
  host::JournalWaits journal_waits_;  // Called by their journals.
  std::unique_ptr<net::Reactor> reactor_;
  tls::TlsReactor* tls_ = nullptr;  // The same reactor, if a group here uses TLS.
  std::unique_ptr<counters::LatencyRecorder>
      latency_;                      // Null: nothing is recorded. Outlives the sessions.
  std::unique_ptr<LogonGate> gate_;  // Null: the acceptor's thread has it.
  std::unique_ptr<Inbox> inbox_;     // Null: there is no such thread.
  std::vector<Relay> relays_;        // Outlive all callers.
  std::vector<std::unique_ptr<host::RoomPool>> rooms_;  // One for each size; outlive the sessions.
  host::JournalRoster roster_;                          // Outlives the journals.
  std::vector<Place> places_;  // At most capacity_, so that elements do not move.
  std::vector<std::size_t> free_places_;
  std::vector<Leaving> leaving_;
  std::vector<std::string> start_warnings_;  // Until the first turn.
  std::string start_note_;                   // The same.
  std::vector<Connection> connections_;      // By the reactor's slot.
  std::unique_ptr<host::MessageIndex> index_;
  std::unique_ptr<host::MessageIndex> replay_index_;
  std::vector<host::HostedSession*> attention_;  // Sessions that asked for it since the last turn.
  std::vector<host::HostedSession*> attending_;
  std::vector<host::HostedSession*> again_;  // Sessions with more to do than one look allows.
  base::DeadlineHeap timers_;                // Of sessions and their dialers, by number.
  base::DeadlineHeap probe_timers_;          // Of sessions with a newcomer, by number.
  ReportLimit refusals_;                     // Of connections whose Logon was checked here.
  base::Now now_;
  net::Wait wait_;
  std::int64_t longest_wait_ns_ = 0;  // Of one turn; 0: until something is due.
  const std::size_t number_;
  const std::size_t capacity_;
  const std::int64_t core_;
  std::uint64_t timer_visits_ = 0;
  std::int64_t preparation_not_before_ns_ = 0;
  bool in_turn_ = false;
  bool called_back_ = false;  // A callback ran, and on_turn_end() has not since.
  host::DelayedMarks delayed_marks_;
  bool ended_ = false;  // take_last_told() was called.
  bool begun_ = false;  // begin_all() was called.
  bool finishing_ = false;
  bool preparation_waits_ = true;
  bool ring_refusal_told_ = false;
  std::atomic<net::Waker*> flush_waker_{nullptr};
  NameThread* names_ = nullptr;
  std::vector<host::HostedSession*> awaiting_durability_;
  bool commands_wait_ = false;                                 // More than one turn takes.
  std::array<base::ByteRing*, couriers_max> command_rings_{};  // Used up to the count below.
  std::vector<host::HostedSession*> awaiting_pages_;
  std::int64_t pages_awaited_since_ns_ = 0;  // Or since the last sign of a helper.
  std::uint64_t preparations_seen_ = 0;
  bool nobody_prepares_ = false;  // So the worker reads the pages for its resends.

  // Changes are rare: any thread posts them, and any thread reads the results.
  std::mutex changes_mutex_;
  std::vector<std::unique_ptr<WorkerChange>> posted_;
  WorkerNews news_;
  std::atomic<bool> has_posted_{false};
  std::atomic<bool> has_news_{false};

  // Written when a courier is made, which is rare.
  std::atomic<std::uint32_t> command_rings_count_{0};

  // Written by the preparing and flushing threads, so on their own cache line.
  alignas(base::cache_line) std::atomic<bool> preparation_failed_{false};
  std::atomic<std::uint64_t> preparations_{0};  // Begun and ended ones.
  std::atomic<bool> pages_came_{false};         // Some that resends wait for.
  std::atomic<bool> flushed_{false};            // A journal made progress.
  std::atomic<bool> flush_failed_{false};       // A flush has failed.
  std::atomic<bool> awaits_flushes_{false};     // A session's durability is sync.

  // Sessions with unflushed data: added by the worker, taken by the flushing thread.
  host::FlushList unflushed_;

  /// Used by both in turn.
  MarkRounds mark_rounds_;

  // The flushing thread's, guarded by the roster's lock.
  alignas(base::cache_line) std::vector<host::RosterEntry*> flush_due_;  // Taken, not flushed yet.
  std::int64_t flush_interval_ns_ = 0;  // The shortest of group journals; 0: there was none.
  std::int64_t flush_active_until_ns_ = 0;
  std::size_t round_left_ = 0;  // Journals of the taken round still to be flushed.
};

}  // namespace affix::inline v0::engine
