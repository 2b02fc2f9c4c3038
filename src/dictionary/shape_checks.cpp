// SPDX-License-Identifier: MIT
// Measures each component once, however often it is used.

#include "dictionary/shape_checks.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

namespace affix::inline v0::dictionary {

namespace {

// Size of an expanded list.
struct Extent {
  std::uint64_t members = 0;          // Fields and groups, including those within groups.
  std::uint32_t component_depth = 0;  // Components within components, through groups too.
  std::uint32_t group_depth = 0;
  bool has_field = false;
};

// No sum of two of these overflows.
constexpr std::uint64_t members_bound = std::uint64_t{1} << 62U;

class Shape {
 public:
  Shape(const Parts& parts, const PartPlaces& places, const LoadLimits& limits, Problems& problems)
      : parts_(parts),
        places_(places),
        limits_(limits),
        problems_(problems),
        states_(parts.components.size()),
        extents_(parts.components.size()) {}

  void check() {
    for (std::uint32_t at = 0; at < parts_.components.size(); ++at) {
      const Extent& extent = component_extent(at);
      if (extent.component_depth + 1 > limits_.component_depth_max) {
        report_component_depth(at);
      }
    }
    std::uint64_t total = 0;
    total += message_members("header", whole_file, parts_.header);
    total += message_members("trailer", whole_file, parts_.trailer);
    for (std::size_t at = 0; at < parts_.messages.size(); ++at) {
      const Message& message = parts_.messages[at];
      total = std::min(members_bound, total + message_members(message.name, places_.messages[at],
                                                              message.members));
    }
    if (total > limits_.expanded_total_max && !problems_.has_errors()) {
      problems_.error(whole_file, {},
                      "the messages have more than " + std::to_string(limits_.expanded_total_max) +
                          " fields with components expanded (expanded_total_max)",
                      "D120");
    }
  }

 private:
  enum class State : std::uint8_t { Unseen, Open, Done };

  std::uint64_t message_members(const std::string& name, std::uint32_t place,
                                const std::vector<Member>& members) {
    const Extent extent = list_extent(members);
    if (extent.members > limits_.expanded_members_max) {
      problems_.error(place, name,
                      "more than " + std::to_string(limits_.expanded_members_max) +
                          " fields with components expanded (expanded_members_max)",
                      "D120");
    }
    if (extent.group_depth > limits_.group_depth_max) {
      problems_.error(place, name,
                      "groups within groups more than " + std::to_string(limits_.group_depth_max) +
                          " deep (group_depth_max)",
                      "D120");
    }
    return extent.members;
  }

  void report_component_depth(std::uint32_t index) {
    // One report is enough; components around it are too deep for the same reason.
    if (!depth_reported_) {
      problems_.error(places_.components[index], parts_.components[index].name,
                      "components within components more than " +
                          std::to_string(limits_.component_depth_max) +
                          " deep (component_depth_max)",
                      "D120");
    }
    depth_reported_ = true;
  }

  // Recursive, at most component_depth_max deep.
  const Extent& component_extent(std::uint32_t index) {
    if (states_[index] == State::Open) {
      report_cycle(index);
    } else if (states_[index] == State::Unseen) {
      if (open_.size() >= limits_.component_depth_max) {
        report_component_depth(index);
        return extents_[index];
      }
      states_[index] = State::Open;
      open_.push_back(index);
      const Extent extent = list_extent(parts_.components[index].members);
      extents_[index] = extent;
      open_.pop_back();
      states_[index] = State::Done;
    }
    return extents_[index];
  }

  void report_cycle(std::uint32_t index) {
    std::string path;
    const auto first = std::ranges::find(open_, index);
    for (auto at = first; at != open_.end(); ++at) {
      path += in_quotes(parts_.components[*at].name) + " holds ";
    }
    problems_.error(places_.components[index], parts_.components[index].name,
                    "a component within itself: " + path + in_quotes(parts_.components[index].name),
                    "D120");
  }

  // Recursive: groups nest as elements do, and components end above.
  Extent list_extent(const std::vector<Member>& members) {
    Extent sum;
    for (const Member& member : members) {
      Extent one;
      switch (member.kind) {
        case MemberKind::Field:
          one = {1, 0, 0, true};
          break;
        case MemberKind::Group:
          one = group_extent(member.index);
          break;
        case MemberKind::Component:
          one = component_extent(member.index);
          ++one.component_depth;
          break;
      }
      sum.members = std::min(members_bound, sum.members + one.members);
      sum.component_depth = std::max(sum.component_depth, one.component_depth);
      sum.group_depth = std::max(sum.group_depth, one.group_depth);
      sum.has_field = sum.has_field || one.has_field;
    }
    return sum;
  }

  // Recursive like list_extent.
  Extent group_extent(std::uint32_t index) {
    const Group& group = parts_.groups[index];
    Extent extent = list_extent(group.members);
    // A cycle hides a component's members; it has been reported and is the fault to correct.
    if (!extent.has_field && !problems_.has_errors()) {
      problems_.error(places_.groups[index], parts_.fields[group.counter].name,
                      "a group without a field", "D116");
    } else if (group.members.empty()) {
      problems_.error(places_.groups[index], parts_.fields[group.counter].name,
                      "a group without a field", "D116");
    }
    ++extent.members;
    ++extent.group_depth;
    extent.has_field = true;
    return extent;
  }

  const Parts& parts_;
  const PartPlaces& places_;
  const LoadLimits& limits_;
  Problems& problems_;
  std::vector<State> states_;
  std::vector<Extent> extents_;
  std::vector<std::uint32_t> open_;  // Components being measured, outermost first.
  bool depth_reported_ = false;
};

}  // namespace

void check_shape(const Parts& parts, const PartPlaces& places, const LoadLimits& limits,
                 Problems& problems) {
  Shape(parts, places, limits, problems).check();
}

}  // namespace affix::inline v0::dictionary
