// SPDX-License-Identifier: MIT
// Conditions for cancelling open orders.
#include "host/cancel_watch.hpp"

#include "affix/base/bytes.hpp"
#include "affix/config/words.hpp"
#include "affix/wire/index.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>

namespace affix::host {
namespace {

config::SessionSettings settings_of(const char* mode, std::int64_t grace_ms = 0,
                                    bool tags = false) {
  config::SessionSettings settings;
  EXPECT_TRUE(config::choose(settings, "cancel_on_disconnect", mode));
  settings.cancel_on_disconnect_grace_milliseconds = grace_ms;
  settings.cancel_on_disconnect_tags = tags;
  return settings;
}

bool is_reported(CancelWatch watch, bool by_logout) {
  watch.on_ended(by_logout, 100);
  return watch.take_due(100);
}

void ask(CancelWatch& watch, const std::string& fields) {
  std::string text = "8=FIX.4.4|35=A|34=1|" + fields;
  for (char& letter : text) {
    letter = letter == '|' ? wire::soh : letter;
  }
  const std::size_t size = text.size();
  text.append(base::PaddedBytes::padding, '\0');
  wire::FieldIndexOf<64> index;
  wire::index_message(base::PaddedBytes(std::string_view(text).substr(0, size)), index);
  watch.on_logon_request(wire::MessageView(std::string_view(text).substr(0, size), index));
}

void log_on(CancelWatch& watch, const std::string& fields) {
  ask(watch, fields);
  watch.on_logged_on();
}

TEST(CancelWatch, TheModeSaysWhichEndsCount) {
  struct Case {
    const char* mode;
    bool disconnect;
    bool logout;
  };

  for (const Case& each : {Case{"OFF", false, false}, Case{"DISCONNECT", true, false},
                           Case{"LOGOUT", false, true}, Case{"BOTH", true, true}}) {
    EXPECT_EQ(is_reported(CancelWatch(settings_of(each.mode)), false), each.disconnect)
        << each.mode;
    EXPECT_EQ(is_reported(CancelWatch(settings_of(each.mode)), true), each.logout) << each.mode;
  }
}

TEST(CancelWatch, TheGraceIsWaitedForAndEachEndIsReportedOnce) {
  CancelWatch watch(settings_of("BOTH", 5));
  EXPECT_EQ(watch.deadline(), CancelWatch::never_ns);
  watch.on_ended(false, 1'000);
  EXPECT_EQ(watch.deadline(), 5'001'000);
  EXPECT_FALSE(watch.take_due(5'000'999));
  EXPECT_TRUE(watch.take_due(5'001'000));
  EXPECT_FALSE(watch.take_due(9'000'000));
  EXPECT_EQ(watch.deadline(), CancelWatch::never_ns);
}

TEST(CancelWatch, ALogonCallsItOff) {
  CancelWatch watch(settings_of("BOTH", 5));
  watch.on_ended(false, 0);
  watch.on_logged_on();
  EXPECT_EQ(watch.deadline(), CancelWatch::never_ns);
  EXPECT_FALSE(watch.take_due(INT64_MAX - 1));
}

TEST(CancelWatch, TheLogonSaysItWhereItMay) {
  CancelWatch watch(settings_of("OFF", 0, true));
  log_on(watch, "35002=1|35003=20|");
  watch.on_ended(true, 0);
  EXPECT_EQ(watch.deadline(), CancelWatch::never_ns);
  watch.on_ended(false, 0);
  EXPECT_EQ(watch.deadline(), 20'000'000);
  log_on(watch, "98=0|");  // The terms are unchanged.
  watch.on_ended(false, 0);
  EXPECT_EQ(watch.deadline(), 20'000'000);
  log_on(watch, "35002=0|");
  watch.on_ended(false, 0);
  EXPECT_EQ(watch.deadline(), CancelWatch::never_ns);
}

TEST(CancelWatch, ALogonsNonsenseIsPassedOver) {
  for (const char* fields : {"35002=4|", "35002=|", "35002=x|", "35002=-1|35003=-5|",
                             "35002=99999999999|35003=99999999999|"}) {
    CancelWatch watch(settings_of("DISCONNECT", 7, true));
    log_on(watch, fields);
    watch.on_ended(false, 0);
    EXPECT_EQ(watch.deadline(), 7'000'000) << fields;
  }
  CancelWatch longest(settings_of("BOTH", 0, true));
  log_on(longest, "35003=4000000|");
  longest.on_ended(true, 0);
  EXPECT_EQ(longest.deadline(), 60 * base::ns_per_second);
}

TEST(CancelWatch, TheLogonSaysNothingWhereItMayNot) {
  CancelWatch watch(settings_of("OFF"));
  log_on(watch, "35002=3|35003=1|");
  EXPECT_FALSE(is_reported(watch, false));
}

TEST(CancelWatch, ALogonThatIsRefusedChangesNothing) {
  CancelWatch watch(settings_of("BOTH", 5, true));
  ask(watch, "35002=0|35003=60000|");  // Without on_logged_on().
  watch.on_ended(false, 0);
  EXPECT_EQ(watch.deadline(), 5'000'000);
  ask(watch, "35002=0|");
  log_on(watch, "98=0|");  // The genuine Logon does not set it.
  watch.on_ended(false, 0);
  EXPECT_EQ(watch.deadline(), 5'000'000);
}

TEST(CancelWatch, ThePeersChoiceOutlivesARestart) {
  CancelWatch before(settings_of("OFF", 0, true));
  log_on(before, "35002=3|35003=20|");
  CancelWatch after(settings_of("OFF", 9, true));
  after.go_on_from(before);
  after.on_ended(true, 0);
  EXPECT_EQ(after.deadline(), 20'000'000);
  CancelWatch refusing(settings_of("BOTH", 9));  // The peer may no longer set it.
  refusing.go_on_from(before);
  refusing.on_ended(true, 0);
  EXPECT_EQ(refusing.deadline(), 9'000'000);
  CancelWatch silent(settings_of("OFF", 0, true));
  CancelWatch changed(settings_of("BOTH", 9, true));
  changed.go_on_from(silent);  // Nothing was set by the peer: the settings apply.
  changed.on_ended(true, 0);
  EXPECT_EQ(changed.deadline(), 9'000'000);
}

}  // namespace
}  // namespace affix::host
