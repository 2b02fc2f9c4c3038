// SPDX-License-Identifier: MIT
// A group of the written file, before it has a name.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace affix::inline v0::tools::import_quickfix {

struct OutputKey {
  std::string key;
  std::string value;

  friend bool operator==(const OutputKey& left, const OutputKey& right) = default;
};

struct OutputGroup {
  std::string name;
  std::vector<std::string> comments;  ///< One line each, without the `#`.
  std::vector<OutputKey> keys;
  std::size_t line = 0;  ///< Of the first [SESSION] that it was made from; 0: none.

  void set(std::string_view key, std::string value) {
    keys.push_back({std::string(key), std::move(value)});
  }

  void set(std::string_view key, const char* value) { set(key, std::string(value)); }

  void set(std::string_view key, bool value) { set(key, value ? "true" : "false"); }
};

/// `[NAME]`, comments, keys, and an empty line.
[[nodiscard]] inline std::string text_of(const OutputGroup& group) {
  std::string text = "[" + group.name + "]\n";
  for (const std::string& comment : group.comments) {
    text.append("# ").append(comment).append("\n");
  }
  for (const OutputKey& each : group.keys) {
    text.append(each.key).append("=").append(each.value).append("\n");
  }
  return text + "\n";
}

}  // namespace affix::inline v0::tools::import_quickfix
