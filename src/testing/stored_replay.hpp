// SPDX-License-Identifier: MIT
// The replay of stored messages to a session, a page at a time. Private to testing.
#pragma once

#include "affix/wire/index.hpp"
#include "affix/wire/view.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace affix::inline v0::testing {

/// One thread.
class StoredReplay {
 public:
  using Stored = std::map<std::uint64_t, std::string>;

  /// From here on it passes the messages with numbers `from` to `to` that are stored now; a replay
  /// in progress ends.
  void begin(const Stored& stored, std::uint64_t from, std::uint64_t to) {
    numbers_.clear();
    for (auto at = stored.lower_bound(from); at != stored.end() && at->first <= to; ++at) {
      numbers_.push_back(at->first);
    }
    std::ranges::reverse(numbers_);
  }

  void clear() noexcept { numbers_.clear(); }

  /// Everything was passed.
  [[nodiscard]] bool finished() const noexcept { return numbers_.empty(); }

  /// Passes up to `count_max` of them to `pass`, indexed, in ascending order; leaves out those that
  /// are not stored any more. False: `pass` returned false; that message is passed again.
  template <typename Pass>
  bool pass_some(const Stored& stored, std::uint32_t count_max, const Pass& pass) {
    for (std::uint32_t count = 0; count < count_max && !numbers_.empty(); ++count) {
      if (const auto found = stored.find(numbers_.back()); found != stored.end()) {
        wire::index_message(found->second, *index_);
        if (!pass(wire::MessageView(found->second, *index_))) {
          return false;
        }
      }
      numbers_.pop_back();
    }
    return true;
  }

 private:
  static constexpr std::uint32_t fields_max = 1024;

  std::vector<std::uint64_t> numbers_;  // Still to be passed, descending.
  std::unique_ptr<wire::FieldIndexOf<fields_max>> index_ =
      std::make_unique<wire::FieldIndexOf<fields_max>>();
};

}  // namespace affix::inline v0::testing
