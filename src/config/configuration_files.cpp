// SPDX-License-Identifier: MIT
// Queries the file system about the files that keys name.
#include "config/configuration_files.hpp"

#include "config/list_text.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace affix::inline v0::config {

namespace {

void fail(const Entry& entry, const std::string& path, std::string_view what,
          base::MessageCode code, Report& report) {
  report.add(entry.line, "key '" + entry.key + "': '" + path + "' " + std::string(what), code);
}

void need_file(const Entry& entry, const std::string& path, Report& report, bool regular = false) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0 || ::access(path.c_str(), R_OK) != 0) {
    fail(entry, path, std::string("cannot be read: ") + std::strerror(errno), "C101", report);
  } else if (S_ISDIR(status.st_mode)) {
    fail(entry, path, "is a directory", "C101", report);
  } else if (regular && !S_ISREG(status.st_mode)) {
    fail(entry, path, "is not a regular file", "C246", report);
  }
}

void need_program(const Entry& entry, Report& report) {
  struct stat status{};
  if (::stat(entry.value.c_str(), &status) != 0) {
    fail(entry, entry.value, std::string("cannot be used: ") + std::strerror(errno), "C101",
         report);
  } else if (!S_ISREG(status.st_mode)) {
    fail(entry, entry.value, "is not a regular file", "C246", report);
  } else if (::access(entry.value.c_str(), X_OK) != 0) {
    fail(entry, entry.value, std::string("cannot be used: ") + std::strerror(errno), "C101",
         report);
  }
}

void need_directory(const Entry& entry, const std::string& path, bool must_exist, Report& report) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) {
    if (must_exist || errno != ENOENT) {
      fail(entry, path, std::string("cannot be used: ") + std::strerror(errno), "C101", report);
    }
  } else if (!S_ISDIR(status.st_mode)) {
    fail(entry, path, "is not a directory", "C102", report);
  }
}

}  // namespace

void check_file(const Entry& entry, FileNeed need, Report& report) {
  constexpr std::string_view file_place = "file:";
  switch (need) {
    case FileNeed::None:
      return;
    case FileNeed::Readable:
      need_file(entry, entry.value, report);
      return;
    case FileNeed::Regular:
      need_file(entry, entry.value, report, true);
      return;
    case FileNeed::RegularList:
      for (std::string_view rest = entry.value; !rest.empty();) {
        if (const std::string_view piece = take_piece(rest); !piece.empty()) {
          need_file(entry, std::string(piece), report, true);
        }
      }
      return;
    case FileNeed::ReadableOrSystem:
      if (entry.value != "SYSTEM") {
        need_file(entry, entry.value, report);
      }
      return;
    case FileNeed::SecretPlace:
      if (entry.value.starts_with(file_place)) {
        need_file(entry, entry.value.substr(file_place.size()), report);
      }
      return;
    case FileNeed::Directory:
      need_directory(entry, entry.value, true, report);
      return;
    case FileNeed::Creatable: {
      const std::string parent = std::filesystem::path(entry.value).parent_path().string();
      need_directory(entry, parent.empty() ? "." : parent, true, report);
      std::error_code ignored;
      if (std::filesystem::is_directory(entry.value, ignored)) {
        fail(entry, entry.value, "is a directory", "C101", report);
      }
      return;
    }
    case FileNeed::Program:
      need_program(entry, report);
      return;
    case FileNeed::DirectoryToMake:
      need_directory(entry, entry.value, false, report);
      return;
  }
}

}  // namespace affix::inline v0::config
