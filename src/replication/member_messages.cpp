// SPDX-License-Identifier: MIT
// Messages of a member, with their codes.
#include "affix/replication/member.hpp"

namespace affix::inline v0::replication {

const char* to_text(WishAnswer answer) noexcept {
  switch (answer) {
    case WishAnswer::Begun:
      return "begun";
    case WishAnswer::LeadsAlready:
      return "this node is the primary";
    case WishAnswer::NotLeading:
      return "this node is not the primary";
    case WishAnswer::NotANode:
      return "the group has no other node of this name";
    case WishAnswer::NotInSync:
      return "the node is not in sync";
    case WishAnswer::ContentDoubtful:
      return "the node may have lost what it had";
    case WishAnswer::EntryMissing:
      return "the election store has no entry";
    case WishAnswer::EntryOld:
      return "the election store's entry is older than this node's journals";
    case WishAnswer::LeaseRuns:
      return "the primary's lease may still run: let it hand over";
    case WishAnswer::PrimaryAlive:
      return "the primary is connected: let it hand over";
    case WishAnswer::StoreSilent:
      return "the election store does not answer";
    case WishAnswer::Busy:
      return "a promotion or a hand-over is under way";
  }
  return "?";
}

const char* to_text(AlarmKind kind) noexcept {
  switch (kind) {
    case AlarmKind::Alone:
      return "the primary goes on alone: if it ends now, no node is promoted without an operator";
    case AlarmKind::NotAlone:
      return "a standby is in sync again";
    case AlarmKind::HandOverGivenUp:
      return "the hand-over was given up: this node goes on as the primary";
    case AlarmKind::StoreSetBack:
      return "the election store's entry is missing or older than what this node has seen of it";
    case AlarmKind::LossAccepted:
      return "this node leads by an operator's word, perhaps without what counterparties have seen";
  }
  return "?";
}

base::MessageCode code_of(AlarmKind kind) noexcept {
  switch (kind) {
    case AlarmKind::Alone:
      return "R202";
    case AlarmKind::NotAlone:
      return "R203";
    case AlarmKind::HandOverGivenUp:
      return "R204";
    case AlarmKind::StoreSetBack:
      return "R205";
    case AlarmKind::LossAccepted:
      return "R206";
  }
  return {};
}

base::MessageCode code_of(WishAnswer answer) noexcept {
  switch (answer) {
    case WishAnswer::Begun:
      return {};
    case WishAnswer::LeadsAlready:
    case WishAnswer::NotLeading:
    case WishAnswer::NotANode:
      return "R207";
    case WishAnswer::NotInSync:
    case WishAnswer::ContentDoubtful:
    case WishAnswer::EntryMissing:
    case WishAnswer::EntryOld:
      return "R208";
    case WishAnswer::LeaseRuns:
    case WishAnswer::PrimaryAlive:
      return "R209";
    case WishAnswer::StoreSilent:
      return "R210";
    case WishAnswer::Busy:
      return "R211";
  }
  return {};
}

}  // namespace affix::inline v0::replication
