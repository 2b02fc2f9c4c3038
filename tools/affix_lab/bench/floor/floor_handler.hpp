// SPDX-License-Identifier: MIT
// Lower bound for an acceptor: counts messages by BodyLength, and answers each read with one send
// of as many messages of a report's size. Has no session and makes no checks; stores bytes if
// requested.
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

/// Complete messages at the front of an input.
struct CountedMessages {
  std::size_t count = 0;
  std::size_t size = 0;  ///< Total size of the messages.
  bool is_fix = true;    ///< False: the bytes after them do not begin like a message.
};

/// Proceeds from message to message by BodyLength only.
[[nodiscard]] CountedMessages count_messages(std::string_view bytes) noexcept;

/// A complete ExecutionReport like the echo server's.
[[nodiscard]] std::string sample_report();

class FloorHandler final : public net::Handler {
 public:
  /// `answers`: false makes it a sink. `store_directory`: directory in which each connection's
  /// input and output is stored; empty: not stored. `reactor` outlives this.
  FloorHandler(net::Reactor& reactor, bool answers, std::string store_directory = {});

  [[nodiscard]] std::uint64_t messages() const noexcept { return messages_; }

  void on_accepted(net::ListenerId listener, net::ConnectionId connection,
                   const net::Address& peer) noexcept override;
  [[nodiscard]] std::size_t on_bytes(net::ConnectionId connection,
                                     base::PaddedBytes bytes) noexcept override;
  void on_drained(net::ConnectionId connection) noexcept override;
  void on_closed(net::ConnectionId connection, net::CloseReason reason,
                 int error_number) noexcept override;

 private:
  /// False: the bytes cannot be stored.
  [[nodiscard]] bool store(net::ConnectionId connection, std::string_view bytes) noexcept;

  net::Reactor& reactor_;
  std::string store_directory_;
  std::vector<std::unique_ptr<ByteStore>> stores_;  ///< By a connection's slot.
  std::string reports_;                             ///< As many as one read can request.
  std::size_t report_size_ = 0;
  std::uint64_t messages_ = 0;
  bool answers_;
};

}  // namespace affix::inline v0::tools::bench
