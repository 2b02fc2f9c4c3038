// SPDX-License-Identifier: MIT
// Logon with user name and password, and a change of the password: the venue checks credentials on
// a separate thread while its sessions continue, refuses wrong ones with a text, and reports in its
// answer if a new password was accepted (1409). No password reaches a journal or an event.

#include "affix/engine.hpp"

#include <condition_variable>
#include <deque>
#include <iostream>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace {

using affix::engine::CrossThreadSender;
using affix::engine::Engine;
using affix::host::Delivery;
using affix::host::LogonAnswer;
using affix::host::SessionHandle;
using affix::wire::MessageView;

constexpr int password_changed = 1;  ///< SessionStatus (1409).

/// A request to the checking thread: owns its texts, since views end with the callback.
struct Credentials {
  SessionHandle session;
  std::string user;
  std::string password;
  std::string new_password;
};

/// The thread that may wait for a database; answers through a cross-thread sender.
class CredentialCheck {
 public:
  explicit CredentialCheck(CrossThreadSender sender)
      : sender_(std::move(sender)), thread_([this] { serve(); }) {}

  CredentialCheck(const CredentialCheck&) = delete;
  CredentialCheck& operator=(const CredentialCheck&) = delete;

  ~CredentialCheck() {
    ask({});  // An empty session ends the thread.
    thread_.join();
  }

  void ask(Credentials credentials) {
    const std::scoped_lock lock(mutex_);
    waiting_.push_back(std::move(credentials));
    changed_.notify_one();
  }

 private:
  void serve() {
    for (;;) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return !waiting_.empty(); });
      const Credentials asked = std::move(waiting_.front());
      waiting_.pop_front();
      lock.unlock();
      if (!asked.session) {
        return;
      }
      if (asked.user != "trader" || asked.password != password_) {
        static_cast<void>(sender_.refuse_logon(asked.session, "the user or the password is wrong"));
        continue;
      }
      if (!asked.new_password.empty()) {
        password_ = asked.new_password;
      }
      static_cast<void>(sender_.accept_logon(asked.session));
    }
  }

  std::string password_ = "spring";  ///< A real venue stores a salted hash.
  CrossThreadSender sender_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Credentials> waiting_;
  std::thread thread_;  // Declared last: it uses all other members.
};

class Venue : public affix::host::Application {
 public:
  CredentialCheck* check = nullptr;

  LogonAnswer on_logon_request(SessionHandle session, const MessageView& logon) noexcept override {
    const std::string_view new_password = logon.text(925).value_or("");
    changing_ = !new_password.empty();
    check->ask({session, std::string(logon.text(553).value_or("")),
                std::string(logon.text(554).value_or("")), std::string(new_password)});
    return LogonAnswer::later();
  }

  /// Only an accepted Logon is answered by a Logon: the new password was then accepted.
  void before_admin_send(SessionHandle /*session*/, std::string_view type,
                         affix::wire::Encoder& message) noexcept override {
    if (type == "A" && changing_) {
      message.integer(1409, password_changed);
    }
  }

  void on_message(SessionHandle /*session*/, const MessageView& /*message*/,
                  const Delivery& /*delivery*/) noexcept override {}

 private:
  bool changing_ = false;  ///< For the only session; with several, keep it in user().
};

class Trader : public affix::host::Application {
 public:
  bool done = false;

  LogonAnswer on_logon_answer(SessionHandle /*session*/,
                              const MessageView& logon) noexcept override {
    if (logon.integer(1409).value_or(0) == password_changed) {
      std::cout << "  the venue has taken the new password\n";
    }
    return LogonAnswer::accept();
  }

  void on_logon(SessionHandle session) noexcept override {
    std::cout << "  logged on\n";
    session.logout("that was all");
  }

  void on_message(SessionHandle /*session*/, const MessageView& /*message*/,
                  const Delivery& /*delivery*/) noexcept override {}

  void on_logout(SessionHandle /*session*/, std::string_view /*reason*/) noexcept override {
    done = true;
  }

  void on_event(const affix::host::Event& event) noexcept override {
    // After a refused Logon no session ends: an event has the reason, with the number and text of
    // the peer's Logout, and the engine tries again.
    constexpr std::string_view rejected = "Logon rejected by the peer: ";
    if (event.text.starts_with(rejected)) {
      const std::string_view why = event.text.substr(event.text.rfind(": ") + 2);
      std::cout << "  refused: " << why << '\n';
      done = true;
    }
  }
};

std::unique_ptr<Engine> open(const std::string& text, affix::host::Application& application) {
  const auto configuration = affix::config::parse_configuration(text, "example");
  if (configuration) {
    auto engine = Engine::open(*configuration, application);
    if (engine) {
      return std::move(*engine);
    }
    std::cout << affix::config::text_of(engine.error()) << '\n';
  }
  return nullptr;
}

/// One attempt to log on. In production the configuration has the password by `file:`, `env:` or a
/// variable: `logon_password=${VENUE_PASSWORD}`.
void log_on(Engine& venue, const std::string& credentials) {
  const auto port = venue.listening_addresses().front().port();
  Trader trader;
  const auto engine =
      open("[CLIENT]\nprimary_address=127.0.0.1\nprimary_port=" + std::to_string(port) +
               "\n[AT_TRADER]\nbegin_string=FIX.4.4\nsender_comp_id=TRADER\ntarget_comp_id=VENUE\n"
               "durability=memory\nlogon_reset_sequence_numbers=true\nlogon_username=trader\n" +
               credentials,
           trader);
  for (int turn = 0; engine && turn < 10'000'000 && !trader.done; ++turn) {
    venue.poll();
    engine->poll();
  }
  if (engine) {
    engine->finish("", 0);
  }
  // The venue detects the end of the connection.
  for (int turn = 0; turn < 10'000'000 && !venue.sessions().front().disconnected(); ++turn) {
    venue.poll();
  }
}

}  // namespace

int main() {
  Venue venue;
  const auto engine = open(
      "[SERVER]\nnic_address=127.0.0.1\naccept_port=0\n[AT_VENUE]\nbegin_string=FIX.4.4\n"
      "sender_comp_id=VENUE\ntarget_comp_id=TRADER\ndurability=memory\n",
      venue);
  if (!engine) {
    return 1;
  }
  auto sender = engine->open_cross_thread_sender();
  if (!sender) {
    return 1;
  }
  CredentialCheck check(std::move(*sender));
  venue.check = &check;
  std::cout << "a wrong password\n";
  log_on(*engine, "logon_password=winter\n");
  std::cout << "the right one, and a new one\n";
  log_on(*engine, "logon_password=spring\nlogon_message_new_password=summer\n");
  std::cout << "the old one\n";
  log_on(*engine, "logon_password=spring\n");
  std::cout << "the new one\n";
  log_on(*engine, "logon_password=summer\n");
  return 0;
}
