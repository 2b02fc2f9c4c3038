// SPDX-License-Identifier: MIT
// Reads the end of a session's journal from outside while its worker writes.
#pragma once

#include "affix/admin/answer.hpp"
#include "affix/base/error.hpp"
#include "affix/journal/reader.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::admin {

/// A record that outlives its reader.
struct KeptRecord {
  journal::Record record;  ///< `bytes` are empty.
  std::string bytes;
};

/// The last `count` records, oldest first. Reads whole segments from the newest backwards, as few
/// as needed and at most 16. Blocks on the disk.
[[nodiscard]] std::expected<std::vector<KeptRecord>, base::Error> read_tail(
    const std::string& directory, std::size_t count);

/// Calls `visit` with every record of one segment after the other, newest segment first, records in
/// order, and asks `go_back` before each further segment. False: the time limit was reached first.
[[nodiscard]] std::expected<bool, base::Error> walk_back(
    const std::string& directory, std::int64_t until_steady_ns,
    const std::function<void(const journal::Record&)>& visit, const std::function<bool()>& go_back);

/// A reader positioned after the last record.
[[nodiscard]] std::expected<journal::Reader, base::Error> open_at_end(const std::string& directory);

/// Columns of a record in an answer, and the record as such a row.
inline constexpr std::array<std::string_view, 6> record_columns{
    "time", "kind", "sequence", "number_after", "processed", "message"};
void add_record(Answer& answer, const journal::Record& record, std::string_view bytes);

/// "sent", "received", "held", "resent" or the kind of event.
[[nodiscard]] std::string kind_text(const journal::Record& record);

}  // namespace affix::inline v0::admin
