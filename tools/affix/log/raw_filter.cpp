// SPDX-License-Identifier: MIT
// Searches with the C library, which examines many bytes at once.
#include "log/raw_filter.hpp"

#include <algorithm>
#include <cstring>

namespace affix::inline v0::tools::log {

namespace {

/// MsgType is within these first bytes, after BeginString and BodyLength.
constexpr std::size_t head_bytes = 48;

bool contains(std::string_view bytes, std::string_view needle) noexcept {
  return memmem(bytes.data(), bytes.size(), needle.data(), needle.size()) != nullptr;
}

}  // namespace

bool RawFilter::passes(std::string_view bytes) const noexcept {
  const bool wanted =
      std::all_of(needles.begin(), needles.end(),
                  [bytes](const std::string& needle) { return contains(bytes, needle); }) &&
      (alternatives.empty() ||
       std::any_of(alternatives.begin(), alternatives.end(),
                   [bytes](const std::string& needle) { return contains(bytes, needle); }));
  if (wanted || !keep_logons) {
    return wanted;
  }
  const std::size_t begin = bytes.find("8=FIX");
  return begin != std::string_view::npos && contains(bytes.substr(begin, head_bytes), "35=A");
}

}  // namespace affix::inline v0::tools::log
