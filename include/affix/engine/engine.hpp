// SPDX-License-Identifier: MIT
// The engine: sessions, their journals and sockets, joined and driven. Bring your own loop with
// poll(), or let run() do it. One worker drives every session here.
#pragma once

#include "affix/base/time.hpp"
#include "affix/engine/application.hpp"
#include "affix/engine/configuration.hpp"
#include "affix/engine/session_handle.hpp"
#include "affix/net/address.hpp"

#include <atomic>
#include <expected>
#include <memory>
#include <string_view>
#include <vector>

namespace affix::inline v0::net {
class Reactor;
struct ReactorOptions;
}  // namespace affix::inline v0::net

namespace affix::inline v0::engine {

class Worker;

/// Owns everything of one configuration. All functions but request_stop(), prepare_journals() and
/// flush_journals() belong to the thread that drives it. Not copied, not moved.
class Engine {
 public:
  /// Opens every journal, hands nothing out yet, listens. Blocks on disk and on name look-up. All
  /// problems at once; nothing is left open or half started then. `application` outlives the
  /// engine.
  [[nodiscard]] static std::expected<std::unique_ptr<Engine>, Problems> open(
      const Configuration& configuration, Application& application);

  /// The same over a transport and a clock of the caller's own: every connection is made through
  /// `reactor`, and no other clock is read. InvalidArgument: its limits are below
  /// reactor_options(). Null: the system's.
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
  /// The result says whether anything happened.
  bool poll(std::int64_t wait_until_ns = 0) noexcept;

  /// Prepares what journals will need next, so that no message waits for the disk, reads the
  /// history that resends wait for, and does what flush_journals() does: for one thread of the
  /// caller's choice, or between turns. Where nobody calls it, appends that need a new segment and
  /// resends of what is not in memory make the engine's thread wait for the disk, the latter after
  /// 100 ms. True: it did something.
  bool prepare_journals() noexcept;

  /// Brings to the disk what journals of durability group owe it, and what sessions of durability
  /// sync wait for before they send. Blocks on the disk. For a thread of its own where such a
  /// session is not to wait for another's preparation; else prepare_journals() is enough. True: it
  /// did something.
  bool flush_journals() noexcept;

  /// Drives the engine on this thread, with a thread for preparing and one for flushing, until
  /// request_stop(); then logs every session out and returns when all have ended or their
  /// logout time-outs have passed.
  void run() noexcept;

  /// Ends run() soon. Any thread, signal handlers included.
  void request_stop() noexcept;

  /// Makes the engine's thread call Application::on_wake() soon. Any thread, signal handlers
  /// included.
  void wake() noexcept;

  /// Logs out every session and drives the engine until they have ended, at most until
  /// `deadline_ns` of the reactor's steady clock. No reconnects from here on. True: all ended in
  /// order.
  bool finish(std::string_view text, std::int64_t deadline_ns) noexcept;

  /// Every session in configuration order; handles live as long as the engine.
  [[nodiscard]] const std::vector<SessionHandle>& sessions() const noexcept;

  /// The session of that group name; an empty handle if there is none.
  [[nodiscard]] SessionHandle session(std::string_view name) const noexcept;

  /// Where each server group listens, in configuration order, with the port the kernel chose.
  [[nodiscard]] const std::vector<net::Address>& listening_addresses() const noexcept;

 private:
  explicit Engine(std::unique_ptr<Worker> worker);

  std::unique_ptr<Worker> worker_;
  std::atomic<bool> stop_{false};
};

}  // namespace affix::inline v0::engine
