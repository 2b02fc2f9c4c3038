// SPDX-License-Identifier: MIT
// The thread that looks up the addresses of client groups.
#include "engine/name_thread.hpp"

#include "support/name_service.hpp"

#include <chrono>
#include <condition_variable>
#include <expected>
#include <gtest/gtest.h>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace affix::engine {
namespace {

using support::answer_with;
using support::answered;
using support::parsed_address;
using support::texts_of;

constexpr std::chrono::seconds patience(30);

/// True if the other thread makes `condition` true within a time limit, so that a faulty test does
/// not hang.
template <typename Condition>
bool comes_true(Condition condition) {
  const auto until = std::chrono::steady_clock::now() + patience;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > until) {
      return false;
    }
    std::this_thread::yield();
  }
  return true;
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
  return std::vector{parsed_address("10.0.0.3:7")};
}

TEST(NameThread, NobodyWaitsForALookUpThatTakesItsTime) {
  const auto addresses = std::make_shared<config::ClientAddresses>(
      "CLIENT", std::vector<config::ClientHost>{{"venue.example", 7}}, &held_up);
  {
    NameThread thread({addresses});
    addresses->want();
    thread.ask();
    std::unique_lock lock(gate().mutex);
    ASSERT_TRUE(gate().changed.wait_for(lock, patience, [] { return gate().entered == 1; }));
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
    answer_with(std::vector{parsed_address(text)});
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
