// SPDX-License-Identifier: MIT
// The thread that run() keeps for looking names up, so that a slow name service holds up neither a
// worker nor the disk. There is none when every host is a numeric address.
#pragma once

#include "engine/client_addresses.hpp"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace affix::inline v0::engine {

class NameThread {
 public:
  /// Those of all workers; groups without names are passed over.
  explicit NameThread(std::vector<std::shared_ptr<ClientAddresses>> groups);

  /// Does not wait for a look-up under way: that one ends by itself and changes nothing any more
  /// that anybody sees.
  ~NameThread();

  NameThread(const NameThread&) = delete;
  NameThread& operator=(const NameThread&) = delete;

  /// Somebody wants a look-up. Any thread; never waits for one.
  void ask() noexcept;

 private:
  /// Outlives the object while a look-up is under way.
  struct Work {
    std::vector<std::shared_ptr<ClientAddresses>> groups;
    std::mutex mutex;
    std::condition_variable changed;
    bool asked = true;  // The start may have left names without addresses.
    bool busy = false;
    bool stop = false;
  };

  static void run(Work& work);

  std::shared_ptr<Work> work_;
  std::thread thread_;
};

}  // namespace affix::inline v0::engine
