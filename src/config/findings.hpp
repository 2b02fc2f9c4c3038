// SPDX-License-Identifier: MIT
// Collects the findings of the checks of a configuration, group by group. The reader of a file adds
// the place in the file.
#pragma once

#include "affix/config/configuration.hpp"
#include "affix/config/finding.hpp"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace affix::inline v0::config {

/// A key whose value the parser has refused and reported, so the settings hold its default.
struct RefusedKey {
  GroupKind kind = GroupKind::Engine;
  std::string group;
  std::string_view key;
};

/// Collects findings about one group after the other. A value that is invalid by itself is reported
/// once: checks across keys call stand() first, so they never use such a value.
class Findings {
 public:
  Findings() = default;

  explicit Findings(const std::vector<RefusedKey>& refused) {
    for (const RefusedKey& one : refused) {
      fallen_[name_of(one.kind, one.group)].emplace(one.key);
    }
  }

  /// Makes this the group of the following findings.
  void look_at(GroupKind kind, const std::string& group) {
    kind_ = kind;
    group_ = group;
  }

  /// Reports a value that is invalid by itself; only the first report of a key counts, except about
  /// other files. `message` follows the key's name and a colon.
  void wrong(std::string_view key, const std::string& message, base::MessageCode code,
             std::string where = {}) {
    if (fallen_[name_of(kind_, group_)].emplace(key).second || !where.empty()) {
      wrong_together(key, message, code, std::move(where));
    }
  }

  /// Reports the fault of a value's text.
  void wrong(std::string_view key, const base::Error& fault) {
    wrong(key, fault.message, fault.message_code);
  }

  /// Reports a value that is allowed but contradicts another key's.
  void wrong_together(std::string_view key, const std::string& message, base::MessageCode code,
                      std::string where = {}) {
    add(FindingSort::Wrong, key, "key '" + std::string(key) + "': " + message, code,
        std::move(where));
  }

  /// The same, where `message` begins with its own subject; `key` is empty when no single key is at
  /// fault.
  void wrong_as_said(std::string_view key, std::string message, base::MessageCode code) {
    add(FindingSort::Wrong, key, std::move(message), code, {});
  }

  void missing(std::string_view key) {
    if (fallen_[name_of(kind_, group_)].emplace(key).second) {
      add(FindingSort::Missing, key, "key '" + std::string(key) + "' must have a value", "C205",
          {});
    }
  }

  /// True if the current group has a value for each of the keys, all valid by themselves.
  [[nodiscard]] bool stand(std::initializer_list<std::string_view> keys) const {
    return stand(kind_, group_, keys);
  }

  [[nodiscard]] bool stand(GroupKind kind, const std::string& group,
                           std::initializer_list<std::string_view> keys) const {
    const auto fallen = fallen_.empty() ? fallen_.end() : fallen_.find(name_of(kind, group));
    return fallen == fallen_.end() ||
           std::none_of(keys.begin(), keys.end(), [&fallen](std::string_view key) {
             return fallen->second.contains(std::string(key));
           });
  }

  /// True if all values of the current group are valid by themselves.
  [[nodiscard]] bool all_stand() const {
    return fallen_.empty() || !fallen_.contains(name_of(kind_, group_));
  }

  /// `why` follows "has no effect: ".
  void no_effect(std::string_view key, const std::string& why,
                 base::MessageCode code = base::MessageCode("C210")) {
    add(FindingSort::NoEffect, key, "key '" + std::string(key) + "' has no effect: " + why, code,
        {});
  }

  /// Reports that another value than the given one is used.
  void raised(std::string_view key, std::int64_t given, std::int64_t used, const std::string& why) {
    add(FindingSort::NoEffect, key,
        "key '" + std::string(key) + "': " + std::to_string(given) + " is taken as " +
            std::to_string(used) + ", " + why,
        "C213", {});
  }

  /// Warns of a value that has no effect by itself; `message` follows the key's name and a colon.
  void beside(std::string_view key, const std::string& message, base::MessageCode code) {
    add(FindingSort::NoEffect, key, "key '" + std::string(key) + "': " + message, code, {});
  }

  /// True if a finding, counted from number `from`, keeps the engine from
  /// starting.
  [[nodiscard]] bool any_wrong(std::size_t from = 0) const noexcept {
    for (std::size_t at = from; at < all_.size(); ++at) {
      if (all_[at].sort != FindingSort::NoEffect) {
        return true;
      }
    }
    return false;
  }

  [[nodiscard]] std::size_t count() const noexcept { return all_.size(); }

  [[nodiscard]] std::vector<Finding> take() noexcept { return std::move(all_); }

 private:
  void add(FindingSort sort, std::string_view key, std::string message, base::MessageCode code,
           std::string where) {
    all_.push_back({sort, kind_, group_, key, std::move(message), std::move(where), code});
  }

  static std::string name_of(GroupKind kind, const std::string& group) {
    std::string name(to_text(kind));
    // There is one of each, under any name.
    if (kind != GroupKind::Engine && kind != GroupKind::Application) {
      name += '\n';
      name += group;
    }
    return name;
  }

  GroupKind kind_ = GroupKind::Engine;
  std::string group_;
  /// Keys with values invalid by themselves, by group.
  std::unordered_map<std::string, std::unordered_set<std::string>> fallen_;
  std::vector<Finding> all_;
};

}  // namespace affix::inline v0::config
