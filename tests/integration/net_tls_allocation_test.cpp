// SPDX-License-Identifier: MIT
// Counts allocations of messages over TLS in steady state: affix makes none, and OpenSSL a few
// small ones per record, which it frees at once.
#include "support/allocation_count.hpp"
#include "unit/tls/tls_loopback.hpp"

#include <atomic>
#include <cstdlib>
#include <gtest/gtest.h>
#include <openssl/crypto.h>
#include <string>
#include <tuple>

namespace affix::net {
namespace {
std::atomic<std::uint64_t> openssl_allocations{0};

void* count_malloc(std::size_t size, const char*, int) {
  openssl_allocations.fetch_add(1, std::memory_order_relaxed);
  return std::malloc(size);
}

void* count_realloc(void* memory, std::size_t size, const char*, int) {
  openssl_allocations.fetch_add(1, std::memory_order_relaxed);
  return std::realloc(memory, size);
}

void give_back(void* memory, const char*, int) {
  std::free(memory);
}

// Before any use of OpenSSL, after which it accepts no other functions.
const bool counted = CRYPTO_set_mem_functions(&count_malloc, &count_realloc, &give_back) == 1;

/// A server that echoes its input, and a client that sends again after each answer.
class PingPong final : public Handler {
 public:
  explicit PingPong(tls::TlsReactor& reactor) : reactor_(reactor) {}

  void on_accepted(ListenerId, ConnectionId connection, const Address&) noexcept override {
    server_ = connection;
  }

  void on_connected(ConnectionId connection) noexcept override {
    client_ = connection;
    ask();
  }

  void on_connect_failed(ConnectionId, ConnectFailure, int) noexcept override { failed = true; }

  std::size_t on_bytes(ConnectionId connection, base::PaddedBytes bytes) noexcept override {
    if (connection == server_) {
      static_cast<void>(reactor_.send(connection, bytes.view()));
      return bytes.size;
    }
    if (bytes.size < question_.size()) {
      return 0;
    }
    ++answers;
    ask();
    return bytes.size;
  }

  void on_drained(ConnectionId) noexcept override {}

  void on_closed(ConnectionId, CloseReason, int) noexcept override { failed = true; }

  std::uint64_t answers = 0;
  bool failed = false;

 private:
  void ask() { static_cast<void>(reactor_.send(client_, question_)); }

  tls::TlsReactor& reactor_;
  ConnectionId server_;
  ConnectionId client_;
  std::string question_ = loopback::pattern(200);
};

class TlsAllocation : public testing::TestWithParam<std::tuple<tls::TlsVersion, const char*>> {};

TEST_P(TlsAllocation, NoneOfOursForMessagesAndFewOfOpenSsls) {
  if (!support::allocations_are_counted) {
    GTEST_SKIP() << "the thread sanitizer has an operator new of its own";
  }
  ASSERT_TRUE(counted);
  const auto [version, name] = GetParam();
  auto beneath = make_reactor(name, tls::options_beneath_tls({}));
  if (!beneath) {
    GTEST_SKIP() << beneath.error().text();
  }
  auto reactor = tls::make_tls_reactor(std::move(*beneath));
  ASSERT_TRUE(reactor);
  const tls::loopback::TlsWorld world;
  tls::TlsSettings server = world.server();
  server.version_max = version;
  auto listening =
      (*reactor)->listen_tls(loopback::any_loopback(), {}, tls::loopback::open_endpoint(server));
  ASSERT_TRUE(listening);
  PingPong players(**reactor);
  ASSERT_TRUE((*reactor)->connect_tls(listening->address, {},
                                      os::now().steady_ns + loopback::patience_ns,
                                      tls::loopback::open_endpoint(world.client())));
  const auto play_until = [&](std::uint64_t answers) {
    const std::int64_t give_up_ns = os::now().steady_ns + loopback::patience_ns;
    while (players.answers < answers && !players.failed && os::now().steady_ns < give_up_ns) {
      const base::Now at = os::now();
      static_cast<void>(
          (*reactor)->poll(at, Wait::block_until(at.steady_ns + base::ns_per_ms), players));
    }
    return players.answers >= answers;
  };
  ASSERT_TRUE(play_until(100));
  const std::uint64_t ours = support::allocation_count();
  const std::uint64_t theirs = openssl_allocations.load();
  EXPECT_GT(theirs, 0U);  // Otherwise nothing is counted.
  ASSERT_TRUE(play_until(1100));
  EXPECT_EQ(support::allocation_count() - ours, 0U);
  // OpenSSL 3.0 takes 40 bytes for each part of a record that it writes: with TLS 1.3 three times
  // for a record sent and once for one received, with TLS 1.2 twice and not at all. Each answer is
  // two records sent and two received.
  const std::uint64_t per_answer = version == tls::TlsVersion::Tls13 ? 8 : 4;
  EXPECT_LE(openssl_allocations.load() - theirs, 1000 * per_answer);
}

INSTANTIATE_TEST_SUITE_P(Both, TlsAllocation,
                         testing::Combine(testing::Values(tls::TlsVersion::Tls12,
                                                          tls::TlsVersion::Tls13),
                                          testing::Values("epoll", "poll", "io_uring")),
                         [](const auto& tested) {
                           const bool older = std::get<0>(tested.param) == tls::TlsVersion::Tls12;
                           return std::string(older ? "Tls12_" : "Tls13_") +
                                  std::get<1>(tested.param);
                         });

}  // namespace
}  // namespace affix::net
