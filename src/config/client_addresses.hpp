// SPDX-License-Identifier: MIT
// Hosts of a client group and the addresses that their names resolve to: resolved at the start, and
// again on another thread after failed attempts, since names move when a venue fails over.
#pragma once

#include "affix/base/error.hpp"
#include "affix/config/configuration.hpp"
#include "affix/net/address.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::config {

/// One host that a client group connects to.
struct ClientHost {
  std::string name;  ///< Or a numeric address, IPv6 without brackets.
  std::int64_t port = 0;
};

/// `host:port`, an IPv6 address in brackets; empty for another text, and for port 0. Allocates.
[[nodiscard]] std::optional<ClientHost> parse_host(std::string_view piece);

/// The group's hosts in the order in which they are tried: primary, secondary, further ones. The
/// error names the piece of `further_addresses` that is not host:port; its place is that key of the
/// group.
[[nodiscard]] std::expected<std::vector<ClientHost>, base::Error> client_hosts(
    const ClientSettings& settings);

/// An address, and the host that it belongs to.
struct ClientAddress {
  net::Address address;
  std::size_t host = 0;
};

/// Resolves a name: net::wait_resolve(), or a test's own function.
using NameService = std::expected<std::vector<net::Address>, base::Error> (*)(std::string_view);

/// Addresses of one group. The worker's thread reads; another thread calls look_up().
class ClientAddresses {
 public:
  /// `group` names it in errors.
  ClientAddresses(std::string group, std::vector<ClientHost> hosts,
                  NameService names = &net::wait_resolve);

  /// Resolves every host; call at the start, before another thread has access. Waits for the name
  /// service. A name that does not exist is a problem; a host for which the service did not answer
  /// is left out with a warning, and resolved again before the next attempts.
  void open(Problems& problems, Problems& warnings);

  [[nodiscard]] const std::vector<ClientHost>& hosts() const noexcept { return hosts_; }

  /// True if any host is a name, whose addresses may change.
  [[nodiscard]] bool has_names() const noexcept { return has_names_; }

  /// Requests a look-up by the thread that resolves names. Never waits. Any thread.
  void want() noexcept { wanted_.store(true, std::memory_order_release); }

  /// Resolves the hosts that want() asked for, and waits for the name service. A host whose look-up
  /// fails keeps its addresses. One thread at a time, in parallel to the worker's. False: want()
  /// was not called.
  bool look_up();

  /// Counts the changes of addresses(). Any thread.
  [[nodiscard]] std::uint32_t version() const noexcept {
    return version_.load(std::memory_order_acquire);
  }

  /// A copy, in the order of attempts; may be empty. Any thread; never waits for a
  /// look-up.
  [[nodiscard]] std::vector<ClientAddress> addresses() const;

 private:
  const std::string group_;
  const std::vector<ClientHost> hosts_;
  const NameService names_;
  bool has_names_ = false;
  std::atomic<bool> wanted_{false};
  std::atomic<std::uint32_t> version_{0};
  mutable std::mutex mutex_;                      // Guards found_; held only to copy it.
  std::vector<std::vector<net::Address>> found_;  // By host.
};

}  // namespace affix::inline v0::config
