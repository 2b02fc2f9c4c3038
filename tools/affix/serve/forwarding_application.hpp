// SPDX-License-Identifier: MIT
// The built-in applications that send messages on: what they have in common, and the three.
#pragma once

#include "affix/engine/application.hpp"
#include "affix/engine/configuration.hpp"

#include "process/event_log.hpp"
#include "serve/forwarder.hpp"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace affix::inline v0::tools::serve {

/// Tells what could not be sent on, and sends what had to wait. Callbacks about sessions that
/// exchange messages come from one thread.
class ForwardingApplication : public engine::Application {
 public:
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
  void on_output_room(engine::SessionHandle session) noexcept override;
  void on_logout(engine::SessionHandle session, std::string_view reason) noexcept override;

 protected:
  explicit ForwardingApplication(EventLog& log) : log_(log) {}

  /// False: nothing goes out, and the log says so.
  bool forward(engine::SessionHandle from, const wire::MessageView& message,
               const engine::Delivery& delivery, engine::SessionHandle to, Routing routing);

  /// The session is about to be no more.
  virtual void remove(engine::SessionHandle session);

  /// The lists of sessions and routes anew; the sessions are known.
  virtual void apply(const engine::ApplicationSettings& settings,
                     const std::vector<engine::RouteSettings>& routes);

  /// A message that waited for `to` goes nowhere; the log has it.
  virtual void on_lost(const Forwarder::Lost& lost, engine::SessionHandle to) noexcept;

 private:
  void tell_lost(engine::SessionHandle session, const std::vector<Forwarder::Lost>& lost);

  struct Wanted {
    engine::ApplicationSettings settings;
    std::vector<engine::RouteSettings> routes;
  };

  EventLog& log_;
  Forwarder forwarder_;
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
};

/// Copies what some sessions receive to others.
class DropCopyApplication final : public ForwardingApplication {
 public:
  DropCopyApplication(EventLog& log, const engine::ApplicationSettings& settings);

  void add(engine::SessionHandle session) override;
  void on_message(engine::SessionHandle session, const wire::MessageView& message,
                  const engine::Delivery& delivery) noexcept override;

 protected:
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
  void on_lost(const Forwarder::Lost& lost, engine::SessionHandle to) noexcept override;

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
