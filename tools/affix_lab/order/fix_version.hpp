// SPDX-License-Identifier: MIT
// The FIX versions whose typed messages the exchange and the trade client use, and their selection
// for a session.
#pragma once

#include <string_view>

namespace affix::inline v0::tools {

/// The version for a BeginString: FIX.4.2 up to that version, FIX.5.0 SP2 for FIXT, otherwise
/// FIX.4.4.
template <typename OfVersion>
[[nodiscard]] const OfVersion& choose_version(std::string_view begin_string, const OfVersion& fix42,
                                              const OfVersion& fix44, const OfVersion& fix50sp2) {
  if (begin_string == "FIXT.1.1") {
    return fix50sp2;
  }
  const bool old =
      begin_string == "FIX.4.0" || begin_string == "FIX.4.1" || begin_string == "FIX.4.2";
  return old ? fix42 : fix44;
}

}  // namespace affix::inline v0::tools
