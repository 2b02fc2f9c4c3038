// SPDX-License-Identifier: MIT
// The test's own process, as the system describes it.
#include "affix/os/this_process.hpp"

#include "affix/os/pipe.hpp"

#include "os/random.hpp"
#include "os/this_thread.hpp"

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <unistd.h>

namespace affix::os {

TEST(ThisProcess, KnowsItsProgramAndItsWords) {
  const std::filesystem::path program = own_program();
  EXPECT_TRUE(std::filesystem::is_regular_file(program)) << program;
  const std::vector<std::string> words = own_arguments();
  ASSERT_FALSE(words.empty());
  EXPECT_FALSE(words.front().empty());
}

TEST(ThisProcess, CountsItsDescriptors) {
  const auto before = open_descriptors();
  ASSERT_TRUE(before);
  Pipe pipe = make_pipe();
  ASSERT_TRUE(pipe.read_end.is_open());
  EXPECT_EQ(open_descriptors(), *before + 2);
  ASSERT_EQ(::write(pipe.write_end.number(), "x", 1), 1);
  char got = 0;
  EXPECT_EQ(::read(pipe.read_end.number(), &got, 1), 1);
  EXPECT_EQ(got, 'x');
  pipe = Pipe();
  EXPECT_EQ(open_descriptors(), before);
  EXPECT_GE(descriptors_max().value_or(0), *before);
}

TEST(ThisProcess, ReadsItsVariables) {
  ::setenv("AFFIX_THIS_PROCESS_TEST", "here", 1);
  EXPECT_STREQ(trusted_variable("AFFIX_THIS_PROCESS_TEST"), "here");
  ::unsetenv("AFFIX_THIS_PROCESS_TEST");
  EXPECT_EQ(trusted_variable("AFFIX_THIS_PROCESS_TEST"), nullptr);
}

TEST(ThisThread, HasANumber) {
  EXPECT_GT(thread_number(), 0);
  EXPECT_EQ(thread_number(), thread_number());
}

TEST(Random, FillsMemory) {
  std::uint64_t one = 0;
  std::uint64_t other = 0;
  EXPECT_TRUE(fill_randomly(&one, sizeof one));
  EXPECT_TRUE(fill_randomly(&other, sizeof other));
  EXPECT_NE(one, other);
}

}  // namespace affix::os
