// SPDX-License-Identifier: MIT
// The index of any bytes, under every kernel, compared with the slow reference. The first byte
// selects what happens to the rest: 1 adds a header and a right checksum, 2 lowers the room for
// fields, 4 uses other data fields.
#include "support/fix_text.hpp"
#include "support/kernel_comparison.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

constexpr std::size_t message_bytes_max = 4096;

affix::wire::DataFields own_data_fields() {
  affix::wire::DataFields fields = affix::wire::DataFields::none();
  for (const auto& [length_tag, data_tag] :
       {std::pair{5U, 6U}, {6U, 7U}, {77U, 1U}, {12345U, 9U}}) {
    fields.add(length_tag, data_tag);
  }
  return fields;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0 || size > message_bytes_max - 128) {
    return 0;
  }
  static affix::support::KernelComparison comparison(message_bytes_max);
  static const affix::wire::DataFields own = own_data_fields();
  std::string message(reinterpret_cast<const char*>(bytes) + 1, size - 1);
  if ((bytes[0] & 1) != 0) {
    message = affix::support::make_message(message);
  }
  const std::uint32_t capacity = (bytes[0] & 2) != 0 ? bytes[0] / 8U : 512;
  const affix::wire::DataFields& data_fields =
      (bytes[0] & 4) != 0 ? own : affix::wire::DataFields::standard();
  std::string differences = comparison.differences(message, capacity, data_fields);
  if (differences.empty()) {
    differences = comparison.lookup_differences(message, data_fields, 1 + bytes[0] / 64);
  }
  if (!differences.empty()) {
    std::fprintf(stderr, "%s\n", differences.c_str());
    std::abort();
  }
  return 0;
}
