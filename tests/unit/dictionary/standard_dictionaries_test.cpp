// SPDX-License-Identifier: MIT
// The dictionaries of the repository: the contents of their sources, in canonical bytes, and a few
// well-known facts about each.
#include "affix/dictionary/canonical.hpp"
#include "affix/dictionary/load.hpp"

#include "support/whole_file.hpp"

#include <filesystem>
#include <gtest/gtest.h>
#include <sstream>
#include <string>

namespace {

using namespace affix::dictionary;
using affix::support::read_file;

const std::string folder = AFFIX_DICTIONARIES "/";

TEST(StandardDictionaries, HaveTheCountsOfTheirSources) {
  std::istringstream counts(read_file(folder + "counts.tsv"));
  std::string line;
  std::getline(counts, line);
  std::getline(counts, line);
  int files = 0;
  while (std::getline(counts, line)) {
    std::istringstream row(line);
    std::string name;
    std::size_t messages = 0;
    std::size_t components = 0;
    std::size_t groups = 0;
    std::size_t fields = 0;
    std::size_t values = 0;
    row >> name >> messages >> components >> groups >> fields >> values;
    ASSERT_TRUE(row) << line;
    const Loaded loaded = load(folder + name);
    ASSERT_TRUE(loaded) << name;
    EXPECT_EQ(loaded.dictionary->messages().size(), messages) << name;
    EXPECT_EQ(loaded.dictionary->components().size(), components) << name;
    EXPECT_EQ(loaded.dictionary->groups().size(), groups) << name;
    EXPECT_EQ(loaded.dictionary->fields().size(), fields) << name;
    std::size_t found = 0;
    for (const Field& field : loaded.dictionary->fields()) {
      found += field.values.size();
    }
    EXPECT_EQ(found, values) << name;
    ++files;
  }
  EXPECT_EQ(files, 10);
}

TEST(StandardDictionaries, AreCanonicalAndSayTheirVersion) {
  const struct {
    const char* file;
    const char* version;
    const char* begin_string;
  } rows[] = {{"FIX40", "FIX.4.0", "FIX.4.0"},
              {"FIX41", "FIX.4.1", "FIX.4.1"},
              {"FIX42", "FIX.4.2", "FIX.4.2"},
              {"FIX43", "FIX.4.3", "FIX.4.3"},
              {"FIX44", "FIX.4.4", "FIX.4.4"},
              {"FIX50", "FIX.5.0", "FIXT.1.1"},
              {"FIX50SP1", "FIX.5.0SP1", "FIXT.1.1"},
              {"FIX50SP2", "FIX.5.0SP2", "FIXT.1.1"},
              {"FIXLatest", "FIX.Latest_EP269", "FIXT.1.1"},
              {"FIXT11", "FIXT.1.1", "FIXT.1.1"}};

  for (const auto& row : rows) {
    const std::string bytes = read_file(folder + row.file + ".xml");
    const Loaded loaded = load_text(bytes);
    ASSERT_TRUE(loaded) << row.file;
    EXPECT_EQ(loaded.dictionary->version().name(), row.version);
    EXPECT_EQ(loaded.dictionary->version().begin_string(), row.begin_string);
    EXPECT_TRUE(write_canonical(*loaded.dictionary) == bytes) << row.file << " is not canonical";
  }
}

TEST(StandardDictionaries, LoadWithoutProblems) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (!name.ends_with(".xml")) {
      continue;
    }
    ++files;
    const Loaded loaded = load(entry.path().string());
    ASSERT_TRUE(loaded) << name;
    std::string problems;
    for (const Problem& problem : loaded.problems) {
      problems += to_text(problem, name) + '\n';
    }
    EXPECT_EQ(problems, "") << name;
  }
  EXPECT_EQ(files, 10);
}

TEST(StandardDictionaries, KnowAnOrder) {
  for (const char* file : {"FIX40", "FIX42", "FIX44", "FIX50SP2", "FIXLatest"}) {
    const Loaded loaded = load(folder + file + ".xml");
    ASSERT_TRUE(loaded) << file;
    const Dictionary& dictionary = *loaded.dictionary;
    ASSERT_NE(dictionary.find_message_by_type("D"), nullptr) << file;
    EXPECT_EQ(dictionary.find_field("Side")->tag, 54U) << file;
    EXPECT_FALSE(dictionary.value_name(54, "1").empty()) << file;
    EXPECT_EQ(dictionary.find_field("EncodedText") == nullptr,
              dictionary.version().name() == "FIX.4.0")
        << file;
  }
}

TEST(StandardDictionaries, EveryDataFieldHasItsLength) {
  for (const char* file : {"FIX40", "FIX41", "FIX42", "FIX43", "FIX44", "FIX50", "FIX50SP1",
                           "FIX50SP2", "FIXLatest", "FIXT11"}) {
    const Loaded loaded = load(folder + file + ".xml");
    ASSERT_TRUE(loaded) << file;
    for (const Field& field : loaded.dictionary->fields()) {
      EXPECT_TRUE(!has_raw_bytes(field.type) || field.length_tag != 0)
          << file << " " << field.tag << " " << field.name;
    }
  }
}

}  // namespace
