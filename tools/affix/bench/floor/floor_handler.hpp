// SPDX-License-Identifier: MIT
// What an acceptor cannot be better than: messages counted by BodyLength, and each read answered
// with one send of as many messages of a report's size. No session, no check; a store of bytes if
// one is wanted.
#pragma once

#include "affix/net/handler.hpp"
#include "affix/net/reactor.hpp"

#include "bench/floor/byte_store.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::tools::bench {

/// Whole messages at the front of some bytes.
struct CountedMessages {
  std::size_t count = 0;
  std::size_t size = 0;  ///< Bytes of all of them.
  bool is_fix = true;    ///< False: what follows does not begin as a message does.
};

/// Goes from message to message by BodyLength alone.
[[nodiscard]] CountedMessages count_messages(std::string_view bytes) noexcept;

/// An ExecutionReport as the echo server's, whole.
[[nodiscard]] std::string sample_report();

class FloorHandler final : public net::Handler {
 public:
  /// `answers`: false makes it a sink. `store_directory`: where what each connection receives and
  /// sends is stored; empty: nowhere. `reactor` outlives this.
  FloorHandler(net::Reactor& reactor, bool answers, std::string store_directory = {});

  [[nodiscard]] std::uint64_t messages() const noexcept { return messages_; }

  void on_accepted(net::ListenerId listener, net::ConnectionId connection,
                   const net::Address& peer) noexcept override;
  void on_connected(net::ConnectionId connection) noexcept override;
  void on_connect_failed(net::ConnectionId connection, net::ConnectFailure failure,
                         int error_number) noexcept override;
  [[nodiscard]] std::size_t on_bytes(net::ConnectionId connection,
                                     base::PaddedBytes bytes) noexcept override;
  void on_drained(net::ConnectionId connection) noexcept override;
  void on_closed(net::ConnectionId connection, net::CloseReason reason,
                 int error_number) noexcept override;
  void on_accept_paused(net::ListenerId listener, net::AcceptPause pause) noexcept override;

 private:
  /// False: the bytes cannot be stored.
  [[nodiscard]] bool store(net::ConnectionId connection, std::string_view bytes) noexcept;

  net::Reactor& reactor_;
  std::string store_directory_;
  std::vector<std::unique_ptr<ByteStore>> stores_;  ///< By a connection's slot.
  std::string reports_;                             ///< As many as one read can ask for.
  std::size_t report_size_ = 0;
  std::uint64_t messages_ = 0;
  bool answers_;
};

}  // namespace affix::inline v0::tools::bench
