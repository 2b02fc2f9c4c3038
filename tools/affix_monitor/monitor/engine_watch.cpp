// SPDX-License-Identifier: MIT
// Reopens the reader whenever there is a file to open.
#include "monitor/engine_watch.hpp"

#include <sys/statvfs.h>
#include <utility>

namespace affix::inline v0::tools::monitor {

EngineLook EngineWatch::look() {
  EngineLook look;
  if (counters_file_.empty()) {
    look.problem = "[ENGINE] of the configuration has no counters_file [M131]";
    return look;
  }
  if (!reader_) {
    auto opened = counters::CounterReader::open(counters_file_);
    if (!opened) {
      look.problem = opened.error().text();
      return look;
    }
    reader_.emplace(std::move(*opened));
  } else if (const auto followed = reader_->follow(); !followed) {
    look.problem = followed.error().text();
  }
  look.reading = reader_->read();
  look.status = look.reading.running               ? EngineStatus::Up
                : look.reading.stopped_utc_ns != 0 ? EngineStatus::Ended
                                                   : EngineStatus::Killed;
  return look;
}

std::vector<DiskView> look_at_disks(const std::vector<Roster::Place>& places) {
  std::vector<DiskView> views;
  for (const Roster::Place& place : places) {
    struct statvfs status{};
    if (::statvfs(place.path.c_str(), &status) == 0) {
      views.push_back({place.path, place.used, std::uint64_t{status.f_bavail} * status.f_frsize,
                       std::uint64_t{status.f_blocks} * status.f_frsize});
    }
  }
  return views;
}

}  // namespace affix::inline v0::tools::monitor
