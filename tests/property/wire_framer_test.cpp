// SPDX-License-Identifier: MIT
// Frames do not depend on how a stream is split, and well-formed messages are found whatever is
// between them.
#include "affix/wire/framer.hpp"

#include "support/fix_text.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace {

using affix::support::make_message;
using affix::support::with_soh;
using affix::wire::FrameError;
using affix::wire::Framer;
using affix::wire::FrameStatus;

constexpr std::size_t limit = 600;

/// Messages, and skipped bytes by reason; adjacent skips with one reason are merged.
using Pieces = std::vector<std::pair<FrameError, std::string>>;

struct Cutter {
  Framer framer{limit};
  std::string buffer;
  Pieces pieces;
  bool skipping = false;

  void give(std::string_view bytes) {
    buffer += bytes;
    while (true) {
      // An exact copy, so that a sanitizer detects every read outside.
      const std::vector<char> exact(buffer.begin(), buffer.end());
      const auto frame = framer.next({exact.data(), exact.size()});
      if (frame.status == FrameStatus::Partial) {
        RC_ASSERT(frame.size == 0U);
        RC_ASSERT(frame.needed == 0U || frame.needed > buffer.size());
        RC_ASSERT(buffer.size() <= limit);
        return;
      }
      RC_ASSERT(frame.size > 0U);
      RC_ASSERT(frame.size <= buffer.size());
      const bool skip = frame.status == FrameStatus::Skip;
      if (skip && skipping && pieces.back().first == frame.error) {
        pieces.back().second += buffer.substr(0, frame.size);
      } else {
        pieces.emplace_back(frame.error, buffer.substr(0, frame.size));
      }
      skipping = skip;
      buffer.erase(0, frame.size);
    }
  }
};

rc::Gen<std::string> good_message() {
  return rc::gen::map(
      rc::gen::pair(rc::gen::container<std::string>(rc::gen::inRange<char>(' ', '~')),
                    rc::gen::element("FIX.4.2", "FIXT.1.1")),
      [](const std::pair<std::string, const char*>& parts) {
        return make_message(
            "35=0\x01"
            "58=" +
                parts.first.substr(0, 300) + "\x01",
            parts.second);
      });
}

rc::Gen<std::string> strange_piece() {
  return rc::gen::oneOf(
      rc::gen::container<std::string>(
          rc::gen::element('8', '=', 'F', 'I', 'X', '\x01', '9', '1', '0', '5')),
      rc::gen::map(rc::gen::element<std::string>(
                       "8=FIX.4.2|9=5|35=0|10=1|", "8=FIX.4.2|9=500|35=0|10=123|", "8=FIX.4.2|9=x|",
                       "8=FIX.4.2|35=0|", "8=FIX.4.2|9=99999|35=0|10=000|", "8=|9=0|10=|", "8=FIX",
                       "8=FIX.4.2|9=5|35=0|10=", "8=", "10=000|", "|10=1|",
                       "8=FIX.4.2|9=00000000005|35=0|10=000|", "8=OTHER|9=5|35=0|10=000|"),
                   [](const std::string& text) { return with_soh(text); }));
}

RC_GTEST_PROP(WireFramerProperty, AnySplitEqualsWhole, ()) {
  const auto parts = *rc::gen::container<std::vector<std::string>>(
      rc::gen::weightedOneOf<std::string>({{2, good_message()}, {3, strange_piece()}}));
  std::string stream;
  for (const std::string& part : parts) {
    stream += part;
  }
  Cutter whole;
  whole.give(stream);
  Cutter split;
  std::size_t at = 0;
  while (at < stream.size()) {
    const auto size = *rc::gen::weightedOneOf<std::size_t>(
        {{2, rc::gen::inRange<std::size_t>(1, 4)}, {1, rc::gen::inRange<std::size_t>(1, 200)}});
    split.give(std::string_view(stream).substr(at, size));
    at += size;
  }
  RC_ASSERT(whole.pieces == split.pieces);
  RC_ASSERT(whole.buffer == split.buffer);
  std::string again;
  for (const auto& [error, bytes] : whole.pieces) {
    again += bytes;
  }
  RC_ASSERT(again + whole.buffer == stream);
}

RC_GTEST_PROP(WireFramerProperty, FindsEveryMessageBetweenGarbage, ()) {
  const auto messages = *rc::gen::container<std::vector<std::string>>(good_message());
  std::string stream;
  for (const std::string& message : messages) {
    stream += *rc::gen::container<std::string>(rc::gen::element('x', '=', '9', '\x01', 'F', '\n'));
    stream += message;
  }
  Cutter cutter;
  cutter.give(stream);
  std::vector<std::string> found;
  for (const auto& [error, bytes] : cutter.pieces) {
    if (error == FrameError::None) {
      found.push_back(bytes);
    }
  }
  RC_ASSERT(found == messages);
  RC_ASSERT(cutter.buffer.empty());
}

}  // namespace
