// SPDX-License-Identifier: MIT
// Finds at check time every fault that opening an engine would find.
#include "affix/engine/checked_configuration.hpp"

#include "affix/os/existing_path.hpp"

#include "config/instance_options.hpp"
#include "config/list_text.hpp"
#include "config/preparation.hpp"
#include "config/read_configuration.hpp"
#include "config/session_options.hpp"
#include "config/validation_rules.hpp"
#include "host/session_dictionary.hpp"

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

/// Checks one file after the other.
class Inspection {
 public:
  Inspection(const config::ReadConfiguration& read, config::Problems problems)
      : read_(read), sound_(problems.empty()), problems_(std::move(problems)) {}

  void look(FurtherCheck further) {
    const config::Configuration& configuration = read_.configuration;
    for (const auto* sessions : {&configuration.sessions, &configuration.templates}) {
      for (const config::SessionSettings& session : *sessions) {
        look_into(session);
      }
    }
    // With a faulty group these checks would report groups as missing.
    if (!sound_) {
      return;
    }
    if (auto prepared = config::prepare(configuration); !prepared) {
      add(std::move(prepared.error()));
    }
    for (const config::ServerSettings& server : configuration.servers) {
      look_at_interface(config::GroupKind::Server, server);
    }
    for (const config::ClientSettings& client : configuration.clients) {
      look_at_interface(config::GroupKind::Client, client);
    }
    if (further != nullptr) {
      add(further(configuration));
    }
  }

  [[nodiscard]] config::Problems take_problems() { return std::move(problems_); }

  [[nodiscard]] config::Problems take_warnings() { return store_.take_warnings(); }

 private:
  /// The group of that kind and name; null when the file has none.
  [[nodiscard]] const config::PlacedGroup* find(config::GroupKind kind,
                                                std::string_view group) const {
    // There is one of each, under any name.
    const bool is_only_one =
        kind == config::GroupKind::Engine || kind == config::GroupKind::Application;
    const auto placed = std::ranges::find_if(read_.groups, [&](const config::PlacedGroup& one) {
      return one.known.kind == kind && (is_only_one || one.known.group.name == group);
    });
    return placed == read_.groups.end() ? nullptr : &*placed;
  }

  /// Place of a group's key; empty: the group does not have the key.
  [[nodiscard]] static std::string place_of(const config::PlacedGroup& placed,
                                            std::string_view key) {
    const std::vector<config::Entry>& entries = placed.known.group.entries;
    const auto entry =
        std::find_if(entries.begin(), entries.end(),
                     [key](const config::Entry& candidate) { return candidate.key == key; });
    return entry == entries.end()
               ? std::string()
               : placed.entry_places[static_cast<std::size_t>(entry - entries.begin())];
  }

  /// The engine knows no line numbers: a finding about a group or key of the file gets its line.
  void add(std::vector<config::Finding> found) {
    for (config::Finding& finding : found) {
      if (const config::PlacedGroup* const placed = find(finding.kind, finding.group);
          placed != nullptr && !finding.group.empty()) {
        std::string place = place_of(*placed, finding.key);
        if (!finding.where.empty()) {
          finding.message.insert(0, finding.where + ": ");
        } else if (place.empty()) {
          finding.message.insert(0, "[" + placed->known.group.name + "]: ");
        }
        if (place.empty()) {
          place = placed->place;
        }
        finding.where = std::move(place);
      }
      problems_.push_back(finding.as_error());
    }
  }

  void add_at(config::GroupKind kind, const std::string& group, std::string_view key,
              const std::string& message, base::MessageCode code) {
    add({{.kind = kind,
          .group = group,
          .key = key,
          .message = "key '" + std::string(key) + "': " + message,
          .code = code}});
  }

  void look_at_interface(config::GroupKind kind, const config::InstanceSettings& instance) {
    if (!instance.nic_name.empty() && ::if_nametoindex(instance.nic_name.c_str()) == 0) {
      add_at(kind, instance.name, "nic_name",
             "this machine has no network interface '" + instance.nic_name + "'", "E113");
    }
  }

  /// Checks that the journal's directory exists, or can be made in its nearest existing parent.
  void look_at_journal(const config::SessionSettings& session) {
    if (session.durability == journal::Durability::Memory) {
      return;
    }
    const std::string at = os::existing_path(journal_directory(session));
    std::error_code ignored;
    if (!std::filesystem::is_directory(at, ignored)) {
      add_at(config::GroupKind::Session, session.name, "journal_path",
             "'" + at + "' is not a directory", "E114");
    } else if (::access(at.c_str(), W_OK | X_OK) != 0) {
      add_at(config::GroupKind::Session, session.name, "journal_path",
             "nothing can be made in '" + at + "': " + std::strerror(errno), "E114");
    }
  }

  /// True if the dictionaries exist and fit together; a misfit has been reported.
  [[nodiscard]] static bool dictionaries_are_there(const config::SessionSettings& session) {
    // Without a version it is unknown which dictionaries belong together.
    const bool is_fixt = config::version_of(session) == session::Version::Fixt11;
    if (session.begin_string.empty() || session.dictionary.empty() ||
        is_fixt == session.transport_dictionary.empty() || !config::validation_rules_of(session)) {
      return false;
    }
    bool readable =
        is_readable(session.dictionary) && (!is_fixt || is_readable(session.transport_dictionary));
    std::string_view rest = session.further_dictionaries;
    while (!rest.empty()) {
      readable &= is_readable(std::string(config::take_piece(rest)));
    }
    return readable;
  }

  /// Not for pipes, which would block.
  [[nodiscard]] static bool is_readable(const std::string& path) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(path, ignored) && ::access(path.c_str(), R_OK) == 0;
  }

  void look_into(const config::SessionSettings& session) {
    if (sound_ && !session.acceptor_template) {
      look_at_journal(session);
    }
    if (sound_ || dictionaries_are_there(session)) {
      if (auto opened = store_.open(session); !opened) {
        add(std::move(opened.error()));
      }
    }
  }

  const config::ReadConfiguration& read_;
  const bool sound_;
  config::Problems problems_;
  host::DictionaryStore store_;
};

}  // namespace

std::expected<CheckedConfiguration, config::Problems> load_checked_configuration(
    const std::string& path, FurtherCheck further) {
  config::SystemSource source;
  const auto text = source.read(path, config::configuration_bytes_max);
  if (!text) {
    return std::unexpected(config::Problems{text.error()});
  }
  config::Problems problems;
  config::ReadConfiguration read =
      config::read_what_is_sound(*text, path, source, config::FileCheck::Look, problems);
  Inspection inspection(read, std::move(problems));
  inspection.look(further);
  problems = inspection.take_problems();
  if (!problems.empty()) {
    return std::unexpected(std::move(problems));
  }
  config::Problems warnings = inspection.take_warnings();
  return CheckedConfiguration{std::move(read.configuration), std::move(warnings)};
}

}  // namespace affix::inline v0::engine
