// SPDX-License-Identifier: MIT
// The monitor's port with clients that send nothing, too much, or read nothing: all others are
// answered, and a client that sends too much gets the reason.
#include "affix/net/socket_calls.hpp"

#include "monitor/http_server.hpp"

#include <algorithm>
#include <chrono>
#include <gtest/gtest.h>
#include <string>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>
#include <vector>

namespace affix::tools::monitor {
namespace {

class Client {
 public:
  explicit Client(const net::Address& address)
      : socket_(net::make_socket(AF_INET, SOCK_STREAM, net::Waiting::Allowed)) {
    EXPECT_EQ(::connect(socket_, address.native(), static_cast<socklen_t>(address.native_size())),
              0);
  }

  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  Client(Client&& other) noexcept : socket_(std::exchange(other.socket_, -1)) {}

  ~Client() {
    if (socket_ >= 0) {
      ::close(socket_);
    }
  }

  /// Sends as much as the server accepts.
  void send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) {
        return;
      }
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
  }

  /// Everything until the server closes; followed by "reset" if it closed in another way.
  [[nodiscard]] std::string read_all() const {
    std::string all;
    std::array<char, 4096> piece;
    ssize_t got = 1;
    while ((got = ::recv(socket_, piece.data(), piece.size(), 0)) > 0) {
      all.append(piece.data(), static_cast<std::size_t>(got));
    }
    return got < 0 ? all + "reset" : all;
  }

  [[nodiscard]] bool is_open() const {
    char byte = 0;
    return ::recv(socket_, &byte, 1, MSG_DONTWAIT) < 0 && errno == EAGAIN;
  }

 private:
  int socket_;
};

class MonitorHttp : public ::testing::Test {
 protected:
  MonitorHttp() {
    auto server = HttpServer::open(*net::Address::parse("127.0.0.1:0"), std::nullopt);
    EXPECT_TRUE(server);
    server_.emplace(std::move(*server));
    server_->start({.refuse = [](const Request&) { return std::nullopt; },
                    .answer =
                        [](const Request& request) {
                          return Answer{200, "text/plain", "path " + request.path, {}};
                        }});
  }

  [[nodiscard]] Client client() const { return Client(server_->address()); }

  [[nodiscard]] std::string ask(const std::string& path) const {
    const Client asking = client();
    asking.send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    return asking.read_all();
  }

  std::optional<HttpServer> server_;
};

TEST_F(MonitorHttp, AnswersBesideClientsThatSayNothing) {
  std::vector<Client> silent;
  for (int number = 0; number < 150; ++number) {
    silent.push_back(client());
    if (number % 2 == 0) {
      silent.back().send("GET /heal");
    }
  }
  const auto before = std::chrono::steady_clock::now();
  EXPECT_NE(ask("/healthz").find("path /healthz"), std::string::npos);
  // It did not wait for the time limit of each of them, 5 s for 32 at a time.
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(12));
  const auto open = std::ranges::count_if(silent, [](const Client& one) { return one.is_open(); });
  EXPECT_GE(open, 20);
}

TEST_F(MonitorHttp, ReportsThePartThatIsTooLong) {
  EXPECT_NE(ask('/' + std::string(5'000, 'x')).find("path /xxx"), std::string::npos);
  for (const std::size_t bytes : {9'000UL, 100'000UL, 1'000'000UL}) {
    const std::string answer = ask('/' + std::string(bytes, 'x'));
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 4")) << bytes << ": " << answer.substr(0, 100);
    EXPECT_FALSE(answer.ends_with("reset")) << bytes;
  }
  const Client asking = client();
  asking.send("GET / HTTP/1.1\r\nHost: localhost\r\n");
  for (int number = 0; number < 200; ++number) {
    asking.send("X-" + std::to_string(number) + ": " + std::string(1'000, 'x') + "\r\n");
  }
  asking.send("\r\n");
  EXPECT_TRUE(asking.read_all().starts_with("HTTP/1.1 4"));
}

TEST_F(MonitorHttp, TakesABodyAndRefusesALongOne) {
  const Client good = client();
  good.send("POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc");
  EXPECT_NE(good.read_all().find("path /x"), std::string::npos);
  const Client bad = client();
  bad.send("POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 300000\r\n\r\n" +
           std::string(300'000, 'x'));
  const std::string answer = bad.read_all();
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 413")) << answer.substr(0, 100);
  EXPECT_FALSE(answer.ends_with("reset"));
}

TEST_F(MonitorHttp, EndsBesideClientsThatSayNothing) {
  const Client silent = client();
  silent.send("GET ");
  EXPECT_NE(ask("/healthz").find("path"), std::string::npos);
  server_.reset();
}

}  // namespace
}  // namespace affix::tools::monitor
