// SPDX-License-Identifier: MIT
// Texts about a member, for operators.
#include "affix/replication/member.hpp"

namespace affix::inline v0::replication {

const char* to_text(Role role) noexcept {
  switch (role) {
    case Role::Standby:
      return "standby";
    case Role::Leading:
      return "primary";
    case Role::HandingOver:
      return "handing over";
  }
  return "?";
}

const char* to_text(Output output) noexcept {
  switch (output) {
    case Output::NotLeading:
      return "the node does not lead";
    case Output::Passes:
      return "passes";
    case Output::HeldForStandby:
      return "held: fewer nodes than in_sync_min are in sync";
    case Output::HeldByLease:
      return "held: the lease could not be renewed in time";
    case Output::HeldByEpoch:
      return "held: a standby knows a higher epoch";
  }
  return "?";
}

const char* to_text(WhyStandby why) noexcept {
  switch (why) {
    case WhyStandby::None:
      return "the node leads";
    case WhyStandby::Underway:
      return "the promotion is under way";
    case WhyStandby::StoreSilent:
      return "the election store has not answered yet";
    case WhyStandby::StoreUnreachable:
      return "the election store cannot be reached";
    case WhyStandby::EntryDamaged:
      return "the election store's value is not an entry";
    case WhyStandby::EntryMissing:
      return "the election store has no entry: the first node of the group makes it if none has "
             "led "
             "before, and otherwise an operator must accept the loss";
    case WhyStandby::EntryOld:
      return "the election store's entry is older than this node's journals: the store was set "
             "back";
    case WhyStandby::PrimaryAlive:
      return "the primary is connected";
    case WhyStandby::PrimaryAwaited:
      return "the primary is not connected yet";
    case WhyStandby::OthersFirst:
      return "another standby comes first";
    case WhyStandby::LeaseRuns:
      return "the primary's lease may still run";
    case WhyStandby::NotInSync:
      return "the node is not in sync: it may lack what a counterparty has seen";
    case WhyStandby::ContentDoubtful:
      return "the node may have lost what it had: its machine lost power, or its copies were "
             "damaged";
    case WhyStandby::PromiseFailed:
      return "the node could not write its promise to the disk";
    case WhyStandby::LeadFailed:
      return "the node could not open the group's sessions";
  }
  return "?";
}

}  // namespace affix::inline v0::replication
