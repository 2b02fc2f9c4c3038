// SPDX-License-Identifier: MIT
// The floor: one send() of the seed's order, again and again.
#include "../../micro/messages.hpp"
#include "sender.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

namespace affix_bench {

namespace {

class RawSender final : public Sender {
 public:
  explicit RawSender(int descriptor) noexcept : descriptor_(descriptor) {}

  ~RawSender() override { ::close(descriptor_); }

  [[nodiscard]] bool send(std::uint64_t /*number*/) override {
    const auto bytes = seed_new_order_single.view();
    return ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL) ==
           static_cast<ssize_t>(bytes.size());
  }

 private:
  int descriptor_;
};

}  // namespace

std::unique_ptr<Sender> make_raw_sender(std::uint16_t port) {
  const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  const int on = 1;
  ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (::connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    ::close(descriptor);
    return nullptr;
  }
  return std::make_unique<RawSender>(descriptor);
}

}  // namespace affix_bench
