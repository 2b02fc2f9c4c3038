// SPDX-License-Identifier: MIT
// Delimiters alone, in many consecutive messages: how fast bytes can be searched, which is no
// codec, compared with the codec's work on the same bytes.
#include "affix/wire/checksum.hpp"
#include "affix/wire/framer.hpp"
#include "affix/wire/index.hpp"

#include "../messages.hpp"
#include "benchmarks.hpp"
#include "kernels.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

namespace affix_bench {

namespace {

namespace wire = affix::wire;

/// Two thirds of the smallest first-level cache in use.
constexpr std::size_t stream_size = 20 * 1024;

/// Complete messages, and 64 readable bytes after them.
struct Stream {
  Stream() {
    const std::vector<Message> messages = mixed_execution_reports();
    for (std::size_t at = 0; bytes.size() < stream_size; ++at) {
      bytes += messages[at % messages.size()].view();
    }
    size = bytes.size();
    bytes.append(Message::padding, '\0');
  }

  [[nodiscard]] std::string_view view() const { return {bytes.data(), size}; }

  std::string bytes;
  std::size_t size = 0;
};

std::size_t count_soh(std::string_view bytes) {
  return static_cast<std::size_t>(std::count(bytes.begin(), bytes.end(), '\x01'));
}

template <class Scan>
auto over(const std::shared_ptr<const Stream>& stream, Scan scan) {
  return [stream, scan](std::size_t count) {
    for (std::size_t done = 0; done < count; ++done) {
      const char* bytes = stream->bytes.data();
      hide(bytes);
      std::size_t found = scan(std::string_view(bytes, stream->size));
      hide(found);
    }
  };
}

/// Frames and indexes every message; returns the number of fields, which is also that of SOH.
std::size_t index_all(std::string_view bytes) {
  static wire::Framer framer;
  static wire::FieldIndexOf<256> index;
  std::size_t fields = 0;
  while (!bytes.empty()) {
    const std::size_t size = framer.next(bytes).size;
    wire::index_message(bytes.substr(0, size), index);
    fields += index.count;
    bytes.remove_prefix(size);
  }
  return fields;
}

std::size_t memchr_all(std::string_view bytes) {
  std::size_t found = 0;
  const char* at = bytes.data();
  const char* const end = at + bytes.size();
  while (at != end) {
    const void* const soh = std::memchr(at, '\x01', static_cast<std::size_t>(end - at));
    if (soh == nullptr) {
      break;
    }
    at = static_cast<const char*>(soh) + 1;
    ++found;
  }
  return found;
}

}  // namespace

void add_scan_benchmarks(std::vector<Benchmark>& benchmarks) {
  const auto stream = std::make_shared<const Stream>();
  const auto answer = [stream] { return std::to_string(count_soh(stream->view())); };
  Benchmark scan{"soh_scan",
                 "20 KiB of ExecutionReports, one behind the other; the number of SOH, and the sum "
                 "of all bytes in the same pass (published by NexusFIX for SOH alone: 3.32 GB/s)",
                 {},
                 stream->size};
  const auto sum_and_count = [](std::string_view bytes) -> std::size_t {
    return wire::sum_and_soh(bytes).soh_count;
  };
  add_affix(scan, over(stream, sum_and_count),
            [stream] { return std::to_string(wire::sum_and_soh(stream->view()).soh_count); });
  scan.contenders.push_back({"memchr",
                             over(stream, memchr_all),
                             [stream] { return std::to_string(memchr_all(stream->view())); },
                             {}});
  benchmarks.push_back(std::move(scan));

  Benchmark index{"index_stream",
                  "the same bytes, every message framed, indexed and checked",
                  {},
                  stream->size};
  add_affix(index, over(stream, index_all),
            [stream] { return std::to_string(index_all(stream->view())); });
  index.contenders.push_back({"std-count", over(stream, count_soh), answer, {}});
  benchmarks.push_back(std::move(index));
}

}  // namespace affix_bench
