// SPDX-License-Identifier: MIT
// Opens a ring in memory, grows it, and makes its pages present ahead of its writer.
#include "journal/memory_ring.hpp"

#include "os/page_advice.hpp"

#include <algorithm>
#include <cerrno>
#include <string>
#include <sys/mman.h>

namespace affix::inline v0::journal {

namespace {

/// The writer uses one while the other still has the messages sent before.
constexpr std::uint32_t places_at_start = 2;
constexpr std::uint64_t places_max = 64;

/// In a smaller segment, the header would be more than a sixteenth.
constexpr std::uint64_t ring_segment_bytes_min = std::uint64_t{64} * 1024;
constexpr std::uint64_t quarter_bytes_min = std::uint64_t{8} * 1024;

/// Bytes made present ahead of the writer: as many as are used, within these bounds, so that a ring
/// that stores little takes little memory, and an append of one that stores much rarely meets a
/// missing page.
constexpr std::size_t lead_min = std::size_t{16} * 1024;
constexpr std::size_t lead_max = std::size_t{64} * 1024;

constexpr const char* subject = "journal ring in memory";

/// Whole pages for at least this many bytes of records.
std::uint64_t segment_bytes_for(std::uint64_t record_bytes) noexcept {
  const auto page = std::uint64_t{os::page_bytes()};
  return (format::records_offset + record_bytes + format::end_mark_bytes + page - 1) / page * page;
}

std::uint64_t segment_bytes_of(const Options& options) noexcept {
  if (options.ring_message_bytes_max == 0) {
    const auto page = std::uint64_t{os::page_bytes()};
    return (std::max(options.ring_bytes / 4, quarter_bytes_min) + page - 1) / page * page;
  }
  const std::uint64_t share = options.ring_bytes / (places_max - 1) + 1;
  return std::max<std::uint64_t>(ring_segment_bytes_min,
                                 segment_bytes_for(std::max<std::uint64_t>(
                                     format::record_bytes(options.ring_message_bytes_max), share)));
}

/// Number of places that keep this many bytes of records while one is being begun again.
std::uint32_t places_of(const Options& options, std::uint64_t segment_bytes) noexcept {
  const std::uint64_t records = segment_bytes - format::records_offset - format::end_mark_bytes;
  const std::uint64_t whole = (options.ring_bytes + records - 1) / records;
  return static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(whole + 1, places_at_start, places_max));
}

}  // namespace

std::uint64_t ring_bytes_at_start(const Options& options) noexcept {
  return places_at_start * segment_bytes_of(options);
}

MemoryRing::~MemoryRing() {
  for (Segment* const segment : segments_) {
    segment->drop_reference();
  }
  if (base_ != nullptr) {
    munmap(base_, places() * segment_bytes_);
  }
  if (budget_ != nullptr) {
    budget_->give_back(taken_ * segment_bytes_);
  }
}

std::expected<void, base::Error> MemoryRing::open(const Options& options) {
  segment_bytes_ = segment_bytes_of(options);
  const std::uint64_t begins_with = ring_bytes_at_start(options);
  if (options.ring_budget != nullptr && !options.ring_budget->take(begins_with)) {
    const std::uint64_t limit = options.ring_budget->limit();
    return std::unexpected(base::Error{base::ErrorCode::Limit,
                                       "a journal in memory begins with " +
                                           std::to_string(begins_with) + " bytes, and " +
                                           std::to_string(limit - options.ring_budget->taken()) +
                                           " of " + std::to_string(limit) + " are left",
                                       subject, "E204"});
  }
  budget_ = options.ring_budget;
  taken_ = places_at_start;
  place_by_number_.resize(places_of(options, segment_bytes_));
  return map(options.lock_pages);
}

std::expected<void, base::Error> MemoryRing::map(bool lock_pages) {
  const std::size_t bytes = places() * segment_bytes_;
  // In a process that locks all its mappings, writable memory becomes present at once, and all of
  // it. So it becomes writable only when it is locked page by page.
  const int access = PROT_READ | PROT_WRITE;
  void* const at =
      mmap(nullptr, bytes, lock_pages ? PROT_NONE : access, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) {
    return std::unexpected(base::make_system_error("mmap", errno, subject));
  }
  base_ = static_cast<char*>(at);
  if (lock_pages) {
    int error_number = os::lock_pages_when_used(at, bytes);
    if (error_number == 0 && mprotect(at, bytes, access) != 0) {
      error_number = errno;
    }
    if (error_number != 0) {
      return std::unexpected(base::make_system_error("mlock2", error_number, subject));
    }
  }
  // A large page would take as much for the first record as hundreds of little-used sessions need.
  // Failure means that the system has no large pages.
  os::ask_for_huge_pages(at, bytes, false);
  // All of them, since an append must not allocate; their memory becomes present when used.
  segments_.reserve(places());
  for (std::uint32_t place = 0; place < places(); ++place) {
    Segment* const made = Segment::create_in_memory(base_ + place * segment_bytes_, segment_bytes_);
    if (made == nullptr) {
      return std::unexpected(base::make_system_error("new", ENOMEM, subject));
    }
    segments_.push_back(made);
  }
  return {};
}

// True if a place is taken that is not in use yet.
bool MemoryRing::has_one_more() noexcept {
  if (taken_ == used_ && taken_ < places() &&
      (budget_ == nullptr || budget_->take(segment_bytes_))) {
    ++taken_;
  }
  return used_ < taken_;
}

Segment* MemoryRing::next(std::uint32_t number) noexcept {
  if (has_one_more()) {
    current_ = used_++;
  } else {
    refusals_ += used_ < places() ? 1U : 0U;
    current_ = place_of(number - used_);
  }
  place_by_number_[number % places()] = static_cast<std::uint8_t>(current_);
  return segments_[current_];
}

std::size_t MemoryRing::look_ahead(Position end) noexcept {
  wants_pages_ = false;
  std::size_t limit = segment_bytes_;
  if (end.offset <= segment_bytes_ / 2) {
    limit = segment_bytes_ / 2;
  } else if (has_one_more()) {
    next_wanted_.store(used_ + 1, std::memory_order_relaxed);
    wants_pages_ = true;
  }
  const Segment& current = *segments_[current_];
  if (current.present_end() < segment_bytes_) {
    const std::size_t used = (end.segment - 1) * segment_bytes_ + end.offset;
    const std::size_t lead = std::clamp(used, lead_min, lead_max);
    limit = std::min(end.offset + lead / 2, limit);
    const auto until = static_cast<std::uint32_t>(std::min(limit + lead, segment_bytes_));
    wanted_.store(packed({current_ + 1, until}), std::memory_order_relaxed);
    wants_pages_ = true;
  }
  return limit;
}

void MemoryRing::populate() noexcept {
  const Position wanted = unpacked(wanted_.load(std::memory_order_relaxed));
  if (wanted.valid()) {
    segments_[wanted.segment - 1]->populate_to(wanted.offset);
  }
  if (const std::uint32_t place = next_wanted_.load(std::memory_order_relaxed); place != 0) {
    segments_[place - 1]->populate_to(format::records_offset + lead_min);
  }
}

}  // namespace affix::inline v0::journal
