// SPDX-License-Identifier: MIT
// A configuration as lines: groups of keys with the places they stand at, files that are included
// and environment variables put in. What keys mean is not known here.
#pragma once

#include "affix/engine/configuration.hpp"

#include "engine/configuration_source.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace affix::inline v0::engine {

/// A place in one of the files that were read.
struct Line {
  std::uint32_t file = 0;  ///< In the order of reading; Report knows the names.
  std::size_t number = 0;  ///< From 1.
};

struct Entry {
  std::string key;
  std::string value;  ///< With variables put in.
  Line line;
  bool faulty = false;     ///< Reported already: there is no value to be read.
  bool inherited = false;  ///< Of a defaults group, not of the group itself.
};

struct Group {
  std::string name;
  Line line;
  std::vector<Entry> entries;

  /// Null: the group has no such key.
  [[nodiscard]] const Entry* find(std::string_view key) const;
};

/// Collects problems with the place they are at, each once, and at most as many as somebody would
/// read.
class Report {
 public:
  /// `where` names the first file.
  explicit Report(std::string where) : files_{std::move(where)} {}

  /// The number of one more file.
  std::uint32_t add_file(std::string name);

  [[nodiscard]] const std::string& file_name(std::uint32_t file) const { return files_[file]; }

  /// "file:line".
  [[nodiscard]] std::string text_of(Line line) const;

  /// A line as it is named in a sentence about `from`: "line 3", or "line 3 of file" for another.
  [[nodiscard]] std::string reference_to(Line line, Line from) const;

  void add(Line line, std::string message);

  /// In a file that is not the configuration's.
  void add(std::string message, std::string where);

  /// Of something that is accepted and has no effect; each once, and not without limit.
  void warn(Line line, const std::string& message);

  /// By file in the order of reading and by line; those in other files last.
  [[nodiscard]] Problems take();

  [[nodiscard]] std::vector<std::string> take_warnings() { return std::move(warnings_); }

  [[nodiscard]] bool empty() const { return problems_.empty(); }

 private:
  /// Behind every line of the configuration.
  static constexpr Line elsewhere{UINT32_MAX, 0};

  struct Placed {
    Line line;
    std::size_t found;  ///< After so many others.
    base::Error problem;
  };

  void add(Line line, std::string message, std::string where);

  std::vector<std::string> files_;
  std::vector<Placed> problems_;
  std::vector<std::string> warnings_;
  std::unordered_set<std::string> known_;
  std::size_t left_out_ = 0;
};

/// Reads `text`, which stands in the report's first file, and every file that it includes.
/// Everything wrong goes to `report`.
[[nodiscard]] std::vector<Group> read_groups(std::string_view text, ConfigurationSource& source,
                                             Report& report);

/// Most bytes of one configuration with everything that it includes.
inline constexpr std::size_t configuration_bytes_max = std::size_t{16} << 20;

}  // namespace affix::inline v0::engine
