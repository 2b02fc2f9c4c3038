// SPDX-License-Identifier: MIT
// A peer's end of a TCP connection that never blocks.
#pragma once

#include "affix/net/address.hpp"
#include "affix/net/socket.hpp"

#include "stage.hpp"

#include <memory>
#include <set>
#include <string>
#include <string_view>

namespace affix::conformance {

class SocketLine;

/// All open connections of a stage. Outlives them.
using SocketLines = std::set<const SocketLine*>;

class SocketLine final : public Line {
 public:
  SocketLine(net::Socket socket, SocketLines& lines);
  ~SocketLine() override;

  /// Null if there is no listener.
  [[nodiscard]] static std::unique_ptr<SocketLine> connect(const net::Address& address,
                                                           SocketLines& lines);

  /// True if sent bytes have not all reached the other end's kernel yet.
  [[nodiscard]] bool on_the_way() const;

  /// Bytes that the socket does not take at once wait here for the next call of any function.
  void send(std::string_view bytes) override;
  [[nodiscard]] std::string take() override;
  [[nodiscard]] bool ended() override;
  void close() override;

 private:
  void flush();
  void read();

  net::Socket socket_;
  SocketLines& lines_;
  std::string unsent_;
  std::string received_;
  bool ended_ = false;
};

}  // namespace affix::conformance
