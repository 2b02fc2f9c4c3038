// SPDX-License-Identifier: MIT
// Limits of the loaders of dictionaries.
#pragma once

#include <cstddef>
#include <cstdint>

namespace affix::inline v0::dictionary {

/// Limits on the cost of a file. The largest published file (FIX Latest's Orchestra) has 9.4 MB,
/// 77,000 pieces of markup and 125,000 attributes. A file beyond a limit is refused with the
/// limit's name.
struct LoadLimits {
  std::size_t bytes_max = 64U << 20;
  std::uint32_t depth_max = 64;  ///< Elements within elements.
  /// Elements, comments and other pieces of markup.
  std::uint32_t elements_max = 1'000'000;
  std::uint32_t attributes_max = 2'000'000;
  std::uint32_t name_bytes_max = 255;         ///< Of fields, messages, components, types and codes.
  std::uint32_t value_name_bytes_max = 4096;  ///< Some venues write whole sentences.
  std::uint32_t component_depth_max = 32;     ///< Components within components; FIX Latest has 10.
  std::uint32_t group_depth_max = 16;  ///< Groups within groups, as in wire; FIX Latest has 7.
  /// Fields of one message, all components and groups expanded; FIX Latest has up to 4,600.
  std::uint32_t expanded_members_max = 200'000;
  /// Total over all messages; FIX Latest has 304,000.
  std::uint32_t expanded_total_max = 4'000'000;
  std::uint32_t problems_max = 1000;  ///< One more then reports that there are more.
};

}  // namespace affix::inline v0::dictionary
