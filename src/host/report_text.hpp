// SPDX-License-Identifier: MIT
// Sentences for a session's reports: for logs, without secrets, in caller-owned memory.
#pragma once

#include "affix/host/application.hpp"
#include "affix/host/session_handle.hpp"
#include "affix/session/options.hpp"
#include "affix/session/out.hpp"

#include "host/session_dictionary.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace affix::inline v0::host {

[[nodiscard]] Event::Severity severity_of(session::Event event) noexcept;
[[nodiscard]] SendStatus status_of(session::SendError error) noexcept;

/// For a report of a wrong version or id: the session's own; empty for others, and without one.
[[nodiscard]] std::string_view right_value(const session::Report& report,
                                           const session::SessionOptions& options) noexcept;

/// One sentence in a fixed buffer; longer ones are cut.
class ReportText {
 public:
  /// "MsgSeqNum too high: 7, 9: text"; "message rejected: 35=D (NewOrderSingle), tag 38 (OrderQty),
  /// reason 5: text" with the names that `dictionary` has. Without dictionaries, only numbers
  /// appear; with them, unknown tags and types are marked as unknown. `right` is the value that
  /// would have been right, or empty. The view is valid as long as this object.
  [[nodiscard]] std::string_view write(const session::Report& report,
                                       const SessionDictionary& dictionary,
                                       std::string_view right = {}) noexcept;

 private:
  void add(std::string_view text) noexcept;
  void add_number(std::string_view before, std::uint64_t number) noexcept;
  void add_type(const session::Report& report, const SessionDictionary& dictionary) noexcept;
  void add_tag(std::uint64_t tag, const SessionDictionary& dictionary) noexcept;
  void add_name(std::string_view name, const SessionDictionary& dictionary) noexcept;

  /// Adds a peer's text, escaped: it may contain bytes that a log line may not.
  void add_foreign(std::string_view text) noexcept;

  std::array<char, 512> text_;
  std::size_t size_ = 0;
  std::string_view between_;  ///< Separator before the next piece.
};

}  // namespace affix::inline v0::host
