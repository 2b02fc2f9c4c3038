// SPDX-License-Identifier: MIT
// The language of scenarios: what is read, and what is refused with which line.
#include "certify/scenario.hpp"

#include "affix/base/time.hpp"

#include <gtest/gtest.h>
#include <string>

namespace {

using namespace affix::certify;
using affix::base::ns_per_ms;
using affix::base::ns_per_second;

Scenario parsed(const std::string& steps) {
  auto scenarios = parse_scenarios("scenario s: title\n" + steps, "f");
  EXPECT_TRUE(scenarios.has_value()) << (scenarios ? "" : scenarios.error());
  return scenarios ? scenarios->front() : Scenario{};
}

std::string refused(const std::string& text) {
  const auto scenarios = parse_scenarios(text, "f");
  return scenarios ? "accepted" : scenarios.error();
}

TEST(Scenario, HasPropertiesAndSteps) {
  const Scenario scenario = parsed(
      "role acceptor\nversions 4.2 4.4+\napplication\nmemory\nalone\npeer DROP as COPY to VENUE\n"
      "let price = 10.5\nlogon\n> 35=D\n");
  EXPECT_EQ(scenario.roles, std::vector{Role::Acceptor});
  EXPECT_EQ(scenario.versions.size(), 5U);
  EXPECT_TRUE(scenario.application && scenario.memory && scenario.alone && scenario.plain);
  ASSERT_EQ(scenario.peers.size(), 1U);
  EXPECT_EQ(scenario.peers[0].us, "COPY");
  EXPECT_EQ(scenario.peers[0].them, "VENUE");
  EXPECT_EQ(scenario.variables, (Settings{{"price", "10.5"}}));
  EXPECT_EQ(scenario.steps.size(), 2U);
}

TEST(Scenario, ReadsWhatPrecedesAStep) {
  const Step step = parsed("in 4.3+: B within 200ms maybe < 35=8").steps.front();
  EXPECT_EQ(step.verb, Verb::Expect);
  EXPECT_EQ(step.peer, "B");
  EXPECT_EQ(step.within_ns, 200 * ns_per_ms);
  EXPECT_TRUE(step.optional);
  EXPECT_EQ(step.versions.size(), 5U);
  EXPECT_EQ(step.text, "35=8");
  EXPECT_EQ(parsed("wrong checksum > 35=0").steps.front().fault, SendFault::Checksum);
  const Step halves = parsed("halves 2s > 35=0").steps.front();
  EXPECT_EQ(halves.fault, SendFault::Halves);
  EXPECT_EQ(halves.ns, 2 * ns_per_second);
}

TEST(Scenario, ReadsBlocks) {
  const Scenario scenario =
      parsed("repeat 3 as n\nfor x in A, B\nwait 1s\nend\nend\nany order\n< 35=8\n< 35=9\nend\n");
  ASSERT_EQ(scenario.steps.size(), 2U);
  const Step& outer = scenario.steps[0];
  EXPECT_EQ(outer.first, 3U);
  EXPECT_EQ(outer.text, "n");
  ASSERT_EQ(outer.body.size(), 1U);
  EXPECT_EQ(outer.body[0].values, (std::vector<std::string>{"A", "B"}));
  EXPECT_EQ(scenario.steps[1].verb, Verb::AnyOrder);
  EXPECT_EQ(scenario.steps[1].body.size(), 2U);
  EXPECT_EQ(scenario.longest_wait_ns, ns_per_second);
}

// It ends the connections of all sessions, and needs a command elsewhere.
TEST(Scenario, AKilledEngineIsPlayedAlone) {
  const Scenario kept = parsed("kill");
  EXPECT_TRUE(kept.plain && kept.alone && kept.kills && !kept.kills_memory);
  const Scenario lost = parsed("kill without memory");
  EXPECT_TRUE(lost.plain && lost.alone && !lost.kills && lost.kills_memory);
  EXPECT_TRUE(refused("scenario s: t\nkill twice\n").contains("'kill' cannot be followed by"));
}

TEST(Scenario, ActionsInsideTheEngineAreNotPlain) {
  EXPECT_FALSE(parsed("set key=value\nlogon").plain);
  EXPECT_TRUE(parsed("logon\nnumbers 2 2\ndelivered 11=X\nevent logged on").plain);
}

TEST(Scenario, RefusesWithFileAndLine) {
  EXPECT_EQ(refused("logon\n"), "f:1: a line before the first scenario\n");
  EXPECT_EQ(refused("scenario x\nlogon\n"), "f:1: a scenario is 'scenario ID: TITLE'\n");
  EXPECT_EQ(refused("scenario x: y\n"), "f:1: scenario x has no steps\n");
  EXPECT_EQ(refused("scenario x: y\nlogin\n"),
            "f:2: no such step: login\nf:1: scenario x has no steps\n");
  EXPECT_EQ(refused("scenario x: y\nlogon\nend\n"), "f:3: 'end' without a block\n");
  EXPECT_EQ(refused("scenario x: y\nlogon\nrepeat 2\nlogon\n"),
            "f:4: the block of line 3 has no 'end'\n");
  EXPECT_EQ(refused("scenario x: y\nlogon\nwait long\n"),
            "f:3: 'wait' cannot be followed by 'long'\n");
  EXPECT_EQ(refused("scenario x: y\nany order\n> 35=D\nend\n"),
            "f:3: 'any order' contains '<' alone\n");
  EXPECT_EQ(refused("scenario x: y\nwithin 2s > 35=D\n"),
            "f:2: 'within' belongs before '<', 'find' or 'closed'\n");
  EXPECT_EQ(refused("scenario x: y\nversions 9\nlogon\n"), "f:2: no version 9\n");
}

TEST(Scenario, BlocksHaveALimit) {
  std::string text = "scenario x: y\n";
  for (int depth = 0; depth < 9; ++depth) {
    text += "repeat 2\n";
  }
  EXPECT_NE(refused(text).find("f:10: blocks are too deep"), std::string::npos);
}

}  // namespace
