// SPDX-License-Identifier: MIT
// The exchange's complete state between two commands, and its form as the first records of a
// command file.
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
  std::string identity;  ///< Its session's journal directory; without one, the session's name.
  /// Sent reports are in its session's journal before this position.
  affix::journal::Position sent_until;
  /// Also sent after it: reports up to this ExecID, then this many without one.
  std::uint64_t sent_exec_id = 0;
  std::uint64_t sent_without_id = 0;
  bool logged_on = false;
  std::vector<StoredReport> waiting;    ///< The reports not sent yet, in order.
  std::vector<std::uint64_t> executed;  ///< Keys of its newest commands, the newest last.
};

struct ExchangeState {
  std::string id_prefix;
  SavedBook book;
  std::vector<SavedMember> members;  ///< By OwnerId.
  std::vector<SavedTrade> trades;
};

/// Records that own their bytes.
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

/// State from the first records of a file, and `count`, the number of those. Damaged.
struct ReadState {
  ExchangeState state;
  std::size_t count = 0;
};

[[nodiscard]] std::expected<ReadState, base::Error> read_state(
    std::span<const StoredCommand> records);

}  // namespace affix::inline v0::tools::exchange
