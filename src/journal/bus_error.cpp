// SPDX-License-Identifier: MIT
// The table of mappings and the handler that reads it. The handler takes no lock and calls nothing
// but mmap and sigaction.
#include "affix/journal/bus_error.hpp"

#include "journal/mappings.hpp"

#include <array>
#include <cerrno>
#include <cstdint>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

namespace affix::inline v0::journal {

namespace {

/// Three segments of four thousand sessions, their counters, and some for readers.
constexpr std::size_t mappings_max = 16'384;

struct Mapping {
  std::atomic<std::uintptr_t> base{0};  // Zero: free. Stored last.
  std::atomic<std::size_t> bytes{0};
  std::atomic<std::atomic<bool>*> lost{nullptr};
  std::atomic<bool> taken{false};
};

constinit std::array<Mapping, mappings_max> mappings{};

/// Entries that have ever been in use, so that nobody searches the whole table.
constinit std::atomic<std::size_t> used{0};

constinit std::atomic<std::size_t> page_bytes{4096};

struct sigaction before_us{};

constinit std::atomic<bool> installed{false};

bool give_empty_page(void* where) noexcept {
  const auto address = reinterpret_cast<std::uintptr_t>(where);
  const std::size_t count = used.load(std::memory_order_acquire);
  for (std::size_t at = 0; at < count; ++at) {
    // Acquire: pairs with enter_mapping(), which stored the rest before.
    const std::uintptr_t base = mappings[at].base.load(std::memory_order_acquire);
    if (base == 0 || address < base ||
        address - base >= mappings[at].bytes.load(std::memory_order_relaxed)) {
      continue;
    }
    const std::size_t page = page_bytes.load(std::memory_order_relaxed);
    void* const begin = static_cast<char*>(where) - address % page;
    if (mmap(begin, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) ==
        MAP_FAILED) {
      return false;
    }
    mappings[at].lost.load(std::memory_order_relaxed)->store(true, std::memory_order_relaxed);
    return true;
  }
  return false;
}

void on_bus_error(int number, siginfo_t* details, void* context) {
  const int kept = errno;
  const bool ours = give_empty_page(details->si_addr);
  errno = kept;
  if (ours) {
    return;
  }
  if ((before_us.sa_flags & SA_SIGINFO) != 0) {
    before_us.sa_sigaction(number, details, context);
  } else if (before_us.sa_handler != SIG_DFL && before_us.sa_handler != SIG_IGN) {
    before_us.sa_handler(number);
  } else {
    // As if nobody handled it: the faulting instruction comes again and ends the process.
    signal(number, SIG_DFL);
  }
}

}  // namespace

void enter_mapping(const char* base, std::size_t bytes, std::atomic<bool>* lost) noexcept {
  for (std::size_t at = 0; at < mappings_max; ++at) {
    Mapping& mapping = mappings[at];
    if (mapping.taken.load(std::memory_order_relaxed) ||
        mapping.taken.exchange(true, std::memory_order_acquire)) {
      continue;
    }
    mapping.bytes.store(bytes, std::memory_order_relaxed);
    mapping.lost.store(lost, std::memory_order_relaxed);
    // Release: a handler that sees the base sees the rest.
    mapping.base.store(reinterpret_cast<std::uintptr_t>(base), std::memory_order_release);
    std::size_t before = used.load(std::memory_order_relaxed);
    while (before <= at && !used.compare_exchange_weak(before, at + 1, std::memory_order_release,
                                                       std::memory_order_relaxed)) {
    }
    return;
  }
}

void leave_mapping(const char* base) noexcept {
  const std::size_t count = used.load(std::memory_order_acquire);
  for (std::size_t at = 0; at < count; ++at) {
    if (mappings[at].base.load(std::memory_order_relaxed) ==
        reinterpret_cast<std::uintptr_t>(base)) {
      mappings[at].base.store(0, std::memory_order_relaxed);
      mappings[at].taken.store(false, std::memory_order_release);
      return;
    }
  }
}

std::expected<void, base::Error> install_bus_error_handler() {
  if (installed.exchange(true, std::memory_order_acq_rel)) {
    return {};
  }
  page_bytes.store(static_cast<std::size_t>(sysconf(_SC_PAGESIZE)), std::memory_order_relaxed);
  struct sigaction action{};
  action.sa_sigaction = &on_bus_error;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigemptyset(&action.sa_mask);
  if (sigaction(SIGBUS, &action, &before_us) != 0) {
    installed.store(false, std::memory_order_release);
    return std::unexpected(base::make_system_error("sigaction", errno, "SIGBUS"));
  }
  return {};
}

}  // namespace affix::inline v0::journal
