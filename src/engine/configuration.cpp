// SPDX-License-Identifier: MIT
// Groups of a file to settings: values to members, and the checks between keys and between groups.
#include "affix/engine/configuration.hpp"

#include "engine/address_keys.hpp"
#include "engine/application_checks.hpp"
#include "engine/client_addresses.hpp"
#include "engine/configuration_files.hpp"
#include "engine/configuration_keys.hpp"
#include "engine/group_kinds.hpp"
#include "engine/key_tables.hpp"
#include "engine/management_keys.hpp"
#include "engine/measured_number.hpp"
#include "engine/read_configuration.hpp"
#include "engine/resend_rules.hpp"
#include "engine/schedule_text.hpp"
#include "engine/session_options.hpp"
#include "engine/session_template.hpp"
#include "engine/tls_groups.hpp"
#include "engine/validation_rules.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace affix::inline v0::engine {

namespace {

std::optional<bool> boolean_of(std::string_view value) {
  const std::string word = lowered(value);
  if (word == "true" || word == "yes" || word == "y" || word == "1") {
    return true;
  }
  if (word == "false" || word == "no" || word == "n" || word == "0") {
    return false;
  }
  return std::nullopt;
}

bool is_choice(std::string_view allowed, std::string_view value) {
  while (!allowed.empty()) {
    const std::size_t bar = std::min(allowed.find('|'), allowed.size());
    if (allowed.substr(0, bar) == value) {
      return true;
    }
    allowed.remove_prefix(std::min(bar + 1, allowed.size()));
  }
  return false;
}

template <typename Target, typename Base>
void assign(const ConfigurationKey<Base>& key, const Entry& entry, Target& target, Report& report) {
  const std::string said = "key '" + entry.key + "': '" + entry.value + "' ";
  if (const auto* flag = std::get_if<bool Base::*>(&key.member)) {
    const std::optional<bool> value = boolean_of(entry.value);
    if (!value) {
      report.add(entry.line, said + "is not one of true, false");
      return;
    }
    target.*(*flag) = *value;
  } else if (const auto* number = std::get_if<std::int64_t Base::*>(&key.member)) {
    if (entry.value.empty() && target.*(*number) < key.minimum) {
      return;  // Without a value it is what it is without the key: nothing.
    }
    const Measure measure = measure_of_key(key.name);
    const auto value = read_number(entry.value, measure);
    if (!value && value.error() == NumberFault::NotWhole) {
      report.add(entry.line, said + "is no whole number of " + std::string(plural_of(measure)));
      return;
    }
    if (!value || *value < key.minimum || *value > key.maximum) {
      const std::string units(units_of(measure));
      report.add(entry.line, said + "is not a number from " + std::to_string(key.minimum) + " to " +
                                 std::to_string(key.maximum) +
                                 (units.empty() ? "" : ", or one with a unit: " + units));
      return;
    }
    target.*(*number) = *value;
  } else {
    if (!key.allowed.empty() && !is_choice(key.allowed, entry.value)) {
      report.add(entry.line, said + "is not one of " + std::string(key.allowed));
      return;
    }
    target.*std::get<std::string Base::*>(key.member) = entry.value;
  }
}

template <typename Target>
bool assign_entry(const Entry& entry, Target& target, Report& report) {
  bool found = false;
  for_each_table<Target>([&](const auto& keys) {
    for (const auto& key : keys) {
      if (key.name == entry.key) {
        found = true;
        assign(key, entry, target, report);
      }
    }
  });
  return found;
}

void report_unknown(const KnownGroup& known, const Entry& entry, Report& report) {
  const auto absent = absent_keys();
  const auto found = std::find_if(absent.begin(), absent.end(),
                                  [&](const AbsentKey& key) { return key.name == entry.key; });
  if (found == absent.end()) {
    report.add(entry.line, "key '" + entry.key + "' is not known in [" + known.group.name + "]" +
                               suggestion_for(known.kind, entry.key));
  } else if (entry.value != found->off_value) {
    report.warn(entry.line,
                "key '" + entry.key + "' has no effect: " + std::string(found->instead));
  }
}

/// What `settings` become by the group's keys.
template <typename Settings>
Settings filled(const KnownGroup& known, Report& report, Settings settings = {}) {
  for (const Entry& entry : known.group.entries) {
    // A faulty one has been reported, and has no value.
    if (entry.key != "type" && !entry.faulty && !assign_entry(entry, settings, report)) {
      report_unknown(known, entry, report);
    }
  }
  return settings;
}

void require(const Group& group, std::initializer_list<std::string_view> keys, Report& report) {
  for (const std::string_view key : keys) {
    const Entry* entry = group.find(key);
    if (entry == nullptr) {
      report.add(group.line, "[" + group.name + "] needs key '" + std::string(key) + "'");
    } else if (entry->value.empty() && !entry->faulty) {
      report.add(entry->line, "key '" + std::string(key) + "' must have a value");
    }
  }
}

/// Which dictionary keys go together. The files themselves are read when the engine opens.
void check_dictionaries(const Group& group, const SessionSettings& session, Report& report) {
  const auto line_of = [&](std::string_view key) {
    const Entry* entry = group.find(key);
    return entry != nullptr ? entry->line : group.line;
  };
  const bool is_fixt = session.begin_string == "FIXT.1.1";
  for (const auto& [key, value] : {std::pair<std::string_view, const std::string&>(
                                       "transport_dictionary", session.transport_dictionary),
                                   std::pair<std::string_view, const std::string&>(
                                       "further_dictionaries", session.further_dictionaries)}) {
    if (value.empty()) {
      continue;
    }
    if (!is_fixt) {
      report.add(line_of(key), "key '" + std::string(key) + "' is for FIXT.1.1 sessions only");
    } else if (session.dictionary.empty()) {
      report.add(line_of(key), "key '" + std::string(key) + "' needs key 'dictionary' too");
    }
  }
  if (is_fixt && !session.dictionary.empty() && session.transport_dictionary.empty()) {
    report.add(line_of("dictionary"),
               "key 'dictionary' needs key 'transport_dictionary' too in a FIXT.1.1 session");
  }
}

/// Texts that are lists of their own.
void check_lists(const Group& group, const SessionSettings& session, Report& report) {
  const auto check = [&](std::string_view key, const auto& read) {
    if (!read) {
      const Entry* entry = group.find(key);
      report.add(entry != nullptr ? entry->line : group.line,
                 "key '" + std::string(key) + "': " + read.error());
    }
  };
  check("allowed_peer_addresses", address_set_of(session.allowed_peer_addresses));
  check("validation_rules", validation_rules_of(session));
  check("resend_policy", resend_rules_of(session));
  check("secret_tags", secret_tags_of(session));
  check("additional_static_header_tags", encode_static_header(session));
  check("daily_reset_utc", daily_reset_of(session));
  if (const auto schedule = schedule_of(session); !schedule) {
    for (const ScheduleFault& fault : schedule.error()) {
      const Entry* entry = group.find(fault.key);
      const std::string message = "key '" + std::string(fault.key) + "': " + fault.message;
      if (fault.where.empty()) {
        report.add(entry != nullptr ? entry->line : group.line, message);
      } else {
        report.add(message, fault.where);
      }
    }
  }
  if (const auto rules = net::parse_tls_peer_rules(session.tls_peer); !rules) {
    const Entry* entry = group.find("tls_peer");
    report.add(entry != nullptr ? entry->line : group.line,
               "key 'tls_peer': " + rules.error().message);
  }
}

/// As llfix has it, -1 for one of the four switches all of them off. Who wrote it down knows; one
/// that is left out is a slip, which the schedule's own checks tell.
void switch_hours_off(const Group& group, SessionSettings& session, Report& report) {
  constexpr std::array parts{
      std::pair{"start_hour_utc", &SessionSettings::start_hour_utc},
      std::pair{"start_minute_utc", &SessionSettings::start_minute_utc},
      std::pair{"end_hour_utc", &SessionSettings::end_hour_utc},
      std::pair{"end_minute_utc", &SessionSettings::end_minute_utc},
  };
  const auto is_off = [&](const auto& part) {
    return group.find(part.first) != nullptr && session.*(part.second) < 0;
  };
  const auto* const off = std::find_if(parts.begin(), parts.end(), is_off);
  if (off == parts.end()) {
    return;
  }
  for (const auto& [key, member] : parts) {
    if (session.*member >= 0) {
      report.warn(group.find(key)->line, "key '" + std::string(key) + "' has no effect: '" +
                                             off->first + "' is -1, and the session has no hours");
      session.*member = -1;
    }
  }
}

void add_session(const KnownGroup& known, Configuration& configuration, Report& report) {
  const Group& group = known.group;
  require(group, {"begin_string", "sender_comp_id", "target_comp_id"}, report);
  // What the profile says, wherever in the group it stands, then what the group's own keys say.
  const Entry* const profile = group.find("profile");
  SessionSettings session = filled<SessionSettings>(
      known, report,
      profile == nullptr ? SessionSettings()
                         : settings_of_profile(profile->value).value_or(SessionSettings()));
  session.name = group.name;
  if (session.begin_string == "FIXT.1.1" && session.default_app_ver_id.empty()) {
    report.add(group.line, "[" + group.name +
                               "] speaks FIXT.1.1 and needs key 'default_app_ver_id' (7, 8 or 9 "
                               "for FIX.5.0, SP1, SP2)");
  }
  switch_hours_off(group, session, report);
  check_dictionaries(group, session, report);
  check_lists(group, session, report);
  if (session.journal_path.empty() && session.durability != "memory") {
    report.add(group.find("journal_path")->line,
               "key 'journal_path' must have a value: '.' is the working directory");
  }
  if (!session.acceptor_template) {
    configuration.sessions.push_back(std::move(session));
    return;
  }
  if (const std::string fault = template_fault(session); !fault.empty()) {
    report.add(group.line, "[" + group.name + "] " + fault);
  }
  configuration.templates.push_back(std::move(session));
}

/// What the TLS keys of a client or server group make together. The files themselves are read when
/// the engine opens.
void check_encryption(const Group& group, const std::string& tls,
                      const std::expected<net::TlsSettings, base::Error>& settings,
                      Report& report) {
  if (group.find("tls") == nullptr) {
    const auto given =
        std::find_if(group.entries.begin(), group.entries.end(),
                     [](const Entry& entry) { return entry.key.starts_with("tls_"); });
    if (given != group.entries.end()) {
      // Plain text is never what somebody gets who wrote down a certificate.
      report.add(given->line, "key '" + given->key + "' needs key 'tls' too, ON or OFF");
    }
  }
  if (tls != "ON") {
    return;
  }
  if (!settings) {
    report.add(group.line, "[" + group.name + "] " + settings.error().text());
  } else if (const auto checked = net::check(*settings); !checked) {
    report.add(group.line, "[" + group.name + "] " + checked.error().text());
  }
}

void check_addresses(const Group& group, const ServerSettings& server, Report& report) {
  for (const auto& [key, text] : address_keys_of(server)) {
    if (const auto addresses = address_set_of(text); !addresses) {
      report.add(group.find(key)->line, "key '" + std::string(key) + "': " + addresses.error());
    }
  }
}

void check_port(const Group& group, const ManagementSettings& settings, Report& report) {
  for (const ManagementFault& fault : check_management(settings)) {
    const Entry* const entry = group.find(fault.key);
    report.add(entry == nullptr ? group.line : entry->line,
               "key '" + std::string(fault.key) + "': " + fault.text);
  }
}

void check_hosts(const Group& group, const ClientSettings& client, Report& report) {
  if (const auto hosts = client_hosts(client); !hosts) {
    report.add(group.find("further_addresses")->line, "key 'further_addresses': " + hosts.error());
  }
  if (!client.secondary_address.empty() && client.secondary_port == 0) {
    report.add(group.find("secondary_address")->line,
               "key 'secondary_address' needs key 'secondary_port' too");
  }
}

void add_group(const KnownGroup& known, Configuration& configuration, Report& report) {
  const Group& group = known.group;
  switch (known.kind) {
    case GroupKind::Engine:
      configuration.engine = filled<EngineSettings>(known, report);
      check_port(group, configuration.engine, report);
      return;
    case GroupKind::Client: {
      require(group, {"primary_address", "primary_port"}, report);
      auto client = filled<ClientSettings>(known, report);
      client.name = group.name;
      check_hosts(group, client, report);
      check_encryption(group, client.tls, tls_settings_of(client, client.primary_address), report);
      configuration.clients.push_back(std::move(client));
      return;
    }
    case GroupKind::Server: {
      require(group, {"accept_port"}, report);
      auto server = filled<ServerSettings>(known, report);
      server.name = group.name;
      check_addresses(group, server, report);
      check_encryption(group, server.tls, tls_settings_of(server), report);
      configuration.servers.push_back(std::move(server));
      return;
    }
    case GroupKind::Session:
      add_session(known, configuration, report);
      return;
    case GroupKind::Application:
      configuration.application = filled<ApplicationSettings>(known, report);
      return;
    case GroupKind::Route:
      require(group, {"route_to"}, report);
      configuration.routes.push_back(filled<RouteSettings>(known, report));
      configuration.routes.back().name = group.name;
      return;
  }
}

/// Values in a defaults group are judged even if no group is there to read them.
void check_values(const KnownGroup& defaults, Report& report) {
  switch (defaults.kind) {
    case GroupKind::Engine:
      static_cast<void>(filled<EngineSettings>(defaults, report));
      return;
    case GroupKind::Client:
      static_cast<void>(filled<ClientSettings>(defaults, report));
      return;
    case GroupKind::Server:
      static_cast<void>(filled<ServerSettings>(defaults, report));
      return;
    case GroupKind::Session:
      static_cast<void>(filled<SessionSettings>(defaults, report));
      return;
    case GroupKind::Application:
      static_cast<void>(filled<ApplicationSettings>(defaults, report));
      return;
    case GroupKind::Route:
      static_cast<void>(filled<RouteSettings>(defaults, report));
      return;
  }
}

/// What no two sessions may share.
std::string identity_in_group(const SessionSettings& session) {
  std::string text;
  for (const std::string& id :
       {session.instance, session.begin_string, session.sender_comp_id, session.target_comp_id,
        session.sender_sub_id, session.target_sub_id, session.sender_location_id,
        session.target_location_id}) {
    text += id;
    text += '\n';  // No value has one.
  }
  return text;
}

/// Gives every session an owner and refuses two sessions that a peer could not tell apart.
void join_sessions(const std::vector<KnownGroup>& groups, Configuration& configuration,
                   Report& report) {
  std::vector<std::string> instances;
  for (const ClientSettings& client : configuration.clients) {
    instances.push_back(client.name);
  }
  for (const ServerSettings& server : configuration.servers) {
    instances.push_back(server.name);
  }
  const auto line_of = [&](const std::string& name) {
    const auto known = std::find_if(groups.begin(), groups.end(), [&](const KnownGroup& candidate) {
      return candidate.group.name == name;
    });
    return known == groups.end() ? Line{} : known->group.line;
  };
  const auto is_server = [&](const SessionSettings& session) {
    return std::any_of(configuration.servers.begin(), configuration.servers.end(),
                       [&](const ServerSettings& one) { return one.name == session.instance; });
  };
  std::unordered_map<std::string, std::string> identities;
  const auto join = [&](SessionSettings& session) {
    if (session.instance.empty() && instances.size() == 1) {
      session.instance = instances.front();
    }
    if (std::find(instances.begin(), instances.end(), session.instance) == instances.end()) {
      report.add(line_of(session.name),
                 session.instance.empty()
                     ? "[" + session.name +
                           "] needs key 'instance': there is not exactly one client or server group"
                     : "[" + session.name + "]: instance '" + session.instance +
                           "' is no client or server group");
    } else if (session.acceptor_template && !is_server(session)) {
      report.add(line_of(session.name),
                 "[" + session.name + "] is a template, and its group is no server");
    }
    if (!session.tls_peer.empty() && !speaks_tls(configuration, session.instance)) {
      report.add(line_of(session.name),
                 "[" + session.name + "] has key 'tls_peer', and its group speaks no TLS");
    }
    const auto [other, is_first] = identities.emplace(identity_in_group(session), session.name);
    if (!is_first) {
      report.add(line_of(session.name),
                 "[" + session.name + "] has the same identity as [" + other->second + "]");
    }
  };
  std::for_each(configuration.sessions.begin(), configuration.sessions.end(), join);
  std::for_each(configuration.templates.begin(), configuration.templates.end(), join);
}

}  // namespace

std::vector<const SessionSettings*> Configuration::sessions_of(std::string_view instance) const {
  std::vector<const SessionSettings*> result;
  for (const SessionSettings& session : sessions) {
    if (session.instance == instance) {
      result.push_back(&session);
    }
  }
  return result;
}

std::string text_of(const Problems& problems) {
  std::string text;
  for (const base::Error& problem : problems) {
    text += problem.text();
    text += '\n';
  }
  return text;
}

ReadConfiguration read_what_is_sound(std::string_view text, const std::string& where,
                                     ConfigurationSource& source, FileCheck files,
                                     Problems& problems) {
  Report report(where);
  ReadConfiguration read;
  KnownGroups known = known_groups(read_groups(text, source, report), report);
  for (const KnownGroup& group : known.groups) {
    add_group(group, read.configuration, report);
    if (files == FileCheck::Look) {
      check_files(group, report);
    }
  }
  for (const KnownGroup& defaults : known.defaults) {
    check_values(defaults, report);
  }
  join_sessions(known.groups, read.configuration, report);
  check_application(known.groups, read.configuration, report);
  if (report.empty() && read.configuration.clients.empty() && read.configuration.servers.empty()) {
    report.add(Line{0, 1},
               "there is no client group (primary_address) and no server group (accept_port)");
  }
  problems = report.take();
  read.configuration.warnings = report.take_warnings();
  for (KnownGroup& group : known.groups) {
    std::string place = report.text_of(group.group.line);
    std::vector<std::string> places;
    for (const Entry& entry : group.group.entries) {
      places.push_back(report.text_of(entry.line));
    }
    read.groups.push_back({std::move(group), std::move(place), std::move(places)});
  }
  return read;
}

std::expected<ReadConfiguration, Problems> read_configuration(std::string_view text,
                                                              const std::string& where,
                                                              ConfigurationSource& source,
                                                              FileCheck files) {
  Problems problems;
  ReadConfiguration read = read_what_is_sound(text, where, source, files, problems);
  if (!problems.empty()) {
    return std::unexpected(std::move(problems));
  }
  return read;
}

std::expected<std::vector<SessionSettings>, Problems> parse_sessions(std::string_view text,
                                                                     const std::string& where) {
  SystemSource source;
  Report report(where);
  Configuration configuration;
  KnownGroups known = known_groups(read_groups(text, source, report), report);
  for (const KnownGroup& group : known.groups) {
    if (group.kind == GroupKind::Session) {
      add_session(group, configuration, report);
      check_files(group, report);
    } else {
      report.add(group.group.line, "[" + group.group.name + "] is no session group");
    }
  }
  for (const SessionSettings& session : configuration.templates) {
    report.add(Line{0, 1}, "[" + session.name +
                               "] is a template, and those do not come while the engine runs "
                               "but by a reload");
  }
  if (report.empty() && configuration.sessions.empty()) {
    report.add(Line{0, 1}, "there is no session group (begin_string)");
  }
  if (!report.empty()) {
    return std::unexpected(report.take());
  }
  return std::move(configuration.sessions);
}

std::expected<ReadConfiguration, Problems> read_configuration_file(const std::string& path) {
  SystemSource source;
  const auto text = source.read(path, configuration_bytes_max);
  if (!text) {
    return std::unexpected(Problems{text.error()});
  }
  return read_configuration(*text, path, source, FileCheck::Look);
}

std::expected<Configuration, Problems> parse_configuration(std::string_view text,
                                                           const std::string& where) {
  SystemSource source;
  auto read = read_configuration(text, where, source, FileCheck::Omit);
  if (!read) {
    return std::unexpected(std::move(read.error()));
  }
  return std::move(read->configuration);
}

std::expected<Configuration, Problems> load_configuration(const std::string& path) {
  auto read = read_configuration_file(path);
  if (!read) {
    return std::unexpected(std::move(read.error()));
  }
  return std::move(read->configuration);
}

}  // namespace affix::inline v0::engine
