// SPDX-License-Identifier: MIT
// Finds in a session's journal the reports sent to its member. Reports are sent in the order in
// which they are made, so the last sent one determines which are missing.
#pragma once

#include "affix/base/error.hpp"
#include "affix/journal/record.hpp"

#include "exchange/recovery/stored_report.hpp"

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <unordered_set>

namespace affix::inline v0::tools::exchange {

struct SentReports {
  /// Number of the newest ExecID of ours (17); 0: none was sent.
  std::uint64_t last_exec_id = 0;
  /// Number of reports after it without an ExecID: status reports, and refused cancels and
  /// replaces.
  std::uint64_t without_id = 0;
  /// MsgSeqNum of received messages that a Reject or BusinessMessageReject has answered.
  std::unordered_set<std::uint64_t> rejected;
  affix::journal::Position end;
  bool kept = true;  ///< False: the journal stores no messages, so nothing is known.
};

/// Reads the journal in `directory` from a position that an earlier call returned; without one, or
/// if it is no longer stored, from the begin. `id_prefix` is the prefix of our ids. Errors: those
/// of affix::journal::Reader, Damaged. O(bytes from there on).
[[nodiscard]] std::expected<SentReports, base::Error> read_sent_reports(
    const std::string& directory, affix::journal::Position from, std::string_view id_prefix);

/// Decides which of the reports made again have been sent. For one member, in order.
class SentFilter {
 public:
  SentFilter() = default;

  /// `first_exec_id` is the lowest that can be made again.
  SentFilter(const SentReports& sent, std::uint64_t first_exec_id) noexcept
      : last_exec_id_(sent.last_exec_id),
        without_id_(sent.without_id),
        reached_(sent.last_exec_id < first_exec_id) {}

  [[nodiscard]] bool was_sent(const ExecutionReport& report) noexcept {
    return report.exec_id == 0 ? was_sent_without_id() : was_sent_with_id(report.exec_id);
  }

  [[nodiscard]] bool was_sent(const CancelReject& /*reject*/) noexcept {
    return was_sent_without_id();
  }

  /// The newest ExecID that was sent; 0: none.
  [[nodiscard]] std::uint64_t last_exec_id() const noexcept { return last_exec_id_; }

 private:
  [[nodiscard]] bool was_sent_with_id(std::uint64_t exec_id) noexcept {
    reached_ = reached_ || exec_id >= last_exec_id_;
    return exec_id <= last_exec_id_;
  }

  [[nodiscard]] bool was_sent_without_id() noexcept {
    if (!reached_) {
      return true;
    }
    const bool sent = without_id_ != 0;
    without_id_ -= sent ? 1 : 0;
    return sent;
  }

  std::uint64_t last_exec_id_ = 0;
  std::uint64_t without_id_ = 0;
  bool reached_ = true;
};

}  // namespace affix::inline v0::tools::exchange
