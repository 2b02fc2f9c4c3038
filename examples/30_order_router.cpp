// SPDX-License-Identifier: MIT
// An order router: forwards orders from clients' sessions to venues' sessions by a rule, under its
// own ids, restores the client's ids in reports, and refuses orders for a disconnected venue at
// once. One engine has all four sessions; the venues belong to this example only.

#include "affix/engine.hpp"

#include <array>
#include <cstdint>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace {

using affix::engine::Engine;
using affix::host::Delivery;
using affix::host::SessionHandle;
using affix::wire::MessageView;
using affix::wire::MsgType;

/// Fields of an order or report that the router forwards unchanged.
constexpr std::array<std::uint32_t, 11> passed_on = {6, 14, 31, 32, 38, 39, 40, 44, 54, 55, 150};

void copy_fields(const MessageView& from, affix::wire::Encoder& to) {
  for (const std::uint32_t tag : passed_on) {
    if (const auto value = from.text(tag)) {
      // A tag known only at run time is written as encoded text.
      to.raw(std::to_string(tag) + "=" + std::string(*value) + affix::wire::soh);
    }
  }
}

class Router : public affix::host::Application {
 public:
  SessionHandle nordic;
  SessionHandle currencies;

  void on_message(SessionHandle from, const MessageView& message,
                  const Delivery& /*delivery*/) noexcept override {
    if (message.type() == MsgType("D")) {
      route(from, message);
    } else if (message.type() == MsgType("8")) {
      report_back(message);
    }
  }

 private:
  struct Origin {
    SessionHandle client;
    std::string id;
  };

  /// The rule: the venue of a symbol.
  [[nodiscard]] SessionHandle venue_of(std::string_view symbol) const {
    return symbol.find('/') != std::string_view::npos ? currencies : nordic;
  }

  void route(SessionHandle client, const MessageView& order) {
    const std::string_view id = order.text(11).value_or("");
    const std::string ours = "R" + std::to_string(++last_id_);
    affix::wire::Encoder routed = venue_of(order.text(55).value_or("")).begin("D");
    routed.text(11, ours);
    copy_fields(order, routed);
    const auto result = venue_of(order.text(55).value_or("")).commit(routed);
    if (result.refused()) {
      refuse(client, order, to_text(result.status));
      return;
    }
    // A router that survives restarts stores this beside its journals.
    origins_.emplace(ours, Origin{client, std::string(id)});
  }

  void report_back(const MessageView& report) {
    const auto origin = origins_.find(std::string(report.text(11).value_or("")));
    if (origin == origins_.end()) {
      return;
    }
    const SessionHandle client = origin->second.client;
    affix::wire::Encoder passed = client.begin("8");
    passed.text(11, origin->second.id);
    copy_fields(report, passed);
    static_cast<void>(client.commit(passed));
  }

  static void refuse(SessionHandle client, const MessageView& order, std::string_view why) {
    affix::wire::Encoder report = client.begin("8");
    report.text(11, order.text(11).value_or("?"));
    report.character(150, '8');
    report.character(39, '8');
    report.text(58, why);
    static_cast<void>(client.commit(report));
  }

  std::map<std::string, Origin> origins_;
  std::uint64_t last_id_ = 0;
};

/// Fills every order; takes its name from the session.
class Venues : public affix::host::Application {
 public:
  void on_message(SessionHandle session, const MessageView& order,
                  const Delivery& /*delivery*/) noexcept override {
    const std::string_view id = order.text(11).value_or("?");
    const std::string_view symbol = order.text(55).value_or("?");
    std::cout << session.name() << " fills " << symbol << " as " << id << '\n';
    affix::wire::Encoder report = session.begin("8");
    report.text(11, id);
    report.character(150, 'F');
    report.character(39, '2');
    report.text(55, symbol);
    static_cast<void>(session.commit(report));
  }
};

/// Sends its orders in sequence, each after the answer to the previous one.
class Client : public affix::host::Application {
 public:
  explicit Client(SessionHandle* venue_to_lose) : venue_to_lose_(venue_to_lose) {}

  bool done = false;

  void on_logon(SessionHandle session) noexcept override { send_next(session); }

  void on_message(SessionHandle session, const MessageView& report,
                  const Delivery& /*delivery*/) noexcept override {
    const std::string_view id = report.text(11).value_or("?");
    const std::string_view why = report.text(58).value_or("");
    std::cout << "  client's " << id << ": "
              << (report.character(39).value_or('?') == '2' ? "filled" : "refused, ") << why
              << '\n';
    if (next_ == 2) {
      venue_to_lose_->logout("the venue closes");
    }
    send_next(session);
  }

  void on_logout(SessionHandle /*session*/, std::string_view /*reason*/) noexcept override {
    done = true;
  }

 private:
  void send_next(SessionHandle session) {
    static constexpr std::array<std::string_view, 3> symbols = {"NOKIA.HE", "EUR/USD", "GBP/USD"};
    if (next_ == symbols.size()) {
      session.logout("done");
      return;
    }
    affix::wire::Encoder order = session.begin("D");
    order.text(11, "MINE-" + std::to_string(next_));
    order.text(55, symbols[next_]);
    order.integer(38, 100);
    static_cast<void>(session.commit(order));
    ++next_;
  }

  SessionHandle* venue_to_lose_;
  std::size_t next_ = 0;
};

std::unique_ptr<Engine> open(const std::string& text, affix::host::Application& application) {
  const auto configuration = affix::config::parse_configuration(
      "[SESSION_DEFAULTS]\nbegin_string=FIX.4.4\ndurability=memory\n" + text, "example");
  if (configuration) {
    auto engine = Engine::open(*configuration, application);
    if (engine) {
      return std::move(*engine);
    }
    std::cout << affix::config::text_of(engine.error()) << '\n';
  } else {
    std::cout << affix::config::text_of(configuration.error()) << '\n';
  }
  return nullptr;
}

std::string port_of(const Engine& engine) {
  return std::to_string(engine.listening_addresses().front().port());
}

}  // namespace

int main() {
  Venues venues;
  const auto venue_engine = open(
      "[SERVER]\nnic_address=127.0.0.1\naccept_port=0\n"
      "[NORDIC]\nsender_comp_id=NORDIC\ntarget_comp_id=ROUTER\n"
      "[CURRENCIES]\nsender_comp_id=CURRENCIES\ntarget_comp_id=ROUTER\n",
      venues);
  if (!venue_engine) {
    return 1;
  }
  Router router;
  const auto router_engine = open(
      "[INBOUND]\nnic_address=127.0.0.1\naccept_port=0\n"
      "[OUTBOUND]\nprimary_address=127.0.0.1\nprimary_port=" +
          port_of(*venue_engine) +
          "\n[FROM_CLIENT]\ninstance=INBOUND\nsender_comp_id=ROUTER\ntarget_comp_id=CLIENT\n"
          "[TO_NORDIC]\ninstance=OUTBOUND\nsender_comp_id=ROUTER\ntarget_comp_id=NORDIC\n"
          "[TO_CURRENCIES]\ninstance=OUTBOUND\nsender_comp_id=ROUTER\ntarget_comp_id=CURRENCIES\n",
      router);
  if (!router_engine) {
    return 1;
  }
  router.nordic = router_engine->session("TO_NORDIC");
  router.currencies = router_engine->session("TO_CURRENCIES");
  const auto turn = [&] {
    venue_engine->poll();
    router_engine->poll();
  };
  for (int count = 0;
       count < 10'000'000 && !(router.nordic.logged_on() && router.currencies.logged_on());
       ++count) {
    turn();
  }
  Client client(&router.currencies);
  const auto client_engine =
      open("[CLIENT]\nprimary_address=127.0.0.1\nprimary_port=" + port_of(*router_engine) +
               "\n[TO_ROUTER]\nsender_comp_id=CLIENT\ntarget_comp_id=ROUTER\n",
           client);
  for (int count = 0; client_engine && count < 10'000'000 && !client.done; ++count) {
    turn();
    client_engine->poll();
  }
  return client.done ? 0 : 1;
}
