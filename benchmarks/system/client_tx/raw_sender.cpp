// SPDX-License-Identifier: MIT
// The raw baseline: one send() of the seed's order, again and again; and the same with a clock
// reading and a copy of the bytes.
#include "affix/os/clock.hpp"

#include "../../micro/messages.hpp"
#include "bench/floor/byte_store.hpp"
#include "sender.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

namespace affix_bench {

namespace {

class RawSender : public Sender {
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

class StoringSender final : public RawSender {
 public:
  StoringSender(int descriptor, std::unique_ptr<affix::tools::bench::ByteStore> store) noexcept
      : RawSender(descriptor), store_(std::move(store)) {}

  [[nodiscard]] bool send(std::uint64_t number) override {
    // For SendingTime and TransactTime, if written.
    std::int64_t times = affix::os::read_clock_ns(CLOCK_REALTIME);
    times += affix::os::read_clock_ns(CLOCK_REALTIME);
    asm volatile("" : : "r"(times));
    return store_->append(seed_new_order_single.view()) && RawSender::send(number);
  }

 private:
  std::unique_ptr<affix::tools::bench::ByteStore> store_;
};

/// -1: refused.
int connect_to(std::uint16_t port) {
  const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  const int on = 1;
  ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (::connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    ::close(descriptor);
    return -1;
  }
  return descriptor;
}

}  // namespace

std::unique_ptr<Sender> make_raw_sender(std::uint16_t port) {
  const int descriptor = connect_to(port);
  return descriptor < 0 ? nullptr : std::make_unique<RawSender>(descriptor);
}

std::unique_ptr<Sender> make_storing_sender(std::uint16_t port, const std::string& directory,
                                            std::string& why) {
  auto store = affix::tools::bench::ByteStore::make(directory);
  if (!store) {
    why = store.error().text();
    return nullptr;
  }
  const int descriptor = connect_to(port);
  return descriptor < 0 ? nullptr : std::make_unique<StoringSender>(descriptor, std::move(*store));
}

}  // namespace affix_bench
