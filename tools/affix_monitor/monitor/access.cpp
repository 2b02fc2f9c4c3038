// SPDX-License-Identifier: MIT
// Checks access, the cheapest check first.
#include "monitor/access.hpp"

#include "affix/base/text.hpp"
#include "affix/base/time.hpp"
#include "affix/net/address.hpp"

#include <algorithm>

namespace affix::inline v0::tools::monitor {

namespace {

constexpr std::int64_t attempts_window_ns = 10 * base::ns_per_second;
constexpr int wrong_tokens_max = 20;

/// "example.org" of "example.org:8080"; brackets of IPv6 stay.
std::string_view without_port(std::string_view host) noexcept {
  const std::size_t colon = host.rfind(':');
  const std::size_t bracket = host.rfind(']');
  const bool has_port =
      colon != std::string_view::npos && (bracket == std::string_view::npos || colon > bracket);
  return has_port ? host.substr(0, colon) : host;
}

/// True if the request was made by another site's page.
bool is_foreign(const Request& request) noexcept {
  if (!request.fetch_site.empty() && request.fetch_site != "same-origin" &&
      request.fetch_site != "none") {
    return true;
  }
  if (request.origin.empty()) {
    return false;
  }
  const std::size_t scheme = request.origin.find("://");
  return scheme == std::string::npos ||
         !base::is_same_word(std::string_view(request.origin).substr(scheme + 3), request.host);
}

}  // namespace

std::string_view bearer_token(std::string_view authorization) noexcept {
  constexpr std::string_view scheme = "bearer ";
  if (authorization.size() <= scheme.size() ||
      !base::is_same_word(authorization.substr(0, scheme.size()), scheme)) {
    return {};
  }
  const std::string_view token = authorization.substr(scheme.size());
  return token.substr(std::min(token.size(), token.find_first_not_of(' ')));
}

std::optional<Answer> Access::refuse_host(const Request& request) const {
  const std::string_view name = without_port(request.host);
  // A name can be made to resolve to any address; a numeric address cannot.
  const bool numeric = net::Address::parse(std::string(name) + ":0").has_value() && name != "*";
  const bool ours = numeric || base::is_same_word(name, "localhost") ||
                    std::ranges::any_of(rules_.hosts, [&](const std::string& host) {
                      return base::is_same_word(host, name);
                    });
  if (ours) {
    return std::nullopt;
  }
  return refuse(421,
                "this monitor is not called '" + std::string(name.substr(0, 200)) +
                    "'; --host NAME gives it a name",
                "M108");
}

Answer Access::refuse_token(const Request& request, std::int64_t steady_ns) {
  if (bearer_token(request.authorization).empty()) {
    return refuse(401, "a token is needed", "M106");
  }
  const std::lock_guard lock(mutex_);
  if (steady_ns - window_begin_ns_ > attempts_window_ns) {
    window_begin_ns_ = steady_ns;
    wrong_tokens_ = 0;
  }
  if (++wrong_tokens_ > wrong_tokens_max) {
    return refuse(429, "too many wrong tokens", "M107");
  }
  return refuse(401, "the token is wrong", "M106");
}

admin::Role Access::role_of(const Request& request, std::size_t engine) const {
  return rules_.engines[engine].tokens.role_of(bearer_token(request.authorization));
}

std::string Access::name_of(const Request& request, std::size_t engine) const {
  const std::string_view token = bearer_token(request.authorization);
  return std::string(rules_.engines[engine].tokens.bearer_of(token).name);
}

bool Access::may_read(const Request& request, std::size_t engine) const {
  return !rules_.engines[engine].reads_need_token || role_of(request, engine) != admin::Role::None;
}

bool Access::may_change(const Request& request, std::size_t engine) const {
  return rules_.operate && role_of(request, engine) == admin::Role::Operate;
}

std::optional<Answer> Access::refuse_read(const Request& request, std::int64_t steady_ns) {
  if (is_foreign(request)) {
    return refuse(403, "another site's page may not read this", "M109");
  }
  bool may = false;
  for (std::size_t engine = 0; engine < rules_.engines.size(); ++engine) {
    may = may_read(request, engine) || may;
  }
  return may ? std::nullopt : std::optional(refuse_token(request, steady_ns));
}

std::optional<Answer> Access::refuse_change(const Request& request, std::int64_t steady_ns) {
  if (!rules_.operate) {
    return refuse(403, "this monitor was started without --operate", "M120");
  }
  if (is_foreign(request)) {
    return refuse(403, "another site's page may not do this", "M109");
  }
  bool may = false;
  bool known = false;
  for (std::size_t engine = 0; engine < rules_.engines.size(); ++engine) {
    may = may_change(request, engine) || may;
    known = role_of(request, engine) != admin::Role::None || known;
  }
  if (may) {
    return std::nullopt;
  }
  return known ? refuse(403, "this is the token for reading", "M106")
               : refuse_token(request, steady_ns);
}

}  // namespace affix::inline v0::tools::monitor
