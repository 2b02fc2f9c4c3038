// SPDX-License-Identifier: MIT
// Output that an earlier process stored and the kernel does not have: it precedes everything else
// on the connection that goes on, and leaves in pieces as the peer reads.
#pragma once

#include "affix/net/reactor.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace affix::inline v0::host {

/// One thread. Has the bytes in memory until the transport has taken the last of them.
class LinkRest {
 public:
  [[nodiscard]] bool empty() const noexcept { return bytes_.empty(); }

  /// Bytes that the transport has yet to take.
  [[nodiscard]] std::size_t size() const noexcept { return bytes_.size() - taken_; }

  void begin(std::string bytes) noexcept {
    bytes_ = std::move(bytes);
    taken_ = 0;
  }

  void clear() noexcept { begin({}); }

  /// Hands over as much as the transport has room for. Sent: it has all, and empty() is true from
  /// here on. Overflow: on_drained() follows; then call it again. Closed: nothing more can leave.
  [[nodiscard]] net::SendResult send(net::Reactor& reactor, net::ConnectionId connection) noexcept {
    while (size() != 0) {
      const std::size_t room =
          reactor.options().tx_buffer_capacity - reactor.parked_bytes(connection);
      // Only a refusal makes the transport call on_drained(), so a full one is asked, too.
      const std::string_view piece =
          std::string_view(bytes_).substr(taken_, std::max<std::size_t>(room, 1));
      const net::SendResult result = reactor.send(connection, piece);
      if (result == net::SendResult::Overflow || result == net::SendResult::Closed) {
        return result;
      }
      taken_ += piece.size();
    }
    clear();
    return net::SendResult::Sent;
  }

 private:
  std::string bytes_;
  std::size_t taken_ = 0;
};

}  // namespace affix::inline v0::host
