// SPDX-License-Identifier: MIT
// Warnings of an engine about the limits on its connections and files.
#include "config/descriptor_needs.hpp"

#include "support/has_message.hpp"

#include <gtest/gtest.h>

namespace affix::inline v0::config {
namespace {

Configuration configuration_with(int sessions) {
  Configuration configuration;
  configuration.engine.added_sessions_max = 0;
  ServerSettings server;
  server.name = "SERVER";
  configuration.servers.push_back(server);
  for (int number = 0; number < sessions; ++number) {
    SessionSettings session;
    session.name = "S" + std::to_string(number);
    session.instance = "SERVER";
    configuration.sessions.push_back(session);
  }
  return configuration;
}

TEST(DescriptorNeeds, ConnectionsBeforeLogonFollowTheSessions) {
  Configuration configuration = configuration_with(10);
  EXPECT_EQ(connections_before_logon(configuration, configuration.servers.front()), 256);
  configuration = configuration_with(1'000);
  EXPECT_EQ(connections_before_logon(configuration, configuration.servers.front()), 1'000);
  configuration.engine.added_sessions_max = 64;
  EXPECT_EQ(connections_before_logon(configuration, configuration.servers.front()), 1'064);
  configuration.servers.front().max_connections_before_logon = 8;
  EXPECT_EQ(connections_before_logon(configuration, configuration.servers.front()), 8);
  EXPECT_EQ(with_connection_limit(configuration, configuration.servers.front())
                .max_connections_before_logon,
            8);
}

TEST(DescriptorNeeds, AMissingDescriptorIsReportedByName) {
  Configuration configuration = configuration_with(1'000);
  EXPECT_TRUE(descriptor_warnings(configuration, 1'100, 65'536).empty());
  const auto low = descriptor_warnings(configuration, 1'010, 1'024);
  ASSERT_EQ(low.size(), 1U);
  EXPECT_TRUE(support::has_message(low.front().text(), "E125", {" 1024 ", "1000 sessions"}));
  const auto tight = descriptor_warnings(configuration, 1'010, 2'500);
  ASSERT_EQ(tight.size(), 1U);
  EXPECT_TRUE(support::has_message(tight.front().text(), "E125", {" 2500 ", "connections"}));
  configuration.servers.front().max_connections_before_logon = 256;
  const auto few = descriptor_warnings(configuration, 1'100, 65'536);
  ASSERT_EQ(few.size(), 1U);
  EXPECT_TRUE(support::has_message(few.front().text(), "E126",
                                   {"max_connections_before_logon=256", "1000 sessions"}));
}

TEST(DescriptorNeeds, MembersOfEtcdAreReservedFor) {
  Configuration configuration = configuration_with(1);
  const std::uint32_t least = reserved_descriptors(configuration);
  configuration.engine.election = "etcd://one:2379,two:2379,three:2379";
  EXPECT_EQ(reserved_descriptors(configuration), least + 18);
  configuration.engine.election = "file:/tmp";
  EXPECT_EQ(reserved_descriptors(configuration), least);
}

TEST(DescriptorNeeds, LaterConnectionsAreReservedFor) {
  Configuration configuration = configuration_with(1);
  configuration.servers.front().worker_thread_count = 1;
  const std::uint32_t least = reserved_descriptors(configuration);
  configuration.engine.management_server_port = 5'000;
  EXPECT_EQ(reserved_descriptors(configuration), least + 16 + 8);
  configuration.engine.management_server_port = 0;
  SessionSettings made_from;
  made_from.acceptor_template = true;
  made_from.durability = journal::Durability::Sync;
  made_from.template_sessions_max = 100;
  configuration.templates.push_back(made_from);
  EXPECT_EQ(reserved_descriptors(configuration), least + 2 * 100);
  configuration.engine.added_sessions_max = 10;
  EXPECT_EQ(reserved_descriptors(configuration), least + 2 * 110);
  configuration.templates.front().durability = journal::Durability::Process;
  EXPECT_EQ(reserved_descriptors(configuration), least);
}

}  // namespace
}  // namespace affix::inline v0::config
