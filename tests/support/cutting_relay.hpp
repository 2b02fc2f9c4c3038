// SPDX-License-Identifier: MIT
// Stands before an HTTP server, and ends connections in the middle of a request.
#pragma once

#include "affix/net/socket.hpp"

#include "support/etcd_cluster.hpp"
#include "support/loopback_listener.hpp"

#include <atomic>
#include <cstdint>
#include <string>
#include <sys/socket.h>
#include <thread>

namespace affix::support {

class CuttingRelay {
 public:
  enum class Cuts : std::uint8_t {
    Nothing,
    Requests,  ///< The server does not see the request.
    Answers,   ///< The server carries it out; the client does not see the answer.
  };

  /// Before the server at `port` of this machine.
  explicit CuttingRelay(std::uint16_t port) : server_(port) {
    thread_ = std::thread([this] { serve(); });
  }

  CuttingRelay(const CuttingRelay&) = delete;
  CuttingRelay& operator=(const CuttingRelay&) = delete;

  ~CuttingRelay() {
    listener_.end();
    thread_.join();
  }

  [[nodiscard]] std::string endpoint() const {
    return "http://127.0.0.1:" + std::to_string(listener_.port());
  }

  /// Of conditional writes; reads pass.
  std::atomic<Cuts> cuts{Cuts::Nothing};

 private:
  void serve() {
    while (true) {
      const net::Socket client = listener_.accept();
      if (!client.is_open()) {
        return;
      }
      pass(client);
    }
  }

  /// One request a connection.
  void pass(const net::Socket& client) const {
    std::string request;
    std::size_t body_at = std::string::npos;
    std::size_t whole = std::string::npos;
    while (request.size() < whole) {
      char piece[4096];
      const ssize_t size = ::recv(client.fd(), piece, sizeof piece, 0);
      if (size <= 0) {
        return;
      }
      request.append(piece, static_cast<std::size_t>(size));
      body_at = request.find("\r\n\r\n");
      if (whole == std::string::npos && body_at != std::string::npos) {
        const std::size_t length_at = request.find("Content-Length: ");
        whole = body_at + 4 + std::stoul(request.substr(length_at + 16));
      }
    }
    const std::size_t path_at = request.find(' ') + 1;
    const std::string path = request.substr(path_at, request.find(' ', path_at) - path_at);
    const Cuts cut = path == "/v3/kv/txn" ? cuts.load() : Cuts::Nothing;
    if (cut == Cuts::Requests) {
      return;
    }
    const std::string answer = http_post(server_, path, request.substr(body_at + 4));
    if (cut == Cuts::Nothing) {
      static_cast<void>(::send(client.fd(), answer.data(), answer.size(), MSG_NOSIGNAL));
    }
  }

  std::uint16_t server_;
  LoopbackListener listener_;
  std::thread thread_;
};

}  // namespace affix::support
