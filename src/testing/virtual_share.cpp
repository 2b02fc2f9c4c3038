// SPDX-License-Identifier: MIT
// Virtual connections that outlive their process: a socket that was never connected stands for
// each, since whoever keeps it duplicates it, sets its options and shuts it down.
#include "testing/virtual_fabric.hpp"
#include "testing/virtual_link.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>

namespace affix::inline v0::testing {

namespace {

/// Equal for duplicates, and for nothing else that is open.
ino_t identity_of(const net::Socket& socket) noexcept {
  struct stat found{};
  return ::fstat(socket.fd(), &found) == 0 ? found.st_ino : 0;
}

net::Socket duplicate_of(const net::Socket& socket) noexcept {
  return net::Socket(::fcntl(socket.fd(), F_DUPFD_CLOEXEC, 3));
}

net::Socket make_stand_in() noexcept {
  return net::Socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
}

bool is_shut_down(const net::Socket& socket) noexcept {
  pollfd asked{.fd = socket.fd(), .events = POLLRDHUP, .revents = 0};
  return ::poll(&asked, 1, 0) == 1 && (asked.revents & POLLRDHUP) != 0;
}

}  // namespace

VirtualFabric::Shared* VirtualFabric::find_shared(const net::Socket& socket) noexcept {
  const ino_t wanted = identity_of(socket);
  const auto found = std::ranges::find_if(
      shared, [wanted](const Shared& one) { return identity_of(one.socket) == wanted; });
  return wanted == 0 || found == shared.end() ? nullptr : &*found;
}

std::expected<net::Socket, base::Error> VirtualFabric::share(
    const std::shared_ptr<VirtualLink>& link, unsigned side, NodeId node) {
  auto found = std::ranges::find_if(
      shared, [&](const Shared& one) { return one.link == link && one.side == side; });
  if (found == shared.end()) {
    found = shared.emplace(shared.end(), make_stand_in(), link, side, node);
  }
  net::Socket duplicate = duplicate_of(found->socket);
  if (!duplicate.is_open()) {
    return std::unexpected(base::make_system_error("fcntl", errno, "share"));
  }
  return duplicate;
}

void VirtualFabric::forget_shared(const VirtualLink& link, unsigned side) noexcept {
  std::erase_if(shared,
                [&](const Shared& one) { return one.link.get() == &link && one.side == side; });
}

void VirtualFabric::leave_shared(NodeId node, std::span<net::Socket* const> held) noexcept {
  std::erase_if(shared, [&](Shared& one) {
    if (one.node != node) {
      return false;
    }
    const ino_t identity = identity_of(one.socket);
    const auto holder = std::ranges::find_if(
        held, [identity](const net::Socket* each) { return identity_of(*each) == identity; });
    if (holder == held.end()) {
      one.link->close(one.side);
      return true;
    }
    one.socket = make_stand_in();
    **holder = duplicate_of(one.socket);
    one.left = true;
    return false;
  });
}

void VirtualFabric::end_shut_down() noexcept {
  std::erase_if(shared, [](const Shared& one) {
    const bool ends = one.left && is_shut_down(one.socket);
    if (ends) {
      one.link->close(one.side);
    }
    return ends;
  });
}

}  // namespace affix::inline v0::testing
