// SPDX-License-Identifier: MIT
// Compares a message with a remembered one by comparing two arrays of numbers. Only values remain
// to be checked, and of those only the ones that can have faults besides being empty. A group's
// counter is the remembered one, so that it is checked only if that was not good.

#include "dictionary/recollection.hpp"

#include "affix/base/words.hpp"
#include "affix/wire/index.hpp"

#include "dictionary/quick_values.hpp"

#include <cstdint>

namespace affix::inline v0::dictionary {

Recollection::Recollection(const ValidationTables& tables, const wire::MessageView& message,
                           Shapes& shapes) noexcept
    : tables_(tables), message_(message) {
  const std::string_view text = type_of(message);
  const std::uint32_t count = message.size();
  if (text.size() - 1 >= sizeof(type_) || count > Shapes::fields_max || text.back() == '\0') {
    return;
  }
  // 8 and 9 before it provide eight readable bytes.
  type_ = base::load_word(text.data() + text.size() - 8) >> (64 - 8 * text.size());
  static_assert(Shapes::shapes_max == 16);
  // Types differ in the low bits of each character, and shapes of one type in their length.
  const std::uint64_t place = (type_ ^ type_ >> 8) * 7 + count;
  shape_ = &shapes.shapes_[place % Shapes::shapes_max];
  known_ = recognise();
}

bool Recollection::recognise() const noexcept {
  const Shapes::Shape& shape = *shape_;
  if (shape.tables != &tables_ || shape.type != type_ || !shape.tags.is_of(message_.index())) {
    return false;
  }
  const char* const bytes = message_.bytes().data();
  for (std::uint32_t at = 0; at < shape.counter_count; ++at) {
    const Shapes::Counter counter = shape.counters[at];
    const std::uint32_t begin = message_.index().begins[counter.position];
    if (message_.index().ends[counter.position] - begin != 1 || bytes[begin] != counter.value) {
      return false;
    }
  }
  return true;
}

std::uint32_t Recollection::faults(FaultOrder order) const noexcept {
  const Shapes::Shape& shape = *shape_;
  const std::uint32_t* const begins = message_.index().begins;
  const std::uint32_t* const ends = message_.index().ends;
  const char* const bytes = message_.bytes().data();
  const ValueTables tables{tables_.fields.data(), tables_.codes.data()};
  std::uint32_t found = 0;
  for (std::uint32_t at = 0; at < shape.check_count; ++at) {
    const Shapes::Check check = shape.checks[at];
    const std::uint32_t end = ends[check.position];
    const std::uint32_t size = end - begins[check.position];
    if (!surely_good(tables, static_cast<QuickCheck>(check.quick), check.slot, bytes + end, size))
        [[unlikely]] {
      found |= value_faults(tables_, tables_.fields[check.slot], {bytes + end - size, size}, order);
    }
  }
  return found;
}

void Recollection::remember(const TagEntry* entries) const noexcept {
  if (shape_ == nullptr) {
    return;
  }
  Shapes::Shape& shape = *shape_;
  const std::uint32_t limit = message_.size() - 1;
  shape.tables = nullptr;
  shape.check_count = 0;
  shape.counter_count = 0;
  const ValueTables values{tables_.fields.data(), tables_.codes.data()};
  for (std::uint32_t at = first_field; at < limit; ++at) {
    const TagEntry entry = entries[at];
    const auto position = static_cast<std::uint8_t>(at);
    if (tables_.is_counter(entry.slot)) {
      const std::string_view value = message_.value_at(at);
      if (value.size() != 1 || shape.counter_count == Shapes::counters_max) {
        return;
      }
      shape.counters[shape.counter_count++] = {position, value.front()};
      if (surely_good(values, entry.quick, entry.slot, value.data() + value.size(), 1)) {
        continue;  // As is the same value in every message that is recognised.
      }
    }
    if (entry.quick != QuickCheck::NotEmpty) {
      shape.checks[shape.check_count++] = {entry.slot, static_cast<std::uint8_t>(entry.quick),
                                           position};
    }
  }
  shape.type = type_;
  shape.tags.remember(message_.index());
  shape.tables = &tables_;
}

}  // namespace affix::inline v0::dictionary
