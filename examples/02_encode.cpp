// SPDX-License-Identifier: MIT
// Writes orders: field by field after a session's constant header, and prepared, where only changed
// fields are written. The caller owns all buffers; nothing allocates.

#include "affix/wire.hpp"

#include <array>
#include <cstdio>
#include <string_view>

namespace {

using affix::base::UtcTime;
using affix::wire::Encoder;
using affix::wire::FieldIndexOf;
using affix::wire::HeaderTemplate;
using affix::wire::MessageView;
using affix::wire::PreparedMessage;
using affix::wire::TimePrecision;
using affix::wire::TimeStampCache;

void print(std::string_view message) {
  for (const char byte : message) {
    std::putchar(byte == affix::wire::soh ? '|' : byte);
  }
  std::putchar('\n');
}

}  // namespace

int main() {
  // Once per session: the constant begin of its messages.
  HeaderTemplate header("FIXT.1.1");
  header.text(49, "CLIENT1");
  header.text(56, "EXECUTOR");

  TimeStampCache stamps;
  const UtcTime time{1'767'205'296'457'245'600,
                     0};  // The caller passes the time: the codec reads no clock.

  std::array<char, 512> buffer;
  Encoder order(buffer, &stamps);
  order.begin(header, "D");
  order.integer(34, 2);
  order.utc_time(52, time, TimePrecision::Nanos);
  order.text(11, "order-1");
  order.text(55, "NOKIA.HE");
  order.character(54, '1');
  order.integer(38, 100);
  order.decimal(44, {4'850, -3});  // Exactly 4.850.
  order.character(40, '2');
  order.utc_time(60, time, TimePrecision::Nanos);
  const auto encoded = order.finish();
  if (!encoded) {
    std::printf("%s, tag %u\n", to_text(encoded.error()), order.error_tag());
    return 1;
  }
  print(*encoded);

  // Keeps the first error; finish() returns it, error_tag() its field.
  std::array<char, 256> other;
  Encoder wrong(other);
  wrong.begin(header, "D");
  wrong.text(58,
             "a text with\x01"
             "54=2 in it");
  if (const auto refused = wrong.finish(); !refused) {
    std::printf("refused: %s, tag %u\n", to_text(refused.error()), wrong.error_tag());
  }

  // The same order repeatedly: four fields change; the rest keeps its bytes.
  FieldIndexOf<64> index;
  affix::wire::index_message(*encoded, index);
  std::array<char, 512> storage;
  auto prepared =
      PreparedMessage::make(storage, MessageView(*encoded, index), {{34}, {52}, {60}, {11}});
  if (!prepared) {
    return 1;
  }
  const UtcTime later{time.ns + 1'500'000, 0};
  prepared->set_integer(0, 3);
  prepared->set_utc_time(1, later, TimePrecision::Nanos, stamps);
  prepared->set_utc_time(2, later, TimePrecision::Nanos, stamps);
  prepared->set_text(3, "order-10");  // One character longer: moves the rest, adjusts 9.
  if (const auto patched = prepared->message()) {
    print(*patched);
  }
}
