// SPDX-License-Identifier: MIT
// A GoogleTest fixture that plays scenarios: each is a test of its own. Needs GoogleTest's headers,
// which the including program has.
#pragma once

#include "affix/certify/run.hpp"

#include <cctype>
#include <gtest/gtest.h>
#include <ostream>
#include <string>
#include <vector>

namespace affix::inline v0::certify {

/// How GoogleTest prints a parameter.
inline void PrintTo(const ScenarioName& name, std::ostream* out) {
  *out << name.id << ": " << name.title << " (" << name.file << ":" << name.line << ")";
}

/// Derive from it, start the engine under test in SetUp(), and say in engine() where it is:
///
///   class Venue : public affix::certify::ScenarioTest {
///    protected:
///     affix::certify::RunOptions engine() override { return {.address = ..., .sessions = ...}; }
///   };
///   TEST_P(Venue, Passes) { play(); }
///   INSTANTIATE_TEST_SUITE_P(Orders, Venue, testing::ValuesIn(
///       affix::certify::scenarios_for_tests({"scenarios/orders"})), affix::certify::test_name);
class ScenarioTest : public testing::TestWithParam<ScenarioName> {
 protected:
  /// Address or port, sessions and variables. Paths and ids are set by play().
  [[nodiscard]] virtual RunOptions engine() = 0;

  /// Plays the parameter's scenario on the engine's sessions. Fails the test with the text of each
  /// failure; skips it if the scenario cannot be played against this engine.
  void play() {
    RunOptions options = engine();
    options.paths = {GetParam().file};
    options.ids = {GetParam().id};
    const auto results = run(options);
    ASSERT_TRUE(results.has_value()) << results.error();
    for (const Result& result : *results) {
      if (result.outcome == Outcome::Failed) {
        ADD_FAILURE() << failure_text(result);
      }
    }
    if (totals_of(*results).passed + totals_of(*results).failed == 0) {
      GTEST_SKIP() << (results->empty() ? "it is for another role or version"
                                        : results->front().fault);
    }
  }
};

/// Scenarios as parameters. A wrong file gives one parameter without an id, whose test fails.
[[nodiscard]] inline std::vector<ScenarioName> scenarios_for_tests(
    const std::vector<std::string>& paths) {
  auto names = list(paths);
  return names ? std::move(*names) : std::vector<ScenarioName>{{.title = names.error()}};
}

/// Name of a test: the id and the line, without characters that GoogleTest does not take.
[[nodiscard]] inline std::string test_name(const testing::TestParamInfo<ScenarioName>& parameter) {
  std::string name;
  for (const char character : parameter.param.id) {
    name += (std::isalnum(static_cast<unsigned char>(character)) != 0) ? character : '_';
  }
  return name + "_" + std::to_string(parameter.param.line);
}

}  // namespace affix::inline v0::certify
