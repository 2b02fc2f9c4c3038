// SPDX-License-Identifier: MIT
// Compares two sorted lists of levels in one pass.
#include "exchange/market_data/published_side.hpp"

#include <algorithm>

namespace affix::inline v0::tools::exchange {

MarketDataEntry PublishedSide::entry_of(UpdateAction action, const BookLevel& level,
                                        std::size_t index) const noexcept {
  MarketDataEntry entry;
  entry.action = action;
  entry.type = type_;
  entry.price = level.price;
  entry.quantity = level.quantity;
  entry.order_count = level.order_count;
  entry.position = static_cast<std::uint32_t>(index) + 1;
  return entry;
}

void PublishedSide::compare(std::span<const BookLevel> now, std::vector<MarketDataEntry>& deletions,
                            std::vector<MarketDataEntry>& updates) const {
  std::size_t reported = 0;
  std::size_t index = 0;
  while (reported < levels_.size() || index < now.size()) {
    const bool gone = index == now.size() || (reported < levels_.size() &&
                                              better(levels_[reported].price, now[index].price));
    if (gone) {
      MarketDataEntry& entry = deletions.emplace_back();
      entry.action = UpdateAction::Delete;
      entry.type = type_;
      entry.price = levels_[reported++].price;
      continue;
    }
    const BookLevel& level = now[index];
    if (reported == levels_.size() || better(level.price, levels_[reported].price)) {
      updates.push_back(entry_of(UpdateAction::New, level, index));
    } else {
      const BookLevel& before = levels_[reported++];
      if (before.quantity != level.quantity || before.order_count != level.order_count) {
        updates.push_back(entry_of(UpdateAction::Change, level, index));
      }
    }
    ++index;
  }
}

void PublishedSide::apply(const MarketDataEntry& entry) {
  const auto place = std::find_if(levels_.begin(), levels_.end(), [&](const BookLevel& level) {
    return !better(level.price, entry.price);
  });
  const BookLevel level{entry.price, entry.quantity, entry.order_count};
  switch (entry.action) {
    case UpdateAction::New:
      levels_.insert(place, level);
      return;
    case UpdateAction::Change:
      *place = level;
      return;
    case UpdateAction::Delete:
      levels_.erase(place);
      return;
  }
}

void PublishedSide::list(std::span<const BookLevel> now,
                         std::vector<MarketDataEntry>& entries) const {
  for (std::size_t index = 0; index < now.size(); ++index) {
    entries.push_back(entry_of(UpdateAction::New, now[index], index));
  }
}

}  // namespace affix::inline v0::tools::exchange
