// SPDX-License-Identifier: MIT
// Copies an engine's latency file without trusting its contents.
#include "affix/counters/latency_reader.hpp"

#include "affix/os/file_descriptor.hpp"
#include "affix/os/file_mapping.hpp"

#include "counters/file_of_engine.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <optional>
#include <sys/stat.h>

namespace affix::inline v0::counters {

namespace {

using counters::LatencyHeader;
using counters::LatencyRecord;
using counters::LatencyStep;

/// Nullopt: the record is being written, or was never written.
std::optional<LatencyMessage> copy_record(const LatencyRecord& from,
                                          std::uint64_t worker) noexcept {
  LatencyMessage out{.worker = worker};
  out.number = from.number.load(std::memory_order_acquire);
  if (out.number == 0) {
    return std::nullopt;
  }
  out.in_session = from.in_session.value();
  out.in_number = from.in_number.value();
  out.out_session = from.out_session.value();
  out.out_number = from.out_number.value();
  for (std::size_t step = 0; step < out.steps.size(); ++step) {
    out.steps[step] = from.steps[step].value();
  }
  out.cause = from.cause.value();
  out.wait_ns = from.wait_ns.value();
  // The contents are read before the second look at the number.
  std::atomic_thread_fence(std::memory_order_acquire);
  return from.number.load(std::memory_order_relaxed) == out.number ? std::optional(out)
                                                                   : std::nullopt;
}

std::optional<std::uint64_t> between(std::uint64_t from_ns, std::uint64_t to_ns) noexcept {
  if (from_ns == 0 || to_ns == 0 || to_ns < from_ns) {
    return std::nullopt;
  }
  return to_ns - from_ns;
}

LatencySpread spread(std::vector<std::uint64_t>& values) {
  LatencySpread result{.count = values.size()};
  if (values.empty()) {
    return result;
  }
  std::ranges::sort(values);
  const auto at = [&values](std::uint64_t thousandths) {
    const std::uint64_t last = values.size() - 1;
    return values[static_cast<std::size_t>(last / 1000 * thousandths +
                                           last % 1000 * thousandths / 1000)];
  };
  result.p50 = at(500);
  result.p90 = at(900);
  result.p99 = at(990);
  result.p999 = at(999);
  result.longest = values.back();
  return result;
}

}  // namespace

const char* to_text(LatencyPart part) noexcept {
  switch (part) {
    case LatencyPart::InStack:
      return "in_stack";
    case LatencyPart::InEngine:
      return "in_engine";
    case LatencyPart::OutStack:
      return "out_stack";
    case LatencyPart::Whole:
      return "whole";
  }
  return "";
}

std::optional<std::uint64_t> LatencyMessage::part_ns(LatencyPart part) const noexcept {
  switch (part) {
    case LatencyPart::InStack:
      return between((*this)[LatencyStep::Received], (*this)[LatencyStep::Read]);
    case LatencyPart::InEngine:
      if (out_session == 0 && out_number == 0) {
        return between((*this)[LatencyStep::Read], (*this)[LatencyStep::HandedOver]);
      }
      return between((*this)[LatencyStep::Read] != 0 ? (*this)[LatencyStep::Read]
                                                     : (*this)[LatencyStep::Committed],
                     (*this)[LatencyStep::Sent]);
    case LatencyPart::OutStack:
      return between((*this)[LatencyStep::Sent], (*this)[LatencyStep::Transmitted]);
    case LatencyPart::Whole:
      break;
  }
  std::uint64_t first = UINT64_MAX;
  std::uint64_t last = 0;
  for (const std::uint64_t step : steps) {
    first = step != 0 ? std::min(first, step) : first;
    last = std::max(last, step);
  }
  return first < last ? between(first, last) : std::nullopt;
}

std::string_view LatencyReading::name_of(std::uint64_t session) const noexcept {
  return session < sessions.size() ? std::string_view(sessions[static_cast<std::size_t>(session)])
                                   : std::string_view();
}

std::expected<LatencyReading, base::Error> read_latencies(const std::string& path) {
  const os::FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) {
    return std::unexpected(base::make_system_error("open", errno, path));
  }
  struct stat status{};
  if (::fstat(file.number(), &status) != 0) {
    return std::unexpected(base::make_system_error("fstat", errno, path));
  }
  const auto size = static_cast<std::size_t>(status.st_size);
  const os::FileMapping mapping = os::FileMapping::of_reader(file.number(), size);
  if (mapping.bytes() != size) {
    return std::unexpected(base::make_system_error("mmap", errno, path));
  }
  const auto* const header = mapping.at<LatencyHeader>(0);
  if (header == nullptr ||
      header->magic.load(std::memory_order_acquire) != LatencyHeader::magic_value) {
    return std::unexpected(refusal(path, base::ErrorCode::Damaged,
                                   "this is not a file of an engine's latencies", "A122"));
  }
  if (header->byte_order != LatencyHeader::byte_order_value ||
      header->version != LatencyHeader::version_value ||
      header->record_bytes != sizeof(LatencyRecord)) {
    return std::unexpected(refusal(path, base::ErrorCode::Unsupported,
                                   "the latencies were written by another version of affix",
                                   "A122"));
  }
  LatencyReading reading;
  reading.process_id = header->process_id;
  reading.started_utc_ns = header->started_utc_ns;
  reading.running = is_held(file.number());
  reading.sessions.emplace_back();
  const std::uint64_t named =
      std::min<std::uint64_t>(header->sessions_named.value(), header->session_count);
  if (const auto* const names = mapping.at<counters::LatencySession>(header->sessions_at, named)) {
    for (std::uint64_t place = 0; place < named; ++place) {
      reading.sessions.push_back(names[place].name.text());
    }
  }
  const std::uint64_t ring_bytes = header->ring_bytes;
  if (ring_bytes <
      sizeof(counters::LatencyRing) + std::uint64_t{header->record_count} * sizeof(LatencyRecord)) {
    return reading;  // Overlapping rings could make the total size unbounded.
  }
  std::uint64_t ring_at = header->rings_at;
  for (std::uint64_t worker = 0; worker < header->worker_count; ++worker) {
    const auto* const ring = mapping.at<counters::LatencyRing>(ring_at);
    const auto* const records =
        ring == nullptr ? nullptr
                        : mapping.at<LatencyRecord>(ring_at + sizeof(counters::LatencyRing),
                                                    header->record_count);
    if (records == nullptr || __builtin_add_overflow(ring_at, ring_bytes, &ring_at)) {
      break;
    }
    const std::size_t first = reading.messages.size();
    for (std::uint64_t place = 0; place < header->record_count; ++place) {
      if (const auto message = copy_record(records[place], worker)) {
        reading.messages.push_back(*message);
      }
    }
    reading.recorded += ring->begun.value();
    std::ranges::sort(reading.messages.begin() + static_cast<std::ptrdiff_t>(first),
                      reading.messages.end(), {}, &LatencyMessage::number);
  }
  return reading;
}

std::array<LatencySpread, latency_part_count> spread_of(const LatencyReading& reading) {
  std::array<LatencySpread, latency_part_count> spreads;
  std::vector<std::uint64_t> values;
  for (std::size_t part = 0; part < latency_part_count; ++part) {
    values.clear();
    for (const LatencyMessage& message : reading.messages) {
      if (const auto ns = message.part_ns(static_cast<LatencyPart>(part))) {
        values.push_back(*ns);
      }
    }
    spreads[part] = spread(values);
  }
  return spreads;
}

std::vector<const LatencyMessage*> worst_of(const LatencyReading& reading, std::size_t count) {
  std::vector<const LatencyMessage*> messages;
  messages.reserve(reading.messages.size());
  for (const LatencyMessage& message : reading.messages) {
    messages.push_back(&message);
  }
  const std::size_t kept = std::min(count, messages.size());
  const auto whole = [](const LatencyMessage* message) {
    return message->part_ns(LatencyPart::Whole).value_or(0);
  };
  std::ranges::partial_sort(messages, messages.begin() + static_cast<std::ptrdiff_t>(kept),
                            std::ranges::greater(), whole);
  messages.resize(kept);
  return messages;
}

}  // namespace affix::inline v0::counters
