// SPDX-License-Identifier: MIT
// Uses one connection for each command.
#include "administration/admin_client.hpp"

#include "affix/base/time.hpp"
#include "affix/net/address.hpp"
#include "affix/net/socket_calls.hpp"
#include "affix/os/clock.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace affix::inline v0::tools {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t answer_patience_ns = 3 * base::ns_per_second;

/// The port's own limit is four million; the rest of an answer is short.
constexpr std::size_t answer_bytes_max = 5'000'000;

std::unexpected<base::Error> not_asked(std::string why) {
  return std::unexpected(base::Error{base::ErrorCode::Io, std::move(why), {}, "M104"});
}

std::expected<TlsChannel, base::Error> connect_to(const AdminPlace& place,
                                                  std::int64_t deadline_ns) {
  const auto address = net::Address::parse(place.address);
  if (!address) {
    return std::unexpected(address.error());
  }
  const auto fail = [&] {
    return not_asked("the administration port " + place.address +
                     " cannot be reached: " + std::strerror(errno));
  };
  const int socket =
      net::make_socket(address->is_ipv6() ? AF_INET6 : AF_INET, SOCK_STREAM, net::Waiting::Never);
  if (socket < 0) {
    return fail();
  }
  TlsChannel channel(socket);
  if (::connect(socket, address->native(), static_cast<socklen_t>(address->native_size())) != 0) {
    const int milliseconds =
        static_cast<int>((deadline_ns - os::now().steady_ns) / base::ns_per_ms);
    pollfd one{socket, POLLOUT, 0};
    int error = errno;
    socklen_t size = sizeof(error);
    if (error == EINPROGRESS) {
      error = ETIMEDOUT;
      if (::poll(&one, 1, std::max(milliseconds, 0)) == 1) {
        ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size);
      }
    }
    if (error != 0) {
      errno = error;
      return fail();
    }
  }
  if (place.tls && !channel.begin_tls(*place.tls, false, deadline_ns)) {
    return not_asked("the administration port " + place.address +
                     " has another certificate, or speaks no TLS");
  }
  return channel;
}

/// One line without its end; nullopt on a timeout.
std::optional<std::string> read_line(TlsChannel& channel, std::string& unread,
                                     std::int64_t deadline_ns) {
  std::array<char, 16'384> buffer;
  for (std::size_t looked_at = 0;;) {
    const std::size_t end = unread.find('\n', looked_at);
    if (end != std::string::npos) {
      std::string line = unread.substr(0, end);
      unread.erase(0, end + 1);
      return line;
    }
    looked_at = unread.size();
    const long got = channel.read(buffer.data(), buffer.size(), deadline_ns);
    if (got <= 0 || unread.size() > answer_bytes_max) {
      return std::nullopt;
    }
    unread.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

/// The answer to the line with `admin_line_id`.
std::optional<Json> ask(TlsChannel& channel, std::string& unread, const std::string& line, int id,
                        std::int64_t deadline_ns) {
  if (!channel.write(line + "\n", deadline_ns)) {
    return std::nullopt;
  }
  while (const auto answer = read_line(channel, unread, deadline_ns)) {
    Json json = Json::parse(*answer, nullptr, false);
    if (json.is_object() && json.value("id", Json()) == Json(id)) {
      return json;
    }
  }
  return std::nullopt;
}

}  // namespace

std::expected<Json, base::Error> ask_admin(const AdminPlace& place, std::string_view token,
                                           const std::string& line) {
  if (place.address.empty()) {
    return not_asked("there is no administration port");
  }
  const std::int64_t deadline_ns = os::now().steady_ns + answer_patience_ns;
  auto channel = connect_to(place, deadline_ns);
  if (!channel) {
    return std::unexpected(channel.error());
  }
  std::string unread;
  if (!token.empty()) {
    const Json shown{{"id", 1}, {"command", "auth"}, {"arguments", {std::string(token)}}};
    const auto known =
        ask(*channel, unread, shown.dump(-1, ' ', true, Json::error_handler_t::replace), 1,
            deadline_ns);
    if (!known || known->value("status", "") != "done") {
      return not_asked("the administration port does not take the token");
    }
  }
  auto answer = ask(*channel, unread, line, admin_line_id, deadline_ns);
  if (!answer) {
    return std::unexpected(
        base::Error{base::ErrorCode::Io,
                    "the administration port has not answered; the command may have been executed",
                    {},
                    "M105"});
  }
  answer->erase("id");
  for (const auto& [key, otherwise] : {std::pair<const char*, Json>{"columns", Json::array()},
                                       {"rows", Json::array()},
                                       {"cut", Json(false)}}) {
    if (!answer->contains(key)) {
      (*answer)[key] = otherwise;
    }
  }
  return std::move(*answer);
}

}  // namespace affix::inline v0::tools
