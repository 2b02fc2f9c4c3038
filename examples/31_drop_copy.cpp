// SPDX-License-Identifier: MIT
// A drop copy: the risk desk receives a copy of every report from a venue to its traders, also of
// reports sent while its session was disconnected: these copies are numbered and stored
// immediately, and sent after the next logon.

#include "affix/engine.hpp"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>

namespace {

using affix::engine::Engine;
using affix::host::Delivery;
using affix::host::SendResult;
using affix::host::SessionHandle;
using affix::session::ExtraHeaderField;
using affix::wire::MessageView;

void print(const char* what, std::string_view id, const char* more = "") {
  std::cout << what << ' ' << id << more << '\n';
}

class Venue : public affix::host::Application {
 public:
  SessionHandle drop_copy;

  void on_message(SessionHandle session, const MessageView& order,
                  const Delivery& /*delivery*/) noexcept override {
    const std::string_view id = order.text(11).value_or("?");
    affix::wire::Encoder report = session.begin("8");
    write_report(report, id);
    static_cast<void>(session.commit(report));

    // The header names the trader: OnBehalfOfCompID.
    const std::array<ExtraHeaderField, 1> about = {{{115, session.target_comp_id()}}};
    affix::wire::Encoder copy = drop_copy.begin("8", about);
    write_report(copy, id);
    copy.boolean(797, true);  // CopyMsgIndicator
    const SendResult result = drop_copy.commit(copy);
    print("the venue fills", id,
          result.queued() ? ", and keeps the copy"
          : result.sent() ? ""
                          : ", and has no copy");
  }

 private:
  static void write_report(affix::wire::Encoder& report, std::string_view id) {
    report.text(11, id);
    report.character(150, 'F');
    report.character(39, '2');
  }
};

class Trader : public affix::host::Application {
 public:
  int reports = 0;

  void on_logon(SessionHandle session) noexcept override { session_ = session; }

  void on_message(SessionHandle /*session*/, const MessageView& /*report*/,
                  const Delivery& /*delivery*/) noexcept override {
    ++reports;
  }

  [[nodiscard]] bool ready() const { return static_cast<bool>(session_); }

  void send(std::string_view id) const {
    affix::wire::Encoder order = session_.begin("D");
    order.text(11, id);
    static_cast<void>(session_.commit(order));
  }

 private:
  SessionHandle session_;
};

class RiskDesk : public affix::host::Application {
 public:
  int copies = 0;

  void on_message(SessionHandle /*session*/, const MessageView& copy,
                  const Delivery& delivery) noexcept override {
    const std::string_view trader = copy.text(115).value_or("?");
    print("the risk desk has", copy.text(11).value_or("?"),
          (" of " + std::string(trader) + (delivery.possible_duplicate ? ", late" : "")).c_str());
    ++copies;
  }
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

int run(const std::string& journals) {
  Venue venue;
  const auto venue_engine = open(
      "[SERVER]\nnic_address=127.0.0.1\naccept_port=0\n"
      "[TRADER]\nsender_comp_id=VENUE\ntarget_comp_id=TRADER\n"
      // Stores messages until they are sent.
      "[DROP_COPY]\nsender_comp_id=VENUE\ntarget_comp_id=RISK\nsend_while_disconnected=QUEUE\n"
      "durability=process\njournal_path=" +
          journals + "\n",
      venue);
  if (!venue_engine) {
    return 1;
  }
  venue.drop_copy = venue_engine->session("DROP_COPY");
  const std::string client = "[CLIENT]\nprimary_address=127.0.0.1\nprimary_port=" +
                             std::to_string(venue_engine->listening_addresses().front().port()) +
                             "\n[VENUE]\ntarget_comp_id=VENUE\nsender_comp_id=";
  Trader trader;
  const auto trader_engine = open(client + "TRADER\n", trader);
  if (!trader_engine) {
    return 1;
  }
  RiskDesk desk;
  std::unique_ptr<Engine> desk_engine;
  const auto turn_until = [&](auto done) {
    for (int count = 0; count < 10'000'000 && !done(); ++count) {
      venue_engine->poll();
      trader_engine->poll();
      if (desk_engine) {
        desk_engine->poll();
      }
    }
    return done();
  };

  if (!turn_until([&] { return trader.ready(); })) {
    return 1;
  }
  trader.send("order-1");  // The risk desk is not connected yet.
  if (!turn_until([&] { return trader.reports == 1; })) {
    return 1;
  }
  desk_engine = open(client + "RISK\n", desk);
  if (!desk_engine || !turn_until([&] { return desk.copies == 1; })) {
    return 1;
  }
  trader.send("order-2");
  return turn_until([&] { return desk.copies == 2 && trader.reports == 2; }) ? 0 : 1;
}

}  // namespace

int main() {
  std::string directory = (std::filesystem::temp_directory_path() / "affix-copy-XXXXXX").string();
  if (::mkdtemp(directory.data()) == nullptr) {
    return 1;
  }
  const int status = run(directory);
  std::filesystem::remove_all(directory);
  return status;
}
