// SPDX-License-Identifier: MIT
// A keeper of one process at a time, whose earlier ones are killed and still run to the end of
// their stack: what those do has no effect on what it holds. It may end, and return without
// anything.
#pragma once

#include "affix/keeper/keeper.hpp"

#include "os/nameless_file.hpp"

#include <cstdint>
#include <fcntl.h>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace affix::support {

/// One thread. Outlives the processes.
class HeldSockets {
 public:
  /// Called before each change that the present owner asks for, which may be killed there.
  std::function<void()> before_change;

  /// When the keeper saw the last owner end, for the next one; 0: it does not say.
  std::int64_t owner_ended_ns = 0;

  /// The next process's connection to the keeper; earlier ones have no effect any more.
  [[nodiscard]] std::unique_ptr<keeper::Keeper> new_owner() {
    ++owner_;
    return std::make_unique<End>(*this);
  }

  /// The owner has been killed: what it still writes into shared memory must not be seen, so the
  /// memory is replaced by a copy.
  void disown() {
    ++owner_;
    for (auto& [name, socket] : held_) {
      if (!is_connection(name)) {
        socket = copy_of_memory(socket);
      }
    }
  }

  /// The sockets that stand for connections.
  [[nodiscard]] std::vector<net::Socket*> connections() {
    std::vector<net::Socket*> sockets;
    for (auto& [name, socket] : held_) {
      if (is_connection(name)) {
        sockets.push_back(&socket);
      }
    }
    return sockets;
  }

  /// The keeper ends, and what it holds is gone with it.
  void end() {
    held_.clear();
    ++run_;
    running_ = false;
  }

  /// It is back if it had ended.
  void begin() noexcept { running_ = true; }

  [[nodiscard]] bool running() const noexcept { return running_; }

 private:
  class End final : public keeper::Keeper {
   public:
    explicit End(HeldSockets& keeper)
        : keeper_(keeper), number_(keeper.owner_), run_(keeper.run_) {}

    using Keeper::take;

    std::expected<std::vector<keeper::Kept>, base::Error> take(keeper::Line* /*line*/) override {
      std::vector<keeper::Kept> kept;
      for (const auto& [name, socket] : keeper_.held_) {
        kept.push_back({name, duplicate_of(socket.fd())});
      }
      return kept;
    }

    [[nodiscard]] std::int64_t owner_ended_ns() const noexcept override {
      return keeper_.owner_ended_ns;
    }

    keeper::Held hold(std::string_view name, int descriptor) noexcept override {
      if (!keeper_.may_change(number_)) {
        return keeper::Held::Yes;
      }
      if (lost()) {
        return keeper::Held::Lost;
      }
      keeper_.held_.insert_or_assign(std::string(name), duplicate_of(descriptor));
      return keeper::Held::Yes;
    }

    keeper::Held drop(std::string_view name) noexcept override {
      if (!keeper_.may_change(number_)) {
        return keeper::Held::Yes;
      }
      if (lost()) {
        return keeper::Held::Lost;
      }
      keeper_.held_.erase(std::string(name));
      return keeper::Held::Yes;
    }

    std::optional<std::string> next_refused() override { return std::nullopt; }

    bool lost() noexcept override { return run_ != keeper_.run_; }

    keeper::Again try_again() noexcept override {
      if (!keeper_.running_ || number_ != keeper_.owner_) {
        return keeper::Again::NotYet;
      }
      run_ = keeper_.run_;
      return keeper::Again::Owner;
    }

   private:
    HeldSockets& keeper_;
    const std::uint64_t number_;
    std::uint64_t run_;
  };

  /// False: the process of that number has been killed.
  [[nodiscard]] bool may_change(std::uint64_t number) {
    if (number == owner_ && before_change) {
      before_change();
    }
    return number == owner_;
  }

  static net::Socket duplicate_of(int descriptor) noexcept {
    return net::Socket(::fcntl(descriptor, F_DUPFD_CLOEXEC, 3));
  }

  static bool is_connection(std::string_view name) noexcept { return name.starts_with("link."); }

  static net::Socket copy_of_memory(const net::Socket& memory) {
    struct stat found{};
    static_cast<void>(::fstat(memory.fd(), &found));
    std::string bytes(static_cast<std::size_t>(found.st_size), '\0');
    bytes.resize(static_cast<std::size_t>(::pread(memory.fd(), bytes.data(), bytes.size(), 0)));
    net::Socket copy(os::make_nameless_file("affix-held").release());
    static_cast<void>(::pwrite(copy.fd(), bytes.data(), bytes.size(), 0));
    return copy;
  }

  std::map<std::string, net::Socket, std::less<>> held_;
  std::uint64_t owner_ = 0;  // Number of the process that owns it; earlier ones have lower ones.
  std::uint64_t run_ = 0;    // Of the keeper's own processes.
  bool running_ = true;
};

}  // namespace affix::support
