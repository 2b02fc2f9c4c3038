// SPDX-License-Identifier: MIT
// Checks the cost of new pages, and their size.
#include "affix/base/time.hpp"

#include "doctor/checks.hpp"
#include "doctor/system_text.hpp"
#include "log/record_text.hpp"

namespace affix::inline v0::tools::doctor {

namespace {

// Free blocks of this power of two pages are returned to the host; the kernel has none of 2^11.
constexpr std::int64_t never_reported = 11;
constexpr const char* reporting_file = "/sys/module/page_reporting/parameters/page_reporting_order";

constexpr const char* huge_page_folder = "/sys/kernel/mm/transparent_hugepage/";

std::string page_cost(const Measured& measured) {
  return measured.pages
             ? "a new page of a journal takes " + log::duration_text(measured.pages->single_ns) +
                   " here where it is needed, " + log::duration_text(measured.pages->pieces_ns) +
                   " in pieces of 64 KiB, " + log::duration_text(measured.pages->large_ns) +
                   " of 2 MiB"
             : std::string("a new page of a journal takes 3 to 10 us instead of 1");
}

Finding page_reporting(const SystemFiles& files, const Measured& measured) {
  const auto order = files.number(reporting_file);
  if (!order || *order >= never_reported) {
    return fine("page-reporting", order ? "free pages are kept" : "no free pages are given back");
  }
  return costs(
      "page-reporting",
      "free pages are given back to the host, in blocks of 2^" + std::to_string(*order) + " pages",
      page_cost(measured) + ", as the host has to give it again",
      "echo " + std::to_string(never_reported) + " > " + reporting_file +
          ", or turn free page reporting off at the host");
}

Finding huge_pages(const SystemFiles& files) {
  const auto enabled = files.text(std::string(huge_page_folder) + "enabled");
  const std::string defrag =
      files.text(std::string(huge_page_folder) + "defrag").value_or(std::string());
  if (!enabled) {
    return fine("huge-pages", "this kernel has no transparent huge pages");
  }
  const std::string_view mode = chosen_word(*enabled);
  const std::string_view effort = chosen_word(defrag);
  if (mode.empty()) {
    return unknown("huge-pages", "the mode of transparent huge pages is not known");
  }
  if (mode != "always" && effort != "always") {
    return fine("huge-pages", "transparent huge pages: " + std::string(mode));
  }
  const bool is_mode = mode == "always";
  return costs(
      "huge-pages",
      std::string("transparent huge pages: ") + (is_mode ? "always" : "defrag is always"),
      "a write may wait until the kernel has made room for 2 MiB in one piece: "
      "milliseconds, at any time",
      std::string("echo madvise > ") + huge_page_folder + (is_mode ? "enabled" : "defrag"));
}

}  // namespace

Findings check_memory(const SystemFiles& files, const Measured& measured) {
  return {page_reporting(files, measured), huge_pages(files)};
}

}  // namespace affix::inline v0::tools::doctor
