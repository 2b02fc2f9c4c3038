// SPDX-License-Identifier: MIT
// Checks of session groups: values, lists, keys that need or contradict each other, keys without an
// effect.
#include "config/session_checks.hpp"

#include "affix/base/text.hpp"
#include "affix/net/address_set.hpp"
#include "affix/tls/tls_peer.hpp"

#include "config/credential_check.hpp"
#include "config/key_tables.hpp"
#include "config/resend_rules.hpp"
#include "config/schedule_text.hpp"
#include "config/session_options.hpp"
#include "config/session_template.hpp"
#include "config/validation_rules.hpp"
#include "config/value_checks.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace affix::inline v0::config {

namespace {

bool is_fixt(const SessionSettings& settings) noexcept {
  return version_of(settings) == session::Version::Fixt11;
}

/// ApplVerID has the values 0 (FIX27) to 9 (FIX.5.0 SP2) and 10 (FIX Latest).
bool is_appl_ver_id(std::string_view text) noexcept {
  const auto number = base::parse_number<unsigned>(text);
  return number && *number <= 10 && (text.size() == 1 || text.front() != '0');
}

void check_identity(const SessionSettings& settings, Findings& findings) {
  for (const auto& [key, value] :
       {std::pair<std::string_view, const std::string&>("begin_string", settings.begin_string),
        std::pair<std::string_view, const std::string&>("sender_comp_id", settings.sender_comp_id),
        std::pair<std::string_view, const std::string&>("target_comp_id",
                                                        settings.target_comp_id)}) {
    if (value.empty()) {
      findings.missing(key);
    }
  }
  const std::string& version = settings.default_app_ver_id;
  if (!version.empty() && !is_appl_ver_id(version)) {
    findings.wrong("default_app_ver_id",
                   "'" + version +
                       "' is not an ApplVerID, a number from 0 to 10 (7, 8 or 9 for "
                       "FIX.5.0, SP1, SP2)",
                   "C226");
  }
  if (!findings.stand({"begin_string", "default_app_ver_id"})) {
    return;
  }
  if (is_fixt(settings) && version.empty()) {
    findings.wrong_as_said({},
                           "speaks FIXT.1.1 and needs key 'default_app_ver_id' (7, 8 or 9 for "
                           "FIX.5.0, SP1, SP2)",
                           "C226");
  } else if (!version.empty() && !is_fixt(settings)) {
    findings.no_effect("default_app_ver_id",
                       "only FIXT.1.1 sessions have it, and this is " + settings.begin_string);
  }
}

/// Checks combinations of dictionary keys. The files themselves are read when the engine opens.
void check_dictionaries(const SessionSettings& settings, Findings& findings) {
  if (!findings.stand({"begin_string"})) {
    return;
  }
  for (const auto& [key, value] : {std::pair<std::string_view, const std::string&>(
                                       "transport_dictionary", settings.transport_dictionary),
                                   std::pair<std::string_view, const std::string&>(
                                       "further_dictionaries", settings.further_dictionaries)}) {
    if (value.empty() || !findings.stand({key, "dictionary"})) {
      continue;
    }
    if (!is_fixt(settings)) {
      findings.wrong_as_said(key, "key '" + std::string(key) + "' is for FIXT.1.1 sessions only",
                             "C226");
    } else if (settings.dictionary.empty()) {
      findings.wrong_as_said(key, "key '" + std::string(key) + "' needs key 'dictionary' too",
                             "C226");
    }
  }
  if (is_fixt(settings) && !settings.dictionary.empty() &&
      findings.stand({"dictionary", "transport_dictionary"}) &&
      settings.transport_dictionary.empty()) {
    findings.wrong_as_said(
        "dictionary", "key 'dictionary' needs key 'transport_dictionary' too in a FIXT.1.1 session",
        "C226");
  }
}

/// Checks texts that are lists.
void check_lists(const SessionSettings& settings, Findings& findings) {
  const auto check = [&findings](std::string_view key, const auto& read) {
    if (!read) {
      findings.wrong(key, read.error());
    }
  };
  const auto report = [&findings](const std::vector<ScheduleFault>& faults) {
    for (const ScheduleFault& fault : faults) {
      findings.wrong(fault.key, fault.message, fault.code, fault.where);
    }
  };
  check("allowed_peer_addresses", net::AddressSet::parse(settings.allowed_peer_addresses));
  check("validation_rules", validation_rules_of(settings));
  check("resend_policy", resend_rules_of(settings));
  check("secret_tags", secret_tags_of(settings));
  check("additional_static_header_tags", encode_static_header(settings));
  check("daily_reset_utc", daily_reset_of(settings));
  if (!findings.stand({"start_hour_utc", "start_minute_utc", "end_hour_utc", "end_minute_utc"})) {
    report(schedule_text_faults(settings));
  } else if (const auto schedule = schedule_of(settings); !schedule) {
    report(schedule.error());
  }
  if (const auto rules = tls::parse_tls_peer_rules(settings.tls_peer); !rules) {
    findings.wrong("tls_peer", rules.error().message, "T116");
  }
}

void check_together(const SessionSettings& settings, Findings& findings) {
  if (findings.stand({"heartbeat_interval_seconds_max", "heartbeat_interval_seconds_min"}) &&
      settings.heartbeat_interval_seconds_max < settings.heartbeat_interval_seconds_min) {
    findings.wrong_together("heartbeat_interval_seconds_max",
                            std::to_string(settings.heartbeat_interval_seconds_max) +
                                " is below heartbeat_interval_seconds_min, " +
                                std::to_string(settings.heartbeat_interval_seconds_min),
                            "C239");
  }
  if (!settings.daily_reset_utc.empty() && findings.stand({"begin_string"}) &&
      version_of(settings) == session::Version::Fix40) {
    findings.wrong_together("daily_reset_utc", "FIX.4.0 has no ResetSeqNumFlag (141)", "C232");
  }
  if (settings.send_while_disconnected == session::SendWhileDown::Queue &&
      !settings.daily_reset_utc.empty() && findings.stand({"daily_reset_utc", "reset_start"}) &&
      settings.reset_start != session::ResetStart::InSync) {
    findings.wrong_as_said("send_while_disconnected",
                           "send_while_disconnected=QUEUE and daily_reset_utc need "
                           "reset_start=IN_SYNC: a reset at once after a logon would lose the "
                           "messages that were queued before it",
                           "C237");
  }
  if (settings.send_while_disconnected == session::SendWhileDown::Queue &&
      findings.stand({"durability"}) &&
      (settings.durability == journal::Durability::Memory ||
       settings.max_serialised_file_size == 0)) {
    findings.wrong_as_said("send_while_disconnected",
                           "send_while_disconnected=QUEUE needs a journal that keeps messages: "
                           "another durability than memory and max_serialised_file_size above 0",
                           "C237");
  }
  if (settings.store_order == StoreOrder::AfterSend &&
      settings.durability == journal::Durability::Sync) {
    findings.wrong_as_said("store_order",
                           "store_order=after_send contradicts durability=sync, which sends "
                           "nothing that is not on the disk",
                           "C240");
  }
  if (settings.journal_path.empty() && findings.stand({"durability", "journal_path"}) &&
      settings.durability != journal::Durability::Memory) {
    findings.wrong_as_said("journal_path",
                           "key 'journal_path' must have a value: '.' is the working directory",
                           "C244");
  }
  if (settings.acceptor_template) {
    if (const auto right = check_template(settings); !right) {
      findings.wrong_as_said({}, right.error().message, right.error().message_code);
    }
  }
}

void check_role(const SessionSettings& settings, session::Role role, Findings& findings) {
  if (const auto right = check_credentials(settings, role == session::Role::Initiator);
      !right && findings.stand({"logon_password", "logon_password_hash"})) {
    findings.wrong_as_said("logon_password_hash", right.error().message,
                           right.error().message_code);
  }
  if (role == session::Role::Acceptor) {
    return;
  }
  if (!settings.allowed_peer_addresses.empty() && findings.stand({"allowed_peer_addresses"})) {
    findings.wrong_as_said(
        "allowed_peer_addresses",
        "key 'allowed_peer_addresses' is for peers that connect, and this session "
        "connects itself",
        "C230");
  }
  if (!findings.stand({"throttle_direction"}) || !throttle_limits_sends(settings, role)) {
    return;
  }
  if (findings.stand({"throttle_limit", "send_throttle_limit"}) && settings.throttle_limit != 0 &&
      settings.send_throttle_limit != 0) {
    findings.wrong_as_said("send_throttle_limit",
                           "in a client's session throttle_limit is a limit on sends, as "
                           "send_throttle_limit is: give one of them, or "
                           "throttle_direction=RECEIVED",
                           "C238");
  }
  if (findings.stand({"throttle_action", "throttle_limit"}) && settings.throttle_limit != 0 &&
      settings.throttle_action != session::ThrottleAction::Wait) {
    findings.no_effect(
        "throttle_action",
        "in a client's session throttle_limit is a limit on sends, and "
        "send_throttle_action decides about the messages above it; throttle_direction="
        "RECEIVED makes it one on received messages",
        "C212");
  }
}

/// A key that only counts if another, or one of two others, has a value.
struct Dependent {
  std::string_view key;
  std::string_view on;
  std::string_view or_on;
  bool (*is_used)(const SessionSettings& settings);
  std::string_view why;
};

bool is_validated(const SessionSettings& settings) noexcept {
  return !settings.dictionary.empty() && settings.validations_enabled;
}

bool is_throttled(const SessionSettings& settings) noexcept {
  return settings.throttle_limit != 0;
}

constexpr std::string_view why_not_validated =
    "messages are judged by these rules only with key 'dictionary' and validations_enabled";
constexpr std::string_view why_not_throttled = "no throttle_limit is set";

// validation_place is not among them: it also places the rules that need no dictionary.
constexpr std::array dependents{
    Dependent{"validation_rules", "dictionary", "validations_enabled", &is_validated,
              why_not_validated},
    Dependent{"validation_preset", "dictionary", "validations_enabled", &is_validated,
              why_not_validated},
    Dependent{"validate_repeating_groups", "dictionary", "validations_enabled", &is_validated,
              why_not_validated},
    Dependent{"validation_order", "dictionary", "validations_enabled", &is_validated,
              why_not_validated},
    Dependent{"throttle_window_in_milliseconds", "throttle_limit", "throttle_limit", &is_throttled,
              why_not_throttled},
    Dependent{"throttle_action", "throttle_limit", "throttle_limit", &is_throttled,
              why_not_throttled},
    Dependent{"throttler_reject_message", "throttle_limit", "throttle_limit", &is_throttled,
              why_not_throttled},
    Dependent{"send_throttle_window_in_milliseconds", "send_throttle_limit", "send_throttle_limit",
              [](const SessionSettings& s) { return s.send_throttle_limit != 0; },
              "no send_throttle_limit is set"},
    // In a client's session throttle_limit is one on sends, and has this action too.
    Dependent{"send_throttle_action", "send_throttle_limit", "throttle_limit",
              [](const SessionSettings& s) {
                return s.send_throttle_limit != 0 || s.throttle_limit != 0;
              },
              "no send_throttle_limit is set"},
    Dependent{"template_sessions_max", "acceptor_template", "acceptor_template",
              [](const SessionSettings& s) { return s.acceptor_template; },
              "the group is not a template (acceptor_template)"},
    Dependent{"template_retire_seconds", "acceptor_template", "acceptor_template",
              [](const SessionSettings& s) { return s.acceptor_template; },
              "the group is not a template (acceptor_template)"},
    Dependent{"second_logon_probe_milliseconds", "second_logon", "second_logon",
              [](const SessionSettings& s) { return s.second_logon == SecondLogon::Probe; },
              "it is for second_logon=PROBE"},
    Dependent{"cancel_on_disconnect_grace_milliseconds", "cancel_on_disconnect",
              "cancel_on_disconnect_tags",
              [](const SessionSettings& s) {
                return s.cancel_on_disconnect != CancelOnDisconnect::Off ||
                       s.cancel_on_disconnect_tags;
              },
              "cancel_on_disconnect is OFF"},
    Dependent{"send_queue_max", "send_while_disconnected", "send_while_disconnected",
              [](const SessionSettings& s) {
                return s.send_while_disconnected == session::SendWhileDown::Queue;
              },
              "it is for send_while_disconnected=QUEUE"},
    Dependent{"group_interval_milliseconds", "durability", "durability",
              [](const SessionSettings& s) { return s.durability == journal::Durability::Group; },
              "it is for durability=group"},
    Dependent{"journal_keep_hours", "durability", "durability",
              [](const SessionSettings& s) { return s.durability != journal::Durability::Memory; },
              "durability=memory keeps nothing on the disk"},
    Dependent{"journal_keep_days", "durability", "durability",
              [](const SessionSettings& s) { return s.durability != journal::Durability::Memory; },
              "durability=memory keeps nothing on the disk"},
    Dependent{"journal_keep_bytes", "durability", "durability",
              [](const SessionSettings& s) { return s.durability != journal::Durability::Memory; },
              "durability=memory keeps nothing on the disk"},
    Dependent{"journal_archive_path", "durability", "durability",
              [](const SessionSettings& s) { return s.durability != journal::Durability::Memory; },
              "durability=memory keeps nothing on the disk"},
};

/// A file's keys start from the profile; settings made by a program do so only on request.
void check_profile(const SessionSettings& settings, const SessionSettings& standard,
                   Findings& findings) {
  if (settings.profile == standard.profile || !findings.stand({"profile"})) {
    return;
  }
  const SessionSettings begun = settings_of_profile(settings.profile);
  bool starts_from_it = false;
  for_each_table<SessionSettings>([&](const auto& table) {
    for (const auto& key : table) {
      starts_from_it =
          starts_from_it || (key.reload != KeyReload::WithOthers &&
                             !same_value(key, begun, standard) && same_value(key, begun, settings));
    }
  });
  if (!starts_from_it) {
    findings.no_effect("profile",
                       "no other key is as the profile presets it; a program begins with "
                       "settings_of_profile()");
  }
}

void find_idle(const SessionSettings& settings, const SessionSettings& standard,
               Findings& findings) {
  for (const Dependent& dependent : dependents) {
    if (!findings.stand({dependent.key, dependent.on, dependent.or_on}) ||
        dependent.is_used(settings)) {
      continue;
    }
    const auto keys = session_keys();
    const auto key =
        std::ranges::find(keys, dependent.key, &ConfigurationKey<SessionSettings>::name);
    if (key == keys.end() || same_value(*key, settings, standard)) {
      continue;
    }
    // Values that a profile presets were not asked for one by one.
    if (!same_value(*key, settings, settings_of_profile(settings.profile))) {
      findings.no_effect(key->name, std::string(dependent.why));
    }
  }
}

}  // namespace

void check_session_group(const SessionSettings& settings, std::optional<session::Role> role,
                         Findings& findings) {
  findings.look_at(GroupKind::Session, settings.name);
  const std::size_t before = findings.count();
  const SessionSettings standard;
  check_values(settings, standard, findings);
  check_identity(settings, findings);
  check_dictionaries(settings, findings);
  check_lists(settings, findings);
  check_together(settings, findings);
  if (role) {
    check_role(settings, *role, findings);
  }
  check_profile(settings, standard, findings);
  find_idle(settings, standard, findings);
  if (!findings.all_stand() || findings.any_wrong(before)) {
    return;
  }
  // The remaining rules are the protocol's own, reported in its words.
  if (const auto texts = session_texts(settings)) {
    const auto options = session_options(settings, *texts, role.value_or(session::Role::Acceptor));
    if (const auto fault = session::option_fault(options); fault != session::OptionFault::None) {
      findings.wrong_as_said({}, session::to_text(fault), "C242");
    }
  }
}

Problems check_session(const SessionSettings& settings, session::Role role) {
  Findings findings;
  check_session_group(settings, role, findings);
  return problems_of(findings.take());
}

}  // namespace affix::inline v0::config
