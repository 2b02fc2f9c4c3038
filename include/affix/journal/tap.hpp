// SPDX-License-Identifier: MIT
// Observes every store of a journal, in program order, so that copies on other machines can make
// the same stores (copying.hpp, Journal::follow_record()). Knows no network.
#pragma once

#include "affix/journal/format.hpp"
#include "affix/journal/record.hpp"

#include <cstdint>
#include <string_view>

namespace affix::inline v0::journal {

/// Set by Journal::set_tap(). The journal's writer calls every member on its own thread, from
/// within the append or the mark, after the store; so one tap of several journals of one thread
/// sees all of their stores in one order. A member must not call the journal's appends, marks or
/// set_tap(), and should not block: the append waits for it.
class Tap {
 public:
  /// A record was appended at `at`. `record` is it as it is in the segment, with its processed mark
  /// and padding: a multiple of 8 bytes. Valid during the call.
  virtual void on_record(std::uint32_t tap_id, Position at, std::string_view record) noexcept = 0;

  /// The writer continues in a new segment, before its first record. `header` is complete, with
  /// magic and CRC. Valid during the call.
  virtual void on_segment(std::uint32_t tap_id, const format::Header& header) noexcept = 0;

  /// The processed mark of the received record at `at` became `mark`. A late mark that is confirmed
  /// is reported again, as format::Mark::Final.
  virtual void on_mark(std::uint32_t tap_id, Position at, format::Mark mark) noexcept = 0;

  /// Outgoing numbers below `reserved_outgoing` are reserved on the disk. Another thread stores the
  /// reserve; the writer reports it with the next record, before on_record(), and always before a
  /// record that needs it. With Options::sequence_reserve of 0 never called.
  virtual void on_reserve(std::uint32_t tap_id, std::uint64_t reserved_outgoing) noexcept = 0;

 protected:
  Tap() = default;
  /// Only for what is derived from it.
  Tap(const Tap&) = default;
  /// Only for what is derived from it.
  Tap& operator=(const Tap&) = default;
  ~Tap() = default;
};

/// A journal's connection to its tap.
struct TapLink {
  Tap* tap = nullptr;              ///< Null: there is none.
  std::uint32_t id = 0;            ///< As which the tap knows the journal.
  std::uint64_t told_reserve = 0;  ///< The reserve that the tap knows.
};

}  // namespace affix::inline v0::journal
