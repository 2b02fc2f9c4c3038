// SPDX-License-Identifier: MIT
// What a session's journal says about the reports that its member was sent. Reports go out in the
// order in which they are made, so the last one that is there tells which are not.
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
  /// Reports behind it that have no ExecID: of an order's status, and refused cancels and replaces.
  std::uint64_t without_id = 0;
  /// MsgSeqNum of received messages that a Reject or BusinessMessageReject has answered.
  std::unordered_set<std::uint64_t> rejected;
  journal::Position end;
  bool kept = true;  ///< False: the journal keeps no messages, so nothing is known.
};

/// Reads the journal in `directory` from a place that an earlier call has given; from its begin
/// without one, or when that part is no longer there. `id_prefix` is what our ids begin with.
/// Errors: those of journal::Reader, Damaged. Cost: the bytes from there on.
[[nodiscard]] std::expected<SentReports, base::Error> read_sent_reports(
    const std::string& directory, journal::Position from, std::string_view id_prefix);

/// Tells which of the reports that are made again have been sent. One member's, in their order.
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
