// SPDX-License-Identifier: MIT
// Any dictionary written in the canonical form reads as the same one, and gives the same bytes; it
// has no differences from another one exactly when the two are equal.
#include "affix/dictionary.hpp"

#include "dictionary/diff.hpp"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace affix::dictionary;
using affix::tools::dictionary::diff;
using affix::tools::dictionary::DiffScope;

/// Makes dictionaries from numbers below a bound; every number is a new choice of RapidCheck, so
/// that failing dictionaries shrink.
class Maker {
 public:
  Parts make() {
    Parts parts;
    const char* versions[] = {"FIX.4.0",  "FIX.4.2",    "FIX.4.4",
                              "FIXT.1.1", "FIX.5.0SP2", "FIX.Latest_EP9"};
    parts.version = *version_from_text(versions[below(6)]);
    make_fields(parts);
    make_components(parts);
    const std::uint32_t messages = 1 + below(5);
    for (std::uint32_t at = 0; at < messages; ++at) {
      parts.messages.push_back({"M" + std::to_string(at) + odd_text(),
                                "Message" + std::to_string(at) + odd_text(),
                                below(2) == 0 ? MessageCategory::Admin : MessageCategory::App,
                                make_members(parts, parts.components.size(), 0)});
      // Types have no white space.
      std::erase(parts.messages.back().type, ' ');
    }
    parts.header = {{MemberKind::Field, true, below(field_count(parts))}};
    parts.trailer = {{MemberKind::Field, false, below(field_count(parts))}};
    return parts;
  }

 private:
  static std::uint32_t below(std::uint32_t bound) {
    return *rc::gen::inRange<std::uint32_t>(0, bound);
  }

  static std::uint32_t field_count(const Parts& parts) {
    return static_cast<std::uint32_t>(parts.fields.size());
  }

  static std::string odd_text() {
    const char* texts[] = {"", "", "", " x", "-1", "&amp;", "<\">'", "\xC3\xBC", "::int"};
    return texts[below(9)];
  }

  static void make_fields(Parts& parts) {
    const std::uint32_t count = 2 + below(12);
    for (std::uint32_t at = 0; at < count; ++at) {
      Field field;
      field.tag = 1 + 90 * at + below(90);
      field.name = "F" + std::to_string(at) + odd_text();
      field.type = static_cast<FieldType>(below(field_type_count));
      if (field.type == FieldType::String && below(3) == 0) {
        field.own_type = "OWN" + odd_text();
      }
      const std::uint32_t values = below(4);
      for (std::uint32_t value = 0; value < values; ++value) {
        field.values.push_back({std::to_string(value * 7) + odd_text(), "V" + odd_text()});
      }
      if (!field.values.empty() && below(3) == 0) {
        field.values_are_open = true;
        if (below(2) == 0) {
          field.union_type = FieldType::Qty;
        }
      }
      parts.fields.push_back(std::move(field));
    }
    pair_fields(parts);
  }

  static void pair_fields(Parts& parts) {
    for (Field& data : parts.fields) {
      if (!has_raw_bytes(data.type)) {
        continue;
      }
      const auto length = std::ranges::find_if(parts.fields, [](const Field& field) {
        const ValueClass of = value_class(field.type);
        return (of == ValueClass::Integer || of == ValueClass::Natural) && field.data_tag == 0;
      });
      if (length != parts.fields.end() && below(2) == 0) {
        length->data_tag = data.tag;
        data.length_tag = length->tag;
      }
    }
  }

  static void make_components(Parts& parts) {
    const std::uint32_t count = below(4);
    for (std::uint32_t at = 0; at < count; ++at) {
      std::vector<Member> members = make_members(parts, parts.components.size(), 0);
      parts.components.push_back({"C" + std::to_string(at) + odd_text(), std::move(members)});
    }
  }

  // Members from the fields and the components below `components`, all different in one list.
  static std::vector<Member> make_members(Parts& parts, std::size_t components, int depth) {
    std::vector<Member> members;
    std::vector<std::uint32_t> fields(parts.fields.size());
    for (std::uint32_t at = 0; at < fields.size(); ++at) {
      fields[at] = at;
    }
    const std::uint32_t count = below(5);
    for (std::uint32_t at = 0; at < count && !fields.empty(); ++at) {
      const auto chosen = fields.begin() + below(static_cast<std::uint32_t>(fields.size()));
      const std::uint32_t field = *chosen;
      fields.erase(chosen);
      const bool required = below(2) == 0;
      if (depth < 3 && below(3) == 0) {
        std::vector<Member> inner = make_members(parts, components, depth + 1);
        // Must produce something on the wire, and differ from the list's members.
        std::erase_if(inner, [](const Member& member) { return member.kind == MemberKind::Field; });
        inner.insert(inner.begin(), {MemberKind::Field, required, field});
        std::erase_if(inner, [&](const Member& member) {
          return member.kind == MemberKind::Group && parts.groups[member.index].counter == field;
        });
        parts.groups.push_back({field, std::move(inner)});
        members.push_back(
            {MemberKind::Group, required, static_cast<std::uint32_t>(parts.groups.size() - 1)});
      } else {
        members.push_back({MemberKind::Field, required, field});
      }
    }
    if (components > 0 && below(2) == 0) {
      members.push_back(
          {MemberKind::Component, below(2) == 0, below(static_cast<std::uint32_t>(components))});
    }
    return members;
  }
};

RC_GTEST_PROP(DictionaryRoundTrip, WrittenAndReadItIsTheSame, ()) {
  const Dictionary dictionary(Maker().make());
  const std::string text = write_canonical(dictionary);
  const Loaded again = load_text(text);
  if (!again) {
    RC_FAIL(make_error(again.problems, "written").text() + "\n" + text);
  }
  RC_ASSERT(*again.dictionary == dictionary);
  RC_ASSERT(write_canonical(*again.dictionary) == text);
  RC_ASSERT(diff(dictionary, *again.dictionary, DiffScope::AsWritten).empty());
}

RC_GTEST_PROP(DictionaryRoundTrip, DifferencesAreNoneExactlyWhenEqual, ()) {
  const Parts parts = Maker().make();
  Parts other = parts;
  // One small change in any place, or none.
  const auto what = *rc::gen::inRange(0, 7);
  const auto message = *rc::gen::inRange<std::size_t>(0, parts.messages.size());
  const auto field = *rc::gen::inRange<std::size_t>(0, parts.fields.size());
  switch (what) {
    case 0:
      other.messages[message].name += "x";
      break;
    case 1:
      other.messages.erase(other.messages.begin() + static_cast<std::ptrdiff_t>(message));
      break;
    case 2:
      std::ranges::reverse(other.messages[message].members);
      break;
    case 3:
      for (Member& member : other.messages[message].members) {
        member.required = !member.required;
      }
      break;
    case 4:
      other.fields[field].values.push_back({"zz9", "new"});
      break;
    case 5:
      other.fields[field].name += "x";
      break;
    default:
      break;
  }
  const Dictionary one(parts);
  const Dictionary two(other);
  RC_ASSERT(diff(one, two, DiffScope::AsWritten).empty() == (one == two));
}

}  // namespace
