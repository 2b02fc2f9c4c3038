// SPDX-License-Identifier: MIT
// Stores unfinished searches under names that later requests pass back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>

namespace affix::inline v0::tools::monitor {

/// One thread at a time. Drops the oldest when there are too many, or they use too much memory.
template <typename Search>
class KeptSearches {
 public:
  static constexpr std::size_t count_max = 256;
  static constexpr std::size_t weight_max = 4'000'000;

  /// `request` identifies the search: only the same request may continue it.
  [[nodiscard]] std::string keep(std::unique_ptr<Search> search, std::string request) {
    search->rest();
    std::string name = std::to_string(++last_) + '-' + std::to_string(random_() % 1'000'000'007);
    weight_ += search->weight();
    const std::size_t weight = search->weight();
    kept_.push_back({name, std::move(request), std::move(search), weight});
    while (kept_.size() > 1 && (kept_.size() > count_max || weight_ > weight_max)) {
      weight_ -= kept_.front().weight;
      kept_.pop_front();
    }
    return name;
  }

  /// Null if the name is unknown, or belongs to another request.
  [[nodiscard]] std::unique_ptr<Search> take(std::string_view name, std::string_view request) {
    for (auto at = kept_.begin(); at != kept_.end(); ++at) {
      if (at->name == name && at->request == request) {
        std::unique_ptr<Search> search = std::move(at->search);
        weight_ -= at->weight;
        kept_.erase(at);
        return search;
      }
    }
    return nullptr;
  }

 private:
  struct Kept {
    std::string name;
    std::string request;
    std::unique_ptr<Search> search;
    std::size_t weight = 0;
  };

  std::deque<Kept> kept_;
  std::size_t weight_ = 0;
  std::uint64_t last_ = 0;
  std::minstd_rand random_{std::random_device{}()};
};

}  // namespace affix::inline v0::tools::monitor
