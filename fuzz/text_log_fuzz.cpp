// SPDX-License-Identifier: MIT
// Any bytes as a text log, plain, gzip or zstd: reading ends, and found messages have the form of
// one. With a filter, the same bytes give a subset of the results without.
#include "log/byte_window.hpp"
#include "log/raw_filter.hpp"
#include "log/text_source.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

namespace log = affix::tools::log;

void require(bool condition) {
  if (!condition) {
    std::abort();
  }
}

std::size_t count(std::string_view bytes, const log::RawFilter& filter) {
  log::TextSource source(log::ByteWindow::of_bytes(bytes, "input"), "input", {"US", false}, filter);
  std::size_t entries = 0;
  while (const auto entry = source.next()) {
    ++entries;
    require(!entry->bytes.empty());
    if (entry->is_message()) {
      require(entry->bytes.starts_with("8=FIX") && entry->bytes.back() == '\x01');
      require(entry->session.find("->") != std::string_view::npos);
    }
  }
  return entries;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(input), size);
  const log::RawFilter all;
  const std::size_t entries = count(bytes, all);
  log::RawFilter some;
  some.needles = {"35=D"};
  require(count(bytes, some) <= entries);
  return 0;
}
