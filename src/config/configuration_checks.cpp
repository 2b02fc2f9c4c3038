// SPDX-License-Identifier: MIT
// Checks across groups, around those of each group.
#include "config/configuration_checks.hpp"

#include "config/group_checks.hpp"
#include "config/identity.hpp"
#include "config/instance_options.hpp"
#include "config/key_tables.hpp"
#include "config/platform_checks.hpp"
#include "config/session_checks.hpp"
#include "config/session_options.hpp"
#include "config/tls_groups.hpp"
#include "config/value_checks.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>

namespace affix::inline v0::config {

namespace {

/// One text for all ways to write a path; symbolic links are not followed.
std::string place_of(const std::string& path) {
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::absolute(path, error);
  const std::filesystem::path normal =
      (error ? std::filesystem::path(path) : absolute).lexically_normal();
  // "a/" and "a" are one directory.
  return (normal.has_filename() ? normal : normal.parent_path()).string();
}

/// Judges each value by itself, and those of the administration port together.
template <typename Settings>
void check_engine_values(const Settings& settings, Findings& findings) {
  findings.look_at(GroupKind::Engine, "ENGINE");
  check_values(settings, Settings(), findings);
  check_management(settings, findings);
}

/// One file of the group, and its key.
struct NamedFile {
  std::string_view key;
  std::string path;
  std::string place;
  bool is_written = false;
};

std::vector<NamedFile> files_of(const EngineSettings& settings, const Findings& findings) {
  std::vector<NamedFile> files;
  for_each_table<EngineSettings>([&](const auto& table) {
    for (const auto& key : table) {
      const bool is_written = key.file == FileNeed::Creatable;
      if (!is_written && key.file != FileNeed::Readable) {
        continue;
      }
      std::string path = value_text(key, settings);
      if (!path.empty() && findings.stand({key.name})) {
        std::string place = place_of(path);
        files.push_back({key.name, std::move(path), std::move(place), is_written});
      }
    }
  });
  return files;
}

/// A file that we write must not be the file of another key.
void check_shared_files(const EngineSettings& settings, Findings& findings) {
  const std::vector<NamedFile> files = files_of(settings, findings);
  for (auto one = files.begin(); one != files.end(); ++one) {
    const auto other = std::find_if(files.begin(), one, [&one](const NamedFile& before) {
      return before.place == one->place && (before.is_written || one->is_written);
    });
    if (other != one) {
      findings.wrong_together(
          one->key, "'" + one->path + "' is the file of key '" + std::string(other->key) + "' too",
          "C223");
    }
  }
}

void check_engine(const EngineSettings& settings, Findings& findings) {
  check_engine_values(settings, findings);
  check_engine_platform(settings, os::abilities(), findings);
  if (findings.stand({"numa_bind_node"}) && settings.numa_aware_allocations &&
      settings.numa_bind_node < 0) {
    findings.no_effect("numa_aware_allocations", "no numa_bind_node says of which node");
  }
  if (findings.stand({"latency_records", "latency_file"}) && settings.latency_file.empty() &&
      settings.latency_records != EngineSettings().latency_records) {
    findings.no_effect("latency_records", "no latency_file is given");
  }
  check_shared_files(settings, findings);
  check_node(settings, findings);
}

/// The server or client group of a session; null: there is none of that name.
struct Owner {
  const InstanceSettings* settings = nullptr;
  session::Role role = session::Role::Acceptor;
};

class GroupsCheck {
 public:
  GroupsCheck(const Configuration& configuration, Findings& findings)
      : configuration_(configuration), findings_(findings) {}

  void check() {
    check_engine(configuration_.engine, findings_);
    for (const ServerSettings& server : configuration_.servers) {
      check_server_group(server, findings_);
      add_instance(server, session::Role::Acceptor);
    }
    for (const ClientSettings& client : configuration_.clients) {
      check_client_group(client, findings_);
      add_instance(client, session::Role::Initiator);
    }
    check_ports();
    check_failovers(configuration_, findings_);
    if (instances_.empty()) {
      findings_.look_at(GroupKind::Engine, "ENGINE");
      findings_.wrong_as_said(
          {}, "there is no client group (primary_address) and no server group (accept_port)",
          "C216");
    }
    for (const auto* sessions : {&configuration_.sessions, &configuration_.templates}) {
      for (const SessionSettings& session : *sessions) {
        const Owner owner = owner_of(session);
        check_session_group(session,
                            owner.settings == nullptr ? std::nullopt : std::optional(owner.role),
                            findings_);
        check_owner(session, owner);
        check_name(session);
        check_identity(session);
      }
    }
    check_memory_journals();
    check_application(configuration_, findings_);
  }

 private:
  void add_instance(const InstanceSettings& settings, session::Role role) {
    if (settings.name.empty()) {
      findings_.wrong_as_said({}, "a group needs a name", "C218");
    } else if (!instances_.emplace(settings.name, Owner{&settings, role}).second) {
      findings_.wrong_as_said({}, "shares its name with another client or server group", "C218");
    }
  }

  [[nodiscard]] Owner owner_of(const SessionSettings& session) const {
    const auto found = instances_.find(session.instance);
    return found == instances_.end() ? Owner() : found->second;
  }

  void check_owner(const SessionSettings& session, const Owner& owner) {
    if (owner.settings == nullptr) {
      if (!findings_.stand({"instance"})) {
        return;
      }
      if (session.instance.empty()) {
        findings_.wrong_as_said(
            {}, "needs key 'instance': there is not exactly one client or server group", "C217");
      } else {
        findings_.wrong_together(
            "instance", "'" + session.instance + "' is not a client or server group", "C217");
      }
      return;
    }
    if (session.acceptor_template && owner.role != session::Role::Acceptor) {
      findings_.wrong_as_said({}, "is a template, and its group is not a server", "C229");
    }
    const GroupKind kind =
        owner.role == session::Role::Acceptor ? GroupKind::Server : GroupKind::Client;
    const auto owner_stands = [&](std::string_view key) {
      return findings_.stand(kind, owner.settings->name, {key});
    };
    if (!owner.settings->failover_group.empty() && owner_stands("failover_group")) {
      check_replicated_session(session, findings_);
    }
    if (!session.tls_peer.empty() && findings_.stand({"tls_peer"}) && owner_stands("tls") &&
        owner.settings->tls != Encryption::On) {
      findings_.wrong_as_said({}, "has key 'tls_peer', and its group speaks no TLS", "C227");
    }
    if (!findings_.stand({"max_message_bytes"})) {
      return;
    }
    if (owner_stands("tx_encode_buffer_capacity")) {
      check_segment(session, *owner.settings);
      check_ring(session, *owner.settings);
    }
    const std::int64_t needed = session.max_message_bytes + frame_bytes;
    if (owner_stands("rx_buffer_capacity") && owner.settings->rx_buffer_capacity < needed &&
        !warned_.contains(owner.settings)) {
      // Reported once for a group, at its first session that asks for more.
      warned_.emplace(owner.settings, true);
      findings_.look_at(kind, owner.settings->name);
      findings_.raised("rx_buffer_capacity", owner.settings->rx_buffer_capacity, needed,
                       "the size of a message of max_message_bytes of [" + session.name + "]");
      findings_.look_at(GroupKind::Session, session.name);
    }
  }

  void check_segment(const SessionSettings& session, const InstanceSettings& owner) {
    if (!findings_.stand({"max_serialised_file_size", "durability"})) {
      return;
    }
    const auto used = static_cast<std::int64_t>(
        segment_bytes_of(session, static_cast<std::size_t>(owner.tx_encode_buffer_capacity)));
    if (session.durability != journal::Durability::Memory &&
        used != session.max_serialised_file_size) {
      findings_.raised("max_serialised_file_size", session.max_serialised_file_size, used,
                       "a power of two that takes two of the largest messages");
    }
  }

  void check_ring(const SessionSettings& session, const InstanceSettings& owner) {
    if (!findings_.stand({"replay_message_cache_initial_size", "durability"}) ||
        session.durability != journal::Durability::Memory) {
      return;
    }
    const std::int64_t given = session.replay_message_cache_initial_size;
    const std::int64_t used =
        cached_messages_of(session, static_cast<std::size_t>(owner.tx_encode_buffer_capacity));
    if (given != SessionSettings().replay_message_cache_initial_size && used > given) {
      findings_.raised("replay_message_cache_initial_size", given, used,
                       "as a ring has 1 MiB at least, and space for eight of the largest messages");
    }
  }

  /// Sessions added later are refused if their journals do not fit.
  void check_memory_journals() {
    findings_.look_at(GroupKind::Engine, "ENGINE");
    const std::int64_t limit = configuration_.engine.memory_journal_bytes;
    if (limit == 0 || !findings_.stand({"memory_journal_bytes"})) {
      return;
    }
    std::uint64_t bytes = 0;
    std::size_t count = 0;
    for (const SessionSettings& session : configuration_.sessions) {
      const Owner owner = owner_of(session);
      if (session.durability != journal::Durability::Memory || owner.settings == nullptr ||
          !findings_.stand(GroupKind::Session, session.name,
                           {"max_message_bytes", "replay_message_cache_initial_size"}) ||
          !findings_.stand(
              owner.role == session::Role::Acceptor ? GroupKind::Server : GroupKind::Client,
              owner.settings->name, {"tx_encode_buffer_capacity"})) {
        continue;
      }
      bytes += ring_bytes_at_start(
          session, static_cast<std::size_t>(owner.settings->tx_encode_buffer_capacity));
      ++count;
    }
    if (bytes > static_cast<std::uint64_t>(limit)) {
      findings_.wrong_together(
          "memory_journal_bytes",
          std::to_string(limit) + " is below the " + std::to_string(bytes) +
              " bytes that journals in memory begin with (sessions with durability=memory: " +
              std::to_string(count) +
              "); less max_message_bytes and tx_encode_buffer_capacity ask for less",
          "C221");
    }
  }

  void check_name(const SessionSettings& session) {
    if (session.name.empty()) {
      findings_.wrong_as_said({}, "a group needs a name", "C218");
    } else if (!names_.emplace(session.name, true).second) {
      findings_.wrong_as_said({}, "shares its name with another session", "C224");
    }
  }

  /// Checks what must differ between sessions: identities towards peers, and journal directories.
  void check_identity(const SessionSettings& session) {
    if (!findings_.stand({"begin_string", "sender_comp_id", "target_comp_id", "sender_sub_id",
                          "target_sub_id", "sender_location_id", "target_location_id"})) {
      return;
    }
    const std::string identity = identity_text(session);
    const auto [same, is_first] =
        identities_.emplace(session.instance + '\n' + identity, session.name);
    if (!is_first) {
      findings_.wrong_as_said({}, "has the same identity as [" + std::string(same->second) + "]",
                              "C219");
      return;
    }
    if (session.durability == journal::Durability::Memory || session.acceptor_template ||
        !findings_.stand({"durability", "journal_path"})) {
      return;
    }
    const std::string path = place_of(session.journal_path);
    const auto [sharer, is_alone] = journals_.emplace(path + '\n' + identity, session.name);
    if (!is_alone) {
      findings_.wrong_together("journal_path",
                               "[" + std::string(sharer->second) +
                                   "] has the same ids and the same journal_path, so both "
                                   "would have one journal",
                               "C220");
    }
  }

  /// An address without a host, which is bound on all interfaces, conflicts with every other.
  static bool meet(const std::string& one, const std::string& other) {
    const auto is_any = [](const std::string& host) {
      return host.empty() || host == "*" || host == "0.0.0.0" || host == "::";
    };
    return is_any(one) || is_any(other) || one == other;
  }

  /// Finds ports that could not be bound twice.
  void check_ports() {
    const auto& servers = configuration_.servers;
    for (auto server = servers.begin(); server != servers.end(); ++server) {
      findings_.look_at(GroupKind::Server, server->name);
      if (!findings_.stand({"accept_port", "nic_address"})) {
        continue;
      }
      const std::string port = std::to_string(server->accept_port);
      const auto other = std::find_if(servers.begin(), server, [&](const ServerSettings& one) {
        return one.accept_port == server->accept_port &&
               findings_.stand(GroupKind::Server, one.name, {"nic_address"}) &&
               meet(one.nic_address, server->nic_address);
      });
      if (server->accept_port != 0 && other != server) {
        findings_.wrong_together("accept_port",
                                 port + " is the accept_port of [" + other->name + "] too", "C222");
      }
      const ManagementSettings& management = configuration_.engine;
      const std::string& nic = management.management_server_nic_ip;
      if (server->accept_port != 0 && management.management_server_port == server->accept_port &&
          meet(nic.empty() ? "127.0.0.1" : nic, server->nic_address)) {
        findings_.wrong_together("accept_port", port + " is the management_server_port too",
                                 "C222");
      }
    }
  }

  const Configuration& configuration_;
  Findings& findings_;
  std::unordered_map<std::string_view, Owner> instances_;
  std::unordered_map<const InstanceSettings*, bool> warned_;
  std::unordered_map<std::string_view, bool> names_;
  std::unordered_map<std::string, std::string_view> identities_;
  std::unordered_map<std::string, std::string_view> journals_;
};

}  // namespace

std::vector<Finding> check_configuration(const Configuration& configuration,
                                         const std::vector<RefusedKey>& refused) {
  Findings findings(refused);
  GroupsCheck(configuration, findings).check();
  return findings.take();
}

Problems problems_of(const std::vector<Finding>& findings) {
  Problems problems;
  for (const Finding& finding : findings) {
    if (finding.sort != FindingSort::NoEffect) {
      problems.push_back(finding.as_error());
    }
  }
  return problems;
}

Problems errors_of(const std::vector<Finding>& findings) {
  Problems errors;
  for (const Finding& finding : findings) {
    errors.push_back(finding.as_error());
  }
  return errors;
}

Problems warnings_of(const std::vector<Finding>& findings, const std::vector<Finding>& known) {
  Problems warnings;
  for (const Finding& finding : findings) {
    const bool is_known =
        std::ranges::any_of(known, [&finding](const Finding& one) { return one.is_same(finding); });
    if (finding.sort == FindingSort::NoEffect && !is_known) {
      warnings.push_back(finding.as_error());
    }
  }
  return warnings;
}

bool leaves_owner_open(const Configuration& configuration) {
  const auto is_open = [](const SessionSettings& session) { return session.instance.empty(); };
  return configuration.clients.size() + configuration.servers.size() == 1 &&
         (std::ranges::any_of(configuration.sessions, is_open) ||
          std::ranges::any_of(configuration.templates, is_open));
}

void name_owners(Configuration& configuration) {
  if (!leaves_owner_open(configuration)) {
    return;
  }
  const std::string& owner = instances_of(configuration).front()->name;
  for (auto* sessions : {&configuration.sessions, &configuration.templates}) {
    for (SessionSettings& session : *sessions) {
      if (session.instance.empty()) {
        session.instance = owner;
      }
    }
  }
}

std::expected<void, base::Error> check_open_port(ManagementSettings settings) {
  if (settings.management_server_port == 0) {
    settings.management_server_port = -1;  // Or it would be judged as no port.
  }
  Findings findings;
  check_engine_values(settings, findings);
  Problems problems = problems_of(findings.take());
  if (!problems.empty()) {
    return std::unexpected(std::move(problems.front()));
  }
  return {};
}

}  // namespace affix::inline v0::config
