// SPDX-License-Identifier: MIT
// Output of secured connections, and closing them.
#include "affix/base/bytes.hpp"

#include "tls/tls_transport.hpp"

#include <algorithm>
#include <cstring>

namespace affix::inline v0::tls {

net::SendResult TlsTransport::send(net::ConnectionId connection,
                                   std::span<const std::string_view> pieces) noexcept {
  Secured* const secured = find(connection);
  if (secured == nullptr) {
    return beneath_->send(connection, pieces);
  }
  if (secured->phase != Secured::Phase::Open || secured->due.has(Secured::Due::Failure)) {
    return net::SendResult::Closed;
  }
  const std::size_t total = base::size_of(pieces);
  if (total == 0) {
    return net::SendResult::Sent;
  }
  // All or nothing must be decided before a byte is encrypted: encrypted bytes have to be sent.
  const std::size_t parked = beneath_->parked_bytes(connection);
  const std::size_t capacity = beneath_->options().tx_buffer_capacity - own_output_bytes;
  if (TlsStream::encrypted_size_max(total) > capacity - std::min(parked, capacity)) {
    if (parked != 0 && secured->due.add(Secured::Due::Room)) {
      wanting_room_.push_back(connection.slot);
    }
    return net::SendResult::Overflow;
  }
  if (!encrypt(*secured->stream, pieces)) {
    output_.clear();
    secured->due.add(Secured::Due::Failure);
    queue(connection.slot);
    return net::SendResult::Closed;
  }
  return flush_output(connection);
}

// Makes as few records of the pieces as possible: each costs the ciphers a start, and 22 bytes.
bool TlsTransport::encrypt(TlsStream& stream, std::span<const std::string_view> pieces) noexcept {
  if (pieces.size() == 1) {
    return stream.write(pieces.front(), output_);
  }
  std::size_t gathered = 0;
  for (std::string_view piece : pieces) {
    while (!piece.empty()) {
      const std::size_t count = std::min(piece.size(), TlsStream::record_bytes_max - gathered);
      std::memcpy(gathered_.get() + gathered, piece.data(), count);
      gathered += count;
      piece.remove_prefix(count);
      if (gathered == TlsStream::record_bytes_max) {
        if (!stream.write({gathered_.get(), gathered}, output_)) {
          return false;
        }
        gathered = 0;
      }
    }
  }
  return stream.write({gathered_.get(), gathered}, output_);
}

net::SendResult TlsTransport::flush_output(net::ConnectionId connection) noexcept {
  const std::string_view bytes = output_.view();
  if (bytes.empty()) {
    return net::SendResult::Sent;
  }
  const net::SendResult result = beneath_->send(connection, {&bytes, 1});
  output_.clear();
  return result;
}

void TlsTransport::submit() noexcept {
  beneath_->submit();
}

void TlsTransport::on_transmitted(net::ConnectionId connection, std::uint64_t position,
                                  std::int64_t utc_ns) noexcept {
  const Secured* const secured = find(connection);
  if (secured == nullptr || secured->phase == Secured::Phase::Open) {
    handler_->on_transmitted(connection, position, utc_ns);
  }
}

void TlsTransport::on_drained(net::ConnectionId connection) noexcept {
  if (Secured* const secured = find(connection)) {
    if (secured->phase != Secured::Phase::Open) {
      return;
    }
    secured->due.remove(Secured::Due::Room);
  }
  handler_->on_drained(connection);
}

std::size_t TlsTransport::parked_bytes(net::ConnectionId connection) const noexcept {
  const Secured* const secured = find(connection);
  const bool ended = secured != nullptr && secured->phase == Secured::Phase::Ended;
  return ended ? 0 : beneath_->parked_bytes(connection);
}

bool TlsTransport::close(net::ConnectionId connection) noexcept {
  const Secured* const secured = find(connection);
  if (secured == nullptr) {
    return beneath_->close(connection);
  }
  if (secured->phase == Secured::Phase::Ended) {
    return false;
  }
  forget(connection.slot);
  return beneath_->close(connection);
}

bool TlsTransport::close_after_flush(net::ConnectionId connection,
                                     std::int64_t deadline_ns) noexcept {
  Secured* const secured = find(connection);
  if (secured == nullptr) {
    return beneath_->close_after_flush(connection, deadline_ns);
  }
  switch (secured->phase) {
    case Secured::Phase::Closing:
    case Secured::Phase::Failing:
    case Secured::Phase::Ended:
      return false;
    case Secured::Phase::Plain:
    case Secured::Phase::Connecting:
    case Secured::Phase::Handshaking:
      return close(connection);
    case Secured::Phase::Open:
      break;
  }
  secured->stream->end(output_);
  flush_output(connection);
  secured->phase = Secured::Phase::Closing;
  secured->stream.reset();
  secured->plain.drop(plain_blocks_);
  return beneath_->close_after_flush(connection, deadline_ns);
}

}  // namespace affix::inline v0::tls
