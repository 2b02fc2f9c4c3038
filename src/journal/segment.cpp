// SPDX-License-Identifier: MIT
// Maps segment files and reads their contents.
#include "journal/segment.hpp"

#include "affix/base/crc32c.hpp"

#include "journal/concurrent_copy.hpp"
#include "journal/let_go.hpp"
#include "os/file_blocks.hpp"
#include "os/page_advice.hpp"

#include <array>
#include <bit>
#include <cerrno>
#include <fcntl.h>
#include <new>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace affix::inline v0::journal {

namespace {

base::Error damaged(std::string message, const std::string& path, base::MessageCode code) {
  return {base::ErrorCode::Damaged, std::move(message), path, code};
}

base::Error unsupported(std::string message, const std::string& path, base::MessageCode code) {
  return {base::ErrorCode::Unsupported, std::move(message), path, code};
}

/// About the duration of one message's processing.
constexpr std::int64_t step_ns_max = 50'000;

struct OpenFile {
  int file = -1;
  char* base = nullptr;
};

// Maps the open `file`; keeps the descriptor if it is needed for writing.
std::expected<OpenFile, base::Error> map_file(int file, const std::string& path, std::size_t bytes,
                                              Segment::Access access, Disk& disk) {
  const MapKind kind = access == Segment::Access::ReadOnly    ? MapKind::ReadOnly
                       : access == Segment::Access::ReadWrite ? MapKind::Shared
                                                              : MapKind::Private;
  OpenFile opened;
  const int error_number = disk.map(file, path, bytes, kind, opened.base);
  if (error_number != 0 || access != Segment::Access::Written) {
    close(file);
  } else {
    opened.file = file;
  }
  if (error_number != 0) {
    return std::unexpected(base::make_system_error("mmap", error_number, path));
  }
  return opened;
}

// Flushing a block that was never written also writes the file's metadata, a second trip to the
// disk each time. So a file that is flushed often is filled first.
int fill_with_zeros(int file, const std::string& path, std::size_t bytes, Disk& disk) {
  const std::string many(std::min<std::size_t>(bytes, std::size_t{1} << 20), '\0');
  for (std::size_t at = 0; at < bytes; at += many.size()) {
    const std::string_view piece(many.data(), std::min(many.size(), bytes - at));
    if (const int error_number = disk.write(file, path, piece, at); error_number != 0) {
      return error_number;
    }
  }
  return 0;
}

void store_state(char* base, format::State value) noexcept {
  const std::optional<format::State> before = newest_state(base);
  value.generation = before ? before->generation + 1 : 1;
  value.crc = state_crc(value);
  // Replaces the older slot: if the store is cut short, the newest state still counts.
  std::memcpy(base + format::state_offset[value.generation % 2], &value, sizeof(value));
}

void store_begin(char* base, std::size_t bytes, const SegmentBegin& begin) noexcept {
  format::Header header = begin.header;
  header.magic = 0;
  header.byte_order = format::byte_order_mark;
  header.version = format::version;
  header.records_offset = format::records_offset;
  header.segment_bytes = bytes;
  header.crc = header_crc(header);
  std::memcpy(base, &header, sizeof(header));
  std::memset(base + format::state_offset[0], 0, sizeof(format::State));
  std::memset(base + format::state_offset[1], 0, sizeof(format::State));
  store_state(base, begin.state);
  auto& sparse = *reinterpret_cast<format::SparseIndex*>(base + format::index_offset);
  sparse.base_sequence = header.next_outgoing;
  sparse.count = 0;
  const std::size_t stride = (bytes - format::records_offset) / format::SparseIndex::capacity;
  sparse.stride =
      static_cast<std::uint32_t>(std::max<std::size_t>(stride + 1, format::record_header_bytes));
  std::memset(base + format::left_offset, 0, sizeof(format::Left));
  const std::uint32_t mark = format::end_mark(header.segment_number, format::records_offset);
  std::memcpy(base + format::records_offset + offsetof(format::RecordHeader, crc), &mark,
              sizeof(mark));
  // Release: a reader that sees the magic sees everything stored above.
  __atomic_store_n(reinterpret_cast<std::uint64_t*>(base), format::magic, __ATOMIC_RELEASE);
}

}  // namespace

std::size_t page_bytes() noexcept {
  return os::page_bytes();
}

// In .bss, so it takes no space in any file of the program.
std::string_view zeros() noexcept {
  static std::array<char, Segment::filled_in_a_step> bytes{};
  return {bytes.data(), bytes.size()};
}

std::expected<Segment*, base::Error> Segment::map(const std::string& path, Access access,
                                                  Disk& disk) {
  int file = -1;
  if (const int error_number =
          disk.open_file(path, access == Access::ReadOnly ? O_RDONLY : O_RDWR, file);
      error_number != 0) {
    return std::unexpected(base::make_system_error("open", error_number, path));
  }
  struct stat status{};
  if (fstat(file, &status) != 0) {
    const int error_number = errno;
    close(file);
    return std::unexpected(base::make_system_error("fstat", error_number, path));
  }
  const auto bytes = static_cast<std::size_t>(status.st_size);
  if (bytes < format::records_offset || bytes > UINT32_MAX) {
    close(file);
    return std::unexpected(
        damaged("no journal segment is " + std::to_string(bytes) + " bytes long", path, "J204"));
  }
  const std::expected<OpenFile, base::Error> opened = map_file(file, path, bytes, access, disk);
  if (!opened) {
    return std::unexpected(opened.error());
  }
  return new Segment(opened->base, bytes, access, opened->file, disk);
}

std::expected<Segment*, base::Error> Segment::create(const std::string& path, std::size_t bytes,
                                                     const Making& wanted, Disk& disk) {
  std::expected<UnnamedSegment, base::Error> made =
      UnnamedSegment::make(path, bytes, wanted, nullptr, disk);
  if (!made) {
    return std::unexpected(made.error());
  }
  if (wanted.access == Access::Written) {
    if (std::expected<void, base::Error> synced = made->sync(); !synced) {
      return std::unexpected(synced.error());
    }
  }
  return made->name();
}

namespace {

/// The file gets its final name when it has its full length: a segment that is too short is never
/// one being made.
std::string unnamed(const std::string& path) {
  return path + ".new";
}

/// First bytes of a segment of `bytes`: header, state and end mark.
struct alignas(std::uint64_t) BeginBytes {
  BeginBytes(const SegmentBegin& begin, std::size_t bytes) noexcept {
    store_begin(at.data(), bytes, begin);
  }

  std::array<char, format::records_offset + format::end_mark_bytes> at{};
};

}  // namespace

std::expected<UnnamedSegment, base::Error> UnnamedSegment::make(const std::string& path,
                                                                std::size_t bytes,
                                                                const Segment::Making& wanted,
                                                                const SegmentBegin* begin,
                                                                Disk& disk) {
  const std::string making = unnamed(path);
  int file = -1;
  if (const int error_number = disk.open_file(making, O_RDWR | O_CREAT | O_TRUNC, file);
      error_number != 0) {
    return std::unexpected(base::make_system_error("open", error_number, path));
  }
  // Allocates the blocks now: a store into the mapping on a full disk would raise SIGBUS.
  const char* call = "posix_fallocate";
  int error_number = disk.allocate(file, making, bytes);
  if (error_number == 0 && wanted.access == Segment::Access::Written) {
    error_number = fill_with_zeros(file, making, bytes, disk);
  }
  if (error_number == 0 && begin != nullptr) {
    // A store into the mapping would cause a page fault, which costs three times as much.
    const BeginBytes begins(*begin, bytes);
    call = "pwrite";
    error_number = disk.write(file, making, {begins.at.data(), begins.at.size()}, 0);
  }
  if (error_number != 0) {
    close(file);
    static_cast<void>(disk.remove(making));
    // A file larger than RLIMIT_FSIZE counts as a full disk.
    return std::unexpected(
        base::make_system_error(call, error_number == EFBIG ? ENOSPC : error_number, path));
  }
  return of_file(making, file, path, bytes, wanted, begin != nullptr, disk);
}

std::expected<UnnamedSegment, base::Error> UnnamedSegment::of_file(
    const std::string& unnamed, int file, const std::string& path, std::size_t bytes,
    const Segment::Making& wanted, bool begun, Disk& disk) {
  const std::expected<OpenFile, base::Error> opened =
      map_file(file, unnamed, bytes, wanted.access, disk);
  if (!opened) {
    static_cast<void>(disk.remove(unnamed));
    return std::unexpected(opened.error());
  }
  return UnnamedSegment(
      unnamed, path,
      SegmentHandle(new Segment(opened->base, bytes, wanted.access, opened->file, disk)), wanted,
      begun, disk);
}

UnnamedSegment::~UnnamedSegment() {
  if (segment_ != nullptr) {
    static_cast<void>(disk_->remove(unnamed_));
  }
}

std::expected<void, base::Error> UnnamedSegment::sync() const {
  // With Access::Written all bytes were written to the file already; only the flush is left.
  return segment_->sync(0, segment_->is_written() ? 0 : segment_->size(), unnamed_);
}

std::expected<Segment*, base::Error> UnnamedSegment::name() {
  if (const int error_number = disk_->rename(unnamed_, path_); error_number != 0) {
    return std::unexpected(base::make_system_error("rename", error_number, path_));
  }
  if (making_.access == Segment::Access::ReadWrite) {
    segment_->make_first_pages_present(path_, making_, begun_);
  }
  return segment_.release();
}

void Segment::make_first_pages_present(const std::string& path, const Making& made,
                                       bool begun) noexcept {
  // A disk may be set to read megabytes ahead, and every fault would do that.
  suppress_readahead();
  if (begun) {
    populate_to(page_bytes() + format::records_offset);
  }
  if (made.new_pages == NewPages::Written) {
    fills_ = path;
    filling_.store(Filling::Nobody, std::memory_order_relaxed);
  }
  do {
    prepare_pages();
  } while (present_end() < std::min(filled_in_a_step, size_));
  if (begun) {
    take();
  }
}

Segment* Segment::create_in_memory(char* base, std::size_t bytes) noexcept {
  return new (std::nothrow) Segment(base, bytes, Access::InMemory, -1, system_disk());
}

Segment::~Segment() {
  if (access_ == Access::InMemory) {
    return;
  }
  os::leave_mapping(base_);
  // In pieces: a thread woken on this processor waits for one piece at most, and calls that change
  // the process's mappings do not wait at all.
  if (access_ == Access::ReadWrite || access_ == Access::ReadOnly) {
    for (std::size_t at = 0; at < size_; at += let_go_of_in_a_step) {
      os::leave_pages(base_ + at, std::min(let_go_of_in_a_step, size_ - at));
    }
  }
  munmap(base_, size_);
  if (file_ >= 0) {
    close(file_);
  }
}

void Segment::drop_reference() noexcept {
  // Release this user's accesses and acquire those of others before the mapping is removed.
  if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    delete this;
  }
}

bool Segment::begun() const noexcept {
  return __atomic_load_n(reinterpret_cast<const std::uint64_t*>(base_), __ATOMIC_ACQUIRE) != 0;
}

std::expected<void, base::Error> Segment::check_header(std::uint32_t number,
                                                       const std::string& path) const {
  return check_segment_header(base_, size_, number, path);
}

void Segment::begin(const SegmentBegin& begin) noexcept {
  store_begin(base_, size_, begin);
}

std::optional<format::State> Segment::state() const noexcept {
  return newest_state(base_);
}

std::optional<std::uint32_t> Segment::left() const noexcept {
  return left_of(base_, number());
}

void Segment::set_left(std::uint32_t end) noexcept {
  const format::Left value{end, format::left_check(number(), end)};
  // Release: the next segment is begun before this one records its end.
  __atomic_store_n(reinterpret_cast<std::uint64_t*>(base_ + format::left_offset),
                   std::bit_cast<std::uint64_t>(value), __ATOMIC_RELEASE);
}

void Segment::clear_left() noexcept {
  __atomic_store_n(reinterpret_cast<std::uint64_t*>(base_ + format::left_offset), 0,
                   __ATOMIC_RELAXED);
}

void Segment::set_end_mark(std::size_t offset) noexcept {
  if (offset + format::end_mark_bytes <= size_) {
    const std::uint32_t mark = format::end_mark(number(), static_cast<std::uint32_t>(offset));
    std::memcpy(base_ + offset + offsetof(format::RecordHeader, crc), &mark, sizeof(mark));
  }
}

void Segment::set_state(format::State value) noexcept {
  store_state(base_, value);
}

std::expected<void, base::Error> Segment::seal(format::State state, std::uint32_t end,
                                               const std::string& path) {
  state.durable_offset = end;
  state.end_offset = end;
  set_state(state);
  return sync(0, format::records_offset, path);
}

std::expected<void, base::Error> Segment::store(std::size_t begin, std::size_t end,
                                                const std::string& path) const {
  if (access_ == Access::Written && begin < end) {
    const ConcurrentCopy copy;
    if (const int error_number = disk_->write(file_, path, {base_ + begin, end - begin}, begin);
        error_number != 0) {
      return std::unexpected(base::make_system_error("pwrite", error_number, path));
    }
  }
  return {};
}

std::expected<void, base::Error> Segment::sync(std::size_t begin, std::size_t end,
                                               const std::string& path) const {
  if (access_ == Access::Written) {
    if (std::expected<void, base::Error> stored = store(begin, end, path); !stored) {
      return stored;
    }
    if (const int error_number = disk_->sync_file(file_, path); error_number != 0) {
      return std::unexpected(base::make_system_error("fdatasync", error_number, path));
    }
    return {};
  }
  begin = begin / page_bytes() * page_bytes();
  if (const int error_number = disk_->sync_mapping(path, base_, begin, end); error_number != 0) {
    return std::unexpected(base::make_system_error("msync", error_number, path));
  }
  return {};
}

void Segment::touch(std::size_t begin, std::size_t end) noexcept {
  const std::size_t page = page_bytes();
  for (std::size_t at = begin / page * page; at < end; at += page) {
    // Atomic: the writer may store to the same byte.
    __atomic_fetch_or(base_ + at, char{0}, __ATOMIC_RELAXED);
  }
}

void Segment::release_pages(std::size_t begin, std::size_t end) noexcept {
  const std::size_t page = page_bytes();
  begin = (begin + page - 1) / page * page;
  end = end / page * page;
  if (access_ == Access::Written && begin < end) {
    os::leave_pages(base_ + begin, end - begin);
  }
}

void Segment::unmap_pages(std::size_t begin, std::size_t end) noexcept {
  const std::size_t page = page_bytes();
  begin = begin / page * page;
  end = end / page * page;
  if (access_ == Access::ReadWrite && begin < end) {
    os::leave_pages(base_ + begin, end - begin);
  }
}

void Segment::make_writable(std::size_t at) noexcept {
  if (access_ == Access::ReadWrite && at < size_) {
    populate(at, at + 1);
  }
}

std::size_t Segment::resident_end(std::size_t begin, std::size_t end) const noexcept {
  const std::size_t page = page_bytes();
  const std::size_t from = begin / page * page;
  if (begin >= end) {
    return end;
  }
  const std::size_t whole = (end - from + page - 1) / page * page;
  return std::clamp(from + os::present_bytes(base_ + from, whole), begin, end);
}

void Segment::suppress_readahead() const noexcept {
  os::expect_single_pages(base_, size_);
}

bool Segment::bring_in(std::size_t begin, std::size_t end) const noexcept {
  const std::size_t page = page_bytes();
  begin = begin / page * page;
  if (begin >= end) {
    return true;
  }
  // Requests all of it first: populating alone would read a little at a time.
  os::read_pages_ahead(base_ + begin, end - begin);
  int error_number = 0;
  do {
    error_number = os::make_pages_readable(base_ + begin, end - begin);
  } while (error_number == EINTR);
  if (error_number != EINVAL) {
    return error_number == 0;
  }
  for (std::size_t at = begin; at < end; at += page) {
    static_cast<void>(__atomic_load_n(base_ + at, __ATOMIC_RELAXED));
  }
  return !lost();
}

void Segment::give_back(std::size_t begin, std::size_t end) noexcept {
  const std::size_t page = page_bytes();
  begin = (begin + page - 1) / page * page;
  end = end / page * page;
  if (access_ == Access::ReadOnly && begin < end) {
    os::leave_pages(base_ + begin, end - begin);
  }
}

void Segment::forget(std::size_t begin, std::size_t end, const std::string& path) const noexcept {
  const std::size_t page = page_bytes();
  begin = (begin + page - 1) / page * page;
  end = end / page * page;
  int file = -1;
  if (begin >= end || disk_->open_file(path, O_RDONLY, file) != 0) {
    return;
  }
  os::drop_cached(file, begin, end - begin);
  close(file);
}

void Segment::store_byte(std::size_t offset, char value, const std::string& path) const noexcept {
  // If it is lost, the message is redelivered, marked as such.
  static_cast<void>(disk_->write(file_, path, {&value, 1}, offset));
}

void Segment::prepare_pages() noexcept {
  if (!lacks_pages()) {
    return;
  }
  // Acquire: this step follows the previous one.
  Filling mine = Filling::Nobody;
  if (!filling_.compare_exchange_strong(mine, Filling::Now, std::memory_order_acquire)) {
    populate_step(present_end());
    return;
  }
  const std::int64_t begun_ns = disk_->now().steady_ns;
  if (const std::size_t begin = present_end(); !fill_step(begin, step_bytes_)) {
    populate_step(begin);
  }
  const std::int64_t took_ns = disk_->now().steady_ns - begun_ns;
  if (took_ns > step_ns_max) {
    step_bytes_ = std::max(step_bytes_ / 2, populated_in_a_step);
  } else if (took_ns < step_ns_max / 3) {
    step_bytes_ = std::min(step_bytes_ * 2, filled_in_a_step);
  }
  // Release: the step is complete.
  mine = Filling::Now;
  if (!filling_.compare_exchange_strong(mine, Filling::Nobody, std::memory_order_release)) {
    filling_.store(Filling::ForTheWriterOnly, std::memory_order_release);
    filling_.notify_one();
  }
}

void Segment::take() noexcept {
  Filling seen = filling_.load(std::memory_order_relaxed);
  while (seen != Filling::ForTheWriterOnly && seen != Filling::NowThoughTaken) {
    const Filling taken =
        seen == Filling::Now ? Filling::NowThoughTaken : Filling::ForTheWriterOnly;
    if (filling_.compare_exchange_weak(seen, taken, std::memory_order_acquire,
                                       std::memory_order_relaxed)) {
      return;
    }
  }
}

void Segment::prepare_pages_now(std::size_t end) noexcept {
  while (filling_.load(std::memory_order_acquire) == Filling::NowThoughTaken) {
    filling_.wait(Filling::NowThoughTaken, std::memory_order_relaxed);
  }
  for (std::size_t begin = present_end(); begin < std::min(end, size_); begin = present_end()) {
    if (!fill_step(begin, filled_in_a_step)) {
      populate_step(begin);
    }
  }
}

// Writing allocates large pieces of memory, which are cheap to map.
bool Segment::fill_step(std::size_t begin, std::size_t bytes) noexcept {
  int file = -1;
  if (fills_.empty() || disk_->open_file(fills_, O_RDWR, file) != 0) {
    return false;
  }
  const std::size_t end = std::min((begin / bytes + 1) * bytes, size_);
  const int error_number = disk_->write(file, fills_, zeros().substr(0, end - begin), begin);
  close(file);
  if (error_number != 0) {
    return false;
  }
  populate(begin, end);
  move_present_end(end);
  return true;
}

void Segment::populate_step(std::size_t begin) noexcept {
  const std::size_t end = std::min(begin + populated_in_a_step, size_);
  populate(begin, end);
  move_present_end(end);
}

// Release: the pages are present. The writer and the preparing thread may both call it.
void Segment::move_present_end(std::size_t end) noexcept {
  std::size_t before = present_end_.load(std::memory_order_relaxed);
  while (before < end && !present_end_.compare_exchange_weak(before, end, std::memory_order_release,
                                                             std::memory_order_relaxed)) {
  }
}

void Segment::populate_to(std::size_t end) noexcept {
  const std::size_t begin = present_end();
  if (end > begin) {
    populate(begin, std::min(end, size_));
    move_present_end(std::min(end, size_));
  }
}

void Segment::keep_writable(std::size_t at) noexcept {
  if (access_ == Access::ReadWrite) {
    populate(0, format::records_offset);  // The index is there.
    populate(at, std::min(at + filled_in_a_step, present_end()));
  }
}

void Segment::populate(std::size_t begin, std::size_t end) noexcept {
  begin = begin / page_bytes() * page_bytes();
  if (begin < end && os::make_pages_writable(base_ + begin, end - begin) != 0) {
    touch(begin, end);
  }
}

std::uint32_t header_crc(format::Header header) noexcept {
  header.crc = 0;
  const char* const begin = reinterpret_cast<const char*>(&header);
  return base::crc32c({begin + sizeof(header.magic), sizeof(header) - sizeof(header.magic)});
}

std::uint32_t state_crc(const format::State& state) noexcept {
  return base::crc32c({reinterpret_cast<const char*>(&state), offsetof(format::State, crc)});
}

std::expected<void, base::Error> check_segment_header(const char* base, std::size_t size,
                                                      std::uint32_t number,
                                                      const std::string& path) {
  format::Header stored;
  std::memcpy(&stored, base, sizeof(stored));
  if (stored.magic != format::magic && stored.magic != __builtin_bswap64(format::magic)) {
    return std::unexpected(unsupported("not a journal segment", path, "J204"));
  }
  if (stored.byte_order != format::byte_order_mark) {
    return std::unexpected(
        unsupported("journal written on a machine of another byte order", path, "J204"));
  }
  if (stored.version != format::version) {
    return std::unexpected(unsupported("journal format version " + std::to_string(stored.version) +
                                           "; this build knows version " +
                                           std::to_string(format::version),
                                       path, "J204"));
  }
  if (stored.crc != header_crc(stored)) {
    return std::unexpected(
        damaged("the segment's header does not match its checksum", path, "J209"));
  }
  if (stored.records_offset != format::records_offset ||
      stored.identity_bytes > format::identity_bytes_max ||
      stored.segment_bytes < format::records_offset || stored.segment_bytes > UINT32_MAX ||
      stored.segment_bytes < size) {
    return std::unexpected(
        damaged("the segment's header contradicts itself or the file's length", path, "J209"));
  }
  if (stored.segment_number != number) {
    return std::unexpected(
        damaged("the file holds segment " + std::to_string(stored.segment_number), path, "J209"));
  }
  return {};
}

std::optional<format::State> newest_state(const char* base) noexcept {
  std::optional<format::State> newest;
  for (const std::size_t offset : format::state_offset) {
    format::State slot;
    std::memcpy(&slot, base + offset, sizeof(slot));
    if (slot.generation != 0 && slot.crc == state_crc(slot) &&
        (!newest || slot.generation > newest->generation)) {
      newest = slot;
    }
  }
  return newest;
}

std::optional<std::uint32_t> left_of(const char* base, std::uint32_t number) noexcept {
  const auto value = std::bit_cast<format::Left>(__atomic_load_n(
      reinterpret_cast<const std::uint64_t*>(base + format::left_offset), __ATOMIC_ACQUIRE));
  if (value.end < format::records_offset || value.check != format::left_check(number, value.end)) {
    return std::nullopt;
  }
  return value.end;
}

Record record_of(const char* at, std::size_t length, std::uint32_t number,
                 std::size_t offset) noexcept {
  format::RecordHeader header;
  std::memcpy(&header, at, sizeof(header));
  Record record;
  record.kind = static_cast<Kind>(header.kind);
  record.event = static_cast<EventType>(header.event);
  record.processed = __atomic_load_n(at + length, __ATOMIC_RELAXED) != 0;
  record.message_omitted = (header.flags & format::record_message_omitted) != 0;
  record.unsent = header.unsent;
  record.utc_ns = header.utc_ns;
  record.sequence = header.sequence;
  record.number_after = header.number_after;
  record.bytes = {at + format::record_header_bytes, length - format::record_header_bytes};
  record.position = {number, static_cast<std::uint32_t>(offset)};
  return record;
}

namespace {

bool has_known_kind(const format::RecordHeader& header) noexcept {
  return header.kind >= static_cast<std::uint8_t>(Kind::Sent) &&
         header.kind <= static_cast<std::uint8_t>(Kind::Event) &&
         header.event <= static_cast<std::uint8_t>(EventType::Epoch);
}

bool has_right_crc(const char* at, const format::RecordHeader& header, std::uint32_t number,
                   std::size_t offset) noexcept {
  constexpr std::size_t covered = offsetof(format::RecordHeader, kind);
  const std::uint32_t seed = format::record_seed(number, static_cast<std::uint32_t>(offset));
  return header.crc == base::crc32c({at + covered, header.length - covered}, seed);
}

}  // namespace

Parsed parse_record(const char* base, std::size_t limit, std::uint32_t number, std::size_t offset,
                    Check check) noexcept {
  Parsed result;
  if (offset > limit || limit - offset < format::record_bytes(0)) {
    return result;
  }
  const char* const at = base + offset;
  // Acquire: pairs with the release of the append, so a committed record is complete.
  const std::size_t length =
      __atomic_load_n(reinterpret_cast<const std::uint32_t*>(at), __ATOMIC_ACQUIRE);
  if (length == 0) {
    return result;
  }
  result.found = Found::Bad;
  if (length < format::record_header_bytes ||
      format::record_bytes(length - format::record_header_bytes) > limit - offset) {
    return result;
  }
  format::RecordHeader header;
  std::memcpy(&header, at, sizeof(header));
  if (!has_known_kind(header) ||
      (check == Check::Crc && !has_right_crc(at, header, number, offset))) {
    return result;
  }
  result.found = Found::Record;
  result.next_offset = offset + format::record_bytes(length - format::record_header_bytes);
  result.record = record_of(at, length, number, offset);
  return result;
}

bool is_whole_record(std::string_view bytes, std::uint32_t number, std::size_t offset) noexcept {
  format::RecordHeader header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  return has_known_kind(header) && has_right_crc(bytes.data(), header, number, offset);
}

std::size_t used_end(const char* base, std::size_t from, std::size_t size) noexcept {
  constexpr std::size_t words = 32;  // Enough words at once to keep loads in flight.
  constexpr std::size_t block_bytes = words * sizeof(std::uint64_t);
  std::size_t end = std::max(size, from);
  while (end - from >= block_bytes) {
    std::uint64_t block[words];
    std::memcpy(block, base + end - block_bytes, block_bytes);
    std::uint64_t any = 0;
    for (const std::uint64_t word : block) {
      any |= word;
    }
    if (any != 0) {
      break;
    }
    end -= block_bytes;
  }
  while (end > from && base[end - 1] == 0) {
    --end;
  }
  return end;
}

char* mark_of(char* base, std::size_t offset) noexcept {
  std::uint32_t length;
  std::memcpy(&length, base + offset, sizeof(length));
  return base + offset + length;
}

}  // namespace affix::inline v0::journal
