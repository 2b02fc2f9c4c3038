// SPDX-License-Identifier: MIT
// Connections by the reactor's slots: an old connection is not taken for the one that has its slot.
#include "engine/connection_table.hpp"

#include "affix/base/bytes.hpp"

#include <array>
#include <cstddef>
#include <gtest/gtest.h>
#include <vector>

namespace affix::engine {
namespace {

/// Sessions that are compared, and never dereferenced.
host::HostedSession& owner(std::size_t number) {
  struct alignas(base::cache_line) Place {
    std::byte first;
  };

  static std::array<Place, 4> places;
  return reinterpret_cast<host::HostedSession&>(places.at(number));
}

TEST(ConnectionTable, FindsWhatWasEnteredUntilItIsCleared) {
  ConnectionTable table;
  table.open(2);
  EXPECT_EQ(table.find({0, 1}), nullptr);
  EXPECT_EQ(table.find({2, 1}), nullptr) << "beyond the slots";
  ConnectionTable::Entry& entry = table.enter({0, 1});
  entry.session = &owner(0);
  entry.peer_info.peer = "somebody";
  EXPECT_EQ(table.find({0, 1}), &entry);
  EXPECT_EQ(table.find({1, 1}), nullptr);
  ConnectionTable::clear(entry);
  EXPECT_EQ(table.find({0, 1}), nullptr);
}

TEST(ConnectionTable, ASlotsNextConnectionBeginsEmpty) {
  ConnectionTable table;
  table.open(1);
  table.enter({0, 1}).session = &owner(0);
  const ConnectionTable::Entry& next = table.enter({0, 2});
  EXPECT_EQ(next.session, nullptr);
  EXPECT_EQ(table.find({0, 1}), nullptr);
  EXPECT_EQ(table.find({0, 2}), &next);
}

TEST(ConnectionTable, AForgottenSessionHasNoConnectionAndRefusesThoseThatWait) {
  ConnectionTable table;
  table.open(4);
  table.enter({0, 7}).session = &owner(0);
  table.enter({1, 8}).wanted = &owner(0);
  table.enter({2, 9}).session = &owner(1);
  table.enter({3, 9}).wanted = &owner(1);
  std::vector<net::ConnectionId> refused;
  table.forget(owner(0), [&](net::ConnectionId connection, ConnectionTable::Entry& entry) {
    refused.push_back(connection);
    EXPECT_EQ(entry.wanted, &owner(0));
    ConnectionTable::clear(entry);
  });
  EXPECT_EQ(refused, (std::vector<net::ConnectionId>{{1, 8}}));
  EXPECT_EQ(table.find({0, 7}), nullptr);
  ASSERT_NE(table.find({2, 9}), nullptr);
  EXPECT_EQ(table.find({2, 9})->session, &owner(1));
  EXPECT_NE(table.find({3, 9}), nullptr);
}

}  // namespace
}  // namespace affix::engine
