// SPDX-License-Identifier: MIT
// Copies an engine's counters from its file, without trusting its contents.
#include "affix/counters/counter_reader.hpp"

#include "counters/file_of_engine.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <utility>

namespace affix::inline v0::counters {

namespace {

/// Number of times that a seat is read again while its owner changes.
constexpr int attempts = 100;

void copy_waits(const counters::WorkerWaits& from, WorkerReading& out) {
  for (std::size_t cause = 0; cause < out.waits.size(); ++cause) {
    const counters::WaitCounters& counters = from.causes[cause];
    out.waits[cause] = {counters.count.value(), counters.time.value(), counters.longest.value(),
                        counters.recent.value()};
  }
  out.longest_wait_utc_ns = from.longest_at.value();
  out.wait_lengths = base::LatencySnapshot(from.lengths);
}

void copy_group(const counters::FailoverCounters& from, FailoverReading& out) {
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const std::uint64_t version = from.version.load(std::memory_order_acquire);
    out = {.name = from.name.text(),
           .node = from.node.text(),
           .primary = from.primary.text(),
           .in_sync = from.in_sync.text(),
           .counters = {},
           .standbys = {}};
    for (std::size_t which = 0; which < out.counters.size(); ++which) {
      out.counters[which] = from.counters[which].value();
    }
    for (const counters::StandbyCounters& standby : from.standbys) {
      StandbyReading copy{.name = standby.name.text(), .counters = {}};
      for (std::size_t which = 0; which < copy.counters.size(); ++which) {
        copy.counters[which] = standby.counters[which].value();
      }
      if (!copy.name.empty()) {
        out.standbys.push_back(std::move(copy));
      }
    }
    // The data must be read before the version is read again.
    std::atomic_thread_fence(std::memory_order_acquire);
    if (version % 2 == 0 && from.version.load(std::memory_order_relaxed) == version) {
      return;  // Else shows a changing group as it is: the next reading corrects it.
    }
  }
}

}  // namespace

std::expected<CounterReader, base::Error> CounterReader::open(const std::string& path) {
  CounterReader reader;
  reader.path_ = path;
  reader.file_ = os::FileDescriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!reader.file_.is_open()) {
    return std::unexpected(base::make_system_error("open", errno, path));
  }
  if (!reader.map_whole()) {
    return std::unexpected(base::make_system_error("mmap", errno, path));
  }
  const auto* const header = reader.mapping_.at<counters::CountersHeader>(0);
  if (header == nullptr ||
      header->magic.load(std::memory_order_acquire) != counters::CountersHeader::magic_value) {
    return std::unexpected(refusal(path, base::ErrorCode::Damaged,
                                   "this is not a file of an engine's counters", "A121"));
  }
  if (header->byte_order != counters::CountersHeader::byte_order_value ||
      header->version != counters::CountersHeader::version_value ||
      header->worker_bytes != sizeof(counters::WorkerCounters) ||
      header->session_bytes != sizeof(counters::SessionCounters) ||
      header->latencies_bytes != sizeof(counters::SessionLatencies)) {
    return std::unexpected(refusal(path, base::ErrorCode::Unsupported,
                                   "the counters were written by another version of affix",
                                   "A121"));
  }
  return reader;
}

bool CounterReader::map_whole() noexcept {
  struct stat status{};
  if (::fstat(file_.number(), &status) != 0) {
    return false;
  }
  inode_ = status.st_ino;
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size != mapping_.bytes() || mapping_.lost()) {
    mapping_ = {};
    mapping_ = os::FileMapping::of_reader(file_.number(), size);
  }
  return mapping_.bytes() == size;
}

std::expected<bool, base::Error> CounterReader::follow() {
  struct stat status{};
  if (::stat(path_.c_str(), &status) != 0) {
    return std::unexpected(base::make_system_error("stat", errno, path_));
  }
  if (status.st_ino == inode_) {
    return false;
  }
  auto fresh = open(path_);
  if (!fresh) {
    return std::unexpected(fresh.error());
  }
  *this = std::move(*fresh);
  return true;
}

void CounterReader::copy_stops(const counters::SendingStops& stops, EngineReading& out) {
  std::string names;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const std::uint64_t version = stops.version.load(std::memory_order_acquire);
    out.sending_stopped = stops.engine.value() != 0;
    out.instances_stopped = stops.instances.value();
    names = stops.instance_names.text();
    // The data must be read before the version is read again.
    std::atomic_thread_fence(std::memory_order_acquire);
    if (version % 2 == 0 && stops.version.load(std::memory_order_relaxed) == version) {
      break;  // Else shows a changing seat as it is: the next reading corrects it.
    }
  }
  std::size_t begin = 0;
  for (std::size_t end = names.find('\n'); end != std::string::npos;
       end = names.find('\n', begin)) {
    out.stopped_instances.push_back(names.substr(begin, end - begin));
    begin = end + 1;
  }
}

void CounterReader::copy_latencies(const counters::SessionLatencies& from, SessionReading& out) {
  if (copied_.size() <= out.seat) {
    copied_.resize(out.seat + 1);
  }
  Copied& copied = copied_[out.seat];
  bool same = copied.latencies != nullptr && copied.version == out.version &&
              copied.counters == out.counters;
  for (std::size_t which = 0; same && which < counters::session_latency_count; ++which) {
    same = (*copied.latencies)[which].sum() == from.histograms[which].sum();
  }
  if (!same) {
    auto copy = std::make_shared<Latencies>();
    for (std::size_t which = 0; which < copy->size(); ++which) {
      (*copy)[which] = base::LatencySnapshot(from.histograms[which]);
    }
    copied = {out.version, out.counters, std::move(copy)};
  }
  out.latencies = copied.latencies;
}

void CounterReader::copy_remarks(const counters::SessionRemarks& remarks, SessionReading& out) {
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const std::uint64_t version = remarks.version.load(std::memory_order_acquire);
    out.peer = remarks.peer.text();
    out.last_end = remarks.last_end.text();
    out.disabled_by = remarks.disabled_by.text();
    // The data must be read before the version is read again.
    std::atomic_thread_fence(std::memory_order_acquire);
    if (version % 2 == 0 && remarks.version.load(std::memory_order_relaxed) == version) {
      return;  // Else shows a changing seat as it is: the next reading corrects it.
    }
  }
}

LongestWait WorkerReading::longest_by(std::uint64_t WaitReading::* which) const noexcept {
  LongestWait longest;
  for (std::size_t cause = 0; cause < waits.size(); ++cause) {
    if (waits[cause].*which > longest.ns) {
      longest = {static_cast<counters::WaitCause>(cause), waits[cause].*which};
    }
  }
  return longest;
}

bool CounterReader::copy_seat(const counters::SessionCounters& seat, SessionReading& out) {
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const std::uint64_t version = seat.version.load(std::memory_order_acquire);
    if (version % 2 != 0) {
      continue;
    }
    if (seat.taken.load(std::memory_order_relaxed) == 0) {
      return false;
    }
    out.version = version;
    out.worker = seat.worker.value();
    out.initiator = seat.initiator.value() != 0;
    out.name = seat.name.text();
    out.instance = seat.instance.text();
    out.begin_string = seat.begin_string.text();
    out.sender_comp_id = seat.sender_comp_id.text();
    out.target_comp_id = seat.target_comp_id.text();
    out.journal_directory = seat.journal_directory.text();
    copy_remarks(seat.remarks, out);
    for (std::size_t which = 0; which < out.counters.size(); ++which) {
      out.counters[which] = seat.counters[which].value();
    }
    out.latencies = nullptr;
    const std::uint64_t offset = seat.latencies.value();
    const auto* const from =
        offset == 0 ? nullptr : mapping_.at<counters::SessionLatencies>(offset);
    if (from != nullptr) {
      copy_latencies(*from, out);
    }
    // The data must be read before the version is read again.
    std::atomic_thread_fence(std::memory_order_acquire);
    if (seat.version.load(std::memory_order_relaxed) == version) {
      return true;
    }
  }
  return false;
}

/// Groups of another size are those of a later version, which a reader skips.
void CounterReader::copy_failover(const counters::CountersHeader& header,
                                  EngineReading& out) const {
  if (header.failover_bytes != sizeof(counters::FailoverCounters)) {
    return;
  }
  for (std::uint32_t number = 0; number < header.failover_count; ++number) {
    const auto* const group = mapping_.at<counters::FailoverCounters>(
        header.failover_at + std::uint64_t{number} * sizeof(counters::FailoverCounters));
    if (group == nullptr) {
      return;
    }
    copy_group(*group, out.failover.emplace_back());
  }
}

EngineReading CounterReader::read() {
  EngineReading reading;
  // When mapping fails, the earlier mapping is gone; the next reading may succeed.
  if (!map_whole()) {
    return reading;
  }
  const auto* const header = mapping_.at<counters::CountersHeader>(0);
  if (header == nullptr) {
    return reading;
  }
  reading.process_id = header->process_id;
  reading.started_utc_ns = header->started_utc_ns;
  reading.stopped_utc_ns = header->stopped_utc_ns.value();
  reading.running = is_held(file_.number());
  reading.sessions_without_latencies = header->without_latencies.value();
  reading.engine_version = header->engine_version.text();
  copy_stops(header->stops, reading);
  copy_failover(*header, reading);
  for (std::uint32_t number = 0; number < header->worker_count; ++number) {
    const auto* const worker = mapping_.at<counters::WorkerCounters>(
        header->workers_at + std::uint64_t{number} * sizeof(counters::WorkerCounters));
    if (worker == nullptr) {
      break;
    }
    WorkerReading& copy = reading.workers.emplace_back();
    for (std::size_t which = 0; which < copy.counters.size(); ++which) {
      copy.counters[which] = worker->counters[which].value();
    }
    for (std::size_t which = 0; which < copy.distributions.size(); ++which) {
      copy.distributions[which] = base::LatencySnapshot(worker->histograms[which]);
    }
    copy_waits(worker->waits, copy);
  }
  // The file has no room for more seats: its chunks form a cycle.
  const std::size_t seats_max = mapping_.bytes() / sizeof(counters::SessionCounters);
  std::uint64_t chunk_at = header->seats_at.load(std::memory_order_acquire);
  std::size_t number = 0;
  while (chunk_at != 0 && number < seats_max) {
    const auto* const chunk = mapping_.at<counters::SeatChunk>(chunk_at);
    if (chunk == nullptr || chunk->seat_count == 0) {
      break;
    }
    for (std::uint64_t seat = 0; seat < chunk->seat_count && number < seats_max; ++seat, ++number) {
      const auto* const from = mapping_.at<counters::SessionCounters>(
          chunk_at + sizeof(counters::SeatChunk) + seat * sizeof(counters::SessionCounters));
      if (from == nullptr) {
        return reading;
      }
      SessionReading copy;
      copy.seat = number;
      if (copy_seat(*from, copy)) {
        reading.sessions.push_back(std::move(copy));
      }
    }
    chunk_at = chunk->next_at.load(std::memory_order_acquire);
  }
  return reading;
}

}  // namespace affix::inline v0::counters
