// SPDX-License-Identifier: MIT
// Programs beside this process.
#include "os/child_process.hpp"
#include "support/temporary_directory.hpp"

#include <csignal>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <pthread.h>
#include <thread>

namespace affix::os {
namespace {

using Kind = ChildProcess::End::Kind;

/// The file's bytes; empty: there is none.
std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

ChildProcess::End ended(ChildProcess& child) {
  std::optional<ChildProcess::End> end;
  while (!(end = child.end())) {
    std::this_thread::yield();
  }
  return *end;
}

ChildProcess::End end_of(const std::string& command) {
  auto child = ChildProcess::start({"/bin/sh", "-c", command});
  return child ? ended(*child) : ChildProcess::End{};
}

TEST(ChildProcess, TellsHowItEnded) {
  EXPECT_TRUE(end_of("exit 0").in_order());
  EXPECT_EQ(end_of("exit 0").text(), "has ended in order");
  EXPECT_FALSE(end_of("exit 3").in_order());
  EXPECT_EQ(end_of("exit 3").text(), "has ended with status 3");
  EXPECT_FALSE(end_of("kill -9 $$").in_order());
  EXPECT_EQ(end_of("kill -9 $$").text(), "was ended by signal 9");
  EXPECT_EQ(ChildProcess::End{}.text(), "has ended, and nobody knows how");
}

TEST(ChildProcess, PassesWordsAsTheyAre) {
  auto child = ChildProcess::start({"/usr/bin/test", "a b", "=", "a b"});
  ASSERT_TRUE(child);
  EXPECT_EQ(ended(*child).number, 0);
}

TEST(ChildProcess, AMissingProgramIsTheSystemsError) {
  const auto child = ChildProcess::start({"/missing/program"});
  ASSERT_FALSE(child);
  EXPECT_NE(child.error().text().find("/missing/program"), std::string::npos);
}

// This process may block and ignore signals, as engines do: a command is to end by them.
TEST(ChildProcess, InheritsNoBlockedAndNoIgnoredSignal) {
  sigset_t terminate;
  sigemptyset(&terminate);
  sigaddset(&terminate, SIGTERM);
  sigset_t before;
  ASSERT_EQ(::pthread_sigmask(SIG_BLOCK, &terminate, &before), 0);
  const auto ignored = std::signal(SIGPIPE, SIG_IGN);
  const ChildProcess::End by_term = end_of("kill -15 $$; exit 7");
  const ChildProcess::End by_pipe = end_of("kill -13 $$; exit 7");
  static_cast<void>(std::signal(SIGPIPE, ignored));
  ASSERT_EQ(::pthread_sigmask(SIG_SETMASK, &before, nullptr), 0);
  EXPECT_EQ(by_term.kind, Kind::Signal);
  EXPECT_EQ(by_term.number, SIGTERM);
  EXPECT_EQ(by_pipe.number, SIGPIPE);
}

TEST(ChildProcess, HasAnEmptyInput) {
  EXPECT_TRUE(end_of("read line; test $? = 1").in_order());
}

TEST(ChildProcess, IsKilledWithWhatItStarted) {
  const support::TemporaryDirectory directory;
  const std::string path = directory.path("child");
  auto child = ChildProcess::start(
      {"/bin/sh", "-c",
       "sleep 1000 & echo $! > " + path + ".new; mv " + path + ".new " + path + "; wait"});
  ASSERT_TRUE(child);
  std::string number;
  while ((number = bytes_of(path)).empty()) {
    std::this_thread::yield();
  }
  child->kill_and_wait();
  // Nobody has waited for the grandchild but the system, which may need a moment.
  while (::kill(std::stoi(number), 0) == 0 &&
         bytes_of("/proc/" + std::to_string(std::stoi(number)) + "/stat").find(") Z") ==
             std::string::npos) {
    std::this_thread::yield();
  }
}

}  // namespace
}  // namespace affix::os
