// SPDX-License-Identifier: MIT
// The hosts of a client group and the addresses that their names stand for: looked up at the start,
// and again on another thread when attempts have failed, as names move when a venue fails over.
#pragma once

#include "affix/base/error.hpp"
#include "affix/engine/configuration.hpp"
#include "affix/net/address.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::engine {

/// One host that a client group connects to.
struct ClientHost {
  std::string name;  ///< Or a numeric address, IPv6 without brackets.
  std::int64_t port = 0;
};

/// The group's hosts in the order in which they are tried: primary, secondary, further ones. The
/// error says which piece of `further_addresses` is not host:port.
[[nodiscard]] std::expected<std::vector<ClientHost>, std::string> client_hosts(
    const ClientSettings& settings);

/// An address, and which of the hosts it is of.
struct ClientAddress {
  net::Address address;
  std::size_t host = 0;
};

/// How a name is looked up: net::wait_resolve(), or a test's own.
using NameService = std::expected<std::vector<net::Address>, base::Error> (*)(std::string_view);

/// One group's. The worker's thread reads; look_up() is for another one.
class ClientAddresses {
 public:
  /// `group` names it in errors.
  ClientAddresses(std::string group, std::vector<ClientHost> hosts,
                  NameService names = &net::wait_resolve);

  /// Looks every host up; for the start, before any other thread has this. Waits for the name
  /// service. A name that does not exist is a problem; where the service did not answer, the host
  /// is left out and a warning says so: it is looked up again before the next attempts.
  void open(Problems& problems, std::vector<std::string>& warnings);

  [[nodiscard]] const std::vector<ClientHost>& hosts() const noexcept { return hosts_; }

  /// Whether any host is a name, whose addresses may change.
  [[nodiscard]] bool has_names() const noexcept { return has_names_; }

  /// Asks whoever looks up to do so. Never waits. Any thread.
  void want() noexcept { wanted_.store(true, std::memory_order_release); }

  /// Looks up what want() asked for, and waits for the name service meanwhile. A host whose look-up
  /// fails keeps the addresses it had. One thread at a time, beside the worker's. False: nothing
  /// was wanted.
  bool look_up();

  /// Counts the changes of addresses(). Any thread.
  [[nodiscard]] std::uint32_t version() const noexcept {
    return version_.load(std::memory_order_acquire);
  }

  /// A copy, in the order in which they are to be tried; may be empty. Any thread; never waits for
  /// a look-up.
  [[nodiscard]] std::vector<ClientAddress> addresses() const;

 private:
  const std::string group_;
  const std::vector<ClientHost> hosts_;
  const NameService names_;
  bool has_names_ = false;
  std::atomic<bool> wanted_{false};
  std::atomic<std::uint32_t> version_{0};
  mutable std::mutex mutex_;                      // Of found_, held for copies only.
  std::vector<std::vector<net::Address>> found_;  // By host.
};

}  // namespace affix::inline v0::engine
