// SPDX-License-Identifier: MIT
// The configuration and the election's entries agree on names: a node whose name the one takes and
// the other refuses would start, and its group would never have a primary.
#include "affix/config/failover_settings.hpp"
#include "affix/replication/election_entry.hpp"

#include <gtest/gtest.h>
#include <random>
#include <string>
#include <string_view>

namespace affix::config {
namespace {

TEST(FailoverNames, ThatTheConfigurationTakesAreReadBackFromAnEntry) {
  constexpr std::string_view characters = "aZ09-_./, =\n\xC3";
  std::mt19937 random(1);
  int taken = 0;
  for (int round = 0; round < 20'000; ++round) {
    const bool is_long = round % 100 == 0;
    std::string name(is_long ? 62 + random() % 5 : random() % 4, 'n');
    for (std::size_t at = 0; at < name.size() && at < 4; ++at) {
      name[at] = characters[random() % characters.size()];
    }
    const auto entry = replication::parse_entry(
        replication::to_text({.epoch = 1, .primary = name, .in_sync = {name}}));
    EXPECT_EQ(is_failover_name(name), entry && entry->primary == name) << name;
    taken += entry ? 1 : 0;
  }
  EXPECT_GT(taken, 0);
}

}  // namespace
}  // namespace affix::config
