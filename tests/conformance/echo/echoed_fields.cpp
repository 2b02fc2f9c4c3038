// SPDX-License-Identifier: MIT
// Sorts the fields of a message.
#include "echoed_fields.hpp"

#include "affix/wire/header_tags.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <string_view>
#include <utility>

namespace affix::conformance_echo {

namespace {

/// Fields that are sorted together: one field, or a counter with its whole group.
struct Piece {
  std::uint64_t rank = 0;
  std::size_t nth = 0;  ///< Pieces of one rank keep their order.
  std::string text;
};

std::string joined(std::vector<Piece> pieces) {
  std::ranges::sort(pieces, {},
                    [](const Piece& piece) { return std::pair(piece.rank, piece.nth); });
  std::string text;
  for (const Piece& piece : pieces) {
    text += piece.text;
  }
  return text;
}

class Sorter {
 public:
  Sorter(const wire::MessageView& message, std::uint32_t end) : message_(message), end_(end) {}

  /// The field at `at_`, with its group's entries after it.
  // NOLINTNEXTLINE(misc-no-recursion): as deep as the dictionary's groups.
  std::string take(const GroupLayout& around) {
    const GroupLayout* const group = around.group(message_.tag_at(at_));
    std::string text(field_text(at_++));
    while (group != nullptr && at_ != end_ && group->has(message_.tag_at(at_))) {
      text += take_entry(*group);
    }
    return text;
  }

  void skip() noexcept { ++at_; }

  void start_at(std::uint32_t position) noexcept { at_ = position; }

  [[nodiscard]] bool done() const noexcept { return at_ == end_; }

  [[nodiscard]] std::uint32_t tag() const noexcept { return message_.tag_at(at_); }

 private:
  /// `tag=value SOH`.
  [[nodiscard]] std::string_view field_text(std::uint32_t at) const noexcept {
    const std::uint32_t begin = message_.index().field_begin(at);
    return message_.bytes().substr(begin, message_.index().ends[at] + 1 - begin);
  }

  /// An entry ends where a field repeats.
  // NOLINTNEXTLINE(misc-no-recursion): see take().
  std::string take_entry(const GroupLayout& group) {
    std::vector<Piece> pieces;
    std::set<std::uint32_t> seen;
    while (at_ != end_ && group.has(tag()) && seen.insert(tag()).second) {
      const std::size_t rank = group.places.at(tag());
      pieces.push_back({rank, pieces.size(), take(group)});
    }
    return joined(std::move(pieces));
  }

  const wire::MessageView& message_;
  std::uint32_t at_ = 0;
  std::uint32_t end_;
};

}  // namespace

std::vector<session::ExtraHeaderField> echoed_header(const wire::MessageView& message) {
  constexpr std::array<std::uint32_t, 9> rewritten{8, 9, 34, 35, 43, 49, 52, 56, 122};
  std::vector<session::ExtraHeaderField> fields;
  for (const wire::Field& field : message) {
    if (wire::is_header_tag(field.tag) && !field.value.empty() &&
        std::ranges::find(rewritten, field.tag) == rewritten.end()) {
      fields.push_back({field.tag, field.value});
    }
  }
  // Values are in the message in their original order.
  std::ranges::sort(fields, {}, [](const session::ExtraHeaderField& field) {
    return std::pair(field.tag, field.value.data());
  });
  return fields;
}

std::string echoed_body(const wire::MessageView& message, const GroupLayout& layout) {
  constexpr std::uint32_t first_field = 3;  // After 8, 9 and 35.
  Sorter sorter(message, message.size() - 1);
  sorter.start_at(first_field);
  std::vector<Piece> pieces;
  while (!sorter.done()) {
    const std::uint32_t tag = sorter.tag();
    if (wire::is_header_tag(tag) || wire::is_trailer_tag(tag)) {
      sorter.skip();
    } else {
      pieces.push_back({tag, pieces.size(), sorter.take(layout)});
    }
  }
  return joined(std::move(pieces));
}

}  // namespace affix::conformance_echo
