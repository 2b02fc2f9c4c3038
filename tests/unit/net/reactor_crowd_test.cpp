// SPDX-License-Identifier: MIT
// Many connections and listeners that come and go in random order: what a reactor keeps of each
// must not become that of another.
#include "unit/net/loopback.hpp"

#include <cstdlib>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <thread>

namespace affix::net {
namespace {

using loopback::Key;
using loopback::Peer;
using loopback::Rig;

constexpr std::uint32_t crowd_max = 24;
constexpr int steps = 600;

ReactorOptions crowded() {
  ReactorOptions options;
  options.connections_max = crowd_max;
  options.listeners_max = 4;
  options.events_per_turn = 3;
  return options;
}

class Crowd {
 public:
  explicit Crowd(std::uint64_t seed) : random_(seed), rig_(crowded()) {
    doors_.push_back({rig_.listener, rig_.here});
  }

  void step() {
    switch (random_() % 7) {
      case 0:
        open_door();
        break;
      case 1:
        close_door();
        break;
      case 2:
      case 3:
        enter();
        break;
      case 4:
        leave();
        break;
      case 5:
        pause_or_resume();
        break;
      default:
        talk();
        break;
    }
  }

  /// Everything that the peers said has arrived at whom it was said to.
  void check() {
    for (auto& [id, guest] : guests_) {
      if (guest.paused) {
        EXPECT_TRUE(rig_.reactor->resume_reading(guest.id));
        guest.paused = false;
      }
    }
    EXPECT_TRUE(rig_.turn_until([this] {
      return std::all_of(guests_.begin(), guests_.end(), [this](const auto& each) {
        return rig_.recorder.bytes_of(each.second.id) == each.second.said;
      });
    }));
    EXPECT_EQ(rig_.reactor->connection_count(), guests_.size());
  }

 private:
  struct Door {
    ListenerId id;
    Address address;
  };

  struct Guest {
    Peer peer;
    ConnectionId id;
    std::string said = {};
    bool paused = false;
  };

  [[nodiscard]] std::size_t any_of(std::size_t count) { return random_() % count; }

  void open_door() {
    if (doors_.size() == crowded().listeners_max) {
      return;
    }
    const auto opened = rig_.reactor->listen(loopback::any_loopback(), {});
    ASSERT_TRUE(opened) << opened.error().text();
    doors_.push_back({opened->id, opened->address});
  }

  void close_door() {
    if (doors_.size() == 1) {
      return;
    }
    const std::size_t index = any_of(doors_.size());
    EXPECT_TRUE(rig_.reactor->remove_listener(doors_[index].id));
    doors_.erase(doors_.begin() + static_cast<std::ptrdiff_t>(index));
  }

  void enter() {
    if (guests_.size() == crowd_max) {
      return;
    }
    const Door& door = doors_[any_of(doors_.size())];
    const std::size_t before = rig_.recorder.accepted.size();
    Peer peer = Peer::to(door.address);
    ASSERT_TRUE(rig_.turn_until([&] { return rig_.recorder.accepted.size() > before; }));
    EXPECT_EQ(rig_.recorder.accepted_by.back(), door.id);
    const ConnectionId id = rig_.recorder.accepted.back();
    guests_.emplace(loopback::key(id), Guest{std::move(peer), id});
  }

  void leave() {
    if (guests_.empty()) {
      return;
    }
    const auto guest =
        std::next(guests_.begin(), static_cast<std::ptrdiff_t>(any_of(guests_.size())));
    if (random_() % 2 == 0 || guest->second.paused) {
      EXPECT_TRUE(rig_.reactor->close(guest->second.id));
    } else {
      guest->second.peer.close();
      EXPECT_TRUE(rig_.turn_until([&] { return rig_.ended(guest->second.id); }));
    }
    guests_.erase(guest);
  }

  void pause_or_resume() {
    if (guests_.empty()) {
      return;
    }
    Guest& guest =
        std::next(guests_.begin(), static_cast<std::ptrdiff_t>(any_of(guests_.size())))->second;
    EXPECT_TRUE(guest.paused ? rig_.reactor->resume_reading(guest.id)
                             : rig_.reactor->pause_reading(guest.id));
    guest.paused = !guest.paused;
  }

  void talk() {
    for (auto& [id, guest] : guests_) {
      if (random_() % 2 == 0) {
        const std::string words = std::to_string(random_()) + ' ';
        guest.peer.send(words);
        guest.said += words;
      }
    }
    static_cast<void>(rig_.turn());
  }

  std::mt19937_64 random_;
  Rig rig_;
  std::vector<Door> doors_;
  std::map<Key, Guest> guests_;
};

TEST(ReactorCrowd, EveryConnectionKeepsItsOwnEvents) {
  const char* const chosen = std::getenv("AFFIX_SEED");
  const std::uint64_t seed =
      chosen != nullptr ? std::strtoull(chosen, nullptr, 10) : std::random_device{}();
  SCOPED_TRACE("AFFIX_SEED=" + std::to_string(seed));
  Crowd crowd(seed);
  for (int step = 0; step < steps && !HasFatalFailure(); ++step) {
    crowd.step();
    if (step % 50 == 49) {
      crowd.check();
    }
  }
}

// One event a turn, and a connection that always has one.
TEST(ReactorCrowd, ABusyConnectionDoesNotKeepOthersWaiting) {
  ReactorOptions options;
  options.events_per_turn = 1;
  options.read_bytes_max = 1;
  options.read_bytes_per_turn = 1;
  Rig rig(options);
  std::vector<std::pair<Peer, ConnectionId>> joined;
  for (int peer = 0; peer < 3; ++peer) {
    joined.push_back(rig.join());
  }
  rig.recorder.when_bytes = [&](ConnectionId id, std::string_view bytes) {
    rig.recorder.received[loopback::key(id)].append(bytes);
    return bytes.size();
  };
  for (const auto& [peer, id] : joined) {
    peer.send(loopback::pattern(1'000));
  }
  const auto fewest = [&] {
    std::size_t least = SIZE_MAX;
    for (const auto& [peer, id] : joined) {
      least = std::min(least, rig.recorder.bytes_of(id).size());
    }
    return least;
  };
  ASSERT_TRUE(rig.turn_until([&] { return fewest() >= 10; }));
  for (const auto& [peer, id] : joined) {
    EXPECT_LT(rig.recorder.bytes_of(id).size(), 500U);
  }
}

TEST(ReactorCrowd, AWakeOfABlockedReactorIsOneEvent) {
  Rig rig;
  bool woken = false;
  std::thread waking([&] { rig.reactor->waker().wake(); });
  while (!woken) {
    const base::Now now = os::now();
    woken = rig.reactor
                ->poll(now, Wait::block_until(now.steady_ns + loopback::patience_ns), rig.recorder)
                .woken;
  }
  waking.join();
  const base::Now now = os::now();
  const Turn next =
      rig.reactor->poll(now, Wait::block_until(now.steady_ns + base::ns_per_ms), rig.recorder);
  EXPECT_EQ(next.events, 0U);
  EXPECT_FALSE(next.woken);
}

}  // namespace
}  // namespace affix::net
