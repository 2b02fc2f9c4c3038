// SPDX-License-Identifier: MIT
// Order of the checks of a draft: fields, members, messages, shape, then oddities.

#include "dictionary/assemble.hpp"

#include "dictionary/arrange.hpp"
#include "dictionary/draft_fields.hpp"
#include "dictionary/draft_members.hpp"
#include "dictionary/review.hpp"
#include "dictionary/shape_checks.hpp"
#include "dictionary/xml_text.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace affix::inline v0::dictionary {

namespace {

class Assembly {
 public:
  Assembly(const Draft& draft, const LoadLimits& limits, Problems& problems)
      : draft_(draft),
        limits_(limits),
        problems_(problems),
        fields_(place_fields(draft, limits, problems)) {}

  std::optional<Dictionary> run() {
    index_components();
    MemberResolver resolver(fields_, components_, problems_);
    resolve_envelope(resolver);
    for (const std::uint32_t index : kept_components_) {
      const DraftComponent& component = draft_.components[index];
      parts_.components.push_back(
          {std::string(component.name), resolver.resolve(component.members, component.name)});
      places_.components.push_back(component.place);
    }
    place_messages(resolver);
    parts_.version = draft_.version;
    parts_.groups = std::move(resolver.groups());
    places_.groups = resolver.group_places();
    parts_.fields = std::move(fields_.fields);
    check_shape(parts_, places_, limits_, problems_);
    return problems_.has_errors() ? std::nullopt : finish();
  }

 private:
  void index_components() {
    std::unordered_map<std::string_view, std::uint32_t> first_drafts;
    for (std::uint32_t at = 0; at < draft_.components.size(); ++at) {
      const DraftComponent& component = draft_.components[at];
      check_name(component.name, "component", component.place, limits_, problems_);
      const auto [first, is_new] = first_drafts.emplace(component.name, at);
      if (is_new) {
        components_.emplace(component.name, static_cast<std::uint32_t>(kept_components_.size()));
        kept_components_.push_back(at);
        continue;
      }
      const DraftComponent& before = draft_.components[first->second];
      report_twice(component.place, component.name, before.place,
                   same_members(component.members, before.members));
    }
  }

  // A part that is defined again: an equal definition is sloppy, a different one a contradiction.
  void report_twice(std::uint32_t place, std::string_view name, std::uint32_t first_place,
                    bool is_same) {
    const std::string text = "defined twice" + problems_.at_line(first_place);
    if (is_same) {
      problems_.warn(place, name, text, "D111");
    } else {
      problems_.error(place, name, text + " with two contents", "D111");
    }
  }

  void resolve_envelope(MemberResolver& resolver) {
    if (draft_.header) {
      parts_.header = resolver.resolve(draft_.header->members, "header");
    }
    if (draft_.trailer) {
      parts_.trailer = resolver.resolve(draft_.trailer->members, "trailer");
    }
    const bool is_framed_elsewhere = !draft_.version.is_transport && draft_.version.major >= 5;
    if (is_framed_elsewhere) {
      return;
    }
    for (const auto& [list, name] :
         {std::pair(&draft_.header, "header"), {&draft_.trailer, "trailer"}}) {
      if (!*list || (*list)->members.empty()) {
        problems_.error(
            *list ? (*list)->place : whole_file, {},
            std::string("no ") + name + ": only FIX.5.0 and later take theirs from FIXT", "D107");
      }
    }
  }

  void place_messages(MemberResolver& resolver) {
    if (draft_.messages.empty()) {
      problems_.error(whole_file, {}, "no message is defined", "D107");
    }
    std::unordered_map<std::string_view, const DraftMessage*> by_type;
    std::unordered_set<std::string> names;
    for (const DraftMessage& message : draft_.messages) {
      check_name(message.name, "message", message.place, limits_, problems_);
      if (!check_type(message)) {
        continue;
      }
      const auto [first, is_new] = by_type.emplace(message.type, &message);
      if (!is_new) {
        report_second_type(message, *first->second);
        continue;
      }
      std::string name(message.name);
      if (!names.insert(name).second) {
        name += "_" + std::string(message.type);
        names.insert(name);
        problems_.warn(message.place, message.name,
                       "two messages have this name; the one of type " + in_quotes(message.type) +
                           " is called " + in_quotes(name),
                       "D111");
      }
      parts_.messages.push_back({std::string(message.type), std::move(name), message.category,
                                 resolver.resolve(message.members, message.name)});
      places_.messages.push_back(message.place);
    }
  }

  bool check_type(const DraftMessage& message) {
    if (message.type.empty()) {
      problems_.error(message.place, message.name, "a message without a type", "D115");
    } else if (message.type.size() > limits_.name_bytes_max) {
      problems_.error(message.place, message.name,
                      "a type longer than " + std::to_string(limits_.name_bytes_max) +
                          " bytes (name_bytes_max)",
                      "D115");
    } else if (!is_plain_text(message.type) || message.type.find(' ') != std::string_view::npos) {
      problems_.error(message.place, message.name,
                      "the type holds a space or a character that may not be there", "D115");
    } else {
      return true;
    }
    return false;
  }

  void report_second_type(const DraftMessage& message, const DraftMessage& first) {
    if (message.name == first.name) {
      report_twice(
          message.place, message.name, first.place,
          message.category == first.category && same_members(message.members, first.members));
    } else {
      problems_.error(message.place, message.name,
                      "type " + in_quotes(message.type) + " is " + in_quotes(first.name) +
                          " already" + problems_.at_line(first.place),
                      "D110");
    }
  }

  std::optional<Dictionary> finish() {
    ReviewPlaces places;
    for (const auto& [tag, index] : fields_.by_tag) {
      places.fields.emplace(tag, fields_.places[index]);
    }
    for (const DraftComponent& component : draft_.components) {
      places.components.emplace(component.name, component.place);
    }
    for (const DraftMessage& message : draft_.messages) {
      places.messages.emplace(message.type, message.place);
    }
    parts_ = arrange(std::move(parts_));
    settle_data_pairs(draft_, parts_, fields_, problems_);
    if (problems_.has_errors()) {
      return std::nullopt;
    }
    Dictionary dictionary(std::move(parts_));
    review(dictionary, places, problems_);
    return dictionary;
  }

  const Draft& draft_;
  const LoadLimits& limits_;
  Problems& problems_;
  PlacedFields fields_;
  ComponentIndex components_;
  std::vector<std::uint32_t> kept_components_;  // Indices into the draft.
  Parts parts_;
  PartPlaces places_;
};

}  // namespace

std::optional<Dictionary> assemble(const Draft& draft, const LoadLimits& limits,
                                   Problems& problems) {
  return Assembly(draft, limits, problems).run();
}

}  // namespace affix::inline v0::dictionary
