// SPDX-License-Identifier: MIT
// A reserve of outgoing numbers by itself: when it is asked for, and how much.
#include "affix/journal/number_reserve.hpp"

#include "affix/base/time.hpp"

#include <gtest/gtest.h>

namespace affix::journal_test {
namespace {

using journal::NumberReserve;
using Meanwhile = NumberReserve::Meanwhile;

constexpr std::int64_t hour_ns = 3'600 * base::ns_per_second;

TEST(NumberReserve, IsReachedWhenHalfOfItIsUsed) {
  NumberReserve reserve(100, Meanwhile::TheRest);
  reserve.begin_at(1);
  EXPECT_EQ(reserve.reserved(), 101U);
  EXPECT_FALSE(reserve.is_reached_by(50));
  EXPECT_TRUE(reserve.is_reached_by(51));
  EXPECT_TRUE(reserve.covers(101));
  EXPECT_FALSE(reserve.covers(102));
}

TEST(NumberReserve, WithoutAnyNothingIsReached) {
  NumberReserve reserve(0, Meanwhile::TheRest);
  reserve.begin_at(1);
  EXPECT_EQ(reserve.reserved(), 0U);
  EXPECT_FALSE(reserve.is_reached_by(UINT64_MAX - 1));
}

TEST(NumberReserve, OfACopyIsWhatTheOtherJournalHas) {
  NumberReserve reserve(100, Meanwhile::TheRest);
  reserve.resume_at(300);
  EXPECT_EQ(reserve.reserved(), 300U);
  EXPECT_FALSE(reserve.follow(300));
  EXPECT_TRUE(reserve.follow(700));
  EXPECT_EQ(reserve.reserved(), 300U) << "not stored yet";
  EXPECT_EQ(reserve.known(), 700U);
  EXPECT_EQ(reserve.renewal().reserved, 700U);
  reserve.note_stored(reserve.renewal());
  EXPECT_EQ(reserve.reserved(), 700U);
  reserve.lead();
  EXPECT_TRUE(reserve.is_reached_by(10)) << "more is asked for at the first number";
  EXPECT_TRUE(reserve.covers(700));
  reserve.ask(10, hour_ns);
  EXPECT_EQ(reserve.renewal().reserved, 110U);
  EXPECT_FALSE(reserve.is_reached_by(700));
  EXPECT_TRUE(reserve.is_reached_by(701));
}

TEST(NumberReserve, OfACopyThatKeepsNoneStaysNone) {
  NumberReserve reserve(0, Meanwhile::TheRest);
  reserve.resume_at(0);
  EXPECT_FALSE(reserve.follow(700));
  reserve.lead();
  EXPECT_FALSE(reserve.is_reached_by(UINT64_MAX - 1));
}

TEST(NumberReserve, ThatMayBeLateIsWaitedForOnceItMustNotBe) {
  NumberReserve reserve(100, Meanwhile::All);
  reserve.begin_at(1);
  reserve.ask(60, hour_ns);
  EXPECT_FALSE(reserve.is_reached_by(5'000));
  reserve.always_reserve_first();
  EXPECT_FALSE(reserve.may_be_late());
  EXPECT_FALSE(reserve.is_reached_by(101));
  EXPECT_TRUE(reserve.is_reached_by(102));
}

TEST(NumberReserve, IsAskedForOnceAndAgainAtItsEnd) {
  NumberReserve reserve(100, Meanwhile::TheRest);
  reserve.begin_at(1);
  reserve.ask(51, hour_ns);
  EXPECT_FALSE(reserve.is_reached_by(101));
  EXPECT_TRUE(reserve.is_reached_by(102));
  reserve.note_stored(reserve.renewal());
  EXPECT_EQ(reserve.reserved(), 151U);
  EXPECT_FALSE(reserve.is_reached_by(100));
  EXPECT_TRUE(reserve.is_reached_by(101));
}

TEST(NumberReserve, GrowsWhenItDoesNotLastAndShrinksToTheLeast) {
  NumberReserve reserve(100, Meanwhile::TheRest);
  reserve.begin_at(1);
  reserve.ask(51, hour_ns);
  reserve.ask(52, hour_ns + base::ns_per_second);
  EXPECT_EQ(reserve.renewal().extent, 200U);
  reserve.ask(53, hour_ns + 2 * base::ns_per_second);
  EXPECT_EQ(reserve.renewal().extent, 400U);
  EXPECT_EQ(reserve.renewal().reserved, 453U);
  for (std::int64_t hours = 2; hours < 6; ++hours) {
    reserve.ask(54, hours * hour_ns);
  }
  EXPECT_EQ(reserve.renewal().extent, 100U);
}

TEST(NumberReserve, ThatMayBeLateIsNotReachedAgainBeforeItIsStored) {
  NumberReserve reserve(100, Meanwhile::All);
  reserve.begin_at(1);
  reserve.ask(51, hour_ns);
  EXPECT_TRUE(reserve.may_be_late());
  EXPECT_FALSE(reserve.is_reached_by(1'000));
  reserve.note_failed();
  EXPECT_TRUE(reserve.failed());
  reserve.note_stored(reserve.renewal());
  EXPECT_FALSE(reserve.failed());
  EXPECT_TRUE(reserve.is_reached_by(1'000));
}

}  // namespace
}  // namespace affix::journal_test
