// SPDX-License-Identifier: MIT
// The built-in applications that forward messages: their common base, and the three of them.
#pragma once

#include "affix/base/time.hpp"
#include "affix/config/configuration.hpp"
#include "affix/host/application.hpp"
#include "affix/service/event_log.hpp"

#include "serve/forwarder.hpp"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace affix::inline v0::tools::serve {

/// Ensures that every message has exactly one outcome: forwarded, or reported as impossible to its
/// sender or in the log. Until then its journal has no mark for it, so it is redelivered after the
/// next logon, in this run or another. A report in the log counts once the log has passed it on to
/// the system, so that a kill loses it with the mark or not at all. Callbacks of sessions that
/// exchange messages come from one thread.
class ForwardingApplication : public host::Application {
 public:
  /// Maximum time that a redelivered message waits for a session that is away.
  static constexpr std::int64_t patience_ns = 60 * base::ns_per_second;

  /// Maximum number of a session's messages that wait for their lines while the log's destination
  /// fails; for the oldest of more, the log's account of lost lines has to do.
  static constexpr std::size_t logged_max = 65'536;

  /// Adds an existing session: before the engine runs, or on its worker's thread.
  virtual void add(host::SessionHandle session) = 0;

  /// Switches to `wanted`: any thread; wake the engine afterwards. `wanted` has passed the
  /// configuration's checks.
  void change(const affix::config::Configuration& wanted);

  /// Waits at most `timeout_ns` until a worker has applied the change; returns whether it has.
  [[nodiscard]] bool wait_changed(std::int64_t timeout_ns);

  void on_session_added(host::SessionHandle session) noexcept override;
  void on_session_removed(host::SessionHandle session) noexcept override;
  void on_wake() noexcept override;
  void on_logon(host::SessionHandle session) noexcept override;
  void on_admin(host::SessionHandle session, const wire::MessageView& message) noexcept override;
  void on_output_room(host::SessionHandle session) noexcept override;
  void on_logout(host::SessionHandle session, std::string_view reason) noexcept override;
  void on_turn_end() noexcept override;

 protected:
  explicit ForwardingApplication(service::EventLog& log,
                                 std::size_t waiting_bytes_max = Forwarder::waiting_bytes_max)
      : log_(log), forwarder_(waiting_bytes_max) {}

  /// The message of on_message().
  struct Received {
    host::SessionHandle from;
    const wire::MessageView& message;
    const host::Delivery& delivery;
  };

  /// Whether a message has its outcome.
  enum class Fate : std::uint8_t {
    Settled,
    Logged,  ///< Its outcome is a line of the log: settled once the log has passed it on.
    Open,
  };

  /// Forwards the message to each of `targets`. Called once per on_message(), and only from there.
  void deal_with(const Received& received, std::span<const host::SessionHandle> targets,
                 Routing routing);

  /// The message cannot be sent on `to` (empty: on none), for this reason. Open: the failure could
  /// not be reported either, so the message must be redelivered.
  [[nodiscard]] virtual Fate on_failed(const Received& received, host::SessionHandle to,
                                       Forwarder::Outcome why);

  /// Logs the failure.
  void note_failed(const Received& received, host::SessionHandle to, Forwarder::Outcome why);

  /// Logs a message that goes nowhere, which its sender cannot be informed of.
  void note_unreported(const Received& received, std::string_view why, host::SendStatus refusal);

  /// The session is about to be removed.
  virtual void remove(host::SessionHandle session);

  /// Replaces the lists of sessions and routes; the sessions are known.
  virtual void apply(const affix::config::ApplicationSettings& settings,
                     const std::vector<affix::config::RouteSettings>& routes);

 private:
  /// State of the message from before.
  struct Past {
    Forwarder::Kept kept;
    EarlierRun* earlier = nullptr;  ///< Null: this run is the first to receive it.
    bool lacks_secret = false;      ///< The journal has only a mask for one of its values.
  };

  [[nodiscard]] Past past_of(const Received& received);
  void settle_logged(host::SessionHandle session);
  [[nodiscard]] Fate send_to(const Received& received, host::SessionHandle to, Routing routing,
                             Past& past);
  [[nodiscard]] bool waits_for(const Received& received, host::SessionHandle to,
                               const Forwarder::Kept& kept);
  void report_lost(host::SessionHandle session, const std::vector<Forwarder::Origin>& lost);

  struct Wanted {
    affix::config::ApplicationSettings settings;
    std::vector<affix::config::RouteSettings> routes;
  };

  service::EventLog& log_;
  Forwarder forwarder_;
  std::vector<host::SessionHandle> served_;   ///< Empty: for messages with several targets.
  std::vector<host::SessionHandle> patient_;  ///< Sessions whose messages wait for one that is
                                              ///< away.
  std::mutex mutex_;  // Guards wanted_, which another thread passes to the worker's.
  std::optional<Wanted> wanted_;
  bool changing_ = false;
  std::condition_variable changed_;
};

/// Sends every message back on its session if that session accepts messages: of two connected
/// engines with this application, only one would answer. Any number of workers.
class EchoApplication final : public ForwardingApplication {
 public:
  explicit EchoApplication(service::EventLog& log) : ForwardingApplication(log) {}

  void add(host::SessionHandle session) override;
  void on_message(host::SessionHandle session, const wire::MessageView& message,
                  const host::Delivery& delivery) noexcept override;

 protected:
  [[nodiscard]] Fate on_failed(const Received& received, host::SessionHandle to,
                               Forwarder::Outcome why) override;
};

/// Copies messages received by some sessions to others.
class DropCopyApplication final : public ForwardingApplication {
 public:
  DropCopyApplication(service::EventLog& log, const affix::config::ApplicationSettings& settings);

  void add(host::SessionHandle session) override;
  void on_message(host::SessionHandle session, const wire::MessageView& message,
                  const host::Delivery& delivery) noexcept override;

 protected:
  [[nodiscard]] Fate on_failed(const Received& received, host::SessionHandle to,
                               Forwarder::Outcome why) override;
  void remove(host::SessionHandle session) override;
  void apply(const affix::config::ApplicationSettings& settings,
             const std::vector<affix::config::RouteSettings>& routes) override;

 private:
  void sort_in(host::SessionHandle session);

  std::vector<host::SessionHandle> sessions_;  ///< All sessions.
  std::vector<std::string> source_names_;      ///< Empty: all except the receivers.
  std::vector<std::string> receiver_names_;
  std::vector<host::SessionHandle> sources_;
  std::vector<host::SessionHandle> receivers_;
  std::vector<host::SessionHandle> targets_;  ///< Of the current message.
};

/// Passes each message to one other session: the one whose TargetCompID is its DeliverToCompID
/// (128), else that of the first matching route. For a message without a target, sends its sender a
/// BusinessMessageReject.
class RouterApplication final : public ForwardingApplication {
 public:
  RouterApplication(service::EventLog& log,
                    const std::vector<affix::config::RouteSettings>& routes);

  void add(host::SessionHandle session) override;
  void on_message(host::SessionHandle session, const wire::MessageView& message,
                  const host::Delivery& delivery) noexcept override;

 protected:
  void remove(host::SessionHandle session) override;
  void apply(const affix::config::ApplicationSettings& settings,
             const std::vector<affix::config::RouteSettings>& routes) override;
  [[nodiscard]] Fate on_failed(const Received& received, host::SessionHandle to,
                               Forwarder::Outcome why) override;

 private:
  struct Route {
    std::vector<std::string> source_names;  ///< Empty: any.
    std::string target_name;
    std::uint32_t tag = 0;  ///< 0: no field is compared.
    std::vector<std::string> values;
    std::vector<host::SessionHandle> sources;  ///< Existing sessions of those names.
    host::SessionHandle target;

    [[nodiscard]] bool fits(host::SessionHandle from, const wire::MessageView& message) const;
  };

  /// Empty: there is none.
  [[nodiscard]] host::SessionHandle target_of(host::SessionHandle from,
                                              const wire::MessageView& message) const;

  void set_routes(const std::vector<affix::config::RouteSettings>& routes);
  void sort_in(host::SessionHandle session);

  std::vector<Route> routes_;
  std::unordered_map<std::string_view, std::vector<host::SessionHandle>> by_target_comp_id_;
};

}  // namespace affix::inline v0::tools::serve
