// SPDX-License-Identifier: MIT
// Processes, their signals and their ends.
#include "affix/base/time.hpp"
#include "affix/keeper/keeper.hpp"
#include "affix/os/clock.hpp"
#include "affix/os/this_process.hpp"

#include "service/hand_over_signal.hpp"
#include "service/upgrade.hpp"

#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace affix::inline v0::service {

namespace {

using Severity = host::Event::Severity;

constexpr const char* own_program = "/proc/self/exe";

/// Time that a successor has from the end of this engine until it serves.
constexpr std::int64_t answer_ns = 10 * base::ns_per_second;

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) {
    pointers.push_back(word.data());
  }
  pointers.push_back(nullptr);
  return pointers;
}

/// This process's environment with the service manager's socket, and how to start.
std::vector<std::string> environment(const ServiceNotice& notice, std::string_view start) {
  std::vector<std::string> variables;
  for (char** one = ::environ; *one != nullptr; ++one) {
    variables.emplace_back(*one);
  }
  if (!notice.socket().empty()) {
    variables.push_back("NOTIFY_SOCKET=" + notice.socket());
    if (notice.watchdog_ns() != 0) {
      variables.push_back("WATCHDOG_USEC=" +
                          std::to_string(notice.watchdog_ns() / base::ns_per_us));
    }
  }
  if (!start.empty()) {
    variables.push_back("AFFIX_START=" + std::string(start));
  }
  return variables;
}

/// Operators may start a program, but not one that somebody else could have put there.
std::expected<void, base::Error> check_program(const std::string& path) {
  struct stat found{};
  const auto refuse = [&](const char* why) {
    return std::unexpected(base::Error{base::ErrorCode::Denied, why, path, "K314"});
  };
  if (!path.starts_with('/')) {
    return refuse("not an absolute path");
  }
  if (::stat(path.c_str(), &found) != 0) {
    return std::unexpected(base::make_system_error("stat", errno, path));
  }
  if (!S_ISREG(found.st_mode) || ::access(path.c_str(), X_OK) != 0) {
    return refuse("not a program");
  }
  if ((found.st_uid != 0 && found.st_uid != ::geteuid()) ||
      (found.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    return refuse("another user could change this program");
  }
  return {};
}

}  // namespace

std::expected<void, base::Error> Upgrade::upgrade(const std::string& program) {
  const std::lock_guard lock(mutex_);
  if (settings_.keeper.empty()) {
    return std::unexpected(base::Error{base::ErrorCode::Unsupported,
                                       "key 'keeper' names no keeper for the connections meanwhile",
                                       "[ENGINE] keeper", "K309"});
  }
  if (leaving() || (child_state_ != Child::None && !child_has_ended())) {
    return std::unexpected(
        base::Error{base::ErrorCode::AlreadyExists, "a hand-over is under way", {}, "K310"});
  }
  if (keeper::is_systemd(settings_.keeper)) {
    leave(0);
    return {};
  }
  if (!program.empty()) {
    if (auto checked = check_program(program); !checked) {
      return checked;
    }
  }
  const std::string path = program.empty() ? own_program : program;
  std::vector<std::string> words = os::own_arguments();
  if (!program.empty()) {
    words.front() = program;
  }
  std::vector<std::string> variables = environment(notice_, "TAKE_OVER");
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  pid_t started = 0;
  const int error = ::posix_spawnp(&started, path.c_str(), nullptr, &attributes,
                                   pointers_to(words).data(), pointers_to(variables).data());
  ::posix_spawnattr_destroy(&attributes);
  if (error != 0) {
    return std::unexpected(base::make_system_error("posix_spawn", error, path));
  }
  child_ = OtherProcess(started);
  child_state_ = Child::Begins;
  child_due_ns_ = os::now().steady_ns + settings_.upgrade_timeout_seconds * base::ns_per_second;
  log_.write(Severity::Info, {},
             "upgrade: " + path + " is started as process " + std::to_string(started), "K311");
  return {};
}

bool Upgrade::child_has_ended() noexcept {
  if (::waitpid(child_.number(), nullptr, WNOHANG) == 0) {
    return false;
  }
  child_state_ = Child::None;
  return true;
}

void Upgrade::take(const siginfo_t& signal) {
  if (says(signal, HandOverWord::InLine)) {
    const std::lock_guard lock(mutex_);
    const bool was_ended = child_state_ == Child::WasEnded && signal.si_pid == child_.number();
    if (!leaving() && !was_ended) {
      leave(signal.si_pid);
    }
  } else if (says_otherwise(signal, HandOverWord::InLine)) {
    log_.write(Severity::Error, {},
               "process " + std::to_string(signal.si_pid) +
                   " is of a version that reads another journal or table of connections: it is "
                   "refused",
               "K312");
    const std::lock_guard lock(mutex_);
    if (child_state_ == Child::Begins && signal.si_pid == child_.number()) {
      child_.signal(SIGTERM);  // It would stay in the line.
    }
  } else if (signal.si_code == SI_USER) {
    if (const auto begun = upgrade({}); !begun) {
      log_.write(Severity::Error, {}, "SIGUSR2: " + begun.error().sentence(),
                 begun.error().message_code);
    }
  }
}

void Upgrade::tend() {
  const std::lock_guard lock(mutex_);
  if (child_state_ == Child::None || leaving()) {
    return;
  }
  const bool was_late = child_state_ == Child::WasEnded;
  const std::string process = "upgrade: process " + std::to_string(child_.number());
  if (child_has_ended()) {
    if (was_late) {
      log_.write(Severity::Error, {},
                 process + " was not ready to take over within " +
                     std::to_string(settings_.upgrade_timeout_seconds) +
                     " s and is ended by SIGKILL; this one goes on",
                 "K315");
    } else {
      log_.write(Severity::Error, {},
                 process + " has ended before it could take over; this one goes on", "K313");
    }
  } else if (!was_late && os::now().steady_ns >= child_due_ns_) {
    child_state_ = Child::WasEnded;
    child_.signal(SIGKILL);
  }
}

void Upgrade::leave(pid_t successor) {
  successor_ = successor == 0 ? OtherProcess() : OtherProcess(successor);
  log_.write(Severity::Info, {},
             successor == 0 ? std::string("upgrade: leaves the connections to the next process")
                            : "upgrade: hands over to process " + std::to_string(successor),
             "K311");
  leaving_.store(true, std::memory_order_release);
  engine_->request_leave();
}

void Upgrade::end() noexcept {
  if (successor_.number() == 0) {
    return;
  }
  if (const pid_t serving = await_answer(); serving != 0) {
    log_.write(Severity::Info, {}, "upgrade: process " + std::to_string(serving) + " serves",
               "K311");
    notice_.main_process(serving);
    return;
  }
  begin_again();
}

/// The process that serves; 0: the successor has ended without an answer.
pid_t Upgrade::await_answer() noexcept {
  const std::string successor = "upgrade: process " + std::to_string(successor_.number());
  const std::int64_t late_ns = os::now().steady_ns + answer_ns;
  sigset_t awaited;
  sigemptyset(&awaited);
  for (const int signal : {SIGUSR2, SIGTERM, SIGINT}) {
    sigaddset(&awaited, signal);
  }
  bool told = false;
  for (;;) {
    const timespec pause{.tv_sec = 0, .tv_nsec = 5 * base::ns_per_ms};
    siginfo_t signal{};
    const int number = ::sigtimedwait(&awaited, &signal, &pause);
    if (number > 0 && says(signal, HandOverWord::Answered)) {
      return signal.si_pid;  // A keeper of an earlier version may have chosen another one.
    }
    if (number == SIGTERM || number == SIGINT) {
      successor_.signal(number);  // It is for whoever serves.
      return successor_.number();
    }
    // If it is a child of this process.
    static_cast<void>(::waitpid(successor_.number(), nullptr, WNOHANG));
    if (successor_.has_ended()) {
      log_.write(Severity::Error, {}, successor + " has ended instead of serving", "K313");
      return 0;
    }
    if (os::now().steady_ns >= late_ns && !std::exchange(told, true)) {
      // Two processes must not have the same connections.
      log_.write(Severity::Error, {}, successor + " does not answer and is ended by SIGKILL",
                 "K313");
      successor_.signal(SIGKILL);
    }
  }
}

/// The program of this process from its beginning: the keeper has everything for it.
void Upgrade::begin_again() noexcept {
  log_.write(Severity::Warning, {}, "upgrade: this process goes on itself", "K313");
  log_.flush();
  std::vector<std::string> words = os::own_arguments();
  std::vector<std::string> variables = environment(notice_, {});
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  const timespec at_once{};
  while (::sigtimedwait(&set, nullptr, &at_once) > 0) {
  }
  sigemptyset(&set);
  ::sigprocmask(SIG_SETMASK, &set, nullptr);
  ::execve(own_program, pointers_to(words).data(), pointers_to(variables).data());
  ::_exit(1);
}

}  // namespace affix::inline v0::service
