// SPDX-License-Identifier: MIT
// A venue as a separate program: sessions, log, pid file and administration port from a
// configuration file, orders filled immediately, and an orderly end at SIGINT or SIGTERM.
//
//     example_11_acceptor 11_acceptor.cfg

#include "affix/service.hpp"

#include <charconv>
#include <iostream>
#include <string>
#include <string_view>

namespace {

using affix::host::Delivery;
using affix::host::SessionHandle;
using affix::wire::MessageView;

/// Fills every limit order at its own price. All callbacks come from the one worker's thread, so no
/// locks are needed.
class Venue : public affix::host::Application {
 public:
  void on_logon(SessionHandle session) noexcept override { print(session, "logged on"); }

  void on_logout(SessionHandle session, std::string_view reason) noexcept override {
    print(session, reason);
  }

  void on_message(SessionHandle session, const MessageView& order,
                  const Delivery& /*delivery*/) noexcept override {
    if (order.type() != affix::wire::MsgType("D")) {
      static_cast<void>(session.reject_business(
          order, affix::session::BusinessRejectReason::UnsupportedMessageType,
          "only NewOrderSingle is taken here"));
      return;
    }
    const auto id = order.text(11);
    const auto symbol = order.text(55);
    const auto side = order.character(54);
    const auto quantity = order.decimal(38);
    const auto price = order.decimal(44);
    // A missing field and a malformed field are different errors, never a silent 0.
    if (!id || !symbol || !side || !quantity || !price) {
      static_cast<void>(
          session.reject_business(order, affix::session::BusinessRejectReason::RequiredFieldMissing,
                                  "11, 55, 54, 38 and 44 are needed", id.value_or("")));
      return;
    }
    const std::string_view number = next_number();
    affix::wire::Encoder report = session.begin("8");
    report.text(37, number);  // OrderID and ExecID: this venue executes each order once.
    report.text(17, number);
    report.text(11, *id);
    report.character(150, 'F');
    report.character(39, '2');
    report.text(55, *symbol);
    report.character(54, *side);
    report.decimal(32, *quantity);
    report.decimal(31, *price);
    report.decimal(151, {0, 0});
    report.decimal(14, *quantity);
    report.decimal(6, *price);
    if (const auto result = session.commit(report); result.refused()) {
      print(session, to_text(result.status));
    }
  }

 private:
  static void print(SessionHandle session, std::string_view what) {
    std::cout << session.target_comp_id() << ": " << what << std::endl;
  }

  std::string_view next_number() {
    const auto end =
        std::to_chars(number_text_, number_text_ + sizeof number_text_, ++next_number_);
    return {number_text_, end.ptr};
  }

  std::uint64_t next_number_ = 0;
  char number_text_[20] = {};
};

/// Prints the port for those who start the program.
class Announcement : public affix::service::Steps {
 public:
  void on_ready(const affix::engine::Engine& engine,
                const affix::net::Address* /*administration*/) override {
    for (const auto& address : engine.listening_addresses()) {
      std::cout << "listening on " << address.text() << std::endl;
    }
  }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: " << argv[0] << " CONFIGURATION\n";
    return 2;
  }
  // Reads and checks the file, takes the pid file, opens the log.
  const auto service = affix::service::Service::open(argv[1]);
  if (!service) {
    return service.error().report();
  }
  Venue venue;
  Announcement steps;
  // Runs until SIGTERM or SIGINT, then logs out all sessions. SIGHUP applies the changed file.
  return (*service)->run(venue, steps).report();
}
