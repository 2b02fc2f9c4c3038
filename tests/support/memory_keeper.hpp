// SPDX-License-Identifier: MIT
// A keeper within the test's own process: what it holds outlives the engines that a test destroys.
#pragma once

#include "affix/keeper/keeper.hpp"

#include <fcntl.h>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace affix::support {

/// The descriptors that are held, by name. Any thread.
struct HeldDescriptors {
  std::mutex mutex;
  std::map<std::string, net::Socket, std::less<>> held;
  bool gone = false;                 ///< The keeper has ended.
  bool busy = false;                 ///< It does not read.
  std::vector<std::string> refused;  ///< What it has no room for, to be told.

  [[nodiscard]] std::size_t count(std::string_view prefix) {
    const std::lock_guard lock(mutex);
    std::size_t found = 0;
    for (const auto& [name, socket] : held) {
      found += name.starts_with(prefix) ? 1U : 0U;
    }
    return found;
  }
};

class MemoryKeeper final : public keeper::Keeper {
 public:
  explicit MemoryKeeper(std::shared_ptr<HeldDescriptors> store) : store_(std::move(store)) {}

  using Keeper::take;

  std::expected<std::vector<keeper::Kept>, base::Error> take(keeper::Line* /*line*/) override {
    const std::lock_guard lock(store_->mutex);
    std::vector<keeper::Kept> kept;
    for (const auto& [name, socket] : store_->held) {
      kept.push_back({name, duplicate(socket.fd())});
    }
    return kept;
  }

  keeper::Held hold(std::string_view name, int descriptor) noexcept override {
    const std::lock_guard lock(store_->mutex);
    if (store_->gone) {
      return keeper::Held::Lost;
    }
    if (store_->busy) {
      return keeper::Held::Busy;
    }
    store_->held.insert_or_assign(std::string(name), duplicate(descriptor));
    return keeper::Held::Yes;
  }

  keeper::Held drop(std::string_view name) noexcept override {
    const std::lock_guard lock(store_->mutex);
    if (store_->busy) {
      return keeper::Held::Busy;
    }
    store_->held.erase(std::string(name));
    return store_->gone ? keeper::Held::Lost : keeper::Held::Yes;
  }

  std::optional<std::string> next_refused() override {
    const std::lock_guard lock(store_->mutex);
    if (store_->refused.empty()) {
      return std::nullopt;
    }
    std::string name = std::move(store_->refused.back());
    store_->refused.pop_back();
    return name;
  }

  bool lost() noexcept override {
    const std::lock_guard lock(store_->mutex);
    return store_->gone;
  }

  keeper::Again try_again() noexcept override {
    return lost() ? keeper::Again::NotYet : keeper::Again::Owner;
  }

 private:
  static net::Socket duplicate(int descriptor) noexcept {
    return net::Socket(::fcntl(descriptor, F_DUPFD_CLOEXEC, 3));
  }

  std::shared_ptr<HeldDescriptors> store_;
};

}  // namespace affix::support
