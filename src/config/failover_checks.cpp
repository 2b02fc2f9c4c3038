// SPDX-License-Identifier: MIT
// Checks of the failover keys: of the engine as a node, of failover groups, and of the client,
// server and session groups that are in one.
#include "affix/net/address.hpp"
#include "affix/tls/tls_settings.hpp"

#include "config/group_checks.hpp"
#include "config/instance_options.hpp"
#include "config/near_miss.hpp"
#include "config/value_checks.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace affix::inline v0::config {

namespace {

constexpr base::MessageCode node_code = "C501";
constexpr base::MessageCode together_code = "C502";
constexpr base::MessageCode group_code = "C504";
constexpr base::MessageCode member_code = "C505";
constexpr base::MessageCode session_code = "C506";
constexpr base::MessageCode encryption_code = "C507";
constexpr base::MessageCode local_store_code = "C508";
constexpr base::MessageCode clear_password_code = "C509";

constexpr std::string_view name_form =
    "is not a name of 1 to 64 letters, digits, '.', '_' and '-' that begins with a letter or digit";

std::string in_quotes(std::string_view text) {
  return "'" + std::string(text) + "' ";
}

/// " (did you mean 'x'?)", or empty if no name is near.
std::string suggestion(std::string_view word, const std::vector<std::string_view>& names) {
  const std::string_view nearest = nearest_name(word, names);
  return nearest.empty() ? std::string() : " (did you mean '" + std::string(nearest) + "'?)";
}

std::vector<std::string_view> node_names(const std::vector<NodeAddress>& nodes) {
  std::vector<std::string_view> names;
  for (const NodeAddress& node : nodes) {
    names.push_back(node.name);
  }
  return names;
}

bool are_on_this_machine(const std::vector<NodeAddress>& nodes) {
  return std::ranges::all_of(nodes,
                             [](const NodeAddress& node) { return node.address.is_loopback(); });
}

bool are_on_this_machine(const std::vector<ElectionEndpoint>& endpoints) {
  return std::ranges::all_of(endpoints, [](const ElectionEndpoint& endpoint) {
    const auto address = net::Address::parse(host_and_port(endpoint.host, endpoint.port));
    return address ? address->is_loopback() : endpoint.host == "localhost";
  });
}

/// A key that has a value only together with others.
struct Given {
  std::string_view name;
  std::string_view value;
};

/// The keys of the engine group.
class NodeCheck {
 public:
  NodeCheck(const NodeSettings& settings, Findings& findings)
      : settings_(settings), findings_(findings) {}

  void check() {
    check_names();
    check_texts();
    if (!findings_.stand({"node"})) {
      return;
    }
    if (settings_.node.empty()) {
      for (const auto& key : node_keys()) {
        find_idle(key.name, "key 'node' is not set");
      }
      return;
    }
    require("node_addresses", settings_.node_addresses);
    require("election", settings_.election);
    require("failover_directory", settings_.failover_directory);
    check_membership();
    check_election();
    check_replication_files();
  }

 private:
  void require(std::string_view key, const std::string& value) {
    if (value.empty()) {
      findings_.missing(key);
    }
  }

  void check_names() {
    if (!settings_.node.empty() && !is_failover_name(settings_.node)) {
      findings_.wrong("node", in_quotes(settings_.node) + std::string(name_form), node_code);
    }
    if (!is_failover_name(settings_.cluster)) {
      findings_.wrong("cluster", in_quotes(settings_.cluster) + std::string(name_form), node_code);
    }
  }

  /// Parses every text, also those of an engine that is no node.
  void check_texts() {
    if (auto nodes = node_addresses_of(settings_)) {
      nodes_ = std::move(*nodes);
    } else {
      findings_.wrong("node_addresses", nodes.error());
    }
    if (auto election = election_of(settings_)) {
      election_ = std::move(*election);
    } else {
      findings_.wrong("election", election.error());
    }
    if (const auto secret = tls::TlsSecret::parse(settings_.election_password); !secret) {
      findings_.wrong("election_password", secret.error());
    }
  }

  void check_membership() {
    if (!findings_.stand({"node_addresses"})) {
      return;
    }
    const std::vector<std::string_view> names = node_names(nodes_);
    if (std::ranges::find(names, settings_.node) == names.end()) {
      findings_.wrong_together("node",
                               in_quotes(settings_.node) + "is not in node_addresses" +
                                   suggestion(settings_.node, names),
                               node_code);
    }
  }

  void check_election() {
    if (!findings_.stand({"election"})) {
      return;
    }
    if (election_.kind != ElectionKind::Etcd) {
      for (const std::string_view key : {"election_prefix", "election_user", "election_password"}) {
        find_idle(key, "it is for etcd, and election is a directory");
      }
    } else {
      check_etcd();
    }
    if (election_.tls != Encryption::On) {
      for (const std::string_view key :
           {"election_tls_ca_file", "election_tls_certificate_file", "election_tls_key_file"}) {
        find_idle(key, "election does not begin with etcds://");
      }
    } else {
      check_together({{"election_tls_certificate_file", settings_.election_tls_certificate_file},
                      {"election_tls_key_file", settings_.election_tls_key_file}},
                     encryption_code);
      refuse_without_tls("election");
    }
    if (election_.kind == ElectionKind::File && findings_.stand({"node_addresses"}) &&
        !are_on_this_machine(nodes_)) {
      findings_.beside("election",
                       "a directory elects safely only among processes of one machine, and "
                       "node_addresses has addresses beyond it",
                       local_store_code);
    }
  }

  void check_etcd() {
    require("election_prefix", settings_.election_prefix);
    check_together({{"election_user", settings_.election_user},
                    {"election_password", settings_.election_password}},
                   together_code);
    if (!settings_.election_user.empty() && findings_.stand({"election_user"}) &&
        election_.tls != Encryption::On && !are_on_this_machine(election_.endpoints)) {
      findings_.beside("election_password",
                       "the password goes over the network in clear text: election does not begin "
                       "with etcds://",
                       clear_password_code);
    }
  }

  void check_replication_files() {
    const std::string& certificate = settings_.replication_tls_certificate_file;
    const std::string& key = settings_.replication_tls_key_file;
    const std::string& authority = settings_.replication_tls_ca_file;
    check_together({{"replication_tls_certificate_file", certificate},
                    {"replication_tls_key_file", key},
                    {"replication_tls_ca_file", authority}},
                   encryption_code);
    const bool has_tls = !certificate.empty() || !key.empty() || !authority.empty();
    if (has_tls) {
      refuse_without_tls("replication_tls_certificate_file");
    } else if (findings_.stand({"node_addresses"}) && !are_on_this_machine(nodes_)) {
      findings_.wrong_together(
          "node_addresses",
          "an address beyond this machine needs TLS (replication_tls_certificate_file, "
          "replication_tls_key_file and replication_tls_ca_file)",
          encryption_code);
    }
  }

  /// Reports the keys without a value beside one that has one.
  void check_together(std::initializer_list<Given> keys, base::MessageCode code) {
    const Given* const given =
        std::ranges::find_if(keys, [](const Given& key) { return !key.value.empty(); });
    const bool all_stand =
        std::ranges::all_of(keys, [this](const Given& key) { return findings_.stand({key.name}); });
    if (given == keys.end() || !all_stand) {
      return;
    }
    for (const Given& key : keys) {
      if (key.value.empty()) {
        findings_.wrong_together(key.name,
                                 "is needed beside key '" + std::string(given->name) + "'", code);
      }
    }
  }

  void refuse_without_tls(std::string_view key) {
    if (!tls::has_tls() && findings_.stand({key})) {
      findings_.wrong(key, "this build has no TLS", encryption_code);
    }
  }

  /// Reports `key` if it has another value than its default.
  void find_idle(std::string_view key, const std::string& why) {
    if (findings_.stand({key}) && value_text(key, settings_) != value_text(key, NodeSettings())) {
      findings_.no_effect(key, why);
    }
  }

  const NodeSettings& settings_;
  Findings& findings_;
  std::vector<NodeAddress> nodes_;
  ElectionSettings election_;
};

/// Failover groups, and what names them.
class FailoverCheck {
 public:
  FailoverCheck(const Configuration& configuration, Findings& findings)
      : configuration_(configuration), findings_(findings) {
    if (const auto nodes = node_addresses_of(configuration.engine)) {
      nodes_ = *nodes;
    }
  }

  void check() {
    for (const ServerSettings& server : configuration_.servers) {
      check_member(GroupKind::Server, server);
    }
    for (const ClientSettings& client : configuration_.clients) {
      check_member(GroupKind::Client, client);
    }
    for (const FailoverSettings& failover : configuration_.failovers) {
      check(failover);
    }
    if (used_.empty() && !configuration_.engine.node.empty()) {
      findings_.look_at(GroupKind::Engine, "ENGINE");
      if (findings_.stand({"node"})) {
        findings_.no_effect("node", "no client or server group has a failover_group");
      }
    }
  }

 private:
  void check_member(GroupKind kind, const InstanceSettings& instance) {
    if (instance.failover_group.empty()) {
      return;
    }
    used_.insert(instance.failover_group);
    findings_.look_at(kind, instance.name);
    if (!findings_.stand({"failover_group"})) {
      return;
    }
    if (configuration_.failover_named(instance.failover_group) == nullptr) {
      std::vector<std::string_view> names;
      for (const FailoverSettings& failover : configuration_.failovers) {
        names.push_back(failover.name);
      }
      findings_.wrong("failover_group",
                      in_quotes(instance.failover_group) + "is not a failover group" +
                          suggestion(instance.failover_group, names),
                      member_code);
    } else if (configuration_.engine.node.empty() &&
               findings_.stand(GroupKind::Engine, "ENGINE", {"node"})) {
      findings_.wrong_together("failover_group", "needs key 'node' in [ENGINE]", together_code);
    }
  }

  void check(const FailoverSettings& failover) {
    findings_.look_at(GroupKind::Failover, failover.name);
    check_values(failover, FailoverSettings(), findings_);
    if (failover.name.empty()) {
      findings_.wrong_as_said({}, "a group needs a name", "C218");
    } else if (!names_.insert(failover.name).second) {
      findings_.wrong_as_said({}, "shares its name with another failover group", "C218");
    } else if (!is_failover_name(failover.name)) {
      findings_.wrong_as_said({}, std::string(name_form), group_code);
    }
    if (failover.replication_nodes.empty()) {
      findings_.missing("replication_nodes");
    }
    check_nodes(failover);
    if (findings_.stand({"lease_milliseconds", "replication"}) &&
        failover.replication != Replication::Async &&
        failover.lease_milliseconds != FailoverSettings().lease_milliseconds) {
      findings_.no_effect("lease_milliseconds", "it is for replication=ASYNC, and this is " +
                                                    value_text("replication", failover));
    }
    if (!used_.contains(failover.name) && findings_.stand({"replication_nodes"})) {
      findings_.no_effect("replication_nodes",
                          "no client or server group has this group as its failover_group");
    }
  }

  void check_nodes(const FailoverSettings& failover) {
    constexpr std::size_t nodes_min = 2;
    constexpr std::size_t nodes_max = 3;
    if (!findings_.stand({"replication_nodes"})) {
      return;
    }
    const std::vector<std::string_view> names = replication_nodes_of(failover);
    for (auto name = names.begin(); name != names.end(); ++name) {
      if (!is_failover_name(*name)) {
        findings_.wrong("replication_nodes", in_quotes(*name) + std::string(name_form), group_code);
      } else if (std::find(names.begin(), name, *name) != name) {
        findings_.wrong("replication_nodes", in_quotes(*name) + "is given twice", group_code);
      }
    }
    if (names.size() < nodes_min || names.size() > nodes_max) {
      findings_.wrong(
          "replication_nodes",
          "a failover group has 2 or 3 nodes, and this one has " + std::to_string(names.size()),
          group_code);
    }
    if (!findings_.stand({"replication_nodes"})) {
      return;
    }
    if (findings_.stand({"in_sync_min"}) &&
        failover.in_sync_min > static_cast<std::int64_t>(names.size())) {
      findings_.wrong_together("in_sync_min",
                               std::to_string(failover.in_sync_min) + " is above the " +
                                   std::to_string(names.size()) + " nodes of replication_nodes",
                               group_code);
    }
    // Without any nodes, the engine group is reported, or is no node.
    for (const std::string_view name : names) {
      const std::vector<std::string_view> known = node_names(nodes_);
      if (!known.empty() && std::ranges::find(known, name) == known.end()) {
        findings_.wrong_together(
            "replication_nodes",
            in_quotes(name) + "is not in node_addresses" + suggestion(name, known), group_code);
      }
    }
  }

  const Configuration& configuration_;
  Findings& findings_;
  std::vector<NodeAddress> nodes_;
  std::unordered_set<std::string_view> used_;
  std::unordered_set<std::string_view> names_;
};

}  // namespace

void check_node(const NodeSettings& settings, Findings& findings) {
  NodeCheck(settings, findings).check();
}

void check_failovers(const Configuration& configuration, Findings& findings) {
  FailoverCheck(configuration, findings).check();
}

void check_replicated_session(const SessionSettings& session, Findings& findings) {
  if (session.acceptor_template) {
    findings.wrong_together("acceptor_template",
                            "its group has a failover_group, and sessions of a template are not "
                            "replicated; write a session group for each",
                            session_code);
  }
  if (findings.stand({"durability"}) && session.durability == journal::Durability::Memory) {
    findings.wrong_together("durability",
                            "its group has a failover_group, and a journal in memory is not "
                            "replicated; use 'process' or 'sync'",
                            session_code);
  }
  if (findings.stand({"store_order"}) && session.store_order == StoreOrder::AfterSend) {
    findings.wrong_together("store_order",
                            "its group has a failover_group, so that a message is stored before it "
                            "is sent; use 'before_send'",
                            session_code);
  }
}

}  // namespace affix::inline v0::config
