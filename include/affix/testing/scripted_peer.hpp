// SPDX-License-Identifier: MIT
// The other side of a session under test, written by hand: it sends what a test says, right or
// wrong, and keeps what it gets. Knows no protocol. Allocates; for tests only.
#pragma once

#include "affix/testing/manual_clock.hpp"
#include "affix/testing/session_endpoint.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::testing {

class ScriptedPeer {
 public:
  /// Both outlive this. The peer's identity is the mirror of the endpoint's options.
  ScriptedPeer(SessionEndpoint& endpoint, ManualClock& clock)
      : endpoint_(endpoint), clock_(clock) {}

  std::uint64_t next_sequence = 1;

  /// Overrides of the header; empty or 0 means the usual.
  struct Header {
    std::uint64_t sequence = 0;
    std::string begin_string = {};
    std::string sender = {};
    std::string target = {};
    std::string sending_time = {};
    bool possible_duplicate = false;
    std::string extra = {};  ///< Further fields behind 52, `|`-separated.
  };

  /// A message of this peer with the next number, or the header's own, which does not count as the
  /// next.
  [[nodiscard]] std::string message(std::string_view type, std::string_view fields = {});
  [[nodiscard]] std::string message(std::string_view type, std::string_view fields,
                                    const Header& header);

  /// The same, and the endpoint gets it. Returns what the endpoint sends in answer.
  std::vector<std::string> say(std::string_view type, std::string_view fields = {});
  std::vector<std::string> say(std::string_view type, std::string_view fields,
                               const Header& header);

  /// Raw bytes to the endpoint.
  std::vector<std::string> say_bytes(std::string_view bytes);

  /// What the endpoint has to send, replay pages included.
  std::vector<std::string> listen();

  /// Virtual time passes, in steps of the endpoint's own deadlines; returns what it sent meanwhile.
  std::vector<std::string> pass(std::int64_t ns);

 private:
  SessionEndpoint& endpoint_;
  ManualClock& clock_;
};

}  // namespace affix::inline v0::testing
