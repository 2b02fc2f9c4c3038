// SPDX-License-Identifier: MIT
// Any bytes as a packet for affix-keep, and as packets of three processes: first byte: bits 0 and 1
// say whose, bit 2 adds a socket, bit 3 closes the connection, bits 4 and 5 let time pass; second
// byte: the packet's size. No packet may end the server, leak a descriptor or take an instance for
// ever.
#include "affix/keeper/server.hpp"

#include "keeper/packet.hpp"
#include "temporary_files.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <memory>
#include <netinet/in.h>
#include <poll.h>
#include <span>
#include <string>
#include <string_view>
#include <sys/socket.h>

namespace {

namespace keeper = affix::keeper;
namespace net = affix::net;
using affix_fuzz::require;

void read_alone(std::span<const std::byte> bytes) {
  const keeper::ReadMessage read = keeper::read_message(bytes);
  if (read.fault != keeper::MessageFault::None) {
    return;
  }
  const keeper::Message& message = read.message;
  require(bytes.size() == sizeof message);
  require(message.name_size == 0 || keeper::is_name(message.name()));
  const keeper::Message again =
      keeper::make_message(message.kind, message.name(), message.detail, message.number);
  require(std::memcmp(&again, &message, offsetof(keeper::Message, name_bytes)) == 0);
  require(keeper::read_message(bytes.first(bytes.size() - 1)).fault != keeper::MessageFault::None);
}

struct NoReports final : keeper::ServerReports {
  void report(keeper::ServerReport /*what*/, std::string_view /*instance*/,
              std::int64_t /*process*/, std::size_t /*count*/) noexcept override {}
};

std::ptrdiff_t open_descriptors() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
}

/// A server and the processes that connect to it.
class Scene {
 public:
  explicit Scene(const std::string& directory) : path_(directory + "/keeper") {
    auto opened = keeper::Server::open({.socket = path_, .entries = 4, .keep_ns = 10}, reports_);
    require(opened.has_value());
    server_ = std::move(*opened);
  }

  void turn() {
    pollfd asked{.fd = server_->descriptor(), .events = POLLIN, .revents = 0};
    do {
      server_->turn(now_ns_);
    } while (::poll(&asked, 1, 0) == 1);
  }

  [[nodiscard]] net::Socket connect() const {
    net::Socket socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
    const auto address = keeper::address_of(path_);
    require(::connect(socket.fd(), reinterpret_cast<const sockaddr*>(&*address), sizeof *address) ==
            0);
    return socket;
  }

  void play(affix_fuzz::Input& input) {
    const std::uint8_t what = input.next();
    net::Socket& socket = sockets_[(what & 3U) % sockets_.size()];
    if (!socket.is_open()) {
      socket = connect();
    }
    std::array<char, 256> bytes;
    const std::size_t size = input.next();
    for (std::size_t at = 0; at < size; ++at) {
      bytes[at] = static_cast<char>(input.next());
    }
    send(socket, {bytes.data(), size}, (what & 4U) != 0);
    turn();
    while (keeper::receive_packet(socket).arrived == keeper::Arrived::Message) {
    }
    if ((what & 8U) != 0) {
      socket.close();
    }
    now_ns_ += (what & 16U) != 0 ? 10 : 0;
    now_ns_ += (what & 32U) != 0 ? 2'000'000'000 : 0;
    turn();
  }

  /// Everybody is gone for long: nothing is held.
  void end() {
    sockets_ = {};
    turn();
    now_ns_ += 10;
    turn();
    const net::Socket last = connect();
    require(keeper::send_packet(last, keeper::make_message(keeper::MessageKind::Hello, "venue")) ==
            0);
    turn();
    const keeper::Packet granted = keeper::receive_packet(last);
    require(granted.message.kind == keeper::MessageKind::Granted && granted.message.number == 0);
  }

 private:
  void send(const net::Socket& socket, std::string_view bytes, bool with_socket) {
    iovec piece{const_cast<char*>(bytes.data()), bytes.size()};
    msghdr packet{};
    packet.msg_iov = &piece;
    packet.msg_iovlen = 1;
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
    if (with_socket) {
      packet.msg_control = control.data();
      packet.msg_controllen = control.size();
      cmsghdr* const header = CMSG_FIRSTHDR(&packet);
      header->cmsg_level = SOL_SOCKET;
      header->cmsg_type = SCM_RIGHTS;
      header->cmsg_len = CMSG_LEN(sizeof(int));
      const int descriptor = held_.fd();
      std::memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    }
    // The server may have closed the connection.
    static_cast<void>(::sendmsg(socket.fd(), &packet, MSG_NOSIGNAL | MSG_DONTWAIT));
  }

  std::string path_;
  NoReports reports_;
  std::unique_ptr<keeper::Server> server_;
  net::Socket held_{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  std::array<net::Socket, 3> sockets_;
  std::int64_t now_ns_ = 1;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input, std::size_t size) {
  static const affix_fuzz::Directory directory;
  read_alone(std::as_bytes(std::span(input, size)));
  const std::ptrdiff_t before = open_descriptors();
  {
    Scene scene(directory.path(""));
    affix_fuzz::Input bytes(input, size);
    while (!bytes.empty()) {
      scene.play(bytes);
    }
    scene.end();
  }
  require(open_descriptors() == before);
  return 0;
}
