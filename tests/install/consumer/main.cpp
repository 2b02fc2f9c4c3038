// SPDX-License-Identifier: MIT
// A user's program: finds a message in a stream, indexes it and reads a field. It sees installed
// headers only.

#include "affix/wire/framer.hpp"
#include "affix/wire/index.hpp"

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
  return index.clean() && index.count == 4 ? 0 : 1;
}
