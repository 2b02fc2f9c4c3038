// SPDX-License-Identifier: MIT
// The gate, the in-sync set, the lease, the fence and the hand-over of a node that leads. Its
// standbys are b, bit 0, and c, bit 1.
#include "unit/replication/member_case.hpp"

namespace affix::replication {
namespace {

using cases::entry_of;
using cases::MemberCase;
using cases::ns_per_ms;
using cases::ns_per_second;
using cases::options_of;

constexpr StandbyMask b = 1;
constexpr StandbyMask c = 2;

/// Node a, which leads alone in epoch 8 at revision 80.
MemberCase primary(MemberOptions options = options_of("a")) {
  MemberCase node(std::move(options), {.promised = 7, .last_epoch = 7});
  node.lead_alone(8, 80);
  return node;
}

/// The same with b in the set, at revision 81.
MemberCase primary_with_b(MemberOptions options = options_of("a")) {
  MemberCase node = primary(std::move(options));
  if (node.request) {
    node.write_done(80);
  }
  node.shippers({.caught_up = b});
  node.shippers({.caught_up = b, .covered = b});
  node.write_done(81);
  static_cast<void>(node.actions());
  EXPECT_EQ(node.member.standing().in_sync, (std::vector<std::string>{"a", "b"}));
  return node;
}

TEST(MemberLeading, AStandbyEntersTheGateBeforeTheSet) {
  MemberCase node = primary();
  node.shippers({.caught_up = b});
  EXPECT_EQ(node.actions(), "gate 1");
  node.shippers({.caught_up = b, .covered = b});
  EXPECT_EQ(node.actions(), "set 8 a {ab} at 80");
  node.write_done(81);
  EXPECT_EQ(node.actions(), "alarm not alone");
}

TEST(MemberLeading, WhatWasCoveredBeforeTheGateDoesNotCount) {
  MemberCase node = primary();
  node.shippers({.caught_up = b, .covered = b});
  EXPECT_EQ(node.actions(), "gate 1");
}

TEST(MemberLeading, AStateOfAnotherEpochDoesNotCount) {
  MemberCase node = primary();
  node.member.on_shippers({.epoch = 7, .caught_up = b, .fenced_epoch = 9}, node.now_ns);
  node.take();
  EXPECT_EQ(node.actions(), "");
}

TEST(MemberLeading, ALateStandbyLeavesTheSetBeforeTheGate) {
  MemberCase node = primary_with_b();
  node.shippers({.covered = b, .late = b});
  EXPECT_EQ(node.actions(), "set 8 a {a} at 81");
  EXPECT_EQ(node.member.standing().gate, b);
  node.write_done(82);
  EXPECT_EQ(node.actions(), "alarm alone; gate 0");
}

TEST(MemberLeading, ALateStandbyStaysInTheGateWhileTheStoreCannotBeReached) {
  MemberCase node = primary_with_b();
  node.shippers({.covered = b, .late = b});
  node.answer(Outcome::Unreachable);
  EXPECT_EQ(node.actions(), "set 8 a {a} at 81");
  EXPECT_EQ(node.member.standing().gate, b);
  node.pass(ns_per_second);
  EXPECT_EQ(node.actions(), "set 8 a {a} at 81");
}

TEST(MemberLeading, AStandbyThatIsPerhapsInTheSetStaysInTheGate) {
  MemberCase node = primary();
  node.shippers({.caught_up = b});
  node.shippers({.caught_up = b, .covered = b});
  node.answer(Outcome::Unknown);
  node.shippers({.covered = b, .late = b});
  static_cast<void>(node.actions());
  node.pass(ns_per_second);
  EXPECT_EQ(node.actions(), "read");
  // Not written, as it seems; but it may still be on its way.
  node.answer(Outcome::Done, entry_of(8, "a", {"a"}), 80);
  EXPECT_EQ(node.member.standing().gate, b);
  EXPECT_EQ(node.actions(), "set 8 a {a} at 80");
  node.write_done(81);
  EXPECT_EQ(node.actions(), "gate 0");
}

TEST(MemberLeading, AStandbyThatIsBeingPutIntoTheSetStaysInTheGate) {
  MemberCase node = primary();
  node.shippers({.caught_up = b});
  node.shippers({.caught_up = b, .covered = b});
  node.shippers({.covered = b, .late = b});
  EXPECT_EQ(node.member.standing().gate, b);
}

TEST(MemberLeading, NobodyJoinsWhileTheStoreCannotBeReached) {
  MemberCase node = primary_with_b();
  node.shippers({.covered = b, .late = b});
  node.answer(Outcome::Unreachable);
  static_cast<void>(node.actions());
  node.shippers({.caught_up = c, .covered = b, .late = b});
  EXPECT_EQ(node.member.standing().gate, b);
}

TEST(MemberLeading, AJoiningStandbyThatIsLateLeavesTheGateAtOnce) {
  MemberCase node = primary();
  node.shippers({.caught_up = b});
  node.shippers({.caught_up = b, .late = b});
  EXPECT_EQ(node.actions(), "gate 1; gate 0");
}

TEST(MemberLeading, BelowTheMinimumALateStandbyStaysInTheSet) {
  MemberOptions options = options_of("a");
  options.in_sync_min = 2;
  MemberCase node = primary(options);
  EXPECT_EQ(node.member.standing().output, Output::HeldForStandby);
  node.shippers({.caught_up = b});
  node.shippers({.caught_up = b, .covered = b});
  node.write_done(81);
  EXPECT_EQ(node.member.standing().output, Output::Passes);
  static_cast<void>(node.actions());
  // Nothing may leave without it; and if this node ends, it may be promoted.
  node.shippers({.covered = b, .late = b});
  EXPECT_EQ(node.actions(), "");
  // Another one takes its place, in two steps.
  node.shippers({.caught_up = c, .covered = b, .late = b});
  node.shippers({.caught_up = c, .covered = b | c, .late = b});
  EXPECT_EQ(node.actions(), "gate 3; set 8 a {ac} at 81");
}

TEST(MemberLeading, BelowTheMinimumALateStandbyThatIsConnectedIsLetGo) {
  MemberOptions options = options_of("a");
  options.in_sync_min = 2;
  MemberCase node = primary_with_b(options);
  // Only history can bring it up to date, and it gets that outside of the gate.
  node.shippers({.covered = b, .late = b, .connected = b});
  EXPECT_EQ(node.actions(), "set 8 a {a} at 81");
  node.write_done(82);
  EXPECT_EQ(node.actions(), "alarm alone; gate 0; held for standby");
}

TEST(MemberLeading, StepsDownAtOnceWhenAnotherNodeLeads) {
  MemberCase node = primary_with_b();
  node.changed(entry_of(9, "b", {"b"}), 90);
  EXPECT_EQ(node.actions(), "step down; follow b 9; silent");
  EXPECT_EQ(node.member.role(), Role::Standby);
}

TEST(MemberLeading, StepsDownAfterAConflict) {
  MemberCase node = primary_with_b();
  node.shippers({.covered = b, .late = b});
  static_cast<void>(node.actions());
  node.answer(Outcome::Conflict, entry_of(9, "b", {"b"}), 90);
  EXPECT_EQ(node.actions(), "step down; follow b 9; silent");
}

TEST(MemberLeading, ARefusedPrimaryRaisesItsEpochIfTheStoreStillNamesIt) {
  MemberCase node = primary_with_b();
  node.shippers({.covered = b, .fenced_epoch = 11});
  EXPECT_EQ(node.actions(), "read; held by epoch");
  node.answer(Outcome::Done, entry_of(8, "a", {"a", "b"}), 81);
  EXPECT_EQ(node.actions(), "promise 12");
  node.promised();
  EXPECT_EQ(node.actions(), "promote 12 a {a} at 81");
  node.write_done(82);
  EXPECT_EQ(node.actions(), "gate 0; lead 12; alarm alone; passes");
}

TEST(MemberLeading, ARefusedPrimaryStepsDownIfTheStoreNamesAnother) {
  MemberCase node = primary_with_b();
  node.shippers({.covered = b, .fenced_epoch = 9});
  static_cast<void>(node.actions());
  node.answer(Outcome::Done, entry_of(9, "b", {"b"}), 82);
  EXPECT_EQ(node.actions(), "step down; follow b 9; silent");
}

TEST(MemberLeading, ARefusedPrimaryWithoutTheStoreStaysSilent) {
  MemberCase node = primary_with_b();
  node.shippers({.covered = b, .fenced_epoch = 9});
  node.answer(Outcome::Unreachable);
  EXPECT_EQ(node.member.standing().output, Output::HeldByEpoch);
  EXPECT_EQ(node.member.role(), Role::Leading);
}

TEST(MemberLeading, AnEntryThatIsRemovedOrSetBackChangesNothing) {
  for (const std::uint64_t revision : {std::uint64_t{0}, std::uint64_t{5}}) {
    MemberCase node = primary_with_b();
    node.shippers({.covered = b, .late = b});
    static_cast<void>(node.actions());
    node.answer(Outcome::Conflict, revision == 0 ? Entry{} : entry_of(3, "c", {"c"}), revision);
    EXPECT_EQ(node.actions(), "alarm set back");
    EXPECT_EQ(node.member.role(), Role::Leading);
    // It cannot leave the late one behind; an operator may accept that.
    EXPECT_EQ(node.member.standing().gate, b);
    EXPECT_EQ(node.promote(), WishAnswer::LeadsAlready);
    EXPECT_EQ(node.promote(Loss::Accepted), WishAnswer::Begun);
    EXPECT_EQ(node.actions(), "read");
    node.answer(Outcome::Done, revision == 0 ? Entry{} : entry_of(3, "c", {"c"}), revision);
    node.promised();
    EXPECT_EQ(node.actions(), "promise 9; promote 9 a {a} at " + std::to_string(revision));
    node.write_done(100);
    EXPECT_EQ(node.actions(), "alarm loss accepted; gate 0; lead 9; alarm alone");
  }
}

TEST(MemberLeading, ASetWithAForeignNodeHoldsOutputUntilItIsWrittenAnew) {
  MemberCase node(options_of("a"), {.last_epoch = 7});
  node.answer(Outcome::Done, entry_of(7, "z", {"a", "z"}), 70);
  static_cast<void>(node.actions());
  node.changed(entry_of(8, "a", {"a", "z"}), 71);
  node.promised();
  EXPECT_EQ(node.actions(),
            "follow  8; promise 8; gate 0; lead 8; alarm alone; set 8 a {a} at 71; "
            "held for standby");
  node.write_done(72);
  EXPECT_EQ(node.actions(), "passes");
}

TEST(MemberLeading, ANodeThatCouldNotOpenItsSessionsStepsDown) {
  MemberCase node = primary();
  node.member.on_lead_failed(node.now_ns);
  node.take();
  EXPECT_EQ(node.actions(), "step down; follow  8; silent");
  EXPECT_EQ(node.member.why_standby(), WhyStandby::LeadFailed);
}

TEST(MemberLeading, AnOperatorCannotPromoteAPrimary) {
  MemberCase node = primary();
  EXPECT_EQ(node.promote(), WishAnswer::LeadsAlready);
}

// The hand-over.

TEST(MemberHandOver, MakesTheNamedStandbyThePrimary) {
  MemberCase node = primary_with_b();
  EXPECT_EQ(node.hand_over("b"), WishAnswer::Begun);
  EXPECT_EQ(node.actions(), "stop input");
  EXPECT_EQ(node.member.role(), Role::HandingOver);
  EXPECT_EQ(node.member.standing().handing_over_to, "b");
  node.shippers({.covered = b, .everything = b});
  EXPECT_EQ(node.actions(), "promote 9 b {ab} at 81");
  node.write_done(82);
  EXPECT_EQ(node.actions(), "step down; follow b 9; silent");
}

TEST(MemberHandOver, ChoosesTheFirstInSyncStandby) {
  MemberCase node = primary_with_b();
  EXPECT_EQ(node.hand_over(), WishAnswer::Begun);
  EXPECT_EQ(node.member.standing().handing_over_to, "b");
  EXPECT_EQ(node.hand_over(), WishAnswer::Busy);
}

TEST(MemberHandOver, RefusesWhatCannotBe) {
  MemberCase node = primary();
  EXPECT_EQ(node.hand_over(), WishAnswer::NotInSync);
  EXPECT_EQ(node.hand_over("b"), WishAnswer::NotInSync);
  EXPECT_EQ(node.hand_over("a"), WishAnswer::NotANode);
  EXPECT_EQ(node.hand_over("x"), WishAnswer::NotANode);
  MemberCase standby(options_of("b"), {});
  EXPECT_EQ(standby.hand_over("a"), WishAnswer::NotLeading);
}

TEST(MemberHandOver, WhatTheStandbyHadBeforeTheInputStoppedDoesNotCount) {
  MemberCase node = primary_with_b();
  node.shippers({.covered = b, .everything = b});
  EXPECT_EQ(node.hand_over("b"), WishAnswer::Begun);
  EXPECT_EQ(node.actions(), "stop input");
}

TEST(MemberHandOver, IsGivenUpInTime) {
  MemberCase node = primary_with_b();
  EXPECT_EQ(node.hand_over("b"), WishAnswer::Begun);
  static_cast<void>(node.actions());
  node.pass(5 * ns_per_second);
  EXPECT_EQ(node.actions(), "resume input; alarm given up");
  EXPECT_EQ(node.member.role(), Role::Leading);
}

TEST(MemberHandOver, IsGivenUpIfTheStandbyIsLate) {
  MemberCase node = primary_with_b();
  EXPECT_EQ(node.hand_over("b"), WishAnswer::Begun);
  node.shippers({.covered = b, .late = b});
  static_cast<void>(node.actions());
  node.write_done(82);
  EXPECT_EQ(node.actions(), "alarm alone; resume input; alarm given up; gate 0");
}

TEST(MemberHandOver, IsGivenUpIfTheStoreCannotBeReached) {
  MemberCase node = primary_with_b();
  EXPECT_EQ(node.hand_over("b"), WishAnswer::Begun);
  node.shippers({.covered = b, .everything = b});
  static_cast<void>(node.actions());
  node.answer(Outcome::Unreachable);
  node.pass(ns_per_second);
  EXPECT_EQ(node.actions(), "resume input; alarm given up; read");
}

TEST(MemberHandOver, SettlesALostRequestBeforeItGoesOn) {
  MemberCase node = primary_with_b();
  EXPECT_EQ(node.hand_over("b"), WishAnswer::Begun);
  node.shippers({.covered = b, .everything = b});
  node.answer(Outcome::Unknown);
  static_cast<void>(node.actions());
  node.pass(ns_per_second);
  node.answer(Outcome::Done, entry_of(8, "a", {"a", "b"}), 81);
  // Not written yet: another write makes sure that it never is.
  EXPECT_EQ(node.actions(), "read; set 8 a {ab} at 81");
  node.write_done(82);
  EXPECT_EQ(node.actions(), "resume input; alarm given up");
}

TEST(MemberHandOver, StepsDownIfTheLostRequestWasCarriedOut) {
  MemberCase node = primary_with_b();
  EXPECT_EQ(node.hand_over("b"), WishAnswer::Begun);
  node.shippers({.covered = b, .everything = b});
  node.answer(Outcome::Unknown);
  static_cast<void>(node.actions());
  node.pass(ns_per_second);
  node.answer(Outcome::Done, entry_of(9, "b", {"a", "b"}), 82);
  EXPECT_EQ(node.actions(), "read; step down; follow b 9; silent");
}

// ASYNC.

MemberOptions with_lease() {
  MemberOptions options = options_of("a");
  options.lease_ns = 300 * ns_per_ms;
  options.lease_margin_ns = 50 * ns_per_ms;
  return options;
}

std::string until(std::int64_t ns) {
  return std::to_string(ns / ns_per_ms);
}

TEST(MemberLease, RunsFromTheBeginningOfTheRequest) {
  MemberCase node(with_lease(), {.promised = 7, .last_epoch = 7});
  node.answer(Outcome::Done, entry_of(7, "a", {"a"}), 79);
  node.promised();
  const std::int64_t asked_ns = node.now_ns;
  static_cast<void>(node.actions());
  node.now_ns += 20 * ns_per_ms;
  node.write_done(80);
  EXPECT_EQ(node.actions(),
            "gate 0; lead 8; alarm alone; passes until " + until(asked_ns + 250 * ns_per_ms));
  EXPECT_EQ(node.member.deadline_ns(), asked_ns + 100 * ns_per_ms);
  node.pass(80 * ns_per_ms);
  EXPECT_EQ(node.actions(), "set 8 a {a} at 80");
  EXPECT_EQ(node.request->entry.renewals, 1U);
}

TEST(MemberLease, EndsIfItIsNotRenewed) {
  MemberCase node = primary_with_b(with_lease());
  node.pass(100 * ns_per_ms);
  node.answer(Outcome::Unreachable);
  static_cast<void>(node.actions());
  for (int round = 0; round < 20 && node.member.standing().output == Output::Passes; ++round) {
    node.now_ns = node.member.deadline_ns();
    node.pass(0);
    if (node.request) {
      node.answer(Outcome::Unreachable);
    }
  }
  EXPECT_EQ(node.member.standing().output, Output::HeldByLease);
  EXPECT_EQ(node.member.role(), Role::Leading);
  // Nobody else has taken over: it goes on with the next renewal.
  node.pass(ns_per_second);
  node.write_done(90);
  EXPECT_EQ(node.member.standing().output, Output::Passes);
}

TEST(MemberLease, EndsWhenAnotherNodeMayAlreadySpeak) {
  MemberCase node = primary_with_b(with_lease());
  EXPECT_EQ(node.hand_over("b"), WishAnswer::Begun);
  static_cast<void>(node.actions());
  node.shippers({.covered = b, .everything = b});
  EXPECT_EQ(node.actions(), "promote 9 b {ab} at 81; held by lease until 0");
}

}  // namespace
}  // namespace affix::replication
