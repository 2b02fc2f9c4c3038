// SPDX-License-Identifier: MIT
// One mapped segment: header, state slots, index and records. Private to journal. All bytes read
// from it are checked before use: the file may contain anything.
#pragma once

#include "affix/base/error.hpp"
#include "affix/journal/disk.hpp"
#include "affix/journal/format.hpp"
#include "affix/journal/new_pages.hpp"
#include "affix/journal/record.hpp"

#include "os/mappings.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace affix::inline v0::journal {

/// How stores to a segment reach the file.
enum class SegmentAccess : std::uint8_t {
  ReadOnly,   ///< No stores.
  ReadWrite,  ///< Through the mapping.
  Written,    ///< Only by store() and sync(): pwrite costs a third of flushing a mapping, which
              ///< must clean page tables.
  InMemory,   ///< There is no file.
};

/// First contents of a segment.
struct SegmentBegin {
  format::Header header;
  format::State state;
};

/// Checks that parse_record() makes before it returns a record.
enum class Check : std::uint8_t { Crc, FormOnly };

/// A mapping with a count of its users, so that a replay may stay in a segment that the writer has
/// left.
class Segment {
 public:
  using Access = SegmentAccess;

  /// Maps the file at `path` with its full length. NotFound, Damaged (no segment has that length),
  /// Io, Denied.
  [[nodiscard]] static std::expected<Segment*, base::Error> map(const std::string& path,
                                                                Access access,
                                                                Disk& disk = system_disk());

  struct Making {
    Access access = Access::ReadWrite;
    NewPages new_pages = NewPages::Written;
  };

  /// Creates or replaces the file at `path`, allocates `bytes` on the disk and maps it, with the
  /// first pages present if the access is ReadWrite; prepare_pages() does the others. Leaves
  /// nothing on failure. NoSpace, Io, Denied.
  [[nodiscard]] static std::expected<Segment*, base::Error> create(const std::string& path,
                                                                   std::size_t bytes,
                                                                   const Making& making,
                                                                   Disk& disk);

  /// Does the same in the `bytes` of this process's memory at `base`, which are zero, stay the
  /// caller's and outlive the segment. Does not touch their pages. Null: out of memory.
  [[nodiscard]] static Segment* create_in_memory(char* base, std::size_t bytes) noexcept;

  Segment(const Segment&) = delete;
  Segment& operator=(const Segment&) = delete;

  void add_reference() noexcept { references_.fetch_add(1, std::memory_order_relaxed); }

  /// With the last reference, unmaps a file and deletes the object.
  void drop_reference() noexcept;

  [[nodiscard]] char* base() const noexcept { return base_; }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  /// Latest end of the records: the size, or less after the writer has left a ring's segment.
  [[nodiscard]] std::size_t records_limit() const noexcept { return records_limit_; }

  void set_records_limit(std::size_t limit) noexcept { records_limit_ = limit; }

  [[nodiscard]] std::uint32_t number() const noexcept { return header().segment_number; }

  /// True if its writer has begun to use it. Acquires: the header is readable then.
  [[nodiscard]] bool begun() const noexcept;

  [[nodiscard]] const format::Header& header() const noexcept {
    return *reinterpret_cast<const format::Header*>(base_);
  }

  [[nodiscard]] format::Header& header() noexcept {
    return *reinterpret_cast<format::Header*>(base_);
  }

  [[nodiscard]] format::SparseIndex& index() noexcept {
    return *reinterpret_cast<format::SparseIndex*>(base_ + format::index_offset);
  }

  /// Checks that it has a complete header that this build understands. Unsupported, Damaged.
  [[nodiscard]] std::expected<void, base::Error> check_header(std::uint32_t number,
                                                              const std::string& path) const;

  /// Stores the header with its magic and CRC, the first state and an empty index, then commits.
  void begin(const SegmentBegin& begin) noexcept;

  /// Check for its records: those in memory have no CRC.
  [[nodiscard]] Check check() const noexcept {
    return access_ == Access::InMemory ? Check::FormOnly : Check::Crc;
  }

  /// The newer valid state; nullopt when neither slot has one.
  [[nodiscard]] std::optional<format::State> state() const noexcept;

  /// True if the end of its records is marked.
  [[nodiscard]] bool marked() const noexcept { return (header().flags & format::flag_marked) != 0; }

  /// End of its records once its writer has continued in the next segment; nullopt before.
  [[nodiscard]] std::optional<std::uint32_t> left() const noexcept;

  /// One store. The next segment is completely begun before.
  void set_left(std::uint32_t end) noexcept;

  /// Makes it the segment to continue in again.
  void clear_left() noexcept;

  /// Stores an end mark at `offset` if there is room for one. The zero length before it is already
  /// there.
  void set_end_mark(std::size_t offset) noexcept;

  /// Stores `state` in the older slot, with the next generation and its CRC.
  void set_state(format::State state) noexcept;

  /// Access::Written: writes the bytes from `begin` to `end` to the file, not yet to the disk.
  /// Otherwise does nothing.
  [[nodiscard]] std::expected<void, base::Error> store(std::size_t begin, std::size_t end,
                                                       const std::string& path) const;

  /// Writes the bytes from `begin` to `end` to the disk and waits; with Access::Written also
  /// earlier store() calls.
  [[nodiscard]] std::expected<void, base::Error> sync(std::size_t begin, std::size_t end,
                                                      const std::string& path) const;

  /// Records, through to the disk, that all of its records are there and end at `end`; `state` has
  /// the other fields. Call when the next segment is on the disk as well.
  [[nodiscard]] std::expected<void, base::Error> seal(format::State state, std::uint32_t end,
                                                      const std::string& path);

  /// Access::ReadWrite: removes the whole pages up to `end`, from that of `begin` on, from the page
  /// tables at once. They stay in memory; the next access takes a page fault. Otherwise sync()
  /// would interrupt, page by page, every processor on which a thread of this process runs. Does
  /// nothing with other accesses. Callable in parallel to the writer.
  void unmap_pages(std::size_t begin, std::size_t end) noexcept;

  /// Access::ReadWrite: sync() leaves pages write-protected, and the first store to each takes a
  /// page fault. Takes it here for the page of `at`. Does nothing with other accesses. Callable in
  /// parallel to the writer.
  void make_writable(std::size_t at) noexcept;

  /// After a failed sync() the system may count pages as clean that never reached the disk. Makes
  /// them dirty, so that the next sync() tries again. Callable in parallel to the writer.
  void touch(std::size_t begin, std::size_t end) noexcept;

  /// Access::Written: gives back the memory of the whole pages between `begin` and `end`, whose
  /// bytes the file has; the next access reads them from there. Otherwise does nothing.
  void release_pages(std::size_t begin, std::size_t end) noexcept;

  /// Offset of the first page after `begin` that is not in memory, `end` when all are. Cheap: one
  /// system call a megabyte, no disk access.
  [[nodiscard]] std::size_t resident_end(std::size_t begin, std::size_t end) const noexcept;

  /// Makes later faults read only their own page; bring_in() then decides what is read.
  void suppress_readahead() const noexcept;

  /// Brings the pages between `begin` and `end` into memory and into the mapping, so that reading
  /// them neither waits nor faults. Blocks on the disk. False: a page cannot be read.
  [[nodiscard]] bool bring_in(std::size_t begin, std::size_t end) const noexcept;

  /// Access::ReadOnly: removes the whole pages between `begin` and `end` from the mapping.
  void give_back(std::size_t begin, std::size_t end) noexcept;

  /// Drops them from the system's cache of the file at `path`, unless another process maps them.
  void forget(std::size_t begin, std::size_t end, const std::string& path) const noexcept;

  /// Access::Written: sets a byte in the file only.
  void store_byte(std::size_t offset, char value, const std::string& path) const noexcept;

  /// True if a page could not be read and is now zero: its contents must not be used.
  [[nodiscard]] bool lost() const noexcept { return lost_.load(std::memory_order_relaxed); }

  [[nodiscard]] bool is_written() const noexcept { return access_ == Access::Written; }

  // --- Pages made present and writable ahead of the writer, so that its stores do not fault. The
  // one thread that may do so fills the file with zeros in pieces, since pages made by writing cost
  // a fifth: the preparing thread until the writer has taken the segment, then the writer. The
  // writer never stores at or after present_end(), so filled bytes were never stored to. ---

  /// Maximum bytes that one step makes present. Fewer if that takes longer than a message may be
  /// delayed: a virtual machine's host may have to provide the memory first, 10 us a page.
  static constexpr std::size_t filled_in_a_step = std::size_t{64} * 1024;
  static constexpr std::size_t populated_in_a_step = std::size_t{16} * 1024;

  /// Sixteen of the longest steps, so that a burst does not use them up at once.
  static constexpr std::size_t present_ahead_min = std::size_t{1} << 20;

  /// True if pages at or after present_end() are still to be prepared. Any thread.
  [[nodiscard]] bool lacks_pages() const noexcept {
    return access_ == Access::ReadWrite && present_end() < size_;
  }

  /// Distance ahead of the writer at which pages are made present: as much as it stores in seconds,
  /// as a segment lasts minutes. Pages prepared earlier would be written back before they are
  /// stored to, and then cost another fault each.
  [[nodiscard]] std::size_t present_ahead() const noexcept {
    return std::max(size_ / 8, present_ahead_min);
  }

  /// Called by the writer, which stores at `offset` next.
  void want_pages_ahead_of(std::size_t offset) noexcept {
    wanted_end_.store(std::min(offset + present_ahead(), size_), std::memory_order_relaxed);
  }

  /// True if pages that the writer needs next are missing. Any thread.
  [[nodiscard]] bool lacks_wanted_pages() const noexcept {
    return lacks_pages() && present_end() < wanted_end_.load(std::memory_order_relaxed);
  }

  /// The writer may store before this offset, which only grows. Acquires. Any thread.
  [[nodiscard]] std::size_t present_end() const noexcept {
    return present_end_.load(std::memory_order_acquire);
  }

  /// Prepares the next pages, one step. A few system calls, which wait for memory. One thread at a
  /// time, in parallel to the writer.
  void prepare_pages() noexcept;

  /// Makes the index and the present pages of the next filled_in_a_step bytes from `at` on writable
  /// again, if the system has written them to the disk. In parallel to the writer; not in a segment
  /// in memory.
  void keep_writable(std::size_t at) noexcept;

  /// From here on only the writer fills. Called by the writer before its first store.
  void take() noexcept;

  /// Called by the writer when it reaches present_end(): prepares pages up to `end` itself. Waits
  /// for a step that prepare_pages() began before take().
  void prepare_pages_now(std::size_t end) noexcept;

  /// Segments in memory: makes the missing pages before `end` present. One thread at a time.
  void populate_to(std::size_t end) noexcept;

  /// Requests preparation of the pages from `begin` on, in a reopened segment.
  void lack_pages_from(std::size_t begin) noexcept {
    present_end_.store(begin, std::memory_order_relaxed);
  }

 private:
  friend class UnnamedSegment;

  /// Which thread may fill the file with zeros.
  enum class Filling : std::uint8_t {
    Nobody,          ///< No thread is filling; the preparing thread may.
    Now,             ///< The preparing thread is filling.
    NowThoughTaken,  ///< The preparing thread is filling for the last time; the writer waits for
                     ///< it.
    ForTheWriterOnly,
  };

  void make_first_pages_present(const std::string& path, const Making& made, bool begun) noexcept;
  [[nodiscard]] bool fill_step(std::size_t begin, std::size_t bytes) noexcept;
  void populate_step(std::size_t begin) noexcept;
  void populate(std::size_t begin, std::size_t end) noexcept;
  void move_present_end(std::size_t end) noexcept;

  Segment(char* base, std::size_t size, Access access, int file, Disk& disk) noexcept
      : base_(base), size_(size), records_limit_(size), access_(access), file_(file), disk_(&disk) {
    want_pages_ahead_of(0);
    if (access != Access::InMemory) {  // Pages in memory cannot be lost.
      os::enter_mapping(base_, size_, &lost_);
    }
  }

  ~Segment();

  char* base_;
  std::size_t size_;
  std::size_t records_limit_;
  Access access_;
  int file_;  // Open only with Access::Written, else -1.
  Disk* disk_;
  std::string fills_;  // Path of its file while that may be filled, else empty.
  std::size_t step_bytes_ = filled_in_a_step;  // For prepare_pages().
  std::atomic<std::size_t> present_end_{0};
  std::atomic<std::size_t> wanted_end_{0};  // Target of present_end_.
  std::atomic<Filling> filling_{Filling::ForTheWriterOnly};
  std::atomic<std::uint32_t> references_{1};
  std::atomic<bool> lost_{false};

 public:
  Segment* next_retired = nullptr;  ///< Link in the writer's list of segments to release.

  /// The segment in which its writer continued, for the flushing thread; holds a reference. Stored
  /// after `sealed_end`.
  std::atomic<Segment*> following{nullptr};
  std::size_t sealed_end = 0;  ///< End of the records once there is a following segment.
};

struct DropReference {
  void operator()(Segment* segment) const noexcept { segment->drop_reference(); }
};

/// Holds one reference.
using SegmentHandle = std::unique_ptr<Segment, DropReference>;

/// A segment whose file still has a temporary name, so that a file with a segment's name is always
/// complete, even after a kill or a power loss. The destructor removes the file unless name()
/// succeeded.
class UnnamedSegment {
 public:
  /// Does the same as Segment::create() up to the name; with `begin` also writes the first contents
  /// to the file. NoSpace, Io, Denied.
  [[nodiscard]] static std::expected<UnnamedSegment, base::Error> make(
      const std::string& path, std::size_t bytes, const Segment::Making& making,
      const SegmentBegin* begin, Disk& disk);

  /// Takes the open `file` named `unnamed`, whose `bytes` survive a power loss: zeros, or the first
  /// contents of a segment if `begun`. Owns the file from here on, also on failure. Io, Denied.
  [[nodiscard]] static std::expected<UnnamedSegment, base::Error> of_file(
      const std::string& unnamed, int file, const std::string& path, std::size_t bytes,
      const Segment::Making& making, bool begun, Disk& disk);

  UnnamedSegment(UnnamedSegment&&) noexcept = default;
  UnnamedSegment& operator=(UnnamedSegment&&) = delete;
  ~UnnamedSegment();

  /// Flushes the whole file to the disk.
  [[nodiscard]] std::expected<void, base::Error> sync() const;

  /// Gives the file its name, not flushed yet, and makes the first pages present. Call once.
  [[nodiscard]] std::expected<Segment*, base::Error> name();

 private:
  UnnamedSegment(std::string unnamed, std::string path, SegmentHandle segment,
                 const Segment::Making& making, bool begun, Disk& disk) noexcept
      : unnamed_(std::move(unnamed)),
        path_(std::move(path)),
        segment_(std::move(segment)),
        making_(making),
        begun_(begun),
        disk_(&disk) {}

  std::string unnamed_;  // Name of its file until name().
  std::string path_;
  SegmentHandle segment_;
  Segment::Making making_;
  bool begun_;
  Disk* disk_;
};

/// Page size of this system.
[[nodiscard]] std::size_t page_bytes() noexcept;

/// Zeros for one step of filling.
[[nodiscard]] std::string_view zeros() noexcept;

/// Checksums stored in a header and in a state slot.
[[nodiscard]] std::uint32_t header_crc(format::Header header) noexcept;
[[nodiscard]] std::uint32_t state_crc(const format::State& state) noexcept;

/// Checks that `base`, of `size` bytes, begins with a complete header of segment `number` that this
/// build understands. Unsupported, Damaged.
[[nodiscard]] std::expected<void, base::Error> check_segment_header(const char* base,
                                                                    std::size_t size,
                                                                    std::uint32_t number,
                                                                    const std::string& path);

/// The newer valid state of a segment; nullopt when neither slot has one.
[[nodiscard]] std::optional<format::State> newest_state(const char* base) noexcept;

/// Segment::left() of the bytes of segment `number`.
[[nodiscard]] std::optional<std::uint32_t> left_of(const char* base, std::uint32_t number) noexcept;

/// Result of parse_record() at an offset.
enum class Found : std::uint8_t {
  Record,
  End,  ///< No record is committed there, or there is no room for one.
  Bad,  ///< Committed bytes that are not a valid record.
};

struct Parsed {
  Found found = Found::End;
  std::size_t next_offset = 0;  ///< Found::Record: offset at which the next record may begin.
  Record record;
};

/// Reads the record at `offset`, a multiple of 8, of segment `number`, of which `limit` bytes may
/// be read. Check::FormOnly is for records whose CRC was checked before. Safe on any bytes.
[[nodiscard]] Parsed parse_record(const char* base, std::size_t limit, std::uint32_t number,
                                  std::size_t offset, Check check) noexcept;

/// The record whose header and message are the `length` bytes at `at`, at `offset` of segment
/// `number`. The caller has checked them.
[[nodiscard]] Record record_of(const char* at, std::size_t length, std::uint32_t number,
                               std::size_t offset) noexcept;

/// True if `bytes` are exactly one valid record at `offset` of segment `number`.
[[nodiscard]] bool is_whole_record(std::string_view bytes, std::uint32_t number,
                                   std::size_t offset) noexcept;

/// End of the last non-zero byte between `from` and `size`; `from` when all are zero.
[[nodiscard]] std::size_t used_end(const char* base, std::size_t from, std::size_t size) noexcept;

/// The processed mark of the record at `offset`, which parse_record() has found valid.
[[nodiscard]] char* mark_of(char* base, std::size_t offset) noexcept;

}  // namespace affix::inline v0::journal
