// SPDX-License-Identifier: MIT
// A matching engine with a market data publisher, and members that record their messages and
// sometimes take nothing.
#pragma once

#include "exchange/book/matching_engine.hpp"
#include "exchange/market_data/publisher.hpp"

#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace affix::tools::exchange {

/// Copy of one message.
struct ToldNews {
  OwnerId owner = 0;
  std::string request_id;
  std::string symbol;
  bool snapshot = false;
  std::vector<MarketDataEntry> entries;
};

class MarketDataCase : public EventSink, public MarketDataSink {
 public:
  explicit MarketDataCase(const MarketDataLimits& limits = {},
                          std::initializer_list<const char*> symbols = {"IBM", "MSFT"})
      : matching(EngineLimits{.cl_ord_ids_max = 10'000, .price_levels_max = 64, .owners_max = 8},
                 *this),
        publisher(limits, matching, *this) {
    for (const char* symbol : symbols) {
      Instrument instrument;
      instrument.symbol = symbol;
      static_cast<void>(matching.add_instrument(instrument));
    }
  }

  void on_execution(const ExecutionReport& /*report*/) override {}

  void on_cancel_reject(const CancelReject& /*reject*/) override {}

  void on_trade(const PublicTrade& trade) override { publisher.on_trade(trade, now); }

  void on_book_changing(InstrumentId instrument) override {
    publisher.on_book_changing(instrument);
  }

  SendOutcome on_news(const MarketDataNews& news) override {
    const SendOutcome outcome = answer ? answer(news) : SendOutcome::Sent;
    if (outcome == SendOutcome::Sent) {
      reported.push_back({news.owner,
                          std::string(news.request_id),
                          std::string(news.symbol),
                          news.snapshot,
                          {news.entries.begin(), news.entries.end()}});
    }
    return outcome;
  }

  void on_ended(OwnerId owner, std::string_view request_id, MarketDataRefusal why) override {
    ended.push_back({owner, std::string(request_id), why});
  }

  void limit(Side side, std::int64_t price, std::int64_t quantity, const char* symbol = "IBM") {
    const std::string name = "N" + std::to_string(++names);
    matching.submit({.owner = 7,
                     .cl_ord_id = name,
                     .symbol = symbol,
                     .side = side,
                     .type = OrderType::Limit,
                     .time_in_force = TimeInForce::Day,
                     .quantity = base::Decimal{quantity, 0},
                     .price = base::Decimal{price, 0}});
  }

  /// Messages sent by publish().
  std::vector<ToldNews> publish() {
    reported.clear();
    publisher.publish();
    return std::exchange(reported, {});
  }

  struct Ended {
    OwnerId owner;
    std::string request_id;
    MarketDataRefusal why;
  };

  base::UtcTime now;
  int names = 0;
  std::function<SendOutcome(const MarketDataNews&)> answer;
  std::vector<ToldNews> reported;
  std::vector<Ended> ended;
  MatchingEngine matching;
  MarketDataPublisher publisher;
};

/// A subscription to bids, offers and trades of IBM, as increments.
inline MarketDataRequest subscription(std::string_view id, OwnerId owner = 1) {
  MarketDataRequest request;
  request.owner = owner;
  request.id = id;
  request.type = SubscriptionType::Subscribe;
  request.update_type = UpdateType::Incremental;
  request.entry_types = {EntryType::Bid, EntryType::Offer, EntryType::Trade};
  request.symbols = {"IBM"};
  return request;
}

}  // namespace affix::tools::exchange
