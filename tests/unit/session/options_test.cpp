// SPDX-License-Identifier: MIT
// Defaults, versions, and invalid options.

#include "affix/session/options.hpp"

#include <gtest/gtest.h>
#include <string>

namespace affix::session {

namespace {

SessionOptions valid() {
  SessionOptions options;
  options.sender_comp_id = "US";
  options.target_comp_id = "THEM";
  return options;
}

}  // namespace

TEST(Options, DefaultsWithAnIdentityAreValid) {
  EXPECT_EQ(option_fault(valid()), OptionFault::None);
}

TEST(Options, VersionFollowsFromBeginString) {
  EXPECT_EQ(version_of("FIX.4.0"), Version::Fix40);
  EXPECT_EQ(version_of("FIX.4.1"), Version::Fix41);
  EXPECT_EQ(version_of("FIX.4.2"), Version::Fix42);
  EXPECT_EQ(version_of("FIX.4.3"), Version::Fix43);
  EXPECT_EQ(version_of("FIX.4.4"), Version::Fix44);
  EXPECT_EQ(version_of("FIXT.1.1"), Version::Fixt11);
}

TEST(Options, FaultsAreNamed) {
  const auto faulty = [](auto change) {
    SessionOptions options = valid();
    change(options);
    return option_fault(options) != OptionFault::None;
  };
  static const std::string long_text(600, 'x');
  static const std::string very_long_text(1100, 'x');
  EXPECT_TRUE(faulty([](SessionOptions& options) { options.sender_comp_id = ""; }));
  EXPECT_TRUE(faulty([](SessionOptions& options) { options.target_comp_id = ""; }));
  EXPECT_TRUE(faulty([](SessionOptions& options) {
    options.sender_comp_id =
        "A\x01"
        "B";
  }));
  EXPECT_TRUE(faulty([](SessionOptions& options) { options.sender_comp_id = long_text; }));
  EXPECT_TRUE(faulty([](SessionOptions& options) { options.begin_string = ""; }));
  EXPECT_TRUE(faulty([](SessionOptions& options) { options.static_header_fields = "115=X"; }));
  EXPECT_TRUE(faulty([](SessionOptions& options) { options.static_header_fields = "X=1\x01"; }));
  EXPECT_TRUE(faulty([](SessionOptions& options) { options.static_header_fields = "115=\x01"; }));
  EXPECT_TRUE(faulty([](SessionOptions& options) { options.static_header_fields = "\x01"; }));
  EXPECT_TRUE(
      faulty([](SessionOptions& options) { options.heartbeat_interval_ns = 1'500'000'000; }));
  EXPECT_TRUE(faulty(
      [](SessionOptions& options) { options.heartbeat_interval_ns = -base::ns_per_second; }));
  EXPECT_TRUE(faulty([](SessionOptions& options) { options.heartbeat_interval_max_ns = -1; }));
  EXPECT_TRUE(faulty([](SessionOptions& options) { options.password = very_long_text; }));
  EXPECT_TRUE(faulty([](SessionOptions& options) {
    options.password =
        "a\x01"
        "b";
  }));
  EXPECT_TRUE(faulty([](SessionOptions& options) { options.begin_string = "FIXT.1.1"; }));
  EXPECT_TRUE(faulty([](SessionOptions& options) { options.logon_timeout_ns = 0; }));
  EXPECT_TRUE(faulty([](SessionOptions& options) { options.message_age_max_ns = -1; }));
  EXPECT_FALSE(faulty([](SessionOptions& options) { options.heartbeat_interval_ns = 0; }));
  EXPECT_FALSE(faulty([](SessionOptions& options) {
    options.static_header_fields =
        "115=X\x01"
        "128=Y\x01";
  }));
}

}  // namespace affix::session
