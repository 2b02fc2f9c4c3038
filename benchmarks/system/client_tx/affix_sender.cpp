// SPDX-License-Identifier: MIT
// Ours: begin, nine fields and a group of two parties, commit outside a turn, which stores and
// sends.
#include "affix/engine/engine.hpp"
#include "affix/net/clock.hpp"

#include "sender.hpp"

#include <array>
#include <atomic>
#include <charconv>
#include <string_view>
#include <thread>

namespace affix_bench {

namespace {

namespace engine = affix::engine;
namespace wire = affix::wire;

constexpr std::int64_t logon_timeout_ns = 5 * affix::base::ns_per_second;

class Client final : public engine::Application {
 public:
  void on_message(engine::SessionHandle, const wire::MessageView&,
                  const engine::Delivery&) noexcept override {}
};

class AffixSender final : public Sender {
 public:
  [[nodiscard]] bool open(const engine::Configuration& configuration, std::string& why) {
    auto opened = engine::Engine::open(configuration, client_);
    if (!opened) {
      why = engine::text_of(opened.error());
      return false;
    }
    engine_ = std::move(*opened);
    session_ = engine_->sessions().front();
    // As Engine::run() has it: the disk is another thread's.
    preparer_ = std::jthread([this](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        if (!engine_->prepare_journals()) {
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
      }
    });
    const std::int64_t deadline_ns = affix::net::now().steady_ns + logon_timeout_ns;
    while (!session_.logged_on() && affix::net::now().steady_ns < deadline_ns) {
      engine_->poll();
    }
    why = session_.logged_on() ? "" : "no logon";
    return session_.logged_on();
  }

  [[nodiscard]] bool send(std::uint64_t number) override {
    wire::Encoder order = write(number);
    return session_.commit(order).sent();
  }

  void warm() override {
    wire::Encoder order = write(0);
    static_cast<void>(session_.warm(order));
  }

  void rest() override { engine_->poll(); }

 private:
  [[nodiscard, gnu::always_inline]] wire::Encoder write(std::uint64_t number) {
    std::array<char, 20> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    const affix::base::UtcTime now{affix::net::read_clock_ns(CLOCK_REALTIME), 0};
    wire::Encoder order = session_.begin("D");
    order.text(11, {digits.data(), static_cast<std::size_t>(end - digits.data())});
    order.text(55, "NOKIA.HE");
    order.character(54, '1');
    order.decimal(38, {10, 0});
    order.decimal(44, {10'000, 0});
    order.character(40, '2');
    order.character(59, '0');
    order.integer(453, 2);
    order.text(448, "PARTY1");
    order.character(447, 'D');
    order.integer(452, 1);
    order.text(448, "PARTY2");
    order.character(447, 'D');
    order.integer(452, 3);
    order.utc_time(60, now, wire::TimePrecision::Nanos);
    return order;
  }

  Client client_;
  std::unique_ptr<engine::Engine> engine_;
  engine::SessionHandle session_;
  std::jthread preparer_;  ///< Ends before the engine does.
};

}  // namespace

std::unique_ptr<Sender> make_affix_sender(std::uint16_t port, const std::string& directory,
                                          const std::string& durability, std::string& why) {
  engine::Configuration configuration;
  engine::ClientSettings client;
  client.name = "CLIENT";
  client.primary_address = "127.0.0.1";
  client.primary_port = port;
  client.wait_mode = "SPIN";
  configuration.clients.push_back(std::move(client));
  engine::SessionSettings session;
  session.name = "SESSION";
  session.instance = "CLIENT";
  session.begin_string = "FIXT.1.1";
  session.default_app_ver_id = "9";
  session.sender_comp_id = "CLIENT1";
  session.target_comp_id = "EXECUTOR";
  session.sender_sub_id = "SNDR_SUB";
  session.target_sub_id = "SRVR_SUB";
  session.heartbeat_interval_seconds = 0;
  session.durability = durability;
  session.journal_path = directory;
  configuration.sessions.push_back(std::move(session));
  auto sender = std::make_unique<AffixSender>();
  return sender->open(configuration, why) ? std::move(sender) : nullptr;
}

}  // namespace affix_bench
