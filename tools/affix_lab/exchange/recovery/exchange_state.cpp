// SPDX-License-Identifier: MIT
// Lists fields in order; one description serves both directions.
#include "exchange/recovery/exchange_state.hpp"

#include "exchange/recovery/record_fields.hpp"

#include <utility>

namespace affix::inline v0::tools::exchange {

namespace {

constexpr char header = 'B';
constexpr char instrument = 'I';
constexpr char order = 'O';
constexpr char name = 'N';
constexpr char trade = 'T';
constexpr char member = 'M';
constexpr char waiting_execution = 'E';
constexpr char waiting_reject = 'J';
constexpr char executed_keys = 'K';
constexpr char end = 'Z';

// Fields of each record.

template <typename Visit, typename State>
void fields_of_header(Visit& visit, State& state) {
  visit(state.id_prefix);
  visit(state.book.last_order);
  visit(state.book.last_exec_id);
  visit(state.book.last_match_id);
  visit(state.book.order_slots);
  visit(state.book.free_slots);
}

template <typename Visit, typename Saved>
void fields_of_instrument(Visit& visit, Saved& saved) {
  visit(saved.symbol);
  visit(saved.open);
}

template <typename Visit, typename Saved>
void fields_of_order(Visit& visit, Saved& saved) {
  visit(saved.order_id);
  visit(saved.owner);
  visit(saved.instrument);
  visit(saved.price);
  visit(saved.quantity);
  visit(saved.filled);
  visit(saved.notional);
  visit(saved.side);
  visit(saved.type);
  visit(saved.time_in_force);
  visit(saved.status);
}

template <typename Visit, typename Saved>
void fields_of_name(Visit& visit, Saved& saved) {
  visit(saved.text);
  visit(saved.order_id);
  visit(saved.present);
  visit(saved.retired);
}

template <typename Visit, typename Saved>
void fields_of_trade(Visit& visit, Saved& saved) {
  visit(saved.instrument);
  visit(saved.match_id);
  visit(saved.price);
  visit(saved.quantity);
  visit(saved.utc_ns);
}

template <typename Visit, typename Saved>
void fields_of_member(Visit& visit, Saved& saved) {
  visit(saved.identity);
  visit(saved.sent_until.segment);
  visit(saved.sent_until.offset);
  visit(saved.sent_exec_id);
  visit(saved.sent_without_id);
  visit(saved.logged_on);
}

template <typename Visit, typename Stored>
void fields_of_execution(Visit& visit, Stored& stored) {
  auto& report = stored.report;
  visit(report.type);
  visit(report.status);
  visit(report.reason);
  visit(report.owner);
  visit(report.order_id);
  visit(report.exec_id);
  visit(report.match_id);
  visit(stored.cl_ord_id);
  visit(stored.orig_cl_ord_id);
  visit(stored.symbol);
  visit(report.side);
  visit(report.order_type);
  visit(report.time_in_force);
  visit(report.quantity);
  visit(report.price);
  visit(report.last_quantity);
  visit(report.last_price);
  visit(report.leaves);
  visit(report.filled);
  visit(report.notional.sum);
  visit(report.notional.exponent);
  visit(stored.utc_ns);
}

template <typename Visit, typename Stored>
void fields_of_reject(Visit& visit, Stored& stored) {
  auto& reject = stored.reject;
  visit(reject.reason);
  visit(reject.is_replace);
  visit(reject.status);
  visit(reject.owner);
  visit(reject.order_id);
  visit(stored.cl_ord_id);
  visit(stored.orig_cl_ord_id);
  visit(stored.utc_ns);
}

}  // namespace

StateRecords::StateRecords(const ExchangeState& state) {
  std::vector<char> types;
  const auto add = [&](char type, auto fields, const auto& of) {
    FieldsOut out(bodies_.emplace_back());
    fields(out, of);
    types.push_back(type);
  };
  add(header, [](auto& visit, const auto& of) { fields_of_header(visit, of); }, state);
  for (const SavedInstrument& saved : state.book.instruments) {
    add(instrument, [](auto& visit, const auto& of) { fields_of_instrument(visit, of); }, saved);
  }
  for (const SavedOrder& saved : state.book.orders) {
    add(order, [](auto& visit, const auto& of) { fields_of_order(visit, of); }, saved);
  }
  for (const SavedName& saved : state.book.names) {
    add(name, [](auto& visit, const auto& of) { fields_of_name(visit, of); }, saved);
  }
  for (const SavedTrade& saved : state.trades) {
    add(trade, [](auto& visit, const auto& of) { fields_of_trade(visit, of); }, saved);
  }
  for (const SavedMember& saved : state.members) {
    add(member, [](auto& visit, const auto& of) { fields_of_member(visit, of); }, saved);
    add(executed_keys, [](auto& visit, const auto& of) { visit(of); }, saved.executed);
    for (const StoredReport& report : saved.waiting) {
      if (const auto* execution = std::get_if<StoredExecution>(&report)) {
        add(
            waiting_execution, [](auto& visit, const auto& of) { fields_of_execution(visit, of); },
            *execution);
      } else {
        add(
            waiting_reject, [](auto& visit, const auto& of) { fields_of_reject(visit, of); },
            std::get<StoredReject>(report));
      }
    }
  }
  add(end, [](auto&, const auto&) {}, state);
  for (std::size_t at = 0; at < types.size(); ++at) {
    records_.push_back({.type = types[at], .utc_ns = 0, .body = bodies_[at]});
  }
}

std::expected<ReadState, base::Error> read_state(std::span<const StoredCommand> records) {
  ReadState read;
  ExchangeState& state = read.state;
  bool begun = false;
  bool ended = false;
  for (const StoredCommand& record : records) {
    FieldsIn in(record.body);
    bool known = begun || record.type == header;
    switch (record.type) {
      case header:
        known = !begun;
        begun = true;
        fields_of_header(in, state);
        break;
      case instrument:
        fields_of_instrument(in, state.book.instruments.emplace_back());
        break;
      case order:
        fields_of_order(in, state.book.orders.emplace_back());
        break;
      case name:
        fields_of_name(in, state.book.names.emplace_back());
        break;
      case trade:
        fields_of_trade(in, state.trades.emplace_back());
        break;
      case member:
        fields_of_member(in, state.members.emplace_back());
        break;
      case executed_keys:
        known = known && !state.members.empty();
        if (known) {
          in(state.members.back().executed);
        }
        break;
      case waiting_execution:
      case waiting_reject:
        known = known && !state.members.empty();
        if (known && record.type == waiting_execution) {
          StoredExecution stored;
          fields_of_execution(in, stored);
          state.members.back().waiting.emplace_back(std::move(stored));
        } else if (known) {
          StoredReject stored;
          fields_of_reject(in, stored);
          state.members.back().waiting.emplace_back(std::move(stored));
        }
        break;
      case end:
        ended = true;
        break;
      default:
        known = false;
        break;
    }
    ++read.count;
    if (!known || !in.done()) {
      break;
    }
    if (ended) {
      return read;
    }
  }
  return std::unexpected(base::Error{
      base::ErrorCode::Damaged,
      "record " + std::to_string(read.count) + " is not one that the state of an exchange has",
      {},
      "P122"});
}

}  // namespace affix::inline v0::tools::exchange
