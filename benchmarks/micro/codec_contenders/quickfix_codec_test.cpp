// SPDX-License-Identifier: MIT
// Checks that the QuickFIX contender reads and writes correctly: otherwise its figures would be
// meaningless.
#include "quickfix_codec.hpp"

#include "../messages.hpp"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace affix_bench {
namespace {

using Fields = std::vector<std::pair<int, std::string>>;

/// A slow and obvious reading, with which QuickFIX's is compared.
Fields split(std::string_view message) {
  Fields fields;
  while (!message.empty()) {
    const std::size_t equals = message.find('=');
    const std::size_t soh = message.find('\001', equals);
    fields.emplace_back(std::stoi(std::string(message.substr(0, equals))),
                        std::string(message.substr(equals + 1, soh - equals - 1)));
    message.remove_prefix(soh + 1);
  }
  return fields;
}

std::vector<Message> all_messages() {
  std::vector<Message> messages = mixed_execution_reports();
  messages.insert(messages.end(), {execution_report_169, new_order_single_158, execution_report_248,
                                   seed_new_order_single, seed_execution_report});
  return messages;
}

void expect_same_values(const QuickfixValues& values, const Fields& fields) {
  EXPECT_EQ(values.field_count, fields.size());
  EXPECT_EQ(values.check_sum, static_cast<unsigned>(std::stoul(fields.back().second)));
  std::uint64_t tag_sum = 0;
  std::uint64_t value_bytes = 0;
  for (const auto& [tag, value] : fields) {
    tag_sum += static_cast<std::uint64_t>(tag);
    value_bytes += value.size();
  }
  EXPECT_EQ(values.tag_sum, tag_sum);
  EXPECT_EQ(values.value_bytes, value_bytes);
  for (std::size_t at = 0; at < quickfix_value_count; ++at) {
    const int tag = quickfix_value_tags[at];
    const auto found = std::find_if(fields.begin(), fields.end(),
                                    [tag](const auto& field) { return field.first == tag; });
    const std::string expected = found == fields.end() ? std::string() : found->second;
    EXPECT_EQ(std::string(values.values[at].text, values.values[at].size), expected)
        << "tag " << tag;
  }
}

TEST(QuickfixCodec, ReadsEveryFieldOfEveryMessage) {
  for (const Message& message : all_messages()) {
    QuickfixValues values;
    ASSERT_TRUE(quickfix_parse(message.bytes.data(), message.size, &values)) << message.view();
    expect_same_values(values, split(message.view()));
    ASSERT_TRUE(quickfix_parse_fresh(message.bytes.data(), message.size, &values));
    expect_same_values(values, split(message.view()));
  }
}

TEST(QuickfixCodec, RefusesAChangedByteAndAWrongLength) {
  std::string bytes(execution_report_169.view());
  bytes[60] = bytes[60] == 'A' ? 'B' : 'A';
  EXPECT_FALSE(quickfix_parse(bytes.data(), bytes.size(), nullptr));
  EXPECT_FALSE(quickfix_parse_fresh(bytes.data(), bytes.size(), nullptr));
  bytes = execution_report_169.view();
  bytes[bytes.find("9=146") + 4] = '7';
  EXPECT_FALSE(quickfix_parse(bytes.data(), bytes.size(), nullptr));
}

TEST(QuickfixCodec, WritesTheSeedsOrderInItsOwnFieldOrder) {
  const QuickfixOrder order{2, 1767205296457245600, "1", "NOKIA.HE", 10, 10000};
  std::array<char, 512> bytes{};
  for (auto* encode :
       {&quickfix_encode_new_order_single, &quickfix_encode_new_order_single_fresh}) {
    const std::size_t size = encode(order, bytes.data(), bytes.size());
    ASSERT_EQ(size, seed_new_order_single.size);
    Fields written = split({bytes.data(), size});
    Fields expected = split(seed_new_order_single.view());
    EXPECT_EQ(written.back(), expected.back());
    std::sort(written.begin(), written.end());
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(written, expected);
    EXPECT_EQ(encode(order, bytes.data(), 241), 0U);
  }
}

TEST(QuickfixCodec, FramesWholeMessagesAndKeepsAPartOfOne) {
  std::string stream;
  for (const Message& message : all_messages()) {
    stream += message.view();
  }
  EXPECT_EQ(quickfix_framing(stream.data(), stream.size()), mixed_count + 5);
  const std::size_t half = execution_report_169.size / 2;
  EXPECT_EQ(quickfix_framing(execution_report_169.bytes.data(), half), 0U);
  EXPECT_EQ(
      quickfix_framing(execution_report_169.bytes.data() + half, execution_report_169.size - half),
      1U);
}

TEST(Messages, HaveTheFieldsTheyClaimAndTrueLengths) {
  EXPECT_EQ(split(execution_report_169.view()).size(), execution_report_169_fields);
  EXPECT_EQ(split(new_order_single_158.view()).size(), new_order_single_158_fields);
  EXPECT_EQ(split(execution_report_248.view()).size(), execution_report_248_fields);
  EXPECT_EQ(split(seed_new_order_single.view()).size(), seed_new_order_single_fields);
  EXPECT_EQ(split(seed_execution_report.view()).size(), seed_execution_report_fields);
  for (const Message& message : all_messages()) {
    const std::size_t body = message.view().find("\00135=") + 1;
    EXPECT_EQ(split(message.view())[1].second, std::to_string(message.size - 7 - body));
  }
}

TEST(Messages, MixedReportsDifferAndTheirOrderUsesAll) {
  const std::vector<Message> messages = mixed_execution_reports();
  std::set<std::string_view> different;
  std::set<std::size_t> sizes;
  for (const Message& message : messages) {
    different.insert(message.view());
    sizes.insert(message.size);
  }
  EXPECT_EQ(different.size(), mixed_count);
  EXPECT_GT(sizes.size(), 30U);
  EXPECT_GE(*sizes.begin(), 130U);
  EXPECT_LE(*sizes.rbegin(), 300U);
  const std::vector<std::uint8_t> order = mixed_order(4096);
  EXPECT_EQ(std::set<std::uint8_t>(order.begin(), order.end()).size(), mixed_count);
}

}  // namespace
}  // namespace affix_bench
