// SPDX-License-Identifier: MIT
// A state for each part of an answer; lines are collected, bodies copied.
#include "service/http_answer.hpp"

#include "affix/base/text.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace affix::inline v0::service {

namespace {

std::optional<std::size_t> hexadecimal_number(std::string_view digits) noexcept {
  std::size_t number = 0;
  const char* const end = digits.data() + digits.size();
  const auto [at, fault] = std::from_chars(digits.data(), end, number, 16);
  return fault == std::errc() && at == end ? std::optional(number) : std::nullopt;
}

}  // namespace

bool HttpAnswer::is_line(Part part) noexcept {
  return part == Part::Status || part == Part::Header || part == Part::ChunkSize ||
         part == Part::ChunkEnd || part == Part::Trailer;
}

HttpAnswer::Progress HttpAnswer::progress() const noexcept {
  return part_ == Part::Whole    ? Progress::Whole
         : part_ == Part::Broken ? Progress::Broken
                                 : Progress::More;
}

HttpAnswer::Progress HttpAnswer::add(std::string_view bytes) {
  while (!bytes.empty() && progress() == Progress::More) {
    if (!is_line(part_)) {
      take_body(bytes);
      continue;
    }
    const std::size_t end = bytes.find('\n');
    const std::string_view piece = bytes.substr(0, end);
    // Chunks have lines, too, whose number the body's limit bounds.
    lines_bytes_ += part_ == Part::ChunkSize || part_ == Part::ChunkEnd ? 0 : piece.size() + 1;
    if (lines_bytes_ > lines_bytes_max || line_.size() + piece.size() > lines_bytes_max) {
      fail("has more header lines than an answer has");
      break;
    }
    line_ += piece;
    bytes.remove_prefix(std::min(piece.size() + 1, bytes.size()));
    if (end != std::string_view::npos) {
      std::string_view line = line_;
      line.remove_suffix(line.ends_with('\r') ? 1 : 0);
      take_line(line);
      line_.clear();
    }
  }
  may_go_on_ = may_go_on_ && bytes.empty();
  return progress();
}

HttpAnswer::Progress HttpAnswer::end() {
  may_go_on_ = false;
  if (part_ == Part::BodyToEnd) {
    part_ = Part::Whole;
  } else if (progress() == Progress::More) {
    fail("ends before it is complete");
  }
  return progress();
}

void HttpAnswer::take_line(std::string_view line) {
  switch (part_) {
    case Part::Status:
      return take_status(line);
    case Part::Header:
      return line.empty() ? end_header() : take_header(line);
    case Part::ChunkSize:
      return take_chunk_size(line);
    case Part::ChunkEnd:
      return line.empty() ? void(part_ = Part::ChunkSize)
                          : fail("has a chunk that is longer than it says");
    case Part::Trailer:
      part_ = line.empty() ? Part::Whole : Part::Trailer;
      return;
    default:
      return;
  }
}

void HttpAnswer::take_status(std::string_view line) {
  constexpr std::string_view begin = "HTTP/1.";
  constexpr std::size_t digits = 3;
  const std::size_t code_at = begin.size() + 2;  // A digit and a space.
  const auto code =
      base::parse_number<unsigned>(line.substr(std::min(code_at, line.size()), digits));
  if (!line.starts_with(begin) || line.size() < code_at + digits || line[code_at - 1] != ' ' ||
      !code || *code < 100 || (line.size() > code_at + digits && line[code_at + digits] != ' ')) {
    return fail("is not of HTTP/1");
  }
  status_ = static_cast<int>(*code);
  may_go_on_ = line[begin.size()] != '0';
  part_ = Part::Header;
}

void HttpAnswer::take_header(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || colon == 0 || line.front() == ' ' ||
      line.front() == '\t') {
    return fail("has a header line without a name");
  }
  const std::string_view name = line.substr(0, colon);
  const std::string_view value = base::trimmed(line.substr(colon + 1), " \t");
  if (base::is_same_word(name, "content-length")) {
    const auto length = base::parse_number<std::size_t>(value);
    if (!length || (has_length_ && *length != left_)) {
      return fail("has a Content-Length that is no number");
    }
    has_length_ = true;
    left_ = *length;
  } else if (base::is_same_word(name, "transfer-encoding")) {
    is_chunked_ = base::is_same_word(value, "chunked");
    if (!is_chunked_) {
      return fail("has a Transfer-Encoding other than chunked");
    }
  } else if (base::is_same_word(name, "connection")) {
    may_go_on_ = may_go_on_ && !base::is_same_word(value, "close");
  }
}

void HttpAnswer::end_header() {
  constexpr int no_content = 204;
  constexpr int not_modified = 304;
  constexpr int final_code = 200;
  constexpr int switching = 101;
  if (status_ == switching) {
    return fail("changes the protocol");
  }
  if (status_ < final_code) {
    status_ = 0;
    is_chunked_ = false;
    has_length_ = false;
    left_ = 0;
    part_ = Part::Status;
  } else if (status_ == no_content || status_ == not_modified) {
    part_ = Part::Whole;
  } else if (is_chunked_) {
    // Both at once is how requests are smuggled past one of two servers.
    may_go_on_ = may_go_on_ && !has_length_;
    part_ = Part::ChunkSize;
  } else if (!has_length_) {
    may_go_on_ = false;
    part_ = Part::BodyToEnd;
  } else if (left_ > body_bytes_max_) {
    fail("is too long");
  } else {
    part_ = left_ == 0 ? Part::Whole : Part::Body;
  }
}

void HttpAnswer::take_chunk_size(std::string_view line) {
  const auto size = hexadecimal_number(base::trimmed(line.substr(0, line.find(';')), " \t"));
  if (!size) {
    return fail("has a chunk without a size");
  }
  if (*size > body_bytes_max_ - body_.size()) {
    return fail("is too long");
  }
  left_ = *size;
  part_ = left_ == 0 ? Part::Trailer : Part::Chunk;
}

void HttpAnswer::take_body(std::string_view& bytes) {
  const bool has_end = part_ != Part::BodyToEnd;
  const std::size_t size = has_end ? std::min(left_, bytes.size()) : bytes.size();
  if (size > body_bytes_max_ - body_.size()) {
    return fail("is too long");
  }
  body_ += bytes.substr(0, size);
  bytes.remove_prefix(size);
  left_ -= has_end ? size : 0;
  if (has_end && left_ == 0) {
    part_ = part_ == Part::Chunk ? Part::ChunkEnd : Part::Whole;
  }
}

void HttpAnswer::fail(const char* fault) noexcept {
  fault_ = fault;
  part_ = Part::Broken;
  body_.clear();
  may_go_on_ = false;
}

}  // namespace affix::inline v0::service
