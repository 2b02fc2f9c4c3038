// SPDX-License-Identifier: MIT
// Makes pages present as Segment does, in turns of both ways; the least of each counts, since the
// thread may be preempted in the others.
#include "affix/base/time.hpp"
#include "affix/journal/page_costs.hpp"
#include "affix/os/clock.hpp"
#include "affix/os/file_descriptor.hpp"
#include "affix/os/file_mapping.hpp"

#include "journal/segment.hpp"
#include "os/file_blocks.hpp"
#include "os/page_advice.hpp"

#include <algorithm>
#include <cstddef>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace affix::inline v0::journal {

namespace {

constexpr std::size_t piece = Segment::filled_in_a_step;

constexpr int rounds = 2;

/// Two pieces a round, one for each way.
constexpr std::size_t file_bytes = std::size_t{2} * rounds * piece;

constexpr std::int64_t unmeasured_ns = INT64_MAX;

/// A file without a name, of blocks that are allocated and empty, mapped as a segment is.
class NamelessFile {
 public:
  explicit NamelessFile(const std::string& directory)
      : file_(::open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600)) {
    if (file_.is_open() && os::allocate_blocks(file_.number(), 0, file_bytes) == 0) {
      memory_ = os::FileMapping(
          ::mmap(nullptr, file_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_.number(), 0),
          file_bytes);
    }
    if (is_mapped()) {
      // One fault would otherwise read as far ahead as the disk is set to.
      os::expect_single_pages(memory_.begin(), file_bytes);
    }
  }

  [[nodiscard]] bool is_mapped() const noexcept { return memory_.begin() != nullptr; }

  /// Makes a piece present. False: the system refuses.
  [[nodiscard]] bool make(std::size_t at, NewPages how) noexcept {
    if (how == NewPages::Written) {
      return ::pwrite(file_.number(), zeros().data(), piece, static_cast<off_t>(at)) ==
                 static_cast<ssize_t>(piece) &&
             populate(at, piece);
    }
    bool done = true;
    for (std::size_t end = at + piece; done && at < end; at += Segment::populated_in_a_step) {
      done = populate(at, Segment::populated_in_a_step);
    }
    return done;
  }

 private:
  [[nodiscard]] bool populate(std::size_t at, std::size_t bytes) noexcept {
    return os::make_pages_writable(memory_.begin() + at, bytes) == 0;
  }

  os::FileDescriptor file_;
  os::FileMapping memory_;
};

}  // namespace

std::optional<PageCosts> measure_page_costs(const std::string& directory) {
  NamelessFile file(directory);
  if (!file.is_mapped()) {
    return std::nullopt;
  }
  PageCosts costs{unmeasured_ns, unmeasured_ns};
  std::size_t at = 0;
  for (int round = 0; round < rounds; ++round) {
    for (const NewPages how : {NewPages::Written, NewPages::Faulted}) {
      const std::int64_t begun_ns = os::read_clock_ns(CLOCK_MONOTONIC);
      if (!file.make(at, how)) {
        return std::nullopt;
      }
      const std::int64_t page_ns =
          (os::read_clock_ns(CLOCK_MONOTONIC) - begun_ns) / static_cast<std::int64_t>(piece / 4096);
      std::int64_t& least = how == NewPages::Written ? costs.written_ns : costs.faulted_ns;
      least = std::min(least, page_ns);
      at += piece;
    }
  }
  return costs;
}

}  // namespace affix::inline v0::journal
