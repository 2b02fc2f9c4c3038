// SPDX-License-Identifier: MIT
// Data written by two threads is on separate cache lines, so that no message waits for a line just
// written by another thread.
#include "affix/engine/engine.hpp"
#include "affix/net/waker.hpp"

#include "engine/worker.hpp"
#include "host/flush_list.hpp"
#include "host/hosted_session.hpp"

#include <cstdint>
#include <gtest/gtest.h>

namespace affix::engine {
namespace {

template <typename Type>
constexpr bool has_lines_of_its_own =
    alignof(Type) >= base::cache_line && sizeof(Type) % base::cache_line == 0;

// Neighbouring workers, and sessions of different workers.
static_assert(has_lines_of_its_own<Worker>);
static_assert(has_lines_of_its_own<host::HostedSession>);

// Counters of different workers, in memory that other processes read.
static_assert(has_lines_of_its_own<counters::SessionCounters>);
static_assert(has_lines_of_its_own<counters::SessionLatencies>);
static_assert(has_lines_of_its_own<counters::WorkerCounters>);

// Between a worker and threads that flush, wake it, pass connections, send commands or take
// callbacks.
static_assert(has_lines_of_its_own<host::FlushList>);
static_assert(has_lines_of_its_own<host::RosterEntry>);
static_assert(has_lines_of_its_own<net::Waker>);
static_assert(has_lines_of_its_own<Worker::Inbox>);
static_assert(has_lines_of_its_own<base::ByteRing>);

class Silent final : public host::Application {
 public:
  void on_message(host::SessionHandle, const wire::MessageView&,
                  const host::Delivery&) noexcept override {}
};

TEST(Layout, MembersThatTheFlushingThreadWritesAreOnALineOfTheirOwn) {
  config::Configuration configuration;
  config::ServerSettings& server = configuration.servers.emplace_back();
  server.name = "SERVER";
  server.nic_address = "127.0.0.1";
  config::SessionSettings& session = configuration.sessions.emplace_back();
  session.name = "SESSION";
  session.instance = "SERVER";
  session.begin_string = "FIX.4.4";
  session.sender_comp_id = "US";
  session.target_comp_id = "THEM";
  session.durability = journal::Durability::Memory;
  Silent application;
  const auto engine = Engine::open(configuration, application);
  ASSERT_TRUE(engine) << config::text_of(engine.error());
  host::HostedSession& hosted = *(*engine)->sessions().front().hosted();
  const auto begin = reinterpret_cast<std::uintptr_t>(hosted.roster_entry());
  const auto entry = reinterpret_cast<std::uintptr_t>(&hosted.roster_entry()->unflushed);
  EXPECT_EQ(entry % base::cache_line, 0U);
  EXPECT_EQ(begin + sizeof(host::RosterEntry) - entry, base::cache_line);
}

}  // namespace
}  // namespace affix::engine
