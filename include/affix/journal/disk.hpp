// SPDX-License-Identifier: MIT
// The interface between a journal and the disk: every call that makes bytes, names and lengths
// durable, and the clocks of the machine that has the disk. One stateless object represents the
// system's disk; tests provide their own, which fails on demand, simulates the disk's contents
// after a power loss, or lives in virtual time.
#pragma once

#include "affix/base/time.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace affix::inline v0::journal {

/// The boot id of a machine as 16 bytes; zeros if the system has none.
struct BootId {
  std::uint8_t bytes[16] = {};
  friend bool operator==(const BootId&, const BootId&) = default;
};

/// How the pages of a file are mapped.
enum class MapKind : std::uint8_t {
  ReadOnly,
  Shared,   ///< Stores reach the file's pages, and so survive the process.
  Private,  ///< Stores stay in this process; only write() reaches the file.
};

/// Functions return 0 or an errno. The threads of all journals that use the object call them
/// concurrently. `path` names the file for implementations that keep records.
class Disk {
 public:
  Disk() noexcept = default;
  Disk(const Disk&) = delete;
  Disk& operator=(const Disk&) = delete;
  virtual ~Disk() = default;

  /// Opens a file with `flags` as for open(2); sets `file` to the descriptor.
  [[nodiscard]] virtual int open_file(const std::string& path, int flags, int& file) noexcept;

  /// Allocates `bytes` on the disk and sets the file's length. Never returns EINTR.
  [[nodiscard]] virtual int allocate(int file, const std::string& path,
                                     std::uint64_t bytes) noexcept;

  /// Maps an entire open file and sets `at` to the mapping, which the caller unmaps.
  [[nodiscard]] virtual int map(int file, const std::string& path, std::size_t bytes, MapKind kind,
                                char*& at) noexcept;

  /// Writes all of `bytes`; continues after a short write.
  [[nodiscard]] virtual int write(int file, const std::string& path, std::string_view bytes,
                                  std::uint64_t offset) noexcept;

  /// Waits until everything written to the file so far is on the disk.
  [[nodiscard]] virtual int sync_file(int file, const std::string& path) noexcept;

  /// Starts to write modified data of the file to the disk, without waiting for completion. A
  /// hint.
  virtual void begin_sync(const std::string& path) noexcept;

  /// Does the same as sync_file() for a range of a shared mapping; `begin` is page-aligned.
  [[nodiscard]] virtual int sync_mapping(const std::string& path, char* base, std::size_t begin,
                                         std::size_t end) noexcept;

  /// Waits until names created, changed or removed in a directory are on the disk.
  [[nodiscard]] virtual int sync_directory(const std::string& directory) noexcept;

  /// Waits until everything on the file system of `directory`, open as `file`, is on the disk;
  /// fails if a write failed since it was opened. EOPNOTSUPP: the system cannot promise this, or
  /// more than `worth_bytes` of any process are unwritten; nothing was done.
  [[nodiscard]] virtual int sync_file_system(int file, const std::string& directory,
                                             std::uint64_t worth_bytes) noexcept;

  [[nodiscard]] virtual int rename(const std::string& from, const std::string& to) noexcept;

  /// Removes a name; success if it does not exist.
  [[nodiscard]] virtual int remove(const std::string& path) noexcept;

  [[nodiscard]] virtual BootId boot_id() noexcept;

  /// The time by which files are dated, and sizes and paces are chosen.
  [[nodiscard]] virtual base::Now now() noexcept;
};

/// The operating system's disk. Any thread.
[[nodiscard]] Disk& system_disk() noexcept;

/// Makes a directory and its missing parents, and waits until their names are on the disk. Returns
/// errno, or 0.
[[nodiscard]] int make_directories(Disk& disk, const std::string& directory) noexcept;

}  // namespace affix::inline v0::journal
