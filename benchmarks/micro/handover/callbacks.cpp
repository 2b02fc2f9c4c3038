// SPDX-License-Identifier: MIT
// One engine for each contender, both made on first use; the peer is a plain socket of the timed
// thread.
#include "callbacks.hpp"

#include "affix/engine/engine.hpp"
#include "affix/net/socket.hpp"
#include "affix/os/clock.hpp"

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <sys/socket.h>
#include <thread>

namespace affix_bench {

namespace {

using namespace affix;

class Counting final : public host::Application {
 public:
  void on_message(host::SessionHandle, const wire::MessageView&,
                  const host::Delivery&) noexcept override {
    done.store(done.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }

  void on_logon(host::SessionHandle) noexcept override {
    logged_on.store(true, std::memory_order_release);
  }

  std::atomic<std::uint64_t> done{0};
  std::atomic<bool> logged_on{false};
};

[[noreturn]] void fail(const char* what) {
  std::fprintf(stderr, "handover: %s\n", what);
  std::exit(1);
}

/// An acceptor on its own threads, and its peer.
class Line {
 public:
  Line(std::int64_t callback_thread, int core) {
    config::Configuration configuration;
    config::ServerSettings& server = configuration.servers.emplace_back();
    server.name = "SERVER";
    server.nic_address = "127.0.0.1";
    server.cpu_core_id = core;
    config::SessionSettings& session = configuration.sessions.emplace_back();
    session.name = "FIRM";
    session.instance = "SERVER";
    session.begin_string = "FIX.4.4";
    session.sender_comp_id = "VENUE";
    session.target_comp_id = "FIRM";
    session.durability = affix::journal::Durability::Memory;
    session.callback_thread = callback_thread;
    auto opened = engine::Engine::open(configuration, application_);
    if (!opened) {
      std::fputs(config::text_of(opened.error()).c_str(), stderr);
      std::exit(1);
    }
    engine_ = std::move(*opened);
    thread_ = std::thread([this] { engine_->run(); });
    const net::Address venue = engine_->listening_addresses().front();
    peer_ = net::Socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (::connect(peer_.fd(), venue.native(), static_cast<socklen_t>(venue.native_size())) != 0) {
      fail("the peer cannot connect");
    }
    send("A",
         "98=0\x01"
         "108=0\x01");
    while (!application_.logged_on.load(std::memory_order_acquire)) {
      std::this_thread::yield();
    }
  }

  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;

  ~Line() {
    engine_->request_stop();
    thread_.join();
  }

  void order() {
    send("D",
         "11=order-000017\x01"
         "55=ACME\x01"
         "54=1\x01"
         "38=100\x01"
         "40=2\x01");
    ++given_;
  }

  void await_all() const {
    while (application_.done.load(std::memory_order_acquire) != given_) {
      std::this_thread::yield();  // The callback's thread may need this core.
    }
  }

 private:
  void send(std::string_view type, std::string_view fields) {
    std::array<char, 512> bytes;
    wire::Encoder message{std::span<char>(bytes)};
    message.begin("FIX.4.4", type);
    message.text(49, "FIRM");
    message.text(56, "VENUE");
    message.integer(34, ++sequence_);
    message.utc_time(52, base::UtcTime{os::now().utc_ns}, wire::TimePrecision::Millis);
    message.raw(fields);
    const auto whole = message.finish();
    if (!whole || ::send(peer_.fd(), whole->data(), whole->size(), MSG_NOSIGNAL) < 0) {
      fail("the peer cannot send");
    }
  }

  Counting application_;
  std::unique_ptr<engine::Engine> engine_;
  std::thread thread_;
  net::Socket peer_;
  std::int64_t sequence_ = 0;
  std::uint64_t given_ = 0;
};

Contender contender(const char* name, std::int64_t callback_thread, int core) {
  const auto line = std::make_shared<std::unique_ptr<Line>>();
  const auto opened = [line, callback_thread, core]() -> Line& {
    if (*line == nullptr) {
      *line = std::make_unique<Line>(callback_thread, core);
    }
    return **line;
  };
  return {name,
          [opened](std::size_t count) {
            Line& rig = opened();
            for (std::size_t at = 0; at < count; ++at) {
              rig.order();
              rig.await_all();
            }
          },
          {},
          {}};
}

}  // namespace

Benchmark callbacks(int core) {
  return {
      "callback",
      "an order from a peer's write to the callback, one at a time: on the worker's thread, and "
      "handed to a callback thread",
      {contender("worker", -1, core), contender("callback_thread", 0, core)}};
}

}  // namespace affix_bench
