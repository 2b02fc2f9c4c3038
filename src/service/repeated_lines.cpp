// SPDX-License-Identifier: MIT
// Shapes of lines and their counts.
#include "service/repeated_lines.hpp"

#include "affix/base/text.hpp"
#include "affix/base/time.hpp"

#include <algorithm>

namespace affix::inline v0::service {

namespace {

/// FNV-1a, with one mark in place of each run of digits.
std::uint64_t hash_of(const LogRecord& record) noexcept {
  constexpr std::uint64_t prime = 1'099'511'628'211U;
  std::uint64_t hash = 14'695'981'039'346'656'037U;
  const auto add = [&hash](unsigned char byte) { hash = (hash ^ byte) * prime; };
  for (const char character : record.session) {
    add(static_cast<unsigned char>(character));
  }
  add(0);
  add(static_cast<unsigned char>(record.severity));
  bool in_number = false;
  for (const char character : record.text) {
    if (!base::is_digit(character)) {
      add(static_cast<unsigned char>(character));
    } else if (!in_number) {
      add(1);
    }
    in_number = base::is_digit(character);
  }
  return hash;
}

}  // namespace

bool RepeatedLines::admits(const LogRecord& record, std::int64_t now_ns) {
  const std::uint64_t hash = hash_of(record);
  const std::int64_t second = now_ns / base::ns_per_second;
  Shape* shape = nullptr;
  Shape* free = nullptr;
  for (Shape& one : shapes_) {
    if (one.lines != 0 && one.hash == hash) {
      shape = &one;
      break;
    }
    // A place without an open summary is reused for a new shape, the oldest first.
    if (one.lines <= alike_max && (free == nullptr || one.second < free->second)) {
      free = &one;
    }
  }
  if (shape == nullptr || shape->second != second) {
    if (shape == nullptr) {
      shape = free;
    } else if (shape->lines > alike_max) {
      // Its summary is still to come, so its count continues.
      ++shape->lines;
      shape->last.assign(record.text);
      shape->last_ns = record.utc_ns;
      return false;
    }
    if (shape == nullptr) {
      return true;  // Too many shapes repeat, so this one has no place.
    }
    shape->hash = hash;
    shape->second = second;
    shape->lines = 0;
  }
  if (++shape->lines <= alike_max) {
    return true;
  }
  if (shape->lines == alike_max + 1) {
    ++left_out_shapes_;
    shape->severity = record.severity;
    shape->code = record.code;
    shape->session.assign(record.session);
  }
  shape->last.assign(record.text);
  shape->last_ns = record.utc_ns;
  return false;
}

std::optional<LogRecord> RepeatedLines::summary(std::int64_t now_ns, Due due) {
  if (left_out_shapes_ == 0) {
    return std::nullopt;
  }
  const std::int64_t second = now_ns / base::ns_per_second;
  const auto found = std::find_if(shapes_.begin(), shapes_.end(), [&](const Shape& shape) {
    return shape.lines > alike_max && (due == Due::All || shape.second < second);
  });
  if (found == shapes_.end()) {
    return std::nullopt;
  }
  --left_out_shapes_;
  const std::uint64_t more = found->lines - alike_max;
  summary_session_ = found->session;
  summary_text_ =
      found->last + " (" + std::to_string(more) +
      (more == 1
           ? " line like this was left out; it was this one) [E122]"
           : " lines like this were left out since the one before; the last was this one) [E122]");
  found->lines = 0;
  return LogRecord{.utc_ns = found->last_ns,
                   .severity = found->severity,
                   .session = summary_session_,
                   .text = summary_text_,
                   .code = found->code};
}

}  // namespace affix::inline v0::service
