// SPDX-License-Identifier: MIT
// The bytes of a place are in the file, so that nothing is copied once more for the replica.
#include "raw_server.hpp"

#include "affix/base/time.hpp"

#include "bench/floor/floor_handler.hpp"

#include <cstring>
#include <utility>

namespace affix_bench {

namespace {

using affix::tools::bench::ByteStore;

constexpr std::size_t message_bytes_min = 26;  // As floor_handler.cpp counts.
constexpr std::int64_t connect_timeout_ns = 5 * base::ns_per_second;

}  // namespace

RawServer::RawServer(net::Reactor& reactor, std::unique_ptr<ByteStore> store)
    : reactor_(reactor), store_(std::move(store)) {
  const std::string report = affix::tools::bench::sample_report();
  report_size_ = report.size();
  const std::size_t most = reactor.options().rx_buffer_capacity / message_bytes_min + 1;
  for (std::size_t number = 0; number < most; ++number) {
    reports_ += report;
  }
}

bool RawServer::connect_replica(const net::Address& address) {
  const auto connection = reactor_.connect(address, net::SocketOptions{},
                                           reactor_.now().steady_ns + connect_timeout_ns);
  if (!connection) {
    return false;
  }
  replica_ = *connection;
  has_replica_ = true;
  ready_ = false;
  return true;
}

std::size_t RawServer::on_bytes(net::ConnectionId connection, base::PaddedBytes bytes) noexcept {
  return has_replica_ && connection == replica_ ? take_places(bytes.view())
                                                : take_orders(connection, bytes.view());
}

std::size_t RawServer::take_orders(net::ConnectionId connection, std::string_view bytes) noexcept {
  const auto counted = affix::tools::bench::count_messages(bytes);
  if (!counted.is_fix) {
    reactor_.close(connection);
    return bytes.size();
  }
  const std::size_t answer_bytes = counted.count * report_size_;
  store(bytes.substr(0, counted.size));
  store(std::string_view(reports_).substr(0, answer_bytes));
  if (answer_bytes == 0) {
    return counted.size;
  }
  if (has_replica_) {
    held_.push_back({connection, answer_bytes, place_});
  } else {
    answer(connection, answer_bytes);
  }
  return counted.size;
}

/// Whole numbers of 8 bytes; only the last one says something new.
std::size_t RawServer::take_places(std::string_view bytes) noexcept {
  const std::size_t whole = bytes.size() - bytes.size() % sizeof(std::uint64_t);
  if (whole == 0) {
    return 0;
  }
  std::uint64_t place = 0;
  std::memcpy(&place, bytes.data() + whole - sizeof place, sizeof place);
  while (!held_.empty() && held_.front().place <= place) {
    Held next = held_.front();
    held_.pop_front();
    // Answers to the same client that the replica has by now leave in one send.
    while (!held_.empty() && held_.front().place <= place &&
           held_.front().connection == next.connection &&
           next.bytes + held_.front().bytes <= reports_.size()) {
      next.bytes += held_.front().bytes;
      held_.pop_front();
    }
    answer(next.connection, next.bytes);
  }
  return whole;
}

void RawServer::answer(net::ConnectionId connection, std::size_t bytes) noexcept {
  const net::SendResult result =
      reactor_.send(connection, std::string_view(reports_).substr(0, bytes));
  if (result == net::SendResult::Parked) {
    // Nothing more is read from the peer until it has read its output.
    reactor_.pause_reading(connection);
  } else if (result == net::SendResult::Overflow) {
    reactor_.close(connection);
  }
}

void RawServer::store(std::string_view bytes) noexcept {
  failed_ = failed_ || !store_->append(bytes);
  place_ += bytes.size();
}

void RawServer::end_turn() noexcept {
  if (!has_replica_ || !ready_ || sent_place_ == place_ || failed_) {
    return;
  }
  const net::SendResult result = reactor_.send(replica_, store_->view().substr(sent_place_));
  failed_ = result == net::SendResult::Overflow || result == net::SendResult::Closed;
  sent_place_ = place_;
}

void RawServer::on_connected(net::ConnectionId connection) noexcept {
  ready_ = ready_ || connection == replica_;
}

void RawServer::on_connect_failed(net::ConnectionId /*connection*/, net::ConnectFailure /*failure*/,
                                  int /*error_number*/) noexcept {
  failed_ = true;
}

void RawServer::on_drained(net::ConnectionId connection) noexcept {
  reactor_.resume_reading(connection);
}

void RawServer::on_closed(net::ConnectionId connection, net::CloseReason /*reason*/,
                          int /*error_number*/) noexcept {
  failed_ = failed_ || (has_replica_ && connection == replica_);
}

RawReplica::RawReplica(net::Reactor& reactor, std::unique_ptr<ByteStore> store)
    : reactor_(reactor), store_(std::move(store)) {}

std::size_t RawReplica::on_bytes(net::ConnectionId connection, base::PaddedBytes bytes) noexcept {
  failed_ = failed_ || !store_->append(bytes.view());
  place_ += bytes.view().size();
  char answer[sizeof place_];
  std::memcpy(answer, &place_, sizeof place_);
  static_cast<void>(reactor_.send(connection, std::string_view(answer, sizeof answer)));
  return bytes.view().size();
}

void RawReplica::on_closed(net::ConnectionId /*connection*/, net::CloseReason /*reason*/,
                           int /*error_number*/) noexcept {}

}  // namespace affix_bench
