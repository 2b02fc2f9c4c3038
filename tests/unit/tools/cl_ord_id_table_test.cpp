// SPDX-License-Identifier: MIT
// The table of ClOrdIDs: finds names, forgets them in order, and never exceeds its capacity.
#include "order/cl_ord_id_table.hpp"

#include <cstdint>
#include <deque>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <utility>

namespace affix::tools {
namespace {

TEST(ClOrdIdTable, FindsANameOfItsOwnerOnly) {
  ClOrdIdTable table(10);
  const auto slot = table.insert(1, "A", 42);
  ASSERT_NE(slot, ClOrdIdTable::no_name);
  EXPECT_EQ(table.find(1, "A"), slot);
  EXPECT_EQ(table.order(slot), 42U);
  EXPECT_EQ(table.text(slot), "A");
  EXPECT_EQ(table.find(2, "A"), ClOrdIdTable::no_name);
  EXPECT_EQ(table.find(1, "AA"), ClOrdIdTable::no_name);
  EXPECT_EQ(table.find(1, ""), ClOrdIdTable::no_name);
}

TEST(ClOrdIdTable, NamesMayDifferInAnyByteUpToTheLongest) {
  ClOrdIdTable table(200);
  const std::string longest(cl_ord_id_bytes_max, 'x');
  for (std::uint32_t byte = 0; byte < longest.size(); ++byte) {
    std::string name = longest;
    name[byte] = 'y';
    ASSERT_NE(table.insert(0, name, byte), ClOrdIdTable::no_name);
  }
  for (std::uint32_t byte = 0; byte < longest.size(); ++byte) {
    std::string name = longest;
    name[byte] = 'y';
    const auto slot = table.find(0, name);
    ASSERT_NE(slot, ClOrdIdTable::no_name);
    EXPECT_EQ(table.order(slot), byte);
  }
  EXPECT_EQ(table.find(0, longest), ClOrdIdTable::no_name);
}

TEST(ClOrdIdTable, ForgetsTheLongestRetiredFirstAndNothingElse) {
  ClOrdIdTable table(3);
  const auto kept = table.insert(0, "kept", 1);
  table.retire(table.insert(0, "first", 2));
  table.retire(table.insert(0, "second", 3));
  EXPECT_EQ(table.insert(0, "more", 4), ClOrdIdTable::no_name);
  EXPECT_EQ(table.forget_oldest(), 2U);
  EXPECT_EQ(table.find(0, "first"), ClOrdIdTable::no_name);
  EXPECT_NE(table.insert(0, "more", 4), ClOrdIdTable::no_name);
  EXPECT_EQ(table.forget_oldest(), 3U);
  EXPECT_EQ(table.forget_oldest(), std::nullopt);
  EXPECT_EQ(table.find(0, "kept"), kept);
}

TEST(ClOrdIdTable, AgreesWithAMapOverManyRandomSteps) {
  ClOrdIdTable table(50);
  std::map<std::pair<OwnerId, std::string>, std::uint32_t> model;
  std::deque<std::pair<OwnerId, std::string>> retired;
  std::mt19937 random(3);
  for (std::uint32_t step = 0; step < 20'000; ++step) {
    const std::pair<OwnerId, std::string> key(static_cast<OwnerId>(random() % 3),
                                              "N" + std::to_string(random() % 100));
    const auto found = table.find(key.first, key.second);
    ASSERT_EQ(found != ClOrdIdTable::no_name, model.contains(key));
    if (found != ClOrdIdTable::no_name) {
      ASSERT_EQ(table.order(found), model[key]);
      continue;
    }
    if (model.size() == table.capacity()) {
      ASSERT_EQ(table.forget_oldest(), model[retired.front()]);
      model.erase(retired.front());
      retired.pop_front();
    }
    const auto added = table.insert(key.first, key.second, step);
    ASSERT_NE(added, ClOrdIdTable::no_name);
    model[key] = step;
    table.retire(added);
    retired.push_back(key);
    ASSERT_EQ(table.size(), model.size());
  }
}

TEST(SlotPool, GivesSlotsUpToItsCapacityAndAgainAfterTheyCameBack) {
  SlotPool<int> pool(SlotPool<int>::chunk_slots + 1);
  const int* first = nullptr;
  for (std::uint32_t slot = 0; slot < pool.capacity(); ++slot) {
    ASSERT_EQ(pool.take(), slot);
    pool[slot] = static_cast<int>(slot);
    first = slot == 0 ? &pool[0] : first;
  }
  EXPECT_EQ(pool.take(), SlotPool<int>::no_slot);
  // Growing has not moved existing objects.
  EXPECT_EQ(first, &pool[0]);
  EXPECT_EQ(pool[SlotPool<int>::chunk_slots], static_cast<int>(SlotPool<int>::chunk_slots));
  pool.give_back(7);
  EXPECT_EQ(pool.in_use(), pool.capacity() - 1);
  EXPECT_EQ(pool.take(), 7U);
}

}  // namespace
}  // namespace affix::tools
