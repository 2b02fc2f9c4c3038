// SPDX-License-Identifier: MIT
// Reads files directly, or through zlib or libzstd.
#include "log/byte_window.hpp"

#include "affix/os/file_descriptor.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>
#include <zlib.h>
#include <zstd.h>

namespace affix::inline v0::tools::log {

namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 20;

/// Most files of a directory are small.
constexpr std::size_t first_piece_bytes = std::size_t{16} << 10;

constexpr std::string_view gzip_magic = "\x1F\x8B";
constexpr std::string_view zstd_magic = "\x28\xB5\x2F\xFD";

/// Bytes read, 0 at the end, or -1 with errno.
ssize_t read_some(int file, char* to, std::size_t bytes) noexcept {
  ssize_t got = 0;
  do {
    got = ::read(file, to, bytes);
  } while (got < 0 && errno == EINTR);
  return got;
}

}  // namespace

/// Source of the window's bytes. Reads instead of mapping: if another process truncated a mapped
/// log, this process would end, and reading into memory that stays in the cache is no slower.
class ByteWindow::Reader {
 public:
  explicit Reader(os::FileDescriptor file) : file_(std::move(file)) {}

  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;
  virtual ~Reader() = default;

  /// Returns bytes that were read to detect the kind of file.
  void put_back(std::string_view bytes) { input_.assign(bytes.begin(), bytes.end()); }

  /// `view`, which is the end of the buffer, with further bytes appended if there are any.
  [[nodiscard]] std::string_view grown(std::string_view view) {
    // Moves the rest to the front, so that memory is bounded by the longest message.
    const std::size_t left = view.size();
    if (left != 0) {
      std::memmove(buffer_.data(), view.data(), left);
    }
    if (buffer_.size() < left + piece_) {
      buffer_.resize(2 * left + piece_);
    }
    const std::size_t got = fill(buffer_.data() + left, piece_);
    piece_ = std::min(4 * piece_, piece_bytes);
    return {buffer_.data(), left + got};
  }

  /// Problem in unpacking or reading; empty if none.
  [[nodiscard]] const std::string& problem() const noexcept { return problem_; }

 protected:
  virtual std::size_t fill(char* to, std::size_t room) = 0;

  /// Reads bytes of the file itself; 0 at its end.
  std::size_t read_file(char* to, std::size_t room) {
    if (!file_.is_open()) {
      return 0;  // Bytes in memory: there is no file.
    }
    const ssize_t got = read_some(file_.number(), to, room);
    if (got < 0) {
      problem_ = base::make_system_error("read", errno, "").message;
    }
    return got > 0 ? static_cast<std::size_t>(got) : 0;
  }

  /// Compressed bytes: first those put back, then the file's. False at the end.
  bool refill() {
    if (std::exchange(fresh_, false) && !input_.empty()) {
      return true;
    }
    input_.resize(piece_bytes);
    input_.resize(read_file(input_.data(), input_.size()));
    return !input_.empty();
  }

  os::FileDescriptor file_;
  std::vector<char> input_;
  std::string problem_;

 private:
  std::vector<char> buffer_;
  std::size_t piece_ = first_piece_bytes;
  bool fresh_ = true;
};

namespace {

class PlainReader final : public ByteWindow::Reader {
 public:
  PlainReader(os::FileDescriptor file, std::string path)
      : Reader(std::move(file)), path_(std::move(path)) {}

 private:
  std::size_t fill(char* to, std::size_t room) override {
    if (given_ < input_.size()) {
      const std::size_t bytes = std::min(room, input_.size() - given_);
      std::copy_n(input_.data() + given_, bytes, to);
      given_ += bytes;
      return bytes;
    }
    if (!file_.is_open()) {
      return 0;
    }
    std::size_t got = read_file(to, room);
    if (got == 0 && problem_.empty() && begun_anew()) {
      got = read_file(to, room);
    }
    return got;
  }

  // Logs are rotated by renaming, or by copying and truncating. The old file was read completely.
  bool begun_anew() {
    struct stat mine{};
    struct stat named{};
    if (path_ == "-" || fstat(file_.number(), &mine) != 0 || !S_ISREG(mine.st_mode)) {
      return false;
    }
    if (mine.st_size < lseek(file_.number(), 0, SEEK_CUR)) {
      return lseek(file_.number(), 0, SEEK_SET) == 0;
    }
    if (::stat(path_.c_str(), &named) != 0 ||
        (named.st_ino == mine.st_ino && named.st_dev == mine.st_dev)) {
      return false;
    }
    os::FileDescriptor file(::open(path_.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file.is_open()) {
      return false;
    }
    file_ = std::move(file);
    return true;
  }

  std::string path_;
  std::size_t given_ = 0;  // Of the bytes put back.
};

class GzipReader final : public ByteWindow::Reader {
 public:
  explicit GzipReader(os::FileDescriptor file) : Reader(std::move(file)) {
    // 15: window bits; 16: expect a gzip header.
    ready_ = inflateInit2(&stream_, 15 + 16) == Z_OK;
  }

  ~GzipReader() override { inflateEnd(&stream_); }

 private:
  std::size_t fill(char* to, std::size_t room) override {
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    stream_.avail_out = static_cast<uInt>(room);
    while (ready_ && stream_.avail_out == room) {
      if (stream_.avail_in == 0) {
        if (!refill()) {
          if (inside_) {
            problem_ = "the gzip file ends early";
          }
          break;
        }
        stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
        stream_.avail_in = static_cast<uInt>(input_.size());
      }
      inside_ = true;
      const int result = inflate(&stream_, Z_NO_FLUSH);
      if (result == Z_STREAM_END) {
        // Another member may follow: concatenated gzip files are one file.
        inside_ = false;
        ready_ = inflateReset(&stream_) == Z_OK;
      } else if (result != Z_OK && result != Z_BUF_ERROR) {
        problem_ = std::string("gzip: ") + (stream_.msg != nullptr ? stream_.msg : "bad bytes");
        ready_ = false;
      }
    }
    return room - stream_.avail_out;
  }

  z_stream stream_{};
  bool ready_ = false;
  bool inside_ = false;
};

class ZstdReader final : public ByteWindow::Reader {
 public:
  explicit ZstdReader(os::FileDescriptor file)
      : Reader(std::move(file)), stream_(ZSTD_createDStream()) {}

  ~ZstdReader() override { ZSTD_freeDStream(stream_); }

 private:
  std::size_t fill(char* to, std::size_t room) override {
    ZSTD_outBuffer out{to, room, 0};
    while (stream_ != nullptr && !failed_ && out.pos == 0) {
      if (in_.pos == in_.size) {
        if (!refill()) {
          if (wanted_ != 0) {
            problem_ = "the zstd file ends early";
          }
          break;
        }
        in_ = {input_.data(), input_.size(), 0};
      }
      wanted_ = ZSTD_decompressStream(stream_, &out, &in_);
      if (ZSTD_isError(wanted_) != 0) {
        problem_ = std::string("zstd: ") + ZSTD_getErrorName(wanted_);
        failed_ = true;
      }
    }
    return out.pos;
  }

  ZSTD_DStream* stream_;
  ZSTD_inBuffer in_{nullptr, 0, 0};
  std::size_t wanted_ = 0;
  bool failed_ = false;
};

std::unique_ptr<ByteWindow::Reader> reader_of(os::FileDescriptor file, std::string_view head,
                                              const std::string& path) {
  if (head.starts_with(gzip_magic)) {
    return std::make_unique<GzipReader>(std::move(file));
  }
  if (head.starts_with(zstd_magic)) {
    return std::make_unique<ZstdReader>(std::move(file));
  }
  return std::make_unique<PlainReader>(std::move(file), path);
}

}  // namespace

std::expected<ByteWindow, base::Error> ByteWindow::open(const std::string& path) {
  // A copy of standard input: it is not closed.
  os::FileDescriptor file(path == "-" ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                                      : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) {
    return std::unexpected(base::make_system_error("open", errno, path));
  }
  std::array<char, 4> head{};
  const ssize_t got = read_some(file.number(), head.data(), head.size());
  if (got < 0) {
    return std::unexpected(base::make_system_error("read", errno, path));
  }
  const std::string_view begin(head.data(), static_cast<std::size_t>(got));
  auto reader = reader_of(std::move(file), begin, path);
  reader->put_back(begin);
  return ByteWindow(std::move(reader), path);
}

ByteWindow ByteWindow::of_bytes(std::string_view bytes, const std::string& where) {
  auto reader = reader_of({}, bytes, "-");
  reader->put_back(bytes);
  return ByteWindow(std::move(reader), where);
}

ByteWindow::ByteWindow(std::unique_ptr<Reader> reader, std::string path) noexcept
    : reader_(std::move(reader)), path_(std::move(path)) {}

ByteWindow::ByteWindow(ByteWindow&& other) noexcept = default;
ByteWindow& ByteWindow::operator=(ByteWindow&& other) noexcept = default;
ByteWindow::~ByteWindow() = default;

bool ByteWindow::more() {
  if (!problem_.empty()) {
    return false;
  }
  const std::size_t before = view_.size();
  view_ = reader_->grown(view_);
  if (!reader_->problem().empty()) {
    problem_ = path_ + ": " + reader_->problem();
  }
  return view_.size() != before;
}

std::expected<std::string, base::Error> read_unpacked(const std::string& path, std::size_t limit) {
  auto window = ByteWindow::open(path);
  if (!window) {
    return std::unexpected(std::move(window.error()));
  }
  while (window->more()) {
    if (window->view().size() > limit) {
      return std::unexpected(base::Error{base::ErrorCode::Limit,
                                         "is longer than " + std::to_string(limit) + " bytes", path,
                                         "P127"});
    }
  }
  if (!window->problem().empty()) {
    return std::unexpected(base::Error{base::ErrorCode::Damaged, window->problem(), "", "J211"});
  }
  return std::string(window->view());
}

}  // namespace affix::inline v0::tools::log
