// SPDX-License-Identifier: MIT
// Patterns of ids: matches, names of sessions made from them, and invalid templates.
#include "config/session_template.hpp"

#include "affix/wire/index.hpp"

#include "support/fix_text.hpp"

#include <gtest/gtest.h>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace affix::config {
namespace {

/// Ids that the template derives from a Logon with these fields after 35.
std::optional<SessionIds> ids_of_logon(const SessionSettings& made_from, std::string_view fields,
                                       std::string_view begin_string = "FIX.4.4") {
  const std::string bytes = support::make_message("35=A|34=1|" + std::string(fields), begin_string);
  const auto index = std::make_unique<wire::FieldIndexOf<1'024>>();
  wire::index_message(bytes, *index);
  return ids_for(ids_of(made_from), wire::MessageView(bytes, *index));
}

SessionSettings template_of(std::string_view target) {
  SessionSettings settings;
  settings.name = "CLIENTS";
  settings.acceptor_template = true;
  settings.begin_string = "FIX.4.4";
  settings.sender_comp_id = "VENUE";
  settings.target_comp_id = target;
  return settings;
}

TEST(SessionTemplate, AStarIsAnyCharactersAndOneAtLeast) {
  EXPECT_TRUE(matches_pattern("*", "A"));
  EXPECT_TRUE(matches_pattern("*", "*"));
  EXPECT_TRUE(matches_pattern("C*", "CLIENT"));
  EXPECT_TRUE(matches_pattern("*7", "CLIENT77"));
  EXPECT_TRUE(matches_pattern("C*N*7", "CLIENN17"));
  EXPECT_TRUE(matches_pattern("PLAIN", "PLAIN"));
  EXPECT_FALSE(matches_pattern("*", ""));
  EXPECT_FALSE(matches_pattern("C*", "C"));
  EXPECT_FALSE(matches_pattern("C*", "DC"));
  EXPECT_FALSE(matches_pattern("*7", "7"));
  EXPECT_FALSE(matches_pattern("**", "A"));
  EXPECT_FALSE(matches_pattern("PLAIN", "PLAINER"));
  EXPECT_FALSE(matches_pattern("PLAIN", "PLAI"));
  EXPECT_FALSE(matches_pattern("", "A"));
}

TEST(SessionTemplate, AManyStarredPatternEnds) {
  const std::string text(64, 'a');
  EXPECT_FALSE(matches_pattern("*a*a*a*a*a*a*a*a*b", text));
}

TEST(SessionTemplate, TheIdsAreThePeersOwn) {
  const auto ids = ids_of_logon(template_of("C*"), "49=CLIENT1|56=VENUE|50=DESK|");
  ASSERT_TRUE(ids);
  const SessionSettings made = settings_for(template_of("C*"), *ids);
  EXPECT_EQ(made.name, "CLIENTS/CLIENT1");
  EXPECT_EQ(made.sender_comp_id, "VENUE");
  EXPECT_EQ(made.target_comp_id, "CLIENT1");
  EXPECT_EQ(made.target_sub_id, "");  // The template ignores it.
  EXPECT_FALSE(made.acceptor_template);
}

TEST(SessionTemplate, FinerIdsAreLookedAtWhereThereIsAPattern) {
  SessionSettings made_from = template_of("*");
  made_from.target_sub_id = "*";
  EXPECT_FALSE(ids_of_logon(made_from, "49=A|56=VENUE|"));
  const auto ids = ids_of_logon(made_from, "49=A|56=VENUE|50=B/C|");
  ASSERT_TRUE(ids);
  EXPECT_EQ(settings_for(made_from, *ids).name, "CLIENTS/A/B%2FC");
  EXPECT_EQ(settings_for(made_from, *ids).target_sub_id, "B/C");
}

TEST(SessionTemplate, OthersIdsAreNot) {
  EXPECT_FALSE(ids_of_logon(template_of("C*"), "49=DEALER|56=VENUE|"));
  EXPECT_FALSE(ids_of_logon(template_of("C*"), "49=CLIENT|56=OTHER|"));
  EXPECT_FALSE(ids_of_logon(template_of("C*"), "49=CLIENT|56=VENUE|", "FIX.4.2"));
  EXPECT_FALSE(ids_of_logon(template_of("C*"), "56=VENUE|"));
}

TEST(SessionTemplate, AnIdThatCannotBecomeANameIsRefused) {
  EXPECT_TRUE(ids_of_logon(template_of("*"), "56=VENUE|49=" + std::string(64, 'x') + "|"));
  EXPECT_FALSE(ids_of_logon(template_of("*"), "56=VENUE|49=" + std::string(65, 'x') + "|"));
  EXPECT_FALSE(ids_of_logon(template_of("*"), "56=VENUE|49=A\nB|"));
  EXPECT_FALSE(ids_of_logon(template_of("*"), "56=VENUE|49=\xC3\xA9|"));
}

TEST(SessionTemplate, WithoutAPatternItIsNone) {
  EXPECT_FALSE(check_template(template_of("CLIENT")));
  EXPECT_TRUE(check_template(template_of("*")));
  SessionSettings threaded = template_of("*");
  threaded.callback_thread = 0;
  EXPECT_FALSE(check_template(threaded));
}

}  // namespace
}  // namespace affix::config
