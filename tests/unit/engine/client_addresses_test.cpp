// SPDX-License-Identifier: MIT
// Lists of hosts, look-ups at the start and later, and their thread.
#include "config/client_addresses.hpp"

#include "engine/name_thread.hpp"

#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace affix::engine {
namespace {

config::ClientSettings settings_of(std::string further) {
  config::ClientSettings settings;
  settings.name = "CLIENT";
  settings.primary_address = "one.example";
  settings.primary_port = 1;
  settings.further_addresses = std::move(further);
  return settings;
}

/// A name service whose answers a test sets.
struct Names {
  std::mutex mutex;
  std::expected<std::vector<net::Address>, base::Error> answer;
  int questions = 0;
};

Names& names() {
  static Names instance;
  return instance;
}

std::expected<std::vector<net::Address>, base::Error> answered(std::string_view /*text*/) {
  const std::lock_guard lock(names().mutex);
  ++names().questions;
  return names().answer;
}

void answer_with(std::expected<std::vector<net::Address>, base::Error> answer) {
  const std::lock_guard lock(names().mutex);
  names().answer = std::move(answer);
}

net::Address address(const std::string& text) {
  return net::Address::parse(text).value();
}

/// True if the other thread makes `condition` true within a time limit, so that a faulty test does
/// not hang.
template <typename Condition>
bool comes_true(Condition condition) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > until) {
      return false;
    }
    std::this_thread::yield();
  }
  return true;
}

std::vector<std::string> texts_of(const config::ClientAddresses& addresses) {
  std::vector<std::string> texts;
  for (const config::ClientAddress& each : addresses.addresses()) {
    texts.push_back(each.address.text());
  }
  return texts;
}

TEST(ClientHosts, ArePrimarySecondaryAndFurtherOnes) {
  config::ClientSettings settings = settings_of("three.example:3 , [2001:db8::4]:4,10.0.0.5:5");
  settings.secondary_address = "two.example";
  settings.secondary_port = 2;
  const auto hosts = config::client_hosts(settings);
  ASSERT_TRUE(hosts);
  ASSERT_EQ(hosts->size(), 5U);
  EXPECT_EQ((*hosts)[0].name, "one.example");
  EXPECT_EQ((*hosts)[1].name, "two.example");
  EXPECT_EQ((*hosts)[3].name, "2001:db8::4");
  for (std::size_t at = 0; at < hosts->size(); ++at) {
    EXPECT_EQ((*hosts)[at].port, static_cast<std::int64_t>(at) + 1);
  }
}

TEST(ClientHosts, NoSecondaryOneLeavesNoGap) {
  const auto hosts = config::client_hosts(settings_of("three.example:3"));
  ASSERT_TRUE(hosts);
  ASSERT_EQ(hosts->size(), 2U);
  EXPECT_EQ((*hosts)[1].name, "three.example");
}

TEST(ClientHosts, APieceThatIsNoHostAndPortIsTold) {
  for (const char* piece : {"host", "host:", ":1", "host:0", "host:65536", "host:1x", "a b:1",
                            "2001:db8::1:5", "[::1", "a:1,,b:2", "[]:1"}) {
    const auto hosts = config::client_hosts(settings_of(piece));
    ASSERT_FALSE(hosts) << piece;
    EXPECT_NE(hosts.error().find("is not host:port"), std::string::npos);
  }
}

TEST(ClientAddresses, NumericHostsAreNeverLookedUpAgain) {
  config::ClientAddresses addresses("CLIENT", {{"127.0.0.1", 1}, {"::1", 2}});
  config::Problems problems;
  config::Problems warnings;
  addresses.open(problems, warnings);
  EXPECT_TRUE(problems.empty());
  EXPECT_FALSE(addresses.has_names());
  EXPECT_EQ(texts_of(addresses), (std::vector<std::string>{"127.0.0.1:1", "[::1]:2"}));
  EXPECT_EQ(addresses.addresses()[1].host, 1U);
  addresses.want();
  EXPECT_FALSE(addresses.look_up());
}

TEST(ClientAddresses, ANameThatMovesIsFoundWhenItIsWanted) {
  config::ClientAddresses addresses("CLIENT", {{"venue.example", 7}}, &answered);
  config::Problems problems;
  config::Problems warnings;
  answer_with(std::vector{address("10.0.0.1:7"), address("10.0.0.2:7")});
  addresses.open(problems, warnings);
  EXPECT_EQ(texts_of(addresses), (std::vector<std::string>{"10.0.0.1:7", "10.0.0.2:7"}));
  const std::uint32_t version = addresses.version();
  EXPECT_FALSE(addresses.look_up());  // Not requested.
  addresses.want();
  EXPECT_TRUE(addresses.look_up());
  EXPECT_EQ(addresses.version(), version);  // Unchanged.
  answer_with(std::vector{address("10.0.0.9:7")});
  addresses.want();
  EXPECT_TRUE(addresses.look_up());
  EXPECT_NE(addresses.version(), version);
  EXPECT_EQ(texts_of(addresses), (std::vector<std::string>{"10.0.0.9:7"}));
}

TEST(ClientAddresses, WhatWasFoundStaysWhileTheNameServiceIsDown) {
  config::ClientAddresses addresses("CLIENT", {{"venue.example", 7}}, &answered);
  config::Problems problems;
  config::Problems warnings;
  answer_with(std::vector{address("10.0.0.1:7")});
  addresses.open(problems, warnings);
  answer_with(std::unexpected(base::Error{base::ErrorCode::Io, "down", {}}));
  addresses.want();
  EXPECT_TRUE(addresses.look_up());
  EXPECT_EQ(texts_of(addresses), (std::vector<std::string>{"10.0.0.1:7"}));
}

TEST(ClientAddresses, AtTheStartAnUnknownNameIsAProblemAndASilentServiceIsNot) {
  config::Problems problems;
  config::Problems warnings;
  answer_with(std::unexpected(base::Error{base::ErrorCode::NotFound, "no such name", {}}));
  config::ClientAddresses unknown("CLIENT", {{"venue.example", 7}}, &answered);
  unknown.open(problems, warnings);
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].where, "[CLIENT] venue.example:7");
  EXPECT_TRUE(warnings.empty());
  answer_with(std::unexpected(base::Error{base::ErrorCode::Io, "down", {}}));
  config::ClientAddresses silent("CLIENT", {{"venue.example", 7}}, &answered);
  silent.open(problems, warnings);
  EXPECT_EQ(problems.size(), 1U);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_TRUE(silent.addresses().empty());
  answer_with(std::vector{address("10.0.0.1:7")});
  EXPECT_TRUE(silent.look_up());  // Requested since the start.
  EXPECT_EQ(texts_of(silent), (std::vector<std::string>{"10.0.0.1:7"}));
}

/// Delays look-ups until the test releases them; never destroyed, as a look-up may outlive its
/// test.
struct Gate {
  std::mutex mutex;
  std::condition_variable changed;
  bool open = false;
  int entered = 0;
};

Gate& gate() {
  static Gate* const instance = new Gate;
  return *instance;
}

std::expected<std::vector<net::Address>, base::Error> held_up(std::string_view /*text*/) {
  std::unique_lock lock(gate().mutex);
  ++gate().entered;
  gate().changed.notify_all();
  gate().changed.wait(lock, [] { return gate().open; });
  return std::vector{address("10.0.0.3:7")};
}

TEST(NameThread, NobodyWaitsForALookUpThatTakesItsTime) {
  const auto addresses = std::make_shared<config::ClientAddresses>(
      "CLIENT", std::vector<config::ClientHost>{{"venue.example", 7}}, &held_up);
  {
    NameThread thread({addresses});
    addresses->want();
    thread.ask();
    std::unique_lock lock(gate().mutex);
    gate().changed.wait(lock, [] { return gate().entered == 1; });
    lock.unlock();
    thread.ask();
    EXPECT_TRUE(addresses->addresses().empty());  // It does not wait either.
  }
  {
    const std::lock_guard lock(gate().mutex);
    gate().open = true;
  }
  gate().changed.notify_all();
  ASSERT_TRUE(comes_true([&] { return addresses->version() != 0; }));
  EXPECT_EQ(texts_of(*addresses), (std::vector<std::string>{"10.0.0.3:7"}));
}

TEST(NameThread, LooksUpWheneverItIsAsked) {
  const auto addresses = std::make_shared<config::ClientAddresses>(
      "CLIENT", std::vector<config::ClientHost>{{"venue.example", 7}}, &answered);
  NameThread thread({addresses});
  for (const char* const text : {"10.0.0.1:7", "10.0.0.2:7", "10.0.0.3:7"}) {
    answer_with(std::vector{address(text)});
    addresses->want();
    thread.ask();
    ASSERT_TRUE(comes_true([&] { return texts_of(*addresses) == std::vector<std::string>{text}; }))
        << text;
  }
}

TEST(NameThread, ThereIsNoneForNumericHosts) {
  const auto addresses = std::make_shared<config::ClientAddresses>(
      "CLIENT", std::vector<config::ClientHost>{{"127.0.0.1", 7}}, &held_up);
  NameThread thread({addresses});
  addresses->want();
  thread.ask();
  EXPECT_FALSE(addresses->look_up());
}

}  // namespace
}  // namespace affix::engine
