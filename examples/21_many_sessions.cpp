// SPDX-License-Identifier: MIT
// 200 sessions with two workers on each side: session groups created in a loop, one run() for
// all, application data reached through a session's handle, and counters shared by several
// workers.

#include "affix/engine.hpp"

#include <atomic>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

using affix::engine::Engine;
using affix::host::Delivery;
using affix::host::SessionHandle;
using affix::wire::MessageView;

constexpr int session_count = 200;
constexpr int orders_of_each = 5;

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

/// A trader's data for one session. All callbacks of a session come from its worker's thread, so it
/// needs no lock.
struct Book {
  int filled = 0;
};

class Traders : public affix::host::Application {
 public:
  Engine* engine = nullptr;
  std::atomic<int> logged_on{0};  ///< Written by both workers, so atomic.
  std::atomic<int> finished{0};
  std::atomic<int> fills{0};

  /// Call it before run(); afterwards the sessions belong to their workers.
  void attach() {
    books_.resize(engine->sessions().size());
    for (std::size_t number = 0; number < books_.size(); ++number) {
      engine->sessions()[number].set_user(&books_[number]);
    }
  }

  void on_logon(SessionHandle session) noexcept override {
    logged_on.fetch_add(1, std::memory_order_relaxed);
    send_order(session);
  }

  void on_message(SessionHandle session, const MessageView& /*report*/,
                  const Delivery& /*delivery*/) noexcept override {
    Book& book = *static_cast<Book*>(session.user());
    fills.fetch_add(1, std::memory_order_relaxed);
    if (++book.filled < orders_of_each) {
      send_order(session);
    } else {
      session.logout("done");
    }
  }

  void on_logout(SessionHandle /*session*/, std::string_view /*reason*/) noexcept override {
    // The last logout publishes the counts: main() reads the others after run().
    if (finished.fetch_add(1, std::memory_order_acq_rel) + 1 == session_count) {
      engine->request_stop();
    }
  }

 private:
  static void send_order(SessionHandle session) {
    affix::wire::Encoder order = session.begin("D");
    order.text(11, session.name());
    order.text(55, "EUR/USD");
    static_cast<void>(session.commit(order));
  }

  std::vector<Book> books_;
};

/// One session group per trader; `ours` selects the traders' side or the venue's.
std::string session_groups(bool traders) {
  std::string text = "[SESSION_DEFAULTS]\nbegin_string=FIX.4.4\ndurability=memory\n";
  for (int number = 1; number <= session_count; ++number) {
    const std::string trader = "TRADER" + std::to_string(number);
    text += "[" + trader + "]\nsender_comp_id=" + (traders ? trader : "VENUE") +
            "\ntarget_comp_id=" + (traders ? "VENUE" : trader) + "\n";
  }
  return text;
}

std::unique_ptr<Engine> open(const std::string& text, affix::host::Application& application) {
  const auto configuration = affix::config::parse_configuration(text, "example");
  if (configuration) {
    auto engine = Engine::open(*configuration, application);
    if (engine) {
      return std::move(*engine);
    }
    std::puts(affix::config::text_of(engine.error()).c_str());
  }
  return nullptr;
}

}  // namespace

int main() {
  Venue venue;
  const auto venue_engine = open(
      "[SERVER]\nnic_address=127.0.0.1\naccept_port=0\nworker_thread_count=2\n"
      "pending_connection_queue_size=512\nmax_connections_before_logon=512\n" +
          session_groups(false),
      venue);
  if (!venue_engine) {
    return 1;
  }
  const auto port = venue_engine->listening_addresses().front().port();
  Traders traders;
  const auto engine =
      open("[CLIENT]\nprimary_address=127.0.0.1\nprimary_port=" + std::to_string(port) +
               "\nworker_thread_count=2\n" + session_groups(true),
           traders);
  if (!engine) {
    return 1;
  }
  traders.engine = engine.get();
  traders.attach();
  std::vector<int> of_worker(engine->worker_count());
  for (const SessionHandle session : engine->sessions()) {
    ++of_worker[session.worker()];
  }
  std::printf("%d and %d sessions\n", of_worker[0], of_worker[1]);

  std::thread venue_thread([&] { venue_engine->run(); });
  const bool in_order = engine->run();
  venue_engine->request_stop();
  venue_thread.join();
  std::printf("%s, %d fills\n",
              traders.logged_on.load() >= session_count ? "all logged on" : "not all logged on",
              traders.fills.load());
  std::printf("%s\n", in_order ? "all logged out" : "not all logged out");
  return 0;
}
