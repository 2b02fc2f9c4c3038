// SPDX-License-Identifier: MIT
// Lists the keys that name files, and checks those files.
#include "config/configuration_files.hpp"

#include "config/list_text.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace affix::inline v0::config {

namespace {

enum class Needs : std::uint8_t {
  File,          ///< A readable file.
  Dictionary,    ///< The same, but no pipe: it is read at the start and again for later sessions.
  Dictionaries,  ///< A list of them.
  FileOrSystem,  ///< The same, or the word SYSTEM.
  SecretPlace,   ///< `file:PATH`; other places are checked when they are used.
  Directory,     ///< An existing directory.
  FileToMake,    ///< A file that exists or can be made: its directory exists.
  NoFile,        ///< A directory, or nothing yet.
};

struct PathKey {
  std::string_view key;
  Needs needs;
};

constexpr std::array path_keys{
    PathKey{"log_file", Needs::FileToMake},
    PathKey{"audit_file", Needs::FileToMake},
    PathKey{"kill_switch_file", Needs::FileToMake},
    PathKey{"management_users_file", Needs::File},
    PathKey{"pid_file", Needs::FileToMake},
    PathKey{"counters_file", Needs::FileToMake},
    PathKey{"latency_file", Needs::FileToMake},
    PathKey{"plugin_file", Needs::File},
    PathKey{"dictionary", Needs::Dictionary},
    PathKey{"transport_dictionary", Needs::Dictionary},
    PathKey{"further_dictionaries", Needs::Dictionaries},
    PathKey{"journal_path", Needs::NoFile},
    PathKey{"journal_archive_path", Needs::NoFile},
    PathKey{"tls_certificate_file", Needs::File},
    PathKey{"tls_key_file", Needs::File},
    PathKey{"tls_key_password", Needs::SecretPlace},
    PathKey{"tls_ca_file", Needs::FileOrSystem},
    PathKey{"tls_ca_path", Needs::Directory},
    PathKey{"tls_crl_file", Needs::File},
    PathKey{"tls_pin_file", Needs::File},
    PathKey{"tls_preshared_keys", Needs::SecretPlace},
    PathKey{"management_read_token", Needs::SecretPlace},
    PathKey{"management_operate_token", Needs::SecretPlace},
    PathKey{"management_tls_certificate_file", Needs::File},
    PathKey{"management_tls_key_file", Needs::File},
    PathKey{"management_tls_ca_file", Needs::File},
};

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
    fail(entry, path, "is no regular file", "C246", report);
  }
}

void need_directory(const Entry& entry, const std::string& path, bool must_exist, Report& report) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) {
    if (must_exist || errno != ENOENT) {
      fail(entry, path, std::string("cannot be used: ") + std::strerror(errno), "C101", report);
    }
  } else if (!S_ISDIR(status.st_mode)) {
    fail(entry, path, "is no directory", "C102", report);
  }
}

void check(const Entry& entry, Needs needs, Report& report) {
  constexpr std::string_view file_place = "file:";
  switch (needs) {
    case Needs::File:
      need_file(entry, entry.value, report);
      return;
    case Needs::Dictionary:
      need_file(entry, entry.value, report, true);
      return;
    case Needs::Dictionaries:
      for (std::string_view rest = entry.value; !rest.empty();) {
        if (const std::string_view piece = take_piece(rest); !piece.empty()) {
          need_file(entry, std::string(piece), report, true);
        }
      }
      return;
    case Needs::FileOrSystem:
      if (entry.value != "SYSTEM") {
        need_file(entry, entry.value, report);
      }
      return;
    case Needs::SecretPlace:
      if (entry.value.starts_with(file_place)) {
        need_file(entry, entry.value.substr(file_place.size()), report);
      }
      return;
    case Needs::Directory:
      need_directory(entry, entry.value, true, report);
      return;
    case Needs::FileToMake: {
      const std::string parent = std::filesystem::path(entry.value).parent_path().string();
      need_directory(entry, parent.empty() ? "." : parent, true, report);
      std::error_code ignored;
      if (std::filesystem::is_directory(entry.value, ignored)) {
        fail(entry, entry.value, "is a directory", "C101", report);
      }
      return;
    }
    case Needs::NoFile:
      need_directory(entry, entry.value, false, report);
      return;
  }
}

}  // namespace

void check_files(const KnownGroup& known, Report& report) {
  const Entry* const tls = known.group.find("tls");
  const bool has_tls = tls != nullptr && tls->value == "ON";
  const Entry* const durability = known.group.find("durability");
  const bool in_memory = durability != nullptr && durability->value == "memory";
  const Entry* const port = known.group.find("management_server_port");
  const bool has_port = port != nullptr && port->value != "0";
  for (const PathKey& key : path_keys) {
    const Entry* const entry = known.group.find(key.key);
    // Opening the engine ignores disabled features as well.
    const bool unused = (key.key.starts_with("tls_") && !has_tls) ||
                        (key.key.starts_with("journal_") && in_memory) ||
                        (key.key.starts_with("management_") && !has_port);
    if (entry != nullptr && !entry->faulty && !entry->value.empty() && !unused) {
      check(*entry, key.needs, report);
    }
  }
}

}  // namespace affix::inline v0::config
