// SPDX-License-Identifier: MIT
// What opening an engine would find out, found out before.
#include "affix/engine/checked_configuration.hpp"

#include "engine/instance_options.hpp"
#include "engine/list_text.hpp"
#include "engine/read_configuration.hpp"
#include "engine/session_dictionary.hpp"
#include "engine/session_options.hpp"
#include "engine/tls_groups.hpp"
#include "engine/validation_rules.hpp"
#include "engine/worker_plan.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <net/if.h>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace affix::inline v0::engine {

namespace {

/// One file's contents after the other.
class Inspection {
 public:
  Inspection(const ReadConfiguration& read, Problems problems)
      : read_(read), sound_(problems.empty()), problems_(std::move(problems)) {}

  void look(FurtherCheck further) {
    const Configuration& configuration = read_.configuration;
    for (const auto* sessions : {&configuration.sessions, &configuration.templates}) {
      for (const SessionSettings& session : *sessions) {
        look_into(session);
      }
    }
    // With a wrong group these would tell of what is not there.
    if (!sound_) {
      return;
    }
    if (auto plan = plan_workers(configuration); !plan) {
      add(std::move(plan.error()));
    }
    if (auto encryption = TlsGroups::open(configuration); !encryption) {
      add(std::move(encryption.error()));
    }
    for (const InstanceSettings* instance : instances_of(configuration)) {
      look_at_interface(*instance);
    }
    if (further != nullptr) {
      add(further(configuration));
    }
  }

  [[nodiscard]] Problems take_problems() { return std::move(problems_); }

  [[nodiscard]] std::vector<std::string> take_warnings() { return store_.take_warnings(); }

 private:
  /// The group of that name; null when there is none.
  [[nodiscard]] const PlacedGroup* find(std::string_view group) const {
    const auto placed =
        std::find_if(read_.groups.begin(), read_.groups.end(), [group](const PlacedGroup& one) {
          // Whatever the engine's group is called in the file.
          return one.known.group.name == group ||
                 (group == "ENGINE" && one.known.kind == GroupKind::Engine);
        });
    return placed == read_.groups.end() ? nullptr : &*placed;
  }

  /// Where a group's key stands; empty: the group does not say it.
  [[nodiscard]] static std::string place_of(const PlacedGroup& placed, std::string_view key) {
    const std::vector<Entry>& entries = placed.known.group.entries;
    const auto entry = std::find_if(entries.begin(), entries.end(),
                                    [key](const Entry& candidate) { return candidate.key == key; });
    return entry == entries.end()
               ? std::string()
               : placed.entry_places[static_cast<std::size_t>(entry - entries.begin())];
  }

  /// The engine knows no lines: what it says of a session, of "[GROUP]" or of "[GROUP] key" gets
  /// the place of that.
  void add(Problems found) {
    for (base::Error& problem : found) {
      std::string_view group = problem.where;
      std::string_view key;
      if (group.starts_with('[')) {
        const std::size_t close = std::min(group.find(']'), group.size());
        key = trimmed(group.substr(std::min(close + 1, group.size())));
        group = group.substr(1, close - 1);
      }
      if (const PlacedGroup* const placed = find(group)) {
        std::string place = place_of(*placed, key);
        if (place.empty()) {
          problem.message.insert(0, "[" + placed->known.group.name + "]: ");
          place = placed->place;
        }
        problem.where = std::move(place);
      }
      problems_.push_back(std::move(problem));
    }
  }

  void add_at(const std::string& group, std::string_view key, const std::string& message) {
    add({{base::ErrorCode::InvalidArgument, "key '" + std::string(key) + "': " + message,
          "[" + group + "] " + std::string(key)}});
  }

  void look_at_interface(const InstanceSettings& instance) {
    if (!instance.nic_name.empty() && ::if_nametoindex(instance.nic_name.c_str()) == 0) {
      add_at(instance.name, "nic_name",
             "this machine has no network interface '" + instance.nic_name + "'");
    }
  }

  /// Whether the journal's directory is there, or can be made in the nearest one that is.
  void look_at_journal(const SessionSettings& session) {
    namespace fs = std::filesystem;
    if (session.durability == "memory") {
      return;
    }
    std::error_code ignored;
    fs::path at = fs::absolute(journal_directory(session), ignored).lexically_normal();
    if (fs::exists(at, ignored) && !fs::is_directory(at, ignored)) {
      add_at(session.name, "journal_path", "'" + at.string() + "' is no directory");
      return;
    }
    while (!fs::exists(at, ignored) && at.has_relative_path()) {
      at = at.parent_path();
    }
    if (::access(at.c_str(), W_OK | X_OK) != 0) {
      add_at(session.name, "journal_path",
             "nothing can be made in '" + at.string() + "': " + std::strerror(errno));
    }
  }

  /// Whether the dictionaries are there and go together; that they do not has been told.
  [[nodiscard]] static bool dictionaries_are_there(const SessionSettings& session) {
    const bool is_fixt = session.begin_string == "FIXT.1.1";
    if (session.dictionary.empty() || is_fixt == session.transport_dictionary.empty() ||
        !validation_rules_of(session)) {
      return false;
    }
    bool readable =
        is_readable(session.dictionary) && (!is_fixt || is_readable(session.transport_dictionary));
    std::string_view rest = session.further_dictionaries;
    while (!rest.empty()) {
      readable &= is_readable(std::string(take_piece(rest)));
    }
    return readable;
  }

  /// Not so pipes, which would be waited for.
  [[nodiscard]] static bool is_readable(const std::string& path) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(path, ignored) && ::access(path.c_str(), R_OK) == 0;
  }

  void look_into(const SessionSettings& session) {
    if (sound_ && !session.acceptor_template) {
      look_at_journal(session);
    }
    if (sound_ || dictionaries_are_there(session)) {
      if (auto opened = store_.open(session); !opened) {
        add(std::move(opened.error()));
      }
    }
  }

  const ReadConfiguration& read_;
  const bool sound_;
  Problems problems_;
  DictionaryStore store_;
};

}  // namespace

std::expected<CheckedConfiguration, Problems> load_checked_configuration(const std::string& path,
                                                                         FurtherCheck further) {
  SystemSource source;
  const auto text = source.read(path, configuration_bytes_max);
  if (!text) {
    return std::unexpected(Problems{text.error()});
  }
  Problems problems;
  ReadConfiguration read = read_what_is_sound(*text, path, source, FileCheck::Look, problems);
  Inspection inspection(read, std::move(problems));
  inspection.look(further);
  problems = inspection.take_problems();
  if (!problems.empty()) {
    return std::unexpected(std::move(problems));
  }
  std::vector<std::string> warnings = inspection.take_warnings();
  return CheckedConfiguration{std::move(read.configuration), std::move(warnings)};
}

}  // namespace affix::inline v0::engine
