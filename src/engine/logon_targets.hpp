// SPDX-License-Identifier: MIT
// The sessions and templates of a server group that a Logon may name, and which of them it names.
#pragma once

#include "affix/config/configuration.hpp"
#include "affix/host/session_handle.hpp"
#include "affix/net/address_set.hpp"
#include "affix/wire/view.hpp"

#include "config/identity.hpp"
#include "config/session_template.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace affix::inline v0::engine {

/// A session that a Logon may name, with its data from the time it was added: the gate never
/// reads the session itself, which belongs to its worker.
struct LogonTarget {
  host::SessionHandle session;
  config::FinerIds finer{};
  std::string tls_peer{};
  std::shared_ptr<const net::AddressSet> allowed{};  ///< Null: any address.
  std::int64_t logon_timeout_ns = 0;
};

/// Template for sessions of Logons that match no target.
struct LogonTemplate {
  std::string name;
  config::SessionIds patterns{};
  std::string tls_peer{};
  std::shared_ptr<const net::AddressSet> allowed{};  ///< Null: any address.
  std::int64_t logon_timeout_ns = 0;
};

/// A session of a failover group: it is a target only while this node leads the group.
struct FailoverTarget {
  std::string session;
  std::string group;
  config::FinerIds finer{};
};

/// Target of the session with these settings.
[[nodiscard]] LogonTarget logon_target_for(host::SessionHandle session,
                                           const config::SessionSettings& settings);

[[nodiscard]] LogonTemplate logon_template_for(const config::SessionSettings& settings);

/// One thread.
class LogonTargets {
 public:
  /// The template that a Logon matches, and the ids of its session.
  struct TemplateMatch {
    const LogonTemplate* made_from = nullptr;  ///< Until the templates change.
    config::SessionIds ids{};
  };

  /// `fixed_timeout_ns`: time for every Logon; 0: the longest of its sessions'.
  explicit LogonTargets(std::int64_t fixed_timeout_ns) noexcept
      : fixed_timeout_ns_(fixed_timeout_ns) {}

  void admit(const LogonTarget& target);
  void withdraw(host::SessionHandle session);

  /// Replaces all templates.
  void set_templates(std::vector<LogonTemplate> templates);

  /// Adds a session that may be led by another node.
  void add_failover(const config::SessionSettings& settings, const std::string& group);

  /// Time that a connection has for its Logon. Never shortened: one of the earlier or present
  /// sessions had it.
  [[nodiscard]] std::int64_t timeout_ns() const noexcept {
    return fixed_timeout_ns_ != 0 ? fixed_timeout_ns_ : longest_timeout_ns_;
  }

  /// The session whose ids fit best.
  [[nodiscard]] std::optional<LogonTarget> target_of(const wire::MessageView& logon) const noexcept;

  /// The first template that matches.
  [[nodiscard]] std::optional<TemplateMatch> template_of(const wire::MessageView& logon) const;

  /// For a Logon without a target: the session of a failover group that it means; null: none.
  [[nodiscard]] const FailoverTarget* failover_target_of(
      const wire::MessageView& logon) const noexcept;

  /// Explains to operators why a Logon names no session here.
  [[nodiscard]] std::string why_none(const wire::MessageView& logon) const;

 private:
  void take_timeout(std::int64_t logon_timeout_ns) noexcept {
    longest_timeout_ns_ = std::max(longest_timeout_ns_, logon_timeout_ns);
  }

  const std::int64_t fixed_timeout_ns_;
  std::int64_t longest_timeout_ns_ = 0;
  std::unordered_multimap<std::string, LogonTarget> sessions_;     // By identity_key().
  std::unordered_multimap<std::string, FailoverTarget> failover_;  // By identity_key().
  std::vector<LogonTemplate> templates_;                           // In their order.
};

}  // namespace affix::inline v0::engine
