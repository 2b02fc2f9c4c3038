// SPDX-License-Identifier: MIT
// Connections and listeners with a duplicate elsewhere: their end reaches the peer all the same,
// and the end of the reactor, or of its process, does not reach it.
#include "affix/net/stream_position.hpp"

#include "support/accepted.hpp"
#include "unit/net/loopback.hpp"

#include <array>
#include <csignal>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <sys/wait.h>

namespace affix::net {
namespace {

using loopback::Peer;
using loopback::Rig;

/// A connection of a rig, and its duplicate.
struct Shared {
  Peer peer;
  ConnectionId id;
  Socket duplicate;
};

Shared join_shared(Rig& rig) {
  auto [peer, id] = rig.join();
  auto duplicate = rig.reactor->share(id);
  EXPECT_TRUE(duplicate) << duplicate.error().text();
  return {std::move(peer), id, duplicate ? std::move(*duplicate) : Socket()};
}

StreamPosition position_of(const Socket& accepted) {
  const auto position = stream_position(accepted.fd(), Opened::ByPeer);
  EXPECT_TRUE(position) << position.error().text();
  return position.value_or(StreamPosition{});
}

/// The bytes that the peer gets: `size`, or all until the end of its stream. Waits for them.
std::string read_from(const Peer& peer, std::optional<std::uint64_t> size) {
  std::string bytes;
  pollfd wanted{.fd = peer.fd(), .events = POLLIN, .revents = 0};
  constexpr int patience_ms = static_cast<int>(loopback::patience_ns / base::ns_per_ms);
  while (!size || bytes.size() < *size) {
    if (::poll(&wanted, 1, patience_ms) != 1) {
      ADD_FAILURE() << "got " << bytes.size() << " bytes";
      break;
    }
    bytes += peer.receive_now(size ? *size - bytes.size() : 65'536);
    if (peer.at_end() || peer.was_reset()) {
      EXPECT_FALSE(size) << "got " << bytes.size() << " bytes";
      break;
    }
  }
  return bytes;
}

std::string read_to_end(const Peer& peer) {
  return read_from(peer, std::nullopt);
}

std::string read_bytes(const Peer& peer, std::uint64_t size) {
  return read_from(peer, size);
}

// --- Ends ---

TEST(ReactorShare, TheDuplicateIsTheSameConnection) {
  Rig rig;
  const Shared shared = join_shared(rig);
  EXPECT_EQ(shared.duplicate.local_address(), rig.here);
  EXPECT_EQ(shared.duplicate.peer_address(), rig.reactor->peer_address(shared.id));
  EXPECT_NE(::fcntl(shared.duplicate.fd(), F_GETFD) & FD_CLOEXEC, 0);
  ASSERT_EQ(rig.reactor->send(shared.id, "hello"), SendResult::Sent);
  rig.reactor->submit();
  EXPECT_EQ(read_bytes(shared.peer, 5), "hello");
  EXPECT_EQ(position_of(shared.duplicate).written, 5U);
}

TEST(ReactorShare, ClosingEndsTheConnection) {
  Rig rig;
  const Shared shared = join_shared(rig);
  ASSERT_TRUE(rig.reactor->close(shared.id));
  EXPECT_EQ(read_to_end(shared.peer), "");
  EXPECT_TRUE(position_of(shared.duplicate).output_ended);
}

TEST(ReactorShare, ClosingInOrderEndsTheConnectionAtItsDeadline) {
  Rig rig;
  const Shared shared = join_shared(rig);
  ASSERT_EQ(rig.reactor->send(shared.id, "goodbye"), SendResult::Sent);
  ASSERT_TRUE(rig.reactor->close_after_flush(shared.id, os::now().steady_ns));
  ASSERT_TRUE(rig.turn_until([&] { return rig.ended(shared.id); }));
  static_cast<void>(read_to_end(shared.peer));
  // The peer still sends, and must notice that nobody reads.
  shared.peer.send("more");
  pollfd wanted{.fd = shared.peer.fd(), .events = 0, .revents = 0};
  EXPECT_EQ(::poll(&wanted, 1, static_cast<int>(loopback::patience_ns / base::ns_per_ms)), 1);
  EXPECT_TRUE(position_of(shared.duplicate).closed);
}

TEST(ReactorShare, OutputThatCannotBeFlushedEndsTheConnection) {
  Rig rig({}, loopback::small_buffers());
  const Shared shared = join_shared(rig);
  const std::string sent = loopback::park(rig, shared.id, loopback::pattern(10'000));
  ASSERT_TRUE(rig.reactor->close_after_flush(shared.id, os::now().steady_ns));
  ASSERT_TRUE(rig.turn_until([&] { return rig.ended(shared.id); }));
  EXPECT_LT(read_to_end(shared.peer).size(), sent.size());
}

TEST(ReactorShare, TheEndOfThePeersStreamIsAnswered) {
  Rig rig;
  const Shared shared = join_shared(rig);
  shared.peer.end_sending();
  ASSERT_TRUE(rig.turn_until([&] { return rig.ended(shared.id); }));
  EXPECT_EQ(read_to_end(shared.peer), "");
}

TEST(ReactorShare, TheEndOfThePeersStreamIsAnsweredAfterParkedOutput) {
  Rig rig({}, loopback::small_buffers());
  const Shared shared = join_shared(rig);
  const std::string sent = loopback::park(rig, shared.id, loopback::pattern(10'000));
  shared.peer.end_sending();
  std::string got;
  ASSERT_TRUE(rig.turn_until([&] {
    got += shared.peer.receive_now();
    return shared.peer.at_end();
  }));
  EXPECT_EQ(got, sent);
}

TEST(ReactorShare, TooMuchInputEndsTheConnection) {
  ReactorOptions small;
  small.rx_buffer_capacity = 1'000;
  Rig rig(small);
  rig.recorder.when_bytes = [](ConnectionId, std::string_view) { return std::size_t{0}; };
  const Shared shared = join_shared(rig);
  shared.peer.send(std::string(1'000, 'x'));
  ASSERT_TRUE(rig.turn_until([&] { return rig.ended(shared.id); }));
  EXPECT_EQ(rig.recorder.closed.back().reason, CloseReason::InputOverflow);
  EXPECT_EQ(read_to_end(shared.peer), "");
}

TEST(ReactorShare, TheMarkMovesWithTheConnection) {
  Rig to;
  const auto from = std::move(*make_reactor("epoll", {}));
  auto [peer, first] = to.join();
  // An epoll reactor releases, whichever reactor under test adopts.
  Socket accepted = std::move(*to.reactor->share(first));
  to.reactor.reset();
  const auto second = from->adopt({.socket = std::move(accepted)});
  ASSERT_TRUE(second);
  const auto duplicate = from->share(*second);
  ASSERT_TRUE(duplicate);
  auto detached = from->release(*second, {});
  ASSERT_TRUE(detached);
  EXPECT_TRUE(detached->shared);
  EXPECT_FALSE(position_of(*duplicate).output_ended);
  to.reactor = std::move(*make_reactor(loopback::reactor_name(), {}));
  const auto third = to.reactor->adopt(std::move(*detached));
  ASSERT_TRUE(third);
  ASSERT_TRUE(to.reactor->close(*third));
  EXPECT_EQ(read_to_end(peer), "");
}

TEST(ReactorShare, AConnectionThatIsNotAdoptedIsEnded) {
  Rig rig;
  Shared shared = join_shared(rig);
  ReactorOptions small;
  small.rx_buffer_capacity = 100;
  const auto next = std::move(*make_reactor(loopback::reactor_name(), small));
  DetachedConnection detached{.socket = Socket(::dup(shared.duplicate.fd())), .shared = true};
  detached.input.assign(100, 'x');
  EXPECT_FALSE(next->adopt(std::move(detached)));
  EXPECT_EQ(read_to_end(shared.peer), "");
}

TEST(ReactorShare, WhatIsNotOpenIsNotShared) {
  Rig rig;
  auto [peer, id] = rig.join();
  ASSERT_TRUE(rig.reactor->close_after_flush(id, os::now().steady_ns + loopback::patience_ns));
  EXPECT_EQ(rig.reactor->share(id).error().code, base::ErrorCode::InvalidArgument);
  EXPECT_EQ(rig.reactor->share(ConnectionId{}).error().code, base::ErrorCode::InvalidArgument);
  EXPECT_EQ(rig.reactor->share(ListenerId{1, 1}).error().code, base::ErrorCode::InvalidArgument);
}

TEST(ReactorShare, UrgentBytesOfAPeerAreInTheStream) {
  Rig rig;
  const Shared shared = join_shared(rig);
  shared.peer.send("abc");
  ASSERT_EQ(::send(shared.peer.fd(), "d", 1, MSG_OOB), 1);
  shared.peer.send("ef");
  ASSERT_TRUE(rig.turn_until([&] { return rig.recorder.bytes_of(shared.id) == "abcdef"; }));
  EXPECT_EQ(position_of(shared.duplicate).read, 6U);
}

// --- The end of the reactor ---

class ReactorShareWithSuccessor : public testing::TestWithParam<const char*> {
 protected:
  /// The duplicate in a new reactor, where the kernel says that the former one stood.
  void succeed(Socket duplicate) {
    const StreamPosition at = position_of(duplicate);
    auto made = make_reactor(GetParam(), {});
    if (!made) {
      GTEST_SKIP() << made.error().text();
    }
    next_.reactor = std::move(*made);
    next_.recorder.received.clear();
    auto adopted = next_.reactor->adopt(
        {.socket = std::move(duplicate), .shared = true, .output_position = at.written});
    ASSERT_TRUE(adopted) << adopted.error().text();
    id_ = *adopted;
  }

  /// Sends what the dead reactor had still to send, and `peer` reads it.
  void finish_output(const Peer& peer, const std::string& sent, std::string got) {
    const SendResult result = next_.reactor->send(id_, std::string_view(sent).substr(got.size()));
    ASSERT_TRUE(result == SendResult::Sent || result == SendResult::Parked) << to_text(result);
    ASSERT_TRUE(next_.turn_until([&] {
      got += peer.receive_now();
      return got.size() >= sent.size();
    }));
    EXPECT_EQ(got, sent);
    EXPECT_EQ(next_.reactor->output_position(id_), sent.size());
  }

  Rig next_;
  ConnectionId id_;
};

TEST_P(ReactorShareWithSuccessor, BytesGoOnInBothDirections) {
  Rig rig;
  Shared shared = join_shared(rig);
  shared.peer.send("first ");
  ASSERT_EQ(rig.reactor->send(shared.id, "one "), SendResult::Sent);
  ASSERT_TRUE(rig.turn_until([&] { return rig.recorder.bytes_of(shared.id) == "first "; }));
  rig.reactor.reset();
  EXPECT_FALSE(position_of(shared.duplicate).output_ended);
  shared.peer.send("second");
  succeed(std::move(shared.duplicate));
  ASSERT_EQ(next_.reactor->send(id_, "two"), SendResult::Sent);
  ASSERT_TRUE(next_.turn_until([&] { return next_.recorder.bytes_of(id_) == "second"; }));
  EXPECT_EQ(read_bytes(shared.peer, 7), "one two");
  EXPECT_EQ(next_.reactor->output_position(id_), 7U);
  ASSERT_TRUE(next_.reactor->close(id_));
  EXPECT_EQ(read_to_end(shared.peer), "");
}

TEST_P(ReactorShareWithSuccessor, WhatIsLeftGoesOnBesideItsFormerReactor) {
  Rig rig;
  auto [peer, id] = rig.join();
  EXPECT_FALSE(rig.reactor->leave(id)) << "nobody has a duplicate";
  auto duplicate = rig.reactor->share(id);
  ASSERT_TRUE(duplicate);
  ASSERT_EQ(rig.reactor->send(id, "one "), SendResult::Sent);
  rig.reactor->submit();
  EXPECT_EQ(read_bytes(peer, 4), "one ");
  ASSERT_TRUE(rig.reactor->pause_reading(id));
  rig.settle();
  ASSERT_TRUE(rig.reactor->leave(id));
  EXPECT_FALSE(rig.reactor->leave(id));
  EXPECT_EQ(rig.reactor->connection_count(), 0U);
  peer.send("second");
  rig.settle();
  EXPECT_FALSE(rig.ended(id));
  EXPECT_FALSE(position_of(*duplicate).output_ended);
  succeed(std::move(*duplicate));
  ASSERT_EQ(next_.reactor->send(id_, "two"), SendResult::Sent);
  ASSERT_TRUE(next_.turn_until([&] { return next_.recorder.bytes_of(id_) == "second"; }));
  EXPECT_EQ(read_bytes(peer, 3), "two");
}

TEST_P(ReactorShareWithSuccessor, OutputInFlightIsWrittenOnceOrNotAtAll) {
  // A send waits for room, or has some and was not driven since.
  for (const bool has_room : {false, true}) {
    Rig rig({}, loopback::small_buffers());
    Shared shared = join_shared(rig);
    const std::string sent = loopback::park(rig, shared.id, loopback::pattern(9'999));
    rig.settle();
    ASSERT_NE(rig.reactor->parked_bytes(shared.id), 0U);
    std::string got =
        has_room ? read_bytes(shared.peer, position_of(shared.duplicate).written) : std::string();
    rig.reactor.reset();
    const StreamPosition at = position_of(shared.duplicate);
    ASSERT_LT(at.written, sent.size());
    // Makes room, which a send that was left behind would use.
    got += read_bytes(shared.peer, at.written - got.size());
    EXPECT_EQ(shared.peer.receive_now(), "");
    const StreamPosition later = position_of(shared.duplicate);
    EXPECT_EQ(later.written, at.written);
    EXPECT_EQ(later.unsent, 0U);
    succeed(std::move(shared.duplicate));
    finish_output(shared.peer, sent, std::move(got));
  }
}

TEST_P(ReactorShareWithSuccessor, InputInFlightIsReadOnceOrNotAtAll) {
  Rig rig;
  Shared shared = join_shared(rig);
  const std::string sent = loopback::pattern(300'000);
  std::size_t offset = 0;
  for (const std::size_t size : {100U, 5'000U, 100'000U}) {
    shared.peer.send(std::string_view(sent).substr(offset, size));
    offset += size;
    ASSERT_TRUE(rig.turn_until([&] { return rig.recorder.bytes_of(shared.id).size() == offset; }));
  }
  // Arrives after the last turn.
  shared.peer.send(std::string_view(sent).substr(offset, 50'000));
  rig.reactor.reset();
  const StreamPosition at = position_of(shared.duplicate);
  EXPECT_EQ(at.read, offset);
  EXPECT_EQ(at.unread, 50'000U);
  shared.peer.send(std::string_view(sent).substr(offset + 50'000, 50'000));
  EXPECT_EQ(position_of(shared.duplicate).read, offset);
  succeed(std::move(shared.duplicate));
  ASSERT_TRUE(next_.turn_until([&] { return next_.recorder.bytes_of(id_).size() == 100'000; }));
  EXPECT_EQ(next_.recorder.bytes_of(id_), sent.substr(offset, 100'000));
}

// Bytes that the reactor has read and not delivered are lost with it, as the position says.
TEST_P(ReactorShareWithSuccessor, InputThatWaitedInAPausedConnectionCountsAsRead) {
  Rig rig;
  Shared shared = join_shared(rig);
  ASSERT_TRUE(rig.reactor->pause_reading(shared.id));
  const std::string sent = loopback::pattern(1'000);
  shared.peer.send(sent);
  rig.settle();
  rig.reactor.reset();
  const std::uint64_t read = position_of(shared.duplicate).read;
  succeed(std::move(shared.duplicate));
  shared.peer.send("+");
  ASSERT_TRUE(next_.turn_until([&] { return next_.recorder.bytes_of(id_).ends_with('+'); }));
  EXPECT_EQ(next_.recorder.bytes_of(id_), sent.substr(read) + "+");
}

/// A process with a reactor that sends to a peer that does not read, once it was told to. The
/// parent's descriptor of the accepted socket is the duplicate.
class SendingProcess {
 public:
  SendingProcess(const Socket& accepted, const std::string& chunk) {
    EXPECT_EQ(::pipe2(ends_.data(), O_CLOEXEC), 0);
    child_ = ::fork();
    EXPECT_GE(child_, 0);
    if (child_ != 0) {
      ::close(ends_[1]);
      return;
    }
    Rig rig;
    const auto id = rig.reactor->adopt({.socket = Socket(::dup(accepted.fd()))});
    if (!id || !rig.turn_until([&] { return rig.recorder.bytes_of(*id) == "go"; })) {
      ::_exit(1);
    }
    const std::uint64_t size = loopback::park(rig, *id, chunk).size();
    rig.settle();
    if (::write(ends_[1], &size, sizeof size) != sizeof size) {
      ::_exit(1);
    }
    // All of it is in flight, and nobody drives it any more.
    for (;;) {
      ::pause();
    }
  }

  SendingProcess(const SendingProcess&) = delete;
  SendingProcess& operator=(const SendingProcess&) = delete;

  ~SendingProcess() {
    kill();
    ::close(ends_[0]);
  }

  /// Bytes that its reactor accepted. Waits for them; 0 if it has failed.
  [[nodiscard]] std::uint64_t accepted_bytes() const {
    std::uint64_t size = 0;
    return ::read(ends_[0], &size, sizeof size) == sizeof size ? size : 0;
  }

  /// Returns when it is dead.
  void kill() {
    if (child_ > 0) {
      EXPECT_EQ(::kill(child_, SIGKILL), 0);
      EXPECT_EQ(::waitpid(child_, nullptr, 0), child_);
      child_ = -1;
    }
  }

 private:
  std::array<int, 2> ends_{-1, -1};
  pid_t child_ = -1;
};

TEST_P(ReactorShareWithSuccessor, AKilledProcessLeavesNothingThatIsWrittenOrReadLater) {
  for (const bool has_room : {false, true}) {
    const auto listener = Listener::open(loopback::any_loopback(), loopback::small_buffers());
    ASSERT_TRUE(listener);
    const Peer peer = Peer::to(listener->local_address());
    pollfd connected{.fd = listener->socket().fd(), .events = POLLIN, .revents = 0};
    ASSERT_EQ(::poll(&connected, 1, -1), 1);
    Socket accepted = support::accept_waiting(connected.fd);
    const std::string chunk = loopback::pattern(9'999);
    SendingProcess process(accepted, chunk);
    peer.send("go");
    const std::uint64_t size = process.accepted_bytes();
    ASSERT_NE(size, 0U);
    peer.send("next");
    std::string got = has_room ? read_bytes(peer, position_of(accepted).written) : std::string();
    process.kill();
    const StreamPosition at = position_of(accepted);
    ASSERT_LT(at.written, size);
    EXPECT_EQ(at.read, 2U);
    got += read_bytes(peer, at.written - got.size());
    EXPECT_EQ(peer.receive_now(), "");
    EXPECT_EQ(position_of(accepted).written, at.written);
    std::string sent;
    while (sent.size() < size) {
      sent += chunk;
    }
    succeed(std::move(accepted));
    finish_output(peer, sent, std::move(got));
    EXPECT_EQ(next_.recorder.bytes_of(id_), "next");
  }
}

INSTANTIATE_TEST_SUITE_P(Successors, ReactorShareWithSuccessor,
                         testing::Values("epoll", "poll", "io_uring"),
                         [](const auto& reactor) { return std::string(reactor.param); });

// --- Listeners ---

TEST(ReactorShare, AListenersDuplicateAcceptsAfterItWasRemoved) {
  Rig rig;
  auto duplicate = rig.reactor->share(rig.listener);
  ASSERT_TRUE(duplicate) << duplicate.error().text();
  ASSERT_TRUE(rig.reactor->remove_listener(rig.listener));
  const Peer between = Peer::to(rig.here);
  rig.settle();
  EXPECT_TRUE(rig.recorder.accepted.empty());
  Rig next;
  auto adopted = Listener::adopt(std::move(*duplicate), {});
  ASSERT_TRUE(adopted) << adopted.error().text();
  EXPECT_EQ(adopted->local_address(), rig.here);
  ASSERT_TRUE(next.reactor->add_listener(std::move(*adopted)));
  ASSERT_TRUE(next.turn_until([&] { return next.recorder.accepted.size() == 1; }));
  const Peer after = Peer::to(rig.here);
  ASSERT_TRUE(next.turn_until([&] { return next.recorder.accepted.size() == 2; }));
}

TEST(ReactorShare, AListenersDuplicateAcceptsAfterItsReactorWasDestroyed) {
  Rig rig;
  auto duplicate = rig.reactor->share(rig.listener);
  ASSERT_TRUE(duplicate);
  rig.turn();
  rig.reactor.reset();
  const Peer between = Peer::to(rig.here);
  Rig next;
  auto adopted = Listener::adopt(std::move(*duplicate), {});
  ASSERT_TRUE(adopted);
  ASSERT_TRUE(next.reactor->add_listener(std::move(*adopted)));
  ASSERT_TRUE(next.turn_until([&] { return next.recorder.accepted.size() == 1; }));
}

TEST(ReactorShare, OnlyAListeningSocketBecomesAListener) {
  EXPECT_EQ(Listener::adopt(open_socket(loopback::any_loopback()).value(), {}).error().code,
            base::ErrorCode::InvalidArgument);
  EXPECT_EQ(Listener::adopt(Socket(), {}).error().code, base::ErrorCode::Io);
}

}  // namespace
}  // namespace affix::net
