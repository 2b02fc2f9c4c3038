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

/// Every line of a stage that is open. Outlives them.
using SocketLines = std::set<const SocketLine*>;

class SocketLine final : public Line {
 public:
  SocketLine(net::Socket socket, SocketLines& lines);
  ~SocketLine() override;

  /// Null when nobody listens there.
  [[nodiscard]] static std::unique_ptr<SocketLine> connect(const net::Address& address,
                                                           SocketLines& lines);

  /// Some of what was sent has not reached the other end's kernel yet.
  [[nodiscard]] bool on_the_way() const;

  /// What the socket does not take at once waits here for the next call of anything.
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
