// SPDX-License-Identifier: MIT
// The grammar of RFC 4180, and handling of its violations.
#include "trade/flow/csv_reader.hpp"

#include <utility>

namespace affix::inline v0::tools::trade {

std::string FileProblem::text() const {
  return "line " + std::to_string(place.line) + ", column " + std::to_string(place.column) + ": " +
         message;
}

CsvReader::CsvReader(std::string_view text) noexcept : text_(text) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text_.starts_with(byte_order_mark)) {
    text_.remove_prefix(byte_order_mark.size());
  }
}

CsvReader::Row CsvReader::next() {
  fields_.clear();
  while (at_line_end() && !at_end()) {
    skip_line_end();
  }
  if (at_end()) {
    return Row::End;
  }
  while (read_field()) {
    if (at_line_end()) {
      skip_line_end();
      return Row::Read;
    }
    // read_field() stops at a line's end or at a comma.
    ++at_;
  }
  skip_rest_of_line();
  return Row::Fault;
}

bool CsvReader::at_line_end() const noexcept {
  return at_end() || text_[at_] == '\n' ||
         (text_[at_] == '\r' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n');
}

TextPlace CsvReader::place() const noexcept {
  return {line_, static_cast<std::uint32_t>(at_ - line_start_ + 1)};
}

void CsvReader::skip_line_end() noexcept {
  if (at_end()) {
    return;
  }
  at_ += text_[at_] == '\r' ? 2U : 1U;
  line_start_ = at_;
  ++line_;
}

bool CsvReader::read_field() {
  if (fields_.size() == fields_max) {
    return fail(place(), "more than " + std::to_string(fields_max) + " fields");
  }
  CsvField& field = fields_.emplace_back();
  field.place = place();
  return !at_end() && text_[at_] == '"' ? read_quoted(field) : read_plain(field);
}

bool CsvReader::read_plain(CsvField& field) {
  while (!at_line_end() && text_[at_] != ',') {
    if (text_[at_] == '"') {
      return fail(place(), "a quote within a field that does not begin with one");
    }
    if (text_[at_] == '\r') {
      return fail(place(), "a carriage return without a line feed");
    }
    if (field.text.size() == field_bytes_max) {
      return fail(field.place,
                  "a field of more than " + std::to_string(field_bytes_max) + " bytes");
    }
    field.text.push_back(text_[at_++]);
  }
  return true;
}

bool CsvReader::read_quoted(CsvField& field) {
  ++at_;
  while (!at_end()) {
    const char byte = text_[at_++];
    if (byte == '"') {
      if (at_end() || text_[at_] != '"') {
        return at_line_end() || text_[at_] == ',' ? true
                                                  : fail(place(), "bytes after a closing quote");
      }
      ++at_;
    }
    if (byte == '\n') {
      line_start_ = at_;
      ++line_;
    }
    if (field.text.size() == field_bytes_max) {
      return fail(field.place,
                  "a field of more than " + std::to_string(field_bytes_max) + " bytes");
    }
    field.text.push_back(byte);
  }
  return fail(field.place, "a quote is never closed");
}

bool CsvReader::fail(TextPlace place, std::string message) {
  problem_ = {place, std::move(message)};
  return false;
}

void CsvReader::skip_rest_of_line() noexcept {
  while (!at_line_end()) {
    ++at_;
  }
  skip_line_end();
}

}  // namespace affix::inline v0::tools::trade
