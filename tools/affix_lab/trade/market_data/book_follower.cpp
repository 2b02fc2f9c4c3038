// SPDX-License-Identifier: MIT
// Applies messages to books; reports the first fault of a message.
#include "trade/market_data/book_follower.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace affix::inline v0::tools::trade {

void BookCounters::add(const BookCounters& other) noexcept {
  snapshots += other.snapshots;
  increments += other.increments;
  entries += other.entries;
  trades += other.trades;
  stale += other.stale;
  rejects += other.rejects;
  for (std::size_t fault = 0; fault < faults.size(); ++fault) {
    faults[fault] += other.faults[fault];
  }
}

std::uint64_t BookCounters::faulty() const noexcept {
  return std::accumulate(faults.begin() + 1, faults.end(), std::uint64_t{0});
}

BookFollower::BookFollower(std::string id_prefix, std::vector<std::string> symbols,
                           std::int64_t depth)
    : id_prefix_(std::move(id_prefix)), symbols_(std::move(symbols)), depth_(depth) {
  for (const std::string& symbol : symbols_) {
    books_.push_back({.symbol = symbol, .book = {}});
  }
}

BookSubscription BookFollower::begin() {
  request_id_ = id_prefix_ + std::to_string(++requests_);
  for (FollowedBook& followed : books_) {
    followed.book.clear();
    followed.snapshot_seen = false;
  }
  return {request_id_, depth_, symbols_};
}

FollowedBook* BookFollower::find(std::string_view symbol) noexcept {
  const auto found = std::find_if(books_.begin(), books_.end(), [&](const FollowedBook& followed) {
    return followed.symbol == symbol;
  });
  return found == books_.end() ? nullptr : &*found;
}

BookFault BookFollower::take(const BookNews& news) {
  if (news.request_id != request_id_) {
    if (news.request_id.starts_with(id_prefix_)) {
      ++counters_.stale;
      return BookFault::None;
    }
    count(BookFault::UnknownRequest);
    return BookFault::UnknownRequest;
  }
  ++(news.snapshot ? counters_.snapshots : counters_.increments);
  const BookFault fault = news.snapshot ? take_snapshot(news) : take_increments(news);
  if (fault != BookFault::None) {
    count(fault);
  }
  return fault;
}

BookFault BookFollower::apply(FollowedBook& followed, const BookEntry& entry) {
  ++followed.entries;
  ++counters_.entries;
  counters_.trades += entry.type == EntryType::Trade;
  return followed.book.apply(entry);
}

BookFault BookFollower::take_snapshot(const BookNews& news) {
  FollowedBook* const followed = find(news.symbol);
  if (followed == nullptr) {
    return BookFault::UnknownSymbol;
  }
  followed->snapshot_seen = true;
  followed->book.clear();
  BookFault first = BookFault::None;
  const auto keep = [&first](BookFault fault) { first = first == BookFault::None ? fault : first; };
  for (const BookEntry& entry : news.entries) {
    keep(apply(*followed, entry));
  }
  for (const BookEntry& entry : news.entries) {
    keep(followed->book.check_position(entry));
  }
  keep(followed->book.check(depth_));
  return first;
}

BookFault BookFollower::take_increments(const BookNews& news) {
  BookFault first = BookFault::None;
  const auto keep = [&first](BookFault fault) { first = first == BookFault::None ? fault : first; };
  for (const BookEntry& entry : news.entries) {
    FollowedBook* const followed = find(entry.symbol);
    if (followed == nullptr) {
      keep(BookFault::UnknownSymbol);
    } else if (!followed->snapshot_seen) {
      keep(BookFault::NoSnapshot);
    } else {
      keep(apply(*followed, entry));
    }
  }
  // A message describes one moment: its entries are only consistent together.
  for (const BookEntry& entry : news.entries) {
    const FollowedBook* const followed = find(entry.symbol);
    if (followed != nullptr && followed->snapshot_seen) {
      keep(followed->book.check_position(entry));
      keep(followed->book.check(depth_));
    }
  }
  return first;
}

}  // namespace affix::inline v0::tools::trade
