// SPDX-License-Identifier: MIT
// Stores subscriptions and what was last sent for each, and publishes the differences once a turn.
// Reads the matching engine and writes to a sink; independent of FIX and sessions.
#pragma once

#include "affix/base/time.hpp"

#include "exchange/book/events.hpp"
#include "exchange/book/matching_engine.hpp"
#include "exchange/market_data/news.hpp"
#include "exchange/market_data/published_side.hpp"
#include "exchange/market_data/request.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::tools::exchange {

/// Limits on everything that the publisher stores.
struct MarketDataLimits {
  std::size_t subscriptions_max = 64;      ///< Of one member at one time.
  std::size_t symbols_max = 256;           ///< In one request.
  std::size_t request_id_bytes_max = 128;  ///< Of MDReqID.
  /// Maximum levels a side in a request, and the number for a request of all. Twice as many with
  /// their fields, and a trade, fit one message of an affix peer, which indexes 2,048 fields.
  std::int64_t depth_max = 150;
  std::size_t entries_per_message_max = 200;  ///< Of increments; more go into further messages.
  /// Trades stored for each instrument. A member that falls behind by more gets the newest.
  std::size_t trades_kept = 256;
};

struct MarketDataCounters {
  std::uint64_t subscriptions = 0;  ///< Accepted so far, including snapshots.
  std::uint64_t refused = 0;
  std::uint64_t snapshots = 0;   ///< Messages.
  std::uint64_t increments = 0;  ///< Messages.
  std::uint64_t entries = 0;
  std::uint64_t trades_skipped = 0;  ///< Not sent to a member that fell too far behind.
};

/// A request's refusal and, if it concerns one, the symbol. The view is that of the request.
struct RefusedRequest {
  MarketDataRefusal reason = MarketDataRefusal::None;
  std::string_view symbol;
};

/// Market data for all members. One thread. Nothing is queued: a member that takes nothing for a
/// while gets the difference from its last state when it has room. Allocates for requests and while
/// its buffers grow; a turn costs in proportion to the changed books and the members that watch
/// them.
class MarketDataPublisher {
 public:
  /// Both arguments outlive the publisher.
  MarketDataPublisher(const MarketDataLimits& limits, const MatchingEngine& matching,
                      MarketDataSink& sink);

  /// Accepts a request: the next publish() answers it with a snapshot for each symbol. A refused
  /// one changes nothing.
  [[nodiscard]] std::optional<RefusedRequest> request(const MarketDataRequest& request);

  // Events of the matching engine.
  void on_trade(const PublicTrade& trade, base::UtcTime time);
  void on_book_changing(InstrumentId instrument);

  /// The newest trade of each instrument that has one, to be kept across a restart: pass it to
  /// on_trade() again.
  template <typename OnTrade>
  void each_last_trade(OnTrade on_last_trade) const {
    for (std::size_t at = 0; at < books_.size(); ++at) {
      if (const Book& traded = books_[at]; traded.trade_count != 0) {
        const Trade& trade = traded.trades[(traded.trade_count - 1) % limits_.trades_kept];
        on_last_trade(static_cast<InstrumentId>(at), trade.match_id, trade.price, trade.quantity,
                      trade.time);
      }
    }
  }

  /// Sends to every member what it does not have yet, as far as it takes it. Once a turn.
  void publish();

  /// A member that took nothing has room again; the next publish() continues.
  void room(OwnerId owner);

  /// Ends all of a member's subscriptions: it has logged out.
  void end_all(OwnerId owner);

  [[nodiscard]] const MarketDataCounters& counters() const noexcept { return counters_; }

  /// Number of active subscriptions.
  [[nodiscard]] std::size_t subscription_count(OwnerId owner) const noexcept;

 private:
  struct Subscription;

  /// One symbol of a subscription.
  struct Feed {
    Feed(Subscription& of, InstrumentId instrument_id) noexcept
        : subscription(&of), instrument(instrument_id) {}

    Subscription* subscription;
    InstrumentId instrument;
    bool snapshot_due = true;
    std::uint64_t book_version = 0;      ///< Of the matching engine, when everything had been sent.
    std::uint64_t trades_published = 0;  ///< Of Book::trade_count.
    PublishedSide bids{EntryType::Bid};
    PublishedSide offers{EntryType::Offer};
  };

  struct Subscription {
    OwnerId owner = 0;
    std::string id;
    bool bids = false;
    bool offers = false;
    bool trades = false;
    bool incremental = false;
    bool once = false;  ///< Only a snapshot was requested.
    MarketDataRefusal failed = MarketDataRefusal::None;
    std::int64_t depth = 0;
    std::vector<Feed> feeds;  ///< Never changed after it was filled: books point to them.
  };

  struct Trade {
    std::uint64_t match_id = 0;
    base::Decimal price;
    base::Decimal quantity;
    base::UtcTime time;
  };

  /// State of an instrument besides its book.
  struct Book {
    std::vector<Feed*> feeds;
    std::vector<Trade> trades;      ///< The newest, in a ring: number n at n % trades_kept.
    std::uint64_t trade_count = 0;  ///< Total number.
    bool changed = false;           ///< It is in changed_.
  };

  struct Member {
    std::vector<std::unique_ptr<Subscription>> subscriptions;
    bool blocked = false;  ///< It takes nothing; waits for room().
    bool behind = false;   ///< It is in behind_.
  };

  [[nodiscard]] MarketDataRefusal check(const MarketDataRequest& request) const noexcept;
  [[nodiscard]] std::optional<RefusedRequest> subscribe(const MarketDataRequest& request);
  [[nodiscard]] MarketDataRefusal unsubscribe(const MarketDataRequest& request);
  [[nodiscard]] Member& member(OwnerId owner);
  [[nodiscard]] Book& book(InstrumentId instrument);
  void mark_behind(OwnerId owner);
  void publish_member(OwnerId owner);
  void publish_feed(Feed& feed);
  void send_snapshot(Feed& feed);
  void send_increments(Feed& feed);
  [[nodiscard]] bool send(Feed& feed, bool snapshot, std::span<const MarketDataEntry> entries);
  [[nodiscard]] std::span<const BookLevel> read_side(const Feed& feed, bool wanted, Side side,
                                                     std::vector<BookLevel>& levels) const;
  [[nodiscard]] MarketDataEntry trade_entry(const Book& book, std::uint64_t number) const;
  void published_everything(Feed& feed, std::span<const BookLevel> bids,
                            std::span<const BookLevel> offers);
  void end_finished(OwnerId owner);
  void leave_books(const Subscription& subscription) noexcept;

  MarketDataLimits limits_;
  const MatchingEngine& matching_;
  MarketDataSink& sink_;
  std::vector<Member> members_;  // By OwnerId.
  std::vector<Book> books_;      // By InstrumentId.
  std::vector<InstrumentId> changed_;
  std::vector<OwnerId> behind_;
  std::vector<OwnerId> finished_;  // Have a subscription that must end after this publish().
  // Buffers of one message; reused.
  std::vector<BookLevel> bid_levels_;
  std::vector<BookLevel> offer_levels_;
  std::vector<MarketDataEntry> entries_;
  std::vector<MarketDataEntry> updates_;
  MarketDataCounters counters_;
};

}  // namespace affix::inline v0::tools::exchange
