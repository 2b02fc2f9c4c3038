// SPDX-License-Identifier: MIT
// Positions of both ends of real connections, compared with what the ends have written and read.
#include "affix/net/listener.hpp"
#include "affix/net/stream_position.hpp"

#include "unit/net/loopback.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <gtest/gtest.h>
#include <random>
#include <thread>

namespace affix::net {
namespace {

using loopback::Peer;

/// One end, and what a reader of its code knows about it.
struct End {
  Peer socket;
  Opened opened = Opened::Here;
  std::uint64_t written = 0;
  std::uint64_t read = 0;

  void write(std::size_t size) {
    const std::string bytes(size, 'w');
    const ssize_t sent =
        ::send(socket.fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0) {
      written += static_cast<std::uint64_t>(sent);
    }
  }

  std::size_t take(std::size_t size) {
    const std::size_t got = socket.receive_now(size).size();
    read += got;
    return got;
  }

  [[nodiscard]] StreamPosition position() const {
    const auto asked = stream_position(socket.fd(), opened);
    EXPECT_TRUE(asked) << asked.error().text();
    return asked.value_or(StreamPosition{});
  }

  /// As its writes and reads were, whatever the other end has done.
  void check() const {
    const StreamPosition at = position();
    EXPECT_EQ(at.written, written);
    EXPECT_EQ(at.read, read);
  }
};

/// Waits for an event of the socket; false if it does not come.
[[nodiscard]] bool await(int socket, short events) {
  pollfd wanted{.fd = socket, .events = events, .revents = 0};
  return ::poll(&wanted, 1, static_cast<int>(loopback::patience_ns / base::ns_per_ms)) == 1;
}

class StreamPositions : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    auto listener = Listener::open(Address::parse(GetParam()).value(), {});
    if (!listener) {
      GTEST_SKIP() << listener.error().text();
    }
    listener_ = std::make_unique<Listener>(std::move(*listener));
    join();
  }

  void join() {
    const int listening = listener_->socket().fd();
    here_ = {.socket = Peer::to(listener_->local_address()), .opened = Opened::Here};
    ASSERT_TRUE(await(listening, POLLIN));
    there_ = {.socket = Peer(::accept4(listening, nullptr, nullptr, SOCK_CLOEXEC)),
              .opened = Opened::ByPeer};
  }

  void check() const {
    here_.check();
    there_.check();
  }

  End here_;
  End there_;
  std::unique_ptr<Listener> listener_;
};

TEST_P(StreamPositions, BeginAtZero) {
  for (const End* const end : {&here_, &there_}) {
    const StreamPosition at = end->position();
    EXPECT_EQ(at.written, 0U);
    EXPECT_EQ(at.read, 0U);
    EXPECT_EQ(at.unsent, 0U);
    EXPECT_EQ(at.unread, 0U);
    EXPECT_FALSE(at.input_ended || at.output_ended || at.closed);
  }
}

TEST_P(StreamPositions, AreExactForAnySizes) {
  std::mt19937_64 random(20'240'607);
  const auto up_to = [&](std::size_t most) {
    // Small and large ones equally often.
    return 1 + random() % (std::size_t{1} << random() % 18) % most;
  };
  here_.socket.limit_send_buffer(20'000);
  bool filled = false;
  for (int step = 0; step < 4'000; ++step) {
    End& one = random() % 2 == 0 ? here_ : there_;
    // Phases in which nobody reads, so that buffers fill and writes are cut.
    if (step / 200 % 2 == 0 || random() % 2 == 0) {
      const std::uint64_t before = one.written;
      const std::size_t size = up_to(200'000);
      one.write(size);
      filled = filled || one.written - before < size;
    } else {
      one.take(up_to(100'000));
    }
    check();
    ASSERT_FALSE(HasFailure()) << "step " << step;
  }
  EXPECT_TRUE(filled);
  while (here_.read != there_.written || there_.read != here_.written) {
    ASSERT_TRUE(await((here_.read != there_.written ? here_ : there_).socket.fd(), POLLIN));
    here_.take(65'536);
    there_.take(65'536);
  }
  check();
  EXPECT_EQ(here_.position().unread, 0U);
  EXPECT_EQ(there_.position().unread, 0U);
}

TEST_P(StreamPositions, TellWhatWaits) {
  here_.write(1'000);
  ASSERT_TRUE(await(there_.socket.fd(), POLLIN));
  ASSERT_EQ(there_.take(400), 400U);
  EXPECT_EQ(there_.position().unread, 600U);
  for (std::uint64_t before = 0; before != here_.written;) {
    before = here_.written;
    here_.write(1'000'000);
  }
  const StreamPosition at = here_.position();
  EXPECT_GT(at.unsent, 0U);
  EXPECT_EQ(at.written, here_.written);
}

// Acknowledgements come at any time, also between the two questions about them.
TEST_P(StreamPositions, StandStillWhileThePeerReadsAndWrites) {
  for (int round = 0; round < 20; ++round) {
    here_.write(4'000'000);
    const std::uint64_t read = here_.read;
    std::atomic<bool> done = false;
    std::thread peer([&] {
      while (there_.read < here_.written) {
        there_.take(2'000);
        there_.write(500);
      }
      done = true;
    });
    bool same = true;
    while (!done) {
      const StreamPosition at = here_.position();
      same = same && at.written == here_.written && at.read == read;
    }
    peer.join();
    ASSERT_TRUE(same);
    while (here_.read < there_.written) {
      here_.take(1'000'000);
    }
  }
}

TEST_P(StreamPositions, LeaveOutTheEndsOfTheStreams) {
  for (const bool from_here : {true, false}) {
    join();
    End& ending = from_here ? here_ : there_;
    End& other = from_here ? there_ : here_;
    ending.write(700);
    other.write(50);
    ending.socket.end_sending();
    ASSERT_TRUE(await(other.socket.fd(), POLLRDHUP));
    // Before its data is read, after a part, all of it, and the end itself.
    for (const std::size_t size : {0U, 300U, 400U, 1U}) {
      const std::size_t left = 700 - other.read;
      EXPECT_EQ(size == 0 ? 0 : other.take(size), std::min(size, left));
      const StreamPosition at = other.position();
      EXPECT_TRUE(at.input_ended);
      EXPECT_FALSE(at.output_ended || at.closed);
      EXPECT_EQ(at.unread, 700 - other.read);
      check();
    }
    other.write(25);
    ASSERT_TRUE(await(ending.socket.fd(), POLLIN));
    const StreamPosition at = ending.position();
    EXPECT_TRUE(at.output_ended);
    EXPECT_FALSE(at.input_ended || at.closed);
    EXPECT_EQ(at.unread, 75U);
    EXPECT_EQ(at.unsent, 0U);
    check();
  }
}

TEST_P(StreamPositions, LeaveOutAnEndThatThePeerHasNotGot) {
  // The peer's window is full, so our end cannot leave.
  for (std::uint64_t before = 1; before != here_.written;) {
    before = here_.written;
    here_.write(1'000'000);
  }
  const std::uint32_t unsent = here_.position().unsent;
  ASSERT_NE(unsent, 0U);
  here_.socket.end_sending();
  const StreamPosition at = here_.position();
  EXPECT_TRUE(at.output_ended);
  EXPECT_EQ(at.unsent, unsent);
  there_.socket.end_sending();
  ASSERT_TRUE(await(here_.socket.fd(), POLLRDHUP));
  EXPECT_TRUE(here_.position().input_ended);
  check();
  EXPECT_FALSE(there_.position().input_ended);
  // Its own end was acknowledged long ago, so ours, once there is room for it, is the last event.
  while (!there_.position().closed) {
    there_.check();
    ASSERT_TRUE(await(there_.socket.fd(), POLLIN));
    there_.take(100'000);
  }
  EXPECT_FALSE(there_.position().input_ended || there_.position().output_ended);
}

TEST_P(StreamPositions, TellThatTheConnectionIsOver) {
  here_.write(10);
  there_.write(20);
  ASSERT_TRUE(await(here_.socket.fd(), POLLIN));
  here_.socket.reset();
  ASSERT_TRUE(await(there_.socket.fd(), POLLRDHUP));
  const StreamPosition at = there_.position();
  EXPECT_TRUE(at.closed);
  EXPECT_FALSE(at.input_ended || at.output_ended);
  EXPECT_EQ(at.written, 20U);
  EXPECT_EQ(at.read, 0U);
  EXPECT_EQ(at.unread, 10U);
}

TEST_P(StreamPositions, CountUrgentBytesThatAreInTheStream) {
  const int on = 1;
  ASSERT_EQ(::setsockopt(there_.socket.fd(), SOL_SOCKET, SO_OOBINLINE, &on, sizeof on), 0);
  ASSERT_EQ(::send(here_.socket.fd(), "abc", 3, 0), 3);
  ASSERT_EQ(::send(here_.socket.fd(), "d", 1, MSG_OOB), 1);
  ASSERT_EQ(::send(here_.socket.fd(), "ef", 2, 0), 2);
  here_.written = 6;
  while (there_.read < 6) {
    ASSERT_TRUE(await(there_.socket.fd(), POLLIN));
    there_.check();
    there_.take(6);
  }
  check();
}

INSTANTIATE_TEST_SUITE_P(Families, StreamPositions, testing::Values("127.0.0.1:0", "[::1]:0"),
                         [](const auto& family) {
                           return std::string(family.param[0] == '[' ? "IPv6" : "IPv4");
                         });

TEST(StreamPosition, OfWhatIsNoConnectionIsAnError) {
  const auto listener = Listener::open(loopback::any_loopback(), {});
  ASSERT_TRUE(listener);
  const auto listening = stream_position(listener->socket().fd(), Opened::ByPeer);
  ASSERT_FALSE(listening);
  EXPECT_EQ(listening.error().code, base::ErrorCode::InvalidArgument);
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  const auto pipe = stream_position(ends[0], Opened::Here);
  ASSERT_FALSE(pipe);
  EXPECT_EQ(pipe.error().code, base::ErrorCode::Io);
  ::close(ends[0]);
  ::close(ends[1]);
}

}  // namespace
}  // namespace affix::net
