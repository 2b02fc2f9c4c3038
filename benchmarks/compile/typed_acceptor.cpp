// SPDX-License-Identifier: MIT
// acceptor.cpp with the generated messages of FIX.4.4.
#include "affix/engine.hpp"
#include "affix/fix44/execution_report.hpp"
#include "affix/fix44/new_order_single.hpp"

#include <cstdio>
#include <string>

namespace {

namespace config = affix::config;
namespace engine = affix::engine;
namespace fix44 = affix::fix44;
namespace host = affix::host;
namespace wire = affix::wire;

class Venue final : public host::Application {
 public:
  void on_message(host::SessionHandle session, const wire::MessageView& message,
                  const host::Delivery& delivery) noexcept override {
    if (message.type() != wire::MsgType(fix44::NewOrderSingle::message_type)) {
      return;
    }
    const fix44::NewOrderSingle order(message);
    const auto side = order.side();
    const auto quantity = order.order_qty();
    const auto price = order.price();
    if (!side || !quantity || !price) {
      return;
    }
    const std::string number = std::to_string(delivery.sequence);
    auto report = session.begin<fix44::ExecutionReportWriter>();
    report.order_id(number)
        .cl_ord_id(order.cl_ord_id().value_or(""))
        .exec_id(number)
        .exec_type(fix44::ExecType::New)
        .ord_status(fix44::OrdStatus::New)
        .symbol(order.symbol().value_or(""))
        .side(*side)
        .order_qty(*quantity)
        .price(*price)
        .leaves_qty(*quantity)
        .cum_qty(fix44::Qty(0))
        .avg_px(fix44::Price(0));
    static_cast<void>(session.commit(report));
  }
};

}  // namespace

int main(int argc, char** argv) {
  const auto configuration = config::load_configuration(argc == 2 ? argv[1] : "");
  if (!configuration) {
    std::fputs(config::text_of(configuration.error()).c_str(), stderr);
    return 1;
  }
  Venue venue;
  const auto opened = engine::Engine::open(*configuration, venue);
  if (!opened) {
    std::fputs(config::text_of(opened.error()).c_str(), stderr);
    return 1;
  }
  return (*opened)->run() ? 0 : 1;
}
