// SPDX-License-Identifier: MIT
// Shared by tests of whole engines: an application that records everything, configurations for
// loopback with journals in the test's own directory, and turns until a condition holds.
#pragma once

#include "affix/engine/engine.hpp"
#include "affix/os/clock.hpp"

#include "support/temporary_directory.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <gtest/gtest.h>
#include <initializer_list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace affix::support {

/// Maximum time for which a test waits; reached only by a failing test.
inline constexpr std::int64_t patience_ns = 20 * base::ns_per_second;

/// Records its callbacks, and runs the functions that a test sets.
class Recorder final : public host::Application {
 public:
  struct Message {
    std::string session;
    std::string type;
    std::string bytes;
    std::string id;  ///< ClOrdID (11).
    host::Delivery delivery;
  };

  host::LogonAnswer on_logon_request(host::SessionHandle session,
                                     const wire::MessageView& logon) noexcept override {
    const Inside inside(*this);
    ++logon_requests;
    return when_logon_request ? when_logon_request(session, logon) : host::LogonAnswer{};
  }

  host::LogonAnswer on_logon_answer(host::SessionHandle session,
                                    const wire::MessageView& logon) noexcept override {
    const Inside inside(*this);
    return when_logon_answer ? when_logon_answer(session, logon) : host::LogonAnswer{};
  }

  void on_admin(host::SessionHandle session, const wire::MessageView& message) noexcept override {
    const Inside inside(*this);
    admin_types += message.find(35U).value_or("?");
    if (when_admin) {
      when_admin(session, message);
    }
  }

  void before_send(host::SessionHandle session, std::string_view type,
                   wire::Encoder& message) noexcept override {
    if (when_sending) {
      when_sending(session, type, message);
    }
  }

  void before_admin_send(host::SessionHandle session, std::string_view type,
                         wire::Encoder& message) noexcept override {
    if (when_sending_admin) {
      when_sending_admin(session, type, message);
    }
  }

  host::ResendDecision before_resend(host::SessionHandle session,
                                     const wire::MessageView& stored) noexcept override {
    return when_resending ? when_resending(session, stored) : host::ResendDecision::Resend;
  }

  void on_wake() noexcept override {
    const Inside inside(*this);
    if (when_woken) {
      when_woken();
    }
  }

  void on_logon(host::SessionHandle session) noexcept override {
    const Inside inside(*this);
    logons.emplace_back(session.name());
    if (when_logon) {
      when_logon(session);
    }
  }

  void on_message(host::SessionHandle session, const wire::MessageView& message,
                  const host::Delivery& delivery) noexcept override {
    const Inside inside(*this);
    const std::string bytes(message.bytes());
    messages.push_back({std::string(session.name()), std::string(message.find(35U).value_or("")),
                        bytes, std::string(message.find(11U).value_or("")), delivery});
    if (when_message) {
      when_message(session, message, delivery);
    }
    // The view lives until the callback returns, whatever is sent meanwhile.
    EXPECT_EQ(message.bytes(), bytes);
  }

  void on_output_room(host::SessionHandle session) noexcept override {
    const Inside inside(*this);
    ++rooms;
    if (when_room) {
      when_room(session);
    }
  }

  void on_logout(host::SessionHandle session, std::string_view reason) noexcept override {
    const Inside inside(*this);
    logouts.emplace_back(session.name(), reason);
    if (when_logout) {
      when_logout(session);
    }
  }

  void on_cancel_orders(host::SessionHandle session) noexcept override {
    const Inside inside(*this);
    cancels.emplace_back(session.name());
  }

  /// On the worker's thread, whichever thread has the callbacks.
  void on_cross_thread_result(host::SessionHandle session, std::uint64_t token,
                              const host::SendResult& result) noexcept override {
    static_cast<void>(session);
    static_cast<void>(token);
    const std::lock_guard lock(one_at_a_time_);
    cross_thread_results.push_back(result.status);
  }

  void on_turn_end() noexcept override {
    const Inside inside(*this);
    ++turn_ends;
    if (when_turn_end) {
      when_turn_end();
    }
  }

  void on_event(const host::Event& event) noexcept override {
    const Inside inside(*this);
    if (event.code == base::MessageCode("E133")) {
      return;  // What a page costs on this machine, at each start of an engine with journals on
               // disk.
    }
    event_codes.resize(events.size());  // A test may have cleared the events.
    event_codes.push_back(event.code);
    events.emplace_back(event.text);
    if (when_event) {
      when_event(event);
    }
  }

  host::Redelivery redelivery(host::SessionHandle session) noexcept override {
    static_cast<void>(session);
    return redelivers;
  }

  [[nodiscard]] bool heard(std::string_view text) const {
    for (const std::string& event : events) {
      if (event.find(text) != std::string::npos) {
        return true;
      }
    }
    return false;
  }

  /// True if an event had this code, and this part in its text.
  [[nodiscard]] bool heard_code(base::MessageCode code, std::string_view part = {}) const {
    return times_heard(code, part) != 0;
  }

  [[nodiscard]] int times_heard(base::MessageCode code, std::string_view part = {}) const {
    int times = 0;
    for (std::size_t at = 0; at < events.size(); ++at) {
      times += event_codes[at] == code && events[at].find(part) != std::string::npos ? 1 : 0;
    }
    return times;
  }

  /// True if the last logout had a reason, and an event with this code has the same.
  [[nodiscard]] bool logged_out_by(base::MessageCode code) const {
    return !logouts.empty() && !logouts.back().second.empty() &&
           heard_code(code, logouts.back().second);
  }

  [[nodiscard]] std::string all_events() const {
    std::string all;
    for (const std::string& event : events) {
      all += event + "\n";
    }
    return all;
  }

  [[nodiscard]] std::vector<std::string> ids() const {
    std::vector<std::string> all;
    for (const Message& message : messages) {
      all.push_back(message.id);
    }
    return all;
  }

  std::vector<std::string> logons;
  std::vector<std::pair<std::string, std::string>> logouts;
  std::vector<std::string> cancels;  ///< Sessions whose orders were to be cancelled.
  std::vector<Message> messages;
  std::vector<std::string> events;
  std::vector<base::MessageCode> event_codes;  ///< Of each event.
  std::vector<host::SendStatus> cross_thread_results;
  std::string admin_types;  ///< 35 of every session message, concatenated.
  int logon_requests = 0;
  host::Redelivery redelivers = host::Redelivery::AfterLogon;
  int rooms = 0;
  int turn_ends = 0;
  bool nested = false;  ///< A callback came within another.

  std::function<host::LogonAnswer(host::SessionHandle, const wire::MessageView&)>
      when_logon_request;
  std::function<host::LogonAnswer(host::SessionHandle, const wire::MessageView&)> when_logon_answer;
  std::function<void(host::SessionHandle, const wire::MessageView&)> when_admin;
  std::function<void(host::SessionHandle, std::string_view, wire::Encoder&)> when_sending;
  std::function<void(host::SessionHandle, std::string_view, wire::Encoder&)> when_sending_admin;
  std::function<host::ResendDecision(host::SessionHandle, const wire::MessageView&)> when_resending;
  std::function<void()> when_woken;
  std::function<void(host::SessionHandle)> when_logon;
  std::function<void(host::SessionHandle, const wire::MessageView&, const host::Delivery&)>
      when_message;
  std::function<void(host::SessionHandle)> when_room;
  std::function<void(host::SessionHandle)> when_logout;
  std::function<void()> when_turn_end;
  std::function<void(const host::Event&)> when_event;

 private:
  /// A callback: records if another one of the same thread is active; those of an engine with
  /// several threads come one after another.
  class Inside {
   public:
    explicit Inside(Recorder& recorder)
        : lock_(recorder.one_at_a_time_), recorder_(recorder), before_(recorder.inside_) {
      recorder.nested = recorder.nested || before_;
      recorder.inside_ = true;
    }

    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

    ~Inside() { recorder_.inside_ = before_; }

   private:
    std::unique_lock<std::recursive_mutex> lock_;
    Recorder& recorder_;
    bool before_;
  };

  std::recursive_mutex one_at_a_time_;
  bool inside_ = false;
};

/// An order, which is an application message in every version.
inline host::SendResult send_order(host::SessionHandle session, std::string_view id,
                                   std::string_view text = {}) {
  wire::Encoder order = session.begin("D");
  order.text(11, id);
  order.text(55, "ACME");
  order.character(54, '1');
  if (!text.empty()) {
    order.text(58, text);
  }
  return session.commit(order);
}

/// An acceptor's configuration: one listener on a port of the kernel's choice.
inline config::Configuration acceptor_configuration() {
  config::Configuration configuration;
  config::ServerSettings server;
  server.name = "SERVER";
  server.nic_address = "127.0.0.1";
  configuration.servers.push_back(server);
  return configuration;
}

/// An initiator's: one endpoint.
inline config::Configuration initiator_configuration(std::uint16_t port) {
  config::Configuration configuration;
  config::ClientSettings client;
  client.name = "CLIENT";
  client.primary_address = "127.0.0.1";
  client.primary_port = port;
  client.reconnect_milliseconds = 20;
  client.reconnect_milliseconds_max = 100;
  configuration.clients.push_back(client);
  return configuration;
}

/// A session called as its peer, with its journal under `directory`.
inline config::SessionSettings& add_session(config::Configuration& configuration,
                                            std::string_view us, std::string_view them,
                                            const std::string& directory,
                                            std::string_view begin_string = "FIX.4.4") {
  config::SessionSettings session;
  session.name = them;
  session.instance = configuration.servers.empty() ? "CLIENT" : "SERVER";
  session.begin_string = begin_string;
  session.sender_comp_id = us;
  session.target_comp_id = them;
  session.default_app_ver_id = begin_string == "FIXT.1.1" ? "9" : "";
  session.journal_path = directory;
  session.sequence_reserve = 0;  // No flush to the disk at opening.
  configuration.sessions.push_back(session);
  return configuration.sessions.back();
}

/// Number of workers for a test engine that does not set it: tests for one must hold for
/// several.
inline std::int64_t tested_workers() {
  const char* const chosen = std::getenv("AFFIX_TEST_WORKERS");
  return chosen != nullptr ? std::atoi(chosen) : 1;
}

/// Reactor of a test engine that does not set it: tests for one must hold for each.
inline config::ReactorKind tested_reactor() {
  const char* const chosen = std::getenv("AFFIX_TEST_REACTOR");
  return chosen != nullptr && std::string_view(chosen) == "poll" ? config::ReactorKind::Poll
                                                                 : config::ReactorKind::Epoll;
}

inline std::unique_ptr<engine::Engine> open_engine(config::Configuration configuration,
                                                   host::Application& application) {
  const auto spread = [](config::InstanceSettings& instance) {
    if (instance.worker_thread_count == 1) {
      instance.worker_thread_count = tested_workers();
    }
    if (instance.reactor == config::ReactorKind::Epoll) {
      instance.reactor = tested_reactor();
    }
  };
  std::for_each(configuration.servers.begin(), configuration.servers.end(), spread);
  std::for_each(configuration.clients.begin(), configuration.clients.end(), spread);
  auto opened = engine::Engine::open(configuration, application);
  EXPECT_TRUE(opened) << config::text_of(opened.error());
  return opened ? std::move(*opened) : nullptr;
}

inline std::uint16_t port_of(const engine::Engine& engine) {
  return engine.listening_addresses().front().port();
}

using Engines = std::vector<engine::Engine*>;

/// One turn of each; the last waits a moment for an event. With none, yields the processor to other
/// threads.
inline void turn(const Engines& engines) {
  if (engines.empty()) {
    std::this_thread::yield();
  }
  for (engine::Engine* engine : engines) {
    const bool last = engine == engines.back();
    engine->poll(last ? os::now().steady_ns + base::ns_per_ms / 2 : 0);
    engine->prepare_journals();
  }
}

/// Turns until `wanted` holds; false when it does not in time.
template <typename Wanted>
[[nodiscard]] bool turn_until(const Engines& engines, Wanted wanted,
                              std::int64_t patience = patience_ns) {
  const std::int64_t give_up_ns = os::now().steady_ns + patience;
  while (!wanted()) {
    if (os::now().steady_ns > give_up_ns) {
      return false;
    }
    turn(engines);
  }
  return true;
}

/// Turns for this time: to see that an event does not happen.
inline void turn_for(const Engines& engines, std::int64_t ns) {
  static_cast<void>(turn_until(engines, [] { return false; }, ns));
}

/// Two engines with a session between them, VENUE accepting and FIRM connecting.
class Pair {
 public:
  explicit Pair(std::string_view begin_string = "FIX.4.4",
                const std::function<void(config::Configuration&)>& adjust = {}) {
    acceptor_settings = acceptor_configuration();
    add_session(acceptor_settings, "VENUE", "FIRM", directory.path("venue"), begin_string);
    if (adjust) {
      adjust(acceptor_settings);
    }
    open_venue();
    initiator_settings = initiator_configuration(port_of(*acceptor));
    add_session(initiator_settings, "FIRM", "VENUE", directory.path("firm"), begin_string);
    if (adjust) {
      adjust(initiator_settings);
    }
    open_firm();
  }

  void open_venue() { acceptor = open_engine(acceptor_settings, venue_application); }

  void open_firm() { initiator = open_engine(initiator_settings, firm_application); }

  /// Keeps the acceptor's port when it is opened again.
  void keep_port() { acceptor_settings.servers.front().accept_port = port_of(*acceptor); }

  [[nodiscard]] host::SessionHandle venue() const { return acceptor->sessions().front(); }

  [[nodiscard]] host::SessionHandle firm() const { return initiator->sessions().front(); }

  [[nodiscard]] Engines engines() const {
    Engines all;
    if (acceptor) {
      all.push_back(acceptor.get());
    }
    if (initiator) {
      all.push_back(initiator.get());
    }
    return all;
  }

  template <typename Wanted>
  [[nodiscard]] bool turn_until(Wanted wanted, std::int64_t patience = patience_ns) const {
    return support::turn_until(engines(), wanted, patience);
  }

  [[nodiscard]] bool log_on() const {
    return turn_until([&] { return firm().logged_on() && venue().logged_on(); });
  }

  TemporaryDirectory directory;
  Recorder venue_application;
  Recorder firm_application;
  config::Configuration acceptor_settings;
  config::Configuration initiator_settings;
  std::unique_ptr<engine::Engine> acceptor;
  std::unique_ptr<engine::Engine> initiator;
};

}  // namespace affix::support
