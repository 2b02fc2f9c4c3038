// SPDX-License-Identifier: MIT
// A peer's end of a TCP connection that never blocks.
#pragma once

#include "affix/net/address.hpp"
#include "affix/net/socket.hpp"

#include "certify/stage.hpp"

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>

namespace affix::inline v0::certify {

class SocketLine;

/// All open connections of a stage. Outlives them.
using SocketLines = std::set<SocketLine*>;

class SocketLine final : public Line {
 public:
  SocketLine(net::Socket socket, SocketLines& lines);
  ~SocketLine() override;

  /// Null if nothing listens, or does not answer within this time.
  [[nodiscard]] static std::unique_ptr<SocketLine> connect(const net::Address& address,
                                                           SocketLines& lines,
                                                           std::int64_t within_ns);

  [[nodiscard]] bool has_unsent() const { return !unsent_.empty() && !ended_; }

  /// True if the stream has ended, whether or not all of it was taken.
  [[nodiscard]] bool is_over() const { return ended_; }

  [[nodiscard]] int fd() const { return socket_.fd(); }

  /// Sends what waits, as far as the socket takes it.
  void flush();

  /// Bytes that the socket does not take at once wait here for the next call of any function.
  void send(std::string_view bytes) override;
  [[nodiscard]] std::string take() override;
  [[nodiscard]] bool ended() override;
  void close() override;
  void drop() override;

 private:
  void read();

  net::Socket socket_;
  SocketLines& lines_;
  std::string unsent_;
  std::string received_;
  bool ended_ = false;
};

}  // namespace affix::inline v0::certify
