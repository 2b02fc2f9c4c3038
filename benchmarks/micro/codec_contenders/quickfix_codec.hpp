// SPDX-License-Identifier: MIT
// QuickFIX as a contender of the codec benchmark: parse, encode and framing behind plain functions,
// because its headers compile only as C++14. No dictionary anywhere: the work compared is the
// codec's. All functions keep state in the thread (a Message, a string, a Parser), as a QuickFIX
// user would.
#pragma once

#include <cstddef>
#include <cstdint>

namespace affix_bench {

/// The fields whose text is read back after a parse, so that every contender's reading can be
/// compared. A tag that the message lacks has size 0; the text of a repeated tag is one of its
/// values.
constexpr int quickfix_value_tags[] = {8,  9,  35, 49, 56, 34, 52, 37, 17,  11,
                                       39, 55, 54, 38, 44, 32, 31, 14, 150, 60};
constexpr std::size_t quickfix_value_count =
    sizeof quickfix_value_tags / sizeof quickfix_value_tags[0];

struct QuickfixValue {
  std::size_t size;
  char text[40];  ///< Not terminated; longer values are cut.
};

/// QuickFIX's reading of a message.
struct QuickfixValues {
  std::size_t field_count;    ///< 8, 9 and 10 counted.
  unsigned check_sum;         ///< Value of field 10; the parse has verified it.
  std::uint64_t tag_sum;      ///< Sum of the tags of all fields, repeats counted.
  std::uint64_t value_bytes;  ///< Sizes of all values added up.
  QuickfixValue values[quickfix_value_count];
};

/// FIX::Message::setString on one reused Message, with BodyLength and CheckSum verified. When
/// `out` is null nothing is read back: that is the timed part. False when QuickFIX refuses the
/// bytes.
bool quickfix_parse(const char* bytes, std::size_t size, QuickfixValues* out);

/// The same with a Message constructed and destroyed for every parse.
bool quickfix_parse_fresh(const char* bytes, std::size_t size, QuickfixValues* out);

/// The values of the seed's NewOrderSingle that differ from order to order; the rest is constant.
struct QuickfixOrder {
  int msg_seq_num;
  std::int64_t time_ns;  ///< Since 1970; SendingTime and TransactTime.
  const char* cl_ord_id;
  const char* symbol;
  std::int64_t quantity;
  std::int64_t price;
};

/// Sets every field of a cleared Message (FIXT.1.1, two parties) and converts it to bytes: 242 for
/// the seed's values, in QuickFIX's field order. Returns the size, or 0 when it does not fit.
std::size_t quickfix_encode_new_order_single(const QuickfixOrder& order, char* out,
                                             std::size_t capacity);

/// The same with a Message constructed and destroyed for every order.
std::size_t quickfix_encode_new_order_single_fresh(const QuickfixOrder& order, char* out,
                                                   std::size_t capacity);

/// Appends the bytes to a FIX::Parser and takes all complete messages out, each copied to a string
/// as the Parser does. Returns their number. Bytes of an incomplete message stay for the next call.
std::size_t quickfix_framing(const char* bytes, std::size_t size);

}  // namespace affix_bench
