// SPDX-License-Identifier: MIT
// Sentences for what a session reports: for logs, without secrets, in caller-owned memory.
#pragma once

#include "affix/engine/application.hpp"
#include "affix/engine/session_handle.hpp"
#include "affix/session/out.hpp"

#include <array>
#include <cstddef>
#include <string_view>

namespace affix::inline v0::engine {

[[nodiscard]] Event::Severity severity_of(session::Event event) noexcept;
[[nodiscard]] SendStatus status_of(session::SendError error) noexcept;

/// One sentence in place; longer ones are cut.
class ReportText {
 public:
  /// "sequence number too high: 7, 9: text". The view lives as long as this object.
  [[nodiscard]] std::string_view write(const session::Report& report) noexcept;

 private:
  std::array<char, 512> text_;
};

}  // namespace affix::inline v0::engine
