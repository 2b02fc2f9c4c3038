// SPDX-License-Identifier: MIT
// Finds which pages of a file are in memory, drops them, and counts a thread's reads from the disk:
// for tests and benchmarks of disk waits.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace affix::support {

/// Bytes of the file's pages that are in memory.
inline std::size_t resident_bytes(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status{};
  if (file < 0 || ::fstat(file, &status) != 0 || status.st_size == 0) {
    ::close(file);
    return 0;
  }
  const auto bytes = static_cast<std::size_t>(status.st_size);
  void* const at = ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file, 0);
  ::close(file);
  if (at == MAP_FAILED) {
    return 0;
  }
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  std::vector<unsigned char> resident((bytes + page - 1) / page);
  std::size_t count = 0;
  if (::mincore(at, bytes, resident.data()) == 0) {
    for (const unsigned char one : resident) {
      count += one & 1U;
    }
  }
  ::munmap(at, bytes);
  return count * page;
}

/// Writes the file's pages to the disk and drops them from memory. False: they are still there,
/// because the file system has no other place for them or a process maps them.
inline bool forget_pages(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    return false;
  }
  // Another processor may hold a page for a moment.
  std::size_t left = 1;
  for (int attempt = 0; attempt < 100 && left != 0; ++attempt) {
    ::fsync(file);
    ::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
    left = resident_bytes(path);
  }
  ::close(file);
  return left == 0;
}

/// Disk reads that the calling thread has waited for.
struct ThreadReads {
  std::int64_t major_faults = 0;
  std::int64_t blocks = 0;  ///< Of 512 bytes, read from a device for this thread.
};

inline ThreadReads thread_reads() {
  rusage usage{};
  ::getrusage(RUSAGE_THREAD, &usage);
  return {usage.ru_majflt, usage.ru_inblock};
}

/// Resident bytes of files in this process's mappings, including files in memory.
inline std::size_t mapped_file_bytes() {
  std::FILE* const status = std::fopen("/proc/self/status", "re");
  std::array<char, 256> line{};
  unsigned long kilobytes = 0;
  while (status != nullptr && std::fgets(line.data(), line.size(), status) != nullptr) {
    unsigned long part = 0;
    if (std::sscanf(line.data(), "RssFile: %lu kB", &part) == 1 ||
        std::sscanf(line.data(), "RssShmem: %lu kB", &part) == 1) {
      kilobytes += part;
    }
  }
  if (status != nullptr) {
    std::fclose(status);
  }
  return kilobytes * 1024;
}

}  // namespace affix::support
