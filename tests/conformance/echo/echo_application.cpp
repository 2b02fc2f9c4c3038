// SPDX-License-Identifier: MIT
// Determines the answer to each message.
#include "echo_application.hpp"

#include "affix/dictionary/load.hpp"

#include "echoed_fields.hpp"

#include <array>
#include <cstdio>

namespace affix::conformance_echo {

namespace {

constexpr std::string_view new_order_single = "D";
constexpr std::string_view security_definition = "d";
constexpr std::string_view email = "C";
constexpr std::array echoed_types{new_order_single, security_definition, email};

constexpr std::uint32_t cl_ord_id = 11;

/// FIX.4.0 and 4.1 have neither BusinessMessageReject nor SecurityDefinition.
bool is_before_fix42(std::string_view begin_string) noexcept {
  return begin_string == "FIX.4.0" || begin_string == "FIX.4.1";
}

void refuse(host::SessionHandle session, const wire::MessageView& message) noexcept {
  const bool old = is_before_fix42(session.begin_string());
  static_cast<void>(
      session.reject_business(message, session::BusinessRejectReason::UnsupportedMessageType,
                              old ? "Unsupported message type" : "Unsupported Message Type"));
}

}  // namespace

std::expected<std::unique_ptr<EchoApplication>, base::Error> EchoApplication::make(
    const config::Configuration& configuration, bool verbose) {
  std::unique_ptr<EchoApplication> application(new EchoApplication(verbose));
  std::map<std::string, Layouts> known;  // Sessions share dictionaries.
  for (const config::SessionSettings& session : configuration.sessions) {
    auto found = known.find(session.dictionary);
    if (found == known.end()) {
      const dictionary::Loaded loaded = dictionary::load(session.dictionary);
      if (!loaded) {
        return std::unexpected(dictionary::make_error(loaded.problems, session.dictionary));
      }
      Layouts layouts;
      for (const std::string_view type : echoed_types) {
        layouts.emplace(type, layout_of(*loaded.dictionary, type));
      }
      found = known.emplace(session.dictionary, std::move(layouts)).first;
    }
    application->layouts_.emplace(session.name, found->second);
    // Workers read it in parallel, so no entry may be added later.
    application->seen_orders_.emplace(session.name, std::set<std::string, std::less<>>());
  }
  return application;
}

void EchoApplication::on_message(host::SessionHandle session, const wire::MessageView& message,
                                 const host::Delivery& delivery) noexcept {
  if (delivery.redelivered) {
    return;  // From an earlier program, whose counterparty has started over.
  }
  const std::string_view type = message.value_at(2);
  if (type == new_order_single) {
    take_order(session, message, delivery);
  } else if (type == email ||
             (type == security_definition && !is_before_fix42(session.begin_string()))) {
    send_back(session, message);
  } else {
    refuse(session, message);
  }
}

void EchoApplication::on_logout(host::SessionHandle session, std::string_view /*reason*/) noexcept {
  seen_orders_.find(session.name())->second.clear();
}

void EchoApplication::on_event(const host::Event& event) noexcept {
  if (verbose_) {
    std::fprintf(stderr, "%.*s: %.*s\n", static_cast<int>(event.session.size()),
                 event.session.data(), static_cast<int>(event.text.size()), event.text.data());
  }
}

void EchoApplication::take_order(host::SessionHandle session, const wire::MessageView& order,
                                 const host::Delivery& delivery) {
  const std::string id(order.find(cl_ord_id).value_or(""));
  const bool is_new = seen_orders_.find(session.name())->second.insert(id).second;
  if (is_new || !delivery.possible_resend) {
    send_back(session, order);
  }
}

void EchoApplication::send_back(host::SessionHandle session, const wire::MessageView& message) {
  const std::string_view type = message.value_at(2);
  const std::vector<session::ExtraHeaderField> header = echoed_header(message);
  wire::Encoder echo = session.begin(type, header);
  echo.raw(echoed_body(message, layouts_.find(session.name())->second.find(type)->second));
  static_cast<void>(session.commit(echo));
}

}  // namespace affix::conformance_echo
