// SPDX-License-Identifier: MIT
// A configuration as lines: groups of keys with their places in the files, after includes and
// environment variables are substituted. The meaning of keys is not known here.
#pragma once

#include "affix/config/configuration.hpp"

#include "config/configuration_source.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace affix::inline v0::config {

/// A place in one of the files.
struct Line {
  std::uint32_t file = 0;  ///< In the order of reading; Report knows the names.
  std::size_t number = 0;  ///< From 1.
};

struct Entry {
  std::string key;
  std::string value;  ///< After substitution of variables.
  Line line;
  bool faulty = false;     ///< Reported already: its value must not be read.
  bool inherited = false;  ///< From a defaults group, not from the group itself.
};

struct Group {
  std::string name;
  Line line;
  std::vector<Entry> entries;

  /// Null: the group has no such key.
  [[nodiscard]] const Entry* find(std::string_view key) const;
};

/// Collects problems with their places, each once, and at most as many as a reader would
/// read.
class Report {
 public:
  /// `where` names the first file.
  explicit Report(std::string where) : files_{std::move(where)} {}

  /// Returns the number of the added file.
  std::uint32_t add_file(std::string name);

  [[nodiscard]] const std::string& file_name(std::uint32_t file) const { return files_[file]; }

  /// "file:line".
  [[nodiscard]] std::string text_of(Line line) const;

  /// Names a line in a sentence about `from`: "line 3", or "line 3 of file" for another.
  [[nodiscard]] std::string reference_to(Line line, Line from) const;

  void add(Line line, std::string message, base::MessageCode code = {});

  /// A problem in a file that is not part of the configuration.
  void add(std::string message, std::string where, base::MessageCode code);

  /// Warns of a key that is accepted and has no effect; each once, up to a limit.
  void warn(Line line, std::string message, base::MessageCode code);

  /// The same of a finding, whose place becomes this line.
  void warn(Line line, Finding finding);

  /// Sorted by file in the order of reading and by line; those in other files last.
  [[nodiscard]] Problems take();

  [[nodiscard]] std::vector<Finding> take_warnings() { return std::move(warnings_); }

  [[nodiscard]] bool empty() const { return problems_.empty(); }

 private:
  /// Sorts after every line of the configuration.
  static constexpr Line elsewhere{UINT32_MAX, 0};

  struct Placed {
    Line line;
    std::size_t found;  ///< Number of problems found before it.
    base::Error problem;
  };

  void add(Line line, std::string message, std::string where, base::MessageCode code);

  std::vector<std::string> files_;
  std::vector<Placed> problems_;
  std::vector<Finding> warnings_;
  std::unordered_set<std::string> known_;
  std::size_t left_out_ = 0;
};

/// Reads `text`, the report's first file, and every file that it includes. All problems go to
/// `report`.
[[nodiscard]] std::vector<Group> read_groups(std::string_view text, ConfigurationSource& source,
                                             Report& report);

/// Maximum bytes of one configuration, includes counted.
inline constexpr std::size_t configuration_bytes_max = std::size_t{16} << 20;

}  // namespace affix::inline v0::config
