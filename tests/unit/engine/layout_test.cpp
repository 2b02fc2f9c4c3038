// SPDX-License-Identifier: MIT
// What two threads write lies on cache lines of its own, so that no message waits for a line that
// another thread has just written.
#include "affix/engine/engine.hpp"
#include "affix/net/waker.hpp"

#include "engine/flush_list.hpp"
#include "engine/hosted_session.hpp"
#include "engine/worker.hpp"

#include <cstdint>
#include <gtest/gtest.h>

namespace affix::engine {
namespace {

template <typename Type>
constexpr bool has_lines_of_its_own =
    alignof(Type) >= base::cache_line && sizeof(Type) % base::cache_line == 0;

// Workers beside each other, and sessions of different workers.
static_assert(has_lines_of_its_own<Worker>);
static_assert(has_lines_of_its_own<HostedSession>);

// What workers count beside each other, in memory that other processes read.
static_assert(has_lines_of_its_own<SessionCounters>);
static_assert(has_lines_of_its_own<SessionLatencies>);
static_assert(has_lines_of_its_own<WorkerCounters>);

// Between a worker and whoever flushes, wakes, hands over connections, sends commands or takes
// callbacks.
static_assert(has_lines_of_its_own<FlushList>);
static_assert(has_lines_of_its_own<RosterEntry>);
static_assert(has_lines_of_its_own<net::Waker>);
static_assert(has_lines_of_its_own<Worker::Inbox>);
static_assert(has_lines_of_its_own<base::ByteRing>);

class Silent final : public Application {
 public:
  void on_message(SessionHandle, const wire::MessageView&, const Delivery&) noexcept override {}
};

TEST(Layout, WhatTheFlushingThreadWritesOfASessionIsOnALineOfItsOwn) {
  Configuration configuration;
  ServerSettings& server = configuration.servers.emplace_back();
  server.name = "SERVER";
  server.nic_address = "127.0.0.1";
  SessionSettings& session = configuration.sessions.emplace_back();
  session.name = "SESSION";
  session.instance = "SERVER";
  session.begin_string = "FIX.4.4";
  session.sender_comp_id = "US";
  session.target_comp_id = "THEM";
  session.durability = "memory";
  Silent application;
  const auto engine = Engine::open(configuration, application);
  ASSERT_TRUE(engine) << text_of(engine.error());
  HostedSession& hosted = *(*engine)->sessions().front().hosted();
  const auto begin = reinterpret_cast<std::uintptr_t>(hosted.roster_entry());
  const auto entry = reinterpret_cast<std::uintptr_t>(&hosted.roster_entry()->unflushed);
  EXPECT_EQ(entry % base::cache_line, 0U);
  EXPECT_EQ(begin + sizeof(RosterEntry) - entry, base::cache_line);
}

}  // namespace
}  // namespace affix::engine
