// SPDX-License-Identifier: MIT
// A heap of the sources' next entries.
#include "log/merge.hpp"

#include <algorithm>
#include <utility>

namespace affix::inline v0::tools::log {

void Merge::add(std::unique_ptr<Source> source) {
  inputs_.push_back({std::move(source), std::nullopt, 0});
  dry_.push_back(inputs_.size() - 1);
}

bool Merge::later(std::size_t left, std::size_t right) const noexcept {
  const std::int64_t left_time = inputs_[left].time_ns;
  const std::int64_t right_time = inputs_[right].time_ns;
  return left_time != right_time ? left_time > right_time : left > right;
}

void Merge::advance(std::size_t input) {
  Input& from = inputs_[input];
  from.front = from.source->next();
  if (!from.front) {
    dry_.push_back(input);
    return;
  }
  from.time_ns = from.front->utc_ns != 0 ? from.front->utc_ns : from.time_ns;
  waiting_.push_back(input);
  std::push_heap(waiting_.begin(), waiting_.end(),
                 [this](std::size_t left, std::size_t right) { return later(left, right); });
}

std::optional<Entry> Merge::next() {
  if (const auto taken = std::exchange(taken_, std::nullopt)) {
    advance(*taken);
  }
  if (waiting_.empty()) {
    for (const std::size_t input : std::exchange(dry_, {})) {
      advance(input);
    }
  }
  if (waiting_.empty()) {
    return std::nullopt;
  }
  std::pop_heap(waiting_.begin(), waiting_.end(),
                [this](std::size_t left, std::size_t right) { return later(left, right); });
  taken_ = waiting_.back();
  waiting_.pop_back();
  return inputs_[*taken_].front;
}

std::vector<std::string> Merge::problems() const {
  std::vector<std::string> all;
  for (const Input& input : inputs_) {
    const auto& own = input.source->problems();
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

}  // namespace affix::inline v0::tools::log
