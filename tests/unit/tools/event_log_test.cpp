// SPDX-License-Identifier: MIT
// The log of a program: which lines are in it, and where they go when it is opened anew.
#include "process/event_log.hpp"

#include "support/temporary_directory.hpp"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>

namespace affix::tools {
namespace {

using Severity = EventLog::Severity;

class EventLogFile : public ::testing::Test {
 protected:
  EventLog open(const std::string& level = "INFO") {
    engine::EngineSettings settings;
    settings.log_file = path;
    settings.log_level = level;
    auto log = EventLog::open(settings);
    EXPECT_TRUE(log);
    return std::move(*log);
  }

  static std::string text_of(const std::string& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  support::TemporaryDirectory directory;
  std::string path = directory.path("log");
};

TEST_F(EventLogFile, LinesBelowTheLevelAreLeftOut) {
  EventLog log = open("WARNING");
  log.write(Severity::Info, "DESK", "unseen");
  log.write(Severity::Warning, "DESK", "seen");
  log.write(Severity::Error, {}, "seen too");
  EXPECT_EQ(text_of(path).find("unseen"), std::string::npos);
  EXPECT_NE(text_of(path).find(" WARNING DESK: seen\n"), std::string::npos);
  EXPECT_NE(text_of(path).find(" ERROR   seen too\n"), std::string::npos);
}

TEST_F(EventLogFile, OpenedAnewItGoesOnWhereItsPathLeads) {
  EventLog log = open();
  log.write(Severity::Info, {}, "first");
  std::filesystem::rename(path, directory.path("log.1"));
  log.write(Severity::Info, {}, "second");
  ASSERT_TRUE(log.reopen());
  log.write(Severity::Info, {}, "third");
  EXPECT_NE(text_of(directory.path("log.1")).find("second"), std::string::npos);
  EXPECT_EQ(text_of(directory.path("log.1")).find("third"), std::string::npos);
  EXPECT_NE(text_of(path).find("third"), std::string::npos);
  EXPECT_EQ(text_of(path).find("second"), std::string::npos);
}

TEST_F(EventLogFile, WhatCannotBeOpenedAnewGoesOnAsItWas) {
  path = directory.path("logs/log");
  std::filesystem::create_directory(directory.path("logs"));
  EventLog log = open();
  std::filesystem::rename(directory.path("logs"), directory.path("moved"));
  EXPECT_FALSE(log.reopen());
  log.write(Severity::Info, {}, "still there");
  EXPECT_NE(text_of(directory.path("moved/log")).find("still there"), std::string::npos);
}

TEST_F(EventLogFile, StandardErrorIsNotOpenedAnew) {
  path.clear();
  EventLog log = open();
  EXPECT_TRUE(log.reopen());
  EXPECT_EQ(log.place(), "standard error");
}

}  // namespace
}  // namespace affix::tools
