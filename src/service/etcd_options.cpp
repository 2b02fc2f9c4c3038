// SPDX-License-Identifier: MIT
// The first thing that is wrong, in the words of the option.
#include "affix/service/etcd_options.hpp"

#include "affix/base/text.hpp"
#include "affix/replication/election_entry.hpp"

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <unistd.h>

namespace affix::inline v0::service {

namespace {

constexpr std::string_view http = "http://";
constexpr std::string_view https = "https://";

std::unexpected<base::Error> refuse_etcd(std::string message, std::string where = {}) {
  return std::unexpected(
      base::Error{base::ErrorCode::InvalidArgument, std::move(message), std::move(where), "R221"});
}

/// "HOST:PORT", and HOST is a name, an address, or an address in brackets.
bool is_host_and_port(std::string_view text) noexcept {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) {
    return false;
  }
  std::string_view host = text.substr(0, colon);
  if (base::parse_number<std::uint16_t>(text.substr(colon + 1)).value_or(0) == 0) {
    return false;
  }
  const bool has_brackets = host.size() > 2 && host.front() == '[' && host.back() == ']';
  if (has_brackets) {
    host = host.substr(1, host.size() - 2);
  }
  return !host.empty() && std::ranges::all_of(host, [&](char c) {
    return base::is_letter(c) || base::is_digit(c) || c == '.' || c == '-' || c == '_' ||
           (c == ':' && has_brackets);
  });
}

}  // namespace

std::expected<void, base::Error> check_etcd_options(const EtcdOptions& options) {
  if (options.endpoints.empty()) {
    return refuse_etcd("no endpoint of etcd is given");
  }
  const bool has_tls = options.endpoints.front().starts_with(https);
  for (const std::string& endpoint : options.endpoints) {
    const std::string_view scheme = has_tls ? https : http;
    const bool is_other = endpoint.starts_with(has_tls ? http : https);
    if (is_other) {
      return refuse_etcd("some endpoints are http and some https", endpoint);
    }
    if (!endpoint.starts_with(scheme) ||
        !is_host_and_port(std::string_view(endpoint).substr(scheme.size()))) {
      return refuse_etcd("an endpoint is written http://HOST:PORT or https://HOST:PORT", endpoint);
    }
  }
  if (!replication::is_election_name(options.cluster)) {
    return refuse_etcd("the cluster's name is not 1 to 64 letters, digits, '-', '_' and '.'",
                       options.cluster);
  }
  if (options.certificate_file.empty() != options.key_file.empty()) {
    return refuse_etcd("a certificate needs its key, and a key its certificate");
  }
  const bool has_files = !options.ca_file.empty() || !options.certificate_file.empty();
  if (has_files && !has_tls) {
    return refuse_etcd("certificates are for https endpoints only", options.endpoints.front());
  }
  for (const std::string& file : {options.ca_file, options.certificate_file, options.key_file}) {
    if (!file.empty() && ::access(file.c_str(), R_OK) != 0) {
      return std::unexpected(base::make_system_error("open", errno, file));
    }
  }
  return {};
}

}  // namespace affix::inline v0::service
