// SPDX-License-Identifier: MIT
// Parses `type:ACTION` lists.
#include "config/resend_rules.hpp"

#include "affix/base/time.hpp"
#include "affix/session/admin.hpp"

#include "config/list_text.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

namespace affix::inline v0::config {

namespace {

struct Unit {
  std::string_view name;
  std::int64_t ns;
};

constexpr Unit units[] = {{"ms", base::ns_per_ms},
                          {"s", base::ns_per_second},
                          {"m", 60 * base::ns_per_second},
                          {"h", 3'600 * base::ns_per_second}};

/// A year: a larger age is a mistake.
constexpr std::int64_t age_max_ns = 365 * 86'400 * base::ns_per_second;

/// `500ms`, `5s`, `2m`, `1h`; above 0.
std::optional<std::int64_t> age_of(std::string_view text) noexcept {
  std::int64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  const std::string_view name = text.substr(static_cast<std::size_t>(end - text.data()));
  const auto* const unit =
      std::find_if(std::begin(units), std::end(units),
                   [name](const Unit& candidate) { return candidate.name == name; });
  if (error != std::errc{} || unit == std::end(units) || count <= 0 ||
      count > age_max_ns / unit->ns) {
    return std::nullopt;
  }
  return count * unit->ns;
}

std::optional<session::ResendPolicy> policy_of(std::string_view action) noexcept {
  constexpr std::string_view younger = "YOUNGER_THAN_";
  if (action == "REPLAY") {
    return session::ResendPolicy{session::ResendAction::Replay, 0};
  }
  if (action == "GAP_FILL") {
    return session::ResendPolicy{session::ResendAction::GapFill, 0};
  }
  if (!action.starts_with(younger)) {
    return std::nullopt;
  }
  const auto age = age_of(action.substr(younger.size()));
  return age ? std::optional(session::ResendPolicy{session::ResendAction::ReplayIfYounger, *age})
             : std::nullopt;
}

}  // namespace

std::expected<ResendRules, base::Error> resend_rules_of(const SessionSettings& settings) {
  ResendRules read;
  bool otherwise_given = false;
  std::string_view rest = settings.resend_policy;
  while (!rest.empty()) {
    const std::string_view piece = take_piece(rest);
    const std::size_t colon = std::min(piece.find(':'), piece.size());
    const std::string_view type = base::trimmed(piece.substr(0, colon));
    const auto policy = policy_of(base::trimmed(piece.substr(std::min(colon + 1, piece.size()))));
    if (type.empty() || !policy) {
      return base::invalid_argument(
          "'" + std::string(piece) +
              "' is not type:ACTION with one of REPLAY, GAP_FILL, YOUNGER_THAN_5s "
              "(ms, s, m, h)",
          "C236");
    }
    if (session::is_admin(type)) {
      return base::invalid_argument(
          "'" + std::string(piece) + "' is about a session message, which is never resent", "C236");
    }
    const bool twice =
        type == "*" ? otherwise_given
                    : std::any_of(read.rules.begin(), read.rules.end(),
                                  [&](const session::ResendRule& one) { return one.type == type; });
    if (twice) {
      return base::invalid_argument("type '" + std::string(type) + "' comes twice", "C236");
    }
    if (type == "*") {
      otherwise_given = true;
      read.otherwise = *policy;
    } else {
      read.rules.push_back({type, *policy});
    }
  }
  return read;
}

}  // namespace affix::inline v0::config
