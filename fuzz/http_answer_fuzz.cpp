// SPDX-License-Identifier: MIT
// Any bytes as the answer of an HTTP server: however they are divided, the result is the same, and
// no limit is exceeded.
#include "service/http_answer.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

using affix::service::HttpAnswer;
using Progress = HttpAnswer::Progress;

constexpr std::size_t body_bytes_max = 1000;

void check(bool holds) {
  if (!holds) {
    std::abort();
  }
}

void check_same(const HttpAnswer& one, const HttpAnswer& other) {
  check(one.status() == other.status() && one.body() == other.body());
  check(one.may_go_on() == other.may_go_on());
  check(std::string_view(one.fault()) == other.fault());
}

/// Reads in pieces of `size` bytes. Bytes after the end come with the last piece.
HttpAnswer read_in_pieces(std::string_view bytes, std::size_t size, Progress& progress) {
  HttpAnswer answer(body_bytes_max);
  progress = Progress::More;
  while (!bytes.empty() && progress == Progress::More) {
    progress = answer.add(bytes.substr(0, size));
    bytes.remove_prefix(std::min(size, bytes.size()));
  }
  if (!bytes.empty()) {
    check(answer.add(bytes) == progress);
  }
  return answer;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(input), size);
  HttpAnswer whole(body_bytes_max);
  const Progress progress = bytes.empty() ? Progress::More : whole.add(bytes);
  check(whole.body().size() <= body_bytes_max);
  check((progress == Progress::Broken) == !std::string_view(whole.fault()).empty());
  if (progress == Progress::Whole) {
    check(whole.status() >= 200);
  }
  for (const std::size_t piece : {1U, 2U, 7U}) {
    Progress in_pieces{};
    const HttpAnswer answer = read_in_pieces(bytes, piece, in_pieces);
    check(in_pieces == progress);
    check_same(answer, whole);
  }
  HttpAnswer ended = whole;
  const Progress end = ended.end();
  check(end != Progress::More && !ended.may_go_on());
  check(ended.body() == (end == Progress::Broken ? std::string() : whole.body()));
  check(progress == Progress::More || end == progress);
  return 0;
}
