// SPDX-License-Identifier: MIT
// Limits of a server group's connections before logon.
#include "engine/logon_server.hpp"

#include "affix/base/time.hpp"

#include <algorithm>
#include <utility>

namespace affix::inline v0::engine {

namespace {

/// Pause of the listener after each refused connection: an accept takes some 50 us, so that a flood
/// takes at most a fortieth of a processor.
constexpr std::int64_t rest_ns = 2 * base::ns_per_ms;
constexpr std::int64_t longest_rest_ns = 100 * base::ns_per_ms;

}  // namespace

LogonServer::LogonServer(const config::ServerSettings& settings, net::ListenerId listener,
                         bool speaks_tls)
    : name_(settings.name),
      listener_(listener),
      speaks_tls_(speaks_tls),
      targets_(settings.accept_timeout_seconds * base::ns_per_second) {
  take_limits(settings);
}

void LogonServer::take_limits(const config::ServerSettings& settings) {
  queue_max_ = static_cast<std::size_t>(settings.max_connections_before_logon);
  per_address_ = {
      .all = static_cast<std::size_t>(settings.max_connections_per_address),
      .before_logon = static_cast<std::size_t>(settings.max_connections_before_logon_per_address)};
  allowed_ = net::AddressSet::parse(settings.allowed_addresses).value_or(net::AddressSet());
  proxies_ = net::AddressSet::parse(settings.proxy_protocol_addresses).value_or(net::AddressSet());
}

LogonServer::Admission LogonServer::admit(const net::Address& peer) {
  if (!allowed_.empty() && !allowed_.contains(peer)) {
    return {{}, {"its address is not in allowed_addresses", "N201"}};
  }
  AddressCounts::Entry counted = addresses_->enter(peer, per_address_);
  return {std::move(counted.place), {counted.refusal, "N202"}};
}

std::int64_t LogonServer::rest(std::int64_t now_ns) noexcept {
  rests_until_ns_ = std::min(std::max(rests_until_ns_, now_ns) + rest_ns, now_ns + longest_rest_ns);
  return rests_until_ns_;
}

}  // namespace affix::inline v0::engine
