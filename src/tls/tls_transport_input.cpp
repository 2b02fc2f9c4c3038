// SPDX-License-Identifier: MIT
// Input of secured connections, and their ends.
#include "affix/base/assert.hpp"

#include "tls/tls_transport.hpp"

#include <string>

namespace affix::inline v0::tls {

std::size_t TlsTransport::on_bytes(net::ConnectionId connection, base::PaddedBytes bytes) noexcept {
  Secured* const secured = find(connection);
  if (secured == nullptr) {
    return handler_->on_bytes(connection, bytes);
  }
  std::string_view input = bytes.view();
  if (secured->preamble) {
    const std::size_t consumed = handler_->on_bytes(connection, bytes);
    if (!lives(connection, Secured::Phase::Handshaking)) {
      return bytes.size;
    }
    AFFIX_ASSERT(consumed <= bytes.size);
    input.remove_prefix(consumed);
    if (secured->preamble || input.empty()) {
      return consumed;
    }
  }
  secured->heard = true;
  at_hand_ = connection;
  input_at_hand_ = &input;
  if (secured->phase == Secured::Phase::Handshaking) {
    go_on_shaking_hands(connection, input);
  }
  if (lives(connection, Secured::Phase::Open)) {
    take_input(connection, input);
  }
  input_at_hand_ = nullptr;
  // An owner that pauses leaves bytes unused; they are delivered again.
  const bool goes_on =
      lives(connection, Secured::Phase::Open) || lives(connection, Secured::Phase::Handshaking);
  return goes_on ? bytes.size - input.size() : bytes.size;
}

void TlsTransport::go_on_shaking_hands(net::ConnectionId connection,
                                       std::string_view& input) noexcept {
  Secured& secured = secured_[connection.slot];
  const TlsStream::Status status = secured.stream->shake_hands(input, output_);
  if (status == TlsStream::Status::Failed) {
    flush_output(connection);  // The alert, if there is one.
    fail(connection, secured.stream->fault());
    return;
  }
  if (flush_output(connection) == net::SendResult::Overflow) {
    give_up(connection, {"the peer does not read the bytes of the handshake", "T211"});
    return;
  }
  if (status != TlsStream::Status::Done) {
    return;
  }
  deadlines_.clear(connection.slot);
  secured.phase = Secured::Phase::Open;
  if (std::exchange(secured.initiated, false)) {
    handler_->on_connected(connection);
  }
}

// Decrypts and delivers, until the input is used up or the owner pauses.
void TlsTransport::take_input(net::ConnectionId connection, std::string_view& input) noexcept {
  Secured& secured = secured_[connection.slot];
  while (secured.reading != Secured::Reading::Paused) {
    if (secured.reading == Secured::Reading::Resumed) {
      secured.reading = Secured::Reading::On;
      if (!secured.plain.empty() &&
          !deliver(connection, secured.plain.block(), secured.plain.size())) {
        return;
      }
      continue;
    }
    const std::uint32_t tail = secured.plain.size();
    char* const begin = tail == 0 ? stage_ : secured.plain.block();
    const std::uint32_t room = options_.rx_buffer_capacity - tail;
    AFFIX_ASSERT(room > 0);
    const TlsStream::Read read = secured.stream->read(input, {begin + tail, room}, output_);
    const auto size = static_cast<std::uint32_t>(read.bytes);
    if (tail != 0) {
      secured.plain.note_written(tail + size);
    }
    // TLS's own answers, before the owner writes after them.
    const bool stuck = flush_output(connection) == net::SendResult::Overflow;
    if (size != 0 && !deliver(connection, begin, tail + size)) {
      return;
    }
    if (read.status == TlsStream::Status::Ended) {
      on_peer_end(connection);
      return;
    }
    if (read.status == TlsStream::Status::Failed) {
      fail(connection, secured.stream->fault());
      return;
    }
    if (stuck) {
      give_up(connection, {"the peer asks for answers and does not read them", "T212"});
      return;
    }
    if (size < room) {
      return;
    }
  }
}

// Delivers `size` bytes at `begin`, in the stage or in the connection's block, and keeps the rest.
// False when reading must not go on: the connection is gone, closing or paused.
bool TlsTransport::deliver(net::ConnectionId connection, char* begin, std::uint32_t size) noexcept {
  const std::size_t consumed = handler_->on_bytes(connection, base::PaddedBytes({begin, size}));
  if (!lives(connection, Secured::Phase::Open)) {
    return false;
  }
  AFFIX_ASSERT(consumed <= size);
  Secured& secured = secured_[connection.slot];
  const std::uint32_t left = size - static_cast<std::uint32_t>(consumed);
  secured.plain.keep(begin + consumed, left, plain_blocks_);
  if (secured.reading == Secured::Reading::Paused) {
    return false;
  }
  if (left == options_.rx_buffer_capacity) {
    forget(connection.slot);
    beneath_->close(connection);
    handler_->on_closed(connection, net::CloseReason::InputOverflow, 0);
    return false;
  }
  return true;
}

// The peer's close_notify: it has sent everything, and gets ours.
void TlsTransport::on_peer_end(net::ConnectionId connection) noexcept {
  Secured& secured = secured_[connection.slot];
  secured.stream->end(output_);
  flush_output(connection);
  secured.phase = Secured::Phase::Ended;
  secured.stream.reset();
  secured.plain.drop(plain_blocks_);
  if (!beneath_->close_after_flush(connection,
                                   beneath_->now().steady_ns + options_.flush_timeout_ns)) {
    forget(connection.slot);
    beneath_->close(connection);
  }
  handler_->on_closed(connection, net::CloseReason::PeerClosed, 0);
}

// An alert to the peer is on its way and must arrive: the connection is closed in order, and
// its owner gets the end after that, so that it counts as one before logon until it is
// closed.
void TlsTransport::fail(net::ConnectionId connection, const TlsFault& why) noexcept {
  // The stream that has it ends here.
  const TlsFault fault = why;  // NOLINT(performance-unnecessary-copy-initialization)
  Secured& secured = secured_[connection.slot];
  secured.phase = Secured::Phase::Failing;
  secured.stream.reset();
  secured.plain.drop(plain_blocks_);
  deadlines_.clear(connection.slot);
  const bool closing = beneath_->close_after_flush(
      connection, beneath_->now().steady_ns + options_.flush_timeout_ns);
  handler_->on_tls_fault(connection, fault.view());
  if (!closing && lives(connection, Secured::Phase::Failing)) {
    const bool initiated = secured.initiated;
    forget(connection.slot);
    beneath_->close(connection);
    report_end(connection, initiated, net::CloseReason::TlsFailed, 0);
  }
}

// Does the same at once, when there is no alert to send.
void TlsTransport::give_up(net::ConnectionId connection, base::CodedText why) noexcept {
  const bool initiated = secured_[connection.slot].initiated;
  forget(connection.slot);
  beneath_->close(connection);
  handler_->on_tls_fault(connection, why);
  report_end(connection, initiated, net::CloseReason::TlsFailed, 0);
}

void TlsTransport::report_end(net::ConnectionId connection, bool initiated, net::CloseReason reason,
                              int error_number) noexcept {
  if (initiated) {
    handler_->on_connect_failed(connection, net::ConnectFailure::TlsFailed, error_number);
  } else {
    handler_->on_closed(connection, reason, error_number);
  }
}

void TlsTransport::on_closed(net::ConnectionId connection, net::CloseReason reason,
                             int error_number) noexcept {
  const Secured* const secured = find(connection);
  if (secured == nullptr) {
    handler_->on_closed(connection, reason, error_number);
    return;
  }
  const Secured::Phase phase = secured->phase;
  const bool initiated = secured->initiated;
  const bool heard = secured->heard;
  forget(connection.slot);
  switch (phase) {
    case Secured::Phase::Ended:
      return;
    case Secured::Phase::Failing:
      report_end(connection, initiated, net::CloseReason::TlsFailed, error_number);
      return;
    case Secured::Phase::Handshaking:
      // A connection without any bytes is not worth a report: it may be a health check.
      if (initiated || heard) {
        const std::string text =
            std::string("the handshake was not finished: ") + net::to_text(reason);
        handler_->on_tls_fault(connection, {text, "T211"});
        report_end(connection, initiated, net::CloseReason::TlsFailed, error_number);
        return;
      }
      break;
    case Secured::Phase::Open:
      if (reason == net::CloseReason::PeerClosed) {
        reason = net::CloseReason::Truncated;
      }
      break;
    case Secured::Phase::Plain:
    case Secured::Phase::Connecting:
    case Secured::Phase::Closing:
      break;
  }
  handler_->on_closed(connection, reason, error_number);
}

bool TlsTransport::pause_reading(net::ConnectionId connection) noexcept {
  Secured* const secured = find(connection);
  if (secured == nullptr) {
    return beneath_->pause_reading(connection);
  }
  switch (secured->phase) {
    case Secured::Phase::Ended:
      return false;
    case Secured::Phase::Closing:
    case Secured::Phase::Failing:
      return true;
    case Secured::Phase::Plain:
    case Secured::Phase::Connecting:
    case Secured::Phase::Handshaking:
    case Secured::Phase::Open:
      break;
  }
  secured->reading = Secured::Reading::Paused;
  return beneath_->pause_reading(connection);
}

bool TlsTransport::resume_reading(net::ConnectionId connection) noexcept {
  Secured* const secured = find(connection);
  if (secured == nullptr) {
    return beneath_->resume_reading(connection);
  }
  if (secured->phase == Secured::Phase::Ended) {
    return false;
  }
  if (secured->reading == Secured::Reading::Paused) {
    secured->reading = Secured::Reading::Resumed;
    queue(connection.slot);
  }
  // While Open, the turn resumes beneath after the decrypted bytes were delivered: the reactor
  // beneath might have the end of the stream, which must not overtake them.
  return secured->phase == Secured::Phase::Open || beneath_->resume_reading(connection);
}

}  // namespace affix::inline v0::tls
