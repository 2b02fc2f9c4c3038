// SPDX-License-Identifier: MIT
// A trading program: logs on, sends three orders, counts fills, logs out and ends. The engine
// handles lost connections, gaps and resends; when started again, the program continues with its
// next sequence numbers.
//
//     example_12_initiator 12_initiator.cfg

#include "affix/engine.hpp"

#include <array>
#include <iostream>
#include <string>
#include <string_view>

namespace {

using affix::engine::Engine;
using affix::host::Delivery;
using affix::host::SessionHandle;
using affix::wire::MessageView;

constexpr std::array<std::string_view, 3> symbols = {"EUR/USD", "NOKIA.HE", "IBM"};

class Trader : public affix::host::Application {
 public:
  Engine* engine = nullptr;  ///< To stop it when all orders are filled.
  std::size_t filled = 0;

  void on_logon(SessionHandle session) noexcept override {
    std::cout << "logged on\n";
    for (std::size_t number = 0; number < symbols.size(); ++number) {
      send_order(session, number);
    }
  }

  void on_message(SessionHandle session, const MessageView& message,
                  const Delivery& delivery) noexcept override {
    const auto symbol = message.text(55);
    const auto price = message.decimal(31);
    if (message.type() != affix::wire::MsgType("8") || !symbol || !price) {
      const std::string_view why = message.text(58).value_or("something else came");
      std::cout << why << '\n';
    } else {
      std::cout << *symbol << " filled at " << affix::wire::to_text(*price)
                << (delivery.possible_duplicate ? ", resent" : "") << '\n';
      ++filled;
    }
    if (filled == symbols.size()) {
      session.logout("done for today");
    }
  }

  void on_logout(SessionHandle /*session*/, std::string_view reason) noexcept override {
    std::cout << "logged out: " << reason << '\n';
    // If the connection were lost before the last fill, the engine would reconnect.
    if (filled == symbols.size()) {
      engine->request_stop();
    }
  }

 private:
  static void send_order(SessionHandle session, std::size_t number) {
    const std::array<char, 3> id = {'A', '-', static_cast<char>('1' + number)};
    affix::wire::Encoder order = session.begin("D");
    order.text(11, {id.data(), id.size()});
    order.text(55, symbols[number]);
    order.character(54, '1');
    order.utc_time(60, session.now().utc(), affix::wire::TimePrecision::Millis);
    order.integer(38, 100);
    order.character(40, '2');
    order.decimal(44, {10'150 + static_cast<std::int64_t>(number), -2});
    if (const auto result = session.commit(order); result.refused()) {
      std::cout << "not sent: " << to_text(result.status) << '\n';
    }
  }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: " << argv[0] << " CONFIGURATION\n";
    return 2;
  }
  const auto configuration = affix::config::load_configuration(argv[1]);
  if (!configuration) {
    std::cerr << affix::config::text_of(configuration.error());
    return 1;
  }
  Trader trader;
  const auto engine = Engine::open(*configuration, trader);
  if (!engine) {
    std::cerr << affix::config::text_of(engine.error());
    return 1;
  }
  trader.engine = engine->get();
  return (*engine)->run() && trader.filled == symbols.size() ? 0 : 1;
}
