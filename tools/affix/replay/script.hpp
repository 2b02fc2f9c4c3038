// SPDX-License-Identifier: MIT
// The part of a journal that is played: one side's messages to send, the other's to expect, in the
// order in which they were stored.
#pragma once

#include "affix/base/error.hpp"

#include "replay/recorded_message.hpp"

#include <expected>
#include <string>
#include <vector>

namespace affix::inline v0::tools::replay {

struct Step {
  bool send = false;  ///< False: an expected answer.
  RecordedMessage message;
};

/// The session as configured on the side whose messages are sent.
struct Script {
  std::string begin_string;
  std::string sender_comp_id;
  std::string target_comp_id;
  std::string default_app_ver_id;  ///< 1137 of that side's Logon; empty if missing.
  std::string user_name;           ///< 553 of that Logon.
  std::vector<Step> steps;
};

/// Reads application messages, and the other side's Rejects (35=3). `ours`: messages of the
/// journal's own side are sent again; otherwise its peer's. Errors: those of
/// affix::journal::Reader, Unsupported (the journal stores numbers without messages), NotFound (it
/// has no message of that side).
[[nodiscard]] std::expected<Script, base::Error> read_script(const std::string& directory,
                                                             bool ours);

}  // namespace affix::inline v0::tools::replay
