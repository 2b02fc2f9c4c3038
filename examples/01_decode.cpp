// SPDX-License-Identifier: MIT
// Reads a stream of bytes: frames its messages, describes the defect of one, and reads the other's
// fields and repeating group, typed and without copies.

#include "affix/wire.hpp"

#include <iostream>
#include <string>
#include <string_view>

namespace {

using affix::wire::FieldIndexOf;
using affix::wire::Frame;
using affix::wire::FrameStatus;
using affix::wire::GroupDescription;
using affix::wire::GroupEntry;
using affix::wire::GroupView;
using affix::wire::MessageView;
using affix::wire::to_text;

// The fields of a group come from a dictionary, or are listed by hand as here.
constexpr std::uint32_t party_members[] = {447, 452};
constexpr GroupDescription parties{453, 448, party_members, {}};

void print_order(const MessageView& order) {
  const auto id = order.text(11);
  const auto quantity = order.decimal(38);
  const auto price = order.decimal(44);
  const auto stop_price = order.decimal(99);
  const auto time = order.utc_time(60);
  if (!id || !quantity || !price || !time) {
    std::cout << "an order without its fields\n";
    return;
  }
  std::cout << "order " << *id << ": " << to_text(*quantity) << " at " << to_text(*price) << ", "
            << to_text(*time) << '\n';
  // A missing field is not 0.
  std::cout << "stop price: " << (stop_price ? "given" : to_text(stop_price.error())) << '\n';

  const GroupView group = order.group(parties);
  for (const GroupEntry party : group) {
    const auto name = party.text(448);
    const auto role = party.integer(452);
    if (name && role) {
      std::cout << "party " << *name << " in role " << *role << '\n';
    }
  }
}

}  // namespace

int main() {
  // Two messages in one read; one digit of the second was corrupted in transit.
  std::string received =
      "8=FIX.4.4|9=119|35=D|11=order-1|55=EUR/"
      "USD|38=1000|44=1.08250|60=20251231-18:21:36.457|453=2|448=DESK|447=D|"
      "452=1|448=BANK|447=D|452=3|10=143|"
      "8=FIX.4.4|9=21|35=D|11=order-2|38=9|10=224|";
  for (char& byte : received) {
    byte = byte == '|' ? affix::wire::soh : byte;
  }

  affix::wire::Framer framer;
  FieldIndexOf<256> index;
  std::string_view rest = received;
  while (!rest.empty()) {
    const Frame frame = framer.next(rest);
    if (frame.status == FrameStatus::Partial) {
      break;
    }
    if (frame.status == FrameStatus::Skip) {
      std::cout << "skipped " << frame.size << " bytes: " << to_text(frame.error) << '\n';
    } else {
      const std::string_view bytes = rest.substr(0, frame.size);
      affix::wire::index_message(bytes, index);
      if (index.clean()) {
        print_order(MessageView(bytes, index));
      } else {
        std::cout << "garbled: " << to_text(index.defect) << ", at byte " << index.defect_at
                  << '\n';
      }
    }
    rest.remove_prefix(frame.size);
  }
}
