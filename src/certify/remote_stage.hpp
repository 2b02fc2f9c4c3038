// SPDX-License-Identifier: MIT
// The stage of a scenario against an engine in another process, in real time.
#pragma once

#include "affix/net/address.hpp"
#include "affix/net/listener.hpp"

#include "certify/stage.hpp"

#include <cstdint>
#include <deque>
#include <expected>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace affix::inline v0::certify {

/// A listening socket that plays share: hands each connection to the play whose session its Logon
/// names. Thread-safe.
class Reception {
 public:
  /// With `one_session`, whatever connects is of it, and nothing is read before it is handed over.
  [[nodiscard]] static std::expected<std::unique_ptr<Reception>, std::string> open(
      const net::Address& address, bool one_session);

  [[nodiscard]] const net::Address& address() const { return listener_.local_address(); }

  /// A connection of the engine that the peer `identity` is to answer. Not open: none within this
  /// time.
  [[nodiscard]] net::Socket wait(const Identity& identity, std::int64_t within_ns);

 private:
  struct Waiting {
    net::Socket socket;
    std::string begin;  ///< Bytes seen so far, which are still in the socket.
  };

  Reception(net::Listener listener, bool one_session)
      : listener_(std::move(listener)), one_session_(one_session) {}

  void accept_all();
  [[nodiscard]] net::Socket take_for(const Identity& identity);

  net::Listener listener_;
  bool one_session_;
  std::mutex mutex_;
  std::deque<Waiting> waiting_;
};

struct RemoteOptions {
  std::vector<net::Address> addresses{};  ///< Of an acceptor under test, tried in order; or ...
  Reception* reception = nullptr;         ///< ... where an initiator under test connects.
  std::int64_t patience_ns = 0;  ///< Time for an expected message without a time of its own.
  std::int64_t connect_ns = 0;   ///< Time for a connection, and for a command.
  /// Shell commands that kill the engine under test and start it again.
  std::string restart_command{};
  std::string restart_without_memory_command{};
};

[[nodiscard]] std::unique_ptr<Stage> make_remote_stage(RemoteOptions options);

}  // namespace affix::inline v0::certify
