// SPDX-License-Identifier: MIT
// Makes a scenario of the messages of live sessions: one side is played again, and times, ids and
// prices become variables. No file and no clock.
#pragma once

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

  /// Adds the next message, in the order of time: `bytes` with SOH between its fields. Messages of
  /// one time, as those of one turn of an engine, are put in the order of their ExecIDs (17), if
  /// these end with numbers.
  void add(std::string_view bytes, std::int64_t utc_ns);

  /// The scenario's text. The error is a sentence: there is no Logon, or none of that engine.
  [[nodiscard]] std::expected<std::string, std::string> text(log::MessageNames& names);

 private:
  struct Message {
    std::string bytes;
    std::int64_t utc_ns;
  };

  void put_in_order(const std::string& engine);
  [[nodiscard]] std::string choose_engine() const;
  [[nodiscard]] std::string peer_of(const std::string& comp_id);
  void add_step(std::string_view message, bool sent, const std::string& peer,
                log::MessageNames& names);
  [[nodiscard]] std::string field_text(std::string_view tag, std::string_view value, bool sent,
                                       const log::MessageNames& names);
  [[nodiscard]] std::string id_text(std::string_view name, std::string_view value, bool sent);
  [[nodiscard]] std::string price_text(std::string_view name, std::string_view value, bool sent);

  RecordOptions options_;
  std::vector<Message> messages_;
  std::map<std::string, std::string> peers_;                ///< Name by CompID.
  std::map<std::string, std::string, std::less<>> ids_;     ///< Variable by value.
  std::map<std::string, std::string, std::less<>> prices_;  ///< The same.
  std::map<std::string, int> counts_;                       ///< Variables by field.
  std::string fresh_;  ///< Lines that give ids a value, before the present step.
  std::string defaults_;
  std::string steps_;
};

}  // namespace affix::inline v0::tools::certify
