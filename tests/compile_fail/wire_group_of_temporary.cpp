// SPDX-License-Identifier: MIT
// A group's iterators point to the group view, so an unnamed view is refused.
// Expected: deleted

#include "affix/wire/groups.hpp"

bool has_party(const affix::wire::MessageView& view, const affix::wire::GroupDescription& parties) {
#ifdef AFFIX_EXPECT_FAILURE
  const affix::wire::GroupView::Iterator first = view.group(parties).begin();
#else
  const affix::wire::GroupView group = view.group(parties);
  const affix::wire::GroupView::Iterator first = group.begin();
#endif
  return (*first).has(448);
}
