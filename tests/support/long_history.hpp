// SPDX-License-Identifier: MIT
// Fills a session's journal with sent orders, as an engine would, for tests and benchmarks of long
// resends and of opening long histories.
#pragma once

#include "affix/journal/journal.hpp"

#include "support/fix_text.hpp"

#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>

namespace affix::support {

/// Order number `sequence` of VENUE to FIRM. Its ClOrdID is the number.
inline std::string stored_order(std::uint64_t sequence) {
  const std::string number = std::to_string(sequence);
  return make_message("35=D|34=" + number +
                      "|49=VENUE|56=FIRM|52=20260102-03:04:05.678901234|11=" + number +
                      "|1=ACCOUNT|21=1|55=ACME|54=1|38=100|40=2|44=101.25|59=0|58=an order of long "
                      "ago, one of many|60=20260102-03:04:05.678901234|");
}

/// Appends orders up to number `count`; false when the journal refuses one.
inline bool append_orders(journal::Journal& journal, std::uint64_t count) {
  constexpr std::int64_t first_ns = 1'767'323'045'678'901'234;
  for (std::uint64_t sequence = journal.next_outgoing(); sequence <= count; ++sequence) {
    if (journal.append_sent(sequence, first_ns + static_cast<std::int64_t>(sequence),
                            stored_order(sequence)) != journal::AppendResult::Appended) {
      return false;
    }
    if (journal.needs_preparation() && !journal.prepare()) {
      return false;
    }
  }
  return true;
}

/// The journal of session FIX.4.4:VENUE->FIRM in `directory`, with orders 1 to `count`, closed.
inline bool write_history(const std::string& directory, std::uint64_t count) {
  journal::Options options;
  options.directory = directory;
  options.identity = "FIX.4.4:VENUE->FIRM";
  options.sequence_reserve = 0;
  auto journal = journal::Journal::open(options);
  if (!journal) {
    std::fprintf(stderr, "%s\n", journal.error().text().c_str());
    return false;
  }
  return append_orders(**journal, count) && (*journal)->close().has_value();
}

}  // namespace affix::support
