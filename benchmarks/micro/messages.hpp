// SPDX-License-Identifier: MIT
// Messages that every codec benchmark and its contenders read: fixed bytes; BodyLength and CheckSum
// are computed here and sizes checked at compile time. Needs no layer, so that a contender's own
// test can use it too. Each is followed by 64 readable bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace affix_bench {

/// One message in place. The bytes after `size` are zero: readable padding without
/// meaning.
struct Message {
  static constexpr std::size_t capacity = 448;
  static constexpr std::size_t padding = 64;

  std::array<char, capacity + padding> bytes{};
  std::size_t size = 0;

  [[nodiscard]] constexpr std::string_view view() const noexcept { return {bytes.data(), size}; }

  constexpr void append(char byte) { bytes[size++] = byte == '|' ? '\001' : byte; }

  constexpr void append(std::string_view text) {
    for (const char byte : text) {
      append(byte);
    }
  }

  /// `width` digits, or as many as the number has when 0.
  constexpr void append_number(std::uint64_t number, std::size_t width = 0) {
    std::array<char, 20> digits{};
    std::size_t count = 0;
    do {
      digits[count++] = static_cast<char>('0' + number % 10);
      number /= 10;
    } while (number != 0 || count < width);
    while (count != 0) {
      append(digits[--count]);
    }
  }
};

/// A complete message from its fields between BodyLength and CheckSum, written with '|' for SOH. A
/// message longer than `Message::capacity` does not compile, or throws at run time from the array's
/// bounds.
constexpr Message make_message(std::string_view begin_string, std::string_view body) {
  Message message;
  message.append("8=");
  message.append(begin_string);
  message.append("|9=");
  message.append_number(body.size());
  message.append('|');
  message.append(body);
  unsigned sum = 0;
  for (const char byte : message.view()) {
    sum += static_cast<unsigned char>(byte);
  }
  message.append("10=");
  message.append_number(sum % 256, 3);
  message.append('|');
  return message;
}

inline constexpr Message execution_report_169 = make_message(
    "FIX.4.4",
    "35=8|49=EXCH|56=TRADER|34=204|52=20251231-18:21:36.457|37=O1048|17=20417|11=C88123|150=F|39=2|"
    "55=MSFT|54=1|32=100|31=415.25|151=0|14=100|6=415.25|");
inline constexpr std::size_t execution_report_169_fields = 20;
static_assert(execution_report_169.size == 169);

inline constexpr Message new_order_single_158 = make_message(
    "FIX.4.4",
    "35=D|49=TRADER|56=EXCH|34=203|52=20251231-18:21:36.457|11=C88123|21=1|55=MSFT|54=1|"
    "60=20251231-18:21:36.457|38=100|40=2|44=415.25|59=0|");
inline constexpr std::size_t new_order_single_158_fields = 17;
static_assert(new_order_single_158.size == 158);

inline constexpr Message execution_report_248 = make_message(
    "FIX.4.4",
    "35=8|49=EXCHANGE|56=TRADER1|34=120457|52=20251231-18:21:36.457|37=ORD1048|17=EX20417|11="
    "CL88123|"
    "1=ACCT|150=F|39=1|55=MSFT|54=1|38=1000|40=2|44=415.50|59=0|32=250|31=415.2500|151=750|14=250|"
    "6=415.2500|60=20251231-18:21:36.457|");
inline constexpr std::size_t execution_report_248_fields = 26;
static_assert(execution_report_248.size == 248);

/// The order of the rival's client benchmark, as its documentation prints it (checksum 221).
inline constexpr Message seed_new_order_single = make_message(
    "FIXT.1.1",
    "35=D|34=2|49=CLIENT1|52=20251231-18:21:36.457245600|56=EXECUTOR|50=SNDR_SUB|57=SRVR_SUB|11=1|"
    "55=NOKIA.HE|54=1|38=10|44=10000|40=2|59=0|453=2|448=PARTY1|447=D|452=1|448=PARTY2|447=D|452=3|"
    "60=20251231-18:21:36.457245600|");
inline constexpr std::size_t seed_new_order_single_fields = 25;
static_assert(seed_new_order_single.size == 242);
static_assert(seed_new_order_single.view().substr(235) == "10=221\001");

/// The report of the rival's decoder benchmark (checksum 255).
inline constexpr Message seed_execution_report = make_message(
    "FIX.4.2",
    "35=8|34=1|49=EXECUTOR|52=20230901-12:30:45.000|56=TRADER|17=12345|20=0|37=ABC123|39=1|11=1|"
    "150=1|32=1|31=100|453=2|448=PARTY1|447=D|452=1|448=PARTY2|447=D|452=3|");
inline constexpr std::size_t seed_execution_report_fields = 23;
static_assert(seed_execution_report.size == 184);
static_assert(seed_execution_report.view().substr(177) == "10=255\001");

/// A small generator (xorshift64) with the same numbers on every machine; only for
/// input.
class Numbers {
 public:
  constexpr explicit Numbers(std::uint64_t seed) : state_(seed) {}

  constexpr std::uint64_t below(std::uint64_t limit) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_ % limit;
  }

 private:
  std::uint64_t state_;
};

inline constexpr std::size_t mixed_count = 64;

/// Body of one of the mixed reports: other widths in every value, optional fields, a text with '='
/// in one of eight.
inline std::string mixed_execution_report_body(Numbers& numbers) {
  static constexpr std::array<const char*, 8> symbols{
      "F", "GE", "IBM", "MSFT", "AAPL", "NOKIA.HE", "BMWG.DE", "ESZ5-CME.FUT"};
  static constexpr std::array<const char*, 4> types{"150=0|39=0|", "150=F|39=1|", "150=F|39=2|",
                                                    "150=4|39=4|"};
  const auto digits = [&numbers](std::uint64_t longest) {
    std::uint64_t limit = 10;
    for (std::uint64_t more = numbers.below(longest); more != 0; --more) {
      limit *= 10;
    }
    return std::to_string(numbers.below(limit));
  };
  const auto price = [&numbers, &digits] {
    static constexpr std::array<const char*, 4> fractions{"", ".5", ".25", ".1875"};
    return digits(4) + fractions[numbers.below(fractions.size())];
  };
  std::string body = "35=8|49=EXCHANGE|56=TRADER" + std::to_string(1 + numbers.below(12));
  body += "|34=" + digits(7) + "|52=20251231-18:21:" + std::to_string(10 + numbers.below(50));
  body += numbers.below(2) == 0 ? ".457|" : ".457245600|";
  body += "37=ORD" + digits(9) + "|17=E" + digits(9) + "|11=CL-" + digits(6) + '|';
  body += numbers.below(2) == 0 ? "" : "1=ACCOUNT" + digits(2) + '|';
  body += types[numbers.below(types.size())];
  body += std::string("55=") + symbols[numbers.below(symbols.size())] + "|54=";
  body += numbers.below(2) == 0 ? "1|" : "2|";
  body += "38=" + digits(6) + '|';
  body += numbers.below(3) == 0 ? "" : "40=2|44=" + price() + "|59=0|";
  body += numbers.below(3) == 0 ? "" : "32=" + digits(5) + "|31=" + price() + '|';
  body += "151=" + digits(5) + "|14=" + digits(5) + "|6=" + price() + '|';
  body += numbers.below(2) == 0 ? "" : "60=20251231-18:21:36.457|";
  body += numbers.below(8) != 0 ? "" : "58=rate=" + digits(3) + " per=cent|";
  return body;
}

/// 64 different ExecutionReports of about 150 to 280 bytes, the same ones on every machine.
inline std::vector<Message> mixed_execution_reports() {
  Numbers numbers(0x9e3779b97f4a7c15U);
  std::vector<Message> messages;
  messages.reserve(mixed_count);
  while (messages.size() < mixed_count) {
    messages.push_back(make_message("FIX.4.4", mixed_execution_report_body(numbers)));
  }
  return messages;
}

/// `length` indices below `mixed_count` in random order, so that no branch predictor learns the
/// sequence of messages. 4096 or more are enough for that.
inline std::vector<std::uint8_t> mixed_order(std::size_t length) {
  Numbers numbers(0xd1b54a32d192ed03U);
  std::vector<std::uint8_t> order(length);
  for (std::uint8_t& index : order) {
    index = static_cast<std::uint8_t>(numbers.below(mixed_count));
  }
  return order;
}

}  // namespace affix_bench
