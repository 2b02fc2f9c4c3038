// SPDX-License-Identifier: MIT
// Copies that wrap round.
#include "journal/mirror.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace affix::inline v0::journal {

namespace {

constexpr const char* mirror_name = "unflushed";

/// A power of two. The duration of a flush to the disk times the rate of a fast session; more goes
/// to the segment's file by a system call.
constexpr std::size_t mirror_bytes = std::size_t{256} * 1024;

constexpr std::size_t head_bytes = sizeof(std::uint64_t);

/// First eight bytes at a position where no record is committed.
std::uint64_t end_head(std::uint32_t number, std::size_t offset) noexcept {
  const std::uint32_t words[2] = {0, format::end_mark(number, static_cast<std::uint32_t>(offset))};
  return std::bit_cast<std::uint64_t>(words);
}

}  // namespace

std::string mirror_path(const std::string& directory) {
  return directory + "/" + mirror_name;
}

std::expected<std::unique_ptr<Mirror>, base::Error> Mirror::create(const std::string& directory,
                                                                   Disk& disk) {
  const std::expected<Segment*, base::Error> made =
      Segment::create(mirror_path(directory), mirror_bytes, {SegmentAccess::ReadWrite}, disk);
  if (!made) {
    return std::unexpected(made.error());
  }
  while ((*made)->lacks_pages()) {
    (*made)->prepare_pages();
  }
  return std::unique_ptr<Mirror>(new Mirror(*made));
}

void Mirror::copy(const char* from, std::size_t size, std::size_t offset) noexcept {
  const std::size_t at = offset & (bytes() - 1);
  const std::size_t first = std::min(size, bytes() - at);
  std::memcpy(file_->base() + at, from, first);
  std::memcpy(file_->base(), from + first, size - first);
}

void Mirror::store_head(std::size_t offset, std::uint64_t head) noexcept {
  // Release, for the compiler: a killed process leaves its stores in their order.
  __atomic_store_n(reinterpret_cast<std::uint64_t*>(file_->base() + (offset & (bytes() - 1))), head,
                   __ATOMIC_RELEASE);
}

void Mirror::put(const char* record, std::size_t size, std::uint32_t number,
                 std::size_t offset) noexcept {
  copy(record + head_bytes, size - head_bytes, offset + head_bytes);
  put_end(number, offset + size);
  std::uint64_t head;
  std::memcpy(&head, record, sizeof(head));
  store_head(offset, head);
}

void Mirror::put_end(std::uint32_t number, std::size_t offset) noexcept {
  store_head(offset, end_head(number, offset));
}

void Mirror::put_mark(std::size_t offset, char mark) noexcept {
  __atomic_store_n(file_->base() + (offset & (bytes() - 1)), mark, __ATOMIC_RELAXED);
}

std::optional<MirrorReader> MirrorReader::open(const std::string& directory) {
  const std::expected<Segment*, base::Error> mapped =
      Segment::map(mirror_path(directory), SegmentAccess::ReadOnly);
  if (!mapped) {
    return std::nullopt;
  }
  MirrorReader reader(*mapped);
  if (!std::has_single_bit(reader.file_->size())) {
    return std::nullopt;
  }
  return reader;
}

std::string MirrorReader::bytes_at(std::size_t offset, std::size_t size) const {
  const std::size_t at = offset & (file_->size() - 1);
  const std::size_t first = std::min(size, file_->size() - at);
  std::string bytes(file_->base() + at, first);
  bytes.append(file_->base(), size - first);
  return bytes;
}

std::optional<std::string> MirrorReader::record(std::uint32_t number, std::size_t offset) const {
  std::uint32_t length = 0;
  std::memcpy(&length, file_->base() + (offset & (file_->size() - 1)), sizeof(length));
  if (length < format::record_header_bytes || length >= file_->size()) {
    return std::nullopt;
  }
  const std::size_t size = format::record_bytes(length - format::record_header_bytes);
  if (size > file_->size()) {
    return std::nullopt;
  }
  std::string bytes = bytes_at(offset, size);
  const bool whole = is_whole_record(bytes, number, offset);
  return whole ? std::optional(std::move(bytes)) : std::nullopt;
}

bool MirrorReader::ends_at(std::uint32_t number, std::size_t offset) const noexcept {
  std::uint64_t head = 0;
  std::memcpy(&head, file_->base() + (offset & (file_->size() - 1)), sizeof(head));
  return head == end_head(number, offset);
}

}  // namespace affix::inline v0::journal
