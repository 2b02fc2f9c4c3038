// SPDX-License-Identifier: MIT
// A hand-written counterparty for a session under test: sends messages that the test writes, valid
// or not, and stores the answers. Knows no protocol. Allocates; for tests only.
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
  /// Both must outlive this. The peer's identity mirrors the endpoint's options.
  ScriptedPeer(SessionEndpoint& endpoint, ManualClock& clock)
      : endpoint_(endpoint), clock_(clock) {}

  std::uint64_t next_sequence = 1;

  /// Overrides of header fields; empty or 0: the default.
  struct Header {
    std::uint64_t sequence = 0;
    std::string begin_string = {};
    std::string sender = {};
    std::string target = {};
    std::string sending_time = {};
    bool possible_duplicate = false;
    std::string extra = {};  ///< Additional fields after 52, `|`-separated.
  };

  /// Makes a message of this peer with the next number, or with the number in `header`, which does
  /// not advance the next number.
  [[nodiscard]] std::string message(std::string_view type, std::string_view fields = {});
  [[nodiscard]] std::string message(std::string_view type, std::string_view fields,
                                    const Header& header);

  /// Makes a message and passes it to the endpoint. Returns the endpoint's answers.
  std::vector<std::string> say(std::string_view type, std::string_view fields = {});
  std::vector<std::string> say(std::string_view type, std::string_view fields,
                               const Header& header);

  /// Passes raw bytes to the endpoint.
  std::vector<std::string> say_bytes(std::string_view bytes);

  /// Returns messages that the endpoint sends, including replay pages.
  std::vector<std::string> listen();

  /// Advances virtual time, from one endpoint deadline to the next; returns messages sent then.
  std::vector<std::string> pass(std::int64_t ns);

 private:
  SessionEndpoint& endpoint_;
  ManualClock& clock_;
};

}  // namespace affix::inline v0::testing
