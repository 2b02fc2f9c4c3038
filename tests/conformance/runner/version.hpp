// SPDX-License-Identifier: MIT
// The FIX versions that scenarios are played in, and what a scenario's text leaves to them.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace affix::conformance {

/// One version. All texts are static.
struct Version {
  std::string_view name;          ///< As scripts and reports call it: "4.2", "5.0SP2".
  std::string_view begin_string;  ///< 8.
  std::string_view appl_ver_id;   ///< 1137 of a Logon; empty before FIX 5.0.
  std::string_view dictionary;    ///< File name of the application's dictionary.
  std::string_view order;         ///< Body of a valid NewOrderSingle behind its ClOrdID, `|` ended.
  std::string_view resend_to_end;  ///< 16 of a ResendRequest without end.

  [[nodiscard]] bool is_fixt() const noexcept { return !appl_ver_id.empty(); }
};

/// All of them, oldest first.
[[nodiscard]] std::span<const Version> all_versions() noexcept;

/// The version of that name, or null.
[[nodiscard]] const Version* find_version(std::string_view name) noexcept;

}  // namespace affix::conformance
