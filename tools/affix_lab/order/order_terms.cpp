// SPDX-License-Identifier: MIT
// Names of the shared enums, for progress lines and reports.
#include "order/order_terms.hpp"

namespace affix::inline v0::tools {

std::string_view to_text(Side side) noexcept {
  switch (side) {
    case Side::Buy:
      return "Buy";
    case Side::Sell:
      return "Sell";
    case Side::SellShort:
      return "SellShort";
  }
  return "unknown";
}

std::string_view to_text(OrderType type) noexcept {
  switch (type) {
    case OrderType::Market:
      return "Market";
    case OrderType::Limit:
      return "Limit";
  }
  return "unknown";
}

std::string_view to_text(TimeInForce time_in_force) noexcept {
  switch (time_in_force) {
    case TimeInForce::Day:
      return "Day";
    case TimeInForce::GoodTillCancel:
      return "GoodTillCancel";
    case TimeInForce::ImmediateOrCancel:
      return "ImmediateOrCancel";
    case TimeInForce::FillOrKill:
      return "FillOrKill";
  }
  return "unknown";
}

std::string_view to_text(OrderStatus status) noexcept {
  switch (status) {
    case OrderStatus::New:
      return "New";
    case OrderStatus::PartiallyFilled:
      return "PartiallyFilled";
    case OrderStatus::Filled:
      return "Filled";
    case OrderStatus::Canceled:
      return "Canceled";
    case OrderStatus::Replaced:
      return "Replaced";
    case OrderStatus::PendingCancel:
      return "PendingCancel";
    case OrderStatus::Rejected:
      return "Rejected";
    case OrderStatus::PendingNew:
      return "PendingNew";
    case OrderStatus::Expired:
      return "Expired";
    case OrderStatus::PendingReplace:
      return "PendingReplace";
  }
  return "unknown";
}

}  // namespace affix::inline v0::tools
