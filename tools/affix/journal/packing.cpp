// SPDX-License-Identifier: MIT
// Packs one buffer into another: a segment has at most 1 GiB.
#include "journal/packing.hpp"

#include "affix/os/replace_file.hpp"

#include <sys/types.h>
#include <zlib.h>
#include <zstd.h>

namespace affix::inline v0::tools::journal {

namespace {

constexpr int zstd_level = 6;
constexpr mode_t for_us_and_our_group = 0640;

base::Error failed(const char* what, const std::string& where) {
  return {base::ErrorCode::Io, what, where, "J223"};
}

std::expected<std::string, base::Error> gzip(std::string_view bytes, const std::string& path) {
  z_stream stream{};
  // 15: window bits; 16: write a gzip header.
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) !=
      Z_OK) {
    return std::unexpected(failed("gzip does not begin", path));
  }
  std::string packed(deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
  // zlib's input is not const, but is not changed.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  const int result = deflate(&stream, Z_FINISH);
  packed.resize(packed.size() - stream.avail_out);
  deflateEnd(&stream);
  if (result != Z_STREAM_END) {
    return std::unexpected(failed("gzip does not end", path));
  }
  return packed;
}

std::expected<std::string, base::Error> zstd(std::string_view bytes, const std::string& path) {
  std::string packed(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t size =
      ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), zstd_level);
  if (ZSTD_isError(size) != 0) {
    return std::unexpected(failed(ZSTD_getErrorName(size), path));
  }
  packed.resize(size);
  return packed;
}

}  // namespace

std::string_view ending_of(Packing packing) noexcept {
  return packing == Packing::Gzip ? ".gz" : packing == Packing::Zstd ? ".zst" : "";
}

std::expected<void, base::Error> write_packed(const std::string& path, std::string_view bytes,
                                              Packing packing) {
  if (packing == Packing::None) {
    return os::replace_file(path, bytes, for_us_and_our_group);
  }
  const auto packed = packing == Packing::Gzip ? gzip(bytes, path) : zstd(bytes, path);
  if (!packed) {
    return std::unexpected(packed.error());
  }
  return os::replace_file(path, *packed, for_us_and_our_group);
}

}  // namespace affix::inline v0::tools::journal
