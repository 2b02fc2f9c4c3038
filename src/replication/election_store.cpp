// SPDX-License-Identifier: MIT
// Kinds and their names.
#include "affix/replication/election_store.hpp"

namespace affix::inline v0::replication {

AnswerKind answer_to(RequestKind kind) noexcept {
  switch (kind) {
    case RequestKind::Read:
      return AnswerKind::Read;
    case RequestKind::Promote:
      return AnswerKind::Promote;
    case RequestKind::ChangeSet:
      return AnswerKind::ChangeSet;
  }
  return AnswerKind::Changed;
}

const char* to_text(RequestKind kind) noexcept {
  switch (kind) {
    case RequestKind::Read:
      return "read";
    case RequestKind::Promote:
      return "promote";
    case RequestKind::ChangeSet:
      return "change the set";
  }
  return "?";
}

const char* to_text(AnswerKind kind) noexcept {
  switch (kind) {
    case AnswerKind::Read:
      return "read";
    case AnswerKind::Promote:
      return "promote";
    case AnswerKind::ChangeSet:
      return "change the set";
    case AnswerKind::Changed:
      return "changed";
  }
  return "?";
}

const char* to_text(Outcome outcome) noexcept {
  switch (outcome) {
    case Outcome::Done:
      return "done";
    case Outcome::Conflict:
      return "another node was first";
    case Outcome::Unknown:
      return "perhaps done: the answer was lost";
    case Outcome::Unreachable:
      return "not done: the store cannot be reached";
    case Outcome::Damaged:
      return "the store's value is not an entry";
  }
  return "?";
}

}  // namespace affix::inline v0::replication
