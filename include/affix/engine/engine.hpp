// SPDX-License-Identifier: MIT
// The engine: sessions, their journals and sockets, joined and driven. Bring your own loops with
// poll() or worker(), or let run() do it.
#pragma once

#include "affix/base/time.hpp"
#include "affix/engine/application.hpp"
#include "affix/engine/change.hpp"
#include "affix/engine/configuration.hpp"
#include "affix/engine/courier.hpp"
#include "affix/engine/sending_scope.hpp"
#include "affix/engine/session_handle.hpp"
#include "affix/engine/worker_handle.hpp"
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

namespace affix::inline v0::engine {

class Acceptor;
class CallbackThread;
class ClientAddresses;
class CounterFile;
class CourierDesk;
class PreparationThread;
class Registrar;
class SendingHolds;
class TlsGroups;
class Worker;

/// Owns everything of one configuration. All functions but request_stop(), wake(),
/// prepare_journals(), flush_journals(), look_up_names(), reload_tls(), those that change sessions
/// and those that only look something up belong to the thread that drives it. Not copied, not
/// moved.
///
/// Who drives it: run(); or one thread of the caller's with poll(); or, with several workers, a
/// thread for each worker() and one for poll_acceptor(), and nobody calls poll().
class Engine {
 public:
  /// Opens every journal, hands nothing out yet, listens. Blocks on disk and on name look-up. All
  /// problems at once; nothing is left open or half started then. `application` outlives the
  /// engine.
  [[nodiscard]] static std::expected<std::unique_ptr<Engine>, Problems> open(
      const Configuration& configuration, Application& application);

  /// The same over a transport and a clock of the caller's own: every connection is made through
  /// `reactor`, and no other clock is read. InvalidArgument: its limits are below
  /// reactor_options(), or the configuration wants several workers. Null: the system's.
  [[nodiscard]] static std::expected<std::unique_ptr<Engine>, Problems> open(
      const Configuration& configuration, Application& application,
      std::unique_ptr<net::Reactor> reactor);

  /// The limits that a reactor needs to serve `configuration`.
  [[nodiscard]] static net::ReactorOptions reactor_options(const Configuration& configuration);

  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// Closes sockets and journals as they are; run() and finish() end sessions in order.
  ~Engine();

  /// From here on nothing more reaches a journal, which is left as SIGKILL would leave it now;
  /// destroy the engine next. For tests of what a crash leaves behind; from callbacks too.
  void abandon() noexcept;

  /// One turn: timers, input, callbacks, output. Waits at most until `wait_until_ns` of the
  /// reactor's steady clock as the configured wait mode says; 0 returns at once. Starts no thread.
  /// The result says whether anything happened. With several workers a turn of each, one behind the
  /// other, and a wait of one millisecond at most: for tests; threads drive them one by one. So
  /// with callback threads, whose callbacks then come from here.
  bool poll(std::int64_t wait_until_ns = 0) noexcept;

  /// How many workers there are, 1 or more.
  [[nodiscard]] std::size_t worker_count() const noexcept;

  /// One worker, from 0 to worker_count() - 1, for a thread of the caller's own.
  [[nodiscard]] WorkerHandle worker(std::size_t number) const noexcept;

  /// Listeners have a thread of their own: there are several workers, and server groups.
  [[nodiscard]] bool accepts_apart() const noexcept;

  /// One turn of the listeners, for a thread of the caller's own; waits at most until
  /// `wait_until_ns` of the steady clock. Only if accepts_apart().
  bool poll_acceptor(std::int64_t wait_until_ns = 0) noexcept;

  /// Stops listening, on the thread of poll_acceptor(); what finish() does first.
  void finish_acceptor() noexcept;

  /// How many callback threads the sessions name.
  [[nodiscard]] std::size_t callback_thread_count() const noexcept;

  /// One turn of a callback thread, from 0, on a thread of the caller's own: the callbacks that
  /// wait for it; waits for some at most until `wait_until_ns` of the system's steady clock. True:
  /// there were some.
  bool poll_callbacks(std::size_t thread, std::int64_t wait_until_ns = 0) noexcept;

  /// Prepares some of what journals will need next, so that no message waits for the disk, reads
  /// the history that resends wait for, and does what flush_journals() does: for one thread of the
  /// caller's choice, or between turns, which it holds up by a file's making or some pages' at
  /// most. Where nobody calls it, appends that need a new segment and resends of what is not in
  /// memory make the engine's thread wait for the disk, the latter after 100 ms. True: it did
  /// something, and there may be more.
  bool prepare_journals() noexcept;

  /// Brings to the disk what journals of durability group owe it, and what sessions of durability
  /// sync wait for before they send. Blocks on the disk. For a thread of its own where such a
  /// session is not to wait for another's preparation; else prepare_journals() is enough. True: it
  /// did something.
  bool flush_journals() noexcept;

  /// Looks up the names of client groups' hosts again whose attempts have failed, for the attempts
  /// that follow. Waits for the name service, for seconds if it is slow: for a thread of its own;
  /// run() has one. Where nobody calls it, the addresses of the start stay. True: it looked
  /// something up.
  bool look_up_names();

  /// Drives the engine until request_stop(): the first worker on this thread, every other one, the
  /// listeners and callback threads on threads of their own, and a thread each for preparing and
  /// flushing journals; pins them as configured. Then logs every session out and returns when all
  /// have ended, true, or when `shutdown_timeout_seconds` have passed, false: what is left is
  /// closed as it is.
  bool run() noexcept;

  /// Ends run() soon. Any thread, signal handlers included.
  void request_stop() noexcept;

  /// Makes every worker's thread call Application::on_wake() soon. Any thread, signal handlers
  /// included.
  void wake() noexcept;

  /// Reads the TLS files of every group again: certificates, keys, authorities, revocation lists,
  /// pins, pre-shared keys. Connections that begin from here on use them; those that stand go on. A
  /// group one of whose files has a problem goes on with what it had, and the others do not. Any
  /// thread, and better not one that trades: blocks on the disk.
  [[nodiscard]] std::expected<void, Problems> reload_tls();

  // --- Changing sessions while it runs ---
  //
  // Any thread, and better not one that trades, since each blocks on the disk; in a callback they
  // hold up the callback's worker. What is returned is certain to happen: a session's worker sees
  // to it in its next turns, and whoever calls prepare_journals(), as run() does, closes what goes.
  // An error holds every problem, and nothing at all has happened then. The engine must not be
  // finishing.

  /// Sessions of groups that are there, in room that `added_sessions_max` made. Those of one call
  /// come together: all or none.
  [[nodiscard]] std::expected<Change, Problems> add_sessions(std::vector<SessionSettings> sessions);

  /// The session logs out, with `text` if it is not empty, and when that takes longer than
  /// `timeout_ns` its connection is cut; Application::on_session_removed() is the last it tells.
  /// Its journal is closed and stays; its memory is given back. NotFound.
  [[nodiscard]] std::expected<Change, Problems> remove_session(
      std::string_view name, std::string_view text = {},
      std::int64_t timeout_ns = 10 * base::ns_per_second);

  /// The session logs out, with `why` as text, and neither connects nor is let in until
  /// enable_session(); no reload of a file that says nothing new about it changes that. `by`, which
  /// the peer is not told, says who did it, to those who look at the session. NotFound.
  [[nodiscard]] std::expected<Change, Problems> disable_session(std::string_view name,
                                                                std::string_view why,
                                                                std::string_view by = {});
  [[nodiscard]] std::expected<Change, Problems> enable_session(std::string_view name);

  /// Makes what runs what `wanted` says: sessions come, go, and change as far as their settings
  /// differ from those that run; the others do not notice. Keys that cannot change while it runs
  /// are problems. Sessions that were added otherwise and are not in `wanted` go, too.
  [[nodiscard]] std::expected<Change, Problems> reload(const Configuration& wanted);

  /// What runs now, as far as it has been decided: a copy. Waits for no change that is under way.
  [[nodiscard]] Configuration configuration() const;

  /// The settings of the sessions that templates have made, which no configuration lists: a copy.
  [[nodiscard]] std::vector<SessionSettings> sessions_made() const;

  /// Says whether sessions that come from here on begin as if SessionControls::stop_sending() had
  /// been called, and Application::before_stop_sending() had nothing to say: those that are added,
  /// by whatever way, and those that come back under a name that was here. The latest word about a
  /// scope holds for everything in it. The sessions that are there do not change: an operator's
  /// kill switch says it here first and then to each of them, so that none slips through. Restarts
  /// of a session (reload) keep what it was told. Forgotten with the engine's end. Any thread.
  void set_sending_stopped(const SendingScope& scope, bool stopped);

  /// Whether sessions of the scope that come now would begin stopped. Any thread.
  [[nodiscard]] bool sending_stopped(const SendingScope& scope) const;

  /// A way for a thread that drives no worker to send and to give commands. Any thread; allocates.
  /// InvalidArgument: options out of their range. Limit: 64 are there. Given back before the engine
  /// is destroyed.
  [[nodiscard]] std::expected<Courier, base::Error> open_courier(
      const CourierOptions& options = {});

  /// Logs out every session and drives the engine until they have ended, at most until
  /// `deadline_ns` of the reactor's steady clock. No reconnects from here on. True: all ended in
  /// order.
  bool finish(std::string_view text, std::int64_t deadline_ns) noexcept;

  /// Every session in configuration order, and then those that were added; a copy, as they may come
  /// and go. Handles live as long as the engine.
  [[nodiscard]] std::vector<SessionHandle> sessions() const;

  /// The session of that group name; an empty handle if there is none.
  [[nodiscard]] SessionHandle session(std::string_view name) const;

  /// The file that this engine counts in (docs/reference/counters-format.md), for
  /// admin::CounterReader: `counters_file`, or without one a name that only this process has. Empty
  /// when the system allows not even that.
  [[nodiscard]] const std::string& counters_path() const noexcept;

  /// Where each server group listens, in configuration order, with the port the kernel chose.
  [[nodiscard]] const std::vector<net::Address>& listening_addresses() const noexcept;

 private:
  Engine();

  [[nodiscard]] std::vector<Worker*> all_workers() const;
  void open_acceptor(const Configuration& configuration, Application& application,
                     Problems& problems);
  void open_callback_threads(const Configuration& configuration, Application& application,
                             Problems& problems);
  void run_callbacks(std::size_t thread) noexcept;
  bool poll_all_callbacks() noexcept;
  void listen(const Configuration& configuration, Problems& problems);
  void run_worker(Worker& worker, PreparationThread& preparation) noexcept;
  void run_acceptor(PreparationThread& preparation) noexcept;
  [[nodiscard]] std::vector<std::shared_ptr<ClientAddresses>> client_addresses() const;

  std::unique_ptr<TlsGroups> encryption_;
  std::unique_ptr<CounterFile> counters_;  // Where sessions count until the last of them is gone.
  std::unique_ptr<SendingHolds> holds_;    // Looked at by workers.
  std::unique_ptr<Registrar> registrar_;   // With the seats, which sessions and handles look at.
  std::vector<std::unique_ptr<Worker>> workers_;
  std::unique_ptr<CourierDesk> couriers_;
  std::vector<std::unique_ptr<CallbackThread>> callback_threads_;
  std::unique_ptr<Acceptor> acceptor_;  // Behind the workers, whose inboxes it writes.
  std::int64_t acceptor_core_ = -1;
  std::int64_t finish_ns_ = 0;  ///< How long run() lets sessions take to log out.
  std::vector<net::Address> listening_addresses_;
  std::atomic<bool> stop_{false};
  std::atomic<bool> callbacks_stop_{false};
  bool abandoned_ = false;
};

}  // namespace affix::inline v0::engine
