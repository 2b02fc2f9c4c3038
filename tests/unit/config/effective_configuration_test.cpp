// SPDX-License-Identifier: MIT
// A file's effective configuration, with the place of each value and without secrets.
#include "affix/config/effective_configuration.hpp"

#include "support/temporary_directory.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <string>

namespace affix::config {
namespace {

class EffectiveFile : public testing::Test {
 protected:
  std::vector<EffectiveGroup> read(const std::string& text) {
    std::ofstream(path_) << text;
    auto groups = load_effective_configuration(path_);
    EXPECT_TRUE(groups) << text_of(groups.error());
    return groups ? std::move(*groups) : std::vector<EffectiveGroup>();
  }

  static EffectiveValue value(const EffectiveGroup& group, std::string_view key) {
    const auto found = std::find_if(group.values.begin(), group.values.end(),
                                    [key](const EffectiveValue& one) { return one.key == key; });
    EXPECT_NE(found, group.values.end()) << key;
    return found == group.values.end() ? EffectiveValue() : *found;
  }

  support::TemporaryDirectory directory_;
  std::string path_ = directory_.path("main.ini");
};

TEST_F(EffectiveFile, SaysWhereEachValueComesFrom) {
  const auto groups = read(
      "[SESSION_DEFAULTS]\nlogon_password=hunter2\nprofile=quickfix\n[S]\naccept_port=0\n"
      "socket_rx_size=64KiB\n[A]\nbegin_string=FIX.4.4\nsender_comp_id=S\ntarget_comp_id=A\n");
  ASSERT_EQ(groups.size(), 3U);
  EXPECT_EQ(groups[0].kind, GroupKind::Engine);
  EXPECT_EQ(groups[0].where, "");
  EXPECT_EQ(groups[1].name, "S");
  EXPECT_EQ(groups[1].where, path_ + ":4");
  EXPECT_EQ(value(groups[1], "socket_rx_size").value, "65536");
  EXPECT_EQ(value(groups[1], "socket_rx_size").where, path_ + ":6");
  EXPECT_EQ(value(groups[1], "socket_rx_size").origin, Origin::Group);
  EXPECT_EQ(value(groups[1], "disable_nagle").origin, Origin::Standard);
  EXPECT_EQ(value(groups[2], "logon_timeout_seconds").origin, Origin::Profile);
  EXPECT_EQ(value(groups[2], "logon_timeout_seconds").value, "10");
  EXPECT_EQ(value(groups[2], "profile").origin, Origin::Defaults);
  EXPECT_EQ(value(groups[2], "profile").where, path_ + ":3");
  EXPECT_EQ(value(groups[2], "logon_password").value, "...");
  EXPECT_EQ(value(groups[2], "logon_message_new_password").value, "");
  EXPECT_EQ(value(groups[2], "malformed_fields").value, "GARBLED");
}

TEST_F(EffectiveFile, AWrongFileIsRefusedAsEver) {
  std::ofstream(path_) << "[S]\naccept_port=x\n";
  const auto groups = load_effective_configuration(path_);
  ASSERT_FALSE(groups);
  EXPECT_EQ(groups.error().size(), 1U);
}

}  // namespace
}  // namespace affix::config
