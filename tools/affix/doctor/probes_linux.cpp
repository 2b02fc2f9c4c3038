// SPDX-License-Identifier: MIT
// Independent probes; all use the engine's clock.
#include "affix/base/time.hpp"
#include "affix/journal/page_costs.hpp"
#include "affix/os/existing_path.hpp"
#include "affix/os/file_descriptor.hpp"
#include "affix/os/file_mapping.hpp"

#include "doctor/probes.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace affix::inline v0::tools::doctor {

namespace {

constexpr int clock_reads = 20'000;
constexpr int wake_ups = 1'000;
constexpr std::int64_t flushing_ns = 300 * base::ns_per_ms;
constexpr int flushes_max = 200;
constexpr int populate_write = 23;  // MADV_POPULATE_WRITE, which older headers do not name.
constexpr std::size_t page = 4'096;
constexpr std::size_t piece = std::size_t{2} << 20;
constexpr std::size_t pieces = 8;

[[nodiscard]] std::int64_t steady_ns() noexcept {
  timespec time{};
  static_cast<void>(::clock_gettime(CLOCK_MONOTONIC, &time));
  return std::int64_t{time.tv_sec} * base::ns_per_second + time.tv_nsec;
}

[[nodiscard]] std::optional<Spread> spread_of(std::vector<std::int64_t> values) {
  if (values.empty()) {
    return std::nullopt;
  }
  std::sort(values.begin(), values.end());
  return Spread{.median_ns = values[values.size() / 2],
                .p99_ns = values[values.size() * 99 / 100],
                .largest_ns = values.back()};
}

/// A file without a name, removed with the descriptor.
[[nodiscard]] os::FileDescriptor open_nameless(const std::string& folder) {
  std::string name = folder + "/affix-doctor-XXXXXX";
  os::FileDescriptor file(folder.empty() ? -1 : ::mkostemp(name.data(), O_CLOEXEC));
  if (file.is_open()) {
    static_cast<void>(::unlink(name.c_str()));
  }
  return file;
}

[[nodiscard]] std::int64_t clock_read() noexcept {
  const std::int64_t begin = steady_ns();
  for (int read = 1; read < clock_reads; ++read) {
    static_cast<void>(steady_ns());
  }
  return (steady_ns() - begin) / clock_reads;
}

[[nodiscard]] SpinGaps spin_gaps(double seconds) noexcept {
  SpinGaps gaps;
  std::int64_t before = steady_ns();
  const std::int64_t end = before + static_cast<std::int64_t>(seconds * 1e9);
  while (before < end) {
    const std::int64_t now = steady_ns();
    const std::int64_t gap = now - before;
    gaps.largest_ns = std::max(gaps.largest_ns, gap);
    gaps.over_10_us += gap > 10 * base::ns_per_us ? 1 : 0;
    before = now;
  }
  return gaps;
}

/// The other thread writes the time, then the event; this one begins to wait slightly before.
[[nodiscard]] std::optional<Spread> wake_up() {
  const int here = ::eventfd(0, EFD_CLOEXEC);
  const int there = ::eventfd(0, EFD_CLOEXEC);
  if (here < 0 || there < 0) {
    ::close(here);
    ::close(there);
    return std::nullopt;
  }
  std::vector<std::int64_t> taken;
  taken.reserve(wake_ups);
  std::int64_t written_ns = 0;  // Ordered by the events.
  std::thread waker([&] {
    std::uint64_t value = 0;
    constexpr std::uint64_t one = 1;
    for (int round = 0; round < wake_ups; ++round) {
      if (::read(there, &value, sizeof value) != sizeof value) {
        return;
      }
      // Until the sleeper sleeps.
      const std::int64_t until = steady_ns() + 50 * base::ns_per_us;
      while (steady_ns() < until) {
      }
      written_ns = steady_ns();
      if (::write(here, &one, sizeof one) != sizeof one) {
        return;
      }
    }
  });
  for (int round = 0; round < wake_ups; ++round) {
    std::uint64_t value = 1;
    if (::write(there, &value, sizeof value) != sizeof value ||
        ::read(here, &value, sizeof value) != sizeof value) {
      break;
    }
    taken.push_back(steady_ns() - written_ns);
  }
  waker.join();
  ::close(here);
  ::close(there);
  return spread_of(std::move(taken));
}

[[nodiscard]] std::optional<Spread> flush(const std::string& folder) {
  const os::FileDescriptor file = open_nameless(folder);
  const char record[256] = {};
  std::vector<std::int64_t> taken;
  const std::int64_t until = steady_ns() + flushing_ns;
  while (file.is_open() && taken.size() < flushes_max && steady_ns() < until) {
    if (::write(file.number(), record, sizeof record) != sizeof record) {
      break;
    }
    const std::int64_t begin = steady_ns();
    if (::fdatasync(file.number()) != 0) {
      break;
    }
    taken.push_back(steady_ns() - begin);
  }
  return spread_of(std::move(taken));
}

/// Maps a new file, aligned to the large piece; null: it failed.
class MappedFile {
 public:
  explicit MappedFile(const std::string& folder) {
    constexpr std::size_t bytes = pieces * piece;
    const os::FileDescriptor file = open_nameless(folder);
    if (!file.is_open() || ::posix_fallocate(file.number(), 0, bytes) != 0) {
      return;
    }
    reserved_ = os::FileMapping(
        ::mmap(nullptr, bytes + piece, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
        bytes + piece);
    if (reserved_.begin() == nullptr) {
      return;
    }
    auto* const begin = reinterpret_cast<char*>(reserved_.begin());
    char* const aligned = begin + (piece - reinterpret_cast<std::uintptr_t>(begin) % piece) % piece;
    if (::mmap(aligned, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file.number(), 0) !=
        MAP_FAILED) {
      memory_ = aligned;
    }
  }

  [[nodiscard]] char* memory() const noexcept { return memory_; }

 private:
  os::FileMapping reserved_;
  char* memory_ = nullptr;
};

[[nodiscard]] std::optional<PageCosts> page_costs(const std::string& folder) {
  constexpr auto pages = static_cast<std::int64_t>(pieces * piece / page);
  PageCosts costs;
  {
    const MappedFile file(folder);
    if (file.memory() == nullptr) {
      return std::nullopt;
    }
    const std::int64_t begin = steady_ns();
    *static_cast<volatile char*>(file.memory()) = 1;
    costs.fault_ns = steady_ns() - begin;
  }
  const auto measured = journal::measure_page_costs(folder);
  if (!measured) {
    return std::nullopt;
  }
  costs.pieces_ns = measured->written_ns;
  {
    const MappedFile file(folder);
    if (file.memory() == nullptr) {
      return std::nullopt;
    }
    static_cast<void>(::madvise(file.memory(), pieces * piece, MADV_NOHUGEPAGE));
    static_cast<void>(::madvise(file.memory(), pieces * piece, MADV_RANDOM));
    const std::int64_t begin = steady_ns();
    for (std::size_t at = 0; at < pieces * piece; at += page) {
      static_cast<volatile char*>(file.memory())[at] = 1;
    }
    costs.single_ns = (steady_ns() - begin) / pages;
  }
  const MappedFile file(folder);
  if (file.memory() == nullptr) {
    return std::nullopt;
  }
  static_cast<void>(::madvise(file.memory(), pieces * piece, MADV_HUGEPAGE));
  const std::int64_t begin = steady_ns();
  for (std::size_t at = 0; at < pieces; ++at) {
    const std::int64_t before = steady_ns();
    if (::madvise(file.memory() + at * piece, piece, populate_write) != 0) {
      return std::nullopt;
    }
    costs.large_piece_ns = std::max(costs.large_piece_ns, steady_ns() - before);
  }
  costs.large_ns = (steady_ns() - begin) / pages;
  return costs;
}

}  // namespace

bool can_probe() noexcept {
  return true;
}

Measured take_probes(const ProbeOptions& options) {
  const std::string folder = os::existing_path(options.folder);
  Measured measured;
  measured.clock_read_ns = clock_read();
  measured.wake_up = wake_up();
  measured.gaps = spin_gaps(options.spin_seconds);
  measured.pages = page_costs(folder);
  measured.flush = flush(folder);
  return measured;
}

}  // namespace affix::inline v0::tools::doctor
