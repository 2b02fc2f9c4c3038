// SPDX-License-Identifier: MIT
// Writes files, and starts the program's own command `exchange`.
#include "demo/exchange_process.hpp"

#include "affix/os/this_process.hpp"

#include "demo/configurations.hpp"
#include "program/other_program.hpp"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <utility>

namespace affix::inline v0::tools::demo {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view listening = "listening on ";

}  // namespace

std::expected<void, base::Error> make_empty(const std::string& directory,
                                            const std::vector<std::string>& parts) {
  std::error_code error;
  for (const std::string& part : parts) {
    fs::remove_all(fs::path(directory) / part, error);
  }
  fs::create_directories(directory, error);
  if (error) {
    return std::unexpected(base::make_system_error("mkdir", error.value(), directory));
  }
  return {};
}

std::expected<std::string, base::Error> write_configuration(const std::string& directory,
                                                            const std::string& name,
                                                            const std::string& text) {
  std::string path = directory + "/" + name;
  std::ofstream file(path, std::ios::trunc);
  file << text;
  file.close();
  if (!file) {
    return std::unexpected(base::make_system_error("write", errno, path));
  }
  return path;
}

std::expected<ChildProcess, base::Error> start_mortal(std::vector<std::string> arguments) {
  // It becomes the program, after it has asked the kernel for the signal.
  if (const auto setpriv = find_program("setpriv")) {
    arguments.insert(arguments.begin(), {*setpriv, "--pdeathsig", "TERM"});
  }
  return ChildProcess::start(arguments);
}

std::expected<Exchange, base::Error> start_exchange(const std::string& directory) {
  const auto path =
      write_configuration(directory, "exchange.ini", exchange_configuration(directory));
  if (!path) {
    return std::unexpected(path.error());
  }
  const std::string self = os::own_program();
  if (self.empty()) {
    return std::unexpected(base::make_system_error("readlink", ENOENT, {}));
  }
  auto process = start_mortal({self, "exchange", "--config", *path});
  if (!process) {
    return std::unexpected(process.error());
  }
  const auto line = process->wait_line(start_timeout_ns);
  if (!line || !line->starts_with(listening)) {
    return std::unexpected(
        base::Error{base::ErrorCode::Io,
                    "the exchange did not start; see " + directory + "/exchange.log",
                    {},
                    "L108"});
  }
  const std::size_t colon = line->rfind(':');
  return Exchange{std::move(*process), line->substr(colon + 1)};
}

}  // namespace affix::inline v0::tools::demo
