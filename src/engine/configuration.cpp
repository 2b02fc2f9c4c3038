// SPDX-License-Identifier: MIT
// The INI reader: lines to groups, groups to kinds, values to members, and the checks between
// groups.
#include "affix/engine/configuration.hpp"

#include "engine/configuration_keys.hpp"
#include "engine/list_text.hpp"
#include "engine/practice_keys.hpp"
#include "engine/schedule_text.hpp"
#include "engine/session_options.hpp"
#include "engine/tls_groups.hpp"
#include "engine/validation_rules.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fstream>
#include <optional>
#include <sstream>

namespace affix::inline v0::engine {

namespace {

constexpr std::size_t file_bytes_max = std::size_t{16} << 20;

enum class GroupKind : std::uint8_t { Engine, Client, Server, Session };

struct Entry {
  std::string key;
  std::string value;
  std::size_t line = 0;
};

struct Group {
  std::string name;
  std::size_t line = 0;
  std::vector<Entry> entries;

  [[nodiscard]] const Entry* find(std::string_view key) const {
    const auto found = std::find_if(entries.begin(), entries.end(),
                                    [key](const Entry& entry) { return entry.key == key; });
    return found == entries.end() ? nullptr : &*found;
  }
};

/// Collects problems with the place they are at.
class Report {
 public:
  explicit Report(std::string where) : where_(std::move(where)) {}

  void add(std::size_t line, std::string message) {
    add(std::move(message), where_ + ":" + std::to_string(line));
  }

  /// In another file.
  void add(std::string message, std::string where) {
    problems_.push_back({base::ErrorCode::InvalidArgument, std::move(message), std::move(where)});
  }

  [[nodiscard]] Problems take() { return std::move(problems_); }

  [[nodiscard]] bool empty() const { return problems_.empty(); }

 private:
  std::string where_;
  Problems problems_;
};

std::string lowered(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), [](char c) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  });
  return result;
}

void read_entry(std::string_view line, std::size_t number, std::vector<Group>& groups,
                Report& report) {
  const std::size_t equals = line.find('=');
  if (equals == std::string_view::npos) {
    // No more of it than a word: the rest may be a secret whose `=` was forgotten.
    const std::string_view word = line.substr(0, std::min(line.find_first_of(" \t:"), line.size()));
    report.add(number, "'" + std::string(word) + "' is neither [GROUP] nor key=value");
    return;
  }
  Entry entry{std::string(trimmed(line.substr(0, equals))),
              std::string(trimmed(line.substr(equals + 1))), number};
  if (entry.key.empty()) {
    report.add(number, "a key is missing before '='");
    return;
  }
  if (groups.empty()) {
    report.add(number, "key '" + entry.key + "' stands before the first [GROUP]");
    return;
  }
  if (const Entry* first = groups.back().find(entry.key)) {
    report.add(number, "key '" + entry.key + "' is given twice in [" + groups.back().name +
                           "], first on line " + std::to_string(first->line));
    return;
  }
  groups.back().entries.push_back(std::move(entry));
}

std::vector<Group> read_groups(std::string_view text, Report& report) {
  std::vector<Group> groups;
  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (line.empty() || line.front() == '#') {
      continue;
    }
    if (line.front() != '[') {
      read_entry(line, number, groups, report);
      continue;
    }
    const std::string name(line.back() == ']' ? trimmed(line.substr(1, line.size() - 2))
                                              : std::string_view{});
    if (name.empty()) {
      report.add(number, "a group is written [NAME]");
    }
    const auto same = std::find_if(groups.begin(), groups.end(),
                                   [&](const Group& group) { return group.name == name; });
    if (same != groups.end() && !name.empty()) {
      report.add(number, "group [" + name + "] is given twice, first on line " +
                             std::to_string(same->line));
    }
    groups.push_back({name, number, {}});
  }
  return groups;
}

std::optional<GroupKind> kind_of(const Group& group, Report& report) {
  if (const Entry* type = group.find("type")) {
    const std::string word = lowered(type->value);
    if (word == "engine") {
      return GroupKind::Engine;
    }
    if (word == "client") {
      return GroupKind::Client;
    }
    if (word == "server") {
      return GroupKind::Server;
    }
    if (word == "session") {
      return GroupKind::Session;
    }
    report.add(type->line,
               "type '" + type->value + "' is not one of engine, client, server, session");
    return std::nullopt;
  }
  if (lowered(group.name) == "engine") {
    return GroupKind::Engine;
  }
  if (group.find("accept_port") != nullptr) {
    return GroupKind::Server;
  }
  if (group.find("primary_address") != nullptr) {
    return GroupKind::Client;
  }
  if (group.find("begin_string") != nullptr) {
    return GroupKind::Session;
  }
  report.add(
      group.line,
      "group [" + group.name +
          "] has no type, accept_port, primary_address or begin_string, so its kind is unknown");
  return std::nullopt;
}

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
    std::int64_t value = 0;
    const char* end = entry.value.data() + entry.value.size();
    const auto [at, error] = std::from_chars(entry.value.data(), end, value);
    if (error != std::errc{} || at != end || value < key.minimum || value > key.maximum) {
      report.add(entry.line, said + "is not a number from " + std::to_string(key.minimum) + " to " +
                                 std::to_string(key.maximum));
      return;
    }
    target.*(*number) = value;
  } else {
    if (!key.allowed.empty() && !is_choice(key.allowed, entry.value)) {
      report.add(entry.line, said + "is not one of " + std::string(key.allowed));
      return;
    }
    target.*std::get<std::string Base::*>(key.member) = entry.value;
  }
}

template <typename Target, typename Base>
bool assign_from(std::span<const ConfigurationKey<Base>> keys, const Entry& entry, Target& target,
                 Report& report) {
  const auto key = std::find_if(
      keys.begin(), keys.end(),
      [&](const ConfigurationKey<Base>& candidate) { return candidate.name == entry.key; });
  if (key == keys.end()) {
    return false;
  }
  assign(*key, entry, target, report);
  return true;
}

void report_unknown(const Group& group, const Entry& entry, Report& report) {
  const auto absent = absent_keys();
  const auto found = std::find_if(absent.begin(), absent.end(),
                                  [&](const AbsentKey& key) { return key.name == entry.key; });
  if (found == absent.end()) {
    report.add(entry.line, "key '" + entry.key + "' is not known in [" + group.name + "]");
  } else if (entry.value != found->off_value) {
    report.add(entry.line, "key '" + entry.key + "' is not supported by this version; only '" +
                               std::string(found->off_value) + "' is accepted");
  }
}

template <typename Target, typename Assign>
Target filled(const Group& group, Report& report, Assign assign_entry, Target target = {}) {
  for (const Entry& entry : group.entries) {
    if (entry.key != "type" && !assign_entry(entry, target)) {
      report_unknown(group, entry, report);
    }
  }
  return target;
}

void require(const Group& group, std::initializer_list<std::string_view> keys, Report& report) {
  for (const std::string_view key : keys) {
    const Entry* entry = group.find(key);
    if (entry == nullptr) {
      report.add(group.line, "[" + group.name + "] needs key '" + std::string(key) + "'");
    } else if (entry->value.empty()) {
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
  check("validation_rules", validation_rules_of(session));
  check("resend_policy", resend_rules_of(session));
  check("secret_tags", secret_tags_of(session));
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

void add_session(const Group& group, Configuration& configuration, Report& report) {
  require(group, {"begin_string", "sender_comp_id", "target_comp_id"}, report);
  // What the profile says, wherever in the group it stands, then what the group's own keys say.
  const Entry* const profile = group.find("profile");
  SessionSettings session = filled<SessionSettings>(
      group, report,
      [&](const Entry& entry, SessionSettings& target) {
        return assign_from(session_keys(), entry, target, report) ||
               assign_from(practice_keys(), entry, target, report);
      },
      profile == nullptr ? SessionSettings()
                         : settings_of_profile(profile->value).value_or(SessionSettings()));
  session.name = group.name;
  if (session.begin_string == "FIXT.1.1" && session.default_app_ver_id.empty()) {
    report.add(group.line, "[" + group.name +
                               "] speaks FIXT.1.1 and needs key 'default_app_ver_id' (7, 8 or 9 "
                               "for FIX.5.0, SP1, SP2)");
  }
  check_dictionaries(group, session, report);
  check_lists(group, session, report);
  configuration.sessions.push_back(std::move(session));
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

void add_group(const Group& group, GroupKind kind, Configuration& configuration, Report& report) {
  switch (kind) {
    case GroupKind::Engine:
      configuration.engine =
          filled<EngineSettings>(group, report, [&](const Entry& entry, EngineSettings& target) {
            return assign_from(engine_keys(), entry, target, report);
          });
      return;
    case GroupKind::Client: {
      require(group, {"primary_address", "primary_port"}, report);
      ClientSettings client =
          filled<ClientSettings>(group, report, [&](const Entry& entry, ClientSettings& target) {
            return assign_from(client_keys(), entry, target, report) ||
                   assign_from(encryption_keys(), entry, target, report) ||
                   assign_from(instance_keys(), entry, target, report);
          });
      client.name = group.name;
      check_encryption(group, client.tls, tls_settings_of(client, client.primary_address), report);
      configuration.clients.push_back(std::move(client));
      return;
    }
    case GroupKind::Server: {
      require(group, {"accept_port"}, report);
      ServerSettings server =
          filled<ServerSettings>(group, report, [&](const Entry& entry, ServerSettings& target) {
            return assign_from(server_keys(), entry, target, report) ||
                   assign_from(encryption_keys(), entry, target, report) ||
                   assign_from(instance_keys(), entry, target, report);
          });
      server.name = group.name;
      check_encryption(group, server.tls, tls_settings_of(server), report);
      configuration.servers.push_back(std::move(server));
      return;
    }
    case GroupKind::Session:
      add_session(group, configuration, report);
      return;
  }
}

/// Gives every session an owner and refuses two sessions that a peer could not tell apart.
void join_sessions(const std::vector<Group>& groups, Configuration& configuration, Report& report) {
  std::vector<std::string> instances;
  for (const ClientSettings& client : configuration.clients) {
    instances.push_back(client.name);
  }
  for (const ServerSettings& server : configuration.servers) {
    instances.push_back(server.name);
  }
  const auto line_of = [&](const std::string& name) {
    const auto group = std::find_if(groups.begin(), groups.end(),
                                    [&](const Group& candidate) { return candidate.name == name; });
    return group == groups.end() ? std::size_t{0} : group->line;
  };
  for (std::size_t at = 0; at < configuration.sessions.size(); ++at) {
    SessionSettings& session = configuration.sessions[at];
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
    }
    if (!session.tls_peer.empty() && !speaks_tls(configuration, session.instance)) {
      report.add(line_of(session.name),
                 "[" + session.name + "] has key 'tls_peer', and its group speaks no TLS");
    }
    for (std::size_t earlier = 0; earlier < at; ++earlier) {
      const SessionSettings& other = configuration.sessions[earlier];
      if (other.instance == session.instance && other.begin_string == session.begin_string &&
          other.sender_comp_id == session.sender_comp_id &&
          other.target_comp_id == session.target_comp_id &&
          other.sender_sub_id == session.sender_sub_id &&
          other.target_sub_id == session.target_sub_id &&
          other.sender_location_id == session.sender_location_id &&
          other.target_location_id == session.target_location_id) {
        report.add(line_of(session.name),
                   "[" + session.name + "] has the same identity as [" + other.name + "]");
      }
    }
  }
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

std::expected<Configuration, Problems> parse_configuration(std::string_view text,
                                                           const std::string& where) {
  Report report(where);
  const std::vector<Group> groups = read_groups(text, report);
  Configuration configuration;
  for (const Group& group : groups) {
    if (const std::optional<GroupKind> kind = kind_of(group, report)) {
      add_group(group, *kind, configuration, report);
    }
  }
  join_sessions(groups, configuration, report);
  if (report.empty() && configuration.clients.empty() && configuration.servers.empty()) {
    report.add(1, "there is no client group (primary_address) and no server group (accept_port)");
  }
  if (!report.empty()) {
    return std::unexpected(report.take());
  }
  return configuration;
}

std::expected<Configuration, Problems> load_configuration(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return std::unexpected(Problems{{base::ErrorCode::NotFound, "cannot be opened", path}});
  }
  std::ostringstream text;
  text << file.rdbuf();
  if (!file || text.view().size() > file_bytes_max) {
    return std::unexpected(
        Problems{{base::ErrorCode::Limit, "cannot be read, or is larger than 16 MiB", path}});
  }
  return parse_configuration(text.view(), path);
}

}  // namespace affix::inline v0::engine
