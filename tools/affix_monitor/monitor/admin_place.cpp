// SPDX-License-Identifier: MIT
// Reads the keys of the port.
#include "monitor/admin_place.hpp"

#include "affix/net/address.hpp"

#include <optional>
#include <utility>

namespace affix::inline v0::tools::monitor {

namespace {

std::expected<std::optional<TlsContext>, base::Error> tls_of(
    const affix::config::ManagementSettings& settings) {
  if (settings.management_tls_certificate_file.empty()) {
    return std::nullopt;
  }
  auto tls = TlsContext::for_client(settings.management_tls_certificate_file);
  if (!tls) {
    return std::unexpected(std::move(tls.error()));
  }
  return std::optional(std::move(*tls));
}

}  // namespace

std::expected<AdminPlace, base::Error> admin_place_of(
    const affix::config::ManagementSettings& settings, const std::string& address) {
  AdminPlace place;
  if (!settings.management_tls_ca_file.empty()) {
    return base::invalid_argument(
        "--operate does not go with management_tls_ca_file: the monitor has no certificate",
        "M103");
  }
  if (!address.empty()) {
    const auto parsed = net::Address::parse(address);
    if (!parsed || parsed->port() == 0) {
      return base::invalid_argument("--admin is an address and a port, not '" + address + "'",
                                    "M103");
    }
    place.address = address;
  } else {
    const auto parsed = affix::config::management_address_of(settings);
    if (!parsed) {
      return std::unexpected(parsed.error());
    }
    if (parsed->port() == 0) {
      return base::invalid_argument(
          "--operate needs management_server_port in [ENGINE], or --admin", "M103");
    }
    place.address = parsed->text();
  }
  auto tls = tls_of(settings);
  if (!tls) {
    return std::unexpected(std::move(tls.error()));
  }
  place.tls = std::move(*tls);
  return place;
}

}  // namespace affix::inline v0::tools::monitor
