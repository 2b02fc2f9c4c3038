// SPDX-License-Identifier: MIT
// The election store's entry of one failover group: who is primary, since which epoch, and who
// may become it. Its text form is described in docs/reference/election-key.md.
#pragma once

#include "affix/base/error.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::replication {

/// Maximum size of the name of a node, a group or a cluster.
inline constexpr std::size_t election_name_bytes_max = 64;

/// True: 1 to election_name_bytes_max of the characters A to Z, a to z, 0 to 9, '-', '_' and '.',
/// and the first is a letter or a digit. Such a name can be part of a path and of a key.
[[nodiscard]] bool is_election_name(std::string_view name) noexcept;

/// The value of a group's key.
struct Entry {
  /// Number of the present primary's reign; each promotion has a greater one. 0: nobody has led.
  std::uint64_t epoch = 0;
  /// The node that leads. Empty: nobody has led.
  std::string primary = {};
  /// The nodes that have everything that was ever shown outside, the primary included; sorted, each
  /// once. Only they may be promoted.
  std::vector<std::string> in_sync = {};
  /// Counts what the primary writes without a promotion: renewals of its lease and changes of the
  /// set. It makes the values of such writes differ.
  std::uint64_t renewals = 0;

  /// True if `node` is one of the in-sync set.
  [[nodiscard]] bool has_in_sync(std::string_view node) const noexcept;

  /// All values are the same.
  friend bool operator==(const Entry&, const Entry&) = default;
};

/// The text form: five lines, each ended by a line feed. Allocates.
[[nodiscard]] std::string to_text(const Entry& entry);

/// Reads the text form; any bytes. Damaged (R201): they are no entry, and the message says why: an
/// unknown version, a line that is missing, not known or there twice, a number or a name that is
/// none, a set that is not sorted or lacks the primary. Allocates.
[[nodiscard]] std::expected<Entry, base::Error> parse_entry(std::string_view text);

/// Maximum size of a text form.
inline constexpr std::size_t entry_text_bytes_max = 8192;

}  // namespace affix::inline v0::replication
