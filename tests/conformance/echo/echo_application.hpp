// SPDX-License-Identifier: MIT
// The application of the conformance echo: sends orders, security definitions and mails back, and
// rejects any other message as unsupported. Its only state is the set of orders that a session has
// received.
#pragma once

#include "affix/config/configuration.hpp"
#include "affix/host/application.hpp"

#include "group_layout.hpp"

#include <expected>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>

namespace affix::conformance_echo {

class EchoApplication : public host::Application {
 public:
  /// Reads the sessions' dictionaries. With `verbose`, prints events to standard error.
  [[nodiscard]] static std::expected<std::unique_ptr<EchoApplication>, base::Error> make(
      const config::Configuration& configuration, bool verbose);

  void on_message(host::SessionHandle session, const wire::MessageView& message,
                  const host::Delivery& delivery) noexcept override;
  void on_logout(host::SessionHandle session, std::string_view reason) noexcept override;
  void on_event(const host::Event& event) noexcept override;

 private:
  using Layouts = std::map<std::string, GroupLayout, std::less<>>;  ///< By message type.

  explicit EchoApplication(bool verbose) noexcept : verbose_(verbose) {}

  void take_order(host::SessionHandle session, const wire::MessageView& order,
                  const host::Delivery& delivery);
  void send_back(host::SessionHandle session, const wire::MessageView& message);

  bool verbose_;
  std::map<std::string, Layouts, std::less<>> layouts_;  ///< By session.
  std::map<std::string, std::set<std::string, std::less<>>, std::less<>>
      seen_orders_;  ///< ClOrdIDs, by session.
};

}  // namespace affix::conformance_echo
