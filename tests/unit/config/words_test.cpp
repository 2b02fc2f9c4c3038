// SPDX-License-Identifier: MIT
// Keys whose values are words: every row has as many words as values, and a program sets and reads
// them as a file does.
#include "affix/config/words.hpp"

#include "config/key_tables.hpp"

#include <gtest/gtest.h>
#include <variant>

namespace affix::config {
namespace {

/// Each word chooses a value of its own, which has that word.
template <typename Settings>
std::size_t check_words() {
  std::size_t keys = 0;
  for_each_table<Settings>([&](const auto& table) {
    for (const auto& key : table) {
      using Base = typename std::decay_t<decltype(key)>::GroupType;
      const auto* choice = std::get_if<ChoiceAccess<Base>>(&key.member);
      if (choice == nullptr) {
        continue;
      }
      ++keys;
      EXPECT_EQ(base::choice_at(key.allowed, choice->words), "") << key.name;
      for (std::size_t place = 0; place < choice->words; ++place) {
        Settings settings;
        choice->choose(settings, place);
        EXPECT_EQ(choice->place(settings), place) << key.name;
        EXPECT_NE(value_text(key, settings), "") << key.name;
        EXPECT_EQ(value_text(key, settings), base::choice_at(key.allowed, place));
      }
    }
  });
  return keys;
}

TEST(Words, EveryRowHasAWordForEachValue) {
  EXPECT_GT(check_words<EngineSettings>(), 4U);
  EXPECT_GT(check_words<ClientSettings>(), 6U);
  EXPECT_GT(check_words<ServerSettings>(), 6U);
  EXPECT_GT(check_words<SessionSettings>(), 45U);
  EXPECT_EQ(check_words<ApplicationSettings>(), 1U);
  EXPECT_EQ(check_words<FailoverSettings>(), 1U);
}

TEST(Words, AProgramSetsAndReadsThemAsAFileDoes) {
  SessionSettings session;
  EXPECT_TRUE(choose(session, "durability", "sync"));
  EXPECT_EQ(session.durability, journal::Durability::Sync);
  EXPECT_EQ(value_of(session, "durability"), "sync");
  EXPECT_EQ(value_of(session, "heartbeat_interval_seconds"), "30");
  EXPECT_EQ(value_of(session, "enabled"), "true");
  EXPECT_EQ(value_of(session, "no_key"), "");
  FailoverSettings group;
  EXPECT_TRUE(choose(group, "replication", "ASYNC"));
  EXPECT_EQ(group.replication, Replication::Async);
}

TEST(Words, AnUnknownWordChangesNothing) {
  SessionSettings session;
  for (const char* word : {"SYNC", "", "sync|", "syn", "memory|process"}) {
    EXPECT_FALSE(choose(session, "durability", word)) << word;
  }
  EXPECT_FALSE(choose(session, "no_key", "sync"));
  EXPECT_FALSE(choose(session, "heartbeat_interval_seconds", "30")) << "it has no words";
  EXPECT_EQ(session, SessionSettings());
}

}  // namespace
}  // namespace affix::config
