// SPDX-License-Identifier: MIT
// Texts of the results of following.
#include "affix/journal/followed.hpp"

namespace affix::inline v0::journal {

const char* to_text(Followed result) noexcept {
  switch (result) {
    case Followed::Stored:
      return "stored";
    case Followed::AlreadyThere:
      return "already there";
    case Followed::WrongPlace:
      return "not where the copy ends";
    case Followed::Damaged:
      return "damaged";
    case Followed::NoSpace:
      return "no space for the copy's next segment";
    case Followed::Failed:
      return "the copy cannot store";
  }
  return "unknown";
}

}  // namespace affix::inline v0::journal
