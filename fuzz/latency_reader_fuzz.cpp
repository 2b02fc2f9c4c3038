// SPDX-License-Identifier: MIT
// Any bytes as an engine's latency file, or a valid file with some numbers replaced and its end cut
// off: reading must return values or an error. First byte: bit 0 selects. For a valid file the next
// two give its length, and each ten replace eight bytes.
#include "affix/counters/latency_reader.hpp"

#include "temporary_files.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>
#include <string>

namespace {

namespace counters = affix::counters;
using affix_fuzz::require;
using affix_fuzz::write_file;

constexpr std::size_t sessions_at = 4096;
constexpr std::size_t sessions = 4;
constexpr std::size_t rings_at = sessions_at + sessions * sizeof(counters::LatencySession);
constexpr std::size_t records = 8;
constexpr std::size_t ring_bytes =
    sizeof(counters::LatencyRing) + records * sizeof(counters::LatencyRecord);
constexpr std::size_t workers = 2;
constexpr std::size_t file_bytes = rings_at + workers * ring_bytes;

struct alignas(affix::base::cache_line) Image {
  std::byte bytes[file_bytes] = {};
};

void make_sound(Image& image) {
  auto* const header = new (image.bytes) counters::LatencyHeader;
  header->process_id = 1;
  header->worker_count = workers;
  header->record_count = records;
  header->session_count = sessions;
  header->sessions_at = sessions_at;
  header->rings_at = rings_at;
  header->ring_bytes = ring_bytes;
  header->sessions_named.set(2);
  header->magic.store(counters::LatencyHeader::magic_value);
  auto* const names = reinterpret_cast<counters::LatencySession*>(image.bytes + sessions_at);
  names[0].name.set("BUY");
  names[1].name.set("SELL");
  for (std::size_t worker = 0; worker < workers; ++worker) {
    std::byte* const at = image.bytes + rings_at + worker * ring_bytes;
    (new (at) counters::LatencyRing)->begun.set(records);
    for (std::size_t place = 0; place < records; ++place) {
      auto* const record =
          new (at + sizeof(counters::LatencyRing) + place * sizeof(counters::LatencyRecord))
              counters::LatencyRecord;
      record->number.store(place + 1);
      record->in_session.set(1);
      record->out_session.set(2);
      for (std::size_t step = 0; step < record->steps.size(); ++step) {
        record->steps[step].set(1'000 * place + 10 * step + 1);
      }
    }
  }
}

void read_all(const std::string& path) {
  const auto reading = counters::read_latencies(path);
  if (!reading) {
    require(!reading.error().message.empty());
    return;
  }
  require(reading->messages.size() <= file_bytes / sizeof(counters::LatencyRecord));
  for (const counters::LatencySpread& spread : counters::spread_of(*reading)) {
    require(spread.count <= reading->messages.size());
    require(spread.p50 <= spread.p90 && spread.p90 <= spread.p99 && spread.p99 <= spread.p999 &&
            spread.p999 <= spread.longest);
  }
  const auto worst = counters::worst_of(*reading, 3);
  require(worst.size() == std::min<std::size_t>(3, reading->messages.size()));
  for (const counters::LatencyMessage* message : worst) {
    static_cast<void>(reading->name_of(message->in_session));
    require(counters::latency_cause_name(message->cause).name != nullptr);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input, std::size_t size) {
  constexpr std::size_t head = 3;
  constexpr std::size_t patch = 10;
  static const affix_fuzz::Directory directory;
  static const std::string file = directory.path() + "/latencies";
  if (size < head) {
    return 0;
  }
  if ((input[0] & 1U) != 0) {
    write_file(file, {reinterpret_cast<const char*>(input + 1), std::min(size - 1, file_bytes)});
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
  const std::size_t wanted = std::size_t{input[1]} << 8 | std::size_t{input[2]};
  write_file(file, {reinterpret_cast<const char*>(image.bytes), std::min(wanted, file_bytes)});
  read_all(file);
  return 0;
}
