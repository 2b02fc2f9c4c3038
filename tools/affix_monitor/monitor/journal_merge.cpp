// SPDX-License-Identifier: MIT
// Takes the newest of all next records, once every journal has one.
#include "monitor/journal_merge.hpp"

#include <algorithm>

namespace affix::inline v0::tools::monitor {

JournalMerge::JournalMerge(const std::vector<JournalPlace>& places, std::int64_t from_ns,
                           std::int64_t to_ns) {
  for (const JournalPlace& place : places) {
    lanes_.push_back({place.session, JournalWalk(place.directory, from_ns, to_ns)});
  }
}

std::optional<JournalMerge::Taken> JournalMerge::next(const RecordTest& test,
                                                      std::int64_t deadline_ns) {
  for (;;) {
    Lane* newest = nullptr;
    for (Lane& lane : lanes_) {
      if (lane.step == JournalWalk::Step::Working) {
        lane.step = lane.walk.advance(test, deadline_ns);
      }
      if (lane.step == JournalWalk::Step::Working) {
        return std::nullopt;
      }
      if (lane.step == JournalWalk::Step::Found &&
          (newest == nullptr || lane.walk.front_ns() > newest->walk.front_ns())) {
        newest = &lane;
      }
    }
    if (newest == nullptr) {
      return std::nullopt;
    }
    const auto record = newest->walk.take();
    newest->step =
        newest->walk.waiting() != 0 ? JournalWalk::Step::Found : JournalWalk::Step::Working;
    if (record) {
      return Taken{*record, &newest->session};
    }
    // The record was archived meanwhile.
  }
}

bool JournalMerge::end() const noexcept {
  return std::ranges::all_of(lanes_,
                             [](const Lane& lane) { return lane.step == JournalWalk::Step::End; });
}

std::int64_t JournalMerge::searched_to_ns() const noexcept {
  std::int64_t searched = INT64_MIN;
  for (const Lane& lane : lanes_) {
    if (lane.step == JournalWalk::Step::Found) {
      searched = std::max(searched, lane.walk.front_ns());
    } else if (lane.step == JournalWalk::Step::Working) {
      searched = std::max(searched, lane.walk.searched_to_ns());
    }
  }
  return searched;
}

void JournalMerge::rest() noexcept {
  for (Lane& lane : lanes_) {
    lane.walk.rest();
  }
}

std::size_t JournalMerge::waiting() const noexcept {
  std::size_t waiting = lanes_.size();
  for (const Lane& lane : lanes_) {
    waiting += lane.walk.waiting();
  }
  return waiting;
}

std::vector<std::string> JournalMerge::problems() const {
  std::vector<std::string> all;
  for (const Lane& lane : lanes_) {
    for (const std::string& problem : lane.walk.problems()) {
      all.push_back(lane.session + ": " + problem);
    }
  }
  return all;
}

}  // namespace affix::inline v0::tools::monitor
