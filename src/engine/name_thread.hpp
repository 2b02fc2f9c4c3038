// SPDX-License-Identifier: MIT
// Thread that run() keeps to resolve names, so that a slow name service delays neither a worker nor
// the disk. Not needed when every host is a numeric address.
#pragma once

#include "config/client_addresses.hpp"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace affix::inline v0::engine {

class NameThread {
 public:
  /// Groups of all workers; groups without names are skipped.
  explicit NameThread(std::vector<std::shared_ptr<config::ClientAddresses>> groups);

  /// Does not wait for a look-up in progress, which ends by itself; its result is never
  /// read.
  ~NameThread();

  NameThread(const NameThread&) = delete;
  NameThread& operator=(const NameThread&) = delete;

  /// Requests a look-up. Any thread; never waits for one.
  void ask() noexcept;

 private:
  /// Outlives the object while a look-up is under way.
  struct Work {
    std::vector<std::shared_ptr<config::ClientAddresses>> groups;
    std::mutex mutex;
    std::condition_variable changed;
    bool asked = true;  // The start may have left names unresolved.
    bool busy = false;
    bool stop = false;
  };

  static void run(Work& work);

  std::shared_ptr<Work> work_;
  std::thread thread_;
};

}  // namespace affix::inline v0::engine
