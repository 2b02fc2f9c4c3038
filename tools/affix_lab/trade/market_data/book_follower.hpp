// SPDX-License-Identifier: MIT
// Follows one session's subscribed books, and checks every message.
#pragma once

#include "trade/market_data/book_news.hpp"
#include "trade/market_data/market_book.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::tools::trade {

struct BookCounters {
  std::uint64_t snapshots = 0;
  std::uint64_t increments = 0;  ///< Messages.
  std::uint64_t entries = 0;
  std::uint64_t trades = 0;
  std::uint64_t stale = 0;  ///< Messages for a subscription that ended with an earlier logon.
  std::uint64_t rejects = 0;
  std::array<std::uint64_t, book_fault_count> faults{};  ///< By BookFault.

  void add(const BookCounters& other) noexcept;

  [[nodiscard]] std::uint64_t faulty() const noexcept;
};

/// A symbol's book and its history.
struct FollowedBook {
  std::string symbol;
  MarketBook book;
  bool snapshot_seen = false;
  std::uint64_t entries = 0;
};

class BookFollower {
 public:
  /// `id_prefix` is the prefix of every MDReqID; it differs between runs, since a peer may resend
  /// messages of an earlier one.
  BookFollower(std::string id_prefix, std::vector<std::string> symbols, std::int64_t depth);

  /// The subscription to send now; earlier subscriptions have ended. Views are valid until the next
  /// call.
  [[nodiscard]] BookSubscription begin();

  /// Applies a message. Returns and counts its first fault.
  BookFault take(const BookNews& news);

  /// Counts a message that could not be read.
  void count_unreadable() noexcept { count(BookFault::Unreadable); }

  /// Counts a refused subscription.
  void count_reject() noexcept { ++counters_.rejects; }

  [[nodiscard]] const std::vector<FollowedBook>& books() const noexcept { return books_; }

  [[nodiscard]] const BookCounters& counters() const noexcept { return counters_; }

 private:
  [[nodiscard]] FollowedBook* find(std::string_view symbol) noexcept;
  [[nodiscard]] BookFault take_snapshot(const BookNews& news);
  [[nodiscard]] BookFault take_increments(const BookNews& news);
  [[nodiscard]] BookFault apply(FollowedBook& followed, const BookEntry& entry);

  void count(BookFault fault) noexcept { ++counters_.faults[static_cast<std::size_t>(fault)]; }

  std::string id_prefix_;
  std::vector<std::string> symbols_;
  std::int64_t depth_;
  std::string request_id_;
  std::uint64_t requests_ = 0;
  std::vector<FollowedBook> books_;  // In the order of symbols_.
  BookCounters counters_;
};

}  // namespace affix::inline v0::tools::trade
