// SPDX-License-Identifier: MIT
// Result of a scenario that was played: whether it passed, and every message of each step.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace affix::inline v0::certify {

struct TracedMessage {
  bool sent = false;  ///< By a peer; else by the engine under test.
  std::string peer{};
  std::int64_t at_ns = 0;  ///< After the beginning of the scenario.
  std::string bytes{};
};

struct TracedStep {
  int line = 0;
  std::string source{};  ///< The line.
  std::vector<TracedMessage> messages{};
};

enum class Outcome : std::uint8_t {
  Passed,
  Failed,
  Skipped,  ///< It needs more than this engine under test offers; `fault` has the reason.
};

struct Result {
  std::string id{};
  std::string title{};
  std::string file{};
  int line = 0;
  std::string role{};     ///< Of the engine under test.
  std::string version{};  ///< "4.4".
  std::string session{};  ///< "SENDER-TARGET" of the first peer.
  Outcome outcome = Outcome::Passed;
  int fault_line = 0;
  std::string fault{};  ///< Lines, of which the first says what is wrong.
  double seconds = 0;
  std::vector<TracedStep> steps{};
};

}  // namespace affix::inline v0::certify
