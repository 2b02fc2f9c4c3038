// SPDX-License-Identifier: MIT
// Loop of the thread that resolves names.
#include "engine/name_thread.hpp"

#include "affix/os/thread_precedence.hpp"

#include <utility>

namespace affix::inline v0::engine {

NameThread::NameThread(std::vector<std::shared_ptr<config::ClientAddresses>> groups) {
  std::erase_if(groups, [](const auto& group) { return !group->has_names(); });
  if (groups.empty()) {
    return;
  }
  work_ = std::make_shared<Work>();
  work_->groups = std::move(groups);
  thread_ = std::thread([work = work_] { run(*work); });
}

NameThread::~NameThread() {
  if (work_ == nullptr) {
    return;
  }
  bool busy = false;
  {
    const std::lock_guard lock(work_->mutex);
    work_->stop = true;
    busy = work_->busy;
  }
  work_->changed.notify_one();
  if (busy) {
    thread_.detach();
  } else {
    thread_.join();
  }
}

void NameThread::ask() noexcept {
  if (work_ == nullptr) {
    return;
  }
  {
    const std::lock_guard lock(work_->mutex);
    work_->asked = true;
  }
  work_->changed.notify_one();
}

void NameThread::run(Work& work) {
  os::name_this_thread("affix-names");
  // A name service takes longer than a processor does.
  os::give_way_to_workers();
  std::unique_lock lock(work.mutex);
  for (;;) {
    work.changed.wait(lock, [&work] { return work.asked || work.stop; });
    if (work.stop) {
      return;
    }
    work.asked = false;
    work.busy = true;
    lock.unlock();
    for (const auto& group : work.groups) {
      group->look_up();
    }
    lock.lock();
    work.busy = false;
  }
}

}  // namespace affix::inline v0::engine
