// SPDX-License-Identifier: MIT
// Real etcd processes on the loopback interface, with ports that the kernel has chosen and data in
// memory, and a small HTTP client to ask them what our own store does not.
#pragma once

#include "affix/base/time.hpp"
#include "affix/net/socket.hpp"
#include "affix/net/socket_calls.hpp"

#include "support/held_port.hpp"
#include "support/mortal_program.hpp"
#include "support/temporary_directory.hpp"

#include <arpa/inet.h>
#include <array>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <gtest/gtest.h>
#include <memory>
#include <netinet/in.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

namespace affix::support {

/// Where Debian's package etcd-server has it; empty: it is not installed.
inline std::string etcd_program() {
  for (const char* const path : {"/usr/bin/etcd", "/usr/local/bin/etcd"}) {
    if (::access(path, X_OK) == 0) {
      return path;
    }
  }
  return {};
}

/// Skips the test, and says why.
#define AFFIX_NEEDS_ETCD()                                         \
  if (affix::support::etcd_program().empty()) {                    \
    GTEST_SKIP() << "etcd is not installed (Debian: etcd-server)"; \
  }                                                                \
  static_assert(true)

inline net::Socket connect_to(std::uint16_t port) {
  net::Socket socket(net::make_socket(AF_INET, SOCK_STREAM, net::Waiting::Allowed));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  // A process that is stopped accepts connections and never answers.
  const timeval limit{.tv_sec = 5, .tv_usec = 0};
  ::setsockopt(socket.fd(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  if (::connect(socket.fd(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    socket.close();
  }
  return socket;
}

inline std::string receive_all(const net::Socket& socket) {
  std::string text;
  std::array<char, 4096> piece;
  for (ssize_t size = 0; (size = ::recv(socket.fd(), piece.data(), piece.size(), 0)) > 0;) {
    text.append(piece.data(), static_cast<std::size_t>(size));
  }
  return text;
}

/// The whole answer, with its headers; empty: there is none.
inline std::string http_post(std::uint16_t port, std::string_view path, std::string_view body) {
  const net::Socket socket = connect_to(port);
  if (!socket.is_open()) {
    return {};
  }
  const std::string request = "POST " + std::string(path) +
                              " HTTP/1.1\r\nHost: etcd\r\nConnection: close\r\nContent-Length: " +
                              std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
  static_cast<void>(::send(socket.fd(), request.data(), request.size(), MSG_NOSIGNAL));
  return receive_all(socket);
}

/// The text of a member `"name":"text"` of JSON; empty: there is none.
inline std::string json_text(std::string_view json, std::string_view name) {
  const std::string key = "\"" + std::string(name) + "\":\"";
  const std::size_t at = json.find(key);
  if (at == std::string_view::npos) {
    return {};
  }
  const std::size_t begin = at + key.size();
  return std::string(json.substr(begin, json.find('"', begin) - begin));
}

inline void rest_a_moment() {
  const timespec pause{.tv_sec = 0, .tv_nsec = 20 * base::ns_per_ms};
  ::nanosleep(&pause, nullptr);
}

class EtcdCluster {
 public:
  /// Starts `count` members; `more` is added to each one's arguments.
  explicit EtcdCluster(std::size_t count, std::vector<std::string> more = {},
                       std::string scheme = "http")
      : more_(std::move(more)), scheme_(std::move(scheme)), members_(count) {
    for (std::size_t at = 0; at < count; ++at) {
      start(at);
    }
  }

  [[nodiscard]] std::size_t size() const noexcept { return members_.size(); }

  [[nodiscard]] std::uint16_t port(std::size_t at) const { return members_[at].client.number(); }

  [[nodiscard]] std::string endpoint(std::size_t at) const {
    return scheme_ + "://127.0.0.1:" + std::to_string(port(at));
  }

  [[nodiscard]] std::vector<std::string> endpoints() const {
    std::vector<std::string> all;
    for (std::size_t at = 0; at < size(); ++at) {
      all.push_back(endpoint(at));
    }
    return all;
  }

  /// Starts the member, with the data that it had.
  void start(std::size_t at) {
    std::string cluster;
    for (std::size_t other = 0; other < size(); ++other) {
      cluster += (other == 0 ? "" : ",") + name(other) + "=" + peer_url(other);
    }
    std::vector<std::string> arguments{etcd_program(),
                                       "--name",
                                       name(at),
                                       "--data-dir",
                                       directory_.path(name(at)),
                                       "--listen-peer-urls",
                                       peer_url(at),
                                       "--initial-advertise-peer-urls",
                                       peer_url(at),
                                       "--listen-client-urls",
                                       endpoint(at),
                                       "--advertise-client-urls",
                                       endpoint(at),
                                       "--initial-cluster",
                                       cluster,
                                       "--initial-cluster-state",
                                       "new",
                                       "--heartbeat-interval",
                                       "50",
                                       "--election-timeout",
                                       "500",
                                       "--logger",
                                       "zap",
                                       "--log-outputs",
                                       directory_.path(name(at) + ".log")};
    arguments.insert(arguments.end(), more_.begin(), more_.end());
    members_[at].program = std::make_unique<MortalProgram>(arguments);
  }

  /// kill -9.
  void kill(std::size_t at) {
    EXPECT_TRUE(members_[at].program->end(SIGKILL));
    members_[at].program.reset();
  }

  void signal(std::size_t at, int number) { members_[at].program->signal(number); }

  /// The member that leads; waits until there is one. http only.
  [[nodiscard]] std::size_t leader() {
    for (int round = 0; round < 3000; ++round) {
      for (std::size_t at = 0; at < size(); ++at) {
        if (members_[at].program == nullptr) {
          continue;
        }
        const std::string status = http_post(port(at), "/v3/maintenance/status", "{}");
        const std::string leader = json_text(status, "leader");
        if (!leader.empty() && leader == json_text(status, "member_id")) {
          return at;
        }
      }
      rest_a_moment();
    }
    ADD_FAILURE() << "etcd has no leader";
    return 0;
  }

 private:
  struct EtcdMember {
    HeldPort peer;
    HeldPort client;
    std::unique_ptr<MortalProgram> program;
  };

  static std::string name(std::size_t at) { return "m" + std::to_string(at); }

  [[nodiscard]] std::string peer_url(std::size_t at) const {
    return "http://127.0.0.1:" + std::to_string(members_[at].peer.number());
  }

  TemporaryDirectory directory_{TemporaryDirectory::On::Memory};
  std::vector<std::string> more_;
  std::string scheme_;
  std::vector<EtcdMember> members_;
};

}  // namespace affix::support
