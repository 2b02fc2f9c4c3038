// SPDX-License-Identifier: MIT
// The engine: opens sessions, their journals and sockets, and drives them. Use your own loops with
// poll() or worker(), or call run().
#pragma once

#include "affix/base/time.hpp"
#include "affix/config/configuration.hpp"
#include "affix/engine/change.hpp"
#include "affix/engine/cross_thread_sender.hpp"
#include "affix/engine/failover_means.hpp"
#include "affix/engine/failover_standing.hpp"
#include "affix/engine/sending_scope.hpp"
#include "affix/engine/succession.hpp"
#include "affix/engine/worker_handle.hpp"
#include "affix/host/application.hpp"
#include "affix/host/session_handle.hpp"
#include "affix/net/address.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::net {
class Reactor;
struct ReactorOptions;
}  // namespace affix::inline v0::net

namespace affix::inline v0::config {
class ClientAddresses;
class TlsGroups;
struct WorkerPlan;
}  // namespace affix::inline v0::config

namespace affix::inline v0::counters {
class CounterFile;
class LatencyFile;
}  // namespace affix::inline v0::counters

namespace affix::inline v0::engine {

class Acceptor;
class CallbackThread;
class CrossThreadSenders;
class Failover;
class KeptConnections;
class PreparationThread;
class Registrar;
class SendingHolds;
class Worker;

/// Owns everything of one configuration. Thread: call all functions on the thread that drives
/// the engine, except request_stop(), wake(), prepare_journals(), flush_journals(),
/// look_up_names(), reload_tls(), functions that change sessions, and getters. Not copied, not
/// moved.
///
/// Drive it by run(); or by poll() on one thread of yours; or, with several workers, by one thread
/// per worker() and one for poll_acceptor(), without poll().
class Engine {
 public:
  /// Opens every journal and then listens; delivers nothing yet. Blocks on the disk and on name
  /// look-up. On an error returns all problems; nothing is left open. `application` must outlive
  /// the engine.
  [[nodiscard]] static std::expected<std::unique_ptr<Engine>, config::Problems> open(
      const config::Configuration& configuration, host::Application& application);

  /// Does the same over the caller's own transport and clock: makes every connection through
  /// `reactor` and reads no other clock. InvalidArgument: its limits are below reactor_options(),
  /// or the configuration has several workers. Null: the system's.
  [[nodiscard]] static std::expected<std::unique_ptr<Engine>, config::Problems> open(
      const config::Configuration& configuration, host::Application& application,
      std::unique_ptr<net::Reactor> reactor);

  /// Does the same as the successor of an earlier process: with a keeper whose take() has been
  /// called. Sessions whose connections it held go on with them in the first turn; what does not
  /// fit is closed, and reported.
  [[nodiscard]] static std::expected<std::unique_ptr<Engine>, config::Problems> open(
      const config::Configuration& configuration, host::Application& application,
      std::unique_ptr<net::Reactor> reactor, Succession succession);

  /// Does the same as a node of a cluster (key `node`). Sessions of failover groups exist while
  /// this node leads their group: Application::on_session_added() and on_session_removed() report
  /// them.
  [[nodiscard]] static std::expected<std::unique_ptr<Engine>, config::Problems> open(
      const config::Configuration& configuration, host::Application& application,
      std::unique_ptr<net::Reactor> reactor, Succession succession, FailoverMeans failover);

  /// Limits that a reactor needs for `configuration`.
  [[nodiscard]] static net::ReactorOptions reactor_options(
      const config::Configuration& configuration);

  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// Closes sockets and journals without logging out; run() and finish() end sessions in order.
  ~Engine();

  /// Writes nothing more to any journal, as after SIGKILL; destroy the engine next. For a successor
  /// that goes on with its connections, and for tests of crash recovery. May be called from
  /// callbacks.
  void abandon() noexcept;

  /// Runs one turn: timers, input, callbacks, output. Waits until `wait_until_ns` of the reactor's
  /// steady clock at most, in the configured wait mode; 0 returns at once. Starts no thread.
  /// Returns true if anything happened. With several workers it runs one turn of each in sequence
  /// and waits one millisecond at most: for tests; use a thread per worker otherwise. It also runs
  /// the callbacks of callback threads.
  bool poll(std::int64_t wait_until_ns = 0) noexcept;

  /// Returns a descriptor for a loop of yours that waits for several things, such as epoll, asyncio
  /// or GLib: register it level-triggered for reading, call poll(0) once to begin, and then
  /// whenever it is readable. It becomes so for input, timers, wake(), commands that are given
  /// between turns, and all else that a turn has to do; the configured wait mode has no effect. The
  /// engine owns it: neither read nor close it. Costs a turn up to two system calls. Thread: the
  /// one that calls poll(). Unsupported: several workers (use WorkerHandle::descriptor()), callback
  /// threads, a node of a cluster, or a reactor on poll() or with a clock of its own. Io: no
  /// descriptors are left.
  [[nodiscard]] std::expected<int, base::Error> descriptor();

  /// Number of workers, 1 or more.
  [[nodiscard]] std::size_t worker_count() const noexcept;

  /// Returns one worker, from 0 to worker_count() - 1, for a thread of yours to drive.
  [[nodiscard]] WorkerHandle worker(std::size_t number) const noexcept;

  /// True if listeners need a thread of their own: several workers and a server group.
  [[nodiscard]] bool accepts_apart() const noexcept;

  /// Runs one turn of the listeners on the calling thread; waits until `wait_until_ns` of the
  /// steady clock at most. Only if accepts_apart().
  bool poll_acceptor(std::int64_t wait_until_ns = 0) noexcept;

  /// Stops listening, on the thread of poll_acceptor(); the first step of finish().
  void finish_acceptor() noexcept;

  /// Number of callback threads that the sessions name.
  [[nodiscard]] std::size_t callback_thread_count() const noexcept;

  /// Runs one turn of a callback thread, numbered from 0, on the calling thread: calls the pending
  /// callbacks, and waits for some until `wait_until_ns` of the system's steady clock at most.
  /// True: it called some.
  bool poll_callbacks(std::size_t thread, std::int64_t wait_until_ns = 0) noexcept;

  /// Prepares the next pages and segments of journals, so that no message waits for the disk, reads
  /// the history that resends wait for, and does what flush_journals() does. Call it on one thread
  /// of your choice, or between turns, which it delays by one new file or some pages at most. If
  /// nobody calls it, appends to a new segment and resends of messages not in memory make the
  /// engine's thread wait for the disk, the latter after 100 ms. True: it did something, and more
  /// may remain.
  bool prepare_journals() noexcept;

  /// Flushes to the disk the journals of durability group, and those that sessions of durability
  /// sync await before they send. Blocks on the disk. Use a thread of its own if such a session
  /// must not wait for another's preparation; otherwise prepare_journals() suffices. True: it
  /// flushed something.
  bool flush_journals() noexcept;

  /// Resolves the host names of client groups again after failed attempts to connect; later
  /// attempts use the result. Blocks on the name service, possibly for seconds: use a thread of its
  /// own, as run() does. If nobody calls it, the addresses from start-up stay. True: it resolved a
  /// name.
  bool look_up_names();

  /// Drives the engine until request_stop(): the first worker on this thread; every other worker,
  /// the listeners and callback threads on threads of their own; and one thread each to prepare and
  /// to flush journals. Pins them as configured. Then logs out all sessions. True: all ended.
  /// False: `shutdown_timeout_seconds` passed, and the remaining connections were closed without a
  /// Logout.
  bool run() noexcept;

  /// Makes run() return soon. Any thread and signal handlers.
  void request_stop() noexcept;

  /// Makes run() return soon without logging anybody out, so that destroying the engine leaves the
  /// connections that a keeper holds to the next process, and closes the others. Any thread.
  void request_leave() noexcept;

  /// Makes every worker's thread call Application::on_wake() soon. Any thread and signal handlers.
  /// One system call for each worker at most.
  void wake() noexcept;

  /// Reads the TLS files of every group again: certificates, keys, authorities, revocation lists,
  /// pins, pre-shared keys. New connections use them; existing ones continue. A group with a faulty
  /// file keeps its former files; other groups are unaffected. Any thread, but blocks on the disk:
  /// avoid threads that trade.
  [[nodiscard]] std::expected<void, config::Problems> reload_tls();

  // --- Failover groups; any thread ---

  /// This node's part in each failover group that is placed here. Allocates.
  [[nodiscard]] std::vector<FailoverStanding> failover_standings() const;

  /// An operator wants this node to lead the group; with a loss accepted, also if another node may
  /// have messages that this one lacks. Begun: the standing shows what becomes of it. NotFound.
  [[nodiscard]] std::expected<replication::WishAnswer, base::Error> promote(std::string_view group,
                                                                            replication::Loss loss);

  /// An operator wants another node to lead the group, which this one leads; empty: the first
  /// standby in sync. NotFound.
  [[nodiscard]] std::expected<replication::WishAnswer, base::Error> hand_over(
      std::string_view group, std::string_view node);

  // --- Changing sessions while it runs ---
  //
  // Any thread, but each blocks on the disk: avoid threads that trade; in a callback they
  // delay the callback's worker. A returned Change is certain to happen: the session's worker
  // applies it in its next turns, and prepare_journals(), which run() calls, closes removed
  // journals. An error lists every problem, and nothing has changed. The engine must not be
  // finishing.

  /// Adds sessions to existing groups, as long as at most `added_sessions_max` added ones exist.
  /// Adds all sessions of one call or none.
  [[nodiscard]] std::expected<Change, config::Problems> add_sessions(
      std::vector<config::SessionSettings> sessions);

  /// Logs the session out, with `text` if it is not empty; cuts the connection after `timeout_ns`.
  /// The last callback is Application::on_session_removed(). Closes its journal, which stays on the
  /// disk, and frees its memory. NotFound.
  [[nodiscard]] std::expected<Change, config::Problems> remove_session(
      std::string_view name, std::string_view text = {},
      std::int64_t timeout_ns = 10 * base::ns_per_second);

  /// Logs the session out with `why` in Text (58); it neither connects nor accepts a Logon until
  /// enable_session(), even over a reload of an unchanged group. `by` names the operator for status
  /// displays and is not sent to the peer. NotFound.
  [[nodiscard]] std::expected<Change, config::Problems> disable_session(std::string_view name,
                                                                        std::string_view why,
                                                                        std::string_view by = {});
  [[nodiscard]] std::expected<Change, config::Problems> enable_session(std::string_view name);

  /// Makes the running sessions equal to `wanted`: adds, removes and changes sessions whose
  /// settings differ, and leaves the others undisturbed. Changed keys that need a restart of the
  /// engine are problems. Sessions added at run time that are not in `wanted` are removed as well.
  [[nodiscard]] std::expected<Change, config::Problems> reload(const config::Configuration& wanted);

  /// Copies the current configuration, accepted changes included. Does not wait for changes.
  [[nodiscard]] config::Configuration configuration() const;

  /// Copies the settings of sessions made by templates, which configuration() does not list.
  [[nodiscard]] std::vector<config::SessionSettings> sessions_made() const;

  /// Sets whether sessions that are added from now on start as if stop_sending() had been called,
  /// without Application::before_stop_sending(): new sessions of any origin, and those added again
  /// under an earlier name. The latest call for a scope overrides earlier ones for everything
  /// inside it. Existing sessions do not change: a kill switch calls this first and then
  /// SessionControls::stop_sending() for each, so that none slips through. reload() preserves a
  /// session's own state. Not persistent. Any thread.
  void set_sending_stopped(const SendingScope& scope, bool stopped);

  /// True if sessions added to the scope now would start stopped. Any thread.
  [[nodiscard]] bool sending_stopped(const SendingScope& scope) const;

  /// Opens a cross-thread sender, by which a thread that drives no worker sends and gives commands.
  /// Any thread; allocates. InvalidArgument: options out of range. Limit: 64 senders exist. Destroy
  /// it before the engine.
  [[nodiscard]] std::expected<CrossThreadSender, base::Error> open_cross_thread_sender(
      const CrossThreadSenderOptions& options = {});

  /// Logs out all sessions and drives the engine until they have ended, or until
  /// `deadline_ns` of the reactor's steady clock. Stops reconnects. True: all ended in
  /// order.
  bool finish(std::string_view text, std::int64_t deadline_ns) noexcept;

  /// Returns every session, in configuration order and then in the order of addition. A copy:
  /// sessions may come and go; handles stay valid as long as the engine.
  [[nodiscard]] std::vector<host::SessionHandle> sessions() const;

  /// Returns the session of that group name; an empty handle if none has it.
  [[nodiscard]] host::SessionHandle session(std::string_view name) const;

  /// Path of the counters file (docs/reference/counters-format.md), for counters::CounterReader:
  /// `counters_file`, or a private name of this process if that is not set. Empty if the system
  /// refuses even that.
  [[nodiscard]] const std::string& counters_path() const noexcept;

  /// Address of each server group, in configuration order, with the port that the kernel chose.
  [[nodiscard]] const std::vector<net::Address>& listening_addresses() const noexcept;

 private:
  Engine();

  [[nodiscard]] std::vector<Worker*> all_workers() const;
  void open_acceptor(const config::Configuration& configuration, host::Application& application,
                     config::Problems& problems);
  void open_callback_threads(const config::Configuration& configuration,
                             host::Application& application, config::Problems& problems);
  void run_callbacks(std::size_t thread) noexcept;
  bool poll_all_callbacks() noexcept;
  void listen(const config::Configuration& configuration, config::Problems& problems);
  void open_kept(const config::Configuration& configuration, Succession succession,
                 const config::WorkerPlan& plan, config::Problems& problems);
  void close_left();
  void join_cluster(const config::Configuration& configuration, FailoverMeans means,
                    config::Problems& problems);
  void run_worker(Worker& worker, PreparationThread& preparation) noexcept;
  void run_acceptor(PreparationThread& preparation) noexcept;
  [[nodiscard]] std::vector<std::shared_ptr<config::ClientAddresses>> client_addresses() const;

  std::unique_ptr<config::TlsGroups> encryption_;
  std::unique_ptr<counters::CounterFile> counters_;  // Outlives all sessions, which count in it.
  std::unique_ptr<counters::LatencyFile>
      latencies_;                          // Null without latency_file. Outlives all sessions.
  std::unique_ptr<SendingHolds> holds_;    // Read by workers.
  std::unique_ptr<KeptConnections> kept_;  // Null: no keeper. Outlives all sessions.
  std::unique_ptr<Registrar> registrar_;   // Owns the slots that sessions and handles refer to.
  std::vector<std::unique_ptr<Worker>> workers_;
  std::unique_ptr<CrossThreadSenders> senders_;
  std::vector<std::unique_ptr<CallbackThread>> callback_threads_;
  std::unique_ptr<Acceptor> acceptor_;  // After the workers, whose inboxes it fills.
  std::int64_t acceptor_core_ = -1;
  std::int64_t finish_ns_ = 0;  ///< Time that run() allows sessions to log out.
  std::vector<net::Address> listening_addresses_;
  std::unique_ptr<Failover> failover_;  // Null: no node of a cluster. Uses all of the above.
  std::atomic<bool> stop_{false};
  std::atomic<bool> leave_{false};  // Set before stop_.
  std::atomic<bool> callbacks_stop_{false};
  bool abandoned_ = false;
};

}  // namespace affix::inline v0::engine
