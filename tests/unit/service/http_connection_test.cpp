// SPDX-License-Identifier: MIT
// Requests to a server that a test scripts.
#include "service/http_connection.hpp"

#include "affix/base/time.hpp"

#include "support/held_port.hpp"
#include "support/loopback_listener.hpp"

#include <gtest/gtest.h>
#include <latch>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <thread>
#include <utility>
#include <vector>

namespace affix::service {
namespace {

/// One connection after the other; each of its requests has an answer.
class ScriptedServer {
 public:
  struct Reply {
    std::string bytes;
    bool closes = false;     ///< Ends the connection afterwards.
    bool is_silent = false;  ///< Sends nothing, and waits for the client's end.
  };

  explicit ScriptedServer(std::vector<Reply> replies) : replies_(std::move(replies)) {
    thread_ = std::thread([this] { run(); });
  }

  ~ScriptedServer() {
    if (thread_.joinable()) {
      thread_.join();
    }
  }

  [[nodiscard]] HttpServer server(std::int64_t answer_ns = 20 * base::ns_per_second) const {
    return {.host_and_port = "127.0.0.1:" + std::to_string(listener_.port()),
            .tls = nullptr,
            .connect_ns = 20 * base::ns_per_second,
            .answer_ns = answer_ns,
            .body_bytes_max = 1000};
  }

  /// A silent reply has read its request.
  void await_silence() { silence_.wait(); }

  /// The first connection has ended.
  void await_first_end() { first_end_.wait(); }

  /// Waits for the script's end. Each request begins with the number of its connection.
  [[nodiscard]] std::vector<std::string> requests() {
    thread_.join();
    return requests_;
  }

 private:
  void run() {
    int connections = 0;
    for (std::size_t at = 0; at < replies_.size();) {
      net::Socket client = listener_.accept();
      ++connections;
      bool is_open = true;
      while (is_open && at < replies_.size()) {
        const std::string request = read_request(client.fd());
        if (request.empty()) {
          break;  // The client has gone.
        }
        requests_.push_back(std::to_string(connections) + " " + request);
        const Reply& reply = replies_[at++];
        if (reply.is_silent) {
          silence_.count_down();
          EXPECT_EQ(read_request(client.fd()), "");
        }
        EXPECT_EQ(::send(client.fd(), reply.bytes.data(), reply.bytes.size(), MSG_NOSIGNAL),
                  static_cast<ssize_t>(reply.bytes.size()));
        is_open = !reply.closes && !reply.is_silent;
      }
      client.close();
      if (connections == 1) {
        first_end_.count_down();
      }
    }
  }

  /// Its requests end with "}".
  static std::string read_request(int fd) {
    std::string request;
    char byte = 0;
    while (!request.ends_with('}') && ::recv(fd, &byte, 1, 0) == 1) {
      request += byte;
    }
    return request;
  }

  support::LoopbackListener listener_;
  std::vector<Reply> replies_;
  std::latch silence_{1};
  std::latch first_end_{1};
  std::vector<std::string> requests_;
  std::thread thread_;
};

std::string answer(std::string_view body, std::string_view headers = "") {
  return "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" +
         std::string(headers) + "\r\n" + std::string(body);
}

/// The answer's body, or the fault with a mark whether the request was sent.
std::string post(HttpConnection& connection, std::string_view body) {
  const auto got = connection.post("/path", {{"A", "b"}}, body);
  return got ? got->body() : (got.error().was_sent ? "sent: " : "not sent: ") + got.error().text;
}

std::string request(int connection, const HttpServer& server, std::string_view body) {
  return std::to_string(connection) + " POST /path HTTP/1.1\r\nHost: " + server.host_and_port +
         "\r\nA: b\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
         std::string(body);
}

TEST(HttpConnection, IsKeptForFurtherRequests) {
  ScriptedServer script({{.bytes = answer("one")}, {.bytes = answer("two")}});
  HttpConnection connection(script.server());
  EXPECT_EQ(post(connection, "{1}"), "one");
  EXPECT_EQ(post(connection, "{22}"), "two");
  EXPECT_EQ(script.requests(),
            (std::vector{request(1, script.server(), "{1}"), request(1, script.server(), "{22}")}));
}

TEST(HttpConnection, IsReplacedWhereItMayNotGoOn) {
  const std::string is_last = answer("two", "Connection: close\r\n");
  ScriptedServer script({{.bytes = answer("one"), .closes = true},
                         {.bytes = is_last},
                         {.bytes = answer("three") + "unasked"},
                         {.bytes = answer("four")}});
  HttpConnection connection(script.server());
  EXPECT_EQ(post(connection, "{}"), "one");
  script.await_first_end();
  for (const std::string_view wanted : {"two", "three", "four"}) {
    EXPECT_EQ(post(connection, "{}"), wanted);
  }
  const std::vector<std::string> requests = script.requests();
  ASSERT_EQ(requests.size(), 4U);
  for (std::size_t at = 0; at < requests.size(); ++at) {
    EXPECT_EQ(requests[at], request(static_cast<int>(at) + 1, script.server(), "{}"));
  }
}

TEST(HttpConnection, SaysWhetherARequestWasSent) {
  support::HeldPort port;
  HttpConnection refused({.host_and_port = "127.0.0.1:" + std::to_string(port.number()),
                          .tls = nullptr,
                          .connect_ns = base::ns_per_second,
                          .answer_ns = base::ns_per_second,
                          .body_bytes_max = 10});
  EXPECT_EQ(post(refused, "{}"), "not sent: connect: Connection refused");

  ScriptedServer script({{.bytes = "", .closes = true},
                         {.bytes = "HTTP/1.1 200 OK\r\nContent-Le", .closes = true},
                         {.bytes = "SSH-2.0\r\n", .closes = true},
                         {.bytes = answer("well")}});
  HttpConnection connection(script.server());
  EXPECT_EQ(post(connection, "{}"), "sent: the connection was ended without an answer");
  EXPECT_EQ(post(connection, "{}"), "sent: the answer ends before it is complete");
  EXPECT_EQ(post(connection, "{}"), "sent: the answer is not of HTTP/1");
  EXPECT_EQ(post(connection, "{}"), "well");
}

TEST(HttpConnection, WaitsNoLongerThanItsTime) {
  ScriptedServer script({{.bytes = "", .is_silent = true}});
  HttpConnection connection(script.server(base::ns_per_ms));
  EXPECT_EQ(post(connection, "{}"), "sent: there was no answer in time");
}

TEST(HttpConnection, IsStoppedByAnotherThread) {
  ScriptedServer script({{.bytes = "", .is_silent = true}});
  HttpConnection connection(script.server());
  std::thread stopping([&] {
    script.await_silence();
    connection.stop();
  });
  EXPECT_EQ(post(connection, "{}"), "sent: the connection is being closed");
  stopping.join();
  // Later requests, too.
  EXPECT_EQ(post(connection, "{}").find("well"), std::string::npos);
}

}  // namespace
}  // namespace affix::service
