// SPDX-License-Identifier: MIT
// A venue and a trader in one program and one thread, over loopback TCP: logon, an order, its fill,
// logout. Each side is a separate engine driven by poll(); sequence numbers and messages are kept
// in memory only.

#include "affix/engine.hpp"

#include <iostream>
#include <memory>
#include <string>
#include <string_view>

namespace {

using affix::engine::Engine;
using affix::host::Delivery;
using affix::host::SessionHandle;
using affix::wire::MessageView;

/// Fills every order at its own price.
class Venue : public affix::host::Application {
 public:
  void on_message(SessionHandle session, const MessageView& order,
                  const Delivery& /*delivery*/) noexcept override {
    const auto id = order.text(11);
    const auto price = order.decimal(44);
    if (!id || !price) {
      return;
    }
    affix::wire::Encoder report = session.begin("8");
    report.text(11, *id);
    report.character(150, 'F');
    report.decimal(31, *price);
    static_cast<void>(session.commit(report));
  }
};

/// Sends one order, prints its fill and logs out.
class Trader : public affix::host::Application {
 public:
  bool done = false;

  void on_logon(SessionHandle session) noexcept override {
    affix::wire::Encoder order = session.begin("D");
    order.text(11, "order-1");
    order.text(55, "EUR/USD");
    order.decimal(44, {108'250, -5});
    std::cout << "order sent: " << session.commit(order).sent() << '\n';
  }

  void on_message(SessionHandle session, const MessageView& report,
                  const Delivery& /*delivery*/) noexcept override {
    if (const auto price = report.decimal(31)) {
      std::cout << "filled at " << affix::wire::to_text(*price) << '\n';
    }
    session.logout("that was all");
  }

  void on_logout(SessionHandle /*session*/, std::string_view /*reason*/) noexcept override {
    std::cout << "logged out\n";
    done = true;
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
  const auto port = venue_engine->listening_addresses().front().port();  // The kernel chose it.

  Trader trader;
  const auto trader_engine =
      open("[TRADER]\nprimary_address=127.0.0.1\nprimary_port=" + std::to_string(port) +
               "\n[AT_TRADER]\n" + session + "sender_comp_id=TRADER\ntarget_comp_id=VENUE\n",
           trader);
  if (!trader_engine) {
    return 1;
  }
  for (int turn = 0; turn < 10'000'000 && !trader.done; ++turn) {
    venue_engine->poll();
    trader_engine->poll();
  }
  return trader.done ? 0 : 1;
}
