// SPDX-License-Identifier: MIT
// A thread of the application's: takes callbacks from the workers' queues and carries them out.
#pragma once

#include "affix/engine/application.hpp"
#include "affix/engine/courier.hpp"
#include "affix/net/waker.hpp"

#include "engine/callback_relay.hpp"

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
  /// `application` outlives it. `courier` brings answers to Logons back to the workers. Io: the
  /// system has no descriptor for the waker.
  [[nodiscard]] static std::expected<std::unique_ptr<CallbackThread>, base::Error> open(
      Application& application, Courier courier, bool spins);

  /// Takes callbacks from here, too; `worker` is woken when some were carried out. Before the
  /// thread runs; both outlive it.
  void add(CallbackRelay& relay, Worker& worker) { sources_.push_back({&relay, &worker}); }

  /// Carries out what is there, at most 64 from each queue, and Application::on_turn_end(); waits
  /// for it until `wait_until_ns` of the steady clock. True: there was something.
  bool poll(std::int64_t wait_until_ns) noexcept;

  [[nodiscard]] net::Waker& waker() noexcept { return waker_; }

 private:
  struct Source {
    CallbackRelay* relay;
    Worker* worker;
  };

  CallbackThread(Application& application, Courier courier, bool spins);

  [[nodiscard]] bool carry_out_all() noexcept;
  [[nodiscard]] bool carry_out_from(const Source& source) noexcept;
  void carry_out(CallbackRelay& relay, std::span<char> record) noexcept;
  void answer(SessionHandle session, const LogonAnswer& answer) noexcept;
  void wait(std::int64_t wait_until_ns) noexcept;

  Application& application_;
  Courier courier_;
  const bool spins_;
  net::Waker waker_;
  std::vector<Source> sources_;
  std::unique_ptr<MessageIndex> index_;
};

}  // namespace affix::inline v0::engine
