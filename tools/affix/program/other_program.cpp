// SPDX-License-Identifier: MIT
// Looks for executable files, and replaces the process.
#include "program/other_program.hpp"

#include "affix/base/text.hpp"
#include "affix/os/this_process.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace affix::inline v0::tools {

namespace {

constexpr int no_program_status = 127;  ///< As of a shell that finds no program.

bool is_program(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

}  // namespace

std::optional<std::string> find_program(const std::string& name) {
  const std::filesystem::path self = os::own_program();
  if (const auto beside = self.parent_path() / name; !self.empty() && is_program(beside)) {
    return beside.string();
  }
  const char* const path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? "" : path;
  while (!rest.empty()) {
    const std::string_view folder = base::take_part(rest, ':');
    if (const auto there = std::filesystem::path(folder) / name;
        !folder.empty() && is_program(there)) {
      return there.string();
    }
  }
  return std::nullopt;
}

std::optional<int> run_door(std::span<const Door> doors, int argc, char** argv) {
  const auto door = std::ranges::find_if(doors, [argc, argv](const Door& one) {
    return argc > 1 && std::strcmp(argv[1], one.command) == 0;
  });
  if (door == doors.end()) {
    return std::nullopt;
  }
  std::string program(door->program);
  const auto path = find_program(program);
  if (!path) {
    std::fprintf(stderr,
                 "affix %s: needs the program %s, which is neither beside affix nor in "
                 "PATH; its package is %s [P135]\n",
                 door->command, door->program, door->program);
    return no_program_status;
  }
  std::string command(door->argument == nullptr ? "" : door->argument);
  std::vector<char*> arguments{program.data()};
  if (!command.empty()) {
    arguments.push_back(command.data());
  }
  // Includes the null pointer at the end.
  arguments.insert(arguments.end(), argv + 2, argv + argc + 1);
  ::execv(path->c_str(), arguments.data());
  std::fprintf(stderr, "affix %s: %s: %s [P135]\n", door->command, path->c_str(),
               std::strerror(errno));
  return no_program_status;
}

}  // namespace affix::inline v0::tools
