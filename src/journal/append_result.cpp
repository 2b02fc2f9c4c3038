// SPDX-License-Identifier: MIT
// Texts of append results.
#include "affix/journal/append_result.hpp"

namespace affix::inline v0::journal {

namespace {

base::CodedText described(AppendResult result) noexcept {
  switch (result) {
    case AppendResult::Appended:
      return {"appended", {}};
    case AppendResult::NoSpace:
      return {"no space for the journal's next segment", "J101"};
    case AppendResult::Unavailable:
      return {"the journal's next segment could not be made", "J102"};
    case AppendResult::TooLarge:
      return {"message longer than a journal segment", "J103"};
    case AppendResult::NoReserve:
      return {"no outgoing numbers reserved on the disk in time", "J104"};
    case AppendResult::OutOfOrder:
      return {"sequence number below the next outgoing one", "J105"};
    case AppendResult::Failed:
      return {"the journal's disk failed", "J106"};
    case AppendResult::Closed:
      return {"journal closed", "J107"};
    case AppendResult::Following:
      return {"the journal is a copy, which only follows", "J110"};
  }
  return {"unknown"};
}

}  // namespace

const char* to_text(AppendResult result) noexcept {
  return described(result).text.data();
}

base::MessageCode code_of(AppendResult result) noexcept {
  return described(result).code;
}

}  // namespace affix::inline v0::journal
