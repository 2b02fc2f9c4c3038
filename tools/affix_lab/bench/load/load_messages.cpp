// SPDX-License-Identifier: MIT
// Standard orders of each version, and the encoding of a load session's messages.
#include "bench/load/load_messages.hpp"

#include "affix/wire/encoder.hpp"
#include "affix/wire/index.hpp"
#include "affix/wire/view.hpp"

#include <charconv>
#include <cstring>

namespace affix::inline v0::tools::bench {

namespace {

constexpr char soh = '\x01';

// Maximum size of an order's header, id and time, without the identity's texts.
constexpr std::size_t message_room = 512;

constexpr std::uint32_t sequence_slot = 0;
constexpr std::uint32_t sending_time_slot = 1;
constexpr std::uint32_t id_slot = 2;
constexpr std::uint32_t transact_time_slot = 3;

[[nodiscard]] base::Error invalid(std::string text, std::string where) {
  return {base::ErrorCode::InvalidArgument, std::move(text), std::move(where), "L102"};
}

[[nodiscard]] base::UtcTime utc(std::int64_t ns) noexcept {
  return {ns, 0};
}

}  // namespace

OrderShape standard_order(std::string_view begin_string) {
  OrderShape shape;
  // 21 was required up to FIX.4.3, and 60 came with FIX.4.2.
  if (begin_string < "FIX.4.4") {
    shape.fields = "21=1\x01";
  }
  shape.has_transact_time = begin_string >= "FIX.4.2";
  shape.fields +=
      "55=NOKIA.HE\x01"
      "54=1\x01"
      "38=10\x01"
      "40=2\x01"
      "44=10000\x01"
      "59=0\x01";
  return shape;
}

std::expected<OrderShape, base::Error> order_of_text(std::string_view text) {
  OrderShape shape;
  shape.has_transact_time = false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("|\x01"), text.size());
    const std::string_view field = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t equals = field.find('=');
    std::uint32_t tag = 0;
    const char* const tag_end = field.data() + std::min(equals, field.size());
    const auto parsed = std::from_chars(field.data(), tag_end, tag);
    if (equals == std::string_view::npos || equals + 1 == field.size() ||
        parsed.ec != std::errc() || parsed.ptr != tag_end || tag == 0) {
      return std::unexpected(
          invalid("is not `tag=value`, fields with bars between", std::string(field)));
    }
    if (tag == 60) {
      shape.has_transact_time = true;
    } else if (tag == 35) {
      shape.msg_type = field.substr(equals + 1);
    } else if (tag != 11) {
      shape.fields += std::string(field) + soh;
    }
  }
  if (shape.fields.empty()) {
    return std::unexpected(invalid("an order needs more fields than 11 and 60", "--body"));
  }
  return shape;
}

wire::TimePrecision usual_precision(std::string_view begin_string) noexcept {
  return begin_string.starts_with("FIXT") ? wire::TimePrecision::Nanos
                                          : wire::TimePrecision::Millis;
}

LoadMessages::LoadMessages(LoadIdentity identity, OrderShape shape)
    : identity_(std::move(identity)),
      shape_(std::move(shape)),
      id_(shape_.id_prefix + std::string(id_digits, '0')),
      storage_size_(message_room + identity_.sender_comp_id.size() +
                    identity_.target_comp_id.size() + identity_.username.size() +
                    identity_.password.size() + shape_.fields.size()),
      storage_(std::make_unique<char[]>(storage_size_)) {}

std::expected<LoadMessages, base::Error> LoadMessages::make(const LoadIdentity& identity,
                                                            const OrderShape& shape) {
  if (shape.id_prefix.size() > id_prefix_max) {
    return std::unexpected(
        invalid("has more than " + std::to_string(id_prefix_max) + " characters", shape.id_prefix));
  }
  for (const std::string* text : {&identity.begin_string, &identity.sender_comp_id,
                                  &identity.target_comp_id, &shape.msg_type}) {
    if (text->empty() || text->find(soh) != std::string::npos) {
      return std::unexpected(invalid("BeginString, CompIDs and MsgType are texts, not empty",
                                     "session " + identity.sender_comp_id));
    }
  }
  for (const std::string* text : {&identity.username, &identity.password}) {
    if (text->find(soh) != std::string::npos) {
      return std::unexpected(invalid("credentials hold no SOH", identity.sender_comp_id));
    }
  }
  LoadMessages messages(identity, shape);
  if (auto prepared = messages.prepare(); !prepared) {
    return std::unexpected(std::move(prepared.error()));
  }
  return messages;
}

std::expected<void, base::Error> LoadMessages::prepare() {
  Output first;
  wire::EncodeError error = wire::EncodeError::None;
  write(first, shape_.msg_type, 1, 0, 0, [&](wire::Encoder& message) {
    message.text(11, id_);
    message.raw(shape_.fields);
    if (shape_.has_transact_time) {
      message.utc_time(60, utc(0), identity_.precision);
    }
    error = message.error();
  });
  if (error != wire::EncodeError::None) {
    return std::unexpected(invalid(wire::to_text(error), "the order's fields"));
  }
  wire::FieldIndexOf<256> index;
  wire::index_message(first.bytes(), index);
  const wire::MessageView view(first.bytes(), index);
  const wire::SlotName slots[] = {{34}, {52}, {11}, {60}};
  auto prepared = wire::PreparedMessage::make({storage_.get(), storage_size_}, view,
                                              std::span(slots, shape_.has_transact_time ? 4 : 3));
  if (!prepared) {
    return std::unexpected(invalid(wire::to_text(prepared.error()), "the order's fields"));
  }
  prepared_.emplace(std::move(*prepared));
  return {};
}

void LoadMessages::write_id(std::uint64_t ordinal) noexcept {
  char* at = id_.data() + id_.size();
  for (std::size_t digit = 0; digit < id_digits; ++digit) {
    *--at = static_cast<char>('0' + ordinal % 10);
    ordinal /= 10;
  }
}

std::optional<std::uint64_t> LoadMessages::ordinal_of(std::string_view cl_ord_id) const noexcept {
  if (cl_ord_id.size() != id_.size() || !cl_ord_id.starts_with(shape_.id_prefix)) {
    return std::nullopt;
  }
  std::uint64_t ordinal = 0;
  for (const char digit : cl_ord_id.substr(shape_.id_prefix.size())) {
    if (digit < '0' || digit > '9') {
      return std::nullopt;
    }
    ordinal = ordinal * 10 + static_cast<std::uint64_t>(digit - '0');
  }
  return ordinal;
}

void LoadMessages::order(Output& out, std::uint64_t sequence, std::int64_t utc_ns,
                         std::uint64_t ordinal, wire::TimeStampCache& cache) {
  write_id(ordinal);
  prepared_->set_integer(sequence_slot, sequence);
  prepared_->set_utc_time(sending_time_slot, utc(utc_ns), identity_.precision, cache);
  prepared_->set_text(id_slot, id_);
  if (shape_.has_transact_time) {
    prepared_->set_utc_time(transact_time_slot, utc(utc_ns), identity_.precision, cache);
  }
  // The values have a checked form and bounded width: make() left room for all of them.
  if (const auto message = prepared_->message()) {
    std::memcpy(out.room(message->size()).data(), message->data(), message->size());
    out.added(message->size());
  }
}

template <typename Body>
void LoadMessages::write(Output& out, std::string_view type, std::uint64_t sequence,
                         std::int64_t utc_ns, std::int64_t original_utc_ns, Body body) {
  const std::span<char> room = out.room(storage_size_ + wire::Encoder::overhead);
  wire::Encoder message(room);
  message.begin(identity_.begin_string, type);
  message.integer(34, sequence);
  if (original_utc_ns != 0) {
    message.character(43, 'Y');
  }
  message.text(49, identity_.sender_comp_id);
  message.utc_time(52, utc(utc_ns), identity_.precision);
  message.text(56, identity_.target_comp_id);
  if (original_utc_ns != 0) {
    message.utc_time(122, utc(original_utc_ns), identity_.precision);
  }
  body(message);
  if (const auto bytes = message.finish()) {
    // The encoder leaves room for a longer BodyLength before the message.
    std::memmove(room.data(), bytes->data(), bytes->size());
    out.added(bytes->size());
  }
}

void LoadMessages::resent_order(Output& out, std::uint64_t sequence, std::int64_t utc_ns,
                                std::uint64_t ordinal, std::int64_t original_utc_ns) {
  write_id(ordinal);
  write(out, shape_.msg_type, sequence, utc_ns, original_utc_ns, [&](wire::Encoder& message) {
    message.text(11, id_);
    message.raw(shape_.fields);
    if (shape_.has_transact_time) {
      message.utc_time(60, utc(original_utc_ns), identity_.precision);
    }
  });
}

void LoadMessages::logon(Output& out, std::uint64_t sequence, std::int64_t utc_ns,
                         bool reset_numbers) {
  write(out, "A", sequence, utc_ns, 0, [&](wire::Encoder& message) {
    message.character(98, '0');
    message.integer(108, identity_.heartbeat_seconds);
    if (reset_numbers) {
      message.character(141, 'Y');
    }
    if (!identity_.username.empty()) {
      message.text(553, identity_.username);
    }
    if (!identity_.password.empty()) {
      message.text(554, identity_.password);
    }
    if (identity_.begin_string.starts_with("FIXT")) {
      message.text(1137, identity_.default_appl_ver_id);
    }
  });
}

void LoadMessages::logout(Output& out, std::uint64_t sequence, std::int64_t utc_ns) {
  write(out, "5", sequence, utc_ns, 0, [](wire::Encoder&) {});
}

void LoadMessages::heartbeat(Output& out, std::uint64_t sequence, std::int64_t utc_ns,
                             std::string_view test_id) {
  // A peer's text may be longer than any message of ours; an implausibly long one is answered in
  // part.
  const std::string_view reported = test_id.substr(0, 64);
  write(out, "0", sequence, utc_ns, 0, [&](wire::Encoder& message) {
    if (!reported.empty()) {
      message.text(112, reported);
    }
  });
}

void LoadMessages::test_request(Output& out, std::uint64_t sequence, std::int64_t utc_ns) {
  write(out, "1", sequence, utc_ns, 0, [](wire::Encoder& message) { message.text(112, "LOAD"); });
}

void LoadMessages::resend_request(Output& out, std::uint64_t sequence, std::int64_t utc_ns,
                                  std::uint64_t first) {
  write(out, "2", sequence, utc_ns, 0, [&](wire::Encoder& message) {
    message.integer(7, first);
    // Up to FIX.4.1 an open range ends with the largest number of six digits.
    message.integer(16, identity_.begin_string < "FIX.4.2" ? 999'999 : 0);
  });
}

void LoadMessages::gap_fill(Output& out, std::uint64_t sequence, std::int64_t utc_ns,
                            std::uint64_t next) {
  write(out, "4", sequence, utc_ns, utc_ns, [&](wire::Encoder& message) {
    message.character(123, 'Y');
    message.integer(36, next);
  });
}

}  // namespace affix::inline v0::tools::bench
