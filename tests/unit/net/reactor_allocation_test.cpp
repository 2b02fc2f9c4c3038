// SPDX-License-Identifier: MIT
// Counts allocations: none per message, none per connection, in steady state.
#include "support/allocation_count.hpp"
#include "unit/net/loopback.hpp"

#include <gtest/gtest.h>

namespace affix::net {
namespace {
// Echoes everything, leaves odd tails, allocates nothing.
class Echo final : public Handler {
 public:
  explicit Echo(Reactor& reactor) : reactor_(reactor) {}

  void on_accepted(ListenerId, ConnectionId connection, const Address&) noexcept override {
    accepted = connection;
  }

  void on_connected(ConnectionId connection) noexcept override { connected = connection; }

  std::size_t on_bytes(ConnectionId connection, base::PaddedBytes bytes) noexcept override {
    if (connection == connected) {
      received += bytes.size;
      return bytes.size;
    }
    // Every second time a few bytes are left, so that tails appear and disappear.
    const std::size_t left = ++turn_ % 2 == 0 && bytes.size > 3 ? 3 : 0;
    const std::string_view all = bytes.view();
    const std::size_t half = (all.size() - left) / 2;
    const std::string_view pieces[] = {all.substr(0, half),
                                       all.substr(half, all.size() - left - half)};
    parked += reactor_.send(connection, pieces) == SendResult::Parked ? 1U : 0U;
    return all.size() - left;
  }

  void on_drained(ConnectionId) noexcept override {}

  void on_closed(ConnectionId, CloseReason, int) noexcept override { ++closed; }

  ConnectionId accepted;
  ConnectionId connected;
  std::size_t received = 0;
  std::size_t parked = 0;
  std::size_t closed = 0;

 private:
  Reactor& reactor_;
  std::size_t turn_ = 0;
};

TEST(ReactorAllocation, NoneForMessagesParkingAndConnections) {
  loopback::Rig rig;
  Echo echo(*rig.reactor);
  const std::string message = loopback::pattern(200'000);
  std::size_t parked = 0;
  std::size_t received = 0;
  const auto turns_until = [&](auto wanted) {
    const std::int64_t give_up_ns = os::now().steady_ns + loopback::patience_ns;
    while (!wanted() && os::now().steady_ns < give_up_ns) {
      const base::Now at = os::now();
      static_cast<void>(
          rig.reactor->poll(at, Wait::block_until(at.steady_ns + base::ns_per_ms), echo));
    }
    return wanted();
  };
  const auto session = [&] {
    echo.accepted = echo.connected = ConnectionId{};
    echo.received = 0;
    if (!rig.reactor->connect(rig.here, {}, os::now().steady_ns + loopback::patience_ns) ||
        !turns_until(
            [&] { return echo.accepted.generation != 0 && echo.connected.generation != 0; })) {
      return false;
    }
    for (int count = 0; count < 50; ++count) {
      const std::size_t size = count % 10 == 0 ? message.size() : 188;
      if (rig.reactor->send(echo.connected, std::string_view(message).substr(0, size)) ==
          SendResult::Parked) {
        ++parked;
      }
      const std::size_t before = echo.received;
      if (!turns_until([&] { return echo.received + 3 >= before + size; })) {
        return false;
      }
    }
    received += echo.received;
    const std::size_t closed = echo.closed;
    return rig.reactor->close(echo.connected) &&
           turns_until([&] { return echo.closed == closed + 1; });
  };
  ASSERT_TRUE(session());
  const std::uint64_t before = support::allocation_count();
  bool all = true;
  for (int round = 0; round < 20; ++round) {
    all = session() && all;
  }
  const std::uint64_t after = support::allocation_count();
  EXPECT_TRUE(all);
  EXPECT_EQ(after, before);
  EXPECT_GT(received, 20U * 1'000'000);
  EXPECT_EQ(after > 0, support::allocations_are_counted) << "the counter does not count";
}

}  // namespace
}  // namespace affix::net
