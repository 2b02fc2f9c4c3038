// SPDX-License-Identifier: MIT
// The workflow of a FIX Orchestra file: scenarios with what they extend, presence, codes, answers.
#include "affix/dictionary/workflow.hpp"

#include <gtest/gtest.h>
#include <string>

namespace {

using namespace affix::dictionary;

std::string repository(std::string_view messages) {
  return R"(<r:repository xmlns:r="u" name="x" version="FIX.4.4">
<r:codeSets><r:codeSet name="S" id="1" type="char"><r:code name="New" id="1" value="0"/>
<r:code name="Old" id="2" value="1"/></r:codeSet>
<r:codeSet name="S" id="1" type="char" scenario="new"><r:code name="New" id="1" value="0"/></r:codeSet></r:codeSets>
<r:fields><r:field id="8" name="BeginString" type="String"/><r:field id="10" name="CheckSum" type="String"/>
<r:field id="11" name="ClOrdID" type="String"/><r:field id="39" name="OrdStatus" type="S"/>
<r:field id="58" name="Text" type="String"/><r:field id="453" name="NoPartyIDs" type="NumInGroup"/>
<r:field id="448" name="PartyID" type="String"/></r:fields>
<r:components><r:component id="1" name="StandardHeader"><r:fieldRef id="8" presence="required"/></r:component>
<r:component id="2" name="StandardTrailer"><r:fieldRef id="10" presence="required"/></r:component>
<r:component id="3" name="Ids"><r:fieldRef id="11" presence="required"/></r:component></r:components>
<r:groups><r:group id="4" name="Parties"><r:numInGroup id="453"/><r:fieldRef id="448" presence="required"/></r:group></r:groups>
<r:messages>)" +
         std::string(messages) + "</r:messages></r:repository>";
}

constexpr std::string_view messages = R"(
<r:message name="Order" id="1" msgType="D"><r:structure><r:componentRef id="1" presence="required"/>
<r:componentRef id="3"/><r:groupRef id="4" presence="required"/>
<r:fieldRef id="58"><r:rule name="r" presence="required"><r:when>exists ClOrdID</r:when></r:rule></r:fieldRef>
<r:componentRef id="2" presence="required"/></r:structure>
<r:responses><r:response name="ack" sync="asynchronous">
<r:messageRef name="Report" scenario="new" implMinOccurs="0" implMaxOccurs="unbounded"/>
<r:when> ClOrdID == "1" </r:when><r:when>exists Text</r:when></r:response>
<r:response name="none"/></r:responses></r:message>
<r:message name="Report" id="2" msgType="8"><r:structure><r:componentRef id="3" presence="required"/>
<r:fieldRef id="39"/><r:fieldRef id="58" presence="constant" value="fine"/></r:structure></r:message>
<r:message name="Report" id="2" msgType="8" scenario="new" extends="base"><r:structure>
<r:fieldRef id="39" presence="required" scenario="new"/><r:fieldRef id="11" presence="required"><r:assign>in.ClOrdID</r:assign></r:fieldRef>
</r:structure><r:when>OrdStatus == ^New</r:when></r:message>
<r:message name="Other" id="3" msgType="B"><r:structure><r:fieldRef id="58"/></r:structure></r:message>)";

TEST(Workflow, HasMessagesWithAnswersAndTheAnswers) {
  const LoadedWorkflow loaded = load_workflow_text(repository(messages));
  ASSERT_TRUE(loaded) << (loaded.problems.empty() ? "" : loaded.problems.front().text);
  const Workflow& workflow = *loaded.workflow;
  EXPECT_EQ(workflow.version, "FIX.4.4");
  ASSERT_EQ(workflow.messages.size(), 2U);  // Other is none of them.
  const WorkflowMessage& order = workflow.messages[0];
  EXPECT_EQ(order.type, "D");
  ASSERT_EQ(order.responses.size(), 2U);
  const WorkflowResponse& ack = order.responses[0];
  EXPECT_TRUE(ack.asynchronous);
  EXPECT_EQ(ack.whens, (std::vector<std::string>{"ClOrdID == \"1\"", "exists Text"}));
  ASSERT_EQ(ack.replies.size(), 1U);
  EXPECT_EQ(ack.replies[0].scenario, "new");
  EXPECT_EQ(ack.replies[0].least, 0U);
  EXPECT_EQ(ack.replies[0].most, UINT32_MAX);
  EXPECT_TRUE(order.responses[1].replies.empty());
  EXPECT_EQ(workflow.find("Report", "new"), &workflow.messages[1]);
  EXPECT_EQ(workflow.find("Report", "base"), nullptr);
}

// A field is required only if its component is; header and trailer are left out.
TEST(Workflow, HasTheFieldsOfARequest) {
  const LoadedWorkflow loaded = load_workflow_text(repository(messages));
  ASSERT_TRUE(loaded);
  const std::vector<WorkflowField>& fields = loaded.workflow->messages[0].fields;
  ASSERT_EQ(fields.size(), 3U);
  EXPECT_EQ(fields[0].tag, 11U);
  EXPECT_EQ(fields[0].presence, Presence::Optional);
  EXPECT_EQ(fields[1].tag, 453U);
  EXPECT_EQ(fields[1].presence, Presence::Required);
  ASSERT_EQ(fields[1].entry.size(), 1U);
  EXPECT_EQ(fields[1].entry[0].presence, Presence::Required);
  ASSERT_EQ(fields[2].rules.size(), 1U);
  EXPECT_EQ(fields[2].rules[0].when, "exists ClOrdID");
  EXPECT_EQ(fields[2].rules[0].presence, Presence::Required);
}

TEST(Workflow, ExtendsAScenario) {
  const LoadedWorkflow loaded = load_workflow_text(repository(messages));
  ASSERT_TRUE(loaded);
  const WorkflowMessage& report = loaded.workflow->messages[1];
  EXPECT_EQ(report.when, "OrdStatus == ^New");
  ASSERT_EQ(report.fields.size(), 3U);
  EXPECT_EQ(report.fields[0].assign, "in.ClOrdID");
  EXPECT_EQ(report.fields[1].presence, Presence::Required);
  EXPECT_EQ(report.fields[1].codes, (std::vector<Value>{{"0", "New"}}));
  EXPECT_EQ(report.fields[2].presence, Presence::Constant);
  EXPECT_EQ(report.fields[2].value, "fine");
}

TEST(Workflow, RefusesWhatIsNoWholeFile) {
  std::string text = repository(messages);
  const std::string named = R"(name="Report" scenario="new" impl)";
  text.replace(text.find(named), named.size(), R"(name="Report" scenario="x" impl)");
  const LoadedWorkflow unknown = load_workflow_text(text);
  EXPECT_FALSE(unknown);
  ASSERT_FALSE(unknown.problems.empty());
  bool told = false;
  for (const Problem& problem : unknown.problems) {
    told = told || (problem.text == "scenario 'x' of message 'Report' is not defined" &&
                    problem.line == 19);
  }
  EXPECT_TRUE(told);
  EXPECT_FALSE(load_workflow_text("<fix/>"));
  EXPECT_FALSE(load_workflow_text("no XML"));
  EXPECT_FALSE(load_workflow("/does/not/exist"));
  EXPECT_FALSE(load_workflow_text(repository(messages), {.bytes_max = 100}));
}

}  // namespace
