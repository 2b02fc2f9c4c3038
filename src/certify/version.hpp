// SPDX-License-Identifier: MIT
// The FIX versions in which scenarios are played, and the parts of messages that depend on them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace affix::inline v0::certify {

/// One version. All texts are static.
struct Version {
  std::string_view name;           ///< Name in scripts and reports: "4.2", "5.0SP2".
  std::string_view begin_string;   ///< 8.
  std::string_view appl_ver_id;    ///< 1137 of a Logon; empty before FIX 5.0.
  std::string_view dictionary;     ///< File name of the application's dictionary.
  std::string_view order;          ///< Body of a valid NewOrderSingle after its ClOrdID, terminated
                                   ///< by `|`.
  std::string_view resend_to_end;  ///< 16 of a ResendRequest for an open range.

  [[nodiscard]] bool is_fixt() const noexcept { return !appl_ver_id.empty(); }
};

inline constexpr std::size_t version_count = 8;

/// All of them, oldest first.
[[nodiscard]] std::span<const Version> all_versions() noexcept;

/// The version of that name, or null.
[[nodiscard]] const Version* find_version(std::string_view name) noexcept;

}  // namespace affix::inline v0::certify
