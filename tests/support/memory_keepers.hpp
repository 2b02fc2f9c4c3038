// SPDX-License-Identifier: MIT
// A keeper that several processes of a test use, with owners: each instance has one at a time.
#pragma once

#include "affix/keeper/access.hpp"

#include "support/memory_keeper.hpp"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <utility>
#include <vector>

namespace affix::support {

/// The descriptors of one keeper, and its owners. One thread.
struct KeeperInstances {
  struct Instance {
    std::shared_ptr<HeldDescriptors> store = std::make_shared<HeldDescriptors>();
    bool owned = false;
  };

  std::map<std::string, Instance, std::less<>> instances;
  bool gone = false;

  /// Every socket that is held, for VirtualNetwork::kill().
  [[nodiscard]] std::vector<net::Socket*> sockets() {
    std::vector<net::Socket*> all;
    for (auto& [name, instance] : instances) {
      for (auto& [held, socket] : instance.store->held) {
        all.push_back(&socket);
      }
    }
    return all;
  }

  /// As a keeper does with what has had no owner for long.
  void expire() {
    for (auto& [name, instance] : instances) {
      if (!instance.owned) {
        for (const auto& [held, socket] : instance.store->held) {
          static_cast<void>(::shutdown(socket.fd(), SHUT_RDWR));
        }
        instance.store->held.clear();
      }
    }
  }

  /// Number of connections that are held, of all instances.
  [[nodiscard]] std::size_t connections() {
    std::size_t found = 0;
    for (auto& [name, instance] : instances) {
      found += instance.store->count("link.");
    }
    return found;
  }
};

/// The owner's end; its destruction ends the ownership. Without effect once `*dead` is true: its
/// process is killed, and its code still runs to the end of a turn.
class OwnersKeeper final : public keeper::Keeper {
 public:
  OwnersKeeper(std::shared_ptr<KeeperInstances> all, std::string_view instance, const bool* dead)
      : all_(std::move(all)),
        instance_(all_->instances[std::string(instance)]),
        keeper_(instance_.store),
        dead_(dead) {}

  ~OwnersKeeper() override {
    if (owner_) {
      instance_.owned = false;
    }
  }

  using Keeper::take;

  std::expected<std::vector<keeper::Kept>, base::Error> take(keeper::Line* line) override {
    if (instance_.owned || *dead_) {
      return std::unexpected(base::Error{base::ErrorCode::Locked, "in use", "keeper", "K105"});
    }
    instance_.owned = owner_ = true;
    return keeper_.take(line);
  }

  keeper::Held hold(std::string_view name, int descriptor) noexcept override {
    return all_->gone || *dead_ ? keeper::Held::Lost : keeper_.hold(name, descriptor);
  }

  keeper::Held drop(std::string_view name) noexcept override {
    return *dead_ ? keeper::Held::Lost : keeper_.drop(name);
  }

  std::optional<std::string> next_refused() override { return keeper_.next_refused(); }

  bool lost() noexcept override { return all_->gone || !owner_; }

  keeper::Again try_again() noexcept override {
    if (!owner_ && (all_->gone || *dead_ || instance_.owned)) {
      return all_->gone || *dead_ ? keeper::Again::NotYet : keeper::Again::Taken;
    }
    instance_.owned = owner_ = true;
    return keeper::Again::Owner;
  }

 private:
  std::shared_ptr<KeeperInstances> all_;
  KeeperInstances::Instance& instance_;
  MemoryKeeper keeper_;
  const bool* dead_;
  bool owner_ = false;
};

class MemoryAccess final : public keeper::Access {
 public:
  /// `dead` outlives it and what it opens.
  explicit MemoryAccess(std::shared_ptr<KeeperInstances> all, const bool* dead = &never)
      : all_(std::move(all)), dead_(dead) {}

  std::expected<std::unique_ptr<keeper::Keeper>, base::Error> open(
      std::string_view instance) override {
    if (all_->gone) {
      return std::unexpected(base::Error{base::ErrorCode::NotFound, "gone", "keeper", "K103"});
    }
    return open_absent(instance);
  }

  std::expected<std::unique_ptr<keeper::Keeper>, base::Error> open_absent(
      std::string_view instance) override {
    return std::make_unique<OwnersKeeper>(all_, instance, dead_);
  }

 private:
  static constexpr bool never = false;

  std::shared_ptr<KeeperInstances> all_;
  const bool* dead_;
};

}  // namespace affix::support
