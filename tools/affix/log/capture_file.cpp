// SPDX-License-Identifier: MIT
// Both formats, as draft-ietf-opsawg-pcap and draft-ietf-opsawg-pcapng describe them.
#include "log/capture_file.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace affix::inline v0::tools::log {

namespace {

constexpr std::size_t capture_bytes_max = std::size_t{16} << 30;
constexpr std::size_t packet_bytes_max = std::size_t{256} << 10;
constexpr std::size_t block_bytes_max = std::size_t{16} << 20;
constexpr std::size_t interfaces_max = 1'024;

// The older format: a header of the file, and one before each packet.
constexpr std::uint32_t microseconds_magic = 0xA1B2C3D4;
constexpr std::uint32_t nanoseconds_magic = 0xA1B23C4D;
constexpr std::size_t file_header_bytes = 24;
constexpr std::size_t link_at = 20;
constexpr std::uint32_t link_mask = 0x03FFFFFF;  // The other bits describe checksums of frames.
constexpr std::size_t record_header_bytes = 16;

// pcapng: blocks of a type, a length, a body, and the length again.
constexpr std::uint32_t section_type = 0x0A0D0D0A;  // The same in both byte orders.
constexpr std::uint32_t section_magic = 0x1A2B3C4D;
constexpr std::uint32_t interface_type = 1;
constexpr std::uint32_t old_packet_type = 2;
constexpr std::uint32_t simple_packet_type = 3;
constexpr std::uint32_t packet_type = 6;
constexpr std::size_t block_frame_bytes = 12;
constexpr std::size_t block_head_bytes = 8;
constexpr std::size_t interface_bytes = 8;
constexpr std::size_t packet_head_bytes = 20;
constexpr std::uint16_t resolution_option = 9;
constexpr std::uint16_t offset_option = 14;

constexpr std::uint64_t ns_per_s = 1'000'000'000;
constexpr std::int64_t seconds_max = 9'000'000'000;  // In nanoseconds that is just below 2^63.

/// Units in a second, by pcapng's byte: 10^n, or 2^n with its highest bit. 0: too many.
std::uint64_t units_of(std::uint8_t resolution) noexcept {
  constexpr std::uint8_t binary = 0x80;
  constexpr int bits_max = 63;
  constexpr int digits_max = 19;
  const int exponent = resolution & (binary - 1);
  if ((resolution & binary) != 0) {
    return exponent <= bits_max ? std::uint64_t{1} << exponent : 0;
  }
  std::uint64_t units = exponent <= digits_max ? 1 : 0;
  for (int digit = 0; digit < exponent; ++digit) {
    units *= 10;
  }
  return units;
}

}  // namespace

std::uint16_t CaptureFile::number16(std::string_view bytes, std::size_t at) const noexcept {
  std::uint16_t number = 0;
  std::memcpy(&number, bytes.data() + at, sizeof number);
  return swapped_ ? std::byteswap(number) : number;
}

std::uint32_t CaptureFile::number32(std::string_view bytes, std::size_t at) const noexcept {
  std::uint32_t number = 0;
  std::memcpy(&number, bytes.data() + at, sizeof number);
  return swapped_ ? std::byteswap(number) : number;
}

bool CaptureFile::fail(std::string problem) {
  problem_ = std::move(problem);
  return false;
}

std::string CaptureFile::problem() const {
  if (!window_.problem().empty()) {
    return window_.problem();
  }
  return problem_.empty() ? std::string() : where_ + ": " + problem_;
}

bool CaptureFile::has(std::size_t bytes) {
  while (window_.view().size() < bytes && window_.more()) {
  }
  if (!window_.problem().empty()) {
    return fail(window_.problem());
  }
  if (window_.view().size() < bytes) {
    return window_.view().empty() ? false : fail("ends within a packet");
  }
  if (bytes_read_ + bytes > capture_bytes_max) {
    return fail("is longer than " + std::to_string(capture_bytes_max) +
                " bytes; the rest was not read");
  }
  return true;
}

// Only after has().
std::string_view CaptureFile::take(std::size_t bytes) {
  const std::string_view taken = window_.view().substr(0, bytes);
  window_.consume(bytes);
  bytes_read_ += bytes;
  return taken;
}

std::expected<CaptureFile, base::Error> CaptureFile::open(ByteWindow window,
                                                          const std::string& where) {
  CaptureFile file(std::move(window), where);
  if (auto read = file.read_header(); !read) {
    return std::unexpected(std::move(read.error()));
  }
  return file;
}

std::expected<void, base::Error> CaptureFile::read_header() {
  const auto damaged = [this] {
    return std::unexpected(base::Error{
        base::ErrorCode::Damaged,
        window_.problem().empty() ? "is not a capture file" : window_.problem(), where_, "P127"});
  };
  if (!has(sizeof(std::uint32_t))) {
    return damaged();
  }
  const std::uint32_t magic = number32(window_.view(), 0);
  if (magic == section_type) {
    blocks_ = true;
    return read_first_interface();
  }
  swapped_ =
      magic == std::byteswap(microseconds_magic) || magic == std::byteswap(nanoseconds_magic);
  const std::uint32_t plain = swapped_ ? std::byteswap(magic) : magic;
  if ((plain != microseconds_magic && plain != nanoseconds_magic) || !has(file_header_bytes)) {
    return damaged();
  }
  const std::uint32_t link = number32(take(file_header_bytes), link_at) & link_mask;
  interfaces_.push_back(
      {.link = link_type_of(static_cast<int>(link)),
       .units_per_second = plain == nanoseconds_magic ? ns_per_s : ns_per_s / 1'000});
  if (interfaces_.front().link == LinkType::Unknown) {
    return std::unexpected(base::Error{base::ErrorCode::Unsupported,
                                       "captured on a link of type " + std::to_string(link), where_,
                                       "P127"});
  }
  return {};
}

std::expected<void, base::Error> CaptureFile::read_first_interface() {
  while (interfaces_.empty()) {
    const auto block = next_block();
    if (!block || (block->type == interface_type && !add_interface(block->body))) {
      return std::unexpected(base::Error{base::ErrorCode::Damaged,
                                         problem_.empty() ? "has no interface" : problem_, where_,
                                         "P127"});
    }
  }
  if (interfaces_.front().link == LinkType::Unknown) {
    return std::unexpected(
        base::Error{base::ErrorCode::Unsupported,
                    "captured on a link of type " + std::to_string(unknown_link_), where_, "P127"});
  }
  return {};
}

std::optional<CapturedPacket> CaptureFile::next() {
  if (!blocks_) {
    return next_record();
  }
  while (const auto block = next_block()) {
    if (block->type == interface_type) {
      if (!add_interface(block->body)) {
        return std::nullopt;
      }
    } else if (const auto packet = packet_of(*block)) {
      return packet;
    } else if (!problem_.empty()) {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

std::optional<CapturedPacket> CaptureFile::next_record() {
  if (!has(record_header_bytes)) {
    return std::nullopt;
  }
  const std::string_view header = take(record_header_bytes);
  const Interface& only = interfaces_.front();
  CapturedPacket packet{.link = only.link};
  packet.utc_ns = time_of(only, number32(header, 0) * only.units_per_second + number32(header, 4));
  const std::size_t bytes = number32(header, 8);
  if (bytes > packet_bytes_max) {
    fail("a packet is longer than 256 KiB");
    return std::nullopt;
  }
  if (!has(bytes)) {
    if (problem_.empty()) {
      fail("ends within a packet");
    }
    return std::nullopt;
  }
  packet.frame = take(bytes);
  return packet;
}

std::optional<CaptureFile::Block> CaptureFile::next_block() {
  if (!problem_.empty() || !has(block_frame_bytes)) {
    return std::nullopt;
  }
  const std::uint32_t type = number32(window_.view(), 0);
  if (type == section_type && !enter_section()) {
    return std::nullopt;
  }
  const std::size_t bytes = number32(window_.view(), sizeof type);
  if (bytes < block_frame_bytes || bytes % sizeof type != 0 || bytes > block_bytes_max) {
    fail("a block has a wrong length");
    return std::nullopt;
  }
  if (!has(bytes)) {
    return std::nullopt;
  }
  return Block{type, take(bytes).substr(block_head_bytes, bytes - block_frame_bytes)};
}

// A section has its own byte order and interfaces.
bool CaptureFile::enter_section() {
  swapped_ = false;
  const std::uint32_t magic = number32(window_.view(), block_head_bytes);
  if (magic != section_magic && magic != std::byteswap(section_magic)) {
    return fail("a section begins wrongly");
  }
  swapped_ = magic != section_magic;
  interfaces_.clear();
  return true;
}

bool CaptureFile::add_interface(std::string_view body) {
  if (body.size() < interface_bytes || interfaces_.size() == interfaces_max) {
    return fail("an interface is described wrongly");
  }
  const int link = number16(body, 0);
  Interface interface{.link = link_type_of(link),
                      .snap_bytes = number32(body, 4),
                      .units_per_second = ns_per_s / 1'000};
  if (interface.link == LinkType::Unknown) {
    unknown_link_ = link;
  }
  constexpr std::size_t option_head_bytes = 4;
  std::string_view options = body.substr(interface_bytes);
  while (options.size() >= option_head_bytes) {
    const std::uint16_t code = number16(options, 0);
    const std::size_t bytes = number16(options, 2);
    const std::size_t padded = (bytes + 3) / 4 * 4;
    options.remove_prefix(option_head_bytes);
    if (code == 0 || padded > options.size()) {
      break;
    }
    if (code == resolution_option && bytes == 1) {
      interface.units_per_second = units_of(static_cast<std::uint8_t>(options.front()));
    } else if (code == offset_option && bytes == 2 * sizeof(std::uint32_t)) {
      const std::uint64_t low = number32(options, swapped_ ? 4 : 0);
      const std::uint64_t high = number32(options, swapped_ ? 0 : 4);
      interface.offset_seconds = static_cast<std::int64_t>(high << 32 | low);
    }
    options.remove_prefix(padded);
  }
  if (interface.units_per_second == 0) {
    return fail("an interface is described wrongly");
  }
  interfaces_.push_back(interface);
  return true;
}

// Nullopt without a problem: the block has no packet, or one of a link that we cannot read.
std::optional<CapturedPacket> CaptureFile::packet_of(const Block& block) {
  const bool simple = block.type == simple_packet_type;
  const bool old = block.type == old_packet_type;
  if (!simple && !old && block.type != packet_type) {
    return std::nullopt;
  }
  const std::string_view body = block.body;
  const std::size_t head_bytes = simple ? sizeof(std::uint32_t) : packet_head_bytes;
  const std::size_t number =
      simple || body.size() < head_bytes ? 0 : (old ? number16(body, 0) : number32(body, 0));
  if (body.size() < head_bytes || number >= interfaces_.size()) {
    fail("a packet is described wrongly");
    return std::nullopt;
  }
  const Interface& interface = interfaces_[number];
  CapturedPacket packet{.link = interface.link};
  std::size_t bytes = 0;
  if (simple) {
    // It has as many bytes as were sent, or as its interface captures.
    bytes = std::min<std::size_t>(number32(body, 0), body.size() - head_bytes);
    bytes = interface.snap_bytes == 0 ? bytes : std::min<std::size_t>(bytes, interface.snap_bytes);
  } else {
    packet.utc_ns = time_of(interface, std::uint64_t{number32(body, 4)} << 32 | number32(body, 8));
    bytes = number32(body, 12);
  }
  if (bytes > body.size() - head_bytes) {
    fail("a packet is described wrongly");
    return std::nullopt;
  }
  packet.frame = body.substr(head_bytes, bytes);
  return packet;
}

std::int64_t CaptureFile::time_of(const Interface& interface, std::uint64_t units) const noexcept {
  std::uint64_t per_second = interface.units_per_second;
  const auto seconds = static_cast<std::int64_t>(
      std::min<std::uint64_t>(units / per_second, static_cast<std::uint64_t>(seconds_max)));
  std::uint64_t fraction = units % per_second;
  // So that the product below has room: finer units than these are less than a nanosecond.
  constexpr std::uint64_t per_second_max = std::uint64_t{1} << 34;
  while (per_second > per_second_max) {
    const std::uint64_t factor = per_second % 10 == 0 ? 10 : 2;
    per_second /= factor;
    fraction /= factor;
  }
  const std::int64_t offset = std::clamp(interface.offset_seconds, -seconds_max, seconds_max);
  return std::clamp(seconds + offset, -seconds_max, seconds_max) *
             static_cast<std::int64_t>(ns_per_s) +
         static_cast<std::int64_t>(fraction * ns_per_s / per_second);
}

}  // namespace affix::inline v0::tools::log
