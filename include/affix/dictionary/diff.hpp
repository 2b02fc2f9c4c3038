// SPDX-License-Identifier: MIT
// What changed from one dictionary to another: a venue's new file against the one in use.
#pragma once

#include "affix/dictionary/model.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace affix::inline v0::dictionary {

enum class Change : std::uint8_t { Added, Removed, Changed };

struct Difference {
  Change change = Change::Changed;
  std::string subject;  ///< "field 54 Side", "message D NewOrderSingle", "header".
  std::string text;     ///< What about it; empty when the subject as a whole came or went.

  bool operator==(const Difference&) const = default;
};

/// "+ field 5001 Desk (String)", "~ message D NewOrderSingle: Side (54) is required now".
[[nodiscard]] std::string to_text(const Difference& difference);

enum class DiffScope : std::uint8_t {
  AsWritten,  ///< Messages and components as their files list them.
  OnTheWire,  ///< Messages with components expanded; how a file is cut into components is nothing.
};

/// Version, header, trailer, messages, components, fields, in this order and each in the
/// dictionaries' own. Nothing when the two are equal; AsWritten finds whatever makes them unequal.
[[nodiscard]] std::vector<Difference> diff(const Dictionary& before, const Dictionary& after,
                                           DiffScope scope);

}  // namespace affix::inline v0::dictionary
