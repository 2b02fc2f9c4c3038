// SPDX-License-Identifier: MIT
// When a node that does not lead tries to, and when it must not.
#include "unit/replication/member_case.hpp"

namespace affix::replication {
namespace {

using cases::entry_of;
using cases::MemberCase;
using cases::ns_per_ms;
using cases::ns_per_second;
using cases::options_of;

/// Node b, in sync with a in epoch 7.
MemberCase standby(MemberOptions options = options_of("b"), MemberStart start = {.last_epoch = 7}) {
  MemberCase node(std::move(options), start);
  node.answer(Outcome::Done, entry_of(7, "a", {"a", "b"}), 70);
  node.news(NewsKind::Connected, 7);
  node.news(NewsKind::InSync, 7);
  EXPECT_EQ(node.actions(), "read; follow a 7");
  return node;
}

TEST(MemberStandby, StartsByReading) {
  MemberCase node(options_of("b"));
  EXPECT_EQ(node.actions(), "read");
  EXPECT_EQ(node.member.role(), Role::Standby);
  EXPECT_EQ(node.member.why_standby(), WhyStandby::StoreSilent);
}

TEST(MemberStandby, PromotesWhenThePrimaryIsGone) {
  MemberCase node = standby();
  EXPECT_EQ(node.member.why_standby(), WhyStandby::PrimaryAlive);
  node.news(NewsKind::PrimaryGone, 7);
  EXPECT_EQ(node.actions(), "read");
  node.answer(Outcome::Done, entry_of(7, "a", {"a", "b"}), 70);
  EXPECT_EQ(node.actions(), "promise 8");
  node.promised();
  EXPECT_EQ(node.actions(), "promote 8 b {b} at 70");
  node.write_done(71);
  EXPECT_EQ(node.actions(), "gate 0; lead 8; alarm alone; passes");
  const Standing standing = node.member.standing();
  EXPECT_EQ(standing.role, Role::Leading);
  EXPECT_EQ(standing.epoch, 8U);
  EXPECT_EQ(standing.promised, 8U);
  EXPECT_EQ(standing.primary, "b");
  EXPECT_EQ(standing.why_standby, WhyStandby::None);
}

TEST(MemberStandby, MakesNoPromiseWhileTheStoreCannotBeReached) {
  MemberCase node = standby();
  node.news(NewsKind::PrimaryGone, 7);
  EXPECT_EQ(node.actions(), "read");
  node.answer(Outcome::Unreachable);
  EXPECT_EQ(node.actions(), "");
  EXPECT_EQ(node.member.why_standby(), WhyStandby::StoreUnreachable);
  node.now_ns = node.member.deadline_ns();
  node.pass(0);
  EXPECT_EQ(node.actions(), "read");
}

TEST(MemberStandby, ReadsAgainWhatItMayHaveMissedOnceThePrimaryIsGone) {
  MemberCase node(options_of("b"), {.last_epoch = 7});
  node.answer(Outcome::Done, entry_of(7, "a", {"a"}), 70);
  node.news(NewsKind::Connected, 7);
  EXPECT_EQ(node.actions(), "read; follow a 7");
  node.pass(10 * ns_per_second);
  EXPECT_EQ(node.actions(), "") << "the primary sees to it";
  // It was taken into the set, and the news of that is lost.
  node.news(NewsKind::InSync, 7);
  node.news(NewsKind::PrimaryGone, 7);
  EXPECT_EQ(node.actions(), "read");
  node.answer(Outcome::Done, entry_of(7, "a", {"a"}), 70);
  EXPECT_EQ(node.member.why_standby(), WhyStandby::NotInSync);
  node.pass(999 * ns_per_ms);
  EXPECT_EQ(node.actions(), "");
  node.pass(ns_per_ms);
  EXPECT_EQ(node.actions(), "read") << "each second";
  node.answer(Outcome::Done, entry_of(7, "a", {"a", "b"}), 71);
  EXPECT_EQ(node.actions(), "promise 8");
}

TEST(MemberStandby, LetsThePrimaryComeBackBeforeThePromise) {
  MemberCase node = standby();
  node.news(NewsKind::PrimaryGone, 7);
  node.news(NewsKind::Connected, 7);
  EXPECT_EQ(node.actions(), "read");
  node.answer(Outcome::Done, entry_of(7, "a", {"a", "b"}), 70);
  EXPECT_EQ(node.actions(), "");
  EXPECT_EQ(node.member.why_standby(), WhyStandby::PrimaryAlive);
}

TEST(MemberStandby, FollowsWhoeverWasFaster) {
  MemberCase node = standby();
  node.news(NewsKind::PrimaryGone, 7);
  node.answer(Outcome::Done, entry_of(7, "a", {"a", "b", "c"}), 70);
  node.promised();
  static_cast<void>(node.actions());
  node.answer(Outcome::Conflict, entry_of(8, "c", {"c"}), 71);
  EXPECT_EQ(node.actions(), "follow c 8");
  EXPECT_EQ(node.member.why_standby(), WhyStandby::NotInSync);
}

TEST(MemberStandby, ReadsAfterALostAnswerAndLeadsIfItWon) {
  MemberCase node = standby();
  node.news(NewsKind::PrimaryGone, 7);
  node.answer(Outcome::Done, entry_of(7, "a", {"a", "b"}), 70);
  node.promised();
  node.answer(Outcome::Unknown);
  static_cast<void>(node.actions());
  node.pass(ns_per_second);
  EXPECT_EQ(node.actions(), "read");
  node.answer(Outcome::Done, entry_of(8, "b", {"b"}), 71);
  EXPECT_EQ(node.actions(), "gate 0; lead 8; alarm alone; passes");
}

TEST(MemberStandby, TriesTheSameEpochAgainAfterALostRequest) {
  MemberCase node = standby();
  node.news(NewsKind::PrimaryGone, 7);
  node.answer(Outcome::Done, entry_of(7, "a", {"a", "b"}), 70);
  node.promised();
  node.answer(Outcome::Unknown);
  node.pass(ns_per_second);
  static_cast<void>(node.actions());
  node.answer(Outcome::Done, entry_of(7, "a", {"a", "b"}), 70);
  EXPECT_EQ(node.actions(), "promote 8 b {b} at 70");
  // The first one has taken effect meanwhile: the present entry is its own.
  node.answer(Outcome::Conflict, entry_of(8, "b", {"b"}), 71);
  EXPECT_EQ(node.actions(), "gate 0; lead 8; alarm alone; passes");
}

TEST(MemberStandby, DoesNotLeadByAnAttemptOfAnEarlierLife) {
  // Its process died after the request, which took effect later. It cannot know whether it led.
  MemberCase node(options_of("b"), {.promised = 8, .last_epoch = 7});
  node.answer(Outcome::Done, entry_of(8, "b", {"b"}), 71);
  EXPECT_EQ(node.actions(), "read; follow  8; promise 9");
}

struct Forbidden {
  const char* name;
  MemberStart start;
  Entry entry;
  std::uint64_t revision;
  WhyStandby why;
  WishAnswer answer;
};

class MemberForbidden : public ::testing::TestWithParam<Forbidden> {};

TEST_P(MemberForbidden, StaysAStandbyUntilALossIsAccepted) {
  const Forbidden& param = GetParam();
  MemberCase node(options_of("b"), param.start);
  node.answer(Outcome::Done, param.entry, param.revision);
  node.pass(10 * ns_per_second);
  if (node.request) {
    ASSERT_EQ(node.request->kind, RequestKind::Read);
    node.answer(Outcome::Done, param.entry, param.revision);
  }
  EXPECT_EQ(node.member.why_standby(), param.why);
  EXPECT_EQ(node.promote(), param.answer);
  EXPECT_FALSE(node.request.has_value());
  EXPECT_FALSE(node.promise.has_value());

  EXPECT_EQ(node.promote(Loss::Accepted), WishAnswer::Begun);
  static_cast<void>(node.actions());
  node.answer(Outcome::Done, param.entry, param.revision);
  ASSERT_TRUE(node.promise.has_value());
  EXPECT_GT(*node.promise, param.entry.epoch);
  EXPECT_GT(*node.promise, param.start.last_epoch);
  node.promised();
  static_cast<void>(node.actions());
  node.write_done(90);
  EXPECT_EQ(node.actions().find("alarm loss accepted"), 0U);
  EXPECT_EQ(node.member.role(), Role::Leading);
}

INSTANTIATE_TEST_SUITE_P(
    Rules, MemberForbidden,
    ::testing::Values(
        Forbidden{"NotInTheSet",
                  {.last_epoch = 7},
                  entry_of(7, "a", {"a", "c"}),
                  70,
                  WhyStandby::NotInSync,
                  WishAnswer::NotInSync},
        Forbidden{"LostPower",
                  {.last_epoch = 7, .content = Content::Doubtful},
                  entry_of(7, "a", {"a", "b"}),
                  70,
                  WhyStandby::ContentDoubtful,
                  WishAnswer::ContentDoubtful},
        Forbidden{"OwnEntryLostPower",
                  {.last_epoch = 7, .content = Content::Doubtful},
                  entry_of(7, "b", {"b"}),
                  70,
                  WhyStandby::ContentDoubtful,
                  WishAnswer::ContentDoubtful},
        Forbidden{
            "NoEntryAndNotTheFirst", {}, {}, 0, WhyStandby::EntryMissing, WishAnswer::EntryMissing},
        Forbidden{"EntryRemoved",
                  {.last_epoch = 7},
                  {},
                  0,
                  WhyStandby::EntryMissing,
                  WishAnswer::EntryMissing},
        Forbidden{"StoreSetBack",
                  {.last_epoch = 9},
                  entry_of(7, "a", {"a", "b"}),
                  70,
                  WhyStandby::EntryOld,
                  WishAnswer::EntryOld}),
    [](const auto& param) { return param.param.name; });

TEST(MemberStandby, TheFirstNodeBeginsAGroupThatNobodyHasLed) {
  MemberCase node(options_of("a"));
  node.answer(Outcome::Done);
  node.promised();
  EXPECT_EQ(node.actions(), "read; promise 1; promote 1 a {a} at 0");
}

TEST(MemberStandby, TheFirstNodeDoesNotBeginAGroupThatItKnows) {
  MemberCase node(options_of("a"), {.promised = 3, .last_epoch = 3});
  node.answer(Outcome::Done);
  EXPECT_EQ(node.actions(), "read; alarm set back");
  EXPECT_EQ(node.member.why_standby(), WhyStandby::EntryMissing);
}

TEST(MemberStandby, WaitsItsTurn) {
  MemberCase node(options_of("c"), {.last_epoch = 7});
  node.answer(Outcome::Done, entry_of(7, "a", {"a", "b", "c"}), 70);
  node.news(NewsKind::InSync, 7);
  node.news(NewsKind::PrimaryGone, 7);
  EXPECT_EQ(node.member.why_standby(), WhyStandby::OthersFirst);
  EXPECT_EQ(node.member.deadline_ns(), node.now_ns + 25 * ns_per_ms);
  static_cast<void>(node.actions());
  node.pass(25 * ns_per_ms - 1);
  EXPECT_EQ(node.actions(), "");
  node.pass(1);
  EXPECT_EQ(node.actions(), "read");
}

TEST(MemberStandby, AnEarlierPrimaryLetsTheStandbysActFirst) {
  MemberCase node(options_of("a"), {.promised = 7, .last_epoch = 7});
  node.answer(Outcome::Done, entry_of(7, "a", {"a", "b", "c"}), 70);
  EXPECT_EQ(node.member.why_standby(), WhyStandby::OthersFirst);
  static_cast<void>(node.actions());
  node.pass(50 * ns_per_ms);
  EXPECT_EQ(node.actions(), "read");
}

// The primary may have begun to add what this node was before it lost its disk.
TEST(MemberStandby, ANodeWithoutJournalsIsInDoubtAlsoWhenItEntersTheSetLater) {
  MemberCase node(options_of("b"), {});
  node.answer(Outcome::Done, entry_of(7, "a", {"a"}), 70);
  node.changed(entry_of(7, "a", {"a", "b"}), 71);
  node.pass(10 * ns_per_second);
  EXPECT_EQ(node.member.why_standby(), WhyStandby::ContentDoubtful);
  node.news(NewsKind::Connected, 7);
  node.news(NewsKind::InSync, 7);
  node.news(NewsKind::PrimaryGone, 7);
  EXPECT_NE(node.member.why_standby(), WhyStandby::ContentDoubtful);
}

TEST(MemberStandby, APrimaryThatNeverConnectsIsGoneInTime) {
  MemberCase node(options_of("b"), {.last_epoch = 7});
  node.answer(Outcome::Done, entry_of(7, "a", {"a", "b"}), 70);
  static_cast<void>(node.actions());
  EXPECT_EQ(node.member.why_standby(), WhyStandby::PrimaryAwaited);
  node.pass(ns_per_second);
  EXPECT_EQ(node.actions(), "read");
}

TEST(MemberStandby, AnOrderlyEndIsNoDeath) {
  MemberCase node = standby();
  node.news(NewsKind::Left, 7);
  EXPECT_EQ(node.member.why_standby(), WhyStandby::PrimaryAwaited);
  EXPECT_EQ(node.actions(), "");
}

TEST(MemberStandby, NewsOfAnotherEpochHaveNoEffect) {
  MemberCase node = standby();
  node.news(NewsKind::PrimaryGone, 6);
  EXPECT_EQ(node.actions(), "");
}

TEST(MemberStandby, ACopyThatFailedIsNotPromotedUntilItIsInSyncAgain) {
  for (const NewsKind kind : {NewsKind::Failed, NewsKind::OutOfSync}) {
    MemberCase node = standby();
    node.news(kind, 7);
    node.news(NewsKind::PrimaryGone, 7);
    EXPECT_EQ(node.actions(), "");
    EXPECT_EQ(node.member.why_standby(), WhyStandby::ContentDoubtful);
    node.news(NewsKind::InSync, 7);
    EXPECT_EQ(node.member.why_standby(), WhyStandby::PrimaryAlive);
  }
}

TEST(MemberStandby, AContentInDoubtWhileTheDiskWritesThePromiseEndsThePromotion) {
  MemberCase node = standby();
  node.news(NewsKind::PrimaryGone, 7);
  node.answer(Outcome::Done, entry_of(7, "a", {"a", "b"}), 70);
  node.news(NewsKind::Failed, 7);
  static_cast<void>(node.actions());
  node.promised();
  EXPECT_EQ(node.actions(), "");
}

TEST(MemberStandby, AnEntryThatChangesWhileTheDiskWritesThePromiseIsReadAgain) {
  MemberCase node = standby();
  node.news(NewsKind::PrimaryGone, 7);
  node.answer(Outcome::Done, entry_of(7, "a", {"a", "b"}), 70);
  node.changed(entry_of(7, "a", {"a"}), 71);
  static_cast<void>(node.actions());
  node.promised();
  EXPECT_EQ(node.actions(), "");
  EXPECT_EQ(node.member.why_standby(), WhyStandby::NotInSync);
}

TEST(MemberStandby, APromiseThatTheDiskRefusesEndsThePromotionForNow) {
  MemberCase node = standby();
  node.news(NewsKind::PrimaryGone, 7);
  node.answer(Outcome::Done, entry_of(7, "a", {"a", "b"}), 70);
  static_cast<void>(node.actions());
  node.member.on_promise_failed(node.now_ns);
  node.take();
  EXPECT_EQ(node.actions(), "");
  EXPECT_EQ(node.member.why_standby(), WhyStandby::PromiseFailed);
  node.pass(ns_per_second);
  EXPECT_EQ(node.actions(), "read");
}

TEST(MemberStandby, ItsEpochIsGreaterThanAllThatItKnows) {
  MemberCase node = standby(options_of("b"), {.promised = 4, .last_epoch = 7});
  node.news(NewsKind::HigherEpoch, 11);
  EXPECT_EQ(node.actions(), "read");
  node.answer(Outcome::Done, entry_of(7, "a", {"a", "b"}), 70);
  node.news(NewsKind::PrimaryGone, 7);
  node.answer(Outcome::Done, entry_of(7, "a", {"a", "b"}), 70);
  EXPECT_EQ(node.actions(), "read; promise 12");
}

TEST(MemberStandby, AnOlderChangeDoesNotReplaceANewerEntry) {
  MemberCase node = standby();
  node.changed(entry_of(6, "c", {"c"}), 69);
  EXPECT_EQ(node.actions(), "");
  EXPECT_EQ(node.member.standing().primary, "a");
}

TEST(MemberStandby, AReadThatCrossedAChangeIsRepeatedIfNobodyCanSayWhichIsNewer) {
  MemberCase node(options_of("b"), {.last_epoch = 7});
  node.changed(entry_of(8, "c", {"c"}), 71);
  EXPECT_EQ(node.actions(), "read; follow c 8");
  node.answer(Outcome::Done, {}, 0);
  EXPECT_EQ(node.actions(), "read");
  EXPECT_EQ(node.member.standing().primary, "c");
}

TEST(MemberStandby, FollowsAHandOverToItselfByLeading) {
  MemberCase node = standby();
  node.changed(entry_of(8, "b", {"a", "b"}), 71);
  EXPECT_EQ(node.actions(), "follow  8; promise 8");
  node.promised();
  // Output waits for the former primary: it is in the set.
  EXPECT_EQ(node.actions(), "gate 1; lead 8; passes");
}

TEST(MemberStandby, ADamagedEntryIsReportedAndReadAgain) {
  MemberCase node(options_of("b"));
  node.answer(Outcome::Damaged);
  EXPECT_EQ(node.member.why_standby(), WhyStandby::EntryDamaged);
  static_cast<void>(node.actions());
  node.now_ns = node.member.deadline_ns();
  node.pass(0);
  EXPECT_EQ(node.actions(), "read");
}

TEST(MemberStandby, WaitsLongerAfterEachFailureUpToAMaximum) {
  MemberCase node(options_of("b"));
  std::int64_t last_ns = 0;
  for (int round = 0; round < 10; ++round) {
    node.answer(Outcome::Unreachable);
    const std::int64_t pause_ns = node.member.deadline_ns() - node.now_ns;
    EXPECT_GE(pause_ns, last_ns);
    last_ns = pause_ns;
    node.pass(pause_ns);
  }
  EXPECT_EQ(last_ns, node.member.options().retry_max_ns);
}

TEST(MemberStandby, AnOperatorMayPromoteAStandbyWhosePrimaryIsConnected) {
  MemberCase node = standby();
  EXPECT_EQ(node.promote(Loss::Accepted), WishAnswer::PrimaryAlive);
  EXPECT_EQ(node.promote(), WishAnswer::Begun);
  EXPECT_EQ(node.actions(), "read");
  node.answer(Outcome::Done, entry_of(7, "a", {"a", "b"}), 70);
  EXPECT_EQ(node.actions(), "promise 8");
  EXPECT_EQ(node.promote(), WishAnswer::Busy);
}

TEST(MemberStandby, AWishEnds) {
  MemberCase node(options_of("b"), {.last_epoch = 7});
  node.answer(Outcome::Done, entry_of(7, "a", {"a"}), 70);
  static_cast<void>(node.actions());
  EXPECT_EQ(node.promote(Loss::Accepted), WishAnswer::Begun);
  node.answer(Outcome::Unreachable);
  node.pass(10 * ns_per_second);
  static_cast<void>(node.actions());
  EXPECT_EQ(node.member.why_standby(), WhyStandby::NotInSync);
}

// ASYNC.

MemberOptions with_lease(std::string node) {
  MemberOptions options = options_of(std::move(node));
  options.lease_ns = 300 * ns_per_ms;
  options.lease_margin_ns = 50 * ns_per_ms;
  return options;
}

TEST(MemberStandby, WaitsForTheEndOfTheLease) {
  MemberCase node(with_lease("b"), {.last_epoch = 7});
  node.answer(Outcome::Done, entry_of(7, "a", {"a", "b"}), 70);
  node.news(NewsKind::PrimaryGone, 7);
  static_cast<void>(node.actions());
  EXPECT_EQ(node.member.why_standby(), WhyStandby::LeaseRuns);
  EXPECT_EQ(node.promote(), WishAnswer::LeaseRuns);
  node.pass(350 * ns_per_ms - 1);
  EXPECT_EQ(node.actions(), "");
  node.pass(1);
  EXPECT_EQ(node.actions(), "read");
  // It was renewed after all.
  node.answer(Outcome::Done, entry_of(7, "a", {"a", "b"}, 1), 71);
  EXPECT_EQ(node.actions(), "");
  EXPECT_EQ(node.member.why_standby(), WhyStandby::LeaseRuns);
}

TEST(MemberStandby, LeadsWithoutALeaseUntilItsFirstRenewalAfterAHandOver) {
  MemberCase node(with_lease("b"), {.last_epoch = 7});
  node.answer(Outcome::Done, entry_of(7, "a", {"a", "b"}), 70);
  static_cast<void>(node.actions());
  node.changed(entry_of(8, "b", {"a", "b"}), 71);
  node.promised();
  EXPECT_EQ(node.actions(),
            "follow  8; promise 8; gate 1; lead 8; set 8 b {ab} at 71; held by lease until 0");
  const std::int64_t asked_ns = node.now_ns;
  node.now_ns += 10 * ns_per_ms;
  node.write_done(72);
  EXPECT_EQ(node.actions(),
            "passes until " + std::to_string((asked_ns + 250 * ns_per_ms) / ns_per_ms));
}

}  // namespace
}  // namespace affix::replication
