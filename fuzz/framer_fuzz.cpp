// SPDX-License-Identifier: MIT
// The framer on any stream in any split: the first byte selects the limit, the second the size of
// the pieces, the rest is the stream. Cut as a whole and in pieces it must give the same frames,
// and it must not lose or invent a byte.
#include "affix/wire/framer.hpp"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace {

using affix::wire::Frame;
using affix::wire::FrameError;
using affix::wire::Framer;
using affix::wire::FrameStatus;

void require(bool condition) {
  if (!condition) {
    std::abort();
  }
}

struct Piece {
  FrameError error = FrameError::None;
  std::string bytes;

  friend bool operator==(const Piece&, const Piece&) = default;
};

struct Cut {
  std::vector<Piece> pieces;
  std::string rest;

  friend bool operator==(const Cut&, const Cut&) = default;
};

/// Neighbouring skips of one error count as one.
Cut cut(std::string_view stream, std::size_t piece, std::size_t limit) {
  Framer framer(limit);
  Cut result;
  bool skipping = false;
  while (true) {
    // An exact copy: the address sanitizer sees every read outside.
    const std::vector<char> exact(result.rest.begin(), result.rest.end());
    const Frame frame = framer.next({exact.data(), exact.size()});
    if (frame.status == FrameStatus::Partial) {
      require(frame.size == 0 && frame.error == FrameError::None);
      require(frame.needed == 0 || frame.needed > result.rest.size());
      if (stream.empty()) {
        return result;
      }
      result.rest += stream.substr(0, piece);
      stream.remove_prefix(stream.size() < piece ? stream.size() : piece);
      continue;
    }
    require(frame.size != 0 && frame.size <= result.rest.size());
    const bool skip = frame.status == FrameStatus::Skip;
    require(skip == (frame.error != FrameError::None));
    require(skip || frame.size <= limit);
    const std::string bytes = result.rest.substr(0, frame.size);
    if (skip && skipping && result.pieces.back().error == frame.error) {
      result.pieces.back().bytes += bytes;
    } else {
      result.pieces.push_back({frame.error, bytes});
    }
    skipping = skip;
    result.rest.erase(0, frame.size);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size < 2 || size > 8192) {
    return 0;
  }
  const std::size_t limit = 16 + std::size_t{bytes[0]} * 8;
  const std::size_t piece = 1 + bytes[1] % 64;
  const std::string stream(reinterpret_cast<const char*>(bytes) + 2, size - 2);
  const Cut whole = cut(stream, stream.size() + 1, limit);
  require(whole == cut(stream, piece, limit));
  std::string again;
  for (const Piece& part : whole.pieces) {
    again += part.bytes;
  }
  require(again + whole.rest == stream);
  return 0;
}
