// SPDX-License-Identifier: MIT
// Packs one buffer into another: a segment has at most 1 GiB.
#include "journal/packing.hpp"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>
#include <utility>
#include <zlib.h>
#include <zstd.h>

namespace affix::inline v0::tools::journal {

namespace {

constexpr int zstd_level = 6;
constexpr std::string_view part_ending = ".part";

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

std::expected<void, base::Error> write_through(const std::string& path, std::string_view bytes) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0640);
  if (file < 0) {
    return std::unexpected(base::make_system_error("open", errno, path));
  }
  int error_number = 0;
  while (!bytes.empty() && error_number == 0) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      error_number = errno;
    }
  }
  if (error_number == 0 && fsync(file) != 0) {
    error_number = errno;
  }
  ::close(file);
  if (error_number != 0) {
    ::unlink(path.c_str());
    return std::unexpected(base::make_system_error("write", error_number, path));
  }
  return {};
}

std::expected<void, base::Error> sync_directory_of(const std::string& path) {
  const std::string parent = std::filesystem::path(path).parent_path().string();
  const int directory =
      ::open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  int error_number = directory < 0 ? errno : 0;
  if (directory >= 0) {
    error_number = fsync(directory) == 0 ? 0 : errno;
    ::close(directory);
  }
  if (error_number != 0) {
    return std::unexpected(base::make_system_error("fsync", error_number, parent));
  }
  return {};
}

}  // namespace

std::string_view ending_of(Packing packing) noexcept {
  return packing == Packing::Gzip ? ".gz" : packing == Packing::Zstd ? ".zst" : "";
}

std::expected<void, base::Error> write_packed(const std::string& path, std::string_view bytes,
                                              Packing packing) {
  std::expected<std::string, base::Error> packed;
  if (packing == Packing::Gzip) {
    packed = gzip(bytes, path);
  } else if (packing == Packing::Zstd) {
    packed = zstd(bytes, path);
  } else {
    packed = std::string(bytes);
  }
  if (!packed) {
    return std::unexpected(std::move(packed.error()));
  }
  const std::string part = path + std::string(part_ending);
  if (auto written = write_through(part, *packed); !written) {
    return written;
  }
  if (std::rename(part.c_str(), path.c_str()) != 0) {
    return std::unexpected(base::make_system_error("rename", errno, path));
  }
  return sync_directory_of(path);
}

}  // namespace affix::inline v0::tools::journal
