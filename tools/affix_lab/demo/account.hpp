// SPDX-License-Identifier: MIT
// The account at the end of the failover demonstration: whether the records of everyone who took
// part agree. It believes nobody's counters, only what the journals have.
#pragma once

#include "affix/base/error.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::tools::demo {

/// A message of the application.
struct KeptMessage {
  std::uint64_t number = 0;  ///< MsgSeqNum.
  std::string type;
  std::string id;       ///< ExecID of an execution report, ClOrdID of others.
  std::string order;    ///< ClOrdID.
  std::string content;  ///< Its body, which no session changes.
};

/// One side of a session, as its journal has it.
struct SessionRecords {
  std::string name;  ///< For people: "ALICE", "DESK_ALICE at LONDON2".
  std::vector<KeptMessage> sent;
  std::vector<KeptMessage> received;
  std::uint64_t next_sent = 1;      ///< The number of its next message.
  std::uint64_t next_received = 1;  ///< The number that it expects.
};

/// Reads the journal of a session. Errors: those of journal::Reader, and Damaged.
[[nodiscard]] std::expected<SessionRecords, base::Error> read_records(const std::string& directory,
                                                                      std::string name);

struct Account {
  std::uint64_t requests = 0;            ///< Sent by the traders.
  std::uint64_t reports = 0;             ///< Sent by the exchange.
  std::uint64_t lost = 0;                ///< Messages that one side sent and the other lacks.
  std::uint64_t unanswered = 0;          ///< Requests without a report.
  std::uint64_t other = 0;               ///< Anything else that is not as it must be.
  std::uint64_t numbers = 0;             ///< Sequence numbers on which both sides agree.
  std::uint64_t copies = 0;              ///< Journals that are the same on both nodes ...
  std::uint64_t copied_records = 0;      ///< ... with so many records.
  std::vector<std::string> differences;  ///< The first ones of each kind, for people.

  static constexpr std::size_t told_max = 5;  ///< Of each kind.

  [[nodiscard]] std::uint64_t difference_count() const noexcept {
    return lost + unanswered + other;
  }

  /// Counts a difference in `count`, which is one of these, and tells the first ones by a sentence
  /// of these pieces.
  void add(std::uint64_t& count, std::initializer_list<std::string_view> pieces);

  /// Two sides of one session: each message that one has sent the other has received once, under
  /// the same number and with the same content; and both go on with the same numbers.
  void compare_sides(const SessionRecords& one, const SessionRecords& another);

  /// A trader and its session at the exchange, whatever is between them: each request arrived once,
  /// each report came back once, nothing was made up, no id has two contents, and each request has
  /// a report.
  void compare_ends(const SessionRecords& trader, const SessionRecords& exchange);

  /// Copies of a journal on two nodes: the same records at the same places. The marks of processed
  /// messages are a node's own.
  void compare_copies(const std::string& one, const std::string& another, std::string_view name);

 private:
  void compare_direction(const SessionRecords& from, const SessionRecords& to);
  void compare_messages(const std::vector<KeptMessage>& sent, const std::string& sender,
                        const std::vector<KeptMessage>& received, const std::string& receiver);
};

}  // namespace affix::inline v0::tools::demo
