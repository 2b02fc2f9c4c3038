// SPDX-License-Identifier: MIT
// The directory of one journal: names, order and the lock. Private to journal.
#pragma once

#include "affix/base/error.hpp"
#include "affix/journal/disk.hpp"
#include "affix/journal/format.hpp"

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::journal {

/// "DIRECTORY/0000000001.journal".
[[nodiscard]] std::string segment_path(const std::string& directory, std::uint32_t number);

/// The number in a segment file's name, 0 when it is none.
[[nodiscard]] std::uint32_t segment_number_in(std::string_view name) noexcept;

/// Numbers of the segment files that are there, ascending. Other files are left alone. NotFound,
/// Io, Denied.
[[nodiscard]] std::expected<std::vector<std::uint32_t>, base::Error> list_segments(
    const std::string& directory);

/// What became of a processed mark.
enum class MarkedInFile : std::uint8_t {
  Now,
  Before,  ///< It was set already.
  Not,     ///< No received record begins there, or the file cannot be read or written.
};

/// The directory as its one writer holds it: locked against every other, this process's included,
/// until destroyed. The lock is the kernel's (flock), so it does not outlive a killed process.
class SegmentFiles {
 public:
  /// Makes the directory and its parents when missing. Locked, Io, Denied.
  [[nodiscard]] static std::expected<SegmentFiles, base::Error> open(std::string directory,
                                                                     Disk& disk = system_disk());

  SegmentFiles(SegmentFiles&& other) noexcept;
  SegmentFiles& operator=(SegmentFiles&& other) = delete;
  ~SegmentFiles();

  [[nodiscard]] const std::string& directory() const noexcept { return directory_; }

  [[nodiscard]] Disk& disk() const noexcept { return *disk_; }

  /// Whether open() made the directory: there is nothing in it.
  [[nodiscard]] bool made() const noexcept { return made_; }

  /// Which file system it is on, as stat(2) has it; 0 when the system does not say.
  [[nodiscard]] std::uint64_t device() const noexcept;

  [[nodiscard]] std::string path(std::uint32_t number) const {
    return segment_path(directory_, number);
  }

  /// Removes a segment file; one that is not there is fine.
  void remove(std::uint32_t number) const noexcept;

  /// Makes what was created, renamed or removed in the directory survive power loss.
  [[nodiscard]] std::expected<void, base::Error> sync_directory() const;

  /// Sets the processed mark of a received record in a segment that is no longer mapped, if one
  /// begins there. One that is there stays, but a late one becomes final.
  [[nodiscard]] MarkedInFile mark_processed(std::uint32_t number, std::uint32_t offset,
                                            format::Mark value) const noexcept;

  /// Takes the mark of the record at `offset` away again, through to the disk. NotFound and the
  /// system's errors as Io.
  [[nodiscard]] std::expected<void, base::Error> take_mark(std::uint32_t number,
                                                           std::uint32_t offset) const;

 private:
  SegmentFiles(std::string directory, int lock, bool made, Disk& disk) noexcept;

  std::string directory_;
  Disk* disk_;
  int lock_ = -1;
  bool made_ = false;
};

/// Writes `bytes` to a new file at `path`, through to the disk. An existing one of the same bytes
/// is fine.
[[nodiscard]] std::expected<void, base::Error> write_file(const std::string& path,
                                                          std::string_view bytes,
                                                          Disk& disk = system_disk());

/// All bytes of the file at `path`. NotFound, Io, Denied.
[[nodiscard]] std::expected<std::string, base::Error> read_file(const std::string& path);

}  // namespace affix::inline v0::journal
