// SPDX-License-Identifier: MIT
// Five lines, each a key and a value, in a fixed order: an operator can read it, and two entries
// are equal exactly if their texts are.
#include "affix/replication/election_entry.hpp"

#include "affix/base/text.hpp"
#include "affix/replication/node.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace affix::inline v0::replication {

namespace {

static_assert(election_name_bytes_max == name_bytes_max);

constexpr std::string_view first_line = "affix-election 1";
constexpr std::string_view first_word = "affix-election ";

std::unexpected<base::Error> no_entry(std::string why) {
  return std::unexpected(base::Error{
      base::ErrorCode::Damaged, "not an election entry: " + std::move(why), {}, "R201"});
}

/// Takes the text up to the next line feed, or all of it, off `rest`.
std::string_view take_line(std::string_view& rest) noexcept {
  const std::size_t end = rest.find('\n');
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  return line;
}

/// The value of the next line if its key is `key`.
std::optional<std::string_view> take_value(std::string_view& rest, std::string_view key) noexcept {
  const std::string_view line = take_line(rest);
  if (!line.starts_with(key) || line.size() == key.size() || line[key.size()] != '=') {
    return std::nullopt;
  }
  return line.substr(key.size() + 1);
}

/// Digits without a needless zero in front, so that one number has one text.
std::optional<std::uint64_t> number_in(std::string_view text) noexcept {
  const bool has_needless_zero = text.size() > 1 && text.front() == '0';
  return has_needless_zero ? std::nullopt : base::parse_number<std::uint64_t>(text);
}

}  // namespace

bool is_election_name(std::string_view name) noexcept {
  return base::is_path_part(name, election_name_bytes_max);
}

bool Entry::has_in_sync(std::string_view node) const noexcept {
  return std::ranges::find(in_sync, node) != in_sync.end();
}

std::string to_text(const Entry& entry) {
  std::string text(first_line);
  text += "\nepoch=" + std::to_string(entry.epoch) + "\nprimary=" + entry.primary + "\nin_sync=";
  std::string_view separator;
  for (const std::string& node : entry.in_sync) {
    text += separator;
    text += node;
    separator = ",";
  }
  text += "\nrenewals=" + std::to_string(entry.renewals) + "\n";
  return text;
}

std::expected<Entry, base::Error> parse_entry(std::string_view text) {
  if (text.size() > entry_text_bytes_max) {
    return no_entry("it has more than " + std::to_string(entry_text_bytes_max) + " bytes");
  }
  std::string_view rest = text;
  if (const std::string_view line = take_line(rest); line != first_line) {
    return no_entry(line.starts_with(first_word)
                        ? "its version is not 1"
                        : "its first line is not '" + std::string(first_line) + "'");
  }
  const auto epoch_text = take_value(rest, "epoch");
  const auto primary = take_value(rest, "primary");
  auto set = take_value(rest, "in_sync");
  const auto renewals_text = take_value(rest, "renewals");
  if (!epoch_text || !primary || !set || !renewals_text) {
    return no_entry("its lines are not epoch, primary, in_sync and renewals, in this order");
  }
  if (!rest.empty()) {
    return no_entry("something follows its fifth line");
  }
  const auto epoch = number_in(*epoch_text);
  const auto renewals = number_in(*renewals_text);
  if (!epoch || !renewals) {
    return no_entry("epoch or renewals is not a number");
  }
  Entry entry{.epoch = *epoch, .primary = std::string(*primary), .renewals = *renewals};
  if (primary->empty() != (*epoch == 0)) {
    return no_entry("there is a primary exactly if the epoch is not 0");
  }
  // A set that ends with a comma has an empty name at its end.
  bool more = !set->empty();
  while (more) {
    const std::size_t comma = set->find(',');
    const std::string_view name = set->substr(0, comma);
    if (!is_election_name(name)) {
      return no_entry("a name in in_sync is not one of 1 to 64 letters, digits, '-', '_' and '.'");
    }
    if (!entry.in_sync.empty() && entry.in_sync.back() >= name) {
      return no_entry("in_sync is not sorted, or names a node twice");
    }
    entry.in_sync.emplace_back(name);
    more = comma != std::string_view::npos;
    set->remove_prefix(more ? comma + 1 : set->size());
  }
  if (entry.primary.empty() ? !entry.in_sync.empty() : !entry.has_in_sync(entry.primary)) {
    return no_entry("the primary is not one of in_sync");
  }
  return entry;
}

}  // namespace affix::inline v0::replication
