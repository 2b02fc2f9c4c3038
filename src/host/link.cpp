// SPDX-License-Identifier: MIT
// Names of those who end a connection.
#include "host/link.hpp"

namespace affix::inline v0::host {

const char* to_text(EndedBy who) noexcept {
  switch (who) {
    case EndedBy::Unknown:
      break;
    case EndedBy::Peer:
      return "the peer";
    case EndedBy::Session:
      return "us";
    case EndedBy::Application:
      return "the application";
    case EndedBy::Operator:
      return "an operator";
    case EndedBy::Change:
      return "a change of its settings";
    case EndedBy::Schedule:
      return "its schedule";
    case EndedBy::Stop:
      return "the engine's end";
    case EndedBy::Journal:
      return "its journal";
  }
  return "nobody";
}

}  // namespace affix::inline v0::host
