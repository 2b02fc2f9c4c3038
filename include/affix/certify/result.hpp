// SPDX-License-Identifier: MIT
// Result of a scenario that was played: whether it passed, and every message of each step.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace affix::inline v0::certify {

/// A message of a step, as it was sent or came.
struct TracedMessage {
  bool sent = false;       ///< By a peer; else by the engine under test.
  std::string peer{};      ///< Name of the peer, such as "A".
  std::int64_t at_ns = 0;  ///< After the beginning of the scenario.
  std::string bytes{};     ///< The whole message.
};

/// A step that was played.
struct TracedStep {
  int line = 0;                           ///< Its line in the file, from 1.
  std::string source{};                   ///< The line.
  std::vector<TracedMessage> messages{};  ///< In the order in which they were sent or came.
};

/// How a scenario ended.
enum class Outcome : std::uint8_t {
  Passed,
  Failed,
  Skipped,  ///< It needs more than this engine under test offers; `fault` has the reason.
};

/// Result of one scenario in one version on one session.
struct Result {
  std::string id{};                   ///< Of the scenario.
  std::string title{};                ///< Of the scenario.
  std::string file{};                 ///< Path of its file.
  int line = 0;                       ///< Of the file, where it begins.
  std::string role{};                 ///< Of the engine under test.
  std::string version{};              ///< "4.4".
  std::string session{};              ///< "SENDER-TARGET" of the first peer.
  Outcome outcome = Outcome::Passed;  ///< How it ended.
  int fault_line = 0;                 ///< Line of the step that failed; 0: none did.
  std::string fault{};                ///< Lines, of which the first says what is wrong.
  double seconds = 0;                 ///< Its duration.
  std::vector<TracedStep> steps{};    ///< Steps that were played, with their messages.
};

}  // namespace affix::inline v0::certify
