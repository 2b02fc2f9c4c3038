// SPDX-License-Identifier: MIT
// Waits for the socket and for stop() at once.
#include "service/http_connection.hpp"

#include "affix/net/address.hpp"
#include "affix/net/socket_calls.hpp"
#include "affix/os/clock.hpp"

#include "tls/tls_status.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace affix::inline v0::service {

namespace {

constexpr std::size_t read_bytes = std::size_t{16} << 10;

std::string system_text(const char* call, int error) {
  return base::make_system_error(call, error, {}).sentence();
}

}  // namespace

HttpConnection::HttpConnection(HttpServer server)
    : server_(std::move(server)), stop_(os::make_pipe()) {}

void HttpConnection::stop() noexcept {
  // The byte stays in the pipe.
  static_cast<void>(::write(stop_.write_end.number(), "", 1));
}

std::expected<HttpAnswer, HttpConnection::Fault> HttpConnection::post(
    std::string_view path, const std::vector<Header>& headers, std::string_view body) {
  const std::int64_t begun_ns = os::now().steady_ns;
  if (!is_usable()) {
    close();
    if (auto fault = connect(begun_ns + server_.connect_ns)) {
      close();
      return std::unexpected(Fault{.was_sent = false, .text = std::move(*fault)});
    }
  }
  const std::int64_t deadline_ns = os::now().steady_ns + server_.answer_ns;
  std::string request = "POST ";
  request.append(path).append(" HTTP/1.1\r\nHost: ").append(server_.host_and_port);
  for (const auto& [name, value] : headers) {
    request.append("\r\n").append(name).append(": ").append(value);
  }
  request.append("\r\nContent-Length: ").append(std::to_string(body.size()));
  request.append("\r\n\r\n").append(body);
  HttpAnswer answer(server_.body_bytes_max);
  auto fault = write(request, deadline_ns);
  // A server may answer before it has read all, and end the connection.
  auto unread = read_answer(answer, deadline_ns);
  if (unread) {
    close();
    return std::unexpected(
        Fault{.was_sent = true, .text = fault ? std::move(*fault) : std::move(*unread)});
  }
  if (fault || !answer.may_go_on()) {
    close();
  }
  return answer;
}

/// A connection on which something came that nobody asked for, such as its end, is not used again.
bool HttpConnection::is_usable() {
  return socket_.is_open() && received_.empty() && wait(POLLIN, 0) == Wait::Late;
}

std::optional<std::string> HttpConnection::connect(std::int64_t deadline_ns) {
  const auto addresses = net::wait_resolve(server_.host_and_port);
  if (!addresses) {
    return addresses.error().sentence();
  }
  std::optional<std::string> fault;
  for (const net::Address& address : *addresses) {
    fault = connect_to(address, deadline_ns);
    if (!fault) {
      return server_.tls == nullptr ? std::nullopt : shake_hands(deadline_ns);
    }
  }
  return fault;
}

std::optional<std::string> HttpConnection::connect_to(const net::Address& address,
                                                      std::int64_t deadline_ns) {
  auto opened = net::open_socket(address);
  if (!opened) {
    return opened.error().sentence();
  }
  socket_ = std::move(*opened);
  const int on = 1;
  static_cast<void>(::setsockopt(socket_.fd(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on));
  if (::connect(socket_.fd(), address.native(), static_cast<socklen_t>(address.native_size())) ==
      0) {
    return std::nullopt;
  }
  int error = errno;
  if (error == EINPROGRESS) {
    if (const Wait waited = wait(POLLOUT, deadline_ns); waited != Wait::Ready) {
      return text_of(waited, "the connection was not accepted in time");
    }
    socklen_t size = sizeof error;
    static_cast<void>(::getsockopt(socket_.fd(), SOL_SOCKET, SO_ERROR, &error, &size));
  }
  return error == 0 ? std::nullopt : std::optional(system_text("connect", error));
}

std::optional<std::string> HttpConnection::shake_hands(std::int64_t deadline_ns) {
  static_cast<void>(server_.tls->reload());
  auto client = tls::TlsClient::make(*server_.tls, os::now().utc_ns);
  if (!client) {
    return client.error().sentence();
  }
  tls_.emplace(std::move(*client));
  while (true) {
    std::string_view unused = received_;
    const tls::TlsStatus status = tls_->shake_hands(unused);
    received_.erase(0, received_.size() - unused.size());
    auto fault = write_wire(tls_->output(), deadline_ns);
    tls_->clear_output();
    if (status == tls::TlsStatus::Failed) {
      return "the TLS handshake failed: " + std::string(tls_->fault());
    }
    if (fault || status == tls::TlsStatus::Done) {
      return fault;
    }
    bool has_ended = status == tls::TlsStatus::Ended;
    if (!has_ended) {
      fault = read_wire(deadline_ns, has_ended);
    }
    if (fault || has_ended) {
      return fault ? fault
                   : std::optional<std::string>("the TLS handshake was ended by the server");
    }
  }
}

std::optional<std::string> HttpConnection::write(std::string_view bytes, std::int64_t deadline_ns) {
  if (!tls_) {
    return write_wire(bytes, deadline_ns);
  }
  if (!tls_->write(bytes)) {
    return "TLS failed: " + std::string(tls_->fault());
  }
  auto fault = write_wire(tls_->output(), deadline_ns);
  tls_->clear_output();
  return fault;
}

std::optional<std::string> HttpConnection::write_wire(std::string_view bytes,
                                                      std::int64_t deadline_ns) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket_.fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      if (const Wait waited = wait(POLLOUT, deadline_ns); waited != Wait::Ready) {
        return text_of(waited, "the request was not taken in time");
      }
    } else if (errno != EINTR) {
      return system_text("send", errno);
    }
  }
  return std::nullopt;
}

std::optional<std::string> HttpConnection::read_answer(HttpAnswer& answer,
                                                       std::int64_t deadline_ns) {
  auto progress = give(answer);
  while (progress == HttpAnswer::Progress::More) {
    bool has_ended = false;
    if (auto fault = read_wire(deadline_ns, has_ended)) {
      return fault;
    }
    progress = has_ended ? answer.end() : give(answer);
  }
  if (progress == HttpAnswer::Progress::Broken && tls_ && !tls_->fault().empty()) {
    return "TLS failed: " + std::string(tls_->fault());
  }
  if (progress == HttpAnswer::Progress::Broken) {
    const bool is_empty = answer.status() == 0 && answer.body().empty();
    return is_empty && std::string_view(answer.fault()).starts_with("ends")
               ? "the connection was ended without an answer"
               : "the answer " + std::string(answer.fault());
  }
  return std::nullopt;
}

/// Gives it what was received, decrypted.
HttpAnswer::Progress HttpConnection::give(HttpAnswer& answer) {
  if (!tls_) {
    const auto progress = answer.add(received_);
    received_.clear();
    return progress;
  }
  auto progress = HttpAnswer::Progress::More;
  std::array<char, read_bytes> plain;
  std::string_view unused = received_;
  while (progress == HttpAnswer::Progress::More) {
    const tls::TlsRead read = tls_->read(unused, plain);
    progress = answer.add({plain.data(), read.bytes});
    if (progress == HttpAnswer::Progress::More && read.status != tls::TlsStatus::Open) {
      progress = answer.end();
    } else if (read.bytes == 0) {
      break;
    }
  }
  received_.erase(0, received_.size() - unused.size());
  return progress;
}

std::optional<std::string> HttpConnection::read_wire(std::int64_t deadline_ns, bool& has_ended) {
  std::array<char, read_bytes> bytes;
  while (true) {
    const ssize_t got = ::recv(socket_.fd(), bytes.data(), bytes.size(), 0);
    if (got >= 0) {
      has_ended = got == 0;
      received_.append(bytes.data(), static_cast<std::size_t>(got));
      return std::nullopt;
    }
    if (errno == EAGAIN || errno == EWOULDBLOCK) {
      if (const Wait waited = wait(POLLIN, deadline_ns); waited != Wait::Ready) {
        return text_of(waited, "there was no answer in time");
      }
    } else if (errno != EINTR) {
      return system_text("recv", errno);
    }
  }
}

HttpConnection::Wait HttpConnection::wait(short events, std::int64_t deadline_ns) const noexcept {
  std::array<pollfd, 2> both{{{stop_.read_end.number(), POLLIN, 0}, {socket_.fd(), events, 0}}};
  while (true) {
    const std::int64_t left_ns = std::max<std::int64_t>(deadline_ns - os::now().steady_ns, 0);
    const int ready = net::wait_for_events(both, left_ns);
    if (ready > 0) {
      return both[0].revents != 0 ? Wait::Stopped : Wait::Ready;
    }
    if (left_ns == 0) {
      return Wait::Late;
    }
  }
}

std::string HttpConnection::text_of(Wait wait, const char* late) const {
  return wait == Wait::Stopped ? "the connection is being closed" : late;
}

void HttpConnection::close() noexcept {
  socket_.close();
  tls_.reset();
  received_.clear();
}

}  // namespace affix::inline v0::service
