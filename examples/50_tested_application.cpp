// SPDX-License-Identifier: MIT
// Tests an application's logic: the whole engine with its journal, without sockets, sleeps or a
// second process. A virtual network transports the bytes, a hand-written peer is the counterparty,
// and the test kills the process in the middle of an order.

#include "affix/engine.hpp"
#include "affix/testing.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>

namespace {

using affix::base::ns_per_second;
using affix::engine::Engine;
using affix::host::Delivery;
using affix::host::SessionHandle;
using affix::testing::VirtualNetwork;
using affix::testing::VirtualPeer;
using affix::wire::MessageView;

/// The logic under test: fills each order once, regardless of disconnects and kills.
class Venue : public affix::host::Application {
 public:
  std::set<std::string> filled;     ///< A real venue stores this beside its journals.
  std::function<void()> on_filled;  ///< Called by the test at each fill.

  void on_message(SessionHandle session, const MessageView& order,
                  const Delivery& delivery) noexcept override {
    const std::string id(order.text(11).value_or(""));
    if (!filled.insert(id).second) {
      std::printf("  %s came again%s: not filled twice\n", id.c_str(),
                  delivery.redelivered ? " after the crash" : "");
      return;
    }
    affix::wire::Encoder report = session.begin("8");
    report.text(11, id);
    report.character(150, 'F');
    std::printf("  filled %s, report is number %llu\n", id.c_str(),
                static_cast<unsigned long long>(session.commit(report).sequence));
    if (on_filled) {
      on_filled();
    }
  }
};

/// A venue on a virtual network, which the test can kill and restart.
class Laboratory {
 public:
  explicit Laboratory(const std::string& journals) : node_(network.add_node()) {
    const auto read = affix::config::parse_configuration(
        "[VENUE]\nnic_address=10.0.0.1\naccept_port=9876\n"
        "[AT_VENUE]\nbegin_string=FIX.4.4\nsender_comp_id=VENUE\ntarget_comp_id=FIRM\n"
        "journal_path=" +
            journals + "\n",
        "example");
    configuration_ = read.value();
  }

  void start() {
    auto opened =
        Engine::open(configuration_, venue,
                     network.make_reactor(node_, Engine::reactor_options(configuration_)));
    engine_ = std::move(opened.value());
    network.set_turn(node_, [this] { engine_->poll(VirtualNetwork::never_ns); });
  }

  /// Does what SIGKILL does, here in the middle of a callback.
  void kill() {
    std::printf("  killed\n");
    engine_->abandon();
    network.kill(node_);
  }

  /// Destroys the rest of it, and starts a new process with the same journal.
  void start_again() {
    engine_.reset();
    start();
  }

  /// Connects the firm, which expects `expected` as the next number, and logs it on.
  void log_on(VirtualPeer& firm) {
    firm.connect(affix::net::Address::parse("10.0.0.1:9876").value());
    static_cast<void>(network.run(ns_per_second));
    firm.say("A", "98=0|108=30");
    print(firm);
  }

  /// Runs for a second and prints the firm's input.
  void print(VirtualPeer& firm) {
    static_cast<void>(network.run(ns_per_second));
    for (const std::string& message : firm.take_messages()) {
      const auto field = [&](std::uint32_t tag) {
        return std::string(affix::testing::field_of(message, tag));
      };
      std::printf("  the firm gets number %s, 35=%s%s%s\n", field(34).c_str(), field(35).c_str(),
                  (field(11).empty() ? "" : " for " + field(11)).c_str(),
                  field(43) == "Y" ? ", a possible duplicate" : "");
    }
  }

  VirtualNetwork network;
  Venue venue;

 private:
  affix::testing::NodeId node_;
  affix::config::Configuration configuration_;
  std::unique_ptr<Engine> engine_;
};

void run(const std::string& journals) {
  Laboratory lab(journals);
  VirtualPeer firm(lab.network);
  firm.sender = "FIRM";
  firm.target = "VENUE";

  std::puts("an order is filled");
  lab.start();
  lab.log_on(firm);
  firm.say("D", "11=order-1|55=EUR/USD");
  lab.print(firm);

  std::puts("the connection breaks before the report arrives; the firm asks for it");
  firm.say("D", "11=order-2|55=EUR/USD");
  lab.network.conditions.delay_ns = ns_per_second / 2;
  static_cast<void>(lab.network.run(ns_per_second / 2));
  lab.network.cut(firm.link());
  lab.network.conditions.delay_ns = 0;
  static_cast<void>(lab.network.run(ns_per_second));
  lab.log_on(firm);
  firm.say("2", "7=3|16=3");
  lab.print(firm);

  std::puts("the process is killed while it fills an order; its next life gets the order again");
  lab.venue.on_filled = [&lab] { lab.kill(); };
  firm.say("D", "11=order-3|55=EUR/USD");
  lab.print(firm);
  lab.venue.on_filled = {};
  lab.start_again();
  lab.log_on(firm);
  firm.say("2", "7=5|16=5");
  lab.print(firm);
}

}  // namespace

int main() {
  std::string directory =
      (std::filesystem::temp_directory_path() / "affix-example-XXXXXX").string();
  if (::mkdtemp(directory.data()) == nullptr) {
    return 1;
  }
  run(directory);
  std::filesystem::remove_all(directory);
  return 0;
}
