// SPDX-License-Identifier: MIT
// Directory of one journal: names, order and the lock. Private to journal.
#pragma once

#include "affix/base/error.hpp"
#include "affix/journal/disk.hpp"
#include "affix/journal/format.hpp"
#include "affix/os/file_descriptor.hpp"

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::journal {

/// "DIRECTORY/0000000001.journal".
[[nodiscard]] std::string segment_path(const std::string& directory, std::uint32_t number);

/// The number in a segment file's name, 0 for any other name.
[[nodiscard]] std::uint32_t segment_number_in(std::string_view name) noexcept;

/// Numbers of the existing segment files, ascending. Ignores other files. NotFound, Io,
/// Denied.
[[nodiscard]] std::expected<std::vector<std::uint32_t>, base::Error> list_segments(
    const std::string& directory);

/// Result of setting a processed mark.
enum class MarkedInFile : std::uint8_t {
  Now,
  Before,  ///< It was set already.
  Not,     ///< No received record begins there, or the file cannot be read or written.
};

/// A directory held by its one writer: locked against every other, in this process too, until
/// destroyed. The lock is the kernel's (flock), so it ends with a killed process.
class SegmentFiles {
 public:
  /// Makes the directory and its parents if missing. Locked, Io, Denied.
  [[nodiscard]] static std::expected<SegmentFiles, base::Error> open(std::string directory,
                                                                     Disk& disk = system_disk());

  [[nodiscard]] const std::string& directory() const noexcept { return directory_; }

  [[nodiscard]] Disk& disk() const noexcept { return *disk_; }

  /// True if open() made the directory: it is empty.
  [[nodiscard]] bool made() const noexcept { return made_; }

  /// Its file system, as in stat(2); 0 when the system does not report it.
  [[nodiscard]] std::uint64_t device() const noexcept;

  [[nodiscard]] std::string path(std::uint32_t number) const {
    return segment_path(directory_, number);
  }

  /// Removes a segment file; it may be missing.
  void remove(std::uint32_t number) const noexcept;

  /// Makes files created, renamed or removed in the directory survive a power loss.
  [[nodiscard]] std::expected<void, base::Error> sync_directory() const;

  /// Sets the processed mark of a received record in a segment that is no longer mapped, if one
  /// begins there. An existing mark stays, but a late one becomes final.
  [[nodiscard]] MarkedInFile mark_processed(std::uint32_t number, std::uint32_t offset,
                                            format::Mark value) const noexcept;

  /// Replaces the header of the segment that it names, which is complete. By one write of one
  /// sector, so that a kill leaves one or the other. System errors.
  [[nodiscard]] std::expected<void, base::Error> write_header(const format::Header& header) const;

  /// Removes the mark of the record at `offset`, also on the disk. NotFound, and system errors as
  /// Io.
  [[nodiscard]] std::expected<void, base::Error> take_mark(std::uint32_t number,
                                                           std::uint32_t offset) const;

 private:
  SegmentFiles(std::string directory, os::FileDescriptor lock, bool made, Disk& disk) noexcept;

  std::string directory_;
  Disk* disk_;
  os::FileDescriptor lock_;
  bool made_ = false;
};

/// Writes `bytes` to a new file at `path`, and flushes it. An existing file with the same bytes is
/// accepted.
[[nodiscard]] std::expected<void, base::Error> write_file(const std::string& path,
                                                          std::string_view bytes,
                                                          Disk& disk = system_disk());

}  // namespace affix::inline v0::journal
