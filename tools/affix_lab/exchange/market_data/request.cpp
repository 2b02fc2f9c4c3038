// SPDX-License-Identifier: MIT
// Texts and codes of refused market data requests.
#include "exchange/market_data/request.hpp"

namespace affix::inline v0::tools::exchange {

namespace {

struct RefusalWords {
  std::string_view text;
  std::optional<char> reason;  // MDReqRejReason(281).
};

RefusalWords words_of(MarketDataRefusal refusal) noexcept {
  // FIX's codes; 2 is Insufficient bandwidth, used for limits.
  switch (refusal) {
    case MarketDataRefusal::UnknownSymbol:
      return {"unknown symbol", '0'};
    case MarketDataRefusal::DuplicateRequestId:
      return {"MDReqID is that of a subscription in force", '1'};
    case MarketDataRefusal::RequestIdTooLong:
      return {"MDReqID is too long", '2'};
    case MarketDataRefusal::UnknownRequestId:
      return {"no subscription has this MDReqID", std::nullopt};
    case MarketDataRefusal::TooManySubscriptions:
      return {"too many subscriptions", '2'};
    case MarketDataRefusal::TooManySymbols:
      return {"too many symbols in one request", '2'};
    case MarketDataRefusal::UnsupportedSubscriptionType:
      return {"unsupported SubscriptionRequestType", '4'};
    case MarketDataRefusal::UnsupportedDepth:
      return {"unsupported MarketDepth", '5'};
    case MarketDataRefusal::MissingUpdateType:
      return {"a subscription needs MDUpdateType", '6'};
    case MarketDataRefusal::UnsupportedUpdateType:
      return {"unsupported MDUpdateType", '6'};
    case MarketDataRefusal::UnsupportedAggregation:
      return {"only aggregated books are published", '7'};
    case MarketDataRefusal::UnsupportedEntryType:
      return {"only bids, offers and trades are published", '8'};
    case MarketDataRefusal::BookTooLarge:
      return {"the book does not fit a message that this session takes", '2'};
    case MarketDataRefusal::None:
      break;
  }
  return {};
}

}  // namespace

std::string_view to_text(MarketDataRefusal refusal) noexcept {
  return words_of(refusal).text;
}

std::optional<char> reject_reason(MarketDataRefusal refusal) noexcept {
  return words_of(refusal).reason;
}

}  // namespace affix::inline v0::tools::exchange
