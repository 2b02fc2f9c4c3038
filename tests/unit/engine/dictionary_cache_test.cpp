// SPDX-License-Identifier: MIT
// A dictionary is read again only when no session and no template uses it.
#include "engine/dictionary_cache.hpp"

#include "support/temporary_directory.hpp"
#include "support/validation_dictionary.hpp"

#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace affix::engine {
namespace {

class DictionaryCacheTest : public ::testing::Test {
 protected:
  DictionaryCacheTest() : path_(directory_.path("a.xml")) {
    std::ofstream(path_) << support::small_xml();
    settings_.name = "S";
    settings_.begin_string = "FIX.4.4";
    settings_.dictionary = path_;
  }

  /// With a store of its own, as a change of sessions has.
  std::expected<host::SessionDictionary, std::vector<config::Finding>> open(
      std::size_t worker = 0) {
    host::DictionaryStore store;
    return cache_.open(store, settings_, worker);
  }

  void spoil_file() const { std::ofstream(path_) << "gone"; }

  support::TemporaryDirectory directory_;
  std::string path_;
  config::SessionSettings settings_;
  DictionaryCache cache_;
};

TEST_F(DictionaryCacheTest, AFileInUseIsNotReadAgain) {
  const auto first = open();
  ASSERT_TRUE(first) << config::text_of(config::problems_of(first.error()));
  spoil_file();
  cache_.drop_unused();
  settings_.validation_preset = config::ValidationPreset::Tolerant;
  const auto second = open();
  ASSERT_TRUE(second) << config::text_of(config::problems_of(second.error()));
  EXPECT_EQ(second->field_name(38), "Qty");
  EXPECT_EQ(cache_.size(), 1U);
  EXPECT_FALSE(open(1)) << "another worker's sessions share nothing with it";
}

TEST_F(DictionaryCacheTest, AFileThatNobodyUsesIsReadAgain) {
  ASSERT_TRUE(open());
  EXPECT_EQ(cache_.size(), 1U);
  cache_.drop_unused();
  EXPECT_EQ(cache_.size(), 0U);
  spoil_file();
  EXPECT_FALSE(open());
}

TEST_F(DictionaryCacheTest, TemplatesUseTheirs) {
  std::vector<host::SessionDictionary> kept;
  kept.push_back(*open());
  cache_.keep_for_templates(std::move(kept));
  cache_.drop_unused();
  EXPECT_EQ(cache_.size(), 1U);
  cache_.keep_for_templates({});
  cache_.drop_unused();
  EXPECT_EQ(cache_.size(), 0U);
}

TEST_F(DictionaryCacheTest, ASessionWithoutADictionaryLeavesNothing) {
  settings_.dictionary.clear();
  const auto none = open();
  ASSERT_TRUE(none);
  EXPECT_FALSE(none->has_names());
  EXPECT_EQ(cache_.size(), 0U);
}

}  // namespace
}  // namespace affix::engine
