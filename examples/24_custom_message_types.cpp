// SPDX-License-Identifier: MIT
// Custom message types and groups between two sessions: a risk limit in a message "URL" with a
// repeating group, its answer "URA", and the reject that an unknown type receives.

#include "affix/engine.hpp"
#include "affix/wire.hpp"

#include <iostream>
#include <memory>
#include <string>
#include <string_view>

namespace {

using affix::engine::Engine;
using affix::host::Delivery;
using affix::host::SessionHandle;
using affix::wire::GroupDescription;
using affix::wire::MessageView;
using affix::wire::MsgType;

// FIX leaves types from "U" on, and tags from 5000 on, to counterparties.
constexpr std::string_view risk_limit = "URL";
constexpr std::string_view risk_answer = "URA";
constexpr std::uint32_t account = 1;
constexpr std::uint32_t limit_count = 5100;
constexpr std::uint32_t limit_currency = 5101;
constexpr std::uint32_t limit_amount = 5102;
constexpr std::uint32_t total_limits = 5103;

constexpr std::uint32_t limit_members[] = {limit_amount};
constexpr GroupDescription limits{limit_count, limit_currency, limit_members, {}};

class RiskServer : public affix::host::Application {
 public:
  void on_message(SessionHandle session, const MessageView& message,
                  const Delivery& /*delivery*/) noexcept override {
    // Compares one word, for any number of types.
    if (message.type() == MsgType(risk_limit)) {
      take_limits(session, message);
      return;
    }
    static_cast<void>(session.reject_business(
        message, affix::session::BusinessRejectReason::UnsupportedMessageType,
        "the risk server takes URL only"));
  }

 private:
  static void take_limits(SessionHandle session, const MessageView& message) {
    std::int64_t count = 0;
    for (const affix::wire::GroupEntry entry : message.group(limits)) {
      const auto currency = entry.text(limit_currency);
      const auto amount = entry.decimal(limit_amount);
      if (currency && amount) {
        std::cout << "limit in " << *currency << ": " << affix::wire::to_text(*amount) << '\n';
        ++count;
      }
    }
    affix::wire::Encoder answer = session.begin(risk_answer);
    answer.text(account, message.text(account).value_or("?"));
    answer.integer(total_limits, count);
    static_cast<void>(session.commit(answer));
  }
};

class RiskDesk : public affix::host::Application {
 public:
  bool done = false;

  void on_logon(SessionHandle session) noexcept override {
    affix::wire::Encoder message = session.begin(risk_limit);
    message.text(account, "DESK-7");
    message.integer(limit_count, 2);
    message.text(limit_currency, "EUR");
    message.decimal(limit_amount, {25, 5});
    message.text(limit_currency, "USD");
    message.decimal(limit_amount, {1'000'000, 0});
    static_cast<void>(session.commit(message));

    affix::wire::Encoder unknown = session.begin("UXX");
    unknown.text(58, "who knows this?");
    static_cast<void>(session.commit(unknown));
  }

  void on_message(SessionHandle session, const MessageView& message,
                  const Delivery& /*delivery*/) noexcept override {
    if (message.type() == MsgType(risk_answer)) {
      std::cout << "limits taken: " << message.integer(total_limits).value_or(-1) << '\n';
    } else if (message.type() == MsgType("j")) {
      const std::string_view type = message.text(372).value_or("?");
      const std::string_view why = message.text(58).value_or("?");
      std::cout << type << " was refused: " << why << '\n';
      session.logout("done");
    }
  }

  void on_logout(SessionHandle /*session*/, std::string_view /*reason*/) noexcept override {
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
  RiskServer server;
  const auto server_engine = open("[SERVER]\nnic_address=127.0.0.1\naccept_port=0\n[DESK]\n" +
                                      session + "sender_comp_id=RISK\ntarget_comp_id=DESK\n",
                                  server);
  if (!server_engine) {
    return 1;
  }
  const auto port = server_engine->listening_addresses().front().port();
  RiskDesk desk;
  const auto desk_engine =
      open("[CLIENT]\nprimary_address=127.0.0.1\nprimary_port=" + std::to_string(port) +
               "\n[RISK]\n" + session + "sender_comp_id=DESK\ntarget_comp_id=RISK\n",
           desk);
  for (int turn = 0; desk_engine && turn < 10'000'000 && !desk.done; ++turn) {
    server_engine->poll();
    desk_engine->poll();
  }
  return desk.done ? 0 : 1;
}
