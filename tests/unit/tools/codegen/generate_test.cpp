// SPDX-License-Identifier: MIT
// Output of the generator: the exact text for a small venue's unusual dictionary, the same text
// every time, and only an error for impossible input.
#include "codegen/generate.hpp"

#include "affix/dictionary/load.hpp"
#include "affix/wire/index.hpp"

#include "support/has_message.hpp"
#include "support/lines.hpp"
#include "support/small_dictionary.hpp"
#include "support/whole_file.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace affix::tools::codegen {
namespace {

namespace fs = std::filesystem;
using support::lines_of;

dictionary::Dictionary venue() {
  dictionary::Loaded loaded = dictionary::load(AFFIX_GOLDEN "/venue.xml");
  EXPECT_TRUE(loaded) << dictionary::make_error(loaded.problems, "venue.xml").text();
  return loaded ? *std::move(loaded.dictionary) : dictionary::Dictionary();
}

std::map<std::string, std::string> generated(const dictionary::Dictionary& dictionary,
                                             const dictionary::Dictionary* transport = nullptr,
                                             const std::string& name_space = "acme::venue") {
  const auto files = generate(dictionary, transport, {.name_space = name_space});
  EXPECT_TRUE(files.has_value());
  std::map<std::string, std::string> texts;
  for (const GeneratedFile& file : files.value_or(std::vector<GeneratedFile>())) {
    EXPECT_TRUE(texts.emplace(file.path, file.text).second) << file.path << " twice";
  }
  return texts;
}

// AFFIX_UPDATE_GOLDEN=1 writes the files instead of comparing them.
TEST(Generate, GivesTheGoldenText) {
  const fs::path folder = AFFIX_GOLDEN "/venue";
  std::map<std::string, std::string> expected;
  const auto texts = generated(venue());
  if (std::getenv("AFFIX_UPDATE_GOLDEN") != nullptr) {
    fs::remove_all(folder);
    for (const auto& [path, text] : texts) {
      fs::create_directories((folder / path).parent_path());
      std::ofstream(folder / (path + ".golden"), std::ios::binary) << text;
    }
  }
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) {
      std::string path = entry.path().lexically_relative(folder).string();
      path.resize(path.size() - std::string(".golden").size());
      expected.emplace(path, support::read_file(entry.path()));
    }
  }
  for (const auto& [path, text] : texts) {
    EXPECT_EQ(text, expected[path]) << path;
  }
  EXPECT_EQ(texts.size(), expected.size());
}

/// The cells of a table's row, trimmed; none for any other line.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  for (std::size_t at = 1; line.starts_with("| ") && at < line.size();) {
    const std::size_t bar = std::min(line.find('|', at), line.size());
    const std::size_t first = line.find_first_not_of(' ', at);
    cells.push_back(first >= bar ? std::string() : line.substr(first, bar - first - 1));
    at = bar + 1;
  }
  return cells;
}

// In both directions: a page names existing functions, and names all of a writer's.
TEST(Generate, PagesNameTheFunctionsThatTheHeadersHave) {
  const auto headers = generated(venue());
  std::string everything;
  for (const auto& [path, text] : headers) {
    everything += text;
  }
  const auto pages = message_pages(venue(), nullptr, "acme::venue");
  ASSERT_TRUE(pages);
  std::set<std::string> paths;
  for (const GeneratedFile& page : *pages) {
    paths.insert(page.path);
  }
  std::size_t rows = 0;
  for (const GeneratedFile& page : *pages) {
    const bool is_message = !page.path.starts_with("enums/") && page.path != "README.md";
    const std::size_t columns = is_message ? 6 : 3;
    std::set<std::string> named;
    for (const std::string& line : lines_of(page.text)) {
      const std::vector<std::string> cells = cells_of(line);
      if (cells.empty()) {
        continue;
      }
      ++rows;
      ASSERT_EQ(cells.size(), columns) << page.path << ": " << line;
      if (is_message && cells[4].starts_with('`')) {
        const std::string function = cells[4].substr(1, cells[4].size() - 2);
        named.insert(function);
        EXPECT_NE(everything.find(" " + function + "() const noexcept"), std::string::npos)
            << page.path << ": " << function;
      }
      const std::size_t link = line.find("](");
      if (link != std::string::npos) {
        const std::string target = line.substr(link + 2, line.find(')', link) - link - 2);
        EXPECT_TRUE(paths.contains(target)) << page.path << ": " << target;
      }
    }
    const auto header =
        headers.find("acme/venue/" + page.path.substr(0, page.path.size() - 3) + ".hpp");
    ASSERT_TRUE(header != headers.end() || page.path == "README.md") << page.path;
    for (const std::string& line :
         header == headers.end() ? std::vector<std::string>() : lines_of(header->second)) {
      const std::size_t setter = line.find("Self_& ");
      const std::size_t end = line.find('(');
      if (setter != std::string::npos && end != std::string::npos && setter + 7 < end) {
        const std::string function = line.substr(setter + 7, end - setter - 7);
        EXPECT_TRUE(function == "self" || named.contains(function))
            << page.path << ": " << function;
      }
    }
  }
  EXPECT_GT(rows, 40U);
  EXPECT_TRUE(paths.contains("README.md"));
  EXPECT_FALSE(message_pages(venue(), nullptr, "not a namespace"));
}

TEST(Generate, PagesHaveRequiredFieldsAndMeaningsOfValues) {
  const dictionary::Dictionary small(affix_test::small_parts());
  const auto pages = message_pages(small, nullptr, "acme");
  ASSERT_TRUE(pages);
  const auto order = std::ranges::find(*pages, "order.md", &GeneratedFile::path);
  ASSERT_NE(order, pages->end());
  std::string rows;
  for (const std::string& line : lines_of(order->text)) {
    rows += line.starts_with("|") ? line + "\n" : "";
  }
  EXPECT_EQ(rows, R"(| tag | name | | type | function | value |
|---|---|---|---|---|---|
|  | Block | | component |  |  |
|  | &nbsp;&nbsp;Parties | required | component |  |  |
| 453 | &nbsp;&nbsp;&nbsp;&nbsp;NoPartyIDs | required | group | `no_party_ids` | entries are `NoPartyIDs` |
| 448 | &nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;PartyID | required | String | `party_id` | `std::string_view` |
| 55 | &nbsp;&nbsp;Symbol | required | String | `symbol` | `std::string_view` |
| 54 | Side | required | String | `side` | [Side](enums/side.md): 1 `Buy`, 2 `Sell`, 10 `Ten` |
)");
}

/// A page's sample, with `|` for SOH; empty if the page has none.
std::string sample_of(const GeneratedFile& page) {
  for (const std::string& line : lines_of(page.text)) {
    if (line.starts_with("8=")) {
      return line;
    }
  }
  return {};
}

TEST(Generate, PagesHaveASampleWithTheRequiredFields) {
  const dictionary::Dictionary small(affix_test::small_parts());
  const auto pages = message_pages(small, nullptr, "acme");
  ASSERT_TRUE(pages);
  const auto order = std::ranges::find(*pages, "order.md", &GeneratedFile::path);
  const auto report = std::ranges::find(*pages, "report.md", &GeneratedFile::path);
  ASSERT_TRUE(order != pages->end() && report != pages->end());
  const std::string header = "|49=SENDER|56=TARGET|34=2|52=20260105-09:30:00|";
  EXPECT_NE(sample_of(*order).find("|35=D" + header + "54=1|10="), std::string::npos)
      << sample_of(*order);
  EXPECT_NE(sample_of(*report).find("|35=AE" + header + "10="), std::string::npos)
      << sample_of(*report);
}

TEST(Generate, SamplesOfPagesAreMessagesWithoutADefect) {
  const auto pages = message_pages(venue(), nullptr, "acme::venue");
  ASSERT_TRUE(pages);
  std::size_t samples = 0;
  for (const GeneratedFile& page : *pages) {
    std::string sample = sample_of(page);
    std::ranges::replace(sample, '|', '\x01');
    if (!sample.empty()) {
      wire::FieldIndexOf<256> index;
      wire::index_message(sample, index);
      EXPECT_TRUE(index.clean()) << page.path << ": " << sample;
      ++samples;
    }
  }
  EXPECT_GE(samples, 2U);
}

TEST(Generate, SaysTheSameForTheSameDictionaryInAnotherOrder) {
  dictionary::Parts parts = venue().parts();
  std::ranges::reverse(parts.messages);
  EXPECT_EQ(generated(dictionary::Dictionary(parts)), generated(venue()));
}

TEST(Generate, VersionHeaderComesLastAndChangesWithAnyOther) {
  const auto files = generate(venue(), nullptr, {.name_space = "acme::venue"});
  ASSERT_TRUE(files.has_value());
  EXPECT_EQ(files->back().path, version_header("acme::venue"));
  EXPECT_EQ(files->back().path, "acme/venue/version.hpp");
  dictionary::Parts parts = venue().parts();
  parts.messages.front().name = "Renamed";
  const auto changed =
      generate(dictionary::Dictionary(parts), nullptr, {.name_space = "acme::venue"});
  ASSERT_TRUE(changed.has_value());
  EXPECT_NE(files->back().text, changed->back().text);
}

TEST(Generate, RefusesTextThatIsNotANamespace) {
  for (const char* name : {"", "1x", "a::", "../x", "a b"}) {
    const auto files = generate(venue(), nullptr, {.name_space = name});
    ASSERT_FALSE(files.has_value()) << name;
    EXPECT_EQ(files.error().code, base::ErrorCode::InvalidArgument);
  }
}

TEST(Generate, MessagesThatBecomeOneNameAreDistinguished) {
  dictionary::Parts parts = venue().parts();
  parts.messages.push_back({"U9", "OddLotOrder", dictionary::MessageCategory::App, {}});
  parts.messages.push_back({"UA", "Price", dictionary::MessageCategory::App, {}});
  const auto texts = generated(dictionary::Dictionary(parts));
  EXPECT_TRUE(texts.contains("acme/venue/odd_lot_order.hpp"));
  EXPECT_TRUE(texts.contains("acme/venue/odd_lot_order_U9.hpp"));
  EXPECT_NE(texts.at("acme/venue/odd_lot_order_U9.hpp").find("class OddLotOrder_U9 "),
            std::string::npos);
  // The strong type keeps its name.
  EXPECT_NE(texts.at("acme/venue/price.hpp").find("class Price_UA "), std::string::npos);
}

TEST(Generate, TransportGivesHeaderAndSessionMessages) {
  using namespace affix_test;
  dictionary::Parts transport;
  transport.version = {.is_transport = true, .major = 1, .minor = 1};
  transport.fields = {make_field(8, "BeginString"), make_field(108, "HeartBtInt")};
  transport.header = {field(0, true)};
  transport.messages = {{"A", "Logon", dictionary::MessageCategory::Admin, {field(1, true)}}};
  const dictionary::Dictionary of_transport(std::move(transport));
  const auto texts = generated(venue(), &of_transport);
  EXPECT_NE(texts.at("acme/venue/logon.hpp").find("heart_bt_int"), std::string::npos);
  EXPECT_NE(texts.at("acme/venue/header.hpp").find("begin_string"), std::string::npos);
  EXPECT_EQ(texts.at("acme/venue/header.hpp").find("desk_code"), std::string::npos);
}

TEST(Generate, MessagesOfATransportBeginWithItsBeginString) {
  dictionary::Parts parts = venue().parts();
  parts.version = {.major = 4, .minor = 4};
  const dictionary::Dictionary fix44(std::move(parts));
  EXPECT_NE(generated(fix44).at("acme/venue/version.hpp").find("begin_string = \"FIX.4.4\""),
            std::string::npos);

  dictionary::Parts of_transport;
  of_transport.version = {.is_transport = true, .major = 1, .minor = 1};
  const dictionary::Dictionary fixt(std::move(of_transport));
  const auto texts = generated(fix44, &fixt);
  const std::string& version = texts.at("acme/venue/version.hpp");
  EXPECT_NE(version.find("begin_string = \"FIXT.1.1\""), std::string::npos) << version;
  EXPECT_NE(version.find("appl_ver_id = \"6\""), std::string::npos) << version;

  const auto refused = generate(venue(), &fix44, {.name_space = "acme"});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, base::ErrorCode::InvalidArgument);
  EXPECT_TRUE(support::has_message(refused.error().text(), "D126", {"FIX.4.4"}));
}

TEST(Generate, AFieldTwiceByWayOfComponentsIsThereOnce) {
  using namespace affix_test;
  dictionary::Parts parts = small_parts();
  // Symbol is in Block too.
  parts.messages[1].members.push_back(field(3));
  const auto texts = generated(dictionary::Dictionary(std::move(parts)));
  const std::string& order = texts.at("acme/venue/order.hpp");
  const std::size_t first = order.find("> symbol() const");
  EXPECT_NE(first, std::string::npos);
  EXPECT_EQ(order.find("> symbol() const", first + 1), std::string::npos);
  EXPECT_EQ(order.find("BlockFields<Self>"), std::string::npos);
}

}  // namespace
}  // namespace affix::tools::codegen
