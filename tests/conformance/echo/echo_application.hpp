// SPDX-License-Identifier: MIT
// The application of the conformance echo: sends orders, security definitions and mails back, and
// says of anything else that it is not supported. Its only state is which orders a session has
// seen.
#pragma once

#include "affix/engine/application.hpp"
#include "affix/engine/configuration.hpp"

#include "group_layout.hpp"

#include <expected>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>

namespace affix::conformance_echo {

class EchoApplication : public engine::Application {
 public:
  /// Reads the sessions' dictionaries. With `verbose` events go to standard error.
  [[nodiscard]] static std::expected<std::unique_ptr<EchoApplication>, base::Error> make(
      const engine::Configuration& configuration, bool verbose);

  void on_message(engine::SessionHandle session, const wire::MessageView& message,
                  const engine::Delivery& delivery) noexcept override;
  void on_logout(engine::SessionHandle session, std::string_view reason) noexcept override;
  void on_event(const engine::Event& event) noexcept override;

 private:
  using Layouts = std::map<std::string, GroupLayout, std::less<>>;  ///< By message type.

  explicit EchoApplication(bool verbose) noexcept : verbose_(verbose) {}

  void take_order(engine::SessionHandle session, const wire::MessageView& order,
                  const engine::Delivery& delivery);
  void send_back(engine::SessionHandle session, const wire::MessageView& message);

  bool verbose_;
  std::map<std::string, Layouts, std::less<>> layouts_;  ///< By session.
  std::map<std::string, std::set<std::string, std::less<>>, std::less<>>
      seen_orders_;  ///< ClOrdIDs, by session.
};

}  // namespace affix::conformance_echo
