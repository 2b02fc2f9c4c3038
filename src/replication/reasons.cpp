// SPDX-License-Identifier: MIT
// Texts and codes of refusals and of ends.
#include "affix/replication/reasons.hpp"

namespace affix::inline v0::replication {

const char* to_text(Refusal refusal) noexcept {
  switch (refusal) {
    case Refusal::None:
      return "accepted";
    case Refusal::Version:
      return "the nodes have different versions of the protocol";
    case Refusal::Cluster:
      return "the nodes are of different clusters";
    case Refusal::Node:
      return "another node has this address";
    case Refusal::Group:
      return "the other node does not follow this group";
    case Refusal::HigherEpoch:
      return "the other node knows a higher epoch: this one leads no more";
    case Refusal::Workers:
      return "the nodes have different numbers of workers";
    case Refusal::Limit:
      return "the other node has no room for a connection";
    case Refusal::NotNow:
      return "the other node cannot keep its copies up at present";
  }
  return "unknown";
}

base::MessageCode code_of(Refusal refusal) noexcept {
  switch (refusal) {
    case Refusal::None:
      break;
    case Refusal::Version:
      return "R101";
    case Refusal::Cluster:
    case Refusal::Node:
      return "R102";
    case Refusal::Group:
      return "R103";
    case Refusal::HigherEpoch:
      return "R104";
    case Refusal::Workers:
      return "R105";
    case Refusal::Limit:
      return "R106";
    case Refusal::NotNow:
      return "R107";
  }
  return {};
}

const char* to_text(Goodbye goodbye) noexcept {
  switch (goodbye) {
    case Goodbye::Stopping:
      return "the other node left in order";
    case Goodbye::Behind:
      return "the standby did not take in time what was sent";
    case Goodbye::NoSpace:
      return "the standby's disk is full";
    case Goodbye::Damaged:
      return "bytes of a copy were damaged";
    case Goodbye::Protocol:
      return "the protocol was broken";
    case Goodbye::Replaced:
      return "a newer connection took its place";
    case Goodbye::Failed:
      return "the standby's disk failed";
    case Goodbye::Diverged:
      return "the copy does not continue what the primary sends";
  }
  return "unknown";
}

base::MessageCode code_of(Goodbye goodbye) noexcept {
  switch (goodbye) {
    case Goodbye::Stopping:
    case Goodbye::Replaced:
      return "R111";
    case Goodbye::Behind:
      return "R112";
    case Goodbye::NoSpace:
      return "R113";
    case Goodbye::Damaged:
    case Goodbye::Diverged:
      return "R114";
    case Goodbye::Protocol:
      return "R115";
    case Goodbye::Failed:
      return "R116";
  }
  return {};
}

}  // namespace affix::inline v0::replication
