// SPDX-License-Identifier: MIT
// A user's program: finds a message in a stream, indexes it and reads a field, and knows its types
// of messages by name. It sees installed headers and what its own build has generated.

#include "affix/fix44/heartbeat.hpp"
#include "affix/wire/framer.hpp"
#include "affix/wire/index.hpp"

#include "acme/venue/odd_lot_order.hpp"

#include <cstdio>
#include <string_view>

int main() {
  constexpr std::string_view stream =
      "8=FIX.4.4\x01"
      "9=5\x01"
      "35=0\x01"
      "10=163\x01";
  affix::wire::Framer framer;
  const affix::wire::Frame frame = framer.next(stream);
  if (frame.status != affix::wire::FrameStatus::Complete) {
    std::puts("no message found");
    return 1;
  }
  affix::wire::FieldIndexOf<16> index;
  affix::wire::index_message(stream.substr(0, frame.size), index);
  std::printf("%u fields, %s\n", index.count, affix::wire::to_text(index.defect));
  const affix::wire::MessageView view(stream, index);
  return index.clean() && index.count == 4 && affix::fix44::Heartbeat::from(view) &&
                 !acme::venue::OddLotOrder::from(view)
             ? 0
             : 1;
}
