// SPDX-License-Identifier: MIT
// An application for `affix serve`, as a shared object: accepts orders up to a quantity from the
// configuration, and rejects larger ones.
//
//   [APPLICATION]
//   application=PLUGIN
//   plugin_file=/usr/lib/affix/60_plugin.so
//   plugin_settings=10000

#include "affix/engine/plugin.hpp"

#include <charconv>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace {

using affix::engine::Plugin;
using affix::engine::PluginHost;
using affix::host::Application;
using affix::host::Delivery;
using affix::host::Event;
using affix::host::SessionHandle;
using affix::wire::MessageView;

class QuantityGate final : public Application {
 public:
  QuantityGate(const PluginHost& host, std::int64_t quantity_max)
      : host_(host), quantity_max_(quantity_max) {}

  void on_message(SessionHandle session, const MessageView& order,
                  const Delivery& delivery) noexcept override {
    if (order.type() != "D") {
      session.reject_business(order, affix::session::BusinessRejectReason::UnsupportedMessageType,
                              "orders only");
      return;
    }
    // After a crash between the report and the end of this call, the report is sent again. Its
    // ExecID is the ClOrdID, so that the counterparty recognises it as the same.
    static_cast<void>(delivery);
    const std::string_view id = order.text(11).value_or("NONE");
    const auto quantity = order.integer(38);
    const bool accepted = quantity && *quantity > 0 && *quantity <= quantity_max_;
    auto report = session.begin("8");
    report.text(37, id);
    report.text(17, id);
    report.text(150, accepted ? "0" : "8");
    report.text(39, accepted ? "0" : "8");
    report.text(11, id);
    report.text(55, order.text(55).value_or("NONE"));
    report.text(54, order.text(54).value_or("1"));
    report.integer(151, accepted ? *quantity : 0);
    report.integer(14, 0);
    report.integer(6, 0);
    if (!accepted) {
      report.text(58, "quantity is not from 1 to " + std::to_string(quantity_max_));
      host_.log(host_.context, Event::Severity::Warning, std::string(session.name()).c_str(),
                ("order rejected: " + std::string(id)).c_str());
    }
    if (session.commit(report).refused()) {
      host_.log(host_.context, Event::Severity::Error, std::string(session.name()).c_str(),
                ("no report about order " + std::string(id)).c_str());
    }
  }

 private:
  PluginHost host_;
  std::int64_t quantity_max_;
};

Application* create(const PluginHost& host) noexcept {
  const std::string_view text = host.settings;
  std::int64_t quantity_max = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), quantity_max);
  if (error != std::errc{} || end != text.data() + text.size() || quantity_max <= 0) {
    host.log(host.context, Event::Severity::Error, "",
             "plugin_settings must be the largest quantity of an order");
    return nullptr;
  }
  return std::make_unique<QuantityGate>(host, quantity_max).release();
}

void destroy(Application* application) noexcept {
  delete static_cast<QuantityGate*>(application);
}

constexpr Plugin plugin{.name = "quantity gate", .create = &create, .destroy = &destroy};

}  // namespace

const Plugin* affix_plugin() noexcept {
  return &plugin;
}
