// SPDX-License-Identifier: MIT
// Takes dictionaries apart, changes and writes them.
#include "tester_dictionaries.hpp"

#include "affix/dictionary/canonical.hpp"
#include "affix/dictionary/load.hpp"

#include <algorithm>
#include <cstdint>
#include <fstream>

namespace affix::conformance_echo {

namespace {

using dictionary::Dictionary;
using dictionary::Member;
using dictionary::MemberKind;
using dictionary::Parts;

/// Changes Email's group of text lines to one text.
void flatten_email(const Dictionary& dictionary, Parts& parts) {
  for (dictionary::Message& message : parts.messages) {
    if (message.type != "C") {
      continue;
    }
    std::vector<Member> members;
    for (const Member& member : message.members) {
      if (member.kind != MemberKind::Group) {
        members.push_back(member);
        continue;
      }
      const dictionary::Group& group = dictionary.group(member);
      members.push_back({MemberKind::Field, member.required, group.counter});
      members.insert(members.end(), group.members.begin(), group.members.end());
    }
    message.members = std::move(members);
  }
}

/// Makes Symbol optional, as a security may be identified otherwise.
void free_symbol(const Dictionary& dictionary, Parts& parts) {
  constexpr std::uint32_t symbol = 55;
  for (dictionary::Component& component : parts.components) {
    if (component.name != "Instrument") {
      continue;
    }
    for (Member& member : component.members) {
      if (dictionary.tag(member) == symbol) {
        member.required = false;
      }
    }
  }
}

struct Change {
  const char* file;
  void (*apply)(const Dictionary& dictionary, Parts& parts);
};

constexpr Change changes[] = {{"FIX40.xml", flatten_email}, {"FIX43.xml", free_symbol}};

}  // namespace

std::expected<void, base::Error> write_tester_dictionaries(const std::string& source,
                                                           const std::string& target) {
  for (const Change& change : changes) {
    const std::string from = source + "/" + change.file;
    const dictionary::Loaded loaded = dictionary::load(from);
    if (!loaded) {
      return std::unexpected(dictionary::make_error(loaded.problems, from));
    }
    Parts parts = loaded.dictionary->parts();
    change.apply(*loaded.dictionary, parts);
    const std::string to = target + "/" + change.file;
    std::ofstream file(to, std::ios::binary);
    file << dictionary::write_canonical(Dictionary(std::move(parts)));
    file.close();
    if (!file) {
      return std::unexpected(
          base::Error{base::ErrorCode::InvalidArgument, "cannot be written", to});
    }
  }
  return {};
}

bool is_tester_dictionary(const std::string& file) noexcept {
  return std::ranges::any_of(changes, [&](const Change& change) { return file == change.file; });
}

}  // namespace affix::conformance_echo
