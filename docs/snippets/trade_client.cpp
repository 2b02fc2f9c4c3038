// SPDX-License-Identifier: MIT
// Of docs/guide/from_quickfix.md: a client whose orders come from another thread than the engine's,
// and an application for two versions. Compiled, not run.

#include "affix/engine.hpp"
#include "affix/fix42/dispatch.hpp"
#include "affix/fix42/execution_report.hpp"
#include "affix/fix44/dispatch.hpp"
#include "affix/fix44/execution_report.hpp"
#include "affix/fix44/new_order_single.hpp"

#include <iostream>
#include <string>
#include <thread>

namespace engine = affix::engine;
namespace fix42 = affix::fix42;
namespace fix44 = affix::fix44;
namespace host = affix::host;

/// Takes the reports of sessions of two versions.
class Client : public host::Application {
 public:
  void on_message(host::SessionHandle session, const affix::wire::MessageView& message,
                  const host::Delivery&) noexcept override {
    const bool taken = session.begin_string() == "FIX.4.2" ? fix42::dispatch(message, *this)
                                                           : fix44::dispatch(message, *this);
    if (!taken) {
      session.reject_business(message, affix::session::BusinessRejectReason::UnsupportedMessageType,
                              "Unsupported message type");
    }
  }

  void on_message(const fix42::ExecutionReport& report) noexcept { print(report.cl_ord_id()); }

  void on_message(const fix44::ExecutionReport& report) noexcept { print(report.cl_ord_id()); }

  // The result of a message or command of the sender; the token identifies it.
  void on_cross_thread_result(host::SessionHandle, std::uint64_t token,
                              const host::SendResult& result) noexcept override {
    if (result.refused()) {
      std::cout << "order " << token << " was not sent: " << to_text(result.status) << '\n';
    }
  }

 private:
  template <typename Text>
  static void print(const Text& id) noexcept {
    std::cout << "report about " << id.value_or("?") << '\n';
  }
};

/// Reads ids of orders from standard input, and sends an order for each.
void trade(engine::Engine& running, affix::base::UtcTime now) {
  std::thread network([&] { running.run(); });
  auto sender = running.open_cross_thread_sender();
  const host::SessionHandle session = running.session("FIX.4.4-CLIENT1-EXECUTOR");
  std::uint64_t count = 0;
  for (std::string id; sender && std::getline(std::cin, id);) {
    auto order = sender->begin<fix44::NewOrderSingleWriter>(session);
    order.cl_ord_id(id).symbol("LNUX").side(fix44::Side::Buy).transact_time(now);
    order.order_qty(fix44::Qty(100)).ord_type(fix44::OrdType::Limit).price(fix44::Price(15, -1));
    if (const engine::HandOver given = sender->commit(order, ++count);
        given != engine::HandOver::Queued) {
      std::cout << "not sent: " << to_text(given) << '\n';
    }
  }
  running.request_stop();
  network.join();
}
