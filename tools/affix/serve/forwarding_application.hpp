// SPDX-License-Identifier: MIT
// The built-in applications that send messages on: what they have in common, and the three.
#pragma once

#include "affix/base/time.hpp"
#include "affix/engine/application.hpp"
#include "affix/engine/configuration.hpp"

#include "process/event_log.hpp"
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

/// Sees to it that every message has its one outcome: sent on, or told to be impossible. Until it
/// has, its journal knows that it has not, so that it comes again after the next logon, in this run
/// or in another one. Callbacks about sessions that exchange messages come from one thread.
class ForwardingApplication : public engine::Application {
 public:
  /// So long a message that came again waits for a session that is away.
  static constexpr std::int64_t patience_ns = 60 * base::ns_per_second;

  /// A session that there is: before the engine runs, or on its worker's thread.
  virtual void add(engine::SessionHandle session) = 0;

  /// From here on as `wanted` says: any thread, then wake the engine. What the configuration's
  /// reader refuses is not in it.
  void change(const engine::Configuration& wanted);

  /// Waits until a worker has taken that over, so long at most; says whether it has.
  [[nodiscard]] bool wait_changed(std::int64_t timeout_ns);

  void on_session_added(engine::SessionHandle session) noexcept override;
  void on_session_removed(engine::SessionHandle session) noexcept override;
  void on_wake() noexcept override;
  void on_logon(engine::SessionHandle session) noexcept override;
  void on_output_room(engine::SessionHandle session) noexcept override;
  void on_logout(engine::SessionHandle session, std::string_view reason) noexcept override;
  void on_turn_end() noexcept override;

 protected:
  explicit ForwardingApplication(EventLog& log,
                                 std::size_t waiting_bytes_max = Forwarder::waiting_bytes_max)
      : log_(log), forwarder_(waiting_bytes_max) {}

  /// What on_message() is about.
  struct Received {
    engine::SessionHandle from;
    const wire::MessageView& message;
    const engine::Delivery& delivery;
  };

  /// Whether a message has its outcome.
  enum class Fate : std::uint8_t { Settled, Open };

  /// Sends the message on to each of `targets`; all of on_message(), and called by it alone.
  void deal_with(const Received& received, std::span<const engine::SessionHandle> targets,
                 Routing routing);

  /// The message does not go out on `to` (empty: on none), for this reason. Open: nobody could be
  /// told either, so it is to come again.
  [[nodiscard]] virtual Fate on_failed(const Received& received, engine::SessionHandle to,
                                       Forwarder::Outcome why);

  /// The log has it.
  void note_failed(const Received& received, engine::SessionHandle to, Forwarder::Outcome why);

  /// The session is about to be no more.
  virtual void remove(engine::SessionHandle session);

  /// The lists of sessions and routes anew; the sessions are known.
  virtual void apply(const engine::ApplicationSettings& settings,
                     const std::vector<engine::RouteSettings>& routes);

 private:
  /// What is known about the message from before.
  struct Past {
    Forwarder::Kept kept;
    EarlierRun* earlier = nullptr;  ///< Null: this run was the first to be handed it.
  };

  [[nodiscard]] Past past_of(const Received& received);
  [[nodiscard]] Fate send_to(const Received& received, engine::SessionHandle to, Routing routing,
                             Past& past);
  [[nodiscard]] bool waits_for(const Received& received, engine::SessionHandle to,
                               const Forwarder::Kept& kept);
  void tell_lost(engine::SessionHandle session, const std::vector<Forwarder::Origin>& lost);

  struct Wanted {
    engine::ApplicationSettings settings;
    std::vector<engine::RouteSettings> routes;
  };

  EventLog& log_;
  Forwarder forwarder_;
  std::vector<engine::SessionHandle> served_;   ///< Empty: of messages with several targets.
  std::vector<engine::SessionHandle> patient_;  ///< Whose messages wait for one that is away.
  std::mutex mutex_;  // Of wanted_, which another thread leaves for the worker's.
  std::optional<Wanted> wanted_;
  bool changing_ = false;
  std::condition_variable changed_;
};

/// Sends every message back over the session it came from, if that session accepts: of two engines
/// with this application, connected to each other, only one would answer. Any number of workers.
class EchoApplication final : public ForwardingApplication {
 public:
  explicit EchoApplication(EventLog& log) : ForwardingApplication(log) {}

  void add(engine::SessionHandle session) override;
  void on_message(engine::SessionHandle session, const wire::MessageView& message,
                  const engine::Delivery& delivery) noexcept override;

 protected:
  [[nodiscard]] Fate on_failed(const Received& received, engine::SessionHandle to,
                               Forwarder::Outcome why) override;
};

/// Copies what some sessions receive to others.
class DropCopyApplication final : public ForwardingApplication {
 public:
  DropCopyApplication(EventLog& log, const engine::ApplicationSettings& settings);

  void add(engine::SessionHandle session) override;
  void on_message(engine::SessionHandle session, const wire::MessageView& message,
                  const engine::Delivery& delivery) noexcept override;

 protected:
  [[nodiscard]] Fate on_failed(const Received& received, engine::SessionHandle to,
                               Forwarder::Outcome why) override;
  void remove(engine::SessionHandle session) override;
  void apply(const engine::ApplicationSettings& settings,
             const std::vector<engine::RouteSettings>& routes) override;

 private:
  void sort_in(engine::SessionHandle session);

  std::vector<engine::SessionHandle> sessions_;  ///< All.
  std::vector<std::string> source_names_;        ///< Empty: all but the receivers.
  std::vector<std::string> receiver_names_;
  std::vector<engine::SessionHandle> sources_;
  std::vector<engine::SessionHandle> receivers_;
  std::vector<engine::SessionHandle> targets_;  ///< Of the message at hand.
};

/// Passes each message to one other session: the one whose TargetCompID its DeliverToCompID (128)
/// names, else that of the first route that it fits. What goes nowhere is told to its sender, with
/// a BusinessMessageReject.
class RouterApplication final : public ForwardingApplication {
 public:
  RouterApplication(EventLog& log, const std::vector<engine::RouteSettings>& routes);

  void add(engine::SessionHandle session) override;
  void on_message(engine::SessionHandle session, const wire::MessageView& message,
                  const engine::Delivery& delivery) noexcept override;

 protected:
  void remove(engine::SessionHandle session) override;
  void apply(const engine::ApplicationSettings& settings,
             const std::vector<engine::RouteSettings>& routes) override;
  [[nodiscard]] Fate on_failed(const Received& received, engine::SessionHandle to,
                               Forwarder::Outcome why) override;

 private:
  struct Route {
    std::vector<std::string> source_names;  ///< Empty: any.
    std::string target_name;
    std::uint32_t tag = 0;  ///< 0: no field decides.
    std::vector<std::string> values;
    std::vector<engine::SessionHandle> sources;  ///< Those of the names that there are.
    engine::SessionHandle target;

    [[nodiscard]] bool fits(engine::SessionHandle from, const wire::MessageView& message) const;
  };

  /// Empty: there is none.
  [[nodiscard]] engine::SessionHandle target_of(engine::SessionHandle from,
                                                const wire::MessageView& message) const;

  void set_routes(const std::vector<engine::RouteSettings>& routes);
  void sort_in(engine::SessionHandle session);

  std::vector<Route> routes_;
  std::unordered_map<std::string_view, std::vector<engine::SessionHandle>> by_target_comp_id_;
};

}  // namespace affix::inline v0::tools::serve
