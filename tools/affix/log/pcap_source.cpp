// SPDX-License-Identifier: MIT
// CaptureFile reads the file; this code joins the packets.
#include "log/pcap_source.hpp"

#include <utility>

namespace affix::inline v0::tools::log {

namespace {

/// Maximum number of directions of TCP connections: each may keep some bytes.
constexpr std::size_t streams_max = 65'536;

}  // namespace

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
  auto capture = CaptureFile::open(std::move(window), where);
  if (!capture) {
    return std::unexpected(std::move(capture.error()));
  }
  return std::unique_ptr<Source>(
      new PcapSource(std::move(*capture), where, std::move(own_comp_id), filter));
}

PcapSource::PcapSource(CaptureFile capture, std::string where, std::string own_comp_id,
                       const RawFilter& filter)
    : capture_(std::move(capture)),
      where_(std::move(where)),
      own_comp_id_(std::move(own_comp_id)),
      filter_(filter) {}

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
  const auto packet = capture_.next();
  if (!packet) {
    if (std::string problem = capture_.problem(); !problem.empty()) {
      add_problem(std::move(problem));
    }
    return false;
  }
  now_ns_ = packet->utc_ns;
  const auto segment = read_packet(packet->link, packet->frame);
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
