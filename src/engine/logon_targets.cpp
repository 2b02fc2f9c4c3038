// SPDX-License-Identifier: MIT
// Looks a Logon's identity up among sessions and templates.
#include "engine/logon_targets.hpp"

#include "affix/base/time.hpp"
#include "affix/net/address_set.hpp"

#include "engine/unknown_peer.hpp"

namespace affix::inline v0::engine {

namespace {

/// The one whose ids fit best; null: none fits.
template <typename Target>
const Target* best_of(const std::unordered_multimap<std::string, Target>& targets,
                      const wire::MessageView& logon) noexcept {
  const auto [begin, end] = targets.equal_range(config::identity_key(logon));
  const Target* best = nullptr;
  int best_fit = -1;
  for (auto candidate = begin; candidate != end; ++candidate) {
    const int fit = config::identity_fit(candidate->second.finer, logon);
    if (fit > best_fit) {
      best = &candidate->second;
      best_fit = fit;
    }
  }
  return best;
}

}  // namespace

LogonTarget logon_target_for(host::SessionHandle session, const config::SessionSettings& settings) {
  LogonTarget target{.session = session,
                     .finer = config::finer_ids(settings),
                     .tls_peer = settings.tls_peer,
                     .logon_timeout_ns = settings.logon_timeout_seconds * base::ns_per_second};
  if (!settings.allowed_peer_addresses.empty()) {
    // check_session() has validated the set.
    target.allowed = std::make_shared<const net::AddressSet>(
        net::AddressSet::parse(settings.allowed_peer_addresses).value_or(net::AddressSet()));
  }
  return target;
}

LogonTemplate logon_template_for(const config::SessionSettings& settings) {
  LogonTarget target = logon_target_for({}, settings);
  return {.name = settings.name,
          .patterns = config::ids_of(settings),
          .tls_peer = std::move(target.tls_peer),
          .allowed = std::move(target.allowed),
          .logon_timeout_ns = target.logon_timeout_ns};
}

void LogonTargets::admit(const LogonTarget& target) {
  const host::SessionHandle session = target.session;
  sessions_.emplace(config::identity_key(session.begin_string(), session.sender_comp_id(),
                                         session.target_comp_id()),
                    target);
  take_timeout(target.logon_timeout_ns);
}

void LogonTargets::withdraw(host::SessionHandle session) {
  std::erase_if(sessions_,
                [session](const auto& entry) { return entry.second.session == session; });
}

void LogonTargets::set_templates(std::vector<LogonTemplate> templates) {
  templates_ = std::move(templates);
  for (const LogonTemplate& one : templates_) {
    take_timeout(one.logon_timeout_ns);
  }
}

void LogonTargets::add_failover(const config::SessionSettings& settings, const std::string& group) {
  failover_.emplace(config::identity_key(settings),
                    FailoverTarget{settings.name, group, config::finer_ids(settings)});
  take_timeout(settings.logon_timeout_seconds * base::ns_per_second);
}

std::optional<LogonTarget> LogonTargets::target_of(const wire::MessageView& logon) const noexcept {
  const LogonTarget* const best = best_of(sessions_, logon);
  return best != nullptr ? std::optional(*best) : std::nullopt;
}

const FailoverTarget* LogonTargets::failover_target_of(
    const wire::MessageView& logon) const noexcept {
  return best_of(failover_, logon);
}

std::optional<LogonTargets::TemplateMatch> LogonTargets::template_of(
    const wire::MessageView& logon) const {
  for (const LogonTemplate& one : templates_) {
    if (std::optional<config::SessionIds> ids = config::ids_for(one.patterns, logon)) {
      return TemplateMatch{&one, std::move(*ids)};
    }
  }
  return std::nullopt;
}

std::string LogonTargets::why_none(const wire::MessageView& logon) const {
  std::vector<host::SessionHandle> sessions;
  sessions.reserve(sessions_.size());
  for (const auto& [key, target] : sessions_) {
    sessions.push_back(target.session);
  }
  std::vector<config::SessionIds> templates;
  templates.reserve(templates_.size());
  for (const LogonTemplate& one : templates_) {
    templates.push_back(one.patterns);
  }
  return why_no_session(logon, sessions, templates);
}

}  // namespace affix::inline v0::engine
