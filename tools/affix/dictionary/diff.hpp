// SPDX-License-Identifier: MIT
// `affix dictionary diff`: compares two dictionaries, such as a venue's new file with the one in
// use.
#pragma once

#include "affix/dictionary/model.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace affix::inline v0::tools::dictionary {

enum class Change : std::uint8_t { Added, Removed, Changed };

struct Difference {
  Change change = Change::Changed;
  std::string subject;  ///< "field 54 Side", "message D NewOrderSingle", "header".
  std::string text;     ///< Details; empty if the whole subject was added or removed.

  bool operator==(const Difference&) const = default;
};

/// "+ field 5001 Desk (String)", "~ message D NewOrderSingle: Side (54) is required now".
[[nodiscard]] std::string to_text(const Difference& difference);

enum class DiffScope : std::uint8_t {
  AsWritten,  ///< Messages and components as their files list them.
  OnTheWire,  ///< Messages with components expanded; the division into components does not matter.
};

/// Returns differences of version, header, trailer, messages, components and fields, in this order;
/// each kind in the dictionaries' order. AsWritten finds every difference. Allocates.
[[nodiscard]] std::vector<Difference> diff(const affix::dictionary::Dictionary& before,
                                           const affix::dictionary::Dictionary& after,
                                           DiffScope scope);

}  // namespace affix::inline v0::tools::dictionary
