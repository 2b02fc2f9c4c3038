// SPDX-License-Identifier: MIT
// A view of an index that ends with the statement would read freed memory.
// Expected: deleted

#include "affix/wire/view.hpp"

#include <string_view>

unsigned size_of(std::string_view bytes) {
#ifdef AFFIX_EXPECT_FAILURE
  const affix::wire::MessageView view(bytes, affix::wire::FieldIndexOf<64>());
#else
  const affix::wire::FieldIndexOf<64> index;
  const affix::wire::MessageView view(bytes, index);
#endif
  return view.size();
}
