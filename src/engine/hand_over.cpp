// SPDX-License-Identifier: MIT
// Texts of results.
#include "affix/engine/hand_over.hpp"

namespace affix::inline v0::engine {

const char* to_text(HandOver result) noexcept {
  switch (result) {
    case HandOver::Queued:
      return "queued";
    case HandOver::Full:
      return "the worker's queue is full";
    case HandOver::TooLarge:
      return "larger than message_bytes";
    case HandOver::Invalid:
      return "invalid message";
  }
  return "unknown";
}

}  // namespace affix::inline v0::engine
