// SPDX-License-Identifier: MIT
// The table of commands: every one can be executed, its arguments are checked, and it agrees with
// the reference.
#include "affix/admin/command.hpp"

#include "admin/command_table.hpp"
#include "support/has_message.hpp"

#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <sstream>

namespace affix::admin {
namespace {

using support::has_message;

/// A server with two sessions and a client with one.
class Groups final : public GroupNames {
 public:
  [[nodiscard]] bool is_instance(std::string_view name) const override {
    return name == "SERVER" || name == "CLIENT";
  }

  [[nodiscard]] bool is_session(std::string_view name) const override {
    return !instance_of(name).empty();
  }

  [[nodiscard]] std::string_view instance_of(std::string_view session) const override {
    return session == "S1" || session == "S2" ? "SERVER" : session == "C1" ? "CLIENT" : "";
  }

  [[nodiscard]] std::string_view only_session_of(std::string_view instance) const override {
    return instance == "CLIENT" ? "C1" : "";
  }
};

std::string bound(std::string_view command, const std::vector<std::string>& words) {
  const auto result = bind_arguments(*find_command(command), words, Groups());
  if (!result) {
    return "refused: " + result.error().text();
  }
  std::string text;
  for (const std::string& word : *result) {
    text += word + "/";
  }
  return text;
}

TEST(Command, EveryOneHasItsFunctionAndItsName) {
  std::set<std::string_view> names;
  for (const CommandDescription& command : commands()) {
    EXPECT_TRUE(names.insert(command.name).second) << command.name;
    const CommandRow* const row = find_row(command.name);
    ASSERT_NE(row, nullptr) << command.name;
    EXPECT_NE(row->function, nullptr) << command.name;
    EXPECT_FALSE(command.section.empty()) << command.name;
    EXPECT_FALSE(command.summary.empty()) << command.name;
    EXPECT_FALSE(command.summary.ends_with('.')) << command.name;
  }
  EXPECT_EQ(find_row("launch"), nullptr);
  EXPECT_EQ(find_command("launch"), nullptr);
  EXPECT_EQ(find_command("GET_Uptime"), find_command("get_uptime"));
}

TEST(Command, AllOfTheFieldsOtherEngineAreThere) {
  for (const std::string_view name : {"help",
                                      "get_uptime",
                                      "get_engine_version",
                                      "get_engine_log_path",
                                      "get_engine_log_level",
                                      "set_engine_log_level",
                                      "get_clients",
                                      "get_servers",
                                      "get_instance_config",
                                      "get_sessions",
                                      "get_session_state",
                                      "get_session_config",
                                      "get_all_session_states",
                                      "enable_session",
                                      "disable_session",
                                      "get_incoming_sequence_number",
                                      "get_outgoing_sequence_number",
                                      "set_incoming_sequence_number",
                                      "set_outgoing_sequence_number",
                                      "send_sequence_reset"}) {
    EXPECT_NE(find_command(name), nullptr) << name;
  }
}

TEST(Command, WhatChangesAnythingNeedsAnOperator) {
  for (const CommandDescription& command : commands()) {
    EXPECT_EQ(command.role == Role::Operate, command.changes_state) << command.name;
    EXPECT_FALSE(command.changes_state && command.name.starts_with("get_")) << command.name;
  }
}

TEST(Command, AnOptionalWordIsTheLast) {
  for (const CommandDescription& command : commands()) {
    bool optional = false;
    for (const ArgumentDescription& argument : command.arguments) {
      EXPECT_TRUE(argument.optional || !optional) << command.name;
      optional = argument.optional;
      const bool rest =
          argument.kind == ArgumentKind::Text || argument.kind == ArgumentKind::Settings;
      EXPECT_TRUE(!rest || &argument == &command.arguments.back()) << command.name;
    }
  }
}

TEST(Arguments, ASessionIsNamedInThreeWays) {
  EXPECT_EQ(bound("get_session_state", {"S1"}), "S1/");
  EXPECT_EQ(bound("get_session_state", {"SERVER", "S2"}), "S2/");
  EXPECT_EQ(bound("get_session_state", {"CLIENT"}), "C1/");
  EXPECT_EQ(bound("set_incoming_sequence_number", {"CLIENT", "7"}), "C1/7//");
  EXPECT_EQ(bound("set_incoming_sequence_number", {"SERVER", "S1", "7", "force"}), "S1/7/force/");
  EXPECT_TRUE(has_message(bound("get_session_state", {"SERVER"}), "A104", {"refused: SERVER "}));
  EXPECT_TRUE(
      has_message(bound("get_session_state", {"SERVER", "S9"}), "A104", {"'S9'", "SERVER"}));
  EXPECT_TRUE(
      has_message(bound("get_session_state", {"CLIENT", "S9"}), "A104", {"'S9'", "CLIENT"}));
  EXPECT_TRUE(has_message(bound("get_session_state", {"C1", "S1"}), "A103", {"too many"}));
  // If further words may be a text, another group's session is not accepted.
  EXPECT_TRUE(has_message(bound("disable_session", {"CLIENT", "S1"}), "A104", {"'S1'", "CLIENT"}));
  EXPECT_TRUE(has_message(bound("get_session_state", {"S9"}), "A104", {"'S9'"}));
}

TEST(Arguments, AreJudged) {
  EXPECT_EQ(bound("kill", {"engine", "runaway", "orders"}), "engine/runaway orders/");
  EXPECT_EQ(bound("kill", {"S1"}), "S1//");
  EXPECT_TRUE(has_message(bound("kill", {"S9"}), "A104", {"'S9'"}));
  EXPECT_TRUE(has_message(bound("kill", {}), "A103", {"<scope>"}));
  EXPECT_TRUE(has_message(bound("help", {"launch"}), "A103", {"'launch'"}));
  EXPECT_EQ(bound("set_engine_log_level", {"warning"}), "WARNING/");
  EXPECT_TRUE(has_message(bound("set_engine_log_level", {"warn"}), "A103",
                          {"<log_level>", "ERROR|WARNING|INFO|DEBUG"}));
  EXPECT_TRUE(has_message(bound("reset_session", {"S1", "really"}), "A103", {"<force>", "force"}));
  EXPECT_EQ(bound("add_session", {"N", "a=b", "c=d e"}), "N/a=b\nc=d e/");
  for (const std::string number : {"-1", "+1", "1.0", "x", "", "1234567890123456789"}) {
    EXPECT_TRUE(has_message(bound("set_incoming_sequence_number", {"S1", number}), "A103",
                            {"'" + number + "'"}));
  }
  EXPECT_EQ(number_of("123456789012345678"), 123'456'789'012'345'678U);
  EXPECT_EQ(number_of("-1"), 0U);
}

TEST(Command, TheReferencePageSaysWhatTheTableSays) {
  std::ifstream file(AFFIX_DOCS "/reference/admin.md");
  std::stringstream page;
  page << file.rdbuf();
  EXPECT_NE(page.str().find(reference_text()), std::string::npos)
      << "docs/reference/admin.md lacks these tables:\n"
      << reference_text();
}

}  // namespace
}  // namespace affix::admin
