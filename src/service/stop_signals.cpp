// SPDX-License-Identifier: MIT
// A signal handler has no argument, so the engine to stop is global.
#include "affix/service/stop_signals.hpp"

#include <atomic>
#include <csignal>

namespace affix::inline v0::service {

namespace {

constinit std::atomic<engine::Engine*> engine_to_stop{nullptr};
constinit std::atomic<bool> stop_requested{false};

extern "C" void affix_on_stop_signal(int number) {
  if (stop_requested.exchange(true)) {
    ::signal(number, SIG_DFL);
    ::raise(number);
    return;
  }
  if (engine::Engine* engine = engine_to_stop.load()) {
    engine->request_stop();
  }
}

void handle(int number, void (*handler)(int)) noexcept {
  struct sigaction action{};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  ::sigaction(number, &action, nullptr);
}

}  // namespace

StopSignals::StopSignals(engine::Engine& engine, Hangup hangup) noexcept : StopSignals() {
  engine_to_stop.store(&engine);
  handle(SIGHUP, hangup == Hangup::Ignore ? SIG_IGN : affix_on_stop_signal);
}

StopSignals::StopSignals() noexcept {
  stop_requested.store(false);
  handle(SIGINT, affix_on_stop_signal);
  handle(SIGTERM, affix_on_stop_signal);
  handle(SIGPIPE, SIG_IGN);
  handle(SIGUSR1, SIG_IGN);  // The signal that reopens `affix serve`'s log must not end another
                             // program.
  handle(SIGHUP, affix_on_stop_signal);
}

StopSignals::~StopSignals() {
  handle(SIGINT, SIG_DFL);
  handle(SIGTERM, SIG_DFL);
  handle(SIGHUP, SIG_DFL);
  handle(SIGUSR1, SIG_DFL);
  engine_to_stop.store(nullptr);
}

bool StopSignals::requested() noexcept {
  return stop_requested.load();
}

}  // namespace affix::inline v0::service
