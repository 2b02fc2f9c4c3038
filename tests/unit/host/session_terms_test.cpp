// SPDX-License-Identifier: MIT
// The fixed values of a session, as its settings and its group say.
#include "host/session_terms.hpp"

#include "affix/base/time.hpp"

#include <gtest/gtest.h>
#include <memory>

namespace affix::host {
namespace {

config::SessionSettings trading_settings() {
  config::SessionSettings settings;
  settings.begin_string = "FIX.4.4";
  settings.sender_comp_id = "US";
  settings.target_comp_id = "THEM";
  settings.secret_tags = "9001,9002";
  return settings;
}

SessionTerms terms_of(const config::SessionSettings& settings, const GroupTerms& group = {}) {
  return session_terms(std::make_shared<const config::SessionSettings>(settings), "journals/US",
                       group);
}

TEST(SessionTerms, NamesAndTextsAreThoseOfTheSettings) {
  const auto settings = std::make_shared<const config::SessionSettings>(trading_settings());
  const SessionTerms terms = session_terms(settings, "journals/US", {});
  EXPECT_EQ(terms.made_with, settings) << "the texts have views of them";
  EXPECT_EQ(terms.identity, "FIX.4.4:US->THEM");
  EXPECT_EQ(terms.journal_directory, "journals/US");
  EXPECT_EQ(terms.texts.secret_tags, std::vector<std::uint32_t>({9001, 9002}));
}

TEST(SessionTerms, OnlyDurabilitySyncWaitsForTheDisk) {
  config::SessionSettings settings = trading_settings();
  for (const auto durability : {journal::Durability::Memory, journal::Durability::Process,
                                journal::Durability::Group, journal::Durability::Sync}) {
    settings.durability = durability;
    EXPECT_EQ(terms_of(settings).synced, durability == journal::Durability::Sync);
  }
}

TEST(SessionTerms, MessagesAreStoredFirstUnlessTheStoreOrderIsAfterSend) {
  config::SessionSettings settings = trading_settings();
  EXPECT_TRUE(terms_of(settings).stores_first);
  settings.store_order = config::StoreOrder::AfterSend;
  EXPECT_FALSE(terms_of(settings).stores_first);
}

TEST(SessionTerms, ArrivalTimesAreReadForTheJournalOrForLatencies) {
  const config::SessionSettings settings = trading_settings();
  EXPECT_FALSE(terms_of(settings).looks_for_stamps);
  const SessionTerms stored = terms_of(settings, {.takes_stamps = true});
  EXPECT_TRUE(stored.takes_stamps);
  EXPECT_TRUE(stored.looks_for_stamps);
  const SessionTerms recorded = terms_of(settings, {.records_latencies = true});
  EXPECT_FALSE(recorded.takes_stamps);
  EXPECT_TRUE(recorded.looks_for_stamps);
}

TEST(SessionTerms, ThePeerMayRefuseOutputForTheShorterOfTwoTimes) {
  config::SessionSettings settings = trading_settings();
  settings.output_timeout_seconds = 30;
  EXPECT_EQ(terms_of(settings).output_patience_ns(settings), 30 * base::ns_per_second);
  const SessionTerms terms = terms_of(settings, {.output_tries = 20});
  EXPECT_EQ(terms.output_patience_ns(settings), 20 * base::ns_per_second);
  settings.output_timeout_seconds = 10;  // It may change while the session runs.
  EXPECT_EQ(terms.output_patience_ns(settings), 10 * base::ns_per_second);
}

}  // namespace
}  // namespace affix::host
