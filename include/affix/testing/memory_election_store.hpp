// SPDX-License-Identifier: MIT
// An election store in memory, in virtual time, with the faults of a real one: delays, lost
// requests and answers, requests that take effect late, nodes that cannot reach it. Deterministic:
// the same calls give the same answers. Allocates; for tests only, one thread.
#pragma once

#include "affix/base/time.hpp"
#include "affix/net/waker.hpp"
#include "affix/replication/election_entry.hpp"
#include "affix/replication/election_store.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace affix::inline v0::testing {

class MemoryElectionStore;

/// Chances are in a thousand requests.
struct ElectionFaults {
  std::int64_t delay_min_ns = 200 * base::ns_per_us;  ///< One way, at least.
  std::int64_t delay_max_ns = base::ns_per_ms;        ///< One way, at most.
  std::uint32_t refused = 0;        ///< Not carried out, and the store says so: Unreachable.
  std::uint32_t lost_requests = 0;  ///< Never carried out: Unknown.
  std::uint32_t lost_answers = 0;   ///< Carried out in time: Unknown.
  std::uint32_t late_requests = 0;  ///< Carried out after the answer Unknown.
  std::uint32_t lost_news = 0;      ///< A change is not told until the next one.
  std::int64_t timeout_ns = 20 * base::ns_per_ms;    ///< Until Unknown.
  std::int64_t late_max_ns = 500 * base::ns_per_ms;  ///< How long after Unknown at most.
};

/// The register that the nodes' stores share.
class ElectionRegister {
 public:
  /// `seed` determines delays and faults.
  explicit ElectionRegister(std::uint64_t seed = 1) noexcept : dice_(seed) {}

  ElectionRegister(const ElectionRegister&) = delete;
  ElectionRegister& operator=(const ElectionRegister&) = delete;

  ElectionFaults faults;  ///< Of the store, for all nodes.

  /// Called when the store of `node` has a new answer, for example to wake the node.
  std::function<void(std::string_view node)> on_answer;

  /// Called at each write, with the entry as it was and as it is: for rules about its history.
  std::function<void(std::string_view group, const replication::Entry& before,
                     const replication::Entry& after)>
      on_write;

  /// The store as the process of `node` sees it. Destroyed with that process, before the register;
  /// what it has asked may still take effect.
  [[nodiscard]] std::unique_ptr<MemoryElectionStore> connect(std::string node);

  /// While false, the node's new requests are Unreachable, those on their way and their answers are
  /// lost, and it gets no news; afterwards it gets the latest.
  void set_reachable(std::string_view node, bool reachable);

  /// All of it is down, or up again. Nothing is forgotten.
  void set_running(bool running);

  /// Carries out everything that is due by then. Time never goes back.
  void advance(std::int64_t now_ns);

  /// When advance() has the next thing to do; INT64_MAX: nothing is on its way.
  [[nodiscard]] std::int64_t next_event_ns() const noexcept;

  /// The present entry; nullopt: there is none.
  [[nodiscard]] std::optional<replication::Entry> entry(std::string_view group) const;
  /// Revision of that entry; 0: it holds nothing.
  [[nodiscard]] std::uint64_t revision(std::string_view group) const;

  /// An operator writes the key by hand; nullopt removes it. Watchers are told.
  void overwrite(std::string_view group, std::optional<replication::Entry> entry);

 private:
  friend class MemoryElectionStore;

  struct Value {
    std::optional<replication::Entry> entry;
    std::uint64_t revision = 0;  // 0 without an entry.
  };

  /// Something that happens at a time.
  struct Event {
    enum class Kind : std::uint8_t { Arrival, Reply, News } kind = Kind::Arrival;
    std::uint64_t store = 0;
    replication::StoreRequest request = {};  // Arrival.
    std::int64_t answer_by_ns = 0;           // Arrival: when the asker gives up.
    bool is_answer_lost = false;             // Arrival.
    replication::Answer answer = {};         // Reply, News.
    std::int64_t given_up_ns = 0;            // Reply: when it is Unknown if it cannot be delivered.
  };

  struct Dice {
    explicit Dice(std::uint64_t seed) noexcept : state(seed) {}

    std::uint64_t next() noexcept;
    [[nodiscard]] bool chance(std::uint32_t in_thousand) noexcept;
    [[nodiscard]] std::int64_t between(std::int64_t least, std::int64_t most) noexcept;
    std::uint64_t state;
  };

  void ask(std::uint64_t store, const std::string& node, replication::StoreRequest request);
  void schedule(std::int64_t at_ns, Event event);
  void run(Event& event);
  void arrive(Event& event);
  [[nodiscard]] replication::Answer carry_out(const replication::StoreRequest& request);
  void write(const std::string& group, std::optional<replication::Entry> entry);
  void tell(std::uint64_t store, const std::string& group);
  void deliver(std::uint64_t store, replication::Answer answer);
  [[nodiscard]] bool reaches(std::string_view node) const;
  [[nodiscard]] std::int64_t delay_ns();

  Dice dice_;
  std::int64_t now_ns_ = 0;
  bool is_running_ = true;
  std::uint64_t last_revision_ = 0;
  std::uint64_t last_store_ = 0;
  std::uint64_t last_event_ = 0;
  std::map<std::string, Value, std::less<>> values_;
  std::set<std::string, std::less<>> unreachable_;
  std::map<std::uint64_t, MemoryElectionStore*> stores_;
  std::map<std::pair<std::int64_t, std::uint64_t>, Event> events_;  // By time, then in order.
};

/// One process's connection to the register.
class MemoryElectionStore final : public replication::ElectionStore {
 public:
  ~MemoryElectionStore() override;

  void ask(replication::StoreRequest request) override;
  void watch(std::string_view group) override;
  [[nodiscard]] std::optional<replication::Answer> take() override;

  [[nodiscard]] std::string place() const override { return "memory"; }

  void wake_with(net::Waker* waker) override { waker_ = waker; }

 private:
  friend class ElectionRegister;

  MemoryElectionStore(ElectionRegister& shared, std::uint64_t id, std::string node)
      : shared_(shared), id_(id), node_(std::move(node)) {}

  ElectionRegister& shared_;
  std::uint64_t id_;
  std::string node_;
  net::Waker* waker_ = nullptr;
  std::deque<replication::Answer> answers_;
  std::set<std::string, std::less<>> watched_;
};

}  // namespace affix::inline v0::testing
