// SPDX-License-Identifier: MIT
// The election store in an etcd that shows a certificate, and asks for one.
#include "affix/service/etcd_election_store.hpp"

#include "support/election_asker.hpp"
#include "support/etcd_cluster.hpp"
#include "support/test_authority.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>

namespace affix {
namespace {

using replication::Answer;
using replication::Outcome;
using support::election_entry;
using support::ElectionAsker;

/// Asks again while the answer has one of these errors.
Answer ask_with(const service::EtcdOptions& options,
                std::initializer_list<std::string_view> passing) {
  const auto store = service::open_etcd_election_store(options);
  EXPECT_TRUE(store.has_value()) << store.error().text();
  ElectionAsker asker(**store);
  Answer answer;
  for (int round = 0; round < 500; ++round) {
    answer = asker.read();
    const std::string& error = answer.error.message;
    if (std::ranges::none_of(
            passing, [&](std::string_view one) { return error.find(one) != std::string::npos; })) {
      break;
    }
    support::rest_a_moment();
  }
  return answer;
}

/// etcd may still be starting, or be slow.
constexpr std::string_view not_there = "connect:";
constexpr std::string_view slow = "in time";

TEST(ElectionEtcdTls, BothShowCertificates) {
  AFFIX_NEEDS_ETCD();
  const support::TemporaryDirectory directory;
  support::TestAuthority authority(directory.path(), "ca");
  support::TestAuthority stranger(directory.path(), "stranger");
  const auto server = authority.issue({.common_name = "etcd", .alternative_names = "IP:127.0.0.1"});
  const auto node = authority.issue({.common_name = "node"});
  support::EtcdCluster etcd(1,
                            {"--cert-file", server.certificate, "--key-file", server.key,
                             "--trusted-ca-file", authority.file(), "--client-cert-auth"},
                            "https");
  service::EtcdOptions options{.endpoints = etcd.endpoints(),
                               .cluster = "test",
                               .ca_file = authority.file(),
                               .certificate_file = node.certificate,
                               .key_file = node.key};
  if (const auto store = service::open_etcd_election_store(options);
      !store && store.error().code == base::ErrorCode::Unsupported) {
    GTEST_SKIP() << store.error().text();
  }
  const Answer first = ask_with(options, {not_there, slow});
  EXPECT_EQ(first.outcome, Outcome::Done) << first.error.text();

  service::EtcdOptions untrusting = options;
  untrusting.ca_file = stranger.file();
  const Answer untrusted = ask_with(untrusting, {not_there, slow});
  EXPECT_EQ(untrusted.outcome, Outcome::Unreachable);
  EXPECT_NE(untrusted.error.message.find("certificate"), std::string::npos)
      << untrusted.error.text();

  service::EtcdOptions nameless = options;
  nameless.certificate_file.clear();
  nameless.key_file.clear();
  const Answer refused = ask_with(nameless, {not_there, slow});
  EXPECT_EQ(refused.outcome, Outcome::Unreachable);
  EXPECT_NE(refused.error.message.find("certificate"), std::string::npos) << refused.error.text();
}

}  // namespace
}  // namespace affix
