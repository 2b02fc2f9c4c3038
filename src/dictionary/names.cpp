// SPDX-License-Identifier: MIT
// The name table: texts end to end, and two sorted lists of their positions.
#include "affix/dictionary/names.hpp"

#include "dictionary/code_order.hpp"

#include <algorithm>

namespace affix::inline v0::dictionary {

Names::Names(const Dictionary& dictionary) {
  fields_.reserve(dictionary.fields().size());
  for (const dictionary::Field& field : dictionary.fields()) {
    fields_.push_back({field.tag, keep(field.name)});
  }
  messages_.reserve(dictionary.messages().size());
  for (const dictionary::Message& message : dictionary.messages()) {
    messages_.push_back({keep(message.type), keep(message.name)});
  }
  text_.shrink_to_fit();
}

Names::Piece Names::keep(std::string_view text) {
  const Piece piece{static_cast<std::uint32_t>(text_.size()),
                    static_cast<std::uint32_t>(text.size())};
  text_ += text;
  return piece;
}

std::string_view Names::field(std::uint32_t tag) const noexcept {
  const auto found = std::ranges::lower_bound(fields_, tag, {}, &Field::tag);
  return found != fields_.end() && found->tag == tag ? text_of(found->name) : std::string_view();
}

std::string_view Names::message(std::string_view type) const noexcept {
  const auto found =
      std::ranges::lower_bound(messages_, type, code_precedes,
                               [this](const Message& message) { return text_of(message.type); });
  return found != messages_.end() && text_of(found->type) == type ? text_of(found->name)
                                                                  : std::string_view();
}

}  // namespace affix::inline v0::dictionary
