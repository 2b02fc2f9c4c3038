// SPDX-License-Identifier: MIT
// Decides on access by the host that a request names, the page it comes from, and its token.
#pragma once

#include "affix/admin/tokens.hpp"

#include "monitor/request.hpp"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::tools::monitor {

/// One engine: the tokens of its administration port.
struct EngineAccess {
  admin::Tokens tokens{};
  bool reads_need_token = false;
};

struct AccessRules {
  std::vector<std::string> hosts{};     ///< Names accepted besides localhost and numeric addresses.
  std::vector<EngineAccess> engines{};  ///< In the fleet's order.
  bool operate = false;
};

/// Any thread. The refuse functions return the refusing answer, or nullopt.
class Access {
 public:
  explicit Access(AccessRules rules) : rules_(std::move(rules)) {}

  /// For every request: a foreign Host may be a name that an attacker resolves to this address, so
  /// that his page could read the answers.
  [[nodiscard]] std::optional<Answer> refuse_host(const Request& request) const;

  /// For reading. A client that may read one engine is admitted, and sees that one.
  [[nodiscard]] std::optional<Answer> refuse_read(const Request& request, std::int64_t steady_ns);

  /// True if the client may read the engine of that number.
  [[nodiscard]] bool may_read(const Request& request, std::size_t engine) const;

  /// For changes: a client that may change one engine is admitted.
  [[nodiscard]] std::optional<Answer> refuse_change(const Request& request, std::int64_t steady_ns);

  /// True if the client may change the engine of that number.
  [[nodiscard]] bool may_change(const Request& request, std::size_t engine) const;

  /// Name of the request's token for that engine; empty: it has no name, or there is no token.
  [[nodiscard]] std::string name_of(const Request& request, std::size_t engine) const;

 private:
  [[nodiscard]] admin::Role role_of(const Request& request, std::size_t engine) const;
  [[nodiscard]] Answer refuse_token(const Request& request, std::int64_t steady_ns);

  const AccessRules rules_;
  std::mutex mutex_;
  std::int64_t window_begin_ns_ = 0;
  int wrong_tokens_ = 0;
};

/// The token of `Authorization: Bearer TOKEN`; empty: none.
[[nodiscard]] std::string_view bearer_token(std::string_view authorization) noexcept;

}  // namespace affix::inline v0::tools::monitor
