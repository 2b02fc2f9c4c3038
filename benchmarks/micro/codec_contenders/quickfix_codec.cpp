// SPDX-License-Identifier: MIT
// QuickFIX's parse, encode and framing; compiled as C++14. Objects that can be kept are kept, and
// constant text is made once: QuickFIX at its best.
#include "quickfix_codec.hpp"

#include "quickfix_order.hpp"

#include <algorithm>
#include <cstring>
#include <quickfix/Message.h>
#include <quickfix/Parser.h>
#include <string>

namespace affix_bench {
namespace {

using FIX::FIELD::MsgType;
using FIX::FIELD::SenderCompID;
using FIX::FIELD::SenderSubID;
using FIX::FIELD::TargetCompID;
using FIX::FIELD::TargetSubID;

/// The string that setString() reads. A QuickFIX user gets one from the Parser; here the bytes are
/// copied into a string that keeps its capacity, about 2 ns.
std::string& input() {
  thread_local std::string text;
  return text;
}

void add_fields(const FIX::FieldMap& fields, QuickfixValues& out) {
  for (const FIX::FieldBase& field : fields) {
    ++out.field_count;
    out.tag_sum += static_cast<std::uint64_t>(field.getTag());
    out.value_bytes += field.getString().size();
    for (std::size_t at = 0; at < quickfix_value_count; ++at) {
      if (quickfix_value_tags[at] == field.getTag()) {
        QuickfixValue& value = out.values[at];
        value.size = std::min(field.getString().size(), sizeof value.text);
        std::memcpy(value.text, field.getString().data(), value.size);
      }
    }
  }
}

void read_back(const FIX::Message& message, QuickfixValues& out) {
  out = QuickfixValues();
  add_fields(message.getHeader(), out);
  add_fields(message, out);
  add_fields(message.getTrailer(), out);
  out.check_sum =
      static_cast<unsigned>(std::stoul(message.getTrailer().getField(FIX::FIELD::CheckSum)));
}

bool parse_into(FIX::Message& message, const char* bytes, std::size_t size, QuickfixValues* out) {
  try {
    message.setString(input().assign(bytes, size), true);
  } catch (const FIX::InvalidMessage&) {
    return false;
  }
  if (out != nullptr) {
    read_back(message, *out);
  }
  return true;
}

void set_header(FIX::Header& header, const QuickfixOrder& order) {
  static const std::string begin_string = "FIXT.1.1";
  static const std::string new_order_single = "D";
  static const std::string sender = "CLIENT1";
  static const std::string target = "EXECUTOR";
  static const std::string sender_sub = "SNDR_SUB";
  static const std::string target_sub = "SRVR_SUB";
  header.setField(FIX::FIELD::BeginString, begin_string);
  header.setField(MsgType, new_order_single);
  header.setField(FIX::MsgSeqNum(order.msg_seq_num));
  header.setField(SenderCompID, sender);
  header.setField(SenderSubID, sender_sub);
  header.setField(FIX::SendingTime(quickfix_time_stamp(order.time_ns), 9));
  header.setField(TargetCompID, target);
  header.setField(TargetSubID, target_sub);
}

std::size_t encode_from(FIX::Message& message, const QuickfixOrder& order, char* out,
                        std::size_t capacity) {
  thread_local std::string text;
  set_header(message.getHeader(), order);
  quickfix_set_order(message, order);
  message.toString(text);
  if (text.size() > capacity) {
    return 0;
  }
  std::memcpy(out, text.data(), text.size());
  return text.size();
}

}  // namespace

bool quickfix_parse(const char* bytes, std::size_t size, QuickfixValues* out) {
  thread_local FIX::Message message;
  return parse_into(message, bytes, size, out);
}

bool quickfix_parse_fresh(const char* bytes, std::size_t size, QuickfixValues* out) {
  FIX::Message message;
  return parse_into(message, bytes, size, out);
}

std::size_t quickfix_encode_new_order_single(const QuickfixOrder& order, char* out,
                                             std::size_t capacity) {
  thread_local FIX::Message message;
  message.clear();
  return encode_from(message, order, out, capacity);
}

std::size_t quickfix_encode_new_order_single_fresh(const QuickfixOrder& order, char* out,
                                                   std::size_t capacity) {
  FIX::Message message;
  return encode_from(message, order, out, capacity);
}

std::size_t quickfix_framing(const char* bytes, std::size_t size) {
  thread_local FIX::Parser parser;
  thread_local std::string message;
  parser.addToStream(bytes, size);
  std::size_t count = 0;
  try {
    while (parser.readFixMessage(message)) {
      ++count;
    }
  } catch (const FIX::MessageParseError&) {
    // The Parser has dropped unreadable bytes; the next call begins afresh.
  }
  return count;
}

}  // namespace affix_bench
