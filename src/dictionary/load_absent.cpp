// SPDX-License-Identifier: MIT
// Answers in a build without an XML library. Empty in every other.
#include "affix/dictionary/load.hpp"

namespace affix::inline v0::dictionary {

#ifndef AFFIX_XML

Loaded load_text(std::string_view /*text*/, const LoadLimits& /*limits*/) {
  Loaded loaded;
  loaded.problems.push_back({Severity::Error,
                             0,
                             {},
                             "this build reads no dictionaries (it was made without pugixml)",
                             "D101"});
  return loaded;
}

Loaded load(const std::string& /*path*/, const LoadLimits& limits) {
  return load_text({}, limits);
}

#endif

}  // namespace affix::inline v0::dictionary
