// SPDX-License-Identifier: MIT
// One mapped segment: its header, its state slots, its index and the records in it. Private to
// journal. Everything read from it is checked before it is believed: the file may hold any bytes.
#pragma once

#include "affix/base/error.hpp"
#include "affix/journal/disk.hpp"
#include "affix/journal/format.hpp"
#include "affix/journal/record.hpp"

#include "journal/mappings.hpp"

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

/// How what is stored in a segment reaches the file.
enum class SegmentAccess : std::uint8_t {
  ReadOnly,   ///< Nothing is stored.
  ReadWrite,  ///< By the mapping itself.
  Written,    ///< By store() and sync() only: a pwrite costs a third of what flushing a mapping
              ///< does, which has page tables to clean.
  InMemory,   ///< There is no file.
};

/// With what a segment begins.
struct SegmentBegin {
  format::Header header;
  format::State state;
};

/// What parse_record() looks at before it believes a record.
enum class Check : std::uint8_t { Crc, FormOnly };

/// A mapping with a count of those who use it, so that a replay may stay in a segment which the
/// writer has left.
class Segment {
 public:
  using Access = SegmentAccess;

  /// Maps the file at `path` as long as it is. NotFound, Damaged (no segment has that length), Io,
  /// Denied.
  [[nodiscard]] static std::expected<Segment*, base::Error> map(const std::string& path,
                                                                Access access,
                                                                Disk& disk = system_disk());

  struct Making {
    Access access = Access::ReadWrite;
    bool flushed_often = false;  ///< By pieces, while it is stored to.
  };

  /// Makes the file at `path`, or replaces it, gives it `bytes` of disk and maps it, with the first
  /// pages present when the access is ReadWrite; prepare_pages() sees to the others. Nothing is
  /// left behind on failure. NoSpace, Io, Denied.
  [[nodiscard]] static std::expected<Segment*, base::Error> create(const std::string& path,
                                                                   std::size_t bytes,
                                                                   const Making& making,
                                                                   Disk& disk);

  /// The same in the `bytes` of this process's memory at `base`, which hold zeros, stay the
  /// caller's and outlive it. Their pages are not looked at. Null: there is no memory for it.
  [[nodiscard]] static Segment* create_in_memory(char* base, std::size_t bytes) noexcept;

  Segment(const Segment&) = delete;
  Segment& operator=(const Segment&) = delete;

  void add_reference() noexcept { references_.fetch_add(1, std::memory_order_relaxed); }

  /// Unmaps what has a file, and deletes, with the last reference.
  void drop_reference() noexcept;

  [[nodiscard]] char* base() const noexcept { return base_; }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  /// Records end here at the latest: the size, or less where the writer has left a ring's segment.
  [[nodiscard]] std::size_t records_limit() const noexcept { return records_limit_; }

  void set_records_limit(std::size_t limit) noexcept { records_limit_ = limit; }

  [[nodiscard]] std::uint32_t number() const noexcept { return header().segment_number; }

  /// Whether its writer has begun to use it. Acquires: the header is readable then.
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

  /// Whether this is a whole header that this build understands. Unsupported, Damaged.
  [[nodiscard]] std::expected<void, base::Error> check_header(std::uint32_t number,
                                                              const std::string& path) const;

  /// Stores the header, whose magic and CRC are filled in here, the first state and an empty index,
  /// then commits.
  void begin(const SegmentBegin& begin) noexcept;

  /// For its records: those without a file have no CRC.
  [[nodiscard]] Check check() const noexcept {
    return access_ == Access::InMemory ? Check::FormOnly : Check::Crc;
  }

  /// The newer whole state, or nothing when neither slot holds one.
  [[nodiscard]] std::optional<format::State> state() const noexcept;

  /// Whether the end of its records is marked.
  [[nodiscard]] bool marked() const noexcept { return (header().flags & format::flag_marked) != 0; }

  /// Where its records end, once its writer has gone on in the next segment. Nothing before.
  [[nodiscard]] std::optional<std::uint32_t> left() const noexcept;

  /// One store. Everything of the segment that follows is stored before.
  void set_left(std::uint32_t end) noexcept;

  /// It is the one to go on in again.
  void clear_left() noexcept;

  /// Marks `offset` as the end of its records, where there is room for a mark. The length of zero
  /// before it is there.
  void set_end_mark(std::size_t offset) noexcept;

  /// Stores `state` in the older slot, with the next generation and its CRC.
  void set_state(format::State state) noexcept;

  /// Access::Written: brings the bytes from `begin` to `end` to the file, not yet to the disk.
  /// Nothing otherwise.
  [[nodiscard]] std::expected<void, base::Error> store(std::size_t begin, std::size_t end,
                                                       const std::string& path) const;

  /// Brings the bytes from `begin` to `end` to the disk and waits; with Access::Written also what
  /// was stored before.
  [[nodiscard]] std::expected<void, base::Error> sync(std::size_t begin, std::size_t end,
                                                      const std::string& path) const;

  /// Says through to the disk, where all of its records are, that they are there and end at `end`;
  /// `state` is the rest of what it says. What follows is on the disk as well.
  [[nodiscard]] std::expected<void, base::Error> seal(format::State state, std::uint32_t end,
                                                      const std::string& path);

  /// Access::ReadWrite: takes the whole pages up to `end`, from the one that `begin` is in, out of
  /// the page tables, all at once. They stay in memory, and who reads or stores there again finds
  /// them by a page fault. sync() of a page that is in the tables interrupts every processor on
  /// which a thread of this process runs, page by page. Nothing otherwise. Beside the writer.
  void unmap_pages(std::size_t begin, std::size_t end) noexcept;

  /// After a sync() that failed the system may call the pages clean though they never arrived.
  /// Makes them count as changed, so that the next sync() tries again. Beside the writer.
  void touch(std::size_t begin, std::size_t end) noexcept;

  /// Access::Written: gives the memory of the whole pages between `begin` and `end` back, whose
  /// bytes are those of the file; reading them brings them from there. Nothing otherwise.
  void release_pages(std::size_t begin, std::size_t end) noexcept;

  /// Where the first page behind `begin` is that is not in memory, `end` when all are. Cheap: one
  /// system call a megabyte, and no disk.
  [[nodiscard]] std::size_t resident_end(std::size_t begin, std::size_t end) const noexcept;

  /// From here on a fault reads its own page and nothing around it: what bring_in() asks for is
  /// all.
  void suppress_readahead() const noexcept;

  /// Brings the pages between `begin` and `end` into memory and into the mapping, so that reading
  /// them neither waits nor faults. Blocks on the disk. False: one cannot be had.
  [[nodiscard]] bool bring_in(std::size_t begin, std::size_t end) const noexcept;

  /// Access::ReadOnly: takes the whole pages between `begin` and `end` out of the mapping.
  void give_back(std::size_t begin, std::size_t end) noexcept;

  /// The same, out of the system's cache of the file at `path`, as far as nobody else maps them.
  void forget(std::size_t begin, std::size_t end, const std::string& path) const noexcept;

  /// Access::Written: sets a byte in the file alone.
  void store_byte(std::size_t offset, char value, const std::string& path) const noexcept;

  /// A page of it could not be had, and is empty now: what lies in it may not be believed.
  [[nodiscard]] bool lost() const noexcept { return lost_.load(std::memory_order_relaxed); }

  [[nodiscard]] bool is_written() const noexcept { return access_ == Access::Written; }

  // --- Pages made present and writable ahead of the writer, so that storing there faults no more.
  // Whoever has the segment for itself fills its file with zeros, piece by piece, as pages that
  // come so cost a fifth: before the writer has taken it the preparing thread, then the writer. It
  // never stores at or behind present_end(), so what is filled was never stored to. ---

  /// Bytes that one step makes present at most. Fewer where that takes longer than a message may be
  /// held up: a virtual machine's host may have to give the memory first, 10 us a page.
  static constexpr std::size_t filled_in_a_step = std::size_t{64} * 1024;
  static constexpr std::size_t populated_in_a_step = std::size_t{16} * 1024;

  /// Whether pages at or behind present_end() are to follow. Any thread.
  [[nodiscard]] bool lacks_pages() const noexcept {
    return access_ == Access::ReadWrite && present_end() < size_;
  }

  /// The writer may store before it; it only grows. Acquires. Any thread.
  [[nodiscard]] std::size_t present_end() const noexcept {
    return present_end_.load(std::memory_order_acquire);
  }

  /// The next pages in one step. A few system calls, which wait for memory. One thread at a time,
  /// beside the writer.
  void prepare_pages() noexcept;

  /// From here on only the writer fills; the writer's, before it stores anything.
  void take() noexcept;

  /// The writer's, which has come to present_end(): the same for itself, until `end` is present.
  /// Waits for a step that prepare_pages() began before take().
  void prepare_pages_now(std::size_t end) noexcept;

  /// A segment in memory: makes the pages present that lie before `end` and were not made so
  /// before. One thread at a time.
  void populate_to(std::size_t end) noexcept;

  /// The pages from `begin` on are to be made present: of a segment that is opened again.
  void lack_pages_from(std::size_t begin) noexcept {
    present_end_.store(begin, std::memory_order_relaxed);
  }

 private:
  friend class UnnamedSegment;

  /// Who may fill its file with zeros.
  enum class Filling : std::uint8_t {
    Nobody,          ///< Nobody does at the moment; the preparing thread may.
    Now,             ///< The preparing thread does.
    NowThoughTaken,  ///< The same, and it is the last time: the writer waits for it.
    ForTheWriterOnly,
  };

  void make_first_pages_present(const std::string& path, const Making& made, bool begun) noexcept;
  [[nodiscard]] bool fill_step(std::size_t begin, std::size_t bytes) noexcept;
  void populate_step(std::size_t begin) noexcept;
  void populate(std::size_t begin, std::size_t end) noexcept;
  void move_present_end(std::size_t end) noexcept;

  Segment(char* base, std::size_t size, Access access, int file, Disk& disk) noexcept
      : base_(base), size_(size), records_limit_(size), access_(access), file_(file), disk_(&disk) {
    if (access != Access::InMemory) {  // Where no page can be lost.
      enter_mapping(base_, size_, &lost_);
    }
  }

  ~Segment();

  char* base_;
  std::size_t size_;
  std::size_t records_limit_;
  Access access_;
  int file_;  // Open with Access::Written only, else -1.
  Disk* disk_;
  std::string fills_;  // The path of its file while that may be filled, and else nothing.
  std::size_t step_bytes_ = filled_in_a_step;  // Of prepare_pages().
  std::atomic<std::size_t> present_end_{0};
  std::atomic<Filling> filling_{Filling::ForTheWriterOnly};
  std::atomic<std::uint32_t> references_{1};
  std::atomic<bool> lost_{false};

 public:
  Segment* next_retired = nullptr;  ///< Link of the writer's list of segments to be let go of.

  /// The segment that its writer went on in, for whoever flushes; holds a reference. Stored after
  /// `sealed_end`.
  std::atomic<Segment*> following{nullptr};
  std::size_t sealed_end = 0;  ///< Where the records end, once there is a following segment.
};

struct DropReference {
  void operator()(Segment* segment) const noexcept { segment->drop_reference(); }
};

/// Holds one reference.
using SegmentHandle = std::unique_ptr<Segment, DropReference>;

/// A segment whose file has all but its name: what is there of that name is whole, whenever the
/// process or the machine ends. The file goes unless name() succeeded.
class UnnamedSegment {
 public:
  /// As Segment::create(), up to the name; with `begin` what it begins with is in the file.
  /// NoSpace, Io, Denied.
  [[nodiscard]] static std::expected<UnnamedSegment, base::Error> make(
      const std::string& path, std::size_t bytes, const Segment::Making& making,
      const SegmentBegin* begin, Disk& disk);

  UnnamedSegment(UnnamedSegment&&) noexcept = default;
  UnnamedSegment& operator=(UnnamedSegment&&) = delete;
  ~UnnamedSegment();

  /// Brings the file, of all its length, to the disk.
  [[nodiscard]] std::expected<void, base::Error> sync() const;

  /// Gives it its name, not yet where the disk counts, and makes the first pages present. Once.
  [[nodiscard]] std::expected<Segment*, base::Error> name();

 private:
  UnnamedSegment(std::string path, SegmentHandle segment, const Segment::Making& making, bool begun,
                 Disk& disk) noexcept
      : path_(std::move(path)),
        segment_(std::move(segment)),
        making_(making),
        begun_(begun),
        disk_(&disk) {}

  std::string path_;
  SegmentHandle segment_;
  Segment::Making making_;
  bool begun_;
  Disk* disk_;
};

/// Checksums as they are stored in a header and in a state slot.
[[nodiscard]] std::uint32_t header_crc(format::Header header) noexcept;
[[nodiscard]] std::uint32_t state_crc(const format::State& state) noexcept;

/// Whether `base`, of `size` bytes, begins with a whole header of segment `number` that this build
/// understands. Unsupported, Damaged.
[[nodiscard]] std::expected<void, base::Error> check_segment_header(const char* base,
                                                                    std::size_t size,
                                                                    std::uint32_t number,
                                                                    const std::string& path);

/// The newer whole state of a segment, or nothing when neither slot holds one.
[[nodiscard]] std::optional<format::State> newest_state(const char* base) noexcept;

/// Segment::left() of the bytes of segment `number`.
[[nodiscard]] std::optional<std::uint32_t> left_of(const char* base, std::uint32_t number) noexcept;

/// What lies at a place where a record may begin.
enum class Found : std::uint8_t {
  Record,
  End,  ///< Nothing is committed there, or there is no room for a record.
  Bad,  ///< Something is committed there that is no whole record.
};

struct Parsed {
  Found found = Found::End;
  std::size_t next_offset = 0;  ///< Found::Record: where the next one may begin.
  Record record;
};

/// Reads the record at `offset`, a multiple of 8, of segment `number`, of which `limit` bytes may
/// be read. Check::FormOnly is for records whose CRC was checked before. Safe on any bytes.
[[nodiscard]] Parsed parse_record(const char* base, std::size_t limit, std::uint32_t number,
                                  std::size_t offset, Check check) noexcept;

/// The record whose header and message are the `length` bytes at `at`, at `offset` of segment
/// `number`; they were checked.
[[nodiscard]] Record record_of(const char* at, std::size_t length, std::uint32_t number,
                               std::size_t offset) noexcept;

/// Whether `bytes`, as long as it takes up, are a whole record of its place: `offset` of segment
/// `number`.
[[nodiscard]] bool is_whole_record(std::string_view bytes, std::uint32_t number,
                                   std::size_t offset) noexcept;

/// Where the last byte that is not zero ends, of those from `from` to `size`; `from` when all are.
[[nodiscard]] std::size_t used_end(const char* base, std::size_t from, std::size_t size) noexcept;

/// The processed mark of the record at `offset`, which parse_record() has found whole.
[[nodiscard]] char* mark_of(char* base, std::size_t offset) noexcept;

[[nodiscard]] constexpr std::uint64_t packed(Position position) noexcept {
  return (std::uint64_t{position.segment} << 32) | position.offset;
}

[[nodiscard]] constexpr Position unpacked(std::uint64_t value) noexcept {
  return {static_cast<std::uint32_t>(value >> 32), static_cast<std::uint32_t>(value)};
}

}  // namespace affix::inline v0::journal
