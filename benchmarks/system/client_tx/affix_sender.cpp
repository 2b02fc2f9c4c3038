// SPDX-License-Identifier: MIT
// The affix sender: begin, nine fields and a group of two parties, commit outside a turn, which
// stores and sends; or the same order prepared, with number, times and id patched.
#include "affix/config/words.hpp"
#include "affix/engine/engine.hpp"
#include "affix/os/clock.hpp"
#include "affix/wire/index.hpp"
#include "affix/wire/prepared.hpp"

#include "sender.hpp"

#include <array>
#include <atomic>
#include <charconv>
#include <string_view>
#include <thread>

namespace affix_bench {

namespace {

namespace config = affix::config;
namespace engine = affix::engine;
namespace host = affix::host;
namespace wire = affix::wire;

constexpr std::int64_t logon_timeout_ns = 5 * affix::base::ns_per_second;

class Client final : public host::Application {
 public:
  void on_message(host::SessionHandle, const wire::MessageView&,
                  const host::Delivery&) noexcept override {}
};

/// The order's id as text, in memory of its own.
class OrderId {
 public:
  explicit OrderId(std::uint64_t number) noexcept
      : size_(static_cast<std::size_t>(
            std::to_chars(digits_.data(), digits_.data() + digits_.size(), number).ptr -
            digits_.data())) {}

  [[nodiscard]] std::string_view text() const noexcept { return {digits_.data(), size_}; }

 private:
  std::array<char, 20> digits_;
  std::size_t size_;
};

[[nodiscard]] affix::base::UtcTime utc_now() noexcept {
  return {affix::os::read_clock_ns(CLOCK_REALTIME), 0};
}

[[gnu::always_inline]] inline void write_body(wire::Encoder& order, std::uint64_t number) {
  order.text(11, OrderId(number).text());
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
  order.utc_time(60, utc_now(), wire::TimePrecision::Nanos);
}

class AffixSender : public Sender {
 public:
  [[nodiscard]] bool open(const config::Configuration& configuration, std::string& why) {
    auto opened = engine::Engine::open(configuration, client_);
    if (!opened) {
      why = config::text_of(opened.error());
      return false;
    }
    engine_ = std::move(*opened);
    session_ = engine_->sessions().front();
    // As in Engine::run(): another thread waits for the disk.
    preparer_ = std::jthread([this](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        if (!engine_->prepare_journals()) {
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
      }
    });
    const std::int64_t deadline_ns = affix::os::now().steady_ns + logon_timeout_ns;
    while (!session_.logged_on() && affix::os::now().steady_ns < deadline_ns) {
      engine_->poll();
    }
    why = session_.logged_on() ? "" : "no logon";
    return session_.logged_on() && begin(why);
  }

  [[nodiscard]] bool send(std::uint64_t number) override {
    wire::Encoder order = session_.begin("D");
    write_body(order, number);
    return session_.commit(order).sent();
  }

  void warm() override {
    wire::Encoder order = session_.begin("D");
    write_body(order, 0);
    static_cast<void>(session_.warm(order));
  }

  void rest() override { engine_->poll(); }

 protected:
  /// Work to do once, with the session open. False: `why` has the reason.
  [[nodiscard]] virtual bool begin(std::string& /*why*/) { return true; }

  [[nodiscard]] host::SessionHandle session() const noexcept { return session_; }

 private:
  Client client_;
  std::unique_ptr<engine::Engine> engine_;
  host::SessionHandle session_;
  std::jthread preparer_;  ///< Ends before the engine does.
};

class PreparedSender final : public AffixSender {
 public:
  [[nodiscard]] bool send(std::uint64_t number) override {
    prepared_->set_text(id_slot, OrderId(number).text());
    prepared_->set_utc_time(transact_time_slot, utc_now(), wire::TimePrecision::Nanos, stamps_);
    return session().send_prepared(*prepared_, sequence_slot, sending_time_slot).sent();
  }

 protected:
  [[nodiscard]] bool begin(std::string& why) override {
    std::array<char, 512> buffer;
    wire::Encoder draft = session().draft("D", buffer);
    write_body(draft, 0);
    if (const auto finished = draft.finish()) {
      wire::FieldIndexOf<64> index;
      wire::index_message(*finished, index);
      prepared_ =
          wire::PreparedMessage::make(storage_, {*finished, index}, {{34}, {52}, {60}, {11}});
    }
    why = prepared_ ? "" : "the order cannot be prepared";
    return prepared_.has_value();
  }

 private:
  static constexpr std::uint32_t sequence_slot = 0;
  static constexpr std::uint32_t sending_time_slot = 1;
  static constexpr std::uint32_t transact_time_slot = 2;
  static constexpr std::uint32_t id_slot = 3;

  std::array<char, 512> storage_{};
  wire::TimeStampCache stamps_;
  std::expected<wire::PreparedMessage, wire::EncodeError> prepared_ =
      std::unexpected(wire::EncodeError::NotBegun);
};

}  // namespace

std::unique_ptr<Sender> make_affix_sender(std::uint16_t port, const std::string& directory,
                                          const std::string& durability, bool prepared,
                                          std::string& why) {
  config::Configuration configuration;
  config::ClientSettings client;
  client.name = "CLIENT";
  client.primary_address = "127.0.0.1";
  client.primary_port = port;
  client.wait_mode = affix::config::WaitMode::Spin;
  configuration.clients.push_back(std::move(client));
  config::SessionSettings session;
  session.name = "SESSION";
  session.instance = "CLIENT";
  session.begin_string = "FIXT.1.1";
  session.default_app_ver_id = "9";
  session.sender_comp_id = "CLIENT1";
  session.target_comp_id = "EXECUTOR";
  session.sender_sub_id = "SNDR_SUB";
  session.target_sub_id = "SRVR_SUB";
  session.heartbeat_interval_seconds = 0;
  if (!config::choose(session, "durability", durability)) {
    why = "no durability " + durability;
    return nullptr;
  }
  session.journal_path = directory;
  configuration.sessions.push_back(std::move(session));
  std::unique_ptr<AffixSender> sender =
      prepared ? std::make_unique<PreparedSender>() : std::make_unique<AffixSender>();
  return sender->open(configuration, why) ? std::move(sender) : nullptr;
}

}  // namespace affix_bench
