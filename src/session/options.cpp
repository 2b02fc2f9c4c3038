// SPDX-License-Identifier: MIT
// Recognises versions by BeginString.

#include "affix/session/options.hpp"

namespace affix::inline v0::session {

Version version_of(std::string_view begin_string) noexcept {
  if (begin_string == "FIX.4.0") {
    return Version::Fix40;
  }
  if (begin_string == "FIX.4.1") {
    return Version::Fix41;
  }
  if (begin_string == "FIX.4.2") {
    return Version::Fix42;
  }
  if (begin_string == "FIX.4.3") {
    return Version::Fix43;
  }
  return begin_string == "FIX.4.4" ? Version::Fix44 : Version::Fixt11;
}

}  // namespace affix::inline v0::session
