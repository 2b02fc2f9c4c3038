// SPDX-License-Identifier: MIT
// The rules between the keys.
#include "affix/net/address.hpp"
#include "affix/tls/tls_settings.hpp"

#include "config/group_checks.hpp"
#include "config/instance_options.hpp"

#include <utility>

namespace affix::inline v0::config {

namespace {

constexpr base::MessageCode management_code = "A112";

void check_token(std::string_view key, const std::string& token, Findings& findings) {
  if (const auto secret = tls::TlsSecret::parse(token); !secret) {
    findings.wrong(key, secret.error().message, management_code);
  }
}

}  // namespace

void check_management(const ManagementSettings& settings, Findings& findings) {
  check_token("management_read_token", settings.management_read_token, findings);
  check_token("management_operate_token", settings.management_operate_token, findings);
  const bool has_tls = !settings.management_tls_certificate_file.empty();
  if (has_tls == settings.management_tls_key_file.empty()) {
    findings.wrong(has_tls ? "management_tls_certificate_file" : "management_tls_key_file",
                   "a certificate and its key are given together or not at all", management_code);
  }
  if (!has_tls && !settings.management_tls_ca_file.empty()) {
    findings.wrong("management_tls_ca_file", "needs management_tls_certificate_file too",
                   management_code);
  }
  if (has_tls && !tls::has_tls()) {
    findings.wrong("management_tls_certificate_file", "this build has no TLS", management_code);
  }
  for (const auto& [key, value] :
       {std::pair{"management_users_file", &settings.management_users_file},
        std::pair{"kill_switch_file", &settings.kill_switch_file}}) {
    if (!value->empty() && settings.management_server_port == 0) {
      findings.wrong(key, "needs management_server_port", management_code);
    }
  }
  const auto address = management_address_of(settings);
  if (!address) {
    findings.wrong("management_server_nic_ip", address.error().message, management_code);
    return;
  }
  const bool has_token = !settings.management_read_token.empty() ||
                         !settings.management_operate_token.empty() ||
                         !settings.management_users_file.empty();
  if (settings.management_server_port != 0 && !address->is_loopback() && !(has_tls && has_token)) {
    findings.wrong("management_server_nic_ip",
                   "an address beyond this machine needs TLS (management_tls_certificate_file "
                   "and management_tls_key_file) and a token (management_read_token, "
                   "management_operate_token, management_users_file)",
                   management_code);
  }
}

std::expected<net::Address, base::Error> management_address_of(const ManagementSettings& settings) {
  const std::string& host = settings.management_server_nic_ip;
  const auto port = static_cast<std::uint16_t>(
      settings.management_server_port > 0 ? settings.management_server_port : 0);
  return net::Address::parse(host_and_port(host.empty() ? "127.0.0.1" : host, port));
}

}  // namespace affix::inline v0::config
