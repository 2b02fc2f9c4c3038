// SPDX-License-Identifier: MIT
// A caller's handle of a worker, forwarded to it.
#include "affix/engine/worker_handle.hpp"

#include "engine/worker.hpp"
#include "os/cores.hpp"

namespace affix::inline v0::engine {

bool WorkerHandle::poll(std::int64_t wait_until_ns) const noexcept {
  return worker_->poll(wait_until_ns);
}

std::expected<int, base::Error> WorkerHandle::descriptor() const {
  return worker_->descriptor();
}

void WorkerHandle::finish(std::string_view text) const noexcept {
  worker_->finish(text);
}

bool WorkerHandle::all_down() const noexcept {
  return worker_->all_down();
}

std::uint64_t WorkerHandle::timer_visits() const noexcept {
  return worker_->timer_visits();
}

base::Now WorkerHandle::now() const noexcept {
  return worker_->clocks();
}

std::size_t WorkerHandle::number() const noexcept {
  return worker_->number();
}

std::int64_t WorkerHandle::core() const noexcept {
  return worker_->core();
}

bool WorkerHandle::pin() const noexcept {
  return os::pin_this_thread(worker_->core());
}

void WorkerHandle::wake() const noexcept {
  worker_->waker().wake();
}

}  // namespace affix::inline v0::engine
