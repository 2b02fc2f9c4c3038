// SPDX-License-Identifier: MIT
// The engine in your own loop: one thread runs the engine's turns, a price source and a timer, and
// decides how long to wait. The engine starts no thread; another thread of the program wakes the
// loop.

#include "affix/engine.hpp"

#include <atomic>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

namespace {

using affix::engine::Engine;
using affix::host::Delivery;
using affix::host::SessionHandle;
using affix::wire::MessageView;

class Venue : public affix::host::Application {
 public:
  void on_message(SessionHandle session, const MessageView& order,
                  const Delivery& /*delivery*/) noexcept override {
    affix::wire::Encoder report = session.begin("8");
    report.text(11, order.text(11).value_or("?"));
    report.character(150, 'F');
    static_cast<void>(session.commit(report));
  }
};

/// Sends when the loop decides, instead of from a callback.
class Strategy : public affix::host::Application {
 public:
  SessionHandle session;
  std::atomic<int> price{0};  ///< Set by the other thread, read in on_wake().
  int filled = 0;
  bool ended = false;

  void on_logon(SessionHandle logged_on) noexcept override { session = logged_on; }

  void on_wake() noexcept override {
    const int seen = price.exchange(0, std::memory_order_acquire);
    if (seen == 0 || !session) {
      return;  // Woken for another reason.
    }
    std::cout << "a price came: " << seen << '\n';
    send("price-order", seen);
  }

  void on_message(SessionHandle /*session*/, const MessageView& report,
                  const Delivery& /*delivery*/) noexcept override {
    std::cout << report.text(11).value_or("?") << " is filled\n";
    ++filled;
  }

  void on_logout(SessionHandle /*session*/, std::string_view /*reason*/) noexcept override {
    ended = true;
  }

  void send(std::string_view id, int limit) const {
    affix::wire::Encoder order = session.begin("D");
    order.text(11, id);
    order.text(55, "EUR/USD");
    order.decimal(44, {limit, -5});
    static_cast<void>(session.commit(order));
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

/// A strategy that sends at a given time: true once, when that time has come.
class Timer {
 public:
  explicit Timer(std::int64_t due_ns) : due_ns_(due_ns) {}

  [[nodiscard]] std::int64_t due_ns() const { return due_ns_; }

  bool expired(std::int64_t now_ns) {
    const bool due = now_ns >= due_ns_;
    due_ns_ = due ? INT64_MAX : due_ns_;
    return due;
  }

 private:
  std::int64_t due_ns_;
};

int trade(Engine& engine, Engine& venue, Strategy& strategy) {
  const affix::engine::WorkerHandle worker = engine.worker(0);
  // The venue belongs to this example only; it runs on its own thread.
  std::thread venue_thread([&venue] { venue.run(); });
  while (!strategy.session) {
    worker.poll(worker.now().steady_ns + 10'000'000);
  }
  Timer timer(worker.now().steady_ns + 20'000'000);
  std::thread feed([&] {
    strategy.price.store(108'250, std::memory_order_release);
    engine.wake();
  });
  while (!strategy.ended) {
    // Waits for input until the timer is due, or for 10 ms; 0 would return immediately, for a loop
    // that spins.
    const std::int64_t now_ns = worker.now().steady_ns;
    worker.poll(timer.due_ns() < now_ns + 10'000'000 ? timer.due_ns() : now_ns + 10'000'000);
    // Between turns the session takes commands as in a callback, and sends immediately.
    if (strategy.filled == 1 && timer.expired(worker.now().steady_ns)) {
      std::cout << "the timer is due\n";
      strategy.send("timer-order", 108'260);
    }
    if (strategy.filled == 2 && strategy.session.logged_on()) {
      strategy.session.logout("done");
    }
    engine.prepare_journals();  // Or on another thread: see engine.hpp.
  }
  feed.join();
  venue.request_stop();
  venue_thread.join();
  std::cout << "logged out\n";
  return 0;
}

}  // namespace

int main() {
  const std::string session = "begin_string=FIX.4.4\ndurability=memory\n";
  Venue venue;
  const auto venue_engine = open("[VENUE]\nnic_address=127.0.0.1\naccept_port=0\n[AT_VENUE]\n" +
                                     session + "sender_comp_id=VENUE\ntarget_comp_id=TRADER\n",
                                 venue);
  if (!venue_engine) {
    return 1;
  }
  const auto port = venue_engine->listening_addresses().front().port();
  Strategy strategy;
  const auto engine =
      open("[TRADER]\nprimary_address=127.0.0.1\nprimary_port=" + std::to_string(port) +
               "\nwait_mode=BLOCK\n[AT_TRADER]\n" + session +
               "sender_comp_id=TRADER\ntarget_comp_id=VENUE\n",
           strategy);
  return engine ? trade(*engine, *venue_engine, strategy) : 1;
}
