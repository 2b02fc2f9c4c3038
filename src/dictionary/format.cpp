// SPDX-License-Identifier: MIT
// Names of formats, also in a build that reads none of them.
#include "affix/dictionary/load.hpp"

namespace affix::inline v0::dictionary {

const char* to_text(Format format) noexcept {
  switch (format) {
    case Format::QuickFix:
      return "QuickFIX XML";
    case Format::Orchestra:
      return "FIX Orchestra";
    case Format::Unknown:
      break;
  }
  return "unknown";
}

}  // namespace affix::inline v0::dictionary
