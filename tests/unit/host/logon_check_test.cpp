// SPDX-License-Identifier: MIT
// The configured answer to a Logon, and which of the application's answers replace it.
#include "host/logon_check.hpp"

#include "affix/base/bytes.hpp"
#include "affix/wire/index.hpp"

#include "support/fix_text.hpp"

#include <gtest/gtest.h>
#include <string>
#include <string_view>

namespace affix::host {
namespace {

using Decision = LogonAnswer::Decision;

/// A peer logs on with these fields to a session that requires `USER` and `RIGHT`.
void log_on_with(LogonCheck& check, std::string_view fields) {
  config::SessionSettings settings;
  settings.logon_username = "USER";
  settings.logon_password = "RIGHT";
  std::string text = support::make_message("35=A|34=1|" + std::string(fields));
  const std::size_t size = text.size();
  text.append(base::PaddedBytes::padding, '\0');
  const std::string_view bytes = std::string_view(text).substr(0, size);
  wire::FieldIndexOf<64> index;
  wire::index_message(base::PaddedBytes(bytes), index);
  check.on_request(settings, wire::MessageView(bytes, index), 1);
}

TEST(LogonCheck, RightCredentialsAreAccepted) {
  LogonCheck check;
  log_on_with(check, "553=USER|554=RIGHT|");
  EXPECT_EQ(check.configured().decision, Decision::Accept);
}

TEST(LogonCheck, WrongOnesAreRefusedWithAText) {
  LogonCheck check;
  log_on_with(check, "553=USER|554=WRONG|");
  EXPECT_EQ(check.configured().decision, Decision::Refuse);
  EXPECT_EQ(check.configured().text, "Username (553) or Password (554) is wrong");
}

TEST(LogonCheck, EachLogonIsJudgedAlone) {
  LogonCheck check;
  log_on_with(check, "553=USER|554=WRONG|");
  log_on_with(check, "553=USER|554=RIGHT|");
  EXPECT_EQ(check.configured().decision, Decision::Accept);
  log_on_with(check, "");
  EXPECT_EQ(check.configured().decision, Decision::Refuse);
}

TEST(LogonCheck, ThePeersAnswerToOurLogonNeedsNoCredentials) {
  LogonCheck check;
  log_on_with(check, "553=USER|554=WRONG|");
  check.on_answer();
  EXPECT_EQ(check.configured().decision, Decision::Accept);
}

TEST(LogonCheck, TheApplicationsOwnAnswerCounts) {
  LogonCheck check;
  log_on_with(check, "553=USER|554=WRONG|");
  EXPECT_EQ(check.decide(LogonAnswer::accept()).decision, Decision::Accept);
  EXPECT_EQ(check.decide(LogonAnswer::later()).decision, Decision::Later);
  const LogonAnswer refused = check.decide(LogonAnswer::refuse("not today"));
  EXPECT_EQ(refused.decision, Decision::Refuse);
  EXPECT_EQ(refused.text, "not today");
  const LogonAnswer configured = check.decide(LogonAnswer::as_configured());
  EXPECT_EQ(configured.decision, Decision::Refuse);
  EXPECT_EQ(configured.text, check.configured().text);
}

}  // namespace
}  // namespace affix::host
