// SPDX-License-Identifier: MIT
// One thread's share of the engine: a reactor and the sessions it drives. What it is handed by the
// acceptor's thread comes through its inbox; when there is no such thread it has the gate itself.
#pragma once

#include "affix/base/byte_ring.hpp"
#include "affix/base/bytes.hpp"
#include "affix/base/deadline_heap.hpp"
#include "affix/base/spsc_queue.hpp"
#include "affix/engine/application.hpp"
#include "affix/engine/configuration.hpp"
#include "affix/net/reactor.hpp"
#include "affix/net/tls_reactor.hpp"

#include "engine/callback_relay.hpp"
#include "engine/client_group.hpp"
#include "engine/courier_queues.hpp"
#include "engine/delayed_marks.hpp"
#include "engine/flush_list.hpp"
#include "engine/hosted_session.hpp"
#include "engine/journal_roster.hpp"
#include "engine/logon_gate.hpp"
#include "engine/mark_rounds.hpp"
#include "engine/name_thread.hpp"
#include "engine/report_limit.hpp"
#include "engine/wait_step.hpp"
#include "engine/worker_change.hpp"
#include "engine/worker_meter.hpp"
#include "engine/worker_plan.hpp"

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

/// A connection on its way from the acceptor's thread to the worker that owns its session.
struct HandedConnection {
  net::DetachedConnection connection;
  SessionHandle session;
  Visitor visitor{};
};

/// Most connections on their way to one worker; more are closed.
inline constexpr std::size_t handed_connections_max = 256;

/// Aligned as a whole: nothing of it is on a cache line with what another worker writes.
class alignas(base::cache_line) Worker final : private net::Handler, private SessionHost {
 public:
  using Inbox = base::SpscQueue<HandedConnection>;

  /// Opens what `share` of the plan gives it but for its sessions, which come with take_in(), and
  /// its listeners, if it is to have any, which come with listen(). `counters` outlives it and its
  /// sessions. Null `reactor`: the system's.
  [[nodiscard]] static std::expected<std::unique_ptr<Worker>, Problems> open(
      const Configuration& configuration, const WorkerPlan& plan, const WorkerShare& share,
      Application& application, CounterFile& counters, std::unique_ptr<net::Reactor> reactor);

  ~Worker();

  /// Listens for a server group, all of whose sessions are this worker's.
  /// `endpoint` as LogonGate::listen() has it.
  [[nodiscard]] std::expected<net::Address, base::Error> listen(
      const ServerSettings& settings, std::span<const LogonGate::Target> targets,
      std::shared_ptr<const net::TlsEndpoint> endpoint);

  /// Tells the application of these in the first turn, before which nobody listens.
  void warn_at_start(std::vector<std::string> warnings);

  /// The same, of what is no warning; nothing where it is empty.
  void note_at_start(std::string note) { start_note_ = std::move(note); }

  /// Where the acceptor's thread leaves connections; it wakes the worker afterwards. Null: there is
  /// no such thread.
  [[nodiscard]] Inbox* inbox() noexcept { return inbox_.get(); }

  /// A session it has from the start. Before the first turn. Its journal is on the roster.
  void take_in(Arrival arrival);

  /// Whom sessions are opened for that are to be its own.
  [[nodiscard]] SessionHost& as_host() noexcept { return *this; }

  /// Has `change` carried out in its next turn. Its sessions' journals are on the roster, and there
  /// is room for them (capacity()). Any thread; `change` is the worker's from here on.
  void post(std::unique_ptr<WorkerChange> change);

  /// What has come of changes since the last call. Any thread. Sessions that are released are on
  /// the roster still, and whoever takes them takes them off before they are destroyed.
  [[nodiscard]] WorkerNews take_news();

  /// Nothing for take_news(). Cheap; any thread.
  [[nodiscard]] bool has_news() const noexcept { return has_news_.load(std::memory_order_acquire); }

  /// Most sessions it can have.
  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }

  /// prepare_journals() and flush_journals() see to this journal from here on, or do not any more.
  /// Waits for the disk while they are at work. Any thread.
  void enter_roster(RosterEntry& entry);
  void leave_roster(RosterEntry& entry);

  /// The limits that its connections have, and whether they can speak TLS. Any thread.
  [[nodiscard]] const net::ReactorOptions& limits() const noexcept { return reactor_->options(); }

  [[nodiscard]] bool has_tls() const noexcept { return tls_ != nullptr; }

  /// Where listeners are, when they are here; null: the acceptor's thread has them.
  [[nodiscard]] LogonGate* gate() noexcept { return gate_.get(); }

  /// The callbacks of its sessions whose `callback_thread` is `thread` go there, through a queue of
  /// `bytes`. Null: it has none. Before the first turn; `waker` is that thread's.
  [[nodiscard]] CallbackRelay* open_relay(std::int64_t thread, std::size_t bytes,
                                          net::Waker& waker);

  /// The way there for messages of up to `message_bytes`; null: none was opened, or not for so long
  /// ones. Any thread.
  [[nodiscard]] CallbackRelay* relay_to(std::int64_t thread,
                                        std::int64_t message_bytes) const noexcept;

  /// Everything that callback threads have told, once they have ended.
  void take_last_told() noexcept;

  /// Takes commands from this ring, too. Any thread, one at a time; the ring outlives the last
  /// turn.
  void add_commands(base::ByteRing& ring) noexcept;

  /// Reads the clock, and turns.
  bool poll(std::int64_t wait_until_ns) noexcept;

  /// One turn, for who drives turns one straight after the other: it begins at the reading that the
  /// turn before ended with, which spares a spinning thread one of two. True: there may be more to
  /// do.
  bool turn(std::int64_t wait_until_ns) noexcept;

  /// For the first of such turns.
  void read_clock() noexcept { now_ = reactor_->now_again(); }

  /// Prepares segments, and reads the pages of history that resends wait for. Any thread but one at
  /// a time; beside the worker's.
  bool prepare_journals() noexcept;

  /// Brings to the disk what is due: of sync journals what is not there, of group journals what is
  /// older than their interval. Any thread; beside the worker's and beside prepare_journals().
  /// True: it did something.
  bool flush_journals() noexcept;

  /// How long, from now, flush_journals() may be left alone; never_ns while nothing needs it, and
  /// then its waker is woken. Of the thread that flushes, behind flush_journals().
  [[nodiscard]] std::int64_t flush_pause_ns() noexcept;

  /// Whether there is, or was, a session that sends nothing before it is flushed. Any thread.
  [[nodiscard]] bool awaits_flushes() const noexcept {
    return awaits_flushes_.load(std::memory_order_relaxed);
  }

  /// That thread has woken, for whatever reason.
  void end_flush_rest() noexcept { unflushed_.end_rest(); }

  /// Woken when flush_journals() has something to do at once. Null: nobody flushes but whoever
  /// drives the worker, which then does not wait while output does. Before the worker's thread
  /// runs, or behind it.
  void set_flush_waker(net::Waker* waker) noexcept {
    flush_waker_.store(waker, std::memory_order_release);
  }

  /// Asked when names are to be looked up again. Null: nobody is. The worker's thread.
  void set_name_thread(NameThread* names) noexcept { names_ = names; }

  /// Whether a journal has come to want prepare_journals() since the last call; not too often while
  /// that fails. The worker's thread.
  [[nodiscard]] bool take_preparation_request() noexcept;

  /// Stops listening, logs everybody out, and connects no more.
  void finish(std::string_view text) noexcept;

  /// No session has a connection, and none will make one.
  [[nodiscard]] bool all_down() const noexcept;

  /// The time its reactor goes by.
  [[nodiscard]] base::Now clocks() noexcept { return reactor_->now(); }

  [[nodiscard]] std::int64_t steady_ns() noexcept { return clocks().steady_ns; }

  /// The steady time of its last reading, in or behind the last turn. Of the worker's thread.
  [[nodiscard]] std::int64_t last_reading_ns() const noexcept { return now_.steady_ns; }

  /// Leaves every journal as it is now, as killing the process would.
  void abandon() noexcept;

  [[nodiscard]] net::Waker& waker() noexcept { return reactor_->waker(); }

  [[nodiscard]] std::int64_t core() const noexcept { return core_; }

  /// Of the worker's thread.
  [[nodiscard]] std::uint64_t timer_visits() const noexcept { return timer_visits_; }

  [[nodiscard]] std::size_t number() const noexcept { return number_; }

 private:
  /// What a reactor's connection is for. One that the gate has is not in the table.
  struct Connection {
    std::uint32_t generation = 0;
    HostedSession* session = nullptr;  // Null until its Logon is judged.
    HostedSession* wanted = nullptr;   // The session its Logon is for, while it has none.
    Visitor visitor{};
  };

  /// Beside a session: how it connects, when it is an initiator's, and whether it is to stay.
  struct Place {
    HostedSessionPtr session;  // Null: free.
    std::optional<Dialer> dialer;
    std::optional<net::ConnectionId> dialing;
    std::shared_ptr<const ClientGroup> client;
    std::vector<std::size_t> hosts{};           // Of the dialer's addresses, by their place.
    std::uint32_t hosts_version = 0;            // Of the client's addresses when it took them.
    AddressPlace address_place{};               // Of its connection.
    std::optional<net::ConnectionId> newcomer;  // Waits until its peer's first one is found dead.
    bool again = false;                         // It is in again_.
    bool enabled = true;
    bool leaving = false;  // It is in leaving_.
    bool of_template = false;
    bool was_up = false;         // Logged on at least once since it came.
    std::int64_t retire_ns = 0;  // As Arrival has it.
    std::int64_t retire_at_ns = never_ns;
    std::string disabled_why;
    std::int64_t switched_utc_ns = 0;       // When it was disabled or enabled last.
    std::vector<ChangeItem> until_down{};   // Done when its connection has ended.
    bool wanted_afterwards = false;         // Being restarted: then its initiator is to connect.
    std::vector<LaterChange> afterwards{};  // Being restarted: carried out then, in this order.
  };

  /// The way to one callback thread.
  struct Relay {
    std::int64_t thread = 0;
    std::int64_t message_bytes = 0;  // Most of one message.
    std::unique_ptr<CallbackRelay> relay;
    std::size_t told = 0;  // By the callback thread, and to be carried out.
  };

  /// A departure under way.
  struct Leaving {
    Departure departure;
    std::int64_t deadline_ns = 0;
    std::vector<ChangeItem> further_items{};  // Of changes that want the same.
    bool forced = false;
    bool farewell_said = false;  // To the callback thread.
  };

  Worker(Application& application, const WorkerShare& share, CounterFile& counters);

  void open_reactor(const Configuration& configuration, const WorkerPlan& plan,
                    const WorkerShare& share, std::unique_ptr<net::Reactor> reactor,
                    Problems& problems);

  // Changes of sessions (worker_changes.cpp).
  Place& sit_down(Arrival& arrival);
  void move_in(HostedSession& session, RoomReservation room);
  void begin(Place& place) noexcept;
  void take_changes();
  void carry_out_change(WorkerChange& change);
  void arrive(Arrival& arrival);
  void depart(Departure& departure);
  void depart_again(Place& place, Departure& departure);
  void adjust(const Adjustment& adjustment);
  void switch_session(const Switch& wanted);
  void set_enabled(Place& place, bool enabled, std::string_view why, std::string_view by) noexcept;
  void go_down(Place& place, EndedBy who, std::string_view text) noexcept;
  void complete_when_down(Place& place, const ChangeItem& item);
  void complete_down(Place& place) noexcept;
  [[nodiscard]] Leaving& leaving_of(const Place& place) noexcept;
  void replace(Leaving& leaving, Place& place, RoomReservation room);
  void advance_leaving();
  [[nodiscard]] bool is_out(Leaving& leaving);
  void release(Leaving& leaving);
  void forget(HostedSession& session);
  void look_for_retirement(Place& place) noexcept;
  void set_retirement(Place& place) noexcept;
  [[nodiscard]] Place* place_of(SessionHandle session) noexcept;
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
  void on_drained(net::ConnectionId connection) noexcept override;
  void on_closed(net::ConnectionId connection, net::CloseReason reason,
                 int error_number) noexcept override;
  void on_accept_paused(net::ListenerId listener, net::AcceptPause pause) noexcept override;

  // SessionHost
  [[nodiscard]] std::size_t worker_number() const noexcept override { return number_; }

  [[nodiscard]] base::Now now() noexcept override;

  [[nodiscard]] net::Reactor& reactor() noexcept override { return *reactor_; }

  /// For a callback, after which the application is told of the turn's end too.
  [[nodiscard]] Application& application() noexcept override {
    called_back_ = true;
    return application_;
  }

  [[nodiscard]] Application& hooks() noexcept override { return application_; }

  [[nodiscard]] DelayedMarks& delayed_marks() noexcept override { return delayed_marks_; }

  void store_late_messages() noexcept override;

  [[nodiscard]] WorkerMeter& meter() noexcept override { return meter_; }

  [[nodiscard]] CounterFile& counters() noexcept override { return counters_; }

  [[nodiscard]] MessageIndex& replay_index() noexcept override { return *replay_index_; }

  [[nodiscard]] bool in_turn() const noexcept override { return in_turn_; }

  void needs_attention(HostedSession& session) noexcept override;
  void on_session_down(HostedSession& session) noexcept override;
  void note_append(HostedSession& session) noexcept override;
  void await_durability(HostedSession& session) noexcept override;
  void await_pages(HostedSession& session) noexcept override;
  void on_logon_window(HostedSession& session) noexcept override;
  void on_session_up(HostedSession& session) noexcept override;
  void log_out(HostedSession& session, std::string_view text) noexcept override;
  void connect(HostedSession& session) noexcept override;
  [[nodiscard]] bool dialing(const HostedSession& session) const noexcept override;
  void show_enabled(const HostedSession& session, SessionSight& sight) const noexcept override;
  void report(Event::Severity severity, std::string_view session,
              std::string_view text) noexcept override;

  [[nodiscard]] Connection* find(net::ConnectionId connection) noexcept;
  Connection& enter(net::ConnectionId connection);
  void take_handed() noexcept;
  [[nodiscard]] HostedSession* hosted_now(SessionHandle session) noexcept;

  // Commands of other threads (worker_commands.cpp).
  /// How many.
  std::uint64_t take_commands() noexcept;

  /// All that was in the queues when it was called, however much.
  void take_all_commands() noexcept;

  /// Carries out what callback threads have told, and attends sessions that waited for room there.
  void notice_relays() noexcept;
  void take_told() noexcept;
  void carry_out_command(std::string_view record) noexcept;

  [[nodiscard]] std::size_t on_first_bytes(net::ConnectionId connection,
                                           base::PaddedBytes bytes) noexcept;
  [[nodiscard]] std::size_t judge(net::ConnectionId connection, Connection& entry,
                                  base::PaddedBytes bytes) noexcept;
  void admit(net::ConnectionId connection, Connection& entry, HostedSession& session) noexcept;
  [[nodiscard]] bool wait_for_probe(net::ConnectionId connection, HostedSession& session) noexcept;
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
  void list_unflushed(HostedSession& session) noexcept;
  void tell_ring_refusal(const HostedSession& session) noexcept;
  void take_unflushed();
  void take_round();
  void finish_round(std::int64_t now_ns) noexcept;
  [[nodiscard]] bool flush_all() noexcept;
  void vouch_for_all() noexcept;
  [[nodiscard]] bool flush(RosterEntry& journal, std::int64_t now_ns) noexcept;
  void notice_pages() noexcept;
  void read_histories() noexcept;
  void tell_pages() noexcept;
  void attend(HostedSession& session) noexcept;
  /// What earlier runs left, and the first attempts to connect.
  void begin_all() noexcept;
  void tell_start_warnings() noexcept;
  void account_for_turn(std::uint64_t commands) noexcept;
  void do_what_is_due() noexcept;
  [[nodiscard]] std::int64_t next_deadline() const noexcept;

  Application& application_;
  CounterFile& counters_;
  WorkerMeter meter_;           // Sessions count here until they are gone.
  JournalWaits journal_waits_;  // Their journals tell it.
  std::unique_ptr<net::Reactor> reactor_;
  net::TlsReactor* tls_ = nullptr;   // The same reactor, when any group here speaks TLS.
  std::unique_ptr<LogonGate> gate_;  // Null: the acceptor's thread has it.
  std::unique_ptr<Inbox> inbox_;     // Null: there is no such thread.
  std::vector<Relay> relays_;        // Behind nothing that calls.
  std::vector<std::unique_ptr<RoomPool>> rooms_;  // One for each size; outlive the sessions.
  JournalRoster roster_;                          // Longer than the journals.
  std::vector<Place> places_;  // Never more than capacity_, so that they stay where they are.
  std::vector<std::size_t> free_places_;
  std::vector<Leaving> leaving_;
  std::vector<std::string> start_warnings_;  // Until the first turn, before which nobody listens.
  std::string start_note_;                   // The same.
  std::vector<Connection> connections_;      // By the reactor's slot.
  std::unique_ptr<MessageIndex> index_;
  std::unique_ptr<MessageIndex> replay_index_;
  std::vector<HostedSession*> attention_;  // Asked for it in this turn, or since the last one.
  std::vector<HostedSession*> attending_;
  std::vector<HostedSession*> again_;  // Have more to do than one look at them allows.
  base::DeadlineHeap timers_;          // Of sessions and their dialers, by number.
  base::DeadlineHeap probe_timers_;    // Of sessions with a newcomer, by number.
  ReportLimit refusals_;               // Of connections whose Logon was judged here.
  base::Now now_;
  net::Wait wait_;
  std::int64_t longest_wait_ns_ = 0;  // Of one turn; 0: until something is due.
  const std::size_t number_;
  const std::size_t capacity_;
  const std::int64_t core_;
  std::uint64_t timer_visits_ = 0;
  std::int64_t preparation_not_before_ns_ = 0;
  bool in_turn_ = false;
  bool called_back_ = false;  // The application was, and has not been told of the turn's end since.
  DelayedMarks delayed_marks_;
  bool ended_ = false;  // take_last_told() was called.
  bool begun_ = false;  // begin_all() was called.
  bool finishing_ = false;
  bool preparation_waits_ = true;
  bool ring_refusal_told_ = false;
  std::atomic<net::Waker*> flush_waker_{nullptr};
  NameThread* names_ = nullptr;
  std::vector<HostedSession*> awaiting_durability_;
  bool commands_wait_ = false;                                 // More than one turn takes.
  std::array<base::ByteRing*, couriers_max> command_rings_{};  // As many as are counted.
  std::vector<HostedSession*> awaiting_pages_;
  std::int64_t pages_awaited_since_ns_ = 0;  // Or since a helper was seen last.
  std::uint64_t preparations_seen_ = 0;
  bool nobody_prepares_ = false;  // So the worker reads what its resends wait for.

  // Of changes, which are seldom: posted by any thread, and told to any.
  std::mutex changes_mutex_;
  std::vector<std::unique_ptr<WorkerChange>> posted_;
  WorkerNews news_;
  std::atomic<bool> has_posted_{false};
  std::atomic<bool> has_news_{false};

  // Written when a courier is made, which is seldom.
  std::atomic<std::uint32_t> command_rings_count_{0};

  // Written by whoever prepares and flushes, and so on a cache line of their own.
  alignas(base::cache_line) std::atomic<bool> preparation_failed_{false};
  std::atomic<std::uint64_t> preparations_{0};  // Begun and ended ones.
  std::atomic<bool> pages_came_{false};         // Some that resends waited for are there.
  std::atomic<bool> flushed_{false};            // Something is durable.
  std::atomic<bool> flush_failed_{false};       // Something could not be made so.
  std::atomic<bool> awaits_flushes_{false};     // A session's durability is sync.

  // Sessions with something to flush: entered by the worker, taken by whoever flushes.
  FlushList unflushed_;

  /// Of both, by turns.
  MarkRounds mark_rounds_;

  // Of whoever flushes, who has the roster's lock for that.
  alignas(base::cache_line) std::vector<RosterEntry*> flush_due_;  // Taken, and not flushed yet.
  std::int64_t flush_interval_ns_ = 0;  // The shortest of group journals; 0: there was none.
  std::int64_t flush_active_until_ns_ = 0;
  std::size_t round_left_ = 0;  // So many journals of the round that is taken are to be flushed.
};

}  // namespace affix::inline v0::engine
