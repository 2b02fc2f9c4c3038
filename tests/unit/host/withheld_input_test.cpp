// SPDX-License-Identifier: MIT
// Which stored messages the application may have: those that the standbys have, each once, in
// order.
#include "host/withheld_input.hpp"

#include "support/temporary_directory.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace affix::host {
namespace {

using Numbers = std::vector<std::uint64_t>;

class WithheldInputTest : public ::testing::Test {
 protected:
  WithheldInputTest() {
    journal::Options options;
    options.directory = directory_.path("journal");
    options.identity = "FIX.4.4:A->B";
    journal_ = std::move(*journal::Journal::open(options));
  }

  /// A message is stored, whose record is `bytes` of the stream, and withheld.
  void receive(std::uint64_t bytes = 10) {
    ++received_;
    stored_ += bytes;
    places_.push_back(stored_);
    const journal::Position at =
        journal_
            ->append_received(received_, received_ + 1, 1, std::to_string(received_),
                              journal::Delivery::Application)
            .position();
    withheld_.add(at, journal_->end(), stored_);
  }

  /// Numbers of the messages that may be delivered once the standbys have the stream up to
  /// `released`.
  Numbers deliver(replication::Place released) {
    Numbers numbers;
    if (!withheld_.update(released)) {
      return numbers;
    }
    withheld_.begin_delivery(*journal_);
    EXPECT_TRUE(withheld_.is_delivering());
    while (const auto record = withheld_.messages().next()) {
      numbers.push_back(record->sequence);
      journal_->mark_processed(record->position);
    }
    withheld_.end_delivery();
    EXPECT_FALSE(withheld_.is_delivering());
    return numbers;
  }

  support::TemporaryDirectory directory_;
  std::unique_ptr<journal::Journal> journal_;
  std::uint64_t received_ = 0;
  replication::Place stored_ = 0;
  std::vector<replication::Place> places_;  // After each message.
  WithheldInput withheld_;
};

TEST_F(WithheldInputTest, NothingIsWithheldAtFirst) {
  EXPECT_FALSE(withheld_.any());
  EXPECT_FALSE(withheld_.update(100));
}

TEST_F(WithheldInputTest, AMessageWaitsUntilTheStandbysHaveItsLastByte) {
  receive();
  EXPECT_EQ(deliver(9), Numbers{});
  EXPECT_TRUE(withheld_.any());
  EXPECT_EQ(deliver(10), Numbers{1});
  EXPECT_FALSE(withheld_.any());
}

TEST_F(WithheldInputTest, WhatCameDuringADeliveryIsOfTheNext) {
  receive();
  ASSERT_TRUE(withheld_.update(10));
  withheld_.begin_delivery(*journal_);
  const auto first = withheld_.messages().next();
  ASSERT_TRUE(first);
  journal_->mark_processed(first->position);
  receive();
  EXPECT_FALSE(withheld_.messages().next());
  withheld_.end_delivery();
  EXPECT_TRUE(withheld_.any());
  EXPECT_EQ(deliver(19), Numbers{});
  EXPECT_EQ(deliver(20), Numbers{2});
}

TEST_F(WithheldInputTest, AnotherEpochCountsFromItsOwnStream) {
  receive();
  EXPECT_EQ(deliver(5), Numbers{});
  withheld_.begin_epoch(3);
  EXPECT_EQ(deliver(2), Numbers{});
  EXPECT_EQ(deliver(3), Numbers{1});
}

TEST_F(WithheldInputTest, EachIsDeliveredOnceAndNoneBeforeTheStandbysHaveIt) {
  std::mt19937_64 random(20261128);
  replication::Place released = 0;
  std::uint64_t delivered = 0;
  const auto check = [&](const Numbers& numbers) {
    for (const std::uint64_t number : numbers) {
      ASSERT_EQ(number, ++delivered);
      ASSERT_LE(places_[number - 1], released);
    }
  };
  for (int step = 0; step < 3000; ++step) {
    if (random() % 2 == 0) {
      receive(1 + random() % 20);
    } else {
      released += random() % (stored_ - released + 1);
      check(deliver(released));
    }
  }
  released = stored_;
  check(deliver(released));
  EXPECT_EQ(delivered, received_);
  EXPECT_FALSE(withheld_.any());
}

}  // namespace
}  // namespace affix::host
