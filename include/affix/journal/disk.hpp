// SPDX-License-Identifier: MIT
// The seam between a journal and the disk: every call by which bytes, names and lengths come to be
// durable. One object without state stands for the system's; a test brings its own, which fails
// where it likes or remembers what a power loss would have left.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace affix::inline v0::journal {

/// The boot of a machine as 16 bytes, all zero where the system does not tell.
struct BootId {
  std::uint8_t bytes[16] = {};
  friend bool operator==(const BootId&, const BootId&) = default;
};

/// How the pages of a file are mapped.
enum class MapKind : std::uint8_t {
  ReadOnly,
  Shared,   ///< A store reaches the file's pages, and so survives the process.
  Private,  ///< A store stays in this process; write() is what reaches the file.
};

/// Functions return 0 or an errno. They are called by the threads of the journals that use the
/// object, several at a time. `path` names the file for whoever keeps books.
class Disk {
 public:
  Disk() noexcept = default;
  Disk(const Disk&) = delete;
  Disk& operator=(const Disk&) = delete;
  virtual ~Disk() = default;

  /// Opens a file, `flags` and rights as open(2) has them; `file` is the descriptor then.
  [[nodiscard]] virtual int open_file(const std::string& path, int flags, int& file) noexcept;

  /// Gives the file `bytes` of length and of disk. EINTR never.
  [[nodiscard]] virtual int allocate(int file, const std::string& path,
                                     std::uint64_t bytes) noexcept;

  /// Maps the whole of an open file. `at` is the mapping then; the caller unmaps it.
  [[nodiscard]] virtual int map(int file, const std::string& path, std::size_t bytes, MapKind kind,
                                char*& at) noexcept;

  /// Writes all of `bytes`; a short write is gone on with.
  [[nodiscard]] virtual int write(int file, const std::string& path, std::string_view bytes,
                                  std::uint64_t offset) noexcept;

  /// What was written to the file so far is on the disk when this returns 0.
  [[nodiscard]] virtual int sync_file(int file, const std::string& path) noexcept;

  /// Has the system begin to bring what was written or stored to the file there, and does not wait
  /// for it. A hint.
  virtual void begin_sync(const std::string& path) noexcept;

  /// The same for what was stored to a range of a shared mapping; `begin` is a page's.
  [[nodiscard]] virtual int sync_mapping(const std::string& path, char* base, std::size_t begin,
                                         std::size_t end) noexcept;

  /// The same for what was created, renamed or removed in a directory.
  [[nodiscard]] virtual int sync_directory(const std::string& directory) noexcept;

  /// The same for everything on the file system of `directory`, open as `file`: a write that failed
  /// since it was opened is a failure here. EOPNOTSUPP: the system gives no such promise, or more
  /// than `worth_bytes` wait to be written, whoever wrote them, and nothing was done.
  [[nodiscard]] virtual int sync_file_system(int file, const std::string& directory,
                                             std::uint64_t worth_bytes) noexcept;

  [[nodiscard]] virtual int rename(const std::string& from, const std::string& to) noexcept;

  /// Removes a name; one that is not there is fine.
  [[nodiscard]] virtual int remove(const std::string& path) noexcept;

  [[nodiscard]] virtual BootId boot_id() noexcept;
};

/// The system's disk. Any thread.
[[nodiscard]] Disk& system_disk() noexcept;

}  // namespace affix::inline v0::journal
