// SPDX-License-Identifier: MIT
// Messages are found in bytes that arrive in any pieces, once each, and garbage between them.
#include "testing/message_input.hpp"

#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <vector>

namespace affix::testing {
namespace {

std::string framed(const std::string& test_request) {
  std::string body = "35=0|112=" + test_request + "|";
  std::string text = "8=FIX.4.4|9=" + std::to_string(body.size()) + "|" + body;
  for (char& letter : text) {
    letter = letter == '|' ? '\x01' : letter;
  }
  unsigned sum = 0;
  for (const char letter : text) {
    sum += static_cast<unsigned char>(letter);
  }
  const std::string digits = std::to_string(sum % 256);
  return text + "10=" + std::string(3 - digits.size(), '0') + digits + '\x01';
}

class MessageInputTest : public ::testing::Test {
 protected:
  /// Values of TestReqID in what is passed, and "?" for garbage.
  std::vector<std::string> taken(std::string_view refused = {}) {
    std::vector<std::string> all;
    input_.take([&](wire::FrameError) { all.emplace_back("?"); },
                [&](const wire::MessageView& message) {
                  all.emplace_back(message.value_at(3));
                  return all.back() != refused;
                });
    return all;
  }

  MessageInput input_;
};

TEST_F(MessageInputTest, AMessageIsPassedWhenItIsWhole) {
  const std::string bytes = framed("A") + framed("B");
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    SCOPED_TRACE(size);
    input_.clear();
    input_.add(bytes.substr(0, size));
    std::vector<std::string> all = taken();
    EXPECT_EQ(all.size(), size < bytes.size() / 2 ? 0U : 1U);
    input_.add(bytes.substr(size));
    for (const std::string& one : taken()) {
      all.push_back(one);
    }
    EXPECT_EQ(all, (std::vector<std::string>{"A", "B"}));
  }
}

TEST_F(MessageInputTest, ARefusedMessageIsPassedAgain) {
  input_.add(framed("A") + framed("B") + framed("C"));
  EXPECT_EQ(taken("B"), (std::vector<std::string>{"A", "B"}));
  EXPECT_EQ(taken(), (std::vector<std::string>{"B", "C"}));
  EXPECT_TRUE(taken().empty());
}

TEST_F(MessageInputTest, GarbageIsReportedAndLeftOut) {
  input_.add("no message" + framed("B"));
  EXPECT_EQ(taken(), (std::vector<std::string>{"?", "B"}));
}

TEST_F(MessageInputTest, ANewConnectionBeginsWithoutTheRestOfTheLastOne) {
  input_.add(framed("A").substr(0, 20));
  EXPECT_TRUE(taken().empty());
  input_.clear();
  input_.add(framed("B"));
  EXPECT_EQ(taken(), std::vector<std::string>{"B"});
}

}  // namespace
}  // namespace affix::testing
