// SPDX-License-Identifier: MIT
// Any bytes as an engine's counters file, or a valid file with some numbers replaced and its end
// cut off: reading must return values or an error. First byte: bit 0 selects. Of a valid file the
// next three give its length, and each ten replace eight bytes.
#include "affix/counters/counter_reader.hpp"

#include "temporary_files.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>
#include <string>
#include <vector>

namespace {

namespace counters = affix::counters;
using affix_fuzz::require;
using affix_fuzz::write_file;

constexpr std::size_t workers_at = 4096;
constexpr std::size_t chunk_at = workers_at + 24 * 1024;
constexpr std::size_t latencies_at = chunk_at + 4 * 1024;
constexpr std::size_t file_bytes = latencies_at + sizeof(counters::SessionLatencies);
constexpr std::size_t seats = 3;

static_assert(sizeof(counters::WorkerCounters) <= chunk_at - workers_at);
static_assert(sizeof(counters::SeatChunk) + seats * sizeof(counters::SessionCounters) <=
              latencies_at - chunk_at);

struct alignas(affix::base::cache_line) Image {
  std::byte bytes[file_bytes] = {};
};

void make_sound(Image& image) {
  auto* const header = new (image.bytes) counters::CountersHeader;
  header->process_id = 1;
  header->worker_count = 1;
  header->workers_at = workers_at;
  header->seats_at.store(chunk_at);
  header->magic.store(counters::CountersHeader::magic_value);
  new (image.bytes + workers_at) counters::WorkerCounters;
  auto* const chunk = new (image.bytes + chunk_at) counters::SeatChunk;
  chunk->seat_count = seats;
  for (std::size_t number = 0; number < seats; ++number) {
    auto* const seat = new (image.bytes + chunk_at + sizeof(counters::SeatChunk) +
                            number * sizeof(counters::SessionCounters)) counters::SessionCounters;
    seat->version.store(2);
    seat->taken.store(1);
    seat->name.set("S");
    seat->latencies.set(latencies_at);
  }
  new (image.bytes + latencies_at) counters::SessionLatencies;
}

void read_all(const std::string& path) {
  auto reader = counters::CounterReader::open(path);
  if (!reader) {
    require(!reader.error().message.empty());
    return;
  }
  const counters::EngineReading reading = reader->read();
  require(reading.sessions.size() <= file_bytes / sizeof(counters::SessionCounters));
  require(reading.workers.size() <= file_bytes / sizeof(counters::WorkerCounters) + 1);
  for (const counters::SessionReading& session : reading.sessions) {
    require(to_text(session.standing()) != nullptr);
    if (session.latencies != nullptr) {
      for (const auto& one : *session.latencies) {
        static_cast<void>(one.percentile(0.99));
      }
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input, std::size_t size) {
  constexpr std::size_t head = 4;
  constexpr std::size_t patch = 10;
  static const affix_fuzz::Directory directory;
  static const std::string file = directory.path() + "/counters";
  if (size < head) {
    return 0;
  }
  if ((input[0] & 1U) != 0) {
    write_file(file, {reinterpret_cast<const char*>(input + 1), size - 1});
    read_all(file);
    return 0;
  }
  static Image image;
  image = Image();
  make_sound(image);
  for (std::size_t at = head; at + patch <= size; at += patch) {
    const std::size_t place = (std::size_t{input[at]} << 8 | input[at + 1]) % (file_bytes - 8);
    std::memcpy(image.bytes + place, input + at + 2, 8);
  }
  const std::size_t wanted = std::size_t{input[1]} << 16 | std::size_t{input[2]} << 8 | input[3];
  write_file(file, {reinterpret_cast<const char*>(image.bytes), std::min(wanted, file_bytes)});
  read_all(file);
  return 0;
}
