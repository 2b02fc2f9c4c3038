// SPDX-License-Identifier: MIT
// One answer of an HTTP/1.1 server (RFC 9112), read from the pieces in which it comes. No socket.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace affix::inline v0::service {

/// Of a POST: not of a HEAD, whose answer has no body. Interim answers (1xx) are skipped.
class HttpAnswer {
 public:
  enum class Progress : std::uint8_t {
    More,    ///< The answer goes on.
    Whole,   ///< It is complete.
    Broken,  ///< It is no answer, or exceeds a limit; fault() says which.
  };

  /// Maximum bytes of all lines before and after the body.
  static constexpr std::size_t lines_bytes_max = std::size_t{64} << 10;

  explicit HttpAnswer(std::size_t body_bytes_max) noexcept : body_bytes_max_(body_bytes_max) {}

  /// Takes the next bytes. Bytes after the end, for which nobody has asked, end the connection's
  /// use (may_go_on()). Allocates for the body.
  Progress add(std::string_view bytes);

  /// The server has ended its stream. Whole: that ends the body.
  Progress end();

  /// Such as 200; 0: its line is not there yet.
  [[nodiscard]] int status() const noexcept { return status_; }

  /// As far as it has come; empty for a Broken answer.
  [[nodiscard]] const std::string& body() const noexcept { return body_; }

  /// True if the connection may be used for another request after a Whole answer.
  [[nodiscard]] bool may_go_on() const noexcept { return may_go_on_; }

  /// Predicate without a subject, such as "has a line that is too long". Static.
  [[nodiscard]] const char* fault() const noexcept { return fault_; }

 private:
  enum class Part : std::uint8_t {
    Status,
    Header,
    Body,       ///< `left_` bytes.
    BodyToEnd,  ///< All until the stream ends.
    ChunkSize,
    Chunk,     ///< `left_` bytes.
    ChunkEnd,  ///< The empty line after a chunk.
    Trailer,
    Whole,
    Broken,
  };

  [[nodiscard]] static bool is_line(Part part) noexcept;
  [[nodiscard]] Progress progress() const noexcept;
  void take_line(std::string_view line);
  void take_status(std::string_view line);
  void take_header(std::string_view line);
  void end_header();
  void take_chunk_size(std::string_view line);
  void take_body(std::string_view& bytes);
  void fail(const char* fault) noexcept;

  std::size_t body_bytes_max_;
  Part part_ = Part::Status;
  std::string line_;  ///< As far as it has come.
  std::size_t lines_bytes_ = 0;
  int status_ = 0;
  bool may_go_on_ = false;
  bool is_chunked_ = false;
  bool has_length_ = false;
  std::size_t left_ = 0;  ///< Of the body or the chunk; before that, Content-Length.
  std::string body_;
  const char* fault_ = "";
};

}  // namespace affix::inline v0::service
