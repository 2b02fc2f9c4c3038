// SPDX-License-Identifier: MIT
// /proc/PID: task/*/schedstat for nanoseconds, stat for user and system time, status for memory.
#include "measure/process_usage.hpp"

#include "affix/base/time.hpp"

#include <cstdio>
#include <dirent.h>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <unistd.h>

namespace affix::inline v0::tools {

namespace {

/// A whole file of /proc; nullopt if it does not exist (a thread or process that has ended).
std::optional<std::string> read_file(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "re"),
                                                             std::fclose);
  if (!file) {
    return std::nullopt;
  }
  std::string text(8192, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file.get()));
  return text;
}

struct ScheduledTime {
  std::int64_t all_ns = 0;
  std::int64_t journal_ns = 0;
};

ScheduledTime scheduled_time(const std::string& process) {
  const std::string tasks = process + "/task";
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir(tasks.c_str()), ::closedir);
  ScheduledTime sum;
  while (const dirent* entry = folder ? ::readdir(folder.get()) : nullptr) {
    if (entry->d_name[0] == '.') {
      continue;  // The directory above also has one: that of the first thread.
    }
    const std::string task = tasks + "/" + entry->d_name;
    if (const auto text = read_file(task + "/schedstat")) {
      std::int64_t run_ns = 0;
      std::istringstream(*text) >> run_ns;
      sum.all_ns += run_ns;
      const auto name = read_file(task + "/comm");
      const bool is_journal = name == "affix-journal\n" || name == "affix-flush\n";
      sum.journal_ns += is_journal ? run_ns : 0;
    }
  }
  return sum;
}

/// A line `name: number kB` of /proc/PID/status, in bytes; 0 if there is none.
std::int64_t status_bytes(const std::string& status, const std::string& name) {
  const std::size_t line = status.find("\n" + name + ":");
  std::int64_t kibibytes = 0;
  if (line != std::string::npos) {
    std::istringstream(status.substr(line + name.size() + 2)) >> kibibytes;
  }
  return kibibytes * 1024;
}

}  // namespace

std::expected<ProcessUsage, base::Error> read_process_usage(pid_t pid) {
  const std::string process = "/proc/" + std::to_string(pid);
  const auto stat = read_file(process + "/stat");
  const auto status = read_file(process + "/status");
  if (!stat || !status) {
    return std::unexpected(
        base::Error{base::ErrorCode::NotFound, "no such process", std::to_string(pid), "L107"});
  }
  // The second field is the program's name in parentheses and may contain anything; utime and stime
  // are the 14th and 15th.
  const std::size_t name_end = stat->rfind(')');
  std::istringstream fields(name_end == std::string::npos ? "" : stat->substr(name_end + 1));
  std::string skipped;
  for (int field = 3; field < 14; ++field) {
    fields >> skipped;
  }
  std::int64_t user_ticks = 0;
  std::int64_t system_ticks = 0;
  if (!(fields >> user_ticks >> system_ticks)) {
    return std::unexpected(base::Error{base::ErrorCode::Io, "not in the form that Linux gives it",
                                       process + "/stat", "L107"});
  }
  const std::int64_t tick_ns = base::ns_per_second / ::sysconf(_SC_CLK_TCK);
  const ScheduledTime scheduled = scheduled_time(process);
  return ProcessUsage{
      .cpu_ns = scheduled.all_ns,
      .journal_ns = scheduled.journal_ns,
      .user_ns = user_ticks * tick_ns,
      .system_ns = system_ticks * tick_ns,
      .anonymous_bytes = status_bytes(*status, "RssAnon"),
      .file_bytes = status_bytes(*status, "RssFile") + status_bytes(*status, "RssShmem")};
}

}  // namespace affix::inline v0::tools
