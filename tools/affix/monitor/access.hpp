// SPDX-License-Identifier: MIT
// Who may ask for what: the host that a request names, the page it comes from, its token.
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

/// Of one engine: the tokens of its administration port.
struct EngineAccess {
  admin::Tokens tokens{};
  bool reads_need_token = false;
};

struct AccessRules {
  std::vector<std::string> hosts{};     ///< Names beside localhost and numeric addresses.
  std::vector<EngineAccess> engines{};  ///< In the fleet's order.
  bool operate = false;
};

/// Any thread. Every function gives the answer that refuses the request, or nothing.
class Access {
 public:
  explicit Access(AccessRules rules) : rules_(std::move(rules)) {}

  /// Of every request: a Host that is not ours would be somebody's name that leads here, so that
  /// his page could read what it should not.
  [[nodiscard]] std::optional<Answer> refuse_host(const Request& request) const;

  /// Of what only reads. Who may see one engine is let in, and sees that one.
  [[nodiscard]] std::optional<Answer> refuse_read(const Request& request, std::int64_t steady_ns);

  /// Whether it may see the engine of that number.
  [[nodiscard]] bool may_read(const Request& request, std::size_t engine) const;

  /// Of what changes something: who may change one engine is let in.
  [[nodiscard]] std::optional<Answer> refuse_change(const Request& request, std::int64_t steady_ns);

  /// Whether it may change the engine of that number.
  [[nodiscard]] bool may_change(const Request& request, std::size_t engine) const;

  /// Whose token of that engine it shows; empty: one that names nobody, or none.
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
