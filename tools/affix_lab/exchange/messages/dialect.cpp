// SPDX-License-Identifier: MIT
// Selects each session's dialect.
#include "exchange/messages/dialect.hpp"

#include "order/fix_version.hpp"

namespace affix::inline v0::tools::exchange {

const Dialect& dialect_of(std::string_view begin_string) noexcept {
  return choose_version(begin_string, fix42_dialect(), fix44_dialect(), fix50sp2_dialect());
}

}  // namespace affix::inline v0::tools::exchange
