// SPDX-License-Identifier: MIT
// Faults of a venue that misbehaves on purpose: requests that are ignored or rejected, halts.
#include "affix/os/clock.hpp"

#include "exchange/gateway.hpp"

#include <algorithm>
#include <ctime>
#include <type_traits>
#include <utility>
#include <variant>

namespace affix::inline v0::tools::exchange {

namespace {

/// ExecIDs of rejects by a fault, far from those of the matching engine, which does not know them.
constexpr std::uint64_t first_faulty_exec_id = std::uint64_t{1} << 62;

ExecutionReport rejection_of(const NewOrder& order, std::uint64_t exec_id) {
  ExecutionReport report;
  report.type = ExecType::Rejected;
  report.status = OrderStatus::Rejected;
  report.reason = Reason::Fault;
  report.owner = order.owner;
  report.exec_id = exec_id;
  report.cl_ord_id = order.cl_ord_id;
  report.symbol = order.symbol;
  report.side = order.side;
  report.order_type = order.type;
  report.time_in_force = order.time_in_force;
  report.quantity = order.quantity;
  report.price = order.price;
  return report;
}

template <typename Change>
CancelReject rejection_of_change(const Change& change) {
  CancelReject reject;
  reject.reason = Reason::Fault;
  reject.is_replace = std::is_same_v<Change, ReplaceOrder>;
  reject.owner = change.owner;
  reject.cl_ord_id = change.cl_ord_id;
  reject.orig_cl_ord_id = change.orig_cl_ord_id;
  return reject;
}

}  // namespace

void Gateway::take_faults() {
  if (!options_.faults->take_new()) {
    return;
  }
  const std::int64_t utc_ns = os::read_clock_ns(CLOCK_REALTIME);
  const std::vector<std::string> before = std::exchange(halted_, options_.faults->rules().halted());
  for (const std::string& symbol : before) {
    if (!is_halted(symbol)) {
      perform_or_log(OpenSymbol{symbol}, utc_ns, {});
    }
  }
  for (const std::string& symbol : halted_) {
    perform_or_log(CloseSymbol{symbol}, utc_ns, {});
  }
}

bool Gateway::is_halted(std::string_view symbol) const {
  return std::ranges::find(halted_, symbol) != halted_.end();
}

void Gateway::on_wake() noexcept {
  if (options_.faults != nullptr) {
    take_faults();
  }
}

bool Gateway::falls_to_fault(Member& member, const wire::MessageView& message) {
  const FaultRule* const fault =
      options_.faults->rules().match(FaultPlace::Request, message.bytes());
  if (fault != nullptr && fault->action == FaultAction::Reject) {
    reject_by_fault(member, message);
  }
  return fault != nullptr;
}

void Gateway::reject_by_fault(Member& member, const wire::MessageView& message) {
  const auto request =
      member.dialect->read_request(message, member_of(member.session), options_.id_prefix);
  now_ns_ = member.session.now().utc_ns;
  if (const auto* const order = request ? std::get_if<NewOrder>(&*request) : nullptr) {
    on_execution(rejection_of(*order, first_faulty_exec_id + ++faulty_rejects_));
  } else if (const auto* const cancel = request ? std::get_if<CancelOrder>(&*request) : nullptr) {
    on_cancel_reject(rejection_of_change(*cancel));
  } else if (const auto* const replace = request ? std::get_if<ReplaceOrder>(&*request) : nullptr) {
    on_cancel_reject(rejection_of_change(*replace));
  } else {
    static_cast<void>(member.session.reject_business(
        message, session::BusinessRejectReason::ApplicationNotAvailable, to_text(Reason::Fault),
        message.value_or_null(11)));
  }
}

}  // namespace affix::inline v0::tools::exchange
