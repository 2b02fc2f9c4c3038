// SPDX-License-Identifier: MIT
// Makes a scenario of the messages of live sessions: one side is played again, and times, ids and
// prices become variables. No file and no clock.
#pragma once

#include "certify/recorded_message.hpp"
#include "log/message_names.hpp"

#include <cstdint>
#include <expected>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::tools::certify {

struct RecordOptions {
  std::string engine{};  ///< CompID of the engine under test; empty: of the acceptor.
  std::string id = "recorded";
  std::string title = "a recorded session";
  std::string source{};  ///< Where the messages are from, for the first line.
};

class Recording {
 public:
  explicit Recording(RecordOptions options) : options_(std::move(options)) {}

  /// Adds the next message, in the order of time: `bytes` with SOH between its fields.
  void add(std::string_view bytes, std::int64_t utc_ns);

  /// The scenario's text, with messages in_execution_order(). For one call. The error is a
  /// sentence: there is no Logon, or none of that engine; a value cannot be part of a scenario.
  [[nodiscard]] std::expected<std::string, std::string> text(log::MessageNames& names);

 private:
  /// A session, from its first Logon on.
  struct Peer {
    std::string name;  ///< In the scenario.
    bool is_on = true;
  };

  [[nodiscard]] std::string choose_engine() const;
  Peer& add_peer(const std::string& comp_id);
  void add_logon(std::string_view logon, Peer& peer, bool is_first);
  void add_logout(Peer& peer, bool sent);
  void add_step(std::string_view message, bool sent, const std::string& comp_id,
                log::MessageNames& names);
  [[nodiscard]] std::string field_text(std::string_view tag, std::string_view value, bool sent,
                                       const log::MessageNames& names);
  [[nodiscard]] std::string id_text(std::string_view name, std::string_view value, bool sent);
  [[nodiscard]] std::string price_text(std::string_view name, std::string_view value, bool sent);
  [[nodiscard]] std::string sent_text(std::string_view name, std::string_view value);

  RecordOptions options_;
  std::vector<RecordedMessage> messages_;
  std::map<std::string, Peer> peers_;                       ///< By CompID.
  std::map<std::string, std::string, std::less<>> ids_;     ///< Variable by value.
  std::map<std::string, std::string, std::less<>> prices_;  ///< The same.
  std::map<std::string, int> counts_;                       ///< Variables by field.
  std::string variables_;  ///< Lines that give variables a value, before the present step.
  std::string defaults_;
  std::string steps_;
  std::string logouts_;  ///< Steps that are left out at the end, where the player logs out.
  std::string problem_;
};

}  // namespace affix::inline v0::tools::certify
