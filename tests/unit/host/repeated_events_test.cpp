// SPDX-License-Identifier: MIT
// Floods of events of one kind: the first few are reported, the others counted.
#include "host/repeated_events.hpp"

#include <gtest/gtest.h>
#include <map>

namespace affix::host {
namespace {

using base::ns_per_second;

std::map<session::Event, std::uint64_t> taken(RepeatedEvents& events, std::int64_t now_ns) {
  std::map<session::Event, std::uint64_t> counts;
  events.take(now_ns, [&](session::Event event, std::uint64_t count) { counts[event] += count; });
  return counts;
}

TEST(RepeatedEvents, ASessionWithoutAnyHasNothingToTell) {
  RepeatedEvents events;
  events.take(std::numeric_limits<std::int64_t>::max(),
              [](session::Event, std::uint64_t) { ADD_FAILURE(); });
}

TEST(RepeatedEvents, TheFirstOfASecondAreReportedAndTheOthersCounted) {
  RepeatedEvents events;
  for (std::uint32_t count = 0; count < 100; ++count) {
    EXPECT_EQ(events.admits(session::Event::SequenceTooHigh, 5),
              count < RepeatedEvents::reported_max);
  }
  EXPECT_TRUE(events.admits(session::Event::Garbled, 5));  // Another kind.
  EXPECT_EQ(events.due_ns(), ns_per_second + 5);
  EXPECT_TRUE(taken(events, ns_per_second + 4).empty());
  EXPECT_EQ(taken(events, ns_per_second + 5),
            (std::map<session::Event, std::uint64_t>{
                {session::Event::SequenceTooHigh, 100 - RepeatedEvents::reported_max}}));
  EXPECT_EQ(events.due_ns(), INT64_MAX);
  EXPECT_TRUE(events.admits(session::Event::SequenceTooHigh, ns_per_second + 5));
}

TEST(RepeatedEvents, EventsOfTheSessionsLifeAreAllReported) {
  RepeatedEvents events;
  for (int count = 0; count < 100; ++count) {
    EXPECT_TRUE(events.admits(session::Event::LoggedOn, 5));
    EXPECT_TRUE(events.admits(session::Event::LogonRefused, 5));
    EXPECT_TRUE(events.admits(session::Event::NumbersReset, 5));
  }
  EXPECT_EQ(events.due_ns(), INT64_MAX);
}

TEST(RepeatedEvents, TheEndReportsOmittedEvents) {
  RepeatedEvents events;
  for (std::uint32_t count = 0; count < RepeatedEvents::reported_max + 3; ++count) {
    static_cast<void>(events.admits(session::Event::AfterLogout, 5));
  }
  EXPECT_EQ(taken(events, INT64_MAX).at(session::Event::AfterLogout), 3U);
}

}  // namespace
}  // namespace affix::host
