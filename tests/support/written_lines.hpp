// SPDX-License-Identifier: MIT
// Finds the cache lines of this process's memory that changed between two moments: proof that two
// threads write none in common. Other threads must rest meanwhile.
#pragma once

#include "affix/base/bytes.hpp"

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <string>
#include <sys/mman.h>
#include <sys/rseq.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace affix::support {

/// Memory outside the heap, to keep this object's own data apart from the memory it examines.
class MemoryApart {
 public:
  explicit MemoryApart(std::size_t size)
      : size_(size),
        bytes_(static_cast<char*>(::mmap(nullptr, size, PROT_READ | PROT_WRITE,
                                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0))) {}

  MemoryApart(const MemoryApart&) = delete;
  MemoryApart& operator=(const MemoryApart&) = delete;

  ~MemoryApart() { ::munmap(bytes_, size_); }

  [[nodiscard]] char* bytes() const noexcept { return bytes_; }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }

 private:
  std::size_t size_;
  char* bytes_;
};

/// A snapshot of all writable memory except the calling thread's own stack and block and excluded
/// parts, and the lines that differ from it later. Only bytes with another value count, so the
/// sought data must change each time.
class WrittenLines {
 public:
  WrittenLines() : copies_(copies_max), lines_(lines_max * sizeof(std::uintptr_t)) {
    leave_out(copies_.bytes(), copies_.size());
    leave_out(lines_.bytes(), lines_.size());
    leave_out_block_of_this_thread();
  }

  void leave_out(const void* begin, std::size_t size) {
    const auto address = reinterpret_cast<std::uintptr_t>(begin);
    left_out_.emplace_back(address, address + size);
  }

  /// Takes the snapshot. False: it is too large, or the system does not report mappings.
  [[nodiscard]] bool begin() {
    pages_.clear();
    if (!look_for_pages()) {
      return false;
    }
    copy_pages();
    return true;
  }

  /// Addresses of the lines that changed since begin(), ascending.
  [[nodiscard]] std::vector<std::uintptr_t> end() {
    auto* const found = reinterpret_cast<std::uintptr_t*>(lines_.bytes());
    std::size_t count = 0;
    for (std::size_t at = 0; at < pages_.size(); ++at) {
      const char* const then = copies_.bytes() + at * page_size;
      const char* const now = bytes_at(pages_[at]);
      for (std::size_t line = 0; line < page_size; line += base::cache_line) {
        if (count < lines_max && std::memcmp(then + line, now + line, base::cache_line) != 0) {
          found[count++] = pages_[at] + line;
        }
      }
    }
    return {found, found + count};
  }

  /// The mapping that an address is in, as the kernel describes it.
  [[nodiscard]] static std::string mapping_of(std::uintptr_t address) {
    Maps maps;
    while (maps.next()) {
      if (maps.begin <= address && address < maps.end) {
        return maps.line;
      }
    }
    return "nowhere";
  }

 private:
  static constexpr std::size_t page_size = 4096;
  static constexpr std::size_t copies_max = std::size_t{1} << 30;
  static constexpr std::size_t lines_max = std::size_t{1} << 20;
  static constexpr std::uint64_t present = std::uint64_t{1} << 63;

  /// The kernel gives addresses as numbers.
  [[nodiscard]] static const char* bytes_at(std::uintptr_t address) noexcept {
    return reinterpret_cast<const char*>(address);  // NOLINT(performance-no-int-to-ptr)
  }

  /// /proc/self/maps, line by line.
  struct Maps {
    Maps() : file(std::fopen("/proc/self/maps", "re"), std::fclose) {}

    [[nodiscard]] bool next() {
      return file && std::fgets(line, sizeof line, file.get()) != nullptr &&
             // NOLINTNEXTLINE(cert-err34-c): the kernel's own numbers fit.
             std::sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %4s", &begin, &end, rights) == 3;
    }

    std::unique_ptr<std::FILE, int (*)(std::FILE*)> file;
    char line[1024] = {};
    char rights[5] = {};
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
  };

  /// The kernel writes the number of the thread's processor there whenever it moves the thread,
  /// independent of any work.
  void leave_out_block_of_this_thread() {
    const char* const block = static_cast<const char*>(__builtin_thread_pointer());
    leave_out(block, static_cast<std::size_t>(__rseq_offset) + sizeof(struct rseq));
  }

  [[nodiscard]] bool look_for_pages() {
    Maps maps;
    const int table = ::open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    if (table < 0) {
      return false;
    }
    while (maps.next()) {
      if (maps.rights[0] == 'r' && maps.rights[1] == 'w' &&
          std::strstr(maps.line, "[stack]") == nullptr) {
        add_present(table, maps.begin, maps.end);
      }
    }
    ::close(table);
    return !pages_.empty() && pages_.size() * page_size <= copies_max;
  }

  /// Pages that are not present have never been written.
  void add_present(int table, std::uintptr_t begin, std::uintptr_t end) {
    std::array<std::uint64_t, 512> entries;
    for (std::uintptr_t page = begin; page < end; page += entries.size() * page_size) {
      const std::size_t count = std::min(entries.size(), (end - page) / page_size);
      const ssize_t read = ::pread(table, entries.data(), count * sizeof entries[0],
                                   static_cast<off_t>(page / page_size * sizeof entries[0]));
      for (std::size_t at = 0; at < static_cast<std::size_t>(std::max<ssize_t>(read, 0)) / 8;
           ++at) {
        const std::uintptr_t one = page + at * page_size;
        if ((entries[at] & present) != 0 && !is_left_out(one)) {
          pages_.push_back(one);
        }
      }
    }
  }

  [[nodiscard]] bool is_left_out(std::uintptr_t page) const {
    return std::any_of(left_out_.begin(), left_out_.end(), [page](const auto& range) {
      return range.first < page + page_size && page < range.second;
    });
  }

  void copy_pages() {
    for (std::size_t at = 0; at < pages_.size(); ++at) {
      std::memcpy(copies_.bytes() + at * page_size, bytes_at(pages_[at]), page_size);
    }
  }

  MemoryApart copies_;
  MemoryApart lines_;
  std::vector<std::uintptr_t> pages_;
  std::vector<std::pair<std::uintptr_t, std::uintptr_t>> left_out_;
};

}  // namespace affix::support
