// SPDX-License-Identifier: MIT
// Every message of a version, filled at random with optional fields and nested groups by its
// generated writer, is read by QuickFIX with the same dictionary and validation; QuickFIX's own
// output of it, in another order of fields, is read by the generated reader. One program per
// version: AFFIX_VERSION is its namespace.
#include "affix/wire/encoder.hpp"
#include "affix/wire/index.hpp"

#include "messages/quickfix_reading.hpp"
#include "messages/random_script.hpp"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include AFFIX_EXERCISE

namespace affix::interop {
namespace {

namespace version = affix::AFFIX_VERSION;

/// For a message with all of its fields.
using Index = wire::FieldIndexOf<65'536>;

std::string readable(std::string text) {
  std::ranges::replace(text, wire::soh, '|');
  return text;
}

class Exchange {
 public:
  Exchange(std::uint64_t seed, double probability) : seed_(seed), probability_(probability) {}

  template <typename Reader, typename Writer, typename Write, typename Read>
  void message(Write write, Read read, std::initializer_list<std::uint32_t> ambiguous) {
    ++messages_;
    SCOPED_TRACE("35=" + std::string(Writer::message_type) + ", seed " + std::to_string(seed_));
    RandomScript script(seed_ + messages_, probability_, ambiguous);
    wire::Encoder encoder(buffer_);
    encoder.begin(version::begin_string, Writer::message_type);
    encoder.text(49, "SENDER");
    encoder.text(56, "TARGET");
    encoder.integer(34, messages_);
    encoder.utc_time(52, {1'700'000'000'000'000'000, 0}, wire::TimePrecision::Millis);
    Writer writer(encoder);
    write(writer, script);
    const auto written = writer.finish();
    ASSERT_TRUE(written.has_value())
        << wire::to_text(written.error()) << " " << writer.encoder().error_tag();
    expect_reader<Reader>(*written, read, script);

    const QuickfixMessage theirs = reader_.read(std::string(*written));
    ASSERT_EQ(theirs.error, "") << readable(std::string(*written));
    ASSERT_EQ(theirs.fields, fields_of(*written)) << readable(std::string(*written));
    expect_reader<Reader>(theirs.rewritten, read, script);
  }

  [[nodiscard]] std::uint64_t messages() const { return messages_; }

 private:
  template <typename Reader, typename Read>
  void expect_reader(std::string_view bytes, Read read, RandomScript& script) {
    wire::index_message(bytes, *index_);
    ASSERT_TRUE(index_->clean());
    const auto reader = Reader::from(wire::MessageView(bytes, *index_));
    ASSERT_TRUE(reader.has_value());
    script.rewind();
    read(*reader, script);
    ASSERT_EQ(script.finish(), "") << readable(std::string(bytes));
  }

  std::vector<std::pair<int, std::string>> fields_of(std::string_view bytes) {
    wire::index_message(bytes, *index_);
    std::vector<std::pair<int, std::string>> fields;
    for (const wire::Field& field : wire::MessageView(bytes, *index_)) {
      fields.emplace_back(static_cast<int>(field.tag), field.value);
    }
    std::ranges::sort(fields);
    return fields;
  }

  std::uint64_t seed_;
  double probability_;
  std::uint64_t messages_ = 0;
  std::string buffer_ = std::string(4 << 20, '\0');
  std::unique_ptr<Index> index_ = std::make_unique<Index>();
  QuickfixReader reader_{AFFIX_DICTIONARY, AFFIX_TRANSPORT};
};

TEST(QuickfixMessages, ReadsEveryMessageWithEverythingInIt) {
  Exchange exchange(1, 1.0);
  version::for_each_message(exchange);
  EXPECT_GT(exchange.messages(), 20U);
}

TEST(QuickfixMessages, ReadsEveryMessageWithSomeOfIt) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Exchange exchange(seed * 1'000, 0.3);
    version::for_each_message(exchange);
  }
}

}  // namespace
}  // namespace affix::interop
