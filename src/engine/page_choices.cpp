// SPDX-License-Identifier: MIT
// Measures in the directory of the first journal on each disk.
#include "engine/page_choices.hpp"

#include "affix/os/existing_path.hpp"

#include <cstdio>
#include <sys/stat.h>
#include <utility>

namespace affix::inline v0::engine {

namespace {

std::string note_of(const std::string& directory, const journal::PageCosts& costs) {
  char text[160];
  std::snprintf(text, sizeof(text),
                ": a new page costs %.1f us when zeros are written and %.1f us by a page fault; ",
                static_cast<double>(costs.written_ns) / 1'000,
                static_cast<double>(costs.faulted_ns) / 1'000);
  return "journals on the disk of " + directory + text +
         (costs.cheapest() == journal::NewPages::Written
              ? "zeros are written ahead of messages"
              : "pages are faulted in ahead of messages");
}

}  // namespace

journal::NewPages PageChoices::for_directory(const std::string& directory) {
  const std::lock_guard guard(mutex_);
  const auto [known, is_new] = directories_.try_emplace(directory, journal::NewPages::Written);
  if (is_new) {
    known->second = for_disk_of(os::existing_path(directory));
  }
  return known->second;
}

journal::NewPages PageChoices::for_disk_of(const std::string& place) {
  struct stat status{};
  if (::stat(place.c_str(), &status) != 0) {
    return journal::NewPages::Written;
  }
  const auto [known, is_new] = disks_.try_emplace(status.st_dev, journal::NewPages::Written);
  if (is_new) {
    if (const auto costs = journal::measure_page_costs(place)) {
      known->second = costs->cheapest();
      notes_.push_back(note_of(place, *costs));
    }
  }
  return known->second;
}

std::vector<std::string> PageChoices::take_notes() {
  const std::lock_guard guard(mutex_);
  return std::exchange(notes_, {});
}

}  // namespace affix::inline v0::engine
