// SPDX-License-Identifier: MIT
// An application that never returns from its first message.
#include "affix/engine/plugin.hpp"

#include <new>
#include <unistd.h>

namespace {

class Stuck final : public affix::host::Application {
 public:
  void on_message(affix::host::SessionHandle session, const affix::wire::MessageView& message,
                  const affix::host::Delivery& delivery) noexcept override {
    static_cast<void>(session);
    static_cast<void>(message);
    static_cast<void>(delivery);
    while (true) {
      ::pause();
    }
  }
};

affix::host::Application* create(const affix::engine::PluginHost& host) noexcept {
  host.log(host.context, affix::host::Event::Severity::Info, "", host.settings);
  return new (std::nothrow) Stuck;
}

void destroy(affix::host::Application* application) noexcept {
  delete static_cast<Stuck*>(application);
}

constexpr affix::engine::Plugin plugin{.name = "stuck", .create = &create, .destroy = &destroy};

}  // namespace

const affix::engine::Plugin* affix_plugin() noexcept {
  return &plugin;
}
