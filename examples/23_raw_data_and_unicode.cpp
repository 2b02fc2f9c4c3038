// SPDX-License-Identifier: MIT
// Fields with arbitrary bytes: a text in another encoding beside its ASCII form, raw data that
// contains the field separator, and a venue's own length and data pair.

#include "affix/wire.hpp"

#include <array>
#include <iomanip>
#include <iostream>
#include <string_view>

namespace {

namespace wire = affix::wire;
using wire::MessageView;

constexpr std::uint32_t venue_length = 5001;
constexpr std::uint32_t venue_data = 5002;

void print_bytes(const char* name, std::string_view bytes) {
  std::cout << name << ':' << std::hex << std::setfill('0');
  for (const char byte : bytes) {
    std::cout << ' ' << std::setw(2) << unsigned{static_cast<unsigned char>(byte)};
  }
  std::cout << std::dec << '\n';
}

void read(const char* how, std::string_view bytes, const wire::DataFields& data_fields) {
  wire::FieldIndexOf<64> index;
  wire::index_message(bytes, index, data_fields);
  std::cout << how << ": ";
  if (!index.clean()) {
    std::cout << (index.whole() ? to_text(index.fault) : to_text(index.defect)) << '\n';
    return;
  }
  const MessageView news(bytes, index);
  std::cout << news.size() << " fields, in " << news.text(347).value_or("ASCII") << ": "
            << news.text(355).value_or("none") << '\n';
  print_bytes("  96", news.text(96).value_or(""));
  print_bytes("  5002", news.text(venue_data).value_or(""));
}

}  // namespace

int main() {
  std::array<char, 512> buffer;
  wire::Encoder news(buffer);
  news.begin("FIX.4.4", "B");
  news.text(347, "UTF-8");  // MessageEncoding: the encoding of the message's Encoded... fields.
  news.text(148, "Helsinki opens");
  // The length counts bytes, not characters, and is written with the data.
  news.data(354, 355,
            "Helsinki \xc3\xb6"
            "ffnet \xe2\x82\xac");
  const std::string_view raw("\x01\x00=|10=000\x01", 11);  // Looks like a trailer, but is data.
  news.data(95, 96, raw);
  news.data(venue_length, venue_data,
            "a\x01"
            "b");
  const auto message = news.finish();
  if (!message) {
    std::cout << "tag " << news.error_tag() << ": " << to_text(message.error()) << '\n';
    return 1;
  }

  // FIX's own pairs are known. A venue's pairs come from a dictionary (dictionary=...), or are
  // added by hand; without them, the reader treats the data as fields.
  read("not knowing 5001", *message, wire::DataFields::standard());
  wire::DataFields known;
  if (!known.add(venue_length, venue_data)) {
    return 1;
  }
  read("knowing 5001", *message, known);

  // Text fields with a separator are refused, because they would break the message.
  wire::Encoder wrong(buffer);
  wrong.begin("FIX.4.4", "B");
  wrong.text(58, raw);
  if (const auto refused = wrong.finish(); !refused) {
    std::cout << "as a text: " << to_text(refused.error()) << ", tag " << wrong.error_tag() << '\n';
  }
}
