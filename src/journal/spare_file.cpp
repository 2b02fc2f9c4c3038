// SPDX-License-Identifier: MIT
// Reuses a segment's file: checks that no other process has it, and clears its contents.
#include "journal/spare_file.hpp"

#include "journal/sole_owner.hpp"

#include <algorithm>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace affix::inline v0::journal {

namespace {

/// Writes early, so that the final flush, which is waited for, has little left to do.
constexpr std::size_t sent_to_disk_at_once = std::size_t{1} << 20;

}  // namespace

std::string SpareFile::path_in(const std::string& directory) {
  return directory + "/spare";
}

bool SpareFile::keep(const SegmentFiles& files, std::uint32_t number, std::size_t bytes) noexcept {
  const bool has_it = state_ != State::Nothing && bytes_ == bytes;
  if (has_it || files.disk().rename(files.path(number), path_in(files.directory())) != 0) {
    return false;
  }
  state_ = State::Used;
  bytes_ = bytes;
  zeroed_to_ = 0;
  return true;
}

void SpareFile::drop(const SegmentFiles& files) noexcept {
  if (std::exchange(state_, State::Nothing) != State::Nothing) {
    static_cast<void>(files.disk().remove(path_in(files.directory())));
  }
}

void SpareFile::clean_step(const SegmentFiles& files, std::size_t at_once) noexcept {
  Disk& disk = files.disk();
  const std::string path = path_in(files.directory());
  int file = -1;
  bool done =
      disk.open_file(path, O_RDWR, file) == 0 && (zeroed_to_ != 0 || is_ours_alone(file, bytes_));
  if (done && zeroed_to_ == bytes_) {
    done = disk.sync_file(file, path) == 0;
    state_ = State::Clean;
  } else if (done) {
    const std::size_t end = std::min(zeroed_to_ + Segment::filled_in_a_step, bytes_);
    while (done && zeroed_to_ < end) {
      const std::size_t piece = std::min(at_once, end - zeroed_to_);
      done = disk.write(file, path, zeros().substr(0, piece), zeroed_to_) == 0;
      zeroed_to_ += piece;
    }
    if (zeroed_to_ == bytes_ || zeroed_to_ % sent_to_disk_at_once == 0) {
      disk.begin_sync(path);
    }
  }
  if (file >= 0) {
    close(file);
  }
  if (!done) {
    drop(files);
  }
}

Segment* SpareFile::make_segment(const SegmentFiles& files, const std::string& path,
                                 std::size_t bytes, const Segment::Making& making) {
  if (state_ != State::Clean || bytes_ != bytes) {
    return nullptr;
  }
  const std::string spare = path_in(files.directory());
  int file = -1;
  // Checks again: a process that opened it by its former name may have been slow.
  if (files.disk().open_file(spare, O_RDWR, file) != 0 || !is_ours_alone(file, bytes)) {
    if (file >= 0) {
      close(file);
    }
    drop(files);
    return nullptr;
  }
  state_ = State::Nothing;
  // The destructor removes the file if it does not become a segment.
  std::expected<UnnamedSegment, base::Error> unnamed =
      UnnamedSegment::of_file(spare, file, path, bytes, making, false, files.disk());
  const std::expected<Segment*, base::Error> named =
      unnamed ? unnamed->name() : std::unexpected(unnamed.error());
  return named ? *named : nullptr;
}

}  // namespace affix::inline v0::journal
