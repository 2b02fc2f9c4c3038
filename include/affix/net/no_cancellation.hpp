// SPDX-License-Identifier: MIT
// A thread that cannot be cancelled pays less for its system calls.
#pragma once

namespace affix::inline v0::net {

/// While it lives, pthread_cancel() does not end the thread that made it: the request waits. And
/// the C library's calls that wait for the kernel (recv, send, epoll_wait) need not prepare for
/// being cancelled, which in a program of several threads is two locked instructions each, about 40
/// ns (glibc, where the asynchronous kind of cancellation is set already, nptl/cancellation.c).
/// Engine::run() has it on its threads. Whoever drives a worker's turns by a loop of his own makes
/// one on that thread. To be destroyed by the thread that made it, which then is as it was before;
/// they nest. No system call, no allocation.
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

}  // namespace affix::inline v0::net
