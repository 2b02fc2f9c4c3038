// SPDX-License-Identifier: MIT
// The table of mappings and the handler that reads it. The handler takes no lock and calls only
// mmap and sigaction.
#include "affix/os/bus_error.hpp"

#include "os/mappings.hpp"

#include <array>
#include <cerrno>
#include <cstdint>
#include <memory>
#include <new>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

namespace affix::inline v0::os {

namespace {

/// Three segments for each of four thousand sessions, their counters, and some for readers. More
/// mappings take further blocks, which are never freed: the handler may be reading one.
constexpr std::size_t mappings_of_block = 16'384;
/// Far beyond what the kernel maps for a process (vm.max_map_count).
constexpr std::size_t blocks_max = 64;

struct Mapping {
  std::atomic<std::uintptr_t> base{0};  // Zero: free. Stored last.
  std::atomic<std::size_t> bytes{0};
  std::atomic<std::atomic<bool>*> lost{nullptr};
  std::atomic<bool> taken{false};
};

using Block = std::array<Mapping, mappings_of_block>;

constinit Block first_block{};

/// Stored once each, before `used` counts an entry of it.
constinit std::array<std::atomic<Block*>, blocks_max> blocks{&first_block};

/// An entry that `used` counts.
Mapping& mapping_at(std::size_t at) noexcept {
  // Acquire: pairs with block_of().
  return (*blocks[at / mappings_of_block].load(std::memory_order_acquire))[at % mappings_of_block];
}

/// The block of entry `at`, made if there is none; null: no memory for it.
Block* block_of(std::size_t at) noexcept {
  std::atomic<Block*>& place = blocks[at / mappings_of_block];
  Block* block = place.load(std::memory_order_acquire);
  if (block != nullptr) {
    return block;
  }
  auto made = std::unique_ptr<Block>(new (std::nothrow) Block());
  // Release: a reader that sees the block sees its empty entries. The loser of a race takes the
  // winner's.
  if (made != nullptr && place.compare_exchange_strong(block, made.get(), std::memory_order_acq_rel,
                                                       std::memory_order_acquire)) {
    block = made.release();
  }
  return block;
}

/// Entries ever used, so that searches do not cover the whole table.
constinit std::atomic<std::size_t> used{0};

/// Where the search for a free entry begins, so that many mappings take no square of their time.
constinit std::atomic<std::size_t> search_from{0};

constinit std::atomic<std::size_t> known_page_bytes{4096};

struct sigaction before_us{};

constinit std::atomic<bool> installed{false};

bool give_empty_page(void* where) noexcept {
  const auto address = reinterpret_cast<std::uintptr_t>(where);
  const std::size_t count = used.load(std::memory_order_acquire);
  for (std::size_t at = 0; at < count; ++at) {
    // Acquire: pairs with enter_mapping(), which stored the rest before.
    const Mapping& mapping = mapping_at(at);
    const std::uintptr_t base = mapping.base.load(std::memory_order_acquire);
    if (base == 0 || address < base ||
        address - base >= mapping.bytes.load(std::memory_order_relaxed)) {
      continue;
    }
    const std::size_t page = known_page_bytes.load(std::memory_order_relaxed);
    void* const begin = static_cast<char*>(where) - address % page;
    if (mmap(begin, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) ==
        MAP_FAILED) {
      return false;
    }
    mapping.lost.load(std::memory_order_relaxed)->store(true, std::memory_order_relaxed);
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
    // Restores the default: the faulting instruction repeats and ends the process.
    signal(number, SIG_DFL);
  }
}

}  // namespace

void enter_mapping(const char* base, std::size_t bytes, std::atomic<bool>* lost) noexcept {
  std::size_t first = search_from.load(std::memory_order_relaxed);
  for (std::size_t at = first; at < blocks_max * mappings_of_block; ++at) {
    Block* const block = block_of(at);
    if (block == nullptr) {
      return;
    }
    Mapping& mapping = (*block)[at % mappings_of_block];
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
    // Not if an entry became free meanwhile. Relaxed: it is only where a search begins.
    search_from.compare_exchange_strong(first, at + 1, std::memory_order_relaxed);
    return;
  }
}

void leave_mapping(const char* base) noexcept {
  const std::size_t count = used.load(std::memory_order_acquire);
  for (std::size_t at = 0; at < count; ++at) {
    Mapping& mapping = mapping_at(at);
    if (mapping.base.load(std::memory_order_relaxed) == reinterpret_cast<std::uintptr_t>(base)) {
      mapping.base.store(0, std::memory_order_relaxed);
      mapping.taken.store(false, std::memory_order_release);
      std::size_t first = search_from.load(std::memory_order_relaxed);
      while (at < first &&
             !search_from.compare_exchange_weak(first, at, std::memory_order_relaxed)) {
      }
      return;
    }
  }
}

std::expected<void, base::Error> install_bus_error_handler() {
  if (installed.exchange(true, std::memory_order_acq_rel)) {
    return {};
  }
  known_page_bytes.store(static_cast<std::size_t>(sysconf(_SC_PAGESIZE)),
                         std::memory_order_relaxed);
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

}  // namespace affix::inline v0::os
