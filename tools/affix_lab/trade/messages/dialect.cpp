// SPDX-License-Identifier: MIT
// The parts independent of the version, and the selection of each session's dialect.
#include "trade/messages/dialect.hpp"

#include "order/fix_version.hpp"

namespace affix::inline v0::tools::trade {

std::string_view msg_type_of(const OrderRequest& request) noexcept {
  switch (request.kind) {
    case RequestKind::New:
      return "D";
    case RequestKind::Cancel:
      return "F";
    case RequestKind::Replace:
      return "G";
  }
  return {};
}

const Dialect& dialect_of(std::string_view begin_string) noexcept {
  return choose_version(begin_string, fix42_dialect(), fix44_dialect(), fix50sp2_dialect());
}

}  // namespace affix::inline v0::tools::trade
