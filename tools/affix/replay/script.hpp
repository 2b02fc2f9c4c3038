// SPDX-License-Identifier: MIT
// What of a journal is played: the messages of one side to be sent, those of the other to be
// awaited, in the order in which they were stored.
#pragma once

#include "affix/base/error.hpp"

#include "replay/recorded_message.hpp"

#include <expected>
#include <string>
#include <vector>

namespace affix::inline v0::tools::replay {

struct Step {
  bool send = false;  ///< Else it is an answer.
  RecordedMessage message;
};

/// The session as the side had it whose messages are sent.
struct Script {
  std::string begin_string;
  std::string sender_comp_id;
  std::string target_comp_id;
  std::string default_app_ver_id;  ///< 1137 of that side's Logon; empty without one.
  std::string user_name;           ///< 553 of it.
  std::vector<Step> steps;
};

/// Application messages, and the other side's Rejects (35=3). `ours`: what the journal's own side
/// sent is sent again; else what its peer sent. Errors: those of journal::Reader, Unsupported (the
/// journal keeps numbers without messages), NotFound (no message of that side is in it).
[[nodiscard]] std::expected<Script, base::Error> read_script(const std::string& directory,
                                                             bool ours);

}  // namespace affix::inline v0::tools::replay
