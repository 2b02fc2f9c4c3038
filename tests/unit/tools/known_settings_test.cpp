// SPDX-License-Identifier: MIT
// The keys that the importer's table names are keys of the configuration.
#include "import_quickfix/known_settings.hpp"

#include "affix/config/configuration_catalogue.hpp"

#include <algorithm>
#include <cstddef>
#include <gtest/gtest.h>
#include <string_view>

namespace affix::tools::import_quickfix {
namespace {

TEST(KnownSettings, EveryKeyThatASettingBecomesExists) {
  const auto keys = affix::config::describe_keys();
  std::size_t count = 0;
  for (const KnownSetting& setting : known_settings()) {
    EXPECT_EQ(setting.keys.empty(), setting.fate == Fate::Left) << setting.name;
    for (std::string_view rest = setting.keys; !rest.empty();) {
      const std::size_t comma = std::min(rest.find(", "), rest.size());
      const std::string_view key = rest.substr(0, comma);
      rest.remove_prefix(std::min(comma + 2, rest.size()));
      // A remark in place of a key, or the word for a group's kind.
      if (key.starts_with('(') || key.starts_with('#') || key == "type") {
        continue;
      }
      ++count;
      EXPECT_NE(std::ranges::find(keys, key, &affix::config::KeyDescription::name), keys.end())
          << setting.name << " becomes " << key;
    }
  }
  EXPECT_GT(count, 60U);
}

}  // namespace
}  // namespace affix::tools::import_quickfix
