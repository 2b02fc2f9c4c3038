// SPDX-License-Identifier: MIT
// Finds a message's own field where one of its groups has the same tag.
#include "affix/messages/reader.hpp"

namespace affix::inline v0::messages {

std::uint32_t OutsideGroups::position_of(std::uint32_t tag) const noexcept {
  std::uint32_t at = 0;
  while (at < view_.size()) {
    const std::uint32_t found = view_.tag_at(at);
    if (found == tag) {
      return at;
    }
    std::uint32_t next = at + 1;
    for (const wire::GroupDescription* group : groups_) {
      if (group->counter_tag == found) {
        // At least after the counter, so the walk ends.
        next = wire::GroupView(view_, *group, at, view_.size()).end_position();
        break;
      }
    }
    at = next;
  }
  return wire::no_position;
}

}  // namespace affix::inline v0::messages
