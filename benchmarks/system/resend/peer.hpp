// SPDX-License-Identifier: MIT
// A counterparty over a plain blocking socket, for the benchmark's two sessions: logs on, sends,
// and counts or awaits messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace affix_bench {

/// Prints the failed call, with errno, and ends the program.
[[noreturn]] void die(const char* what);

/// One connection to 127.0.0.1. One thread.
class Peer {
 public:
  Peer(std::string name, std::uint16_t port);
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;
  ~Peer();

  /// Sends a Logon and waits for the answer.
  void log_on();

  void send(std::string_view type, std::string_view fields);

  /// Reads until `count` more messages have come completely.
  void await(std::uint64_t count);

 private:
  void read();

  std::string name_;
  int socket_;
  std::uint64_t next_ = 1;
  std::string rest_;           // Bytes that came and were not counted.
  std::uint64_t counted_ = 0;  // Messages that came and were not awaited.
};

}  // namespace affix_bench
