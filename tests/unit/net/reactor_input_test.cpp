// SPDX-License-Identifier: MIT
// Reading: every split of the input, tails of every size, bursts, fairness, pausing, overflow.
#include "unit/net/loopback.hpp"

#include <cstring>
#include <gtest/gtest.h>

namespace affix::net {
namespace {

using loopback::Peer;
using loopback::Rig;

// A stand-in for a framer: messages are a decimal length, a colon and that many bytes. Consumes
// whole ones.
class Framer {
 public:
  std::size_t take(std::string_view bytes) {
    std::size_t used = 0;
    for (;;) {
      const std::string_view rest = bytes.substr(used);
      const std::size_t colon = rest.find(':');
      if (colon == std::string_view::npos) {
        return used;
      }
      const std::size_t size = std::stoul(std::string(rest.substr(0, colon)));
      if (rest.size() - colon - 1 < size) {
        return used;
      }
      messages.emplace_back(rest.substr(colon + 1, size));
      used += colon + 1 + size;
    }
  }

  std::vector<std::string> messages;
};

std::string framed(std::string_view message) {
  return std::to_string(message.size()) + ":" + std::string(message);
}

class ReactorInput : public ::testing::TestWithParam<std::uint32_t> {};

TEST(ReactorInput, EverySplitOfTheInputGivesTheSameMessages) {
  Rig rig;
  const std::vector<std::string> wanted{"first", "", "the second message", "x",
                                        loopback::pattern(40)};
  std::string stream;
  for (const std::string& each : wanted) {
    stream += framed(each);
  }
  for (std::size_t split = 0; split <= stream.size(); ++split) {
    Framer framer;
    rig.recorder.when_bytes = [&](ConnectionId, std::string_view bytes) {
      return framer.take(bytes);
    };
    auto [peer, connection] = rig.join();
    if (split != 0) {
      const std::size_t before = rig.recorder.deliveries;
      peer.send(std::string_view(stream).substr(0, split));
      ASSERT_TRUE(rig.turn_until([&] { return rig.recorder.deliveries > before; }));
    }
    if (split != stream.size()) {
      peer.send(std::string_view(stream).substr(split));
    }
    ASSERT_TRUE(rig.turn_until([&] { return framer.messages.size() == wanted.size(); })) << split;
    EXPECT_EQ(framer.messages, wanted) << split;
    EXPECT_TRUE(rig.reactor->close(connection));
  }
}

TEST(ReactorInput, ByteByByteGivesTheSameMessages) {
  Rig rig;
  Framer framer;
  rig.recorder.when_bytes = [&](ConnectionId, std::string_view bytes) {
    return framer.take(bytes);
  };
  auto [peer, connection] = rig.join();
  const std::string stream = framed("one") + framed(loopback::pattern(300));
  for (const char each : stream) {
    const std::size_t before = rig.recorder.deliveries;
    peer.send({&each, 1});
    ASSERT_TRUE(rig.turn_until([&] { return rig.recorder.deliveries > before; }));
  }
  EXPECT_EQ(framer.messages, (std::vector<std::string>{"one", loopback::pattern(300)}));
}

// Capacities around the size of the head room, so that tails are staged, kept in place, and both in
// turn.
TEST_P(ReactorInput, ABigBurstOfMixedSizesArrivesWhole) {
  ReactorOptions options;
  options.rx_buffer_capacity = GetParam();
  Rig rig(options);
  Framer framer;
  rig.recorder.when_bytes = [&](ConnectionId, std::string_view bytes) {
    return framer.take(bytes);
  };
  auto [peer, connection] = rig.join();
  std::vector<std::string> wanted;
  std::string stream;
  std::size_t size = 1;
  while (stream.size() < 3'000'000) {
    size = (size * 31 + 7) % (GetParam() - 8);
    wanted.push_back(loopback::pattern(size));
    stream += framed(wanted.back());
  }
  std::string_view left = stream;
  ASSERT_TRUE(rig.turn_until([&, fd = peer.fd()] {
    const ssize_t sent = ::send(fd, left.data(), std::min<std::size_t>(left.size(), 77'777),
                                MSG_DONTWAIT | MSG_NOSIGNAL);
    left.remove_prefix(sent > 0 ? static_cast<std::size_t>(sent) : 0);
    return framer.messages.size() == wanted.size();
  }));
  EXPECT_EQ(framer.messages, wanted);
  EXPECT_LE(rig.recorder.largest_delivery, GetParam());
  EXPECT_TRUE(rig.recorder.closed.empty());
}

INSTANTIATE_TEST_SUITE_P(Capacities, ReactorInput,
                         ::testing::Values(64U, 4095U, 4097U, 9000U, 65536U, 1U << 20));

TEST(ReactorInput, BytesArePaddedWithReadableMemory) {
  Rig rig;
  int sum = 0;
  rig.recorder.when_bytes = [&](ConnectionId, std::string_view bytes) {
    for (std::size_t index = 0; index < base::PaddedBytes::padding; ++index) {
      sum += bytes.data()[bytes.size() + index];
    }
    return std::size_t{0};  // Kept, so that the block's own padding is read too.
  };
  auto [peer, connection] = rig.join();
  for (const std::size_t total : {std::size_t{5000}, std::size_t{60000}, std::size_t{65535}}) {
    const std::size_t before = rig.recorder.largest_delivery;
    peer.send(loopback::pattern(total - before));
    ASSERT_TRUE(rig.turn_until([&] { return rig.recorder.largest_delivery == total; }));
  }
  SUCCEED() << sum;
}

TEST(ReactorInput, AMessageLargerThanTheBufferEndsTheConnection) {
  ReactorOptions options;
  options.rx_buffer_capacity = 5000;
  Rig rig(options);
  rig.recorder.when_bytes = [](ConnectionId, std::string_view) { return std::size_t{0}; };
  auto [peer, connection] = rig.join();
  auto [other_peer, other] = rig.join();
  peer.send(std::string(4999, 'a'));
  ASSERT_TRUE(rig.turn_until([&] { return rig.recorder.largest_delivery == 4999; }));
  EXPECT_TRUE(rig.recorder.closed.empty());
  peer.send("b");
  ASSERT_TRUE(rig.turn_until([&] { return !rig.recorder.closed.empty(); }));
  EXPECT_EQ(rig.recorder.closed.front().id, connection);
  EXPECT_EQ(rig.recorder.closed.front().reason, CloseReason::InputOverflow);
  EXPECT_EQ(rig.reactor->connection_count(), 1U);
}

TEST(ReactorInput, AFloodTakesOnlyItsShareOfATurn) {
  ReactorOptions options;
  options.rx_buffer_capacity = 8192;
  options.read_bytes_per_turn = 16384;
  Rig rig(options);
  auto [flood, loud] = rig.join();
  auto [quiet_peer, quiet] = rig.join();
  const std::string bytes(100'000, 'f');
  flood.send(bytes);
  quiet_peer.send("q");
  ASSERT_TRUE(rig.turn_until([&] { return rig.recorder.deliveries > 0; }));
  // Sent together, so one turn may see only one of them; when the quiet one is served, the loud one
  // has had no more than its share of those turns.
  std::size_t turns = 1;
  while (rig.recorder.bytes_of(quiet).empty()) {
    ASSERT_LE(rig.recorder.bytes_of(loud).size(), turns * 16384);
    static_cast<void>(rig.reactor->poll(os::now(), Wait::block_until(0), rig.recorder));
    ++turns;
    ASSERT_LT(turns, 4U);
  }
  ASSERT_TRUE(rig.turn_until([&] { return rig.recorder.bytes_of(loud) == bytes; }));
}

TEST(ReactorInput, APausedPeerMeetsBackPressureAndLosesNothing) {
  SocketOptions small;
  small.receive_buffer_bytes = 4096;
  Rig rig({}, small);
  auto [peer, connection] = rig.join();
  peer.limit_send_buffer(8192);
  ASSERT_TRUE(rig.reactor->pause_reading(connection));
  const std::string bytes = loopback::pattern(2'000'000);
  std::string_view left = bytes;
  const auto push = [&, fd = peer.fd()] {
    const ssize_t sent = ::send(fd, left.data(), left.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    left.remove_prefix(sent > 0 ? static_cast<std::size_t>(sent) : 0);
    return sent;
  };
  while (push() > 0) {
  }
  ASSERT_FALSE(left.empty());
  rig.settle();
  EXPECT_EQ(rig.recorder.deliveries, 0U);
  ASSERT_TRUE(rig.reactor->resume_reading(connection));
  ASSERT_TRUE(rig.turn_until([&, id = connection] {
    if (!left.empty()) {
      push();
    }
    return rig.recorder.bytes_of(id).size() == bytes.size();
  }));
  EXPECT_EQ(rig.recorder.bytes_of(connection), bytes);
}

TEST(ReactorInput, APeerWhoseReadingPausesAgainAndAgainLeavesBuffersToOthers) {
  ReactorOptions options;
  options.read_bytes_max = 4096;
  SocketOptions small;
  small.receive_buffer_bytes = 65536;
  Rig rig(options, small);
  auto [flood, loud] = rig.join();
  auto [quiet_peer, quiet] = rig.join();
  rig.recorder.when_bytes = [&, floods = loud](ConnectionId id, std::string_view bytes) {
    if (id != floods) {
      rig.recorder.received[loopback::key(id)].append(bytes);
      return bytes.size();
    }
    EXPECT_TRUE(rig.reactor->pause_reading(id));
    return std::min<std::size_t>(bytes.size(), 100);
  };
  const std::string bytes(100'000, 'f');
  for (int turns = 0; turns < 300; ++turns) {
    static_cast<void>(::send(flood.fd(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL));
    rig.turn();
    ASSERT_TRUE(rig.reactor->resume_reading(loud));
  }
  ASSERT_TRUE(rig.reactor->pause_reading(loud));
  quiet_peer.send("x");
  ASSERT_TRUE(rig.turn_until([&, id = quiet] { return rig.recorder.bytes_of(id) == "x"; }));
}

TEST(ReactorInput, ABurstOfAPeerThatIsPausedLeavesBuffersToOthers) {
  ReactorOptions options;
  options.rx_buffer_capacity = 64;
  Rig rig(options);
  auto [other_peer, other] = rig.join();
  auto [loud_peer, loud] = rig.join();
  bool consume = false;
  rig.recorder.when_bytes = [&, others = other](ConnectionId id, std::string_view bytes) {
    if (id == others || consume) {
      rig.recorder.received[loopback::key(id)].append(bytes);
      return bytes.size();
    }
    if (bytes.size() > 1) {
      EXPECT_TRUE(rig.reactor->pause_reading(id));
    }
    return std::size_t{0};
  };
  // More than the 256 buffers that an io_uring has at one time, of 64 bytes each.
  const std::string bytes = loopback::pattern(32'768);
  loud_peer.send(bytes.substr(0, 1));
  rig.settle();
  loud_peer.send(bytes.substr(1));
  rig.settle();
  other_peer.send("x");
  ASSERT_TRUE(rig.turn_until([&, id = other] { return rig.recorder.bytes_of(id) == "x"; }));
  consume = true;
  ASSERT_TRUE(rig.reactor->resume_reading(loud));
  ASSERT_TRUE(rig.turn_until([&, id = loud] { return rig.recorder.bytes_of(id) == bytes; }));
}

TEST(ReactorInput, WaitingForReceiveBuffersIsQuietAndEnds) {
  ReactorOptions options;
  options.rx_buffer_capacity = 64;
  Rig rig(options);
  auto [waiting_peer, waiting] = rig.join();
  bool consume = false;
  rig.recorder.when_bytes = [&, other = waiting](ConnectionId id, std::string_view bytes) {
    if (id == other || consume) {
      rig.recorder.received[loopback::key(id)].append(bytes);
      return bytes.size();
    }
    // The kept byte leaves too little room for the next buffer, which is held with its rest.
    if (bytes.size() > 1) {
      EXPECT_TRUE(rig.reactor->pause_reading(id));
    }
    return std::size_t{0};
  };
  // Together they take more than the 1,024 buffers of an io_uring, of 64 bytes each.
  std::vector<std::pair<Peer, ConnectionId>> paused;
  const std::string bytes = loopback::pattern(8192);
  for (int count = 0; count < 16; ++count) {
    paused.push_back(rig.join());
    paused.back().first.send(bytes.substr(0, 1));
    rig.settle();
    paused.back().first.send(bytes.substr(1));
    rig.settle();
  }
  waiting_peer.send("x");
  rig.settle();
  if (loopback::collects_output()) {
    ASSERT_TRUE(rig.recorder.bytes_of(waiting).empty()) << "there were buffers";
  }
  const base::Now at = os::now();
  EXPECT_EQ(
      rig.reactor->poll(at, Wait::block_until(at.steady_ns + base::ns_per_ms), rig.recorder).events,
      0U);
  consume = true;
  for (const auto& [peer, id] : paused) {
    ASSERT_TRUE(rig.reactor->resume_reading(id));
  }
  ASSERT_TRUE(rig.turn_until([&, id = waiting] {
    return rig.recorder.bytes_of(id) == "x" &&
           std::all_of(paused.begin(), paused.end(), [&](const auto& each) {
             return rig.recorder.bytes_of(each.second) == bytes;
           });
  }));
}

TEST(ReactorInput, InputLeftByAPauseIsDeliveredAgainOnResuming) {
  ReactorOptions options;
  options.rx_buffer_capacity = 64;
  Rig rig(options);
  auto [peer, connection] = rig.join();
  std::string taken;
  rig.recorder.when_bytes = [&](ConnectionId id, std::string_view bytes) {
    taken += bytes[0];
    EXPECT_TRUE(rig.reactor->pause_reading(id));
    return std::size_t{1};
  };
  const std::string bytes = loopback::pattern(200);
  peer.send(bytes);
  for (std::size_t count = 1; count <= bytes.size(); ++count) {
    ASSERT_TRUE(rig.turn_until([&] { return taken.size() == count; })) << count;
    rig.settle();
    ASSERT_EQ(taken.size(), count) << "a paused connection was told something";
    ASSERT_TRUE(rig.reactor->resume_reading(connection));
  }
  EXPECT_EQ(taken, bytes);
}

TEST(ReactorInput, AFullBufferThatIsPausedIsNoOverflow) {
  ReactorOptions options;
  options.rx_buffer_capacity = 64;
  Rig rig(options);
  auto [peer, connection] = rig.join();
  auto [other_peer, other] = rig.join();
  bool consume = false;
  std::string taken;
  rig.recorder.when_bytes = [&, full = connection, helper = other](ConnectionId id,
                                                                   std::string_view bytes) {
    if (id == helper) {
      EXPECT_TRUE(rig.reactor->resume_reading(full));
      return bytes.size();
    }
    if (!consume) {
      EXPECT_TRUE(rig.reactor->pause_reading(id));
      return std::size_t{0};
    }
    taken += bytes;
    return bytes.size();
  };
  const std::string bytes = loopback::pattern(130);
  peer.send(bytes);
  ASSERT_TRUE(rig.turn_until([&] { return rig.recorder.largest_delivery == 64; }));
  consume = true;
  other_peer.send("go");
  peer.end_sending();
  ASSERT_TRUE(rig.turn_until([&] { return taken.size() == bytes.size(); }));
  EXPECT_EQ(taken, bytes);
  ASSERT_TRUE(rig.turn_until([&] { return !rig.recorder.closed.empty(); }));
  EXPECT_EQ(rig.recorder.closed.front().reason, CloseReason::PeerClosed);
}

TEST(ReactorInput, AFullBufferResumedAmongEventsOfOneBatchIsDeliveredFirst) {
  ReactorOptions options;
  options.rx_buffer_capacity = 64;
  Rig rig(options);
  auto [peer, connection] = rig.join();
  auto [other_peer, other] = rig.join();
  bool consume = false;
  std::string taken;
  rig.recorder.when_bytes = [&, full = connection, waker = other](ConnectionId id,
                                                                  std::string_view bytes) {
    if (id == waker) {
      EXPECT_TRUE(rig.reactor->resume_reading(full));
      consume = true;
      return bytes.size();
    }
    if (!consume) {
      EXPECT_TRUE(rig.reactor->pause_reading(id));
      return std::size_t{0};
    }
    taken += bytes;
    return bytes.size();
  };
  const std::string bytes = loopback::pattern(64);
  peer.send(bytes);
  ASSERT_TRUE(rig.turn_until([&] { return rig.recorder.largest_delivery == 64; }));
  rig.settle();
  // A reset is also reported for a paused connection: here in the batch whose first event resumes
  // it.
  other_peer.send("go");
  peer.reset();
  ASSERT_TRUE(rig.turn_until([&] { return !rig.recorder.closed.empty(); }));
  EXPECT_EQ(taken, bytes);
  EXPECT_EQ(rig.recorder.closed.front().reason, CloseReason::PeerReset);
}

TEST(ReactorInput, PausingBeforeTheConnectionStandsHolds) {
  Rig rig;
  const auto out = rig.reactor->connect(rig.here, {}, os::now().steady_ns + loopback::patience_ns);
  ASSERT_TRUE(out);
  EXPECT_TRUE(rig.reactor->pause_reading(*out));
  rig.recorder.when_accepted = [&](ConnectionId id) {
    EXPECT_EQ(rig.reactor->send(id, "hi"), SendResult::Sent);
  };
  ASSERT_TRUE(rig.turn_until(
      [&] { return rig.recorder.connected.size() == 1 && rig.recorder.accepted.size() == 1; }));
  rig.settle();
  EXPECT_EQ(rig.recorder.deliveries, 0U);
  EXPECT_TRUE(rig.reactor->resume_reading(*out));
  ASSERT_TRUE(rig.turn_until([&] { return rig.recorder.bytes_of(*out) == "hi"; }));
}

TEST(ReactorInput, ResumingBeforeTheConnectionStandsReads) {
  Rig rig;
  const auto out = rig.reactor->connect(rig.here, {}, os::now().steady_ns + loopback::patience_ns);
  ASSERT_TRUE(out);
  EXPECT_TRUE(rig.reactor->pause_reading(*out));
  EXPECT_TRUE(rig.reactor->resume_reading(*out));
  rig.recorder.when_accepted = [&](ConnectionId id) {
    EXPECT_EQ(rig.reactor->send(id, "hi"), SendResult::Sent);
  };
  ASSERT_TRUE(rig.turn_until([&] { return rig.recorder.bytes_of(*out) == "hi"; }));
}

}  // namespace
}  // namespace affix::net
