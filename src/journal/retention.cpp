// SPDX-License-Identifier: MIT
// Selects and removes or archives old segments, on the helper thread.
#include "journal/retention.hpp"

#include "affix/base/time.hpp"
#include "affix/journal/format.hpp"

#include "journal/let_go.hpp"
#include "os/file_blocks.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <string>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace affix::inline v0::journal {

namespace {

constexpr std::int64_t day_ns = 86'400 * base::ns_per_second;

struct Old {
  std::uint32_t number = 0;
  std::uint64_t bytes = 0;
  std::int64_t created_ns = 0;
  std::uint64_t journal_id = 0;
};

// Nullopt: there is no file, or it is prepared and not begun.
std::expected<std::optional<Old>, base::Error> look_at(const std::string& path,
                                                       std::uint32_t number) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    if (errno == ENOENT) {
      return std::nullopt;
    }
    return std::unexpected(base::make_system_error("open", errno, path));
  }
  format::Header header;
  struct stat status{};
  const ssize_t size = pread(file, &header, sizeof(header), 0);
  const int error_number = size < 0 || fstat(file, &status) != 0 ? errno : 0;
  ::close(file);
  if (error_number != 0) {
    return std::unexpected(base::make_system_error("read", error_number, path));
  }
  if (size != static_cast<ssize_t>(sizeof(header)) || header.magic != format::magic) {
    return std::nullopt;
  }
  return Old{number, static_cast<std::uint64_t>(status.st_size), header.created_utc_ns,
             header.journal_id};
}

// True if all records of a segment are too old; `ended_ns` is the time at which the next segment
// was created.
bool too_old(const Options& options, std::int64_t ended_ns, std::int64_t utc_ns) noexcept {
  const bool by_age = options.keep_ns != 0 && utc_ns - ended_ns > options.keep_ns;
  const std::int64_t days = utc_ns / day_ns - ended_ns / day_ns;
  return by_age || (options.keep_days != 0 && days >= options.keep_days);
}

base::Error filesystem_error(const char* call, const std::error_code& failure,
                             const std::string& path) {
  return base::make_system_error(call, failure.value(), path);
}

/// Removing a file frees its cached pages in one go, which takes milliseconds for a large file.
/// Nearly all pages of an old segment are on the disk, so they are dropped piece by piece first: a
/// thread woken on this processor waits for one piece at most.
void remove_by_pieces(const SegmentFiles& files, std::uint32_t number) {
  const int file = ::open(files.path(number).c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status{};
  if (file >= 0) {
    const std::uint64_t end =
        fstat(file, &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
    for (std::uint64_t at = 0; at < end; at += let_go_of_in_a_step) {
      os::drop_cached(file, at, let_go_of_in_a_step);
    }
    ::close(file);
  }
  files.remove(number);
}

void keep_or_remove(const SegmentFiles& files, const Old& old, const LettingGo& now) {
  if (old.bytes != now.segment_bytes || !now.spare.keep(files, old.number, old.bytes)) {
    remove_by_pieces(files, old.number);
  }
}

// Never overwrites a file: another journal of the same session may have been archived there.
std::expected<void, base::Error> archive(const SegmentFiles& files, const Options& options,
                                         const Old& old, const LettingGo& now) {
  // Otherwise a power loss could remove the archive after the segment has left the journal.
  if (const int made = make_directories(files.disk(), options.archive_directory); made != 0) {
    return std::unexpected(base::make_system_error("mkdir", made, options.archive_directory));
  }
  std::error_code failure;
  const std::string from = files.path(old.number);
  std::string to = segment_path(options.archive_directory, old.number);
  if (std::filesystem::exists(to, failure)) {
    char id[24];
    std::snprintf(id, sizeof(id), ".%016llx", static_cast<unsigned long long>(old.journal_id));
    to += id;
  }
  const int error_number = files.disk().rename(from, to);
  if (error_number == 0) {
    return {};
  }
  if (error_number != EXDEV) {
    return std::unexpected(base::make_system_error("rename", error_number, from));
  }
  // Another file system: the copy must be complete before the original is removed.
  const std::string partial = to + ".new";
  std::filesystem::copy_file(from, partial, std::filesystem::copy_options::overwrite_existing,
                             failure);
  if (failure) {
    return std::unexpected(filesystem_error("copy", failure, partial));
  }
  int file = -1;
  int copy_error = files.disk().open_file(partial, O_RDWR, file);
  if (copy_error == 0) {
    copy_error = files.disk().sync_file(file, partial);
    ::close(file);
  }
  if (copy_error == 0) {
    copy_error = files.disk().rename(partial, to);
  }
  // Flushes the name, too; otherwise a power loss could remove the copy after the original is gone.
  if (copy_error == 0) {
    copy_error = files.disk().sync_directory(options.archive_directory);
  }
  if (copy_error != 0) {
    return std::unexpected(base::make_system_error("copy", copy_error, to));
  }
  keep_or_remove(files, old, now);
  return {};
}

}  // namespace

// Removes none if one cannot be looked at: it would stay, and those after it would go, a hole,
// which the next opening refuses.
std::expected<void, base::Error> Retention::select(const SegmentFiles& files,
                                                   const Options& options, const LettingGo& now) {
  const std::expected<std::vector<std::uint32_t>, base::Error> numbers =
      list_segments(files.directory());
  if (!numbers) {
    return std::unexpected(numbers.error());
  }
  std::vector<Old> all;
  std::uint64_t bytes = 0;
  for (const std::uint32_t number : *numbers) {
    const std::expected<std::optional<Old>, base::Error> old = look_at(files.path(number), number);
    if (!old) {
      return std::unexpected(old.error());
    }
    if (*old) {
      all.push_back(**old);
      bytes += (*old)->bytes;
    }
  }
  for (std::size_t at = 0; at + 1 < all.size() && all[at].number < now.keep_from; ++at) {
    const bool too_many = options.keep_bytes != 0 && bytes > options.keep_bytes;
    if (!too_many && !too_old(options, all[at + 1].created_ns, now.utc_ns)) {
      break;
    }
    bytes -= all[at].bytes;
    expired_.push_back(all[at].number);
  }
  std::ranges::reverse(expired_);
  return {};
}

std::expected<void, base::Error> Retention::let_go_of_next(const SegmentFiles& files,
                                                           const Options& options,
                                                           const LettingGo& now) {
  const std::expected<std::optional<Old>, base::Error> old =
      look_at(files.path(expired_.back()), expired_.back());
  if (!old) {
    return std::unexpected(old.error());
  }
  expired_.pop_back();
  if (!*old) {
    return {};  // Removed by others meanwhile.
  }
  if (options.archive_directory.empty()) {
    keep_or_remove(files, **old, now);
  } else if (std::expected<void, base::Error> moved = archive(files, options, **old, now); !moved) {
    return moved;
  }
  // Before the next file is removed: a power loss that restores this name but not the next would
  // leave a hole.
  std::expected<void, base::Error> gone = files.sync_directory();
  if (!gone) {
    now.spare.drop(files);  // Its former name may still be on the disk as a segment's.
  }
  return gone;
}

std::expected<void, base::Error> Retention::let_go_of_oldest(const SegmentFiles& files,
                                                             const Options& options,
                                                             const LettingGo& now) {
  std::expected<void, base::Error> done;
  if (expired_.empty()) {
    done = select(files, options, now);
  }
  if (done && !expired_.empty()) {
    done = let_go_of_next(files, options, now);
  }
  if (!done) {
    expired_.clear();  // Selected anew the next time.
  }
  return done;
}

}  // namespace affix::inline v0::journal
