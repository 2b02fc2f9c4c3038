// SPDX-License-Identifier: MIT
// A lookup finds the first field of its tag, whatever was indexed and looked up before: places
// remembered for one message must not be used for a different one that resembles it.
#include "support/fix_text.hpp"
#include "support/kernel_comparison.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace {

using affix::support::KernelComparison;
using affix::support::make_message;
using affix::wire::DataFields;

constexpr std::size_t message_bytes_max = 16384;

/// Tags that share marks (those 256 apart), places (those 64 apart), or neither; some are long, and
/// 256's mark is that of no field.
rc::Gen<std::uint32_t> tag() {
  return rc::gen::weightedOneOf<std::uint32_t>(
      {{6, rc::gen::element<std::uint32_t>(11, 55, 38, 44, 54, 150, 37, 17)},
       {3, rc::gen::element<std::uint32_t>(75, 119, 102, 267, 311, 406, 86, 214)},
       {1, rc::gen::element<std::uint32_t>(256, 512, 65'591, 10'055, 100'011)}});
}

/// The tags of a message's body; the values' sizes give one chunk or many.
struct Shape {
  std::vector<std::uint32_t> tags;
  std::size_t value_size = 0;
};

std::string message_of(const Shape& shape) {
  std::string body = "35=8|";
  for (const std::uint32_t each : shape.tags) {
    body += std::to_string(each) + "=" + std::string(shape.value_size, 'v') + "|";
  }
  return make_message(body);
}

RC_GTEST_PROP(WireLookup, FindsTheFirstOfItsTagInTheNthMessageToo, ()) {
  static KernelComparison comparison(message_bytes_max);
  auto tags =
      *rc::gen::container<std::vector<std::uint32_t>>(*rc::gen::inRange<std::size_t>(1, 45), tag());
  // Variations of one shape: a field more or less, two swapped, another tag with the same mark.
  // Each occurs repeatedly.
  std::vector<Shape> shapes{{tags, *rc::gen::element<std::size_t>(1, 3, 12)}};
  const auto count = *rc::gen::inRange<std::size_t>(1, 6);
  while (shapes.size() <= count) {
    Shape next = *rc::gen::elementOf(shapes);
    const auto at = *rc::gen::inRange<std::size_t>(0, next.tags.size());
    switch (*rc::gen::inRange(0, 5)) {
      case 0:
        next.tags.insert(next.tags.begin() + static_cast<std::ptrdiff_t>(at), *tag());
        break;
      case 1:
        next.tags.erase(next.tags.begin() + static_cast<std::ptrdiff_t>(at));
        break;
      case 2:
        std::swap(next.tags[at], next.tags[*rc::gen::inRange<std::size_t>(0, next.tags.size())]);
        break;
      case 3:
        next.tags[at] += 256;
        break;
      default:
        next.tags[at] = *rc::gen::elementOf(next.tags);
        break;
    }
    if (next.tags.empty()) {
      next.tags.push_back(11);
    }
    shapes.push_back(next);
  }
  for (int message = 0; message < 60; ++message) {
    const Shape& shape = *rc::gen::elementOf(shapes);
    RC_ASSERT(comparison.lookup_differences(message_of(shape), DataFields::standard(),
                                            *rc::gen::inRange<std::uint32_t>(1, 5)) == "");
  }
}

TEST(WireLookup, NothingIsFoundInAMessageWithoutFields) {
  static KernelComparison comparison(message_bytes_max);
  for (const std::string& message : {make_message("35=8|55=IBM|"), std::string(), std::string("8"),
                                     make_message("35=8|55=IBM|")}) {
    EXPECT_EQ(comparison.lookup_differences(message, DataFields::standard()), "");
    affix::wire::FieldIndexOf<16> index;
    affix::wire::index_message(make_message("35=8|55=IBM|"), index);
    affix::wire::index_message(message, index);
    const affix::wire::MessageView view(message, index);
    EXPECT_EQ(view.has(8), index.count != 0);
    EXPECT_EQ(view.has(55), index.count != 0);
  }
}

}  // namespace
