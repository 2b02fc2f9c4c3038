// SPDX-License-Identifier: MIT
// The failover keys: texts that are parsed, groups that name each other, and rules between keys,
// for a file and for settings that a program makes.
#include "affix/config/configuration.hpp"
#include "affix/config/effective_configuration.hpp"
#include "affix/tls/tls_settings.hpp"

#include "config/configuration_checks.hpp"
#include "config/reload_plan.hpp"
#include "support/has_message.hpp"
#include "support/temporary_directory.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace affix::config {
namespace {

using support::has_message;

/// Lines of each group, by key, so that a test can change one.
using Groups = std::map<std::string, std::map<std::string, std::string>>;

Groups cluster_groups() {
  return {
      {"ENGINE",
       {{"type", "engine"},
        {"node", "LONDON1"},
        {"node_addresses", "LONDON1@127.0.0.1:7101, LONDON2@127.0.0.1:7102"},
        {"election", "etcd://127.0.0.1:2379"},
        {"failover_directory", "failover"}}},
      {"DESKS", {{"replication_nodes", "LONDON1,LONDON2"}}},
      {"SERVER", {{"accept_port", "0"}, {"failover_group", "DESKS"}}},
      {"TRADER", {{"begin_string", "FIX.4.4"}, {"sender_comp_id", "A"}, {"target_comp_id", "B"}}}};
}

std::string text_of(const Groups& groups) {
  std::string text;
  for (const auto& [name, lines] : groups) {
    text += "[" + name + "]\n";
    for (const auto& [key, value] : lines) {
      text += key + "=" + value + "\n";
    }
  }
  return text;
}

/// Everything that a check finds in the file, warnings included; empty: nothing.
std::string report_of(const Groups& groups) {
  const auto read = parse_configuration(text_of(groups), "test.ini");
  return config::text_of(read ? errors_of(read->warnings) : read.error());
}

/// The same for settings that a program makes: those of `cluster_groups()` after `change`.
template <typename Change>
std::string report_in_code(Change&& change) {
  auto read = parse_configuration(text_of(cluster_groups()), "test.ini");
  if (!read) {
    return config::text_of(read.error());
  }
  change(*read);
  return config::text_of(errors_of(check_configuration(*read)));
}

/// The report after one key has another value.
std::string with(const std::string& group, const std::string& key, const std::string& value) {
  Groups groups = cluster_groups();
  groups[group][key] = value;
  return report_of(groups);
}

std::string without(const std::string& group, const std::string& key) {
  Groups groups = cluster_groups();
  groups[group].erase(key);
  return report_of(groups);
}

TEST(Failover, ASoundFileIsReadWithoutAFinding) {
  EXPECT_EQ(report_of(cluster_groups()), "");
  EXPECT_EQ(report_in_code([](Configuration&) {}), "");
  const auto read = parse_configuration(text_of(cluster_groups()), "test.ini");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->engine.node, "LONDON1");
  EXPECT_EQ(read->servers.front().failover_group, "DESKS");
  const FailoverSettings* const group = read->failover_named("DESKS");
  ASSERT_NE(group, nullptr);
  EXPECT_EQ(group->replication, Replication::BeforeSend);
  EXPECT_EQ(replication_nodes_of(*group), (std::vector<std::string_view>{"LONDON1", "LONDON2"}));
  EXPECT_EQ(read->failover_named("desks"), nullptr);
}

TEST(Failover, EveryKeyOfAGroupIsRead) {
  Groups groups = cluster_groups();
  groups["DESKS"].merge(Groups::mapped_type{{"type", "failover"},
                                            {"replication", "ASYNC"},
                                            {"replication_timeout_milliseconds", "1s"},
                                            {"replication_beat_milliseconds", "20"},
                                            {"in_sync_min", "2"},
                                            {"lease_milliseconds", "3s"},
                                            {"replication_backlog_bytes", "2MiB"},
                                            {"promote_program", "up"},
                                            {"demote_program", "down"}});
  const auto read = parse_configuration(text_of(groups), "test.ini");
  ASSERT_TRUE(read) << config::text_of(read.error());
  EXPECT_TRUE(read->warnings.empty());
  const FailoverSettings& group = read->failovers.at(0);
  EXPECT_EQ(group.replication, Replication::Async);
  EXPECT_EQ(group.replication_timeout_milliseconds, 1'000);
  EXPECT_EQ(group.replication_beat_milliseconds, 20);
  EXPECT_EQ(group.in_sync_min, 2);
  EXPECT_EQ(group.lease_milliseconds, 3'000);
  EXPECT_EQ(group.replication_backlog_bytes, 2'097'152);
  EXPECT_EQ(group.promote_program, "up");
  EXPECT_EQ(group.demote_program, "down");
}

TEST(Failover, DefaultsApplyToFailoverGroups) {
  Groups groups = cluster_groups();
  groups["FAILOVER_DEFAULTS"] = {{"replication", "BEFORE_DELIVER"}};
  const auto read = parse_configuration(text_of(groups), "test.ini");
  ASSERT_TRUE(read) << config::text_of(read.error());
  EXPECT_EQ(read->failovers.at(0).replication, Replication::BeforeDeliver);
  groups["FAILOVER_DEFAULTS"] = {{"replication", "SOMETIMES"}};
  EXPECT_TRUE(has_message(report_of(groups), "C206", {"test.ini:10: ", "'replication'"}));
}

TEST(Failover, NodeAddressesAreParsed) {
  NodeSettings settings;
  EXPECT_EQ(node_addresses_of(settings).value().size(), 0U);
  settings.node_addresses = "a@127.0.0.1:1 , b.c_d-9@[2001:db8::1]:65535";
  const auto nodes = node_addresses_of(settings);
  ASSERT_TRUE(nodes) << nodes.error().message;
  ASSERT_EQ(nodes->size(), 2U);
  EXPECT_EQ(nodes->at(0), (NodeAddress{"a", net::Address::parse("127.0.0.1:1").value()}));
  EXPECT_EQ(nodes->at(1).name, "b.c_d-9");
  EXPECT_EQ(nodes->at(1).address.text(), "[2001:db8::1]:65535");
}

TEST(Failover, FaultyNodeAddressesAreReportedAtTheirLine) {
  const std::string name(failover_name_bytes_max + 1, 'n');
  for (const std::string& faulty :
       {std::string("LONDON1"), std::string("@127.0.0.1:1"), std::string("LONDON1@127.0.0.1"),
        std::string("LONDON1@127.0.0.1:0"), std::string("LONDON1@127.0.0.1:65536"),
        std::string("LONDON1@localhost:1"), std::string("LONDON1@*:1"),
        std::string("LONDON1@0.0.0.0:1"), std::string("LONDON1@[::]:1"),
        std::string("LONDON1@127.0.0.1:1,,"),
        std::string("LONDON1@127.0.0.1:1,LONDON1@127.0.0.1:2"),
        std::string("LONDON1@127.0.0.1:1,LONDON2@127.0.0.1:1"), std::string("LONDON 1@127.0.0.1:1"),
        std::string("-a@127.0.0.1:1"), std::string("_a@127.0.0.1:1"), std::string(".@127.0.0.1:1"),
        std::string("a/b@127.0.0.1:1"), name + "@127.0.0.1:1"}) {
    EXPECT_TRUE(has_message(with("ENGINE", "node_addresses", faulty), "C501",
                            {"test.ini:7: key 'node_addresses': "}))
        << faulty;
    EXPECT_TRUE(has_message(report_in_code([&](Configuration& configuration) {
                              configuration.engine.node_addresses = faulty;
                            }),
                            "C501", {"[ENGINE]: key 'node_addresses': "}))
        << faulty;
  }
  const std::string longest = name.substr(1);
  EXPECT_TRUE(is_failover_name(longest));
  EXPECT_FALSE(is_failover_name(name));
}

TEST(Failover, ElectionIsParsed) {
  const auto parsed = [](const std::string& text) {
    NodeSettings settings;
    settings.election = text;
    auto election = election_of(settings);
    EXPECT_TRUE(election) << text;
    return election ? std::move(*election) : ElectionSettings();
  };
  EXPECT_EQ(parsed("").kind, ElectionKind::None);
  const ElectionSettings etcd = parsed("etcd://etcd1:2379, [2001:db8::1]:1");
  EXPECT_EQ(etcd.kind, ElectionKind::Etcd);
  EXPECT_EQ(etcd.tls, Encryption::Off);
  EXPECT_EQ(etcd.endpoints, (std::vector<ElectionEndpoint>{{"etcd1", 2379}, {"2001:db8::1", 1}}));
  const ElectionSettings secure = parsed("etcds://192.0.2.1:65535");
  EXPECT_EQ(secure.kind, ElectionKind::Etcd);
  EXPECT_EQ(secure.tls, Encryption::On);
  EXPECT_EQ(secure.endpoints, (std::vector<ElectionEndpoint>{{"192.0.2.1", 65535}}));
  const ElectionSettings file = parsed("file:/var/lib/affix,1");
  EXPECT_EQ(file.kind, ElectionKind::File);
  EXPECT_EQ(file.directory, "/var/lib/affix,1");
}

TEST(Failover, AFaultyElectionIsReportedAtItsLine) {
  for (const std::string faulty :
       {"etcd", "etcd:127.0.0.1:1", "etcd://", "etcd://a", "etcd://a:0", "etcd://a:65536",
        "etcd://a:1,", "etcd://a:1,,b:1", "etcd://a:1,a:1", "etcd://a:1/", "etcd://u@a:1",
        "etcd://http://a:1", "etcds://", "file:", "http://a:1", "consul://a:1"}) {
    EXPECT_TRUE(
        has_message(with("ENGINE", "election", faulty), "C503", {"test.ini:4: key 'election': "}))
        << faulty;
    EXPECT_TRUE(has_message(report_in_code([&](Configuration& configuration) {
                              configuration.engine.election = faulty;
                            }),
                            "C503", {"[ENGINE]: key 'election': "}))
        << faulty;
  }
}

TEST(Failover, CredentialsInAnElectionAreNotShown) {
  const std::string report = with("ENGINE", "election", "etcds://affix:hunter2@etcd1:2379");
  EXPECT_TRUE(has_message(report, "C503", {"'election'", "election_password"}));
  EXPECT_EQ(report.find("hunter2"), std::string::npos) << report;
}

TEST(Failover, ANodeNeedsItsKeys) {
  for (const std::string key : {"node_addresses", "election", "failover_directory"}) {
    EXPECT_TRUE(
        has_message(without("ENGINE", key), "C205", {"test.ini:3: [ENGINE]", "'" + key + "'"}));
  }
  EXPECT_TRUE(has_message(with("ENGINE", "election_prefix", ""), "C205", {"'election_prefix'"}));
  EXPECT_TRUE(has_message(report_in_code([](Configuration& configuration) {
                            configuration.engine.failover_directory.clear();
                          }),
                          "C205", {"[ENGINE]", "'failover_directory'"}));
}

TEST(Failover, ANodeIsOneOfTheAddresses) {
  EXPECT_TRUE(has_message(with("ENGINE", "node", "LONDON3"), "C501",
                          {"test.ini:6: key 'node': 'LONDON3'", "'LONDON1'"}));
  EXPECT_TRUE(has_message(with("ENGINE", "node", "LON DON"), "C501", {"key 'node': 'LON DON'"}));
  EXPECT_TRUE(has_message(with("ENGINE", "cluster", "a/b"), "C501", {"key 'cluster': 'a/b'"}));
  EXPECT_TRUE(has_message(with("ENGINE", "cluster", ""), "C501", {"key 'cluster'"}));
}

TEST(Failover, AGroupMayBeLedByOtherNodesOnly) {
  Groups groups = cluster_groups();
  groups["ENGINE"]["node_addresses"] += ",LONDON3@127.0.0.1:7103";
  groups["ENGINE"]["node"] = "LONDON3";
  EXPECT_EQ(report_of(groups), "");
}

TEST(Failover, WithoutANodeTheOtherKeysHaveNoEffect) {
  Groups groups = cluster_groups();
  groups["ENGINE"]["node"] = "";
  groups["ENGINE"]["replication_wait_mode"] = "SPIN";
  groups["SERVER"].erase("failover_group");
  const std::string report = report_of(groups);
  for (const std::string key : {"node_addresses", "election", "failover_directory",
                                "replication_wait_mode", "replication_nodes"}) {
    EXPECT_TRUE(has_message(report, "C210", {"key '" + key + "' has no effect: "})) << key;
  }
  EXPECT_EQ(std::ranges::count(report, '\n'), 5) << report;
  EXPECT_TRUE(parse_configuration(text_of(groups), "test.ini"));
}

TEST(Failover, AFailoverGroupNeedsANode) {
  EXPECT_TRUE(has_message(without("ENGINE", "node"), "C502",
                          {"test.ini:", "key 'failover_group': ", "'node'"}));
  EXPECT_TRUE(has_message(
      report_in_code([](Configuration& configuration) { configuration.engine.node.clear(); }),
      "C502", {"[SERVER]: key 'failover_group'"}));
}

TEST(Failover, AGroupNamesAFailoverGroupThatIsThere) {
  EXPECT_TRUE(has_message(with("SERVER", "failover_group", "DESK"), "C505",
                          {"test.ini:", "key 'failover_group': 'DESK'", "'DESKS'"}));
  EXPECT_TRUE(has_message(with("SERVER", "failover_group", "TRADER"), "C505", {"'TRADER'"}));
  EXPECT_TRUE(has_message(report_in_code([](Configuration& configuration) {
                            configuration.clients.emplace_back().name = "CLIENT";
                            configuration.clients.back().failover_group = "OTHERS";
                          }),
                          "C505", {"[CLIENT]: key 'failover_group': 'OTHERS'"}));
}

TEST(Failover, UnusedGroupsAndNodesAreWarnings) {
  const Groups groups = [] {
    Groups some = cluster_groups();
    some["SERVER"].erase("failover_group");
    return some;
  }();
  const std::string report = report_of(groups);
  EXPECT_TRUE(has_message(report, "C210", {"test.ini:2: key 'replication_nodes'"}));
  EXPECT_TRUE(has_message(report, "C210", {"key 'node' has no effect"}));
  EXPECT_EQ(std::ranges::count(report, '\n'), 2) << report;
  EXPECT_TRUE(parse_configuration(text_of(groups), "test.ini"));
}

TEST(Failover, FaultyReplicationNodesAreReportedAtTheirLine) {
  for (const auto& [faulty, said] : std::vector<std::pair<std::string, std::string>>{
           {"LONDON1", "1"},
           {"LONDON1,LONDON2,A,B", "4"},
           {"LONDON1,LONDON1", "'LONDON1' is given twice"},
           {"LONDON1,LONDON3", "'LONDON3'"},
           {"LONDON1,PARIS", "'PARIS'"},
           {"LONDON1,LONDON 2", "'LONDON 2'"},
           {"LONDON1,,LONDON2", "''"}}) {
    EXPECT_TRUE(has_message(with("DESKS", "replication_nodes", faulty), "C504",
                            {"test.ini:2: key 'replication_nodes': ", said}));
    EXPECT_TRUE(has_message(report_in_code([&](Configuration& configuration) {
                              configuration.failovers.front().replication_nodes = faulty;
                            }),
                            "C504", {"[DESKS]: key 'replication_nodes': ", said}));
  }
  Groups groups = cluster_groups();
  groups["DESKS"] = {{"type", "failover"}};
  EXPECT_TRUE(has_message(report_of(groups), "C205", {"[DESKS]", "'replication_nodes'"}));
}

TEST(Failover, InSyncMinIsNoMoreThanTheNodes) {
  EXPECT_EQ(with("DESKS", "in_sync_min", "2"), "");
  EXPECT_TRUE(has_message(with("DESKS", "in_sync_min", "3"), "C504",
                          {"test.ini:2: key 'in_sync_min': 3", "2"}));
  EXPECT_TRUE(has_message(with("DESKS", "in_sync_min", "4"), "C207", {"'in_sync_min'"}));
}

TEST(Failover, KeysOfAsyncNeedIt) {
  EXPECT_TRUE(has_message(with("DESKS", "lease_milliseconds", "500"), "C210",
                          {"test.ini:2: key 'lease_milliseconds'", "BEFORE_SEND"}));
  Groups groups = cluster_groups();
  groups["DESKS"].merge(
      Groups::mapped_type{{"lease_milliseconds", "500"}, {"replication", "ASYNC"}});
  EXPECT_EQ(report_of(groups), "");
}

TEST(Failover, NamesOfGroupsArePartsOfKeys) {
  Groups groups = cluster_groups();
  groups["MY DESKS"] = groups["DESKS"];
  groups.erase("DESKS");
  groups["SERVER"]["failover_group"] = "MY DESKS";
  EXPECT_TRUE(has_message(report_of(groups), "C504", {"[MY DESKS]"}));
  const auto renamed = [](const std::string& name) {
    return report_in_code([&](Configuration& configuration) {
      configuration.failovers.push_back(configuration.failovers.front());
      configuration.failovers.back().name = name;
    });
  };
  EXPECT_TRUE(has_message(renamed("DESKS"), "C218", {"[DESKS]"}));
  EXPECT_TRUE(has_message(renamed(""), "C218"));
}

TEST(Failover, SessionsThatAnotherNodeCannotContinueAreRefused) {
  EXPECT_TRUE(has_message(with("TRADER", "durability", "memory"), "C506",
                          {"test.ini:", "key 'durability': "}));
  EXPECT_TRUE(has_message(with("TRADER", "store_order", "after_send"), "C506",
                          {"test.ini:", "key 'store_order': "}));
  Groups groups = cluster_groups();
  groups["TRADER"].merge(Groups::mapped_type{{"acceptor_template", "true"}});
  groups["TRADER"]["target_comp_id"] = "*";
  EXPECT_TRUE(has_message(report_of(groups), "C506", {"test.ini:", "key 'acceptor_template': "}));
  EXPECT_TRUE(has_message(report_in_code([](Configuration& configuration) {
                            configuration.sessions.front().durability = journal::Durability::Memory;
                          }),
                          "C506", {"[TRADER]: key 'durability'"}));
  groups = cluster_groups();
  groups["TRADER"]["reset_on_disconnect"] = "true";
  EXPECT_EQ(report_of(groups).find("C506"), std::string::npos);
  // The same sessions without failover.
  groups = cluster_groups();
  groups["SERVER"].erase("failover_group");
  groups["TRADER"]["durability"] = "memory";
  EXPECT_TRUE(parse_configuration(text_of(groups), "test.ini"));
}

TEST(Failover, AddressesBeyondThisMachineNeedTls) {
  const std::string beyond = "LONDON1@127.0.0.1:7101,LONDON2@192.0.2.1:7102";
  EXPECT_TRUE(has_message(with("ENGINE", "node_addresses", beyond), "C507",
                          {"test.ini:7: key 'node_addresses': "}));
  const std::vector<std::string> keys{"replication_tls_certificate_file",
                                      "replication_tls_key_file", "replication_tls_ca_file"};
  Groups groups = cluster_groups();
  groups["ENGINE"]["node_addresses"] = beyond;
  for (const std::string& key : keys) {
    groups["ENGINE"][key] = "some.pem";
  }
  if (tls::has_tls()) {
    EXPECT_EQ(report_of(groups), "");
  } else {
    EXPECT_TRUE(has_message(report_of(groups), "C507", {"'replication_tls_certificate_file'"}));
  }
  for (const std::string& key : keys) {
    Groups fewer = groups;
    fewer["ENGINE"].erase(key);
    EXPECT_TRUE(has_message(report_of(fewer), "C507", {"key '" + key + "': "}));
    // On one machine they may be absent, but only all of them.
    fewer["ENGINE"]["node_addresses"] = cluster_groups()["ENGINE"]["node_addresses"];
    EXPECT_TRUE(has_message(report_of(fewer), "C507", {"key '" + key + "': "}));
  }
}

TEST(Failover, KeysOfEtcdGoWithIt) {
  Groups groups = cluster_groups();
  groups["ENGINE"]["election"] = "file:election";
  EXPECT_EQ(report_of(groups), "");
  groups["ENGINE"].merge(Groups::mapped_type{{"election_prefix", "/fix"},
                                             {"election_user", "affix"},
                                             {"election_password", "env:PASSWORD"},
                                             {"election_tls_ca_file", "ca.pem"}});
  const std::string report = report_of(groups);
  for (const std::string key :
       {"election_prefix", "election_user", "election_password", "election_tls_ca_file"}) {
    EXPECT_TRUE(has_message(report, "C210", {"key '" + key + "' has no effect: "})) << key;
  }
  EXPECT_EQ(std::ranges::count(report, '\n'), 4) << report;
  EXPECT_TRUE(has_message(with("ENGINE", "election_user", "affix"), "C502",
                          {"key 'election_password': ", "'election_user'"}));
  EXPECT_TRUE(has_message(with("ENGINE", "election_password", "env:PASSWORD"), "C502",
                          {"key 'election_user': ", "'election_password'"}));
  const std::string shown = with("ENGINE", "election_password", "hunter2");
  EXPECT_TRUE(has_message(shown, "T114", {"key 'election_password': "}));
  EXPECT_EQ(shown.find("hunter2"), std::string::npos);
}

TEST(Failover, APasswordInClearTextIsAWarning) {
  Groups groups = cluster_groups();
  groups["ENGINE"].merge(
      Groups::mapped_type{{"election_user", "affix"}, {"election_password", "env:PASSWORD"}});
  for (const std::string here : {"etcd://127.0.0.1:1", "etcd://localhost:1,[::1]:2"}) {
    groups["ENGINE"]["election"] = here;
    EXPECT_EQ(report_of(groups), "");
  }
  for (const std::string beyond : {"etcd://192.0.2.1:1", "etcd://127.0.0.1:1,etcd1:1"}) {
    groups["ENGINE"]["election"] = beyond;
    EXPECT_TRUE(has_message(report_of(groups), "C509", {"key 'election_password': "}));
    EXPECT_TRUE(parse_configuration(text_of(groups), "test.ini"));
  }
  if (tls::has_tls()) {
    groups["ENGINE"]["election"] = "etcds://192.0.2.1:1";
    EXPECT_EQ(report_of(groups), "");
    groups["ENGINE"]["election_tls_key_file"] = "key.pem";
    EXPECT_TRUE(has_message(report_of(groups), "C507", {"key 'election_tls_certificate_file': "}));
  }
}

TEST(Failover, ADirectoryElectsOnOneMachine) {
  EXPECT_TRUE(has_message(report_in_code([](Configuration& configuration) {
                            configuration.engine.election = "file:election";
                            configuration.engine.node_addresses =
                                "LONDON1@192.0.2.1:1,LONDON2@192.0.2.2:1";
                          }),
                          "C508", {"[ENGINE]: key 'election': "}));
}

TEST(Failover, AReloadRefusesChanges) {
  const auto running = parse_configuration(text_of(cluster_groups()), "test.ini");
  ASSERT_TRUE(running);
  const auto refused = [&](const std::string& group, const std::string& key,
                           const std::string& value) {
    Groups groups = cluster_groups();
    groups[group][key] = value;
    const auto wanted = parse_configuration(text_of(groups), "test.ini");
    EXPECT_TRUE(wanted) << config::text_of(wanted.error());
    const auto plan = plan_reload(*running, *wanted);
    return plan ? std::string("planned") : config::text_of(plan.error());
  };
  EXPECT_EQ(refused("ENGINE", "node", "LONDON1"), "planned");
  for (const auto& [group, key, value] :
       std::vector<std::array<std::string, 3>>{{"ENGINE", "node", "LONDON2"},
                                               {"ENGINE", "cluster", "other"},
                                               {"ENGINE", "election", "etcd://127.0.0.1:1"},
                                               {"ENGINE", "replication_wait_mode", "SPIN"},
                                               {"SERVER", "failover_group", ""},
                                               {"DESKS", "replication", "BEFORE_DELIVER"},
                                               {"DESKS", "replication_nodes", "LONDON2,LONDON1"},
                                               {"DESKS", "promote_program", "up"}}) {
    EXPECT_TRUE(
        has_message(refused(group, key, value), "E201", {"[" + group + "]: ", "'" + key + "'"}));
  }
  EXPECT_TRUE(
      has_message(refused("MORE", "replication_nodes", "LONDON1,LONDON2"), "E201", {"[MORE]: "}));
}

class FailoverFile : public testing::Test {
 protected:
  std::string report_of(const std::string& key, const std::string& value) {
    Groups groups = cluster_groups();
    groups["DESKS"][key] = value;
    std::ofstream(path_) << text_of(groups);
    const auto read = load_configuration(path_);
    return read ? std::string() : config::text_of(read.error());
  }

  support::TemporaryDirectory directory_;
  std::string path_ = directory_.path("main.ini");
};

TEST_F(FailoverFile, ItsProgramsCanBeExecuted) {
  const std::string program = directory_.path("up");
  EXPECT_TRUE(has_message(report_of("promote_program", program), "C101", {":2: ", program}));
  std::ofstream(program) << "#!/bin/sh\n";
  EXPECT_TRUE(has_message(report_of("promote_program", program), "C101", {":2: ", program}));
  EXPECT_TRUE(
      has_message(report_of("demote_program", directory_.path()), "C246", {"'demote_program'"}));
  std::filesystem::permissions(program, std::filesystem::perms::owner_exec,
                               std::filesystem::perm_options::add);
  EXPECT_EQ(report_of("promote_program", program), "");
}

TEST_F(FailoverFile, ItsEffectiveValuesHaveTheirPlaces) {
  EXPECT_EQ(report_of("in_sync_min", "2"), "");
  const auto groups = load_effective_configuration(path_);
  ASSERT_TRUE(groups);
  const auto group = std::ranges::find(*groups, GroupKind::Failover, &EffectiveGroup::kind);
  ASSERT_NE(group, groups->end());
  EXPECT_EQ(group->name, "DESKS");
  const auto value = std::ranges::find(group->values, "in_sync_min", &EffectiveValue::key);
  ASSERT_NE(value, group->values.end());
  EXPECT_EQ(value->value, "2");
  EXPECT_EQ(value->where, path_ + ":2");
}

}  // namespace
}  // namespace affix::config
