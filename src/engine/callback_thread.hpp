// SPDX-License-Identifier: MIT
// An application thread: takes callbacks from the workers' queues and runs them.
#pragma once

#include "affix/engine/cross_thread_sender.hpp"
#include "affix/host/application.hpp"
#include "affix/net/waker.hpp"

#include "host/callback_relay.hpp"
#include "host/hosted_session.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <vector>

namespace affix::inline v0::engine {

class Worker;

/// All but waker() belongs to the thread that drives it.
class CallbackThread {
 public:
  /// `application` outlives it. `sender` brings answers to Logons back to the workers. Io: the
  /// system has no descriptor for the waker.
  [[nodiscard]] static std::expected<std::unique_ptr<CallbackThread>, base::Error> open(
      host::Application& application, CrossThreadSender sender, bool spins);

  /// Also takes callbacks from `relay`, and wakes `worker` when some were carried out. Call before
  /// the thread runs; both outlive it.
  void add(host::CallbackRelay& relay, Worker& worker) { sources_.push_back({&relay, &worker}); }

  /// Carries out waiting callbacks, at most 64 from each queue, then Application::on_turn_end();
  /// waits for one until `wait_until_ns` of the steady clock, unless the worker has yet to make
  /// room for reports. True: there was one.
  bool poll(std::int64_t wait_until_ns) noexcept;

  [[nodiscard]] net::Waker& waker() noexcept { return waker_; }

 private:
  struct Source {
    host::CallbackRelay* relay;
    Worker* worker;
  };

  CallbackThread(host::Application& application, CrossThreadSender sender, bool spins);

  [[nodiscard]] bool carry_out_all() noexcept;
  [[nodiscard]] bool carry_out_from(const Source& source) noexcept;
  void carry_out(host::CallbackRelay& relay, std::span<char> record) noexcept;
  void answer(host::SessionHandle session, const host::LogonAnswer& answer) noexcept;
  void wait(std::int64_t wait_until_ns) noexcept;

  host::Application& application_;
  CrossThreadSender sender_;
  const bool spins_;
  net::Waker waker_;
  std::vector<Source> sources_;
  bool reports_wait_ = false;  // For room in the queue to a worker.
  std::unique_ptr<host::MessageIndex> index_;
};

}  // namespace affix::inline v0::engine
