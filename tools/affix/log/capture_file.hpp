// SPDX-License-Identifier: MIT
// Reads the packets of a capture file, pcap or pcapng, front to back. Knows nothing of what is in a
// packet.
#pragma once

#include "affix/base/error.hpp"

#include "log/byte_window.hpp"
#include "log/packet.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::tools::log {

struct CapturedPacket {
  std::int64_t utc_ns = 0;  ///< 0: the file does not say.
  LinkType link = LinkType::Unknown;
  std::string_view frame = {};  ///< The captured bytes, which may be fewer than were sent.
};

/// pcap in both byte orders with microseconds or nanoseconds, and pcapng. Trusts no length: a
/// packet has at most 256 KiB, a block of pcapng 16 MiB.
class CaptureFile {
 public:
  /// Reads up to the first interface. Damaged, or Unsupported if its link layer is unknown.
  [[nodiscard]] static std::expected<CaptureFile, base::Error> open(ByteWindow window,
                                                                    const std::string& where);

  /// The next packet, valid until the next call. Nullopt at the end.
  [[nodiscard]] std::optional<CapturedPacket> next();

  /// Reason why next() ended before the end of the file; empty if it did not.
  [[nodiscard]] std::string problem() const;

 private:
  /// Of pcapng; a file in the older format has one.
  struct Interface {
    LinkType link = LinkType::Unknown;
    std::uint32_t snap_bytes = 0;        ///< 0: unlimited.
    std::uint64_t units_per_second = 0;  ///< Of its time stamps.
    std::int64_t offset_seconds = 0;     ///< Added to its time stamps.
  };

  struct Block {
    std::uint32_t type = 0;
    std::string_view body;
  };

  CaptureFile(ByteWindow window, std::string where)
      : window_(std::move(window)), where_(std::move(where)) {}

  [[nodiscard]] std::expected<void, base::Error> read_header();
  [[nodiscard]] std::expected<void, base::Error> read_first_interface();
  [[nodiscard]] std::optional<CapturedPacket> next_record();
  [[nodiscard]] std::optional<CapturedPacket> packet_of(const Block& block);
  [[nodiscard]] std::optional<Block> next_block();
  [[nodiscard]] bool enter_section();
  [[nodiscard]] bool add_interface(std::string_view body);
  [[nodiscard]] std::int64_t time_of(const Interface& interface,
                                     std::uint64_t units) const noexcept;

  /// Extends the window to `bytes`. False: the file ends before them, or within them, which is a
  /// problem.
  [[nodiscard]] bool has(std::size_t bytes);
  [[nodiscard]] std::string_view take(std::size_t bytes);
  bool fail(std::string problem);

  [[nodiscard]] std::uint16_t number16(std::string_view bytes, std::size_t at) const noexcept;
  [[nodiscard]] std::uint32_t number32(std::string_view bytes, std::size_t at) const noexcept;

  ByteWindow window_;
  std::string where_;
  std::string problem_;  // Of the file's contents, without `where_`.
  std::vector<Interface> interfaces_;
  bool blocks_ = false;   ///< pcapng.
  bool swapped_ = false;  ///< The file has the other byte order.
  std::size_t bytes_read_ = 0;
  int unknown_link_ = 0;
};

}  // namespace affix::inline v0::tools::log
