// SPDX-License-Identifier: MIT
// libpcap reads the file; this code parses the packets.
#include "log/pcap_source.hpp"

#include "log/byte_window.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <pcap/pcap.h>
#include <utility>

namespace affix::inline v0::tools::log {

namespace {

constexpr std::size_t capture_bytes_max = std::size_t{16} << 30;

/// Maximum number of directions of TCP connections: each may keep some bytes.
constexpr std::size_t streams_max = 65'536;

base::Error damaged(std::string message, const std::string& where) {
  return {base::ErrorCode::Damaged, std::move(message), where};
}

}  // namespace

/// Input of libpcap: the window's bytes, piece by piece, so that no capture is completely in
/// memory, however small its packed file is.
struct PcapSource::Input {
  ByteWindow window;
  std::size_t given = 0;
  bool too_long = false;

  static ssize_t read(void* self, char* to, std::size_t size) {
    Input& input = *static_cast<Input*>(self);
    if (input.window.view().empty() && !input.window.more()) {
      return input.window.problem().empty() ? 0 : -1;
    }
    if (input.given >= capture_bytes_max) {
      input.too_long = true;
      return -1;
    }
    const std::string_view view = input.window.view();
    const std::size_t bytes = std::min(size, view.size());
    std::memcpy(to, view.data(), bytes);
    input.window.consume(bytes);
    input.given += bytes;
    return static_cast<ssize_t>(bytes);
  }
};

std::expected<std::unique_ptr<Source>, base::Error> PcapSource::open(const std::string& path,
                                                                     std::string own_comp_id,
                                                                     const RawFilter& filter) {
  auto window = ByteWindow::open(path);
  if (!window) {
    return std::unexpected(std::move(window.error()));
  }
  return open_window(std::move(*window), path, std::move(own_comp_id), filter);
}

std::expected<std::unique_ptr<Source>, base::Error> PcapSource::open_bytes(
    std::string_view bytes, const std::string& where, std::string own_comp_id,
    const RawFilter& filter) {
  return open_window(ByteWindow::of_bytes(bytes, where), where, std::move(own_comp_id), filter);
}

std::expected<std::unique_ptr<Source>, base::Error> PcapSource::open_window(
    ByteWindow window, const std::string& where, std::string own_comp_id, const RawFilter& filter) {
  auto input = std::make_unique<Input>(std::move(window));
  if (input->window.view().empty() && !input->window.more()) {
    return std::unexpected(
        damaged(input->window.problem().empty() ? "is empty" : input->window.problem(), where));
  }
  std::FILE* const file =
      fopencookie(input.get(), "rb",
                  {.read = &Input::read, .write = nullptr, .seek = nullptr, .close = nullptr});
  if (file == nullptr) {
    return std::unexpected(damaged("cannot be read from memory", where));
  }
  std::array<char, PCAP_ERRBUF_SIZE> problem{};
  pcap* const capture =
      pcap_fopen_offline_with_tstamp_precision(file, PCAP_TSTAMP_PRECISION_NANO, problem.data());
  if (capture == nullptr) {
    std::fclose(file);
    return std::unexpected(damaged(problem.data(), where));
  }
  if (link_type_of(pcap_datalink(capture)) == LinkType::Unknown) {
    const int dlt = pcap_datalink(capture);
    pcap_close(capture);
    return std::unexpected(base::Error{base::ErrorCode::Unsupported,
                                       "captured on a link of type " + std::to_string(dlt), where});
  }
  return std::unique_ptr<Source>(
      new PcapSource(capture, std::move(input), where, std::move(own_comp_id), filter));
}

PcapSource::PcapSource(pcap* capture, std::unique_ptr<Input> input, std::string where,
                       std::string own_comp_id, const RawFilter& filter)
    : capture_(capture),
      input_(std::move(input)),
      where_(std::move(where)),
      own_comp_id_(std::move(own_comp_id)),
      filter_(filter),
      link_(link_type_of(pcap_datalink(capture))) {}

PcapSource::~PcapSource() {
  pcap_close(capture_);
}

void PcapSource::drain(Stream& stream) {
  if (stream.tcp.gap_passed()) {
    // A message with a gap in it can never be complete.
    stream.framer.reset();
  }
  for (;;) {
    const std::string_view view = stream.tcp.view();
    const wire::Frame frame = stream.framer.next(view);
    if (frame.status == wire::FrameStatus::Partial) {
      return;
    }
    if (frame.status == wire::FrameStatus::Complete) {
      ++stream.messages;
      if (filter_.passes(view.substr(0, frame.size))) {
        found_.push_back({now_ns_, std::string(view.substr(0, frame.size))});
      }
    } else {
      stream.garbage_bytes += frame.size;
    }
    stream.tcp.consume(frame.size);
  }
}

// Handles bytes that wait for segments that never came, and reports losses.
void PcapSource::finish() {
  finished_ = true;
  std::uint64_t missing = 0;
  for (auto& [flow, stream] : streams_) {
    while (stream.tcp.pass_over_gap()) {
      drain(stream);
    }
    missing += stream.tcp.missing_bytes();
    if (stream.messages != 0 && stream.garbage_bytes != 0) {
      add_problem(where_ + ": " + std::to_string(stream.garbage_bytes) +
                  " bytes between messages of " + to_text(flow.first) + " to " +
                  to_text(flow.second));
    }
  }
  if (packets_left_out_ != 0) {
    add_problem(where_ + ": " + std::to_string(packets_left_out_) + " packets of more than " +
                std::to_string(streams_max) + " connections were left out");
  }
  if (missing != 0) {
    add_problem(where_ + ": " + std::to_string(missing) +
                " bytes of TCP streams were not captured");
  }
}

// Reads one packet. False at the end.
bool PcapSource::read_one() {
  pcap_pkthdr* header = nullptr;
  const u_char* frame = nullptr;
  const int result = pcap_next_ex(capture_, &header, &frame);
  if (result != 1) {
    if (input_->too_long) {
      add_problem(where_ + ": is longer than " + std::to_string(capture_bytes_max) +
                  " bytes; what follows was not read");
    } else if (!input_->window.problem().empty()) {
      add_problem(input_->window.problem());
    } else if (result == PCAP_ERROR) {
      add_problem(where_ + ": " + pcap_geterr(capture_));
    }
    return false;
  }
  // Nanosecond precision was requested, so tv_usec has nanoseconds.
  now_ns_ = static_cast<std::int64_t>(header->ts.tv_sec) * 1'000'000'000 + header->ts.tv_usec;
  const auto segment = read_packet(link_, {reinterpret_cast<const char*>(frame), header->caplen});
  if (!segment) {
    return true;
  }
  const Flow flow{segment->source, segment->target};
  if (segment->payload.empty() && !segment->syn && !segment->end) {
    return true;
  }
  const auto known = streams_.find(flow);
  if (known == streams_.end() && streams_.size() == streams_max) {
    ++packets_left_out_;
    return true;
  }
  Stream& stream = known != streams_.end() ? known->second : streams_[flow];
  if (segment->syn) {
    while (stream.tcp.pass_over_gap()) {
      drain(stream);
    }
    stream.tcp.begin(segment->sequence);
    stream.framer.reset();
    stream.tcp.add(segment->sequence + 1, segment->payload);
  } else {
    stream.tcp.add(segment->sequence, segment->payload);
  }
  drain(stream);
  return true;
}

Entry PcapSource::entry_of(const Found& found) {
  Entry entry;
  entry.utc_ns = found.utc_ns;
  entry.bytes = found.bytes;
  describe(entry, own_comp_id_, sessions_);
  return entry;
}

std::optional<Entry> PcapSource::next() {
  for (;;) {
    while (!found_.empty()) {
      given_ = std::move(found_.front());
      found_.pop_front();
      if (filter_.passes_time(given_->utc_ns)) {
        return entry_of(*given_);
      }
    }
    if (finished_) {
      return std::nullopt;
    }
    if (!read_one()) {
      finish();
    }
  }
}

}  // namespace affix::inline v0::tools::log
