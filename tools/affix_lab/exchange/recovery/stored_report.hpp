// SPDX-License-Identifier: MIT
// Reports that wait for their member, with copies of the texts that they would view.
#pragma once

#include "exchange/book/events.hpp"

#include <cstdint>
#include <string>
#include <variant>

namespace affix::inline v0::tools::exchange {

struct StoredExecution {
  StoredExecution() = default;

  StoredExecution(const ExecutionReport& of, std::int64_t when_ns)
      : report(of),
        cl_ord_id(of.cl_ord_id),
        orig_cl_ord_id(of.orig_cl_ord_id),
        symbol(of.symbol),
        utc_ns(when_ns) {}

  /// Valid until this object is moved or destroyed.
  [[nodiscard]] ExecutionReport view() const noexcept {
    ExecutionReport viewed = report;
    viewed.cl_ord_id = cl_ord_id;
    viewed.orig_cl_ord_id = orig_cl_ord_id;
    viewed.symbol = symbol;
    return viewed;
  }

  ExecutionReport report;
  std::string cl_ord_id;
  std::string orig_cl_ord_id;
  std::string symbol;
  std::int64_t utc_ns = 0;  ///< Time of the event.
};

struct StoredReject {
  StoredReject() = default;

  StoredReject(const CancelReject& of, std::int64_t when_ns)
      : reject(of), cl_ord_id(of.cl_ord_id), orig_cl_ord_id(of.orig_cl_ord_id), utc_ns(when_ns) {}

  /// Valid until this object is moved or destroyed.
  [[nodiscard]] CancelReject view() const noexcept {
    CancelReject viewed = reject;
    viewed.cl_ord_id = cl_ord_id;
    viewed.orig_cl_ord_id = orig_cl_ord_id;
    return viewed;
  }

  CancelReject reject;
  std::string cl_ord_id;
  std::string orig_cl_ord_id;
  std::int64_t utc_ns = 0;  ///< Time of the event.
};

using StoredReport = std::variant<StoredExecution, StoredReject>;

}  // namespace affix::inline v0::tools::exchange
