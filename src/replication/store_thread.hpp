// SPDX-License-Identifier: MIT
// Makes an election store out of calls that wait for a disk or a network: one thread carries out
// requests, another looks for changes, so that a slow look delays no request.
#pragma once

#include "affix/net/waker.hpp"
#include "affix/replication/election_store.hpp"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace affix::inline v0::replication {

/// A store as one thread uses it.
class BlockingStore {
 public:
  BlockingStore(const BlockingStore&) = delete;
  BlockingStore& operator=(const BlockingStore&) = delete;
  virtual ~BlockingStore() = default;

  /// Waits for the outcome, within a bound of its own.
  [[nodiscard]] virtual Answer carry_out(const StoreRequest& request) = 0;

  /// Present entries of these groups, as answers of kind Read; those that cannot be had are left
  /// out.
  [[nodiscard]] virtual std::vector<Answer> read_all(const std::vector<std::string>& groups) = 0;

  /// From another thread: the present call returns soon, and so do all later ones.
  virtual void interrupt() noexcept = 0;

 protected:
  BlockingStore() = default;
};

/// The answer to a request that has failed.
[[nodiscard]] Answer failure(const StoreRequest& request, Outcome outcome, base::Error error);

class StoreThread final : public ElectionStore {
 public:
  /// Starts both threads. `watch_ns`: pause between two looks at watched entries.
  StoreThread(std::unique_ptr<BlockingStore> requests, std::unique_ptr<BlockingStore> watch,
              std::int64_t watch_ns, std::string place);

  /// Interrupts both.
  ~StoreThread() override;

  void ask(StoreRequest request) override;
  void watch(std::string_view group) override;
  [[nodiscard]] std::optional<Answer> take() override;

  [[nodiscard]] std::string place() const override { return place_; }

  void wake_with(net::Waker* waker) override;

 private:
  void carry_out_requests();
  void look_for_changes();
  void deliver(Answer answer);

  const std::unique_ptr<BlockingStore> requests_store_;
  const std::unique_ptr<BlockingStore> watch_store_;
  const std::int64_t watch_ns_;
  const std::string place_;

  std::mutex mutex_;  // Of everything below, but the threads.
  std::condition_variable asked_;
  std::condition_variable watched_;
  std::deque<StoreRequest> requests_;
  std::deque<Answer> answers_;
  std::map<std::string, std::optional<std::uint64_t>, std::less<>> told_;  // Revisions by group.
  net::Waker* waker_ = nullptr;
  bool is_ending_ = false;

  std::thread request_thread_;
  std::thread watch_thread_;
};

}  // namespace affix::inline v0::replication
