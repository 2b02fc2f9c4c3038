// SPDX-License-Identifier: MIT
// Administers sessions while the engine runs and others trade: adds, disables and enables a
// client's session, changes its limit, and removes it. The engine checks each command as a whole,
// returns at once, and lets the caller wait for the change.

#include "affix/engine.hpp"

#include <chrono>
#include <cstdio>
#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

namespace {

using affix::config::Configuration;
using affix::config::Problems;
using affix::config::SessionSettings;
using affix::engine::Change;
using affix::engine::Engine;
using affix::host::Delivery;
using affix::host::SessionHandle;
using affix::wire::MessageView;

constexpr std::chrono::seconds patience(20);

class Quiet : public affix::host::Application {
 public:
  void on_message(SessionHandle /*session*/, const MessageView& /*message*/,
                  const Delivery& /*delivery*/) noexcept override {}
};

std::unique_ptr<Engine> open(const std::string& text, affix::host::Application& application) {
  const auto configuration = affix::config::parse_configuration(
      "[SESSION_DEFAULTS]\nbegin_string=FIX.4.4\ndurability=memory\n" + text, "example");
  if (configuration) {
    auto engine = Engine::open(*configuration, application);
    if (engine) {
      return std::move(*engine);
    }
    std::puts(affix::config::text_of(engine.error()).c_str());
  } else {
    std::puts(affix::config::text_of(configuration.error()).c_str());
  }
  return nullptr;
}

/// The administering thread; here it also drives the client so that it answers.
class Desk {
 public:
  explicit Desk(Engine& client) : client_(client) {}

  template <typename Condition>
  [[nodiscard]] bool wait_for(Condition condition) {
    const auto end = std::chrono::steady_clock::now() + patience;
    while (!condition() && std::chrono::steady_clock::now() < end) {
      client_.poll();
    }
    return condition();
  }

  /// Prints the command and its result.
  [[nodiscard]] bool carry_out(const char* what, const std::expected<Change, Problems>& change) {
    if (!change) {
      std::printf("%s: %s", what, affix::config::text_of(change.error()).c_str());
      return false;
    }
    const bool done = wait_for([&] { return change->done(); });
    std::printf("%s: %s\n", what, done ? "done" : "under way still");
    return done;
  }

  [[nodiscard]] bool logged_on() {
    return wait_for([this] { return client_.sessions().front().logged_on(); });
  }

  [[nodiscard]] bool logged_out() {
    return wait_for([this] { return !client_.sessions().front().logged_on(); });
  }

 private:
  Engine& client_;
};

bool administer(Engine& venue, Desk& desk) {
  SessionSettings firm;
  firm.name = "FIRM";
  firm.begin_string = "FIX.4.4";
  firm.sender_comp_id = "VENUE";
  firm.target_comp_id = "FIRM";
  firm.durability = affix::journal::Durability::Memory;
  if (!desk.carry_out("let in", venue.add_sessions({firm})) || !desk.logged_on()) {
    return false;
  }
  if (!desk.carry_out("locked out", venue.disable_session("FIRM", "limits are being checked")) ||
      !desk.logged_out()) {
    return false;
  }
  if (!desk.carry_out("let in again", venue.enable_session("FIRM")) || !desk.logged_on()) {
    return false;
  }

  // Copies the configuration, changes one session's value and reloads it; others are undisturbed.
  Configuration wanted = venue.configuration();
  for (SessionSettings& session : wanted.sessions) {
    if (session.name == "FIRM") {
      session.throttle_limit = 100;
    }
  }
  const auto changed = venue.reload(wanted);
  if (!desk.carry_out("a limit", changed)) {
    return false;
  }
  for (const auto& session : changed->sessions()) {
    std::printf("  %s: %s, %s\n", session.session.c_str(), to_text(session.kind),
                session.keys.c_str());
  }

  // A faulty configuration changes nothing; reload() returns all problems.
  SessionSettings same = firm;
  same.name = "FIRM_TWICE";
  if (venue.add_sessions({same})) {
    return false;
  }
  std::puts("the same identity twice: refused");
  return desk.carry_out("gone", venue.remove_session("FIRM", "goodbye")) && desk.logged_out();
}

}  // namespace

int main() {
  Quiet application;
  const auto venue = open(
      "[ENGINE]\nadded_sessions_max=4\n[SERVER]\nnic_address=127.0.0.1\naccept_port=0\n"
      "[OTHER]\nsender_comp_id=VENUE\ntarget_comp_id=OTHER\n",
      application);
  if (!venue) {
    return 1;
  }
  const auto client = open("[CLIENT]\nprimary_address=127.0.0.1\nprimary_port=" +
                               std::to_string(venue->listening_addresses().front().port()) +
                               "\nreconnect_milliseconds=50\nreconnect_milliseconds_max=50\n"
                               "[VENUE]\nsender_comp_id=FIRM\ntarget_comp_id=VENUE\n"
                               "logon_reset_sequence_numbers=true\n",
                           application);
  if (!client) {
    return 1;
  }
  std::thread running([&] { venue->run(); });
  Desk desk(*client);
  const bool all_done = administer(*venue, desk);
  venue->request_stop();
  running.join();
  return all_done ? 0 : 1;
}
