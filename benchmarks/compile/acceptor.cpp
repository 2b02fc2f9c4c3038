// SPDX-License-Identifier: MIT
// Program compiled and linked by `./dev bench compile`: a venue whose sessions come from a file and
// which answers each order of FIX.4.4 with a report. quickfix_acceptor.cpp does the same with
// QuickFIX, typed_acceptor.cpp with generated messages.
#include "affix/engine.hpp"

#include <cstdio>
#include <string>

namespace {

namespace config = affix::config;
namespace engine = affix::engine;
namespace host = affix::host;
namespace wire = affix::wire;

class Venue final : public host::Application {
 public:
  void on_message(host::SessionHandle session, const wire::MessageView& order,
                  const host::Delivery& delivery) noexcept override {
    const auto quantity = order.decimal(38);
    const auto price = order.decimal(44);
    if (order.type() != wire::MsgType("D") || !quantity || !price) {
      return;
    }
    wire::Encoder report = session.begin("8");
    report.integer(37, delivery.sequence);
    report.text(11, order.value_or_null(11));
    report.integer(17, delivery.sequence);
    report.character(150, '0');
    report.character(39, '0');
    report.text(55, order.value_or_null(55));
    report.text(54, order.value_or_null(54));
    report.decimal(38, *quantity);
    report.decimal(44, *price);
    report.decimal(151, *quantity);
    report.integer(14, 0);
    report.integer(6, 0);
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
