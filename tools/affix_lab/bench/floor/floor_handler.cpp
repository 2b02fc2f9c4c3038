// SPDX-License-Identifier: MIT
// Counts messages by BodyLength, and sends answers written in advance.
#include "bench/floor/floor_handler.hpp"

#include "affix/wire/encoder.hpp"
#include "affix/wire/index.hpp"
#include "affix/wire/view.hpp"

#include "bench/load/load_messages.hpp"
#include "bench/server/echo_application.hpp"

#include <array>
#include <cstdio>
#include <cstring>
#include <utility>

namespace affix::inline v0::tools::bench {

namespace {

// The shortest message counted: `8=FIX.4.2|9=5|35=0|10=000|`.
constexpr std::size_t message_size_min = 26;
constexpr std::size_t trailer_size = 7;
constexpr std::size_t prefix_size_max = 40;
constexpr std::size_t body_size_max = std::size_t{1} << 20;

}  // namespace

CountedMessages count_messages(std::string_view bytes) noexcept {
  CountedMessages counted;
  while (bytes.size() - counted.size >= message_size_min) {
    const char* const begin = bytes.data() + counted.size;
    const std::size_t left = bytes.size() - counted.size;
    const void* const soh = std::memchr(begin, '\x01', std::min(left, prefix_size_max));
    if (soh == nullptr || begin[0] != '8' || begin[1] != '=') {
      counted.is_fix = soh != nullptr ? false : left < prefix_size_max;
      return counted;
    }
    auto at = static_cast<std::size_t>(static_cast<const char*>(soh) - begin) + 1;
    if (begin[at] != '9' || begin[at + 1] != '=') {
      counted.is_fix = false;
      return counted;
    }
    std::size_t body_size = 0;
    at += 2;
    for (; at < left && begin[at] >= '0' && begin[at] <= '9' && body_size <= body_size_max; ++at) {
      body_size = body_size * 10 + static_cast<std::size_t>(begin[at] - '0');
    }
    const std::size_t size = at + 1 + body_size + trailer_size;
    if (size > left) {
      counted.is_fix = body_size <= body_size_max;
      return counted;
    }
    ++counted.count;
    counted.size += size;
  }
  return counted;
}

std::string sample_report() {
  LoadIdentity identity;
  identity.sender_comp_id = "CLIENT1";
  identity.target_comp_id = "SERVER";
  Output order;
  wire::TimeStampCache stamps;
  OrderShape shape = standard_order(identity.begin_string);
  shape.id_prefix = "FLOOR0-";
  auto messages = LoadMessages::make(identity, shape);
  if (!messages) {
    return {};
  }
  messages->order(order, 1, 0, 0, stamps);
  wire::FieldIndexOf<64> index;
  wire::index_message(order.bytes(), index);
  std::array<char, 1024> buffer;
  wire::Encoder report(buffer);
  report.begin("FIXT.1.1", "8");
  report.integer(34, 100'000);
  report.text(49, "SERVER");
  report.utc_time(52, {0, 0}, wire::TimePrecision::Nanos);
  report.text(56, "CLIENT1");
  write_report(report, wire::MessageView(order.bytes(), index), 100'000, 0, false);
  return std::string(report.finish().value_or(std::string_view()));
}

FloorHandler::FloorHandler(net::Reactor& reactor, bool answers, std::string store_directory)
    : reactor_(reactor), store_directory_(std::move(store_directory)), answers_(answers) {
  const std::string report = sample_report();
  report_size_ = report.size();
  const std::size_t most = reactor.options().rx_buffer_capacity / message_size_min + 1;
  for (std::size_t number = 0; number < most; ++number) {
    reports_ += report;
  }
}

std::size_t FloorHandler::on_bytes(net::ConnectionId connection, base::PaddedBytes bytes) noexcept {
  const CountedMessages counted = count_messages(bytes.view());
  messages_ += counted.count;
  const std::string_view answer(reports_.data(), answers_ ? counted.count * report_size_ : 0);
  if (!store(connection, bytes.view().substr(0, counted.size)) || !store(connection, answer)) {
    std::fprintf(stderr,
                 "affix-lab bench floor: no room in %s for the bytes of a connection [L106]\n",
                 store_directory_.c_str());
    reactor_.close(connection);
    return counted.size;
  }
  if (!answer.empty()) {
    const net::SendResult result = reactor_.send(connection, answer);
    if (result == net::SendResult::Parked) {
      // Nothing more is read from the peer until it has read its output.
      reactor_.pause_reading(connection);
    } else if (result == net::SendResult::Overflow) {
      reactor_.close(connection);
      return counted.size;
    }
  }
  if (!counted.is_fix) {
    reactor_.close(connection);
  }
  return counted.size;
}

void FloorHandler::on_drained(net::ConnectionId connection) noexcept {
  reactor_.resume_reading(connection);
}

bool FloorHandler::store(net::ConnectionId connection, std::string_view bytes) noexcept {
  return store_directory_.empty() || stores_[connection.slot]->append(bytes);
}

void FloorHandler::on_accepted(net::ListenerId /*listener*/, net::ConnectionId connection,
                               const net::Address& /*peer*/) noexcept {
  if (store_directory_.empty()) {
    return;
  }
  auto made = ByteStore::make(store_directory_);
  if (!made) {
    std::fprintf(stderr, "affix-lab bench floor: %s\n", made.error().text().c_str());
    reactor_.close(connection);
    return;
  }
  if (stores_.size() <= connection.slot) {
    stores_.resize(connection.slot + 1);
  }
  stores_[connection.slot] = std::move(*made);
}

void FloorHandler::on_closed(net::ConnectionId connection, net::CloseReason /*reason*/,
                             int /*error_number*/) noexcept {
  if (connection.slot < stores_.size()) {
    stores_[connection.slot].reset();
  }
}

}  // namespace affix::inline v0::tools::bench
