// SPDX-License-Identifier: MIT
// What the checks of a configuration find, each with the group and the key it is about. Where that
// stands in a file is for whoever read one.
#pragma once

#include "affix/engine/configuration.hpp"
#include "affix/engine/configuration_catalogue.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace affix::inline v0::engine {

enum class FindingSort : std::uint8_t {
  Wrong,     ///< The engine does not start with it.
  Missing,   ///< The same: a key that the group needs has no value.
  NoEffect,  ///< A warning: what was set changes nothing, or is not taken as it stands.
};

struct Finding {
  FindingSort sort = FindingSort::Wrong;
  GroupKind kind = GroupKind::Engine;
  std::string group;
  std::string_view key;  ///< Static text; empty: the group as a whole.
  std::string message;   ///< Names the key if there is one, never the group.
  std::string where;     ///< A place in another file that the key names, or empty.
};

/// Collects findings about one group after the other.
class Findings {
 public:
  /// What follows is about this group.
  void look_at(GroupKind kind, const std::string& group) {
    kind_ = kind;
    group_ = group;
  }

  /// `message` follows the key's name and a colon.
  void wrong(std::string_view key, const std::string& message, std::string where = {}) {
    add(FindingSort::Wrong, key, "key '" + std::string(key) + "': " + message, std::move(where));
  }

  /// `message` begins with its subject; for what is not one key's fault, `key` is empty.
  void wrong_as_said(std::string_view key, std::string message) {
    add(FindingSort::Wrong, key, std::move(message), {});
  }

  void missing(std::string_view key) {
    add(FindingSort::Missing, key, "key '" + std::string(key) + "' must have a value", {});
  }

  /// `why` follows "has no effect: ".
  void no_effect(std::string_view key, const std::string& why) {
    add(FindingSort::NoEffect, key, "key '" + std::string(key) + "' has no effect: " + why, {});
  }

  /// Of a value that another is used for.
  void raised(std::string_view key, std::int64_t given, std::int64_t used, const std::string& why) {
    add(FindingSort::NoEffect, key,
        "key '" + std::string(key) + "': " + std::to_string(given) + " is taken as " +
            std::to_string(used) + ", " + why,
        {});
  }

  /// Of a value that counts, and not alone; `message` follows the key's name and a colon.
  void beside(std::string_view key, const std::string& message) {
    add(FindingSort::NoEffect, key, "key '" + std::string(key) + "': " + message, {});
  }

  /// Whether anything that was found keeps the engine from starting, from the finding of that
  /// number on.
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
  void add(FindingSort sort, std::string_view key, std::string message, std::string where) {
    all_.push_back({sort, kind_, group_, key, std::move(message), std::move(where)});
  }

  GroupKind kind_ = GroupKind::Engine;
  std::string group_;
  std::vector<Finding> all_;
};

}  // namespace affix::inline v0::engine
