// SPDX-License-Identifier: MIT
// Handles requests, and in each turn members that are behind, then books that have changed.
#include "exchange/market_data/publisher.hpp"

#include "affix/base/assert.hpp"

#include <algorithm>
#include <utility>

namespace affix::inline v0::tools::exchange {

MarketDataPublisher::MarketDataPublisher(const MarketDataLimits& limits,
                                         const MatchingEngine& matching, MarketDataSink& sink)
    : limits_(limits), matching_(matching), sink_(sink) {
  AFFIX_ASSERT(limits.depth_max > 0 && limits.entries_per_message_max > 0 &&
               limits.trades_kept > 0);
  bid_levels_.resize(static_cast<std::size_t>(limits.depth_max));
  offer_levels_.resize(static_cast<std::size_t>(limits.depth_max));
}

MarketDataPublisher::Member& MarketDataPublisher::member(OwnerId owner) {
  if (owner >= members_.size()) {
    members_.resize(std::size_t{owner} + 1);
  }
  return members_[owner];
}

MarketDataPublisher::Book& MarketDataPublisher::book(InstrumentId instrument) {
  if (instrument >= books_.size()) {
    books_.resize(std::size_t{instrument} + 1);
  }
  return books_[instrument];
}

std::size_t MarketDataPublisher::subscription_count(OwnerId owner) const noexcept {
  return owner < members_.size() ? members_[owner].subscriptions.size() : 0;
}

// --- Requests ---

std::optional<RefusedRequest> MarketDataPublisher::request(const MarketDataRequest& request) {
  std::optional<RefusedRequest> refused;
  if (request.type == SubscriptionType::Unsubscribe) {
    if (const MarketDataRefusal reason = unsubscribe(request); reason != MarketDataRefusal::None) {
      refused = {reason, {}};
    }
  } else if (const MarketDataRefusal reason = check(request); reason != MarketDataRefusal::None) {
    refused = {reason, {}};
  } else {
    refused = subscribe(request);
  }
  ++(refused ? counters_.refused : counters_.subscriptions);
  return refused;
}

MarketDataRefusal MarketDataPublisher::check(const MarketDataRequest& request) const noexcept {
  const bool subscribes = request.type == SubscriptionType::Subscribe;
  if (!subscribes && request.type != SubscriptionType::Snapshot) {
    return MarketDataRefusal::UnsupportedSubscriptionType;
  }
  if (request.depth < 0 || request.depth > limits_.depth_max) {
    return MarketDataRefusal::UnsupportedDepth;
  }
  if (subscribes && !request.update_type) {
    return MarketDataRefusal::MissingUpdateType;
  }
  if (request.update_type && *request.update_type != UpdateType::FullRefresh &&
      *request.update_type != UpdateType::Incremental) {
    return MarketDataRefusal::UnsupportedUpdateType;
  }
  if (!request.aggregated) {
    return MarketDataRefusal::UnsupportedAggregation;
  }
  if (!std::all_of(request.entry_types.begin(), request.entry_types.end(),
                   [](EntryType type) { return is_supported(type); })) {
    return MarketDataRefusal::UnsupportedEntryType;
  }
  if (request.id.size() > limits_.request_id_bytes_max) {
    return MarketDataRefusal::RequestIdTooLong;
  }
  if (request.symbols.size() > limits_.symbols_max) {
    return MarketDataRefusal::TooManySymbols;
  }
  if (subscription_count(request.owner) == limits_.subscriptions_max) {
    return MarketDataRefusal::TooManySubscriptions;
  }
  return MarketDataRefusal::None;
}

std::optional<RefusedRequest> MarketDataPublisher::subscribe(const MarketDataRequest& request) {
  Member& asking = member(request.owner);
  for (const auto& subscription : asking.subscriptions) {
    if (subscription->id == request.id) {
      return RefusedRequest{MarketDataRefusal::DuplicateRequestId, {}};
    }
  }
  std::vector<InstrumentId> instruments;
  for (const std::string_view symbol : request.symbols) {
    const std::optional<InstrumentId> instrument = matching_.find_instrument(symbol);
    if (!instrument) {
      return RefusedRequest{MarketDataRefusal::UnknownSymbol, symbol};
    }
    // A symbol named twice counts once.
    if (std::find(instruments.begin(), instruments.end(), *instrument) == instruments.end()) {
      instruments.push_back(*instrument);
    }
  }
  auto made = std::make_unique<Subscription>();
  Subscription& subscription = *made;
  subscription.owner = request.owner;
  subscription.id = request.id;
  const auto wants = [&](EntryType type) {
    return std::find(request.entry_types.begin(), request.entry_types.end(), type) !=
           request.entry_types.end();
  };
  subscription.bids = wants(EntryType::Bid);
  subscription.offers = wants(EntryType::Offer);
  subscription.trades = wants(EntryType::Trade);
  subscription.once = request.type == SubscriptionType::Snapshot;
  subscription.incremental = request.update_type == UpdateType::Incremental;
  subscription.depth = request.depth;
  subscription.feeds.reserve(instruments.size());
  for (const InstrumentId instrument : instruments) {
    Feed& feed = subscription.feeds.emplace_back(subscription, instrument);
    book(instrument).feeds.push_back(&feed);
  }
  asking.subscriptions.push_back(std::move(made));
  mark_behind(request.owner);
  return std::nullopt;
}

MarketDataRefusal MarketDataPublisher::unsubscribe(const MarketDataRequest& request) {
  auto& subscriptions = member(request.owner).subscriptions;
  const auto found =
      std::find_if(subscriptions.begin(), subscriptions.end(),
                   [&](const auto& subscription) { return subscription->id == request.id; });
  if (found == subscriptions.end()) {
    return MarketDataRefusal::UnknownRequestId;
  }
  leave_books(**found);
  subscriptions.erase(found);
  return MarketDataRefusal::None;
}

void MarketDataPublisher::end_all(OwnerId owner) {
  Member& gone = member(owner);
  for (const auto& subscription : gone.subscriptions) {
    leave_books(*subscription);
  }
  gone.subscriptions.clear();
  gone.blocked = false;
}

void MarketDataPublisher::leave_books(const Subscription& subscription) noexcept {
  for (const Feed& feed : subscription.feeds) {
    std::erase(books_[feed.instrument].feeds, &feed);
  }
}

// --- Events ---

void MarketDataPublisher::on_trade(const PublicTrade& trade, base::UtcTime time) {
  Book& traded = book(trade.instrument);
  const Trade kept{trade.match_id, trade.price, trade.quantity, time};
  if (traded.trades.size() < limits_.trades_kept) {
    traded.trades.push_back(kept);
  } else {
    traded.trades[traded.trade_count % limits_.trades_kept] = kept;
  }
  ++traded.trade_count;
}

void MarketDataPublisher::on_book_changing(InstrumentId instrument) {
  Book& changing = book(instrument);
  if (!changing.changed && !changing.feeds.empty()) {
    changing.changed = true;
    changed_.push_back(instrument);
  }
}

void MarketDataPublisher::room(OwnerId owner) {
  member(owner).blocked = false;
  mark_behind(owner);
}

void MarketDataPublisher::mark_behind(OwnerId owner) {
  Member& late = member(owner);
  if (!late.behind && !late.subscriptions.empty()) {
    late.behind = true;
    behind_.push_back(owner);
  }
}

// --- The turn ---

void MarketDataPublisher::publish() {
  for (const OwnerId owner : behind_) {
    publish_member(owner);
  }
  behind_.clear();
  for (const InstrumentId instrument : changed_) {
    Book& changed = books_[instrument];
    changed.changed = false;
    for (Feed* feed : changed.feeds) {
      publish_feed(*feed);
    }
  }
  changed_.clear();
  for (const OwnerId owner : finished_) {
    end_finished(owner);
  }
  finished_.clear();
}

void MarketDataPublisher::publish_member(OwnerId owner) {
  Member& late = members_[owner];
  late.behind = false;
  for (const auto& subscription : late.subscriptions) {
    for (Feed& feed : subscription->feeds) {
      publish_feed(feed);
    }
    const bool answered = std::none_of(subscription->feeds.begin(), subscription->feeds.end(),
                                       [](const Feed& feed) { return feed.snapshot_due; });
    if (subscription->once && answered) {
      finished_.push_back(owner);
    }
  }
}

void MarketDataPublisher::publish_feed(Feed& feed) {
  const Subscription& subscription = *feed.subscription;
  if (members_[subscription.owner].blocked || subscription.failed != MarketDataRefusal::None) {
    return;
  }
  if (feed.snapshot_due) {
    send_snapshot(feed);
    return;
  }
  const bool book_news = (subscription.bids || subscription.offers) &&
                         feed.book_version != matching_.book_version(feed.instrument);
  const bool trade_news =
      subscription.trades && feed.trades_published != books_[feed.instrument].trade_count;
  if (subscription.once || (!book_news && !trade_news)) {
    return;
  }
  if (subscription.incremental) {
    send_increments(feed);
  } else {
    send_snapshot(feed);
  }
}

std::span<const BookLevel> MarketDataPublisher::read_side(const Feed& feed, bool wanted, Side side,
                                                          std::vector<BookLevel>& levels) const {
  if (!wanted) {
    return {};
  }
  const std::int64_t depth = feed.subscription->depth;
  const std::span<BookLevel> room(levels.data(),
                                  static_cast<std::size_t>(depth == 0 ? limits_.depth_max : depth));
  return room.first(matching_.best_levels(feed.instrument, side, room));
}

MarketDataEntry MarketDataPublisher::trade_entry(const Book& book, std::uint64_t number) const {
  const Trade& trade = book.trades[number % limits_.trades_kept];
  MarketDataEntry entry;
  entry.type = EntryType::Trade;
  entry.price = trade.price;
  entry.quantity = trade.quantity;
  entry.match_id = trade.match_id;
  entry.time = trade.time;
  return entry;
}

void MarketDataPublisher::published_everything(Feed& feed, std::span<const BookLevel> bids,
                                               std::span<const BookLevel> offers) {
  feed.bids.set(bids);
  feed.offers.set(offers);
  feed.book_version = matching_.book_version(feed.instrument);
  feed.trades_published = books_[feed.instrument].trade_count;
}

void MarketDataPublisher::send_snapshot(Feed& feed) {
  const Subscription& subscription = *feed.subscription;
  const auto bids = read_side(feed, subscription.bids, Side::Buy, bid_levels_);
  const auto offers = read_side(feed, subscription.offers, Side::Sell, offer_levels_);
  entries_.clear();
  feed.bids.list(bids, entries_);
  feed.offers.list(offers, entries_);
  const Book& traded = books_[feed.instrument];
  if (subscription.trades && traded.trade_count != 0) {
    entries_.push_back(trade_entry(traded, traded.trade_count - 1));
  }
  if (!send(feed, true, entries_)) {
    return;
  }
  ++counters_.snapshots;
  feed.snapshot_due = false;
  published_everything(feed, bids, offers);
}

void MarketDataPublisher::send_increments(Feed& feed) {
  const Subscription& subscription = *feed.subscription;
  const Book& traded = books_[feed.instrument];
  entries_.clear();
  updates_.clear();
  if (subscription.trades) {
    const std::uint64_t oldest = traded.trade_count - traded.trades.size();
    if (feed.trades_published < oldest) {
      counters_.trades_skipped += oldest - feed.trades_published;
      feed.trades_published = oldest;
    }
    for (std::uint64_t number = feed.trades_published; number < traded.trade_count; ++number) {
      entries_.push_back(trade_entry(traded, number));
    }
  }
  const auto bids = read_side(feed, subscription.bids, Side::Buy, bid_levels_);
  const auto offers = read_side(feed, subscription.offers, Side::Sell, offer_levels_);
  feed.bids.compare(bids, entries_, updates_);
  feed.offers.compare(offers, entries_, updates_);
  entries_.insert(entries_.end(), updates_.begin(), updates_.end());
  const std::span<const MarketDataEntry> all = entries_;
  for (std::size_t begin = 0; begin < all.size();) {
    const auto portion =
        all.subspan(begin, std::min(all.size() - begin, limits_.entries_per_message_max));
    if (!send(feed, false, portion)) {
      return;
    }
    ++counters_.increments;
    begin += portion.size();
    if (begin == all.size()) {
      break;
    }
    // If the rest is not taken, the next difference starts from the part that was.
    for (const MarketDataEntry& entry : portion) {
      if (entry.type == EntryType::Trade) {
        ++feed.trades_published;
      } else {
        (entry.type == EntryType::Bid ? feed.bids : feed.offers).apply(entry);
      }
    }
  }
  published_everything(feed, bids, offers);
}

bool MarketDataPublisher::send(Feed& feed, bool snapshot,
                               std::span<const MarketDataEntry> entries) {
  Subscription& subscription = *feed.subscription;
  const SendOutcome outcome =
      sink_.on_news({.owner = subscription.owner,
                     .request_id = subscription.id,
                     .symbol = matching_.symbol(feed.instrument),
                     .snapshot = snapshot,
                     .book_wanted = subscription.bids || subscription.offers,
                     .depth = subscription.depth,
                     .entries = entries});
  switch (outcome) {
    case SendOutcome::Sent:
      counters_.entries += entries.size();
      return true;
    case SendOutcome::NoRoom:
      members_[subscription.owner].blocked = true;
      return false;
    case SendOutcome::TooLarge:
      subscription.failed = MarketDataRefusal::BookTooLarge;
      finished_.push_back(subscription.owner);
      return false;
  }
  return false;
}

void MarketDataPublisher::end_finished(OwnerId owner) {
  std::erase_if(members_[owner].subscriptions, [&](const auto& subscription) {
    const bool answered =
        subscription->once && std::none_of(subscription->feeds.begin(), subscription->feeds.end(),
                                           [](const Feed& feed) { return feed.snapshot_due; });
    if (subscription->failed != MarketDataRefusal::None) {
      sink_.on_ended(owner, subscription->id, subscription->failed);
    } else if (!answered) {
      return false;
    }
    leave_books(*subscription);
    return true;
  });
}

}  // namespace affix::inline v0::tools::exchange
