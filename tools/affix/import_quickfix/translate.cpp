// SPDX-License-Identifier: MIT
// Converts sections to groups: finds shared endpoints, names groups, and reports the rest.
#include "import_quickfix/translate.hpp"

#include "affix/base/error.hpp"
#include "affix/base/text.hpp"
#include "affix/config/configuration.hpp"

#include "import_quickfix/known_settings.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace affix::inline v0::tools::import_quickfix {

namespace {

constexpr std::array<std::string_view, 6> begin_strings{"FIX.4.0", "FIX.4.1", "FIX.4.2",
                                                        "FIX.4.3", "FIX.4.4", "FIXT.1.1"};

/// A client or server group, and its sessions.
struct Endpoint {
  OutputGroup group;
  std::set<std::string> identities;
};

class Translator {
 public:
  explicit Translator(const TranslationOptions& options) : options_(options) {}

  void add(const SettingsText& settings) {
    if (settings.sessions.empty()) {
      ledger_.problem(1, "there is no [SESSION]", "Q102");
    }
    for (const Section& section : settings.sessions) {
      add_session(SessionSource(section, settings.defaults, ledger_));
    }
    name_endpoints();
    note_the_rest(settings.defaults, settings.sessions);
    for (const Section& section : settings.sessions) {
      note_the_rest(section, {});
    }
  }

  [[nodiscard]] const Ledger& ledger() const noexcept { return ledger_; }

  [[nodiscard]] Ledger& ledger() noexcept { return ledger_; }

  [[nodiscard]] std::string groups_text() const {
    std::string text = text_of(engine_);
    for (const std::vector<Endpoint>* const endpoints : {&servers_, &clients_}) {
      for (const Endpoint& endpoint : *endpoints) {
        text += text_of(endpoint.group);
      }
    }
    for (const OutputGroup& session : sessions_) {
      text += text_of(session);
    }
    return text;
  }

  /// Line of the [SESSION] from which a group of the output was made, or the file's first line.
  [[nodiscard]] std::size_t line_of(std::string_view group) const {
    for (const std::vector<Endpoint>* const endpoints : {&servers_, &clients_}) {
      for (const Endpoint& endpoint : *endpoints) {
        if (endpoint.group.name == group) {
          return endpoint.group.line;
        }
      }
    }
    const auto session = std::ranges::find(sessions_, group, &OutputGroup::name);
    return session == sessions_.end() ? 1 : session->line;
  }

  [[nodiscard]] std::size_t initiators() const noexcept { return initiators_; }

  [[nodiscard]] std::size_t acceptors() const noexcept { return acceptors_; }

 private:
  void add_session(const SessionSource& source) {
    if (!is_whole(source)) {
      return;
    }
    const std::optional<bool> role = initiates(source);
    if (!role || is_left_template(source)) {
      return;
    }
    OutputGroup group;
    group.line = source.line();
    group.set("profile", "quickfix");
    if (source.is_set("AcceptorTemplate")) {
      group.set("acceptor_template", true);
    }
    add_practice(source, *role, group);
    add_schedule(source, options_, group);
    add_validation(source, options_, group);
    add_log(source);
    const std::string identity = identity_of(source);
    const bool added =
        *role ? add_initiator(source, identity, group) : add_acceptor(source, identity, group);
    if (added) {
      ++(*role ? initiators_ : acceptors_);
      group.name = unused_name(group_name(source));
      give_own_journal(identity, group);
      for (const OutputKey& key : options_.session_keys) {
        std::erase_if(group.keys, [&](const OutputKey& own) { return own.key == key.key; });
        group.keys.push_back(key);
      }
      sessions_.push_back(std::move(group));
    }
  }

  /// True if the ids exist and are valid for a session.
  bool is_whole(const SessionSource& source) {
    bool whole = true;
    for (const std::string_view name : {"BeginString", "SenderCompID", "TargetCompID"}) {
      if (source.find(name) == nullptr) {
        ledger_.problem(source.line(), "the session has no " + std::string(name), "Q104");
        whole = false;
      }
    }
    const Setting* const version = source.find("BeginString");
    if (version != nullptr &&
        std::ranges::find(begin_strings, version->value) == begin_strings.end()) {
      ledger_.problem(*version, "not FIX.4.0 to FIX.4.4 or FIXT.1.1", "Q104");
      whole = false;
    } else if (version != nullptr && version->value == "FIXT.1.1" &&
               source.find("DefaultApplVerID") == nullptr) {
      ledger_.problem(source.line(), "a FIXT.1.1 session has no DefaultApplVerID", "Q104");
      whole = false;
    }
    return whole;
  }

  std::optional<bool> initiates(const SessionSource& source) {
    const Setting* const type = source.find("ConnectionType");
    if (type == nullptr) {
      // QuickFIX/Go has no such setting: its programs decide, and their files name one end only.
      const bool connects = source.find("SocketConnectHost") != nullptr;
      const bool listens = source.find("SocketAcceptPort") != nullptr;
      if (connects != listens) {
        return connects;
      }
      ledger_.problem(source.line(), "ConnectionType is missing", "Q104");
      return std::nullopt;
    }
    if (base::is_same_word(type->value, "initiator") ||
        base::is_same_word(type->value, "acceptor")) {
      return base::is_same_word(type->value, "initiator");
    }
    ledger_.problem(*type, "neither initiator nor acceptor", "Q104");
    return std::nullopt;
  }

  /// True if any id is a pattern.
  static bool has_pattern(const SessionSource& source) {
    return std::ranges::any_of(std::array{"SenderCompID", "TargetCompID", "SenderSubID",
                                          "TargetSubID", "SenderLocationID", "TargetLocationID"},
                               [&](const char* name) {
                                 const Setting* const id = source.find(name);
                                 return id != nullptr && id->value.find('*') != std::string::npos;
                               });
  }

  /// Sessions created on demand whose ids are not patterns.
  bool is_left_template(const SessionSource& source) {
    for (const std::string_view name : {"AcceptorTemplate", "DynamicSession", "DynamicSessions"}) {
      if (source.is_set(name) && (name != "AcceptorTemplate" || !has_pattern(source))) {
        const Setting& setting = *source.find(name);
        ledger_.note(NoteKind::Left, setting, find_known(name)->note);
        ledger_.warn(source.line(), "this [SESSION] is left out, as it is a template", "Q103");
        return true;
      }
    }
    return false;
  }

  void add_log(const SessionSource& source) {
    const Setting* const path = source.find("FileLogPath");
    if (path == nullptr) {
      return;
    }
    const std::string file = path->value + "/affix.log";
    if (options_.is_folder != nullptr && !options_.is_folder(path->value)) {
      ledger_.note(NoteKind::Left, *path,
                   "the folder is not there: make it, and say log_file=" + file + " in [ENGINE]",
                   "Q107");
    } else if (log_file_.empty()) {
      source.differs(*path);
      log_file_ = file;
      engine_.set("log_file", file);
    } else if (log_file_ != file) {
      ledger_.note(NoteKind::Left, *path, "there is one log of events for all sessions", "Q107");
    }
  }

  bool add_initiator(const SessionSource& source, const std::string& identity,
                     OutputGroup& session) {
    OutputGroup group;
    group.line = source.line();
    if (!add_connecting(source, group)) {
      return false;
    }
    add_socket(source, group);
    add_encryption(source, options_, true, group);
    if (!identities_.insert(identity + qualifier_of(source)).second) {
      ledger_.problem(source.line(), "an earlier [SESSION] has the same ids", "Q105");
      return false;
    }
    const auto shared = std::ranges::find_if(clients_, [&](const Endpoint& endpoint) {
      return endpoint.group.keys == group.keys && !endpoint.identities.contains(identity);
    });
    Endpoint& endpoint =
        shared != clients_.end() ? *shared : clients_.emplace_back(Endpoint{std::move(group), {}});
    endpoint.identities.insert(identity);
    session.set("instance", "CLIENT_" + std::to_string(&endpoint - clients_.data() + 1));
    return true;
  }

  bool add_acceptor(const SessionSource& source, const std::string& identity,
                    OutputGroup& session) {
    OutputGroup group;
    group.line = source.line();
    if (!add_listening(source, group)) {
      return false;
    }
    const std::vector<OutputKey> place = group.keys;
    add_socket(source, group);
    add_encryption(source, options_, false, group);
    // A listener is identified by port and address; its other settings must be the same for all.
    const auto shared = std::ranges::find_if(servers_, [&](const Endpoint& endpoint) {
      const std::vector<OutputKey>& keys = endpoint.group.keys;
      return keys.size() >= place.size() && std::equal(place.begin(), place.end(), keys.begin());
    });
    if (shared != servers_.end() && shared->group.keys != group.keys) {
      ledger_.problem(source.line(),
                      "an earlier [SESSION] listens on the same port with other settings for "
                      "sockets, addresses or TLS",
                      "Q105");
      return false;
    }
    Endpoint& endpoint =
        shared != servers_.end() ? *shared : servers_.emplace_back(Endpoint{std::move(group), {}});
    if (!endpoint.identities.insert(identity).second) {
      ledger_.problem(source.line(),
                      "an earlier [SESSION] on the same port has the same ids, and a Logon does "
                      "not tell them apart",
                      "Q105");
      return false;
    }
    session.set("instance", "SERVER_" + std::to_string(&endpoint - servers_.data() + 1));
    return true;
  }

  /// Two sessions with the same ids at different endpoints would share a journal.
  void give_own_journal(const std::string& identity, OutputGroup& session) {
    constexpr std::string_view standard = "journal";
    auto path = std::ranges::find(session.keys, "journal_path", &OutputKey::key);
    const std::string own = path == session.keys.end() ? std::string(standard) : path->value;
    if (journals_.insert(identity + own).second) {
      return;
    }
    const std::string other = own + "/" + session.name;
    if (path == session.keys.end()) {
      session.set("journal_path", other);
    } else {
      path->value = other;
    }
    journals_.insert(identity + other);
  }

  static std::string qualifier_of(const SessionSource& source) {
    const Setting* const qualifier = source.find("SessionQualifier");
    return qualifier != nullptr ? "\n" + qualifier->value : std::string();
  }

  /// No value contains a line end.
  static std::string identity_of(const SessionSource& source) {
    std::string identity;
    for (const std::string_view name :
         {"BeginString", "SenderCompID", "SenderSubID", "SenderLocationID", "TargetCompID",
          "TargetSubID", "TargetLocationID"}) {
      const Setting* const setting = source.find(name);
      identity += (setting != nullptr ? setting->value : std::string()) + "\n";
    }
    return identity;
  }

  static std::string group_name(const SessionSource& source) {
    std::string name;
    for (const std::string_view part :
         {"BeginString", "SenderCompID", "TargetCompID", "SessionQualifier"}) {
      if (const Setting* const setting = source.find(part)) {
        name += (name.empty() ? "" : "-") + setting->value;
      }
    }
    std::ranges::replace_if(
        name,
        [](char letter) {
          return !(base::is_letter(letter) || base::is_digit(letter) || letter == '.' ||
                   letter == '-' || letter == '_');
        },
        '_');
    return name;
  }

  std::string unused_name(const std::string& wanted) {
    std::string name = wanted;
    for (std::size_t number = 2; !names_.insert(name).second; ++number) {
      name = wanted + "_" + std::to_string(number);
    }
    return name;
  }

  void name_endpoints() {
    for (std::size_t at = 0; at < clients_.size(); ++at) {
      clients_[at].group.name = "CLIENT_" + std::to_string(at + 1);
    }
    for (std::size_t at = 0; at < servers_.size(); ++at) {
      servers_[at].group.name = "SERVER_" + std::to_string(at + 1);
    }
  }

  /// Reports settings that no session has used. `heirs` override a default with their own.
  void note_the_rest(const Section& section, const std::vector<Section>& heirs) {
    for (const Setting& setting : section.settings) {
      const KnownSetting* const known = find_known(setting.name);
      if (known == nullptr) {
        ledger_.note(NoteKind::Unknown, setting, "not a setting that any QuickFIX documents",
                     "Q103");
      } else if (ledger_.is_used(setting)) {
        continue;
      } else if (known->fate == Fate::Left) {
        if (known->harmless.empty() || !base::is_same_word(known->harmless, setting.value)) {
          ledger_.note(NoteKind::Left, setting, known->note);
        }
      } else if (heirs.empty() || std::ranges::any_of(heirs, [&](const Section& heir) {
                   return heir.find(setting.name) == nullptr;
                 })) {
        ledger_.note(NoteKind::Left, setting, "it has no effect on the sessions that have it",
                     "Q103");
      }
    }
  }

  const TranslationOptions& options_;
  Ledger ledger_;
  OutputGroup engine_{"ENGINE", {}, {}};
  std::string log_file_;
  std::vector<Endpoint> clients_;
  std::vector<Endpoint> servers_;
  std::vector<OutputGroup> sessions_;
  std::set<std::string> identities_;
  std::set<std::string> journals_;  // By ids and path.
  std::set<std::string> names_{"ENGINE"};
  std::size_t initiators_ = 0;
  std::size_t acceptors_ = 0;
};

std::string heading_of(const Note& note) {
  switch (note.kind) {
    case NoteKind::Differs:
      return "differs";
    case NoteKind::Left:
      return "not carried over";
    case NoteKind::Unknown:
      return "unknown";
    case NoteKind::Warning:
      return "note";
  }
  return {};
}

/// A file's name may contain any bytes, and a comment ends with its line.
std::string one_line(std::string name) {
  std::ranges::replace_if(
      name, [](char letter) { return static_cast<unsigned char>(letter) < 0x20; }, '?');
  return name;
}

std::string comments_of(const std::vector<Note>& notes, const std::string& name) {
  std::string text = "# From " + one_line(name) + ", by affix import-quickfix.\n";
  for (const Note& note : notes) {
    text += "# line " + std::to_string(note.line) + ", " + heading_of(note) + ": " +
            (note.setting.empty() ? "" : note.setting + ": ") + note.text +
            base::Error::suffix_of(note.code) + "\n";
  }
  return text + "\n";
}

/// Position of a line in the generated configuration: its group, and the value of its key.
struct OutputLine {
  std::string_view group;
  std::string_view value;
};

OutputLine output_line(std::string_view configuration, std::size_t number) {
  OutputLine found;
  for (std::size_t at = 1; at <= number && !configuration.empty(); ++at) {
    const std::string_view line = base::take_part(configuration, '\n');
    if (line.starts_with('[')) {
      found.group = line.substr(1, line.find(']') - 1);
    }
    const std::size_t equals = line.find('=');
    found.value = line.starts_with('#') || equals == std::string_view::npos
                      ? std::string_view()
                      : line.substr(equals + 1);
  }
  return found;
}

/// The setting that gives this value to the session of that line, or the session's own line.
LineText source_place(const SettingsText& settings, std::size_t session, std::string_view value) {
  for (const Section& section : settings.sessions) {
    if (section.line != session || value.empty()) {
      continue;
    }
    for (const Section* const one : {&section, &settings.defaults}) {
      const auto setting = std::ranges::find(one->settings, value, &Setting::value);
      if (setting != one->settings.end()) {
        return {setting->line, setting->name + ": "};
      }
    }
  }
  return {session, {}};
}

/// Converts our parser's errors about the configuration to the lines of the settings that it was
/// made from.
LineText in_settings(const base::Error& error, const SettingsText& settings,
                     const Translator& translator, std::string_view configuration) {
  const OutputLine line = output_line(configuration, error.line);
  LineText place = source_place(settings, translator.line_of(line.group), line.value);
  place.text += error.message;
  place.code = error.message_code;
  return place;
}

}  // namespace

Translation translate(std::string_view text, const std::string& name,
                      const TranslationOptions& options) {
  const SettingsText settings = read_settings(text);
  Translator translator(options);
  for (const LineText& problem : settings.problems) {
    translator.ledger().problem(problem.line, problem.text, problem.code);
  }
  for (const LineText& warning : settings.warnings) {
    translator.ledger().warn(warning.line, warning.text, warning.code);
  }
  translator.add(settings);
  Translation result{{},
                     translator.ledger().notes(),
                     translator.ledger().problems(),
                     translator.initiators(),
                     translator.acceptors()};
  std::ranges::sort(result.notes, {},
                    [](const Note& note) { return std::tie(note.line, note.setting, note.text); });
  std::ranges::sort(result.problems, {},
                    [](const LineText& problem) { return std::tie(problem.line, problem.text); });
  if (!result.problems.empty()) {
    return result;
  }
  result.configuration = comments_of(result.notes, name) + translator.groups_text();
  const auto parsed = affix::config::parse_configuration(result.configuration, "configuration");
  if (!parsed) {
    for (const base::Error& error : parsed.error()) {
      result.problems.push_back(in_settings(error, settings, translator, result.configuration));
    }
    result.configuration.clear();
    std::ranges::sort(result.problems, {},
                      [](const LineText& problem) { return std::tie(problem.line, problem.text); });
  }
  return result;
}

}  // namespace affix::inline v0::tools::import_quickfix
