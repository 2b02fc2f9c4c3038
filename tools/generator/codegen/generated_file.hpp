// SPDX-License-Identifier: MIT
// One result of the code generator: a header or a page, not yet on the disk.
#pragma once

#include <string>

namespace affix::inline v0::tools::codegen {

/// A header below an include folder ("affix/fix44/new_order_single.hpp"), or a page.
struct GeneratedFile {
  std::string path;  ///< Relative, with `/` between folders.
  std::string text;  ///< Complete contents.

  bool operator==(const GeneratedFile&) const = default;
};

}  // namespace affix::inline v0::tools::codegen
