// SPDX-License-Identifier: MIT
// Turns groups of a file into settings: assigns values to members, and checks combinations.
#include "config/read_configuration.hpp"

#include "affix/base/choice.hpp"
#include "affix/base/text.hpp"

#include "config/configuration_checks.hpp"
#include "config/configuration_files.hpp"
#include "config/configuration_keys.hpp"
#include "config/findings.hpp"
#include "config/key_tables.hpp"
#include "config/measured_number.hpp"
#include "config/session_checks.hpp"
#include "config/value_checks.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>
#include <utility>

namespace affix::inline v0::config {

namespace {

std::optional<bool> boolean_of(std::string_view value) {
  const std::string word = base::lowered(value);
  if (word == "true" || word == "yes" || word == "y" || word == "1") {
    return true;
  }
  if (word == "false" || word == "no" || word == "n" || word == "0") {
    return false;
  }
  return std::nullopt;
}

/// False: the value is not valid, which has been reported.
template <typename Target, typename Base>
bool assign(const ConfigurationKey<Base>& key, const Entry& entry, Target& target, Report& report) {
  const std::string said = "key '" + entry.key + "': '" + entry.value + "' ";
  if (const auto* flag = std::get_if<bool Base::*>(&key.member)) {
    const std::optional<bool> value = boolean_of(entry.value);
    if (!value) {
      report.add(entry.line, said + "is not one of true, false", "C206");
      return false;
    }
    target.*(*flag) = *value;
  } else if (const auto* number = std::get_if<std::int64_t Base::*>(&key.member)) {
    if (entry.value.empty() && target.*(*number) < key.minimum) {
      return true;  // Without a value, it counts as absent.
    }
    const auto value = read_number(entry.value, key.measure);
    if (!value && value.error() == NumberFault::NotWhole) {
      report.add(entry.line,
                 said + "is not a whole number of " + std::string(plural_of(key.measure)), "C207");
      return false;
    }
    if (!value || *value < key.minimum || *value > key.maximum) {
      report.add(entry.line, said + range_text(key.measure, key.minimum, key.maximum), "C207");
      return false;
    }
    target.*(*number) = *value;
  } else if (const auto* choice = std::get_if<ChoiceAccess<Base>>(&key.member)) {
    const auto place = base::place_of_choice(key.allowed, entry.value);
    if (!place) {
      report.add(entry.line, said + choice_text(key.allowed), "C206");
      return false;
    }
    choice->choose(target, *place);
  } else {
    if (!key.allowed.empty() && !base::is_choice(key.allowed, entry.value)) {
      report.add(entry.line, said + choice_text(key.allowed), "C206");
      return false;
    }
    target.*std::get<std::string Base::*>(key.member) = entry.value;
  }
  return true;
}

template <typename Target>
bool assign_entry(Entry& entry, Target& target, Report& report) {
  bool found = false;
  for_each_table<Target>([&](const auto& keys) {
    for (const auto& key : keys) {
      if (key.name == entry.key) {
        found = true;
        entry.faulty = !assign(key, entry, target, report);
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
    report.add(entry.line,
               "key '" + entry.key + "' is not known in [" + known.group.name + "]" +
                   suggestion_for(known.kind, entry.key),
               "C204");
  } else if (entry.value != found->off_value) {
    report.warn(entry.line, "key '" + entry.key + "' has no effect: " + std::string(found->instead),
                "C208");
  }
}

/// `settings` after the group's keys are applied.
template <typename Settings>
Settings filled(KnownGroup& known, Report& report, Settings settings = {}) {
  for (Entry& entry : known.group.entries) {
    // A faulty entry has been reported, and has no value.
    if (entry.key != "type" && !entry.faulty && !assign_entry(entry, settings, report)) {
      report_unknown(known, entry, report);
    }
  }
  return settings;
}

void require(const Group& group, std::string_view key, Report& report) {
  const Entry* entry = group.find(key);
  if (entry == nullptr) {
    if (!is_misspelt(group, key)) {
      report.add(group.line, "[" + group.name + "] needs key '" + std::string(key) + "'", "C205");
    }
  } else if (entry->value.empty() && !entry->faulty) {
    report.add(entry->line, "key '" + std::string(key) + "' must have a value", "C205");
  }
}

/// As in llfix, -1 in one of the four keys switches all of them off. A value that is written is
/// deliberate; a missing one is a mistake, which the schedule's own checks report.
void switch_hours_off(const Group& group, SessionSettings& session, Report& report) {
  constexpr std::array parts{
      std::pair{"start_hour_utc", &SessionSettings::start_hour_utc},
      std::pair{"start_minute_utc", &SessionSettings::start_minute_utc},
      std::pair{"end_hour_utc", &SessionSettings::end_hour_utc},
      std::pair{"end_minute_utc", &SessionSettings::end_minute_utc},
  };
  const auto is_off = [&](const auto& part) {
    const Entry* const entry = group.find(part.first);
    return entry != nullptr && !entry->faulty && session.*(part.second) < 0;
  };
  const auto* const off = std::find_if(parts.begin(), parts.end(), is_off);
  if (off == parts.end()) {
    return;
  }
  for (const auto& [key, member] : parts) {
    if (session.*member >= 0) {
      report.warn(group.find(key)->line,
                  "key '" + std::string(key) + "' has no effect: '" + off->first +
                      "' is -1, and the session has no hours",
                  "C304");
      session.*member = -1;
    }
  }
}

/// Checks the files that the group's keys name, except those of a feature that is off.
template <typename Settings>
void check_files(const Group& group, const Settings& settings, FileCheck files, Report& report) {
  if (files == FileCheck::Omit) {
    return;
  }
  for_each_table<Settings>([&](const auto& keys) {
    for (const auto& key : keys) {
      const Entry* const entry = key.file == FileNeed::None ? nullptr : group.find(key.name);
      if (entry != nullptr && !entry->faulty && !entry->value.empty() &&
          has_feature(key.feature, settings)) {
        check_file(*entry, key.file, report);
      }
    }
  });
}

void add_session(KnownGroup& known, Configuration& configuration, FileCheck files, Report& report) {
  const Group& group = known.group;
  // First the profile, wherever it is in the group, then the group's own keys.
  const Entry* const profile = group.find("profile");
  SessionSettings session = filled<SessionSettings>(
      known, report,
      profile == nullptr ? SessionSettings()
                         : settings_of_profile(profile->value).value_or(SessionSettings()));
  session.name = group.name;
  switch_hours_off(group, session, report);
  check_files(group, session, files, report);
  auto& place = session.acceptor_template ? configuration.templates : configuration.sessions;
  place.push_back(std::move(session));
}

/// A group with a certificate must not silently use plain text.
template <typename Settings>
void require_encryption_key(const Group& group, Report& report) {
  if (group.find("tls") != nullptr) {
    return;
  }
  const auto given = std::ranges::find_if(group.entries, [](const Entry& entry) {
    return feature_of<Settings>(entry.key) == Feature::Encryption;
  });
  if (given != group.entries.end()) {
    report.add(given->line, "key '" + given->key + "' needs key 'tls' too, ON or OFF", "C227");
  }
}

/// Settings of a client or server group.
template <typename Settings>
Settings filled_instance(KnownGroup& known, FileCheck files, Report& report) {
  auto settings = filled<Settings>(known, report);
  settings.name = known.group.name;
  require_encryption_key<Settings>(known.group, report);
  check_files(known.group, settings, files, report);
  return settings;
}

void add_group(KnownGroup& known, Configuration& configuration, FileCheck files, Report& report) {
  const Group& group = known.group;
  switch (known.kind) {
    case GroupKind::Engine:
      configuration.engine = filled<EngineSettings>(known, report);
      check_files(group, configuration.engine, files, report);
      return;
    case GroupKind::Client:
      configuration.clients.push_back(filled_instance<ClientSettings>(known, files, report));
      return;
    case GroupKind::Server:
      // Programs have a default; a file must give the key, or 0 might be a mistake.
      require(group, "accept_port", report);
      configuration.servers.push_back(filled_instance<ServerSettings>(known, files, report));
      return;
    case GroupKind::Session:
      add_session(known, configuration, files, report);
      return;
    case GroupKind::Application:
      configuration.application = filled<ApplicationSettings>(known, report);
      check_files(group, configuration.application, files, report);
      return;
    case GroupKind::Route:
      configuration.routes.push_back(filled<RouteSettings>(known, report));
      configuration.routes.back().name = group.name;
      check_files(group, configuration.routes.back(), files, report);
      return;
    case GroupKind::Failover:
      configuration.failovers.push_back(filled<FailoverSettings>(known, report));
      configuration.failovers.back().name = group.name;
      check_files(group, configuration.failovers.back(), files, report);
      return;
  }
}

/// Checks values in a defaults group even if no group inherits them.
void check_values(KnownGroup& defaults, Report& report) {
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
    case GroupKind::Failover:
      static_cast<void>(filled<FailoverSettings>(defaults, report));
      return;
  }
}

/// Keys whose values were refused: their values in the settings are only defaults.
std::vector<RefusedKey> refused_in(const std::vector<KnownGroup>& groups) {
  std::vector<RefusedKey> refused;
  for (const KnownGroup& known : groups) {
    for (const Entry& entry : known.group.entries) {
      if (entry.faulty) {
        refused.push_back({known.kind, known.group.name, entry.key});
      }
    }
  }
  return refused;
}

/// Reports findings about settings at the lines that the settings were read from.
class FindingPlaces {
 public:
  FindingPlaces(const std::vector<KnownGroup>& groups, Report& report) : report_(report) {
    for (const KnownGroup& known : groups) {
      groups_.emplace(known.kind == GroupKind::Engine || known.kind == GroupKind::Application
                          ? std::string_view(to_text(known.kind))
                          : std::string_view(known.group.name),
                      &known);
    }
  }

  void add(const std::vector<Finding>& findings) {
    for (const Finding& finding : findings) {
      add(finding);
    }
  }

 private:
  void add(const Finding& finding) {
    if (!finding.where.empty()) {
      report_.add(finding.message, finding.where, finding.code);
      return;
    }
    const bool is_only_one =
        finding.kind == GroupKind::Engine || finding.kind == GroupKind::Application;
    const auto found =
        groups_.find(is_only_one ? to_text(finding.kind) : std::string_view(finding.group));
    if (found == groups_.end()) {
      // For a group that is not in the file, so that all its values are defaults.
      add(finding, Line{0, 1}, finding.message);
      return;
    }
    const Group& group = found->second->group;
    const Entry* const entry = finding.key.empty() ? nullptr : group.find(finding.key);
    if (entry != nullptr) {
      add(finding, entry->line, finding.message);
      return;
    }
    if (finding.sort == FindingSort::Missing && is_misspelt(group, finding.key)) {
      return;  // The misspelt key has been reported.
    }
    add(finding, group.line,
        finding.sort == FindingSort::Missing
            ? "[" + group.name + "] needs key '" + std::string(finding.key) + "'"
        : finding.key.empty() ? "[" + group.name + "] " + finding.message
                              : finding.message);
  }

  void add(const Finding& finding, Line line, const std::string& message) {
    if (finding.sort == FindingSort::NoEffect) {
      Finding placed = finding;
      placed.message = message;
      report_.warn(line, std::move(placed));
    } else {
      report_.add(line, message, finding.code);
    }
  }

  Report& report_;
  std::unordered_map<std::string_view, const KnownGroup*> groups_;
};

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

const FailoverSettings* Configuration::failover_named(std::string_view name) const noexcept {
  const auto found = std::ranges::find(failovers, name, &FailoverSettings::name);
  return found == failovers.end() ? nullptr : &*found;
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
  for (KnownGroup& group : known.groups) {
    add_group(group, read.configuration, files, report);
  }
  for (KnownGroup& defaults : known.defaults) {
    check_values(defaults, report);
  }
  name_owners(read.configuration);
  if (!report.empty() && read.configuration.clients.empty() && read.configuration.servers.empty()) {
    // That may be the fault of an existing group.
    problems = report.take();
    return read;
  }
  FindingPlaces(known.groups, report)
      .add(check_configuration(read.configuration, refused_in(known.groups)));
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
  for (KnownGroup& group : known.groups) {
    if (group.kind == GroupKind::Session) {
      add_session(group, configuration, FileCheck::Look, report);
    } else {
      report.add(group.group.line, "[" + group.group.name + "] is not a session group", "C225");
    }
  }
  Findings findings(refused_in(known.groups));
  for (const SessionSettings& session : configuration.sessions) {
    check_session_group(session, std::nullopt, findings);
  }
  FindingPlaces(known.groups, report).add(findings.take());
  for (const SessionSettings& session : configuration.templates) {
    report.add(Line{0, 1},
               "[" + session.name +
                   "] is a template, and those do not come while the engine runs "
                   "but by a reload",
               "E201");
  }
  if (report.empty() && configuration.sessions.empty()) {
    report.add(Line{0, 1}, "there is no session group (begin_string)", "C216");
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

}  // namespace affix::inline v0::config
