// SPDX-License-Identifier: MIT
// Any bytes as a capture file, and as its frames: parsing packets, joining streams and framing
// messages all end, and yield complete messages.
#include "log/pcap_source.hpp"
#include "log/raw_filter.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

namespace {

namespace log = affix::tools::log;

void read_capture(std::string bytes) {
  const log::RawFilter all;
  auto source = log::PcapSource::open_bytes(bytes, "input", "US", all);
  if (!source) {
    return;
  }
  while (const auto entry = (*source)->next()) {
    if (!entry->bytes.starts_with("8=") || entry->bytes.back() != '\x01') {
      std::abort();
    }
  }
}

void append(std::string& to, std::uint32_t value) {
  char bytes[4];
  std::memcpy(bytes, &value, sizeof(bytes));
  to.append(bytes, sizeof(bytes));
}

/// A capture whose frames come from the input: one byte of length before each.
std::string framed(std::string_view input) {
  std::string capture("\xD4\xC3\xB2\xA1\x02\x00\x04\x00", 8);
  append(capture, 0);
  append(capture, 0);
  append(capture, 65'535);
  append(capture, 1);
  while (!input.empty()) {
    const std::string_view frame = input.substr(1, static_cast<unsigned char>(input.front()));
    append(capture, 1'700'000'000);
    append(capture, 0);
    append(capture, static_cast<std::uint32_t>(frame.size()));
    append(capture, static_cast<std::uint32_t>(frame.size()));
    capture += frame;
    input.remove_prefix(1 + frame.size());
  }
  return capture;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(input), size);
  read_capture(std::string(bytes));
  read_capture(framed(bytes));
  return 0;
}
