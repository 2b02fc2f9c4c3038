// SPDX-License-Identifier: MIT
// FIX messages from captured packets: reassembles TCP streams and frames the messages in them, so
// that the wire can be compared with a journal.
#pragma once

#include "affix/base/error.hpp"
#include "affix/wire/framer.hpp"

#include "log/byte_window.hpp"
#include "log/capture_file.hpp"
#include "log/message_facts.hpp"
#include "log/packet.hpp"
#include "log/raw_filter.hpp"
#include "log/source.hpp"
#include "log/tcp_stream.hpp"

#include <cstdint>
#include <deque>
#include <expected>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace affix::inline v0::tools::log {

/// A pcap or pcapng file. A message has the time of the packet that completed it. `filter` outlives
/// this.
class PcapSource final : public Source {
 public:
  /// Messages sent by `own_comp_id` are Out; empty: directions are unknown. Errors: NotFound, Io,
  /// Denied, Damaged (no capture file), Unsupported (its link layer).
  [[nodiscard]] static std::expected<std::unique_ptr<Source>, base::Error> open(
      const std::string& path, std::string own_comp_id, const RawFilter& filter);

  /// Does the same with bytes in memory; `where` is for errors.
  [[nodiscard]] static std::expected<std::unique_ptr<Source>, base::Error> open_bytes(
      std::string_view bytes, const std::string& where, std::string own_comp_id,
      const RawFilter& filter);

  [[nodiscard]] std::optional<Entry> next() override;

 private:
  struct Stream {
    TcpStream tcp;
    wire::Framer framer;
    std::uint64_t messages = 0;
    std::uint64_t garbage_bytes = 0;
  };

  struct Found {
    std::int64_t utc_ns = 0;
    std::string bytes;
  };

  using Flow = std::pair<PacketEndpoint, PacketEndpoint>;

  PcapSource(CaptureFile capture, std::string where, std::string own_comp_id,
             const RawFilter& filter);

  [[nodiscard]] static std::expected<std::unique_ptr<Source>, base::Error> open_window(
      ByteWindow window, const std::string& where, std::string own_comp_id,
      const RawFilter& filter);

  [[nodiscard]] bool read_one();
  void drain(Stream& stream);
  void finish();
  [[nodiscard]] Entry entry_of(const Found& found);

  CaptureFile capture_;
  std::string where_;
  std::string own_comp_id_;
  const RawFilter& filter_;
  std::map<Flow, Stream> streams_;
  std::deque<Found> found_;
  std::optional<Found> given_;
  SessionNames sessions_;
  std::int64_t now_ns_ = 0;
  std::uint64_t packets_left_out_ = 0;
  bool finished_ = false;
};

}  // namespace affix::inline v0::tools::log
