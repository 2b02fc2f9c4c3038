// SPDX-License-Identifier: MIT
// Makes and extends the counters file. Pages are allocated and mapped before use, so that counting
// never faults.
#include "counters/counter_file.hpp"

#include "affix/base/version.hpp"
#include "affix/os/pages.hpp"

#include <array>
#include <new>
#include <unistd.h>

namespace affix::inline v0::counters {

namespace {

constexpr std::size_t header_bytes = os::bytes_of(os::Pages::Small);
constexpr std::size_t seats_at_a_time = 64;
constexpr std::size_t latencies_at_a_time = 16;

static_assert(sizeof(CountersHeader) <= header_bytes);

}  // namespace

std::expected<std::unique_ptr<CounterFile>, base::Error> CounterFile::create(
    const std::string& path, std::size_t workers, std::int64_t utc_ns) {
  os::PublishedFile file;
  if (path.empty()) {
    // If even that is forbidden, counting continues in memory without readers.
    file = os::PublishedFile::create_nameless("affix-counters");
  } else {
    auto named = os::PublishedFile::create(path, "another engine counts there");
    if (!named) {
      return std::unexpected(std::move(named.error()));
    }
    file = std::move(*named);
  }
  std::unique_ptr<CounterFile> made(new CounterFile(std::move(file)));
  if (auto begun = made->begin(workers, utc_ns); !begun) {
    return std::unexpected(std::move(begun.error()));
  }
  return made;
}

std::expected<void, base::Error> CounterFile::begin(std::size_t workers, std::int64_t utc_ns) {
  const auto part = grow(header_bytes + os::whole_pages(workers * sizeof(WorkerCounters)));
  if (!part) {
    return std::unexpected(part.error());
  }
  header_ = new ((*part)->mapping.begin()) CountersHeader;
  header_->process_id = static_cast<std::uint64_t>(::getpid());
  header_->started_utc_ns = as_counter(utc_ns);
  header_->worker_count = static_cast<std::uint32_t>(workers);
  header_->workers_at = header_bytes;
  header_->engine_version.set(base::version);
  std::byte* const at = (*part)->mapping.begin() + header_bytes;
  workers_ = reinterpret_cast<WorkerCounters*>(at);
  for (std::size_t number = 0; number < workers; ++number) {
    new (at + number * sizeof(WorkerCounters)) WorkerCounters;
  }
  last_link_ = &header_->seats_at;
  header_->magic.store(CountersHeader::magic_value, std::memory_order_release);
  return {};
}

std::expected<std::span<FailoverCounters>, base::Error> CounterFile::add_failover(
    std::span<const std::string_view> groups, std::string_view node) {
  if (groups.empty()) {
    return std::span<FailoverCounters>();
  }
  const std::lock_guard guard(lock_);
  const auto part = grow(os::whole_pages(groups.size() * sizeof(FailoverCounters)));
  if (!part) {
    return std::unexpected(part.error());
  }
  std::byte* const at = (*part)->mapping.begin();
  for (std::size_t number = 0; number < groups.size(); ++number) {
    auto* const group = new (at + number * sizeof(FailoverCounters)) FailoverCounters;
    group->name.set(groups[number]);
    group->node.set(node);
  }
  header_->failover_at = (*part)->offset;
  header_->failover_bytes = sizeof(FailoverCounters);
  header_->failover_count = static_cast<std::uint32_t>(groups.size());
  return std::span(reinterpret_cast<FailoverCounters*>(at), groups.size());
}

std::expected<const CounterFile::Part*, base::Error> CounterFile::grow(std::size_t bytes) {
  auto mapping = file_.grow(end_, bytes);
  if (!mapping) {
    return std::unexpected(std::move(mapping.error()));
  }
  parts_.push_back({std::move(*mapping), end_});
  end_ += bytes;
  return &parts_.back();
}

std::expected<void, base::Error> CounterFile::add_seats() {
  const auto part =
      grow(os::whole_pages(sizeof(SeatChunk) + seats_at_a_time * sizeof(SessionCounters)));
  if (!part) {
    return std::unexpected(part.error());
  }
  auto* const chunk = new ((*part)->mapping.begin()) SeatChunk;
  chunk->seat_count = seats_at_a_time;
  seats_made_ += seats_at_a_time;
  free_seats_.reserve(seats_made_);
  for (std::size_t seat = seats_at_a_time; seat > 0; --seat) {
    std::byte* const at =
        (*part)->mapping.begin() + sizeof(SeatChunk) + (seat - 1) * sizeof(SessionCounters);
    free_seats_.push_back(new (at) SessionCounters);
  }
  // Release: a reader that finds the chunk finds its seats.
  last_link_->store((*part)->offset, std::memory_order_release);
  last_link_ = &chunk->next_at;
  return {};
}

std::expected<SessionCounters*, base::Error> CounterFile::take_seat(const SeatIdentity& identity) {
  const std::lock_guard guard(lock_);
  if (free_seats_.empty()) {
    if (const auto added = add_seats(); !added) {
      return std::unexpected(added.error());
    }
  }
  SessionCounters& seat = *free_seats_.back();
  free_seats_.pop_back();
  const std::uint64_t version = seat.version.load(std::memory_order_relaxed);
  seat.version.store(version + 1, std::memory_order_relaxed);
  // Later writes are not visible before the odd version.
  std::atomic_thread_fence(std::memory_order_release);
  seat.worker.set(identity.worker);
  seat.initiator.set(identity.initiator ? 1 : 0);
  seat.name.set(identity.name);
  seat.instance.set(identity.instance);
  seat.begin_string.set(identity.begin_string);
  seat.sender_comp_id.set(identity.sender_comp_id);
  seat.target_comp_id.set(identity.target_comp_id);
  seat.journal_directory.set(identity.journal_directory);
  seat.remarks.peer.set({});
  seat.remarks.last_end.set({});
  seat.remarks.disabled_by.set({});
  for (base::Counter& counter : seat.counters) {
    counter.set(0);
  }
  seat.latencies.set(0);
  seat.taken.store(1, std::memory_order_relaxed);
  seat.version.store(version + 2, std::memory_order_release);
  return &seat;
}

void CounterFile::give_back(SessionCounters& seat) noexcept {
  const std::lock_guard guard(lock_);
  const std::uint64_t version = seat.version.load(std::memory_order_relaxed);
  seat.version.store(version + 1, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  seat.taken.store(0, std::memory_order_relaxed);
  const std::uint64_t latencies = seat.latencies.value();
  seat.latencies.set(0);
  seat.version.store(version + 2, std::memory_order_release);
  // Reserved for all that were made.
  free_seats_.push_back(&seat);
  if (latencies != 0) {
    free_latencies_.push_back(latencies);
  }
}

void CounterFile::show_stops(bool engine, std::span<const std::string_view> instances) noexcept {
  SendingStops& stops = header_->stops;
  // Names are kept or dropped whole, so that no reader takes part of one for another instance's.
  std::array<char, sizeof(stops.instance_names)> names;
  std::size_t size = 0;
  for (const std::string_view name : instances) {
    if (name.size() + 1 < names.size() - size) {
      size += name.copy(names.data() + size, name.size());
      names[size++] = '\n';
    }
  }
  const std::uint64_t version = stops.version.load(std::memory_order_relaxed);
  stops.version.store(version + 1, std::memory_order_relaxed);
  // Later writes are not visible before the odd version.
  std::atomic_thread_fence(std::memory_order_release);
  stops.engine.set(engine ? 1 : 0);
  stops.instances.set(instances.size());
  stops.instance_names.set({names.data(), size});
  stops.version.store(version + 2, std::memory_order_release);
}

bool CounterFile::add_latencies() noexcept {
  const auto part = grow(os::whole_pages(latencies_at_a_time * sizeof(SessionLatencies)));
  if (!part) {
    return false;
  }
  latencies_made_ += latencies_at_a_time;
  free_latencies_.reserve(latencies_made_);
  for (std::size_t block = latencies_at_a_time; block > 0; --block) {
    free_latencies_.push_back((*part)->offset + (block - 1) * sizeof(SessionLatencies));
  }
  return true;
}

void CounterFile::reserve_latencies() noexcept {
  const std::lock_guard guard(lock_);
  if (free_latencies_.size() < latencies_at_a_time / 2) {
    // A caller that finds none tries again, and counts that.
    static_cast<void>(add_latencies());
  }
}

SessionLatencies* CounterFile::take_latencies(SessionCounters& seat) noexcept {
  const std::lock_guard guard(lock_);
  if (free_latencies_.empty() && !add_latencies()) {
    header_->without_latencies.add();
    return nullptr;
  }
  const std::uint64_t offset = free_latencies_.back();
  free_latencies_.pop_back();
  const Part* home = nullptr;
  for (const Part& part : parts_) {
    if (offset >= part.offset && offset < part.offset + part.mapping.bytes()) {
      home = &part;
    }
  }
  // Constructed anew: it may have been another session's.
  auto* const latencies = new (home->mapping.begin() + (offset - home->offset)) SessionLatencies;
  // Release: a reader that finds them finds them empty.
  std::atomic_thread_fence(std::memory_order_release);
  seat.latencies.set(offset);
  return latencies;
}

}  // namespace affix::inline v0::counters
