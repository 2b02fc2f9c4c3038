// SPDX-License-Identifier: MIT
// Parses lines into groups. A hostile file costs time in proportion to its size: names are looked
// up in tables, and all counts have limits.
#include "config/configuration_lines.hpp"

#include "affix/base/text.hpp"

#include "config/value_checks.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <tuple>
#include <unordered_map>

namespace affix::inline v0::config {

namespace {

constexpr std::size_t problems_max = 1'000;
constexpr std::size_t line_bytes_max = 65'536;
constexpr std::size_t groups_max = 200'000;
constexpr std::size_t keys_max = 500;  // Of one group; there are fewer than half as many keys.
constexpr std::size_t files_max = 1'000;
constexpr std::size_t depth_max = 16;

constexpr std::string_view include_key = "include";

bool is_name(std::string_view text) noexcept {
  return !text.empty() && !base::is_digit(text.front()) && std::ranges::all_of(text, [](char c) {
    return base::is_letter(c) || base::is_digit(c) || c == '_';
  });
}

class GroupReader {
 public:
  GroupReader(ConfigurationSource& source, Report& report) : source_(source), report_(report) {}

  /// Recursive for included files, up to depth_max.
  void read(std::string_view text, std::uint32_t file);

  [[nodiscard]] std::vector<Group> take() { return std::move(groups_); }

 private:
  void read_line(std::string_view text, Line line);
  void open_group(std::string_view text, Line line);
  void read_entry(std::string_view text, Line line);
  void keep_key(std::string_view text, Line line);
  void take_entry(Entry entry);
  void include(const Entry& entry);
  [[nodiscard]] bool put_in_variables(Entry& entry);

  ConfigurationSource& source_;
  Report& report_;
  std::vector<Group> groups_;
  std::unordered_map<std::string, Line> names_;
  std::optional<std::size_t> current_;  ///< The group that receives keys.
  std::vector<std::string> open_;       ///< Files being read, the innermost last.
  std::size_t bytes_ = 0;
  std::size_t files_ = 0;
};

void GroupReader::read(std::string_view text, std::uint32_t file) {
  open_.push_back(std::filesystem::path(report_.file_name(file)).lexically_normal().string());
  bytes_ += text.size();
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (text.starts_with(byte_order_mark)) {
    text.remove_prefix(byte_order_mark.size());
  }
  const std::optional<std::size_t> before = current_;
  Line line{file, 0};
  while (!text.empty()) {
    ++line.number;
    read_line(base::trimmed(base::take_part(text, '\n')), line);
  }
  open_.pop_back();
  if (!open_.empty()) {
    // The including file continues its own group, whatever groups the included file had.
    current_ = before;
  }
}

void GroupReader::read_line(std::string_view text, Line line) {
  if (text.empty() || text.front() == '#') {
    return;
  }
  if (text.size() > line_bytes_max) {
    report_.add(line, "a line has more than " + std::to_string(line_bytes_max) + " bytes", "C104");
    keep_key(text, line);
  } else if (std::any_of(text.begin(), text.end(), is_control)) {
    report_.add(line, "a line holds a control character", "C105");
    keep_key(text, line);
  } else if (text.front() == '[') {
    open_group(text, line);
  } else {
    read_entry(text, line);
  }
}

void GroupReader::open_group(std::string_view text, Line line) {
  const std::string name(text.back() == ']' ? base::trimmed(text.substr(1, text.size() - 2))
                                            : std::string_view{});
  if (name.empty()) {
    report_.add(line, "a group is written [NAME]", "C106");
  } else if (const auto [known, is_new] = names_.emplace(name, line); !is_new) {
    report_.add(line,
                "group [" + name + "] is given twice, first on " +
                    report_.reference_to(known->second, line),
                "C109");
  }
  if (groups_.size() == groups_max) {
    report_.add("more than " + std::to_string(groups_max) + " groups", report_.file_name(0),
                "C110");
    return;
  }
  current_ = groups_.size();
  groups_.push_back({name, line, {}});
}

void GroupReader::read_entry(std::string_view text, Line line) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) {
    // Shows only one word: the rest may be a secret whose `=` is missing.
    const std::string_view word = text.substr(0, std::min(text.find_first_of(" \t:"), text.size()));
    report_.add(line, "'" + std::string(word) + "' is neither [GROUP] nor key=value", "C107");
    return;
  }
  Entry entry{.key = std::string(base::trimmed(text.substr(0, equals))),
              .value = std::string(base::trimmed(text.substr(equals + 1))),
              .line = line};
  if (entry.key.empty()) {
    report_.add(line, "a key is missing before '='", "C107");
    return;
  }
  entry.faulty = !put_in_variables(entry);
  take_entry(std::move(entry));
}

/// For a refused line: without its key, a required key would also be reported as missing.
void GroupReader::keep_key(std::string_view text, Line line) {
  const std::size_t equals = text.find('=');
  const std::string_view key =
      equals == std::string_view::npos ? std::string_view{} : base::trimmed(text.substr(0, equals));
  if (current_ && is_name(key)) {
    take_entry({.key = std::string(key), .value = {}, .line = line, .faulty = true});
  }
}

void GroupReader::take_entry(Entry entry) {
  const Line line = entry.line;
  if (entry.key == include_key) {
    include(entry);
    return;
  }
  if (!current_) {
    report_.add(line, "key '" + entry.key + "' stands before the first [GROUP]", "C108");
    return;
  }
  Group& group = groups_[*current_];
  if (group.entries.size() == keys_max) {
    report_.add(group.line,
                "[" + group.name + "] has more than " + std::to_string(keys_max) + " keys", "C110");
    return;
  }
  if (const Entry* first = group.find(entry.key)) {
    report_.add(line,
                "key '" + entry.key + "' is given twice in [" + group.name + "], first on " +
                    report_.reference_to(first->line, line),
                "C109");
    return;
  }
  group.entries.push_back(std::move(entry));
}

void GroupReader::include(const Entry& entry) {
  if (entry.faulty) {
    return;
  }
  if (entry.value.empty()) {
    report_.add(entry.line, "key 'include' must have a value", "C111");
    return;
  }
  const std::string path =
      (std::filesystem::path(open_.back()).parent_path() / entry.value).lexically_normal().string();
  if (std::find(open_.begin(), open_.end(), path) != open_.end()) {
    report_.add(entry.line, "'" + entry.value + "' includes itself", "C112");
    return;
  }
  if (open_.size() == depth_max || files_ == files_max) {
    report_.add(entry.line,
                open_.size() == depth_max
                    ? "files include each other more than " + std::to_string(depth_max) + " deep"
                    : "more than " + std::to_string(files_max) + " files are included",
                "C112");
    return;
  }
  const auto text =
      source_.read(path, configuration_bytes_max - std::min(bytes_, configuration_bytes_max));
  if (!text) {
    report_.add(entry.line, "key 'include': " + text.error().text(), "C111");
    return;
  }
  ++files_;
  read(*text, report_.add_file(path));
}

/// False: a variable could not be substituted, and was reported.
bool GroupReader::put_in_variables(Entry& entry) {
  std::string result;
  std::string_view rest = entry.value;
  for (;;) {
    const std::size_t dollar = rest.find("${");
    if (dollar == std::string_view::npos) {
      break;
    }
    if (dollar > 0 && rest[dollar - 1] == '$') {
      // `$${` stands for a literal `${`.
      result += rest.substr(0, dollar);
      result += '{';
      rest.remove_prefix(dollar + 2);
      continue;
    }
    const std::size_t close = rest.find('}', dollar);
    const std::string_view inside = close == std::string_view::npos
                                        ? std::string_view()
                                        : rest.substr(dollar + 2, close - dollar - 2);
    const std::size_t otherwise = inside.find(":-");
    const std::string name(inside.substr(0, otherwise));
    if (!is_name(name)) {
      report_.add(entry.line,
                  "key '" + entry.key +
                      "': a variable is written ${NAME} or ${NAME:-otherwise}; "
                      "write $${ for a literal ${",
                  "C113");
      return false;
    }
    std::optional<std::string> value = source_.variable(name);
    if (otherwise != std::string_view::npos && (!value || value->empty())) {
      value = std::string(inside.substr(otherwise + 2));
    }
    if (!value) {
      std::string text = "key '" + entry.key + "': the environment variable '";
      text.append(name).append("' is not set; ${").append(name);
      report_.add(entry.line, text.append(":-otherwise} gives a fallback"), "C114");
      return false;
    }
    if (std::any_of(value->begin(), value->end(), is_control)) {
      report_.add(entry.line,
                  "key '" + entry.key + "': the environment variable '" + name +
                      "' holds a control character",
                  "C115");
      return false;
    }
    result += rest.substr(0, dollar);
    result += *value;
    rest.remove_prefix(close + 1);
    if (result.size() > line_bytes_max) {
      report_.add(entry.line,
                  "key '" + entry.key + "' has more than " + std::to_string(line_bytes_max) +
                      " bytes with its variables",
                  "C116");
      return false;
    }
  }
  result += rest;
  entry.value = std::move(result);
  return true;
}

}  // namespace

const Entry* Group::find(std::string_view key) const {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [key](const Entry& entry) { return entry.key == key; });
  return found == entries.end() ? nullptr : &*found;
}

std::uint32_t Report::add_file(std::string name) {
  files_.push_back(std::move(name));
  return static_cast<std::uint32_t>(files_.size() - 1);
}

std::string Report::text_of(Line line) const {
  return files_[line.file] + ":" + std::to_string(line.number);
}

std::string Report::reference_to(Line line, Line from) const {
  return "line " + std::to_string(line.number) +
         (line.file == from.file ? std::string() : " of " + files_[line.file]);
}

void Report::add(Line line, std::string message, base::MessageCode code) {
  add(line, std::move(message), text_of(line), code);
}

void Report::add(std::string message, std::string where, base::MessageCode code) {
  add(elsewhere, std::move(message), std::move(where), code);
}

void Report::add(Line line, std::string message, std::string where, base::MessageCode code) {
  if (problems_.size() == problems_max) {
    ++left_out_;
    return;
  }
  // A wrong value in a defaults group occurs in every group that inherits it.
  if (known_.insert(where + ": " + message).second) {
    problems_.push_back({line,
                         problems_.size(),
                         {base::ErrorCode::InvalidArgument, std::move(message), std::move(where),
                          code, static_cast<std::uint32_t>(line.number)}});
  }
}

void Report::warn(Line line, std::string message, base::MessageCode code) {
  Finding finding;
  finding.sort = FindingSort::NoEffect;
  finding.message = std::move(message);
  finding.code = code;
  warn(line, std::move(finding));
}

void Report::warn(Line line, Finding finding) {
  finding.where = text_of(line);
  if (warnings_.size() < problems_max &&
      known_.insert(finding.where + ": " + finding.message).second) {
    warnings_.push_back(std::move(finding));
  }
}

Problems Report::take() {
  // By line, and within a line in the order found.
  std::ranges::sort(problems_, {}, [](const Placed& placed) {
    return std::tuple(placed.line.file, placed.line.number, placed.found);
  });
  Problems problems;
  problems.reserve(problems_.size());
  for (Placed& placed : problems_) {
    problems.push_back(std::move(placed.problem));
  }
  problems_.clear();
  if (left_out_ != 0) {
    problems.push_back({base::ErrorCode::Limit,
                        std::to_string(left_out_) + " problems more are not listed", files_[0],
                        "C110"});
  }
  return problems;
}

std::vector<Group> read_groups(std::string_view text, ConfigurationSource& source, Report& report) {
  GroupReader reader(source, report);
  reader.read(text, 0);
  return reader.take();
}

}  // namespace affix::inline v0::config
