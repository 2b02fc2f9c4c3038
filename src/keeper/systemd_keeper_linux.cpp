// SPDX-License-Identifier: MIT
// systemd's descriptor store: descriptors leave by notices and return as those of socket
// activation do, in variables of the environment.
#include "affix/base/text.hpp"
#include "affix/keeper/keeper.hpp"
#include "affix/net/notice_socket.hpp"

#include "keeper/packet.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <mutex>
#include <unistd.h>
#include <utility>

namespace affix::inline v0::keeper {

namespace {

constexpr int first_descriptor = 3;  ///< Of those that systemd passes.

/// More would be none of systemd's making: its store has FileDescriptorStoreMax.
constexpr std::int64_t descriptors_max = 65'536;

/// Texts around a name.
constexpr std::string_view remove_text = "FDSTOREREMOVE=1\nFDNAME=";
constexpr std::string_view store_text = "FDSTORE=1\nFDPOLL=0\nFDNAME=";

std::string_view variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

class SystemdKeeper final : public Keeper {
 public:
  explicit SystemdKeeper(std::string socket) : socket_(std::move(socket)) {}

  using Keeper::take;

  [[nodiscard]] std::expected<std::vector<Kept>, base::Error> take(Line* /*line*/) override {
    const std::lock_guard lock(mutex_);
    std::vector<Kept> kept;
    if (base::parse_number(variable("LISTEN_PID")) == ::getpid()) {
      const std::int64_t count = base::parse_number(variable("LISTEN_FDS")).value_or(0);
      std::string_view names = variable("LISTEN_FDNAMES");
      for (int number = first_descriptor;
           count <= descriptors_max && number < first_descriptor + count; ++number) {
        const std::string_view name = base::take_part(names, ':');
        // Programs that are started from here do not get it.
        if (::fcntl(number, F_SETFD, FD_CLOEXEC) == 0 && may_be_kept(number)) {
          kept.push_back({std::string(is_name(name) ? name : "unknown"), net::Socket(number)});
        }
      }
    }
    // Descriptors that were taken are not passed a second time, to this process or its children.
    for (const char* const name : {"LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"}) {
      ::unsetenv(name);
    }
    return kept;
  }

  [[nodiscard]] Held hold(std::string_view name, int descriptor) noexcept override {
    if (!may_be_kept(descriptor)) {
      return Held::Invalid;
    }
    // systemd would hold both of a name.
    const Held dropped = drop(name);
    return dropped == Held::Yes ? send(store_text, name, descriptor) : dropped;
  }

  [[nodiscard]] Held drop(std::string_view name) noexcept override {
    return is_name(name) ? send(remove_text, name, -1) : Held::Invalid;
  }

  [[nodiscard]] std::optional<std::string> next_refused() override { return std::nullopt; }

  [[nodiscard]] bool lost() noexcept override {
    // Only the flag; what was sent before is seen by its own lock.
    return lost_.load(std::memory_order_relaxed);
  }

  [[nodiscard]] Again try_again() noexcept override {
    // A variable that means nothing to systemd.
    return send("X_AFFIX_KEEPER=", "1", -1) == Held::Yes ? Again::Owner : Again::NotYet;
  }

 private:
  [[nodiscard]] Held send(std::string_view text, std::string_view name, int descriptor) noexcept {
    std::array<char, 64 + name_bytes_max> bytes;
    char* end = std::copy(text.begin(), text.end(), bytes.data());
    end = std::copy(name.begin(), name.end(), end);
    const std::lock_guard lock(mutex_);
    const int error = net::send_notice(
        socket_, {bytes.data(), static_cast<std::size_t>(end - bytes.data())}, descriptor);
    const bool lost = error != 0 && !is_full(error);
    // As in lost().
    lost_.store(lost, std::memory_order_relaxed);
    return error == 0 ? Held::Yes : lost ? Held::Lost : Held::Busy;
  }

  std::string socket_;
  std::mutex mutex_;
  std::atomic<bool> lost_ = false;
};

}  // namespace

std::expected<std::unique_ptr<Keeper>, base::Error> open_systemd_keeper(std::string notify_socket) {
  if (notify_socket.empty()) {
    return std::unexpected(base::Error{base::ErrorCode::NotFound,
                                       "NOTIFY_SOCKET is not set: no service manager has started "
                                       "this program",
                                       {},
                                       "K102"});
  }
  return std::make_unique<SystemdKeeper>(std::move(notify_socket));
}

}  // namespace affix::inline v0::keeper
