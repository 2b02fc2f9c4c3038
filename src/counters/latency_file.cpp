// SPDX-License-Identifier: MIT
// Creates the latency file.
#include "counters/latency_file.hpp"

#include "affix/os/pages.hpp"

#include <new>
#include <unistd.h>

namespace affix::inline v0::counters {

namespace {

static_assert(sizeof(LatencyHeader) <= os::bytes_of(os::Pages::Small));

}  // namespace

std::expected<std::unique_ptr<LatencyFile>, base::Error> LatencyFile::create(
    const std::string& path, const LatencyRoom& room, std::int64_t utc_ns) {
  auto file = os::PublishedFile::create(path, "another engine records latencies there");
  if (!file) {
    return std::unexpected(std::move(file.error()));
  }
  std::unique_ptr<LatencyFile> made(new LatencyFile(std::move(*file), room));
  if (auto begun = made->begin(utc_ns); !begun) {
    return std::unexpected(std::move(begun.error()));
  }
  return made;
}

std::expected<void, base::Error> LatencyFile::begin(std::int64_t utc_ns) {
  const std::size_t table_bytes = os::whole_pages(room_.sessions * sizeof(LatencySession));
  const std::size_t ring_bytes =
      os::whole_pages(sizeof(LatencyRing) + room_.records * sizeof(LatencyRecord));
  auto mapped =
      file_.grow(0, os::bytes_of(os::Pages::Small) + table_bytes + room_.workers * ring_bytes);
  if (!mapped) {
    return std::unexpected(std::move(mapped.error()));
  }
  mapping_ = std::move(*mapped);
  header_ = new (mapping_.begin()) LatencyHeader;
  header_->process_id = static_cast<std::uint64_t>(::getpid());
  header_->started_utc_ns = static_cast<std::uint64_t>(utc_ns);
  header_->worker_count = static_cast<std::uint32_t>(room_.workers);
  header_->record_count = static_cast<std::uint32_t>(room_.records);
  header_->session_count = static_cast<std::uint32_t>(room_.sessions);
  header_->sessions_at = os::bytes_of(os::Pages::Small);
  header_->rings_at = os::bytes_of(os::Pages::Small) + table_bytes;
  header_->ring_bytes = ring_bytes;
  // The file is zeroed, so table and records are empty.
  sessions_ = reinterpret_cast<LatencySession*>(mapping_.begin() + os::bytes_of(os::Pages::Small));
  header_->magic.store(LatencyHeader::magic_value, std::memory_order_release);
  return {};
}

std::uint32_t LatencyFile::place_of(std::string_view session) {
  const std::lock_guard guard(lock_);
  const auto known = places_.find(std::string(session));
  if (known != places_.end()) {
    return known->second;
  }
  if (places_.size() == room_.sessions) {
    return 0;
  }
  const auto place = static_cast<std::uint32_t>(places_.size() + 1);
  sessions_[place - 1].name.set(session);
  places_.emplace(session, place);
  // Release: a reader that sees the count sees the name.
  std::atomic_thread_fence(std::memory_order_release);
  header_->sessions_named.set(place);
  return place;
}

LatencyRing& LatencyFile::ring(std::size_t worker) noexcept {
  return *reinterpret_cast<LatencyRing*>(mapping_.begin() + header_->rings_at +
                                         worker * header_->ring_bytes);
}

std::span<LatencyRecord> LatencyFile::records(std::size_t worker) noexcept {
  auto* const first = reinterpret_cast<std::byte*>(&ring(worker)) + sizeof(LatencyRing);
  return {reinterpret_cast<LatencyRecord*>(first), room_.records};
}

}  // namespace affix::inline v0::counters
