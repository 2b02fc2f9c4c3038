// SPDX-License-Identifier: MIT
// Places of a worker's sessions: numbers that are free again are used first, and empty places are
// passed over.
#include "engine/session_places.hpp"

#include <cstddef>
#include <gtest/gtest.h>
#include <vector>

namespace affix::engine {
namespace {

TEST(SessionPlaces, AFreeNumberIsUsedBeforeANewOne) {
  SessionPlaces places(3);
  EXPECT_EQ(places.capacity(), 3U);
  EXPECT_EQ(places.take(), 0U);
  EXPECT_EQ(places.take(), 1U);
  EXPECT_EQ(places.size(), 2U);
  SessionPlace* const second = &places[1];
  places[0].disabled_why = "of the session before";
  places.give_back(places[0]);
  EXPECT_EQ(places.size(), 1U);
  EXPECT_EQ(places.take(), 0U);
  EXPECT_EQ(places[0].disabled_why, "");
  EXPECT_EQ(places.take(), 2U);
  EXPECT_EQ(places.size(), 3U);
  EXPECT_EQ(&places[1], second) << "sessions keep their addresses";
}

TEST(SessionPlaces, OnlyPlacesWithASessionAreVisited) {
  SessionPlaces places(4);
  alignas(host::HostedSession) std::byte storage{};
  const std::size_t empty = places.take();
  const std::size_t taken = places.take();
  // Never dereferenced, and released before the place would destroy it.
  places[taken].session.reset(reinterpret_cast<host::HostedSession*>(&storage));
  std::vector<SessionPlace*> visited;
  places.for_each([&](SessionPlace& place) { visited.push_back(&place); });
  EXPECT_EQ(visited, (std::vector<SessionPlace*>{&places[taken]}));
  const auto is = [&places](std::size_t number) {
    return [one = &places[number]](const SessionPlace& place) { return &place == one; };
  };
  EXPECT_TRUE(places.any_of(is(taken)));
  EXPECT_FALSE(places.any_of(is(empty)));
  static_cast<void>(places[taken].session.release());
}

}  // namespace
}  // namespace affix::engine
