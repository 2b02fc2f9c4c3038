// SPDX-License-Identifier: MIT
// Opens journals, one or many: checks options, and runs each step for all of them, so that the disk
// is waited for between two steps, not for each journal in turn.
#include "affix/journal/journal.hpp"
#include "affix/os/file_descriptor.hpp"

#include "journal/fresh_id.hpp"
#include "journal/home.hpp"
#include "journal/opening.hpp"
#include "journal/segment_size.hpp"

#include <algorithm>
#include <bit>
#include <fcntl.h>
#include <string>
#include <unistd.h>
#include <utility>

namespace affix::inline v0::journal {

namespace {

constexpr std::uint64_t segment_bytes_min = 8 * 1024;
constexpr std::uint64_t numbers_only_segment_bytes = 64 * 1024;

/// A disk writes as much in the time that flushing one journal's file and directory takes. All
/// programs together may have more unwritten data than the journals.
constexpr std::uint64_t written_instead_of_a_flush = 256 * 1024;

base::Error invalid(std::string message, const Options& options, base::MessageCode code) {
  return {base::ErrorCode::InvalidArgument, std::move(message), options.directory, code};
}

std::expected<Options, base::Error> checked(Options options) {
  if (options.identity.empty() || options.identity.size() > format::identity_bytes_max) {
    return std::unexpected(
        invalid("identity must have 1 to " + std::to_string(format::identity_bytes_max) + " bytes",
                options, "J203"));
  }
  if (options.durability != Durability::Memory && options.directory.empty()) {
    return std::unexpected(invalid("directory is missing", options, "J203"));
  }
  if (options.durability == Durability::Memory && options.role == JournalRole::Copy) {
    return std::unexpected(
        invalid("a journal in memory cannot be a copy of another one", options, "J203"));
  }
  if (options.max_segment_bytes > segment_bytes_max ||
      options.first_segment_bytes > segment_bytes_max || options.ring_bytes > segment_bytes_max ||
      options.ring_message_bytes_max > segment_bytes_max / 2) {
    return std::unexpected(
        invalid("a journal segment has at most " + std::to_string(segment_bytes_max) + " bytes",
                options, "J203"));
  }
  if (options.max_segment_bytes == 0) {
    options.first_segment_bytes = numbers_only_segment_bytes;
  } else {
    options.max_segment_bytes =
        std::bit_ceil(std::max(options.max_segment_bytes, segment_bytes_min));
    options.first_segment_bytes =
        std::min(std::bit_ceil(std::max(options.first_segment_bytes, segment_bytes_min)),
                 options.max_segment_bytes);
  }
  return options;
}

/// A file system that contains journals.
class FileSystem {
 public:
  /// Before the first store to them.
  FileSystem(Disk& disk, std::uint64_t device, const std::string& directory)
      : disk_(&disk), device_(device), directory_(directory) {
    int file = -1;
    if (disk_->open_file(directory_, O_RDONLY | O_DIRECTORY, file) == 0) {
      file_ = os::FileDescriptor(file);
    }
  }

  [[nodiscard]] bool is(const Disk& disk, std::uint64_t device) const noexcept {
    return disk_ == &disk && device_ == device;
  }

  /// False: some data may not be on the disk, and each journal must flush its own.
  [[nodiscard]] bool sync(std::size_t journals) const noexcept {
    return file_.is_open() && disk_->sync_file_system(file_.number(), directory_,
                                                      journals * written_instead_of_a_flush) == 0;
  }

 private:
  Disk* disk_;
  std::uint64_t device_;
  std::string directory_;
  os::FileDescriptor file_;
};

}  // namespace

base::Error no_copy_in(const std::string& directory) {
  return {base::ErrorCode::NotFound, "no journal to follow another one with", directory, "J224"};
}

/// The journals of one open_all().
class Journal::OpenedTogether {
 public:
  explicit OpenedTogether(std::span<const Options> options) : all_(options.size()) {
    for (std::size_t at = 0; at < options.size(); ++at) {
      attempt(all_[at], [&](Opening& opening) { return begin(opening, options[at]); });
    }
    bring(&Opening::wants_first_on_disk, &Opening::bring_first);
    for (Opening& opening : all_) {
      attempt(opening, [](Opening& one) { return one.journal->make_usable(one); });
    }
    bring(&Opening::wants_name_on_disk, &Opening::bring_name);
    for (Opening& opening : all_) {
      attempt(opening, [](Opening& one) { return one.journal->finish_opening(one); });
    }
  }

  [[nodiscard]] std::vector<std::expected<std::unique_ptr<Journal>, base::Error>> take() {
    std::vector<std::expected<std::unique_ptr<Journal>, base::Error>> opened;
    opened.reserve(all_.size());
    for (Opening& opening : all_) {
      if (opening.failure) {
        opened.emplace_back(std::unexpected(std::move(*opening.failure)));
      } else {
        opened.emplace_back(std::move(opening.journal));
      }
    }
    return opened;
  }

 private:
  using Result = std::expected<void, base::Error>;

  /// After a failure no step runs for it, and its resources are released.
  template <typename Step>
  static void attempt(Opening& opening, const Step& step) {
    const bool goes_on = !opening.failure && (opening.journal == nullptr || opening.in_files());
    if (!goes_on) {
      return;
    }
    if (Result done = step(opening); !done) {
      opening.failure = std::move(done.error());
      opening.first.reset();
      opening.journal.reset();
    }
  }

  Result begin(Opening& opening, const Options& wanted) {
    std::expected<Options, base::Error> usable = checked(wanted);
    if (!usable) {
      return std::unexpected(usable.error());
    }
    Disk& disk = usable->disk != nullptr ? *usable->disk : system_disk();
    if (&disk != boot_of_) {
      boot_of_ = &disk;
      boot_ = disk.boot_id();
    }
    opening.journal.reset(new Journal(*usable, boot_));
    Journal& journal = *opening.journal;
    if (journal.in_memory()) {
      return journal.open_in_memory();
    }
    if (journal.is_copy() && ::access(usable->directory.c_str(), F_OK) != 0) {
      return std::unexpected(no_copy_in(usable->directory));
    }
    std::expected<SegmentFiles, base::Error> files = SegmentFiles::open(usable->directory, disk);
    if (!files) {
      return std::unexpected(files.error());
    }
    if (all_.size() > 1) {
      opening.file_system = file_system_of(*files);
    }
    journal.home_->files.emplace(std::move(*files));
    return journal.find_or_begin(opening);
  }

  std::size_t file_system_of(const SegmentFiles& files) {
    const std::uint64_t device = files.device();
    const auto known = std::ranges::find_if(
        file_systems_, [&](const FileSystem& one) { return one.is(files.disk(), device); });
    if (known != file_systems_.end()) {
      return static_cast<std::size_t>(known - file_systems_.begin());
    }
    file_systems_.emplace_back(files.disk(), device, files.directory());
    return file_systems_.size() - 1;
  }

  /// Brings to the disk what `wants` reports for each: by file system, or each alone.
  void bring(bool (Opening::*wants)() const noexcept, Result (Opening::*alone)()) {
    const auto waits = [&](const Opening& opening) {
      return !opening.failure && opening.in_files() && (opening.*wants)();
    };
    std::vector<bool> brought;
    for (std::size_t number = 0; number < file_systems_.size(); ++number) {
      const auto journals =
          static_cast<std::size_t>(std::ranges::count_if(all_, [&](const Opening& opening) {
            return waits(opening) && opening.file_system == number;
          }));
      brought.push_back(journals > 1 && file_systems_[number].sync(journals));
    }
    for (Opening& opening : all_) {
      if (waits(opening) && (brought.empty() || !brought[opening.file_system])) {
        attempt(opening, [&](Opening& one) { return (one.*alone)(); });
      }
    }
  }

  std::vector<Opening> all_;
  std::vector<FileSystem> file_systems_;
  Disk* boot_of_ = nullptr;  // Disk from which boot_ was read.
  BootId boot_;
};

std::expected<std::unique_ptr<Journal>, base::Error> Journal::open(const Options& options) {
  return std::move(OpenedTogether({&options, 1}).take().front());
}

std::vector<std::expected<std::unique_ptr<Journal>, base::Error>> Journal::open_all(
    std::span<const Options> options) {
  return OpenedTogether(options).take();
}

std::expected<void, base::Error> Journal::open_in_memory() {
  home_->ring = std::make_unique<MemoryRing>();
  if (std::expected<void, base::Error> opened = home_->ring->open(options_); !opened) {
    return opened;
  }
  home_->journal_id = fresh_id();
  mapped_.use_ring(*home_->ring);
  Segment& first = *home_->ring->next(1);
  begin_segment(first, 1, disk().now().utc_ns);
  mapped_.begin_in(first);
  go_on_in(first, format::records_offset);
  recovered_.created = true;
  return {};
}

}  // namespace affix::inline v0::journal
