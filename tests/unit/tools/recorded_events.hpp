// SPDX-License-Identifier: MIT
// A sink that stores every event as one line of text, in order: tests compare lines, and failures
// are readable.
#pragma once

#include "affix/base/decimal.hpp"

#include "exchange/book/events.hpp"
#include "exchange/book/matching_engine.hpp"

#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

namespace affix::tools::exchange {

/// A whole number as such, others as mantissa and exponent.
inline std::string number(base::Decimal value) {
  if (const auto whole = value.mantissa_at(0)) {
    return std::to_string(*whole);
  }
  const base::Decimal plain = value.normalized();
  return std::to_string(plain.mantissa) + "e" + std::to_string(plain.exponent);
}

inline const char* name_of(ExecType type) {
  switch (type) {
    case ExecType::New:
      return "new";
    case ExecType::Canceled:
      return "canceled";
    case ExecType::Replaced:
      return "replaced";
    case ExecType::Rejected:
      return "rejected";
    case ExecType::Expired:
      return "expired";
    case ExecType::Trade:
      return "trade";
    case ExecType::OrderStatus:
      return "status";
    default:
      return "?";
  }
}

/// "trade 1/A PartiallyFilled last 5@10 leaves 5 filled 5".
inline std::string line_of(const ExecutionReport& report) {
  std::ostringstream line;
  line << name_of(report.type) << ' ' << report.owner << '/' << report.cl_ord_id;
  if (!report.orig_cl_ord_id.empty()) {
    line << " was " << report.orig_cl_ord_id;
  }
  line << ' ' << to_text(report.status);
  if (report.type == ExecType::Trade) {
    line << " last " << number(report.last_quantity) << '@' << number(report.last_price);
  }
  line << " leaves " << number(report.leaves) << " filled " << number(report.filled);
  if (report.reason != Reason::None) {
    line << " because: " << to_text(report.reason);
  }
  return line.str();
}

inline std::string line_of(const CancelReject& reject) {
  std::ostringstream line;
  line << (reject.is_replace ? "replace" : "cancel") << "-reject " << reject.owner << '/'
       << reject.cl_ord_id << " of " << reject.orig_cl_ord_id << ' ' << to_text(reject.status)
       << " because: " << to_text(reject.reason);
  return line.str();
}

class RecordedEvents : public EventSink {
 public:
  void on_execution(const ExecutionReport& report) override {
    lines.push_back(line_of(report));
    exec_ids.push_back(report.exec_id);
    last = report;
  }

  void on_cancel_reject(const CancelReject& reject) override {
    lines.push_back(line_of(reject));
    last_reject = reject;
  }

  void on_trade(const PublicTrade& trade) override { trades.push_back(trade); }

  /// Returns and clears all lines.
  std::vector<std::string> take() {
    std::vector<std::string> taken;
    taken.swap(lines);
    return taken;
  }

  std::vector<std::string> lines;
  std::vector<std::uint64_t> exec_ids;
  std::vector<PublicTrade>
      trades;                ///< Their symbol views the instrument's, which outlives the test.
  ExecutionReport last;      ///< Its views are no longer valid.
  CancelReject last_reject;  ///< Likewise.
};

}  // namespace affix::tools::exchange
