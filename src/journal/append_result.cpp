// SPDX-License-Identifier: MIT
// Texts of append results.
#include "affix/journal/journal.hpp"

namespace affix::inline v0::journal {

const char* to_text(AppendResult result) noexcept {
  switch (result) {
    case AppendResult::Appended:
      return "appended";
    case AppendResult::NoSpace:
      return "no space for the journal's next segment";
    case AppendResult::Unavailable:
      return "the journal's next segment could not be made";
    case AppendResult::TooLarge:
      return "message longer than a journal segment";
    case AppendResult::NoReserve:
      return "no outgoing numbers reserved on the disk in time";
    case AppendResult::OutOfOrder:
      return "sequence number below the next outgoing one";
    case AppendResult::Failed:
      return "the journal's disk failed";
    case AppendResult::Closed:
      return "journal closed";
  }
  return "unknown";
}

base::MessageCode code_of(AppendResult result) noexcept {
  switch (result) {
    case AppendResult::Appended:
      return {};
    case AppendResult::NoSpace:
      return "J101";
    case AppendResult::Unavailable:
      return "J102";
    case AppendResult::TooLarge:
      return "J103";
    case AppendResult::NoReserve:
      return "J104";
    case AppendResult::OutOfOrder:
      return "J105";
    case AppendResult::Failed:
      return "J106";
    case AppendResult::Closed:
      return "J107";
  }
  return {};
}

}  // namespace affix::inline v0::journal
