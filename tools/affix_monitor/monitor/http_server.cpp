// SPDX-License-Identifier: MIT
// cpp-httplib reads requests and writes answers over our streams, which add the limits that it
// lacks: time and bytes of a whole connection.
#include "monitor/http_server.hpp"

#include "affix/base/time.hpp"
#include "affix/net/event_descriptor.hpp"
#include "affix/net/socket_calls.hpp"
#include "affix/os/clock.hpp"

#include "monitor/connection_gate.hpp"

#include <cerrno>
#include <cstring>
#include <httplib.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace affix::inline v0::tools::monitor {

namespace {

constexpr int backlog = 256;
constexpr std::int64_t request_ns = 5 * base::ns_per_second;
constexpr std::int64_t answer_ns = 15 * base::ns_per_second;

/// Of the request line, all headers and the body.
constexpr std::size_t request_bytes_max = target_bytes_max + 24 * 1024 + body_bytes_max;

/// Of the request line: method, target, version.
constexpr std::size_t request_line_bytes_max = target_bytes_max + 64;

/// After too much input, reads on up to these limits: closing a socket with unread bytes resets the
/// connection, and the client might never see the refusal.
constexpr std::size_t unread_bytes_max = std::size_t{4} << 20;
constexpr std::int64_t unread_ns = base::ns_per_second;

/// One connection, in the interface of the library.
class BoundedStream final : public httplib::Stream {
 public:
  using Phase = ConnectionGate::Phase;

  BoundedStream(TlsChannel& channel, const net::Address& peer, std::int64_t begun_ns,
                std::function<void(Phase)> enter)
      : channel_(channel),
        peer_(peer),
        read_until_ns_(begun_ns + request_ns),
        enter_(std::move(enter)) {}

  void enter(Phase phase) const { enter_(phase); }

  /// Answers requests that the library drops silently, and lets the client see the answer after too
  /// much input.
  void finish() {
    if (too_long_ != nullptr && write_until_ns_ == 0) {
      const Answer answer = refuse(in_request_line_ ? 414 : 431, too_long_, "M122");
      const std::string text = "HTTP/1.1 " + std::to_string(answer.status) +
                               " \r\nContent-Type:application/json\r\nConnection:close\r\n"
                               "Content-Length:" +
                               std::to_string(answer.body.size()) + "\r\n\r\n" + answer.body;
      static_cast<void>(write(text.data(), text.size()));
    }
    if (write_until_ns_ == 0 || !more_may_come_) {
      return;
    }
    static_cast<void>(::shutdown(channel_.socket(), SHUT_WR));
    const std::int64_t until_ns = os::now().steady_ns + unread_ns;
    std::size_t unread = 0;
    long got = 1;
    while (got > 0 && unread < unread_bytes_max) {
      got = channel_.read(buffer_.data(), buffer_.size(), until_ns);
      unread += got > 0 ? static_cast<std::size_t>(got) : 0;
    }
  }

  /// The answer is a refusal: there may be unread bytes.
  void note_refused() noexcept { more_may_come_ = true; }

  [[nodiscard]] bool is_readable() const override { return true; }

  [[nodiscard]] bool is_writable() const override { return true; }

  ssize_t read(char* to, size_t size) override {
    if (begin_ == end_) {
      if (read_bytes_ >= (in_request_line_ ? request_line_bytes_max : request_bytes_max)) {
        too_long_ = in_request_line_ ? "the request line is too long" : "the request is too long";
        more_may_come_ = true;
        return -1;
      }
      const long got = channel_.read(buffer_.data(), buffer_.size(), read_until_ns_);
      if (got <= 0) {
        return got;
      }
      begin_ = 0;
      end_ = static_cast<std::size_t>(got);
      read_bytes_ += end_;
      in_request_line_ = in_request_line_ && std::memchr(buffer_.data(), '\n', end_) == nullptr;
    }
    const std::size_t given = std::min(size, end_ - begin_);
    std::memcpy(to, buffer_.data() + begin_, given);
    begin_ += given;
    return static_cast<ssize_t>(given);
  }

  ssize_t write(const char* from, size_t size) override {
    if (write_until_ns_ == 0) {
      write_until_ns_ = os::now().steady_ns + answer_ns;
      enter(Phase::Writing);
    }
    return channel_.write({from, size}, write_until_ns_) ? static_cast<ssize_t>(size) : -1;
  }

  void get_remote_ip_and_port(std::string& ip, int& port) const override {
    ip = peer_.host_text();
    port = peer_.port();
  }

  void get_local_ip_and_port(std::string& ip, int& port) const override {
    ip.clear();
    port = 0;
  }

  [[nodiscard]] socket_t socket() const override { return channel_.socket(); }

 private:
  TlsChannel& channel_;
  const net::Address& peer_;
  const std::int64_t read_until_ns_;
  const std::function<void(Phase)> enter_;
  std::int64_t write_until_ns_ = 0;
  const char* too_long_ = nullptr;
  bool in_request_line_ = true;
  bool more_may_come_ = false;
  std::array<char, 4096> buffer_{};
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::size_t read_bytes_ = 0;
};

/// The connection that this thread serves: the library does not pass it to handlers.
thread_local BoundedStream* served = nullptr;

std::string header(const httplib::Request& from, const char* name) {
  return from.get_header_value(name);
}

/// The error is the answer that refuses it.
std::expected<Request, Answer> request_of(const httplib::Request& from) {
  auto request = request_of_target(from.target);
  if (!request) {
    return std::unexpected(refuse(400, request.error()));
  }
  request->method = from.method;
  request->host = header(from, "Host");
  request->origin = header(from, "Origin");
  request->fetch_site = header(from, "Sec-Fetch-Site");
  request->authorization = header(from, "Authorization");
  request->content_type = header(from, "Content-Type");
  request->if_none_match = header(from, "If-None-Match");
  request->peer = from.remote_addr;
  if (from.has_header("Content-Encoding") || from.has_header("Transfer-Encoding")) {
    return std::unexpected(refuse(400, "a body comes as it is, with its length", "M122"));
  }
  if (from.get_header_value_count("Host") > 1 || from.get_header_value_count("Authorization") > 1) {
    return std::unexpected(refuse(400, "a header is there twice", "M122"));
  }
  return std::move(*request);
}

void give(Answer answer, httplib::Response& to) {
  if (answer.status >= 400 && served != nullptr) {
    served->note_refused();
  }
  to.status = answer.status;
  for (const auto& [name, value] : answer.headers) {
    to.set_header(name, value);
  }
  if (answer.content_type.starts_with("application/json") ||
      answer.content_type.starts_with("text/plain")) {
    to.set_header("Cache-Control", "no-store");
  }
  if (answer.status != 304) {
    to.set_content(std::move(answer.body), answer.content_type);
  }
}

/// The library's parser, without its sockets.
class Parser final : public httplib::Server {
 public:
  explicit Parser(HttpHandlers handlers) : handlers_(std::move(handlers)) {
    set_payload_max_length(body_bytes_max);
    set_default_headers({{"Content-Security-Policy",
                          "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; "
                          "form-action 'self'"},
                         {"X-Content-Type-Options", "nosniff"},
                         {"X-Frame-Options", "DENY"},
                         {"Referrer-Policy", "no-referrer"}});
    set_pre_routing_handler([this](const httplib::Request& from, httplib::Response& to) {
      auto request = request_of(from);
      if (!request) {
        give(std::move(request.error()), to);
        return HandlerResponse::Handled;
      }
      if (auto refused = handlers_.refuse(*request)) {
        give(std::move(*refused), to);
        return HandlerResponse::Handled;
      }
      // Reads a body only if the method has one.
      if (request->method == "POST") {
        return HandlerResponse::Unhandled;
      }
      served->enter(ConnectionGate::Phase::Working);
      give(handlers_.answer(*request), to);
      return HandlerResponse::Handled;
    });
    Post(".*", [this](const httplib::Request& from, httplib::Response& to) {
      auto request = request_of(from);
      served->enter(ConnectionGate::Phase::Working);
      if (request) {
        request->body = from.body;
      }
      give(request ? handlers_.answer(*request) : std::move(request.error()), to);
    });
    set_exception_handler([](const httplib::Request&, httplib::Response& to, std::exception_ptr) {
      give(refuse(500, "the request could not be answered", "M130"), to);
    });
    set_error_handler([](const httplib::Request&, httplib::Response& to) {
      if (to.body.empty()) {
        give(refuse(to.status, "the request could not be read", "M122"), to);
      }
    });
  }

  void serve(BoundedStream& stream) {
    bool closed = false;
    served = &stream;
    // Ranges of an answer are not needed here, and many ranges of one answer can be many times its
    // size.
    process_request(stream, true, closed, [](httplib::Request& request) {
      request.ranges.clear();
      request.headers.erase("Range");
    });
    stream.finish();
    served = nullptr;
  }

 private:
  HttpHandlers handlers_;
};

}  // namespace

struct HttpServer::State {
  ~State() {
    if (stop >= 0) {
      // Never read: it stays readable.
      net::raise_event(stop);
    }
    if (accepting.joinable()) {
      accepting.join();
    }
    gate.end();
    for (std::thread& thread : workers) {
      thread.join();
    }
    for (const int file : {listener, stop}) {
      if (file >= 0) {
        ::close(file);
      }
    }
  }

  void accept_connections() {
    constexpr int look_again_ms = 20;
    for (;;) {
      std::array<pollfd, 2> files{{{listener, POLLIN, 0}, {stop, POLLIN, 0}}};
      if (::poll(files.data(), files.size(), gate.crowded() ? look_again_ms : -1) < 0 &&
          errno != EINTR) {
        return;
      }
      if (files[1].revents != 0) {
        return;
      }
      gate.make_room(os::now().steady_ns);
      if (files[0].revents == 0) {
        continue;
      }
      sockaddr_storage from{};
      socklen_t size = sizeof(from);
      const int socket = net::accept_socket(listener, reinterpret_cast<sockaddr*>(&from), &size);
      if (socket < 0) {
        if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
          // Descriptors or memory are used up elsewhere; ten attempts a second are enough.
          static_cast<void>(::poll(files.data() + 1, 1, 100));
        }
        continue;
      }
      const int on = 1;
      static_cast<void>(::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)));
      gate.give(
          {socket, net::Address::from_native(reinterpret_cast<const sockaddr*>(&from), size)});
      gate.make_room(os::now().steady_ns);
    }
  }

  void serve_connections(std::size_t number) {
    while (const auto connection = gate.take(number)) {
      TlsChannel channel(connection->socket);
      serve(channel, connection->peer, number);
      gate.enter(number, ConnectionGate::Phase::Free);  // Before the socket is closed.
    }
  }

  void serve(TlsChannel& channel, const net::Address& peer, std::size_t number) {
    const std::int64_t begun_ns = os::now().steady_ns;
    if (tls && !channel.begin_tls(*tls, true, begun_ns + request_ns)) {
      return;
    }
    BoundedStream stream(channel, peer, begun_ns, [this, number](ConnectionGate::Phase phase) {
      gate.enter(number, phase);
    });
    parser->serve(stream);
  }

  int listener = -1;
  int stop = -1;
  net::Address address;
  std::optional<TlsContext> tls;
  std::unique_ptr<Parser> parser;
  ConnectionGate gate{threads};
  std::vector<std::thread> workers;
  std::thread accepting;
};

HttpServer::HttpServer(std::unique_ptr<State> state) : state_(std::move(state)) {}

HttpServer::HttpServer(HttpServer&&) noexcept = default;
HttpServer& HttpServer::operator=(HttpServer&&) noexcept = default;
HttpServer::~HttpServer() = default;

std::expected<HttpServer, base::Error> HttpServer::open(const net::Address& address,
                                                        std::optional<TlsContext> tls) {
  auto state = std::make_unique<State>();
  state->tls = std::move(tls);
  const int family = address.is_ipv6() ? AF_INET6 : AF_INET;
  // Non-blocking: several threads wait for the same connection, and one gets it.
  const auto failed = [&](const char* call) {
    return std::unexpected(base::make_system_error(call, errno, address.text()));
  };
  state->listener = net::make_socket(family, SOCK_STREAM, net::Waiting::Never);
  if (state->listener < 0) {
    return failed("socket");
  }
  state->stop = net::make_event().release();
  if (state->stop < 0) {
    return failed("eventfd");
  }
  const int on = 1;
  if (::setsockopt(state->listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) != 0) {
    return failed("setsockopt");
  }
  if (::bind(state->listener, address.native(), static_cast<socklen_t>(address.native_size())) !=
      0) {
    return failed("bind");
  }
  if (::listen(state->listener, backlog) != 0) {
    return failed("listen");
  }
  sockaddr_storage bound{};
  socklen_t size = sizeof(bound);
  if (::getsockname(state->listener, reinterpret_cast<sockaddr*>(&bound), &size) != 0) {
    return failed("getsockname");
  }
  state->address = net::Address::from_native(reinterpret_cast<const sockaddr*>(&bound), size);
  return HttpServer(std::move(state));
}

const net::Address& HttpServer::address() const noexcept {
  return state_->address;
}

void HttpServer::start(HttpHandlers handlers) {
  state_->parser = std::make_unique<Parser>(std::move(handlers));
  for (std::size_t number = 0; number < threads; ++number) {
    state_->workers.emplace_back(
        [state = state_.get(), number] { state->serve_connections(number); });
  }
  state_->accepting = std::thread([state = state_.get()] { state->accept_connections(); });
}

}  // namespace affix::inline v0::tools::monitor
