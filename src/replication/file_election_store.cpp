// SPDX-License-Identifier: MIT
// One file a group: a line with the revision, then the entry. Readers take no lock, since a rename
// replaces the whole file; writers hold the lock from the comparison to the rename.
#include "affix/replication/file_election_store.hpp"

#include "affix/base/text.hpp"
#include "affix/base/time.hpp"
#include "affix/os/clock.hpp"
#include "affix/os/file_descriptor.hpp"
#include "affix/os/read_file.hpp"
#include "affix/os/replace_file.hpp"

#include "replication/store_thread.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <time.h>
#include <utility>

namespace affix::inline v0::replication {

namespace {

constexpr std::string_view revision_key = "revision=";

/// Of a file: the entry and the line before it.
constexpr std::size_t file_bytes_max = entry_text_bytes_max + 64;

/// The lock is held for the time of two flushes; a process that is stopped while it has it must not
/// keep the others waiting for ever.
constexpr std::int64_t lock_wait_ns = 2 * base::ns_per_second;
constexpr timespec lock_pause{.tv_sec = 0, .tv_nsec = base::ns_per_ms};

class FileStore final : public BlockingStore {
 public:
  explicit FileStore(std::string directory) : directory_(std::move(directory)) {}

  Answer carry_out(const StoreRequest& request) override {
    if (request.kind == RequestKind::Read) {
      return read(request);
    }
    const std::string lock_path = path_of(request.group, ".lock");
    const os::FileDescriptor lock(::open(lock_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
    if (!lock.is_open()) {
      return failure(request, Outcome::Unreachable,
                     base::make_system_error("open", errno, lock_path));
    }
    if (const int fault = take_lock(lock); fault != 0) {
      return failure(request, Outcome::Unreachable,
                     base::make_system_error("flock", fault, lock_path));
    }
    Answer present = read(request);
    if (present.outcome != Outcome::Done) {
      return present;
    }
    if (present.revision != request.expected_revision) {
      present.outcome = Outcome::Conflict;
      return present;
    }
    return write(request, present.revision);
  }

  std::vector<Answer> read_all(const std::vector<std::string>& groups) override {
    std::vector<Answer> answers;
    for (const std::string& group : groups) {
      answers.push_back(read({.group = group}));
    }
    return answers;
  }

  void interrupt() noexcept override {
    // Ordered before nothing: it only shortens a wait.
    is_interrupted_.store(true, std::memory_order_relaxed);
  }

 private:
  [[nodiscard]] std::string path_of(const std::string& group, std::string_view ending) const {
    return directory_ + "/" + group + std::string(ending);
  }

  /// 0, or a number of errno.
  [[nodiscard]] int take_lock(const os::FileDescriptor& lock) const noexcept {
    const std::int64_t end_ns = os::now().steady_ns + lock_wait_ns;
    while (::flock(lock.number(), LOCK_EX | LOCK_NB) != 0) {
      const bool may_wait = errno == EWOULDBLOCK || errno == EINTR;
      if (!may_wait || os::now().steady_ns >= end_ns ||
          is_interrupted_.load(std::memory_order_relaxed)) {
        return errno;
      }
      ::nanosleep(&lock_pause, nullptr);
    }
    return 0;
  }

  /// The present entry, as the answer to `request`.
  [[nodiscard]] Answer read(const StoreRequest& request) const {
    Answer answer{.group = request.group, .kind = answer_to(request.kind)};
    const std::string path = path_of(request.group, ".election");
    auto text = os::read_file(path, file_bytes_max);
    if (!text) {
      if (text.error().code == base::ErrorCode::NotFound) {
        return answer;
      }
      const auto outcome =
          text.error().code == base::ErrorCode::Limit ? Outcome::Damaged : Outcome::Unreachable;
      return failure(request, outcome, std::move(text.error()));
    }
    const auto damaged = [&](base::Error error) {
      error.where = path;
      return failure(request, Outcome::Damaged, std::move(error));
    };
    std::string_view rest = *text;
    const std::size_t line_end = rest.find('\n');
    const std::string_view line = rest.substr(0, line_end);
    if (line_end == std::string_view::npos || !line.starts_with(revision_key)) {
      return damaged({base::ErrorCode::Damaged,
                      "not an election entry: the file does not begin with a revision",
                      {},
                      "R201"});
    }
    answer.revision =
        base::parse_number<std::uint64_t>(line.substr(revision_key.size())).value_or(0);
    if (answer.revision == 0) {
      return damaged({base::ErrorCode::Damaged,
                      "not an election entry: the file's revision is not a number",
                      {},
                      "R201"});
    }
    rest.remove_prefix(line_end + 1);
    auto entry = parse_entry(rest);
    if (!entry) {
      return damaged(std::move(entry.error()));
    }
    answer.entry = std::move(*entry);
    return answer;
  }

  [[nodiscard]] Answer write(const StoreRequest& request, std::uint64_t before) const {
    // By the clock, so that no revision comes again after an operator has removed the file; one
    // greater, whatever the clock says.
    const std::uint64_t revision = std::max(
        before + 1,
        static_cast<std::uint64_t>(std::max<std::int64_t>(1, os::read_clock_ns(CLOCK_REALTIME))));
    const std::string text =
        std::string(revision_key) + std::to_string(revision) + "\n" + to_text(request.entry);
    auto replaced = os::replace_file(path_of(request.group, ".election"), text, 0644);
    if (!replaced) {
      // If only the directory was not flushed, the new file is there, and may go with a power loss.
      const bool is_there = read(request).revision == revision;
      return failure(request, is_there ? Outcome::Unknown : Outcome::Unreachable,
                     std::move(replaced.error()));
    }
    return {.group = request.group,
            .kind = answer_to(request.kind),
            .entry = request.entry,
            .revision = revision};
  }

  std::string directory_;
  std::atomic<bool> is_interrupted_{false};
};

}  // namespace

std::expected<std::unique_ptr<ElectionStore>, base::Error> open_file_election_store(
    const FileElectionStoreOptions& options) {
  std::error_code fault;
  std::filesystem::create_directories(options.directory, fault);
  if (fault) {
    return std::unexpected(base::make_system_error("mkdir", fault.value(), options.directory));
  }
  if (::access(options.directory.c_str(), R_OK | W_OK | X_OK) != 0) {
    return std::unexpected(base::make_system_error("access", errno, options.directory));
  }
  std::string place = "file " + options.directory;
  return std::make_unique<StoreThread>(std::make_unique<FileStore>(options.directory),
                                       std::make_unique<FileStore>(options.directory),
                                       options.watch_ns, std::move(place));
}

}  // namespace affix::inline v0::replication
