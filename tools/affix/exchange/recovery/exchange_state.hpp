// SPDX-License-Identifier: MIT
// All that the exchange knows between two commands, and as the records that a command file begins
// with.
#pragma once

#include "affix/base/error.hpp"
#include "affix/base/time.hpp"
#include "affix/journal/record.hpp"

#include "exchange/book/saved_book.hpp"
#include "exchange/market_data/news.hpp"
#include "exchange/recovery/command_file.hpp"
#include "exchange/recovery/stored_report.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <vector>

namespace affix::inline v0::tools::exchange {

/// The newest trade of an instrument.
struct SavedTrade {
  InstrumentId instrument = 0;
  std::uint64_t match_id = 0;
  base::Decimal price;
  base::Decimal quantity;
  std::int64_t utc_ns = 0;
};

struct SavedMember {
  std::string identity;  ///< Its session's journal directory; the session's name without one.
  /// The reports that had been sent are in its session's journal before this place.
  journal::Position sent_until;
  /// Behind it, too: up to this ExecID, and behind that so many that have none.
  std::uint64_t sent_exec_id = 0;
  std::uint64_t sent_without_id = 0;
  bool logged_on = false;
  std::vector<StoredReport> waiting;    ///< The others, in order.
  std::vector<std::uint64_t> executed;  ///< Keys of its newest commands, the newest last.
};

struct ExchangeState {
  std::string id_prefix;
  SavedBook book;
  std::vector<SavedMember> members;  ///< By OwnerId.
  std::vector<SavedTrade> trades;
};

/// Records with their own bytes.
class StateRecords {
 public:
  explicit StateRecords(const ExchangeState& state);

  StateRecords(const StateRecords&) = delete;
  StateRecords& operator=(const StateRecords&) = delete;

  [[nodiscard]] std::span<const StoredCommand> records() const noexcept { return records_; }

 private:
  std::vector<std::string> bodies_;
  std::vector<StoredCommand> records_;
};

/// What the first records of a file say, and `count`, how many these are. Damaged.
struct ReadState {
  ExchangeState state;
  std::size_t count = 0;
};

[[nodiscard]] std::expected<ReadState, base::Error> read_state(
    std::span<const StoredCommand> records);

}  // namespace affix::inline v0::tools::exchange
