// SPDX-License-Identifier: MIT
// Sentences for what a session reports: for logs, without secrets, in caller-owned memory.
#pragma once

#include "affix/engine/application.hpp"
#include "affix/engine/session_handle.hpp"
#include "affix/session/out.hpp"

#include "engine/session_dictionary.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace affix::inline v0::engine {

[[nodiscard]] Event::Severity severity_of(session::Event event) noexcept;
[[nodiscard]] SendStatus status_of(session::SendError error) noexcept;

/// One sentence in place; longer ones are cut.
class ReportText {
 public:
  /// "MsgSeqNum too high: 7, 9: text"; "message rejected: 35=D (NewOrderSingle), tag 38 (OrderQty),
  /// reason 5: text" with the names that `dictionary` has. Without dictionaries numbers stand
  /// alone; with them what they do not have is said to be unknown. The view lives as long as this
  /// object.
  [[nodiscard]] std::string_view write(const session::Report& report,
                                       const SessionDictionary& dictionary) noexcept;

 private:
  void add(std::string_view text) noexcept;
  void add_number(std::string_view before, std::uint64_t number) noexcept;
  void add_type(const session::Report& report, const SessionDictionary& dictionary) noexcept;
  void add_tag(std::uint64_t tag, const SessionDictionary& dictionary) noexcept;
  void add_name(std::string_view name, const SessionDictionary& dictionary) noexcept;

  /// What a peer wrote: it may hold anything, and a log line may not.
  void add_foreign(std::string_view text) noexcept;

  std::array<char, 512> text_;
  std::size_t size_ = 0;
  std::string_view between_;  ///< What comes before the next piece.
};

}  // namespace affix::inline v0::engine
