// SPDX-License-Identifier: MIT
// Which sessions speak which dialect.
#include "exchange/messages/dialect.hpp"

#include "order/fix_version.hpp"

namespace affix::inline v0::tools::exchange {

const Dialect& dialect_of(std::string_view begin_string) noexcept {
  switch (fix_version_of(begin_string)) {
    case FixVersion::Fix42:
      return fix42_dialect();
    case FixVersion::Fix44:
      return fix44_dialect();
    case FixVersion::Fix50Sp2:
      break;
  }
  return fix50sp2_dialect();
}

}  // namespace affix::inline v0::tools::exchange
