// SPDX-License-Identifier: MIT
// One thread's share of the engine: a reactor and its sessions. Connections from the acceptor's
// thread come through its inbox; without such a thread the worker has the gate itself.
#pragma once

#include "affix/base/byte_ring.hpp"
#include "affix/base/bytes.hpp"
#include "affix/base/spsc_queue.hpp"
#include "affix/config/configuration.hpp"
#include "affix/host/application.hpp"
#include "affix/net/reactor.hpp"
#include "affix/tls/tls_reactor.hpp"

#include "config/tls_groups.hpp"
#include "config/worker_plan.hpp"
#include "counters/worker_meter.hpp"
#include "engine/application_calls.hpp"
#include "engine/callback_relays.hpp"
#include "engine/change_box.hpp"
#include "engine/command_rings.hpp"
#include "engine/connection_table.hpp"
#include "engine/journal_keeper.hpp"
#include "engine/kept_connections.hpp"
#include "engine/logon_gate.hpp"
#include "engine/message_indices.hpp"
#include "engine/name_thread.hpp"
#include "engine/node_dialer.hpp"
#include "engine/report_limit.hpp"
#include "engine/session_places.hpp"
#include "engine/session_timers.hpp"
#include "engine/start_reports.hpp"
#include "engine/turn_wait.hpp"
#include "engine/waiting_sessions.hpp"
#include "host/callback_relay.hpp"
#include "host/delayed_marks.hpp"
#include "host/hosted_session.hpp"
#include "host/wait_step.hpp"
#include "net/loop_descriptor.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace affix::inline v0::engine {

/// A connection on its way from the acceptor's thread to its session's worker.
struct HandedConnection {
  net::DetachedConnection connection;
  host::SessionHandle session;
  PeerInfo peer_info{};
};

/// Maximum number of connections on their way to one worker; more are closed.
inline constexpr std::size_t handed_connections_max = 256;

/// A worker's part in failover groups that this node leads.
struct FailoverShare {
  using Groups = std::vector<std::shared_ptr<host::LedGroup>>;

  std::unique_ptr<NodeDialer> node_dialer;
  std::vector<PassOn> passes{};         ///< Under way.
  Groups led{};                         ///< With sessions here.
  Groups left{};                        ///< Without, until their connections are closed.
  std::int64_t next_node_fault_ns = 0;  ///< Steady time from which one is reported again.
};

/// A worker's part in the connections that outlive the process.
struct KeptShare {
  KeptConnections* keeper = nullptr;  ///< Null: there is none.
  std::uint32_t generation = 0;       ///< Of the keeper that holds this worker's connections.
  std::int64_t tend_ns = 0;           ///< Steady time of the next look at it.
};

/// Aligned as a whole: it shares no cache line with data that another worker writes.
class alignas(base::cache_line) Worker final : private net::Handler, private host::SessionHost {
 public:
  using Inbox = base::SpscQueue<HandedConnection>;

  /// Opens the worker for its `share` of the plan; sessions follow with take_in(), listeners, if it
  /// has any, with listen(). `counters` and `latencies` outlive it and its sessions; null
  /// `latencies`: no latencies are recorded. Null `reactor`: the system's.
  [[nodiscard]] static std::expected<std::unique_ptr<Worker>, config::Problems> open(
      const config::Configuration& configuration, const config::WorkerPlan& plan,
      const config::WorkerShare& share, const config::TlsGroups& encryption,
      host::Application& application, counters::CounterFile& counters,
      counters::LatencyFile* latencies, std::unique_ptr<net::Reactor> reactor);

  ~Worker();

  /// Listens for a server group whose sessions are all this worker's. `endpoint` as for
  /// LogonGate::listen(), and the connections' keeper, if there is one.
  [[nodiscard]] std::expected<net::Address, base::Error> listen(
      const config::ServerSettings& settings, std::span<const LogonTarget> targets,
      std::shared_ptr<const tls::TlsEndpoint> endpoint);

  /// Sets the keeper of connections, which outlives the worker. Null: there is none. Before the
  /// first turn.
  void set_kept(KeptConnections* kept) noexcept { kept_.keeper = kept; }

  /// Reports for the first turn, before which the application does not listen.
  [[nodiscard]] StartReports& start_reports() noexcept { return start_reports_; }

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
  [[nodiscard]] WorkerNews take_news() { return changes_.take_news(); }

  /// True if take_news() has results. Cheap; any thread.
  [[nodiscard]] bool has_news() const noexcept { return changes_.has_news(); }

  /// Maximum number of sessions.
  [[nodiscard]] std::size_t capacity() const noexcept { return places_.capacity(); }

  /// Work on its sessions' journals that no message waits for.
  [[nodiscard]] JournalKeeper& journals() noexcept { return journals_; }

  /// Limits of its connections, and if they support TLS. Any thread.
  [[nodiscard]] const net::ReactorOptions& limits() const noexcept { return reactor_->options(); }

  [[nodiscard]] bool has_tls() const noexcept { return tls_ != nullptr; }

  /// For shippers of its sessions' failover groups: its transport, and what dials standbys on it.
  /// Any thread may pass them on.
  [[nodiscard]] net::Reactor& transport() noexcept { return *reactor_; }

  [[nodiscard]] replication::Dialer& node_dialer() noexcept { return *failover_.node_dialer; }

  /// The gate with the listeners; null: the acceptor's thread has it.
  [[nodiscard]] LogonGate* gate() noexcept { return gate_.get(); }

  /// Makes a queue of `bytes` for callbacks of sessions whose `callback_thread` is `thread`. Null:
  /// it has no such session. Before the first turn; `waker` is that thread's.
  [[nodiscard]] host::CallbackRelay* open_relay(std::int64_t thread, std::size_t bytes,
                                                net::Waker& waker);

  /// The relay to that thread for messages of up to `message_bytes`; null: there is none, or only
  /// for shorter ones. Any thread.
  [[nodiscard]] host::CallbackRelay* relay_to(std::int64_t thread,
                                              std::int64_t message_bytes) const noexcept {
    return relays_.to(thread, message_bytes);
  }

  /// After the last turn, while callback threads still run what is left: stores what they have sent
  /// and carries out their reports. Repeated until they have ended, since their queues are bounded.
  void take_late_reported() noexcept;

  /// Carries out the last reports of callback threads, after they have ended.
  void take_last_reported() noexcept;

  /// Adds a command queue to read. Any thread, one at a time; the ring outlives the last
  /// turn.
  void add_commands(base::ByteRing& ring) noexcept { commands_.add(ring); }

  /// Reads the clock, and runs a turn.
  bool poll(std::int64_t wait_until_ns) noexcept;

  /// Runs one turn, for callers that run turns without a pause: it begins with the last reading
  /// of the turn before, which saves a spinning thread one of two. True: there may be more to
  /// do.
  bool turn(std::int64_t wait_until_ns) noexcept;

  /// Returns the descriptor that a loop of the caller's waits for instead of poll(). Opens it at
  /// the first call; from then on poll() sets it.
  [[nodiscard]] std::expected<int, base::Error> descriptor();

  /// For the first one.
  void read_clock() noexcept { now_ = reactor_->now_again(); }

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
  [[nodiscard]] std::uint64_t timer_visits() const noexcept { return timers_.visits(); }

  [[nodiscard]] std::size_t number() const noexcept { return number_; }

 private:
  using Connection = ConnectionTable::Entry;

  Worker(host::Application& application, const config::WorkerShare& share,
         counters::CounterFile& counters);

  void open_reactor(const config::Configuration& configuration, const config::WorkerPlan& plan,
                    const config::WorkerShare& share, const config::TlsGroups& encryption,
                    std::unique_ptr<net::Reactor> reactor, config::Problems& problems);

  // Changes of sessions (worker_changes.cpp).
  SessionPlace& place_session(Arrival& arrival);
  void assign_buffers(host::HostedSession& session, host::BufferReservation buffers);
  void begin(SessionPlace& place) noexcept;
  void take_changes();
  void carry_out_change(WorkerChange& change);
  void arrive(Arrival& arrival);
  void depart(Departure& departure);
  void depart_again(SessionPlace& place, Departure& departure);
  void adjust(const Adjustment& adjustment);
  void switch_session(const Switch& wanted);
  void set_enabled(SessionPlace& place, bool enabled, std::string_view why,
                   std::string_view by) noexcept;
  void go_down(SessionPlace& place, host::EndedBy who, std::string_view text) noexcept;
  void cut(SessionPlace& place) noexcept;
  void complete_when_down(SessionPlace& place, const ChangeItem& item);
  void complete_down(SessionPlace& place) noexcept;
  [[nodiscard]] LeavingSession& leaving_of(const SessionPlace& place) noexcept;
  void replace(LeavingSession& leaving, SessionPlace& place, host::BufferReservation buffers);
  void advance_leaving();
  [[nodiscard]] bool is_out(LeavingSession& leaving);
  void release(LeavingSession& leaving);
  void forget(host::HostedSession& session);
  void look_for_retirement(SessionPlace& place) noexcept;
  [[nodiscard]] SessionPlace* place_of(host::SessionHandle session) noexcept;

  // net::Handler
  void on_accepted(net::ListenerId listener, net::ConnectionId connection,
                   const net::Address& peer) noexcept override;
  void on_connected(net::ConnectionId connection) noexcept override;
  void on_connect_failed(net::ConnectionId connection, net::ConnectFailure failure,
                         int error_number) noexcept override;
  [[nodiscard]] std::size_t on_bytes(net::ConnectionId connection,
                                     base::PaddedBytes bytes) noexcept override;
  void on_tls_fault(net::ConnectionId connection, base::CodedText fault) noexcept override;
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

  [[nodiscard]] host::Application& application() noexcept override { return calls_.for_callback(); }

  [[nodiscard]] host::Application& hooks() noexcept override { return calls_.for_hook(); }

  [[nodiscard]] host::DelayedMarks& delayed_marks() noexcept override { return delayed_marks_; }

  void store_late_messages() noexcept override;
  void leave_unprocessed() noexcept override;

  [[nodiscard]] counters::WorkerMeter& meter() noexcept override { return meter_; }

  [[nodiscard]] counters::CounterFile& counters() noexcept override { return counters_; }

  [[nodiscard]] counters::LatencyRecorder* latency() noexcept override { return latency_.get(); }

  [[nodiscard]] host::MessageIndex& replay_index() noexcept override { return indices_->replay; }

  [[nodiscard]] bool in_turn() const noexcept override { return in_turn_; }

  [[nodiscard]] host::LinkKeeper* link_keeper() noexcept override { return kept_.keeper; }

  void needs_attention(host::HostedSession& session) noexcept override;
  void on_session_down(host::HostedSession& session) noexcept override;
  void note_append(host::HostedSession& session) noexcept override;
  void await_durability(host::HostedSession& session) noexcept override;
  void await_replication(host::HostedSession& session) noexcept override;
  void await_pages(host::HostedSession& session) noexcept override;
  void on_logon_window(host::HostedSession& session) noexcept override;
  void on_session_up(host::HostedSession& session) noexcept override;
  void log_out(host::HostedSession& session, std::string_view text) noexcept override;
  void connect(host::HostedSession& session) noexcept override;
  [[nodiscard]] bool dialing(const host::HostedSession& session) const noexcept override;
  void show_enabled(const host::HostedSession& session,
                    host::SessionSight& sight) const noexcept override;
  void report(host::Event::Severity severity, std::string_view session, std::string_view text,
              base::MessageCode code) noexcept override;

  void take_handed() noexcept;

  // Connections that an earlier process left.
  void continue_left(SessionPlace& place) noexcept;
  [[nodiscard]] base::CodedText continue_on(host::HostedSession& session,
                                            LeftConnection& left) noexcept;
  void tend_kept() noexcept;
  [[nodiscard]] host::HostedSession* hosted_now(host::SessionHandle session) noexcept;

  // Failover groups that this node leads (worker_replication.cpp).
  void join_group(SessionPlace& place, std::shared_ptr<host::LedGroup> led);
  void leave_group(SessionPlace& place) noexcept;
  void begin_epoch(const NewEpoch& epoch) noexcept;
  void drop_group(const std::shared_ptr<host::LedGroup>& led) noexcept;
  void pass_on() noexcept;
  [[nodiscard]] bool awaits_output(const PassOn& pass);
  void report_failover(const FailoverReport& failover) noexcept;
  void report_node_fault(base::CodedText fault) noexcept;
  [[nodiscard]] std::size_t take_acknowledgements(host::LedGroup& led, net::ConnectionId connection,
                                                  base::PaddedBytes bytes) noexcept;
  void notice_standbys() noexcept;
  void ship() noexcept;
  [[nodiscard]] host::LedGroup* led_group_of(net::ConnectionId connection) noexcept;

  // Commands of other threads (worker_commands.cpp).
  /// Returns their number.
  std::uint64_t take_commands() noexcept;

  /// Runs every command that was queued at the call, however many.
  void take_all_commands() noexcept;

  /// Carries out reports of callback threads, and attends sessions that waited for room there.
  void notice_relays() noexcept;
  void take_reported() noexcept;
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
  void refuse_newcomer(SessionPlace& place, base::CodedText why) noexcept;
  void admit_newcomer(SessionPlace& place) noexcept;
  void refuse(net::ConnectionId connection, Connection& entry, base::CodedText why) noexcept;
  void report_refusals() noexcept;
  void leave_waiting(net::ConnectionId connection, Connection& entry) noexcept;
  void run_timers() noexcept;
  void dial(SessionPlace& place) noexcept;
  void give_up_dialing(SessionPlace& place) noexcept;
  void take_addresses(SessionPlace& place);
  void on_attempt_failed(SessionPlace& place) noexcept;
  [[nodiscard]] std::expected<net::ConnectionId, base::Error> begin_to_connect(SessionPlace& place);
  void end_turn() noexcept;
  void attend_sessions() noexcept;
  void notice_flushes() noexcept;
  void report_ring_refusal(const host::HostedSession& session) noexcept;
  void notice_pages() noexcept;
  void read_histories() noexcept;
  void attend(host::HostedSession& session) noexcept;

  /// Begins redelivery of earlier runs' messages, and the first attempts to connect.
  void begin_all() noexcept;
  void report_start_warnings() noexcept;
  void account_for_turn(std::uint64_t commands) noexcept;
  void do_what_is_due() noexcept;
  [[nodiscard]] std::int64_t next_deadline() const noexcept;
  [[nodiscard]] std::int64_t next_turn_ns() const noexcept;
  void begin_rest() noexcept;

  enum class Ending : std::uint8_t {
    No,
    LoggingOut,  ///< finish() was called.
    Done,        ///< There was the last turn.
  };

  ApplicationCalls calls_;
  counters::CounterFile& counters_;
  counters::WorkerMeter meter_;       // Sessions count here until they are destroyed.
  host::JournalWaits journal_waits_;  // Called by their journals.
  std::unique_ptr<net::Reactor> reactor_;
  tls::TlsReactor* tls_ = nullptr;  // The same reactor, if a group here uses TLS.
  std::unique_ptr<counters::LatencyRecorder>
      latency_;                      // Null: nothing is recorded. Outlives the sessions.
  std::unique_ptr<LogonGate> gate_;  // Null: the acceptor's thread has it.
  std::unique_ptr<Inbox> inbox_;     // Null: there is no such thread.
  CallbackRelays relays_;            // Outlive all callers.
  std::vector<std::unique_ptr<host::BufferPool>>
      buffer_pools_;        // One for each size; outlive the sessions.
  JournalKeeper journals_;  // Outlives the journals.
  SessionPlaces places_;
  std::vector<LeavingSession> leaving_;
  StartReports start_reports_;
  ConnectionTable connections_;

  std::unique_ptr<MessageIndices> indices_;
  WaitingSessions<host::HostedSession> waiting_;
  SessionTimers timers_;  // Of sessions with their dialers, and of those with a newcomer.
  ReportLimit refusals_;  // Of connections whose Logon was checked here.
  base::Now now_;
  TurnWait turn_wait_;
  std::optional<net::LoopDescriptor> descriptor_;  // None: poll() waits itself.
  const std::size_t number_;                       // Among the workers.
  const std::int64_t core_;
  bool in_turn_ = false;
  bool begun_ = false;  // begin_all() was called.
  Ending ending_ = Ending::No;
  host::DelayedMarks delayed_marks_;
  bool ring_refusal_reported_ = false;
  NameThread* names_ = nullptr;
  KeptShare kept_;
  FailoverShare failover_;
  CommandRings commands_;
  ChangeBox changes_;
};

}  // namespace affix::inline v0::engine
