// SPDX-License-Identifier: MIT
// Disables cancellation of a thread, which makes its system calls cheaper.
#pragma once

namespace affix::inline v0::os {

/// While it exists, pthread_cancel() does not end the thread that created it; the request
/// waits. The C library's blocking calls (recv, send, epoll_wait) then skip preparations for
/// cancellation: in a multi-threaded program two locked instructions each, about 40 ns
/// (glibc, if asynchronous cancellation is set already, nptl/cancellation.c). Engine::run()
/// uses it on its threads; create one on each thread of yours that drives a worker. Destroy
/// it on the same thread, which restores the previous state; nests. No system call, no
/// allocation.
class NoCancellation {
 public:
  NoCancellation() noexcept;
  NoCancellation(const NoCancellation&) = delete;
  NoCancellation& operator=(const NoCancellation&) = delete;
  ~NoCancellation();

 private:
  int state_before_ = 0;
  int type_before_ = 0;
};

}  // namespace affix::inline v0::os
