// SPDX-License-Identifier: MIT
// Events: this system's, and the one of systems that have no better.
#include "affix/net/event_descriptor.hpp"

#include "affix/net/socket_calls.hpp"
#include "affix/os/clock.hpp"

#include "net/datagram_event.hpp"

#include <gtest/gtest.h>

namespace affix::net {

namespace {

struct Kind {
  Socket (*make)() noexcept;
  void (*raise)(int event) noexcept;
  void (*clear)(int event) noexcept;
};

class EventDescriptor : public ::testing::TestWithParam<Kind> {
 protected:
  EventDescriptor() : event_(GetParam().make()) {}

  [[nodiscard]] bool is_readable(std::int64_t timeout_ns) const {
    pollfd event{.fd = event_.fd(), .events = POLLIN, .revents = 0};
    return wait_for_events({&event, 1}, timeout_ns) == 1;
  }

  Socket event_;
};

}  // namespace

TEST_P(EventDescriptor, IsReadableFromRaisingToClearing) {
  ASSERT_TRUE(event_.is_open());
  EXPECT_FALSE(is_readable(0));
  constexpr std::int64_t long_ns = 10'000'000'000;
  for (int round = 0; round < 3; ++round) {
    GetParam().raise(event_.fd());
    EXPECT_TRUE(is_readable(long_ns));
    EXPECT_TRUE(is_readable(0));
    GetParam().clear(event_.fd());
    EXPECT_FALSE(is_readable(0));
  }
}

TEST_P(EventDescriptor, TakesManyRaisesAndNeverWaits) {
  ASSERT_TRUE(event_.is_open());
  for (int count = 0; count < 100'000; ++count) {
    GetParam().raise(event_.fd());
  }
  EXPECT_TRUE(is_readable(0));
  GetParam().clear(event_.fd());
  EXPECT_FALSE(is_readable(0));
  GetParam().clear(event_.fd());
}

INSTANTIATE_TEST_SUITE_P(Kinds, EventDescriptor,
                         ::testing::Values(Kind{&make_event, &raise_event, &clear_event},
                                           Kind{&make_datagram_event, &raise_datagram_event,
                                                &clear_datagram_event}));

TEST(WaitForEvents, ReturnsNotBeforeItsTime) {
  const Socket event = make_datagram_event();
  pollfd asked{.fd = event.fd(), .events = POLLIN, .revents = 0};
  const auto begin = os::now().steady_ns;
  constexpr std::int64_t wait_ns = 2'300'000;
  EXPECT_EQ(wait_for_events({&asked, 1}, wait_ns), 0);
  EXPECT_GE(os::now().steady_ns - begin, wait_ns);
}

}  // namespace affix::net
