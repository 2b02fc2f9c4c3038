// SPDX-License-Identifier: MIT
// Which session or template a Logon names, and how long a connection may wait for its Logon.
#include "engine/logon_targets.hpp"

#include "affix/base/time.hpp"
#include "affix/wire/index.hpp"

#include "host/session_slot.hpp"
#include "support/fix_text.hpp"

#include <deque>
#include <gtest/gtest.h>
#include <string>

namespace affix::engine {
namespace {

config::SessionSettings settings_of(const char* target, const char* sub_id = "") {
  config::SessionSettings settings;
  settings.name = target;
  settings.begin_string = "FIX.4.4";
  settings.sender_comp_id = "VENUE";
  settings.target_comp_id = target;
  settings.target_sub_id = sub_id;
  settings.logon_timeout_seconds = 5;
  return settings;
}

class LogonTargetsTest : public testing::Test {
 protected:
  LogonTarget target(const config::SessionSettings& settings) {
    return logon_target_for(
        slots_
            .emplace_back(host::SeatNames{settings.name, "SERVER", settings.begin_string,
                                          settings.sender_comp_id, settings.target_comp_id, ""})
            .handle(),
        settings);
  }

  wire::MessageView logon(const std::string& fields) {
    bytes_ = support::make_message("35=A|34=1|" + fields, "FIX.4.4");
    wire::index_message(bytes_, index_);
    return {bytes_, index_};
  }

  std::deque<host::SessionSlot> slots_;
  std::string bytes_;
  wire::FieldIndexOf<64> index_;
  LogonTargets targets_{0};
};

TEST_F(LogonTargetsTest, TheSessionWithTheMostMatchingIdsIsNamed) {
  const LogonTarget any = target(settings_of("CLIENT"));
  const LogonTarget desk = target(settings_of("CLIENT", "DESK"));
  targets_.admit(any);
  targets_.admit(desk);
  EXPECT_EQ(targets_.target_of(logon("49=CLIENT|56=VENUE|50=DESK|")).value().session, desk.session);
  EXPECT_EQ(targets_.target_of(logon("49=CLIENT|56=VENUE|50=OTHER|")).value().session, any.session);
  EXPECT_FALSE(targets_.target_of(logon("49=OTHER|56=VENUE|")).has_value());
  targets_.withdraw(any.session);
  EXPECT_FALSE(targets_.target_of(logon("49=CLIENT|56=VENUE|50=OTHER|")).has_value());
  EXPECT_NE(targets_.why_none(logon("49=OTHER|56=VENUE|")).find("49=CLIENT"), std::string::npos);
}

TEST_F(LogonTargetsTest, TheFirstTemplateThatMatchesIsTaken) {
  EXPECT_FALSE(targets_.template_of(logon("49=C1|56=VENUE|")).has_value());
  targets_.set_templates(
      {logon_template_for(settings_of("C*")), logon_template_for(settings_of("*"))});
  const auto match = targets_.template_of(logon("49=C1|56=VENUE|"));
  ASSERT_TRUE(match.has_value());
  EXPECT_EQ(match->made_from->name, "C*");
  EXPECT_EQ(match->ids.ids[1], "C1");
  EXPECT_EQ(targets_.template_of(logon("49=D1|56=VENUE|"))->made_from->name, "*");
  EXPECT_FALSE(targets_.template_of(logon("49=C1|56=OTHER|")).has_value());
}

TEST_F(LogonTargetsTest, TheTimeoutIsTheLongestThatASessionEverHad) {
  config::SessionSettings patient = settings_of("C*");
  patient.logon_timeout_seconds = 60;
  const LogonTarget one = target(settings_of("CLIENT"));
  targets_.admit(one);
  EXPECT_EQ(targets_.timeout_ns(), 5 * base::ns_per_second);
  targets_.set_templates({logon_template_for(patient)});
  targets_.set_templates({});
  targets_.withdraw(one.session);
  EXPECT_EQ(targets_.timeout_ns(), 60 * base::ns_per_second);
}

TEST_F(LogonTargetsTest, AFixedTimeoutIsForEverySession) {
  LogonTargets targets(base::ns_per_second);
  targets.admit(target(settings_of("CLIENT")));
  EXPECT_EQ(targets.timeout_ns(), base::ns_per_second);
}

TEST_F(LogonTargetsTest, AllowedAddressesAreOfTheSession) {
  config::SessionSettings settings = settings_of("CLIENT");
  EXPECT_EQ(target(settings).allowed, nullptr);
  settings.allowed_peer_addresses = "192.0.2.0/24";
  EXPECT_TRUE(target(settings).allowed->contains(net::Address::parse("192.0.2.1:1").value()));
}

}  // namespace
}  // namespace affix::engine
