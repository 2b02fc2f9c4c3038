// SPDX-License-Identifier: MIT
// What opening an engine would find out, found out before.
#include "affix/engine/checked_configuration.hpp"

#include "affix/net/address.hpp"

#include "engine/hosted_session.hpp"
#include "engine/instance_options.hpp"
#include "engine/list_text.hpp"
#include "engine/read_configuration.hpp"
#include "engine/session_dictionary.hpp"
#include "engine/tls_groups.hpp"
#include "engine/validation_rules.hpp"
#include "engine/worker_plan.hpp"

#include <algorithm>
#include <filesystem>
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

  void look() {
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
      look_at_address(*instance);
    }
  }

  [[nodiscard]] Problems take_problems() { return std::move(problems_); }

  [[nodiscard]] std::vector<std::string> take_warnings() { return store_.take_warnings(); }

 private:
  /// Where the group of that name begins; empty when there is none.
  [[nodiscard]] std::string place_of(std::string_view group) const {
    const auto placed =
        std::find_if(read_.groups.begin(), read_.groups.end(),
                     [group](const PlacedGroup& one) { return one.known.group.name == group; });
    return placed == read_.groups.end() ? std::string() : placed->place;
  }

  /// The engine knows no lines: what it says of "[GROUP]" or of a session stands at that group.
  void add(Problems found) {
    for (base::Error& problem : found) {
      std::string_view group = problem.where;
      if (group.starts_with('[')) {
        group = group.substr(1, group.find(']') - 1);
      }
      if (const std::string place = place_of(group); !place.empty()) {
        problem.message.insert(0, "[" + std::string(group) + "]: ");
        problem.where = place;
      }
      problems_.push_back(std::move(problem));
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
    if (sound_) {
      const auto& servers = read_.configuration.servers;
      const bool accepts = std::any_of(
          servers.begin(), servers.end(),
          [&session](const ServerSettings& server) { return server.name == session.instance; });
      add(check_session(session, accepts ? session::Role::Acceptor : session::Role::Initiator));
    }
    if (sound_ || dictionaries_are_there(session)) {
      if (auto opened = store_.open(session); !opened) {
        add(std::move(opened.error()));
      }
    }
  }

  void look_at_address(const InstanceSettings& instance) {
    if (instance.nic_address.empty()) {
      return;
    }
    if (auto address = net::Address::parse(host_and_port(instance.nic_address, 0)); !address) {
      add({{base::ErrorCode::InvalidArgument,
            "key 'nic_address': '" + instance.nic_address + "' is no address in numbers",
            "[" + instance.name + "]"}});
    }
  }

  const ReadConfiguration& read_;
  const bool sound_;
  Problems problems_;
  DictionaryStore store_;
};

}  // namespace

std::expected<CheckedConfiguration, Problems> load_checked_configuration(const std::string& path) {
  SystemSource source;
  const auto text = source.read(path, configuration_bytes_max);
  if (!text) {
    return std::unexpected(Problems{text.error()});
  }
  Problems problems;
  ReadConfiguration read = read_what_is_sound(*text, path, source, FileCheck::Look, problems);
  Inspection inspection(read, std::move(problems));
  inspection.look();
  problems = inspection.take_problems();
  if (!problems.empty()) {
    return std::unexpected(std::move(problems));
  }
  std::vector<std::string> warnings = inspection.take_warnings();
  return CheckedConfiguration{std::move(read.configuration), std::move(warnings)};
}

}  // namespace affix::inline v0::engine
