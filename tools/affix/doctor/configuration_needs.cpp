// SPDX-License-Identifier: MIT
// Compares a configuration's needs with the system's limits.
#include "doctor/configuration_needs.hpp"

#include "doctor/checks.hpp"
#include "doctor/instances.hpp"
#include "doctor/system_text.hpp"

#include <filesystem>
#include <set>

namespace affix::inline v0::tools::doctor {

namespace {

// A connection, and the journal's current, previous and next segment.
constexpr std::int64_t session_descriptors = 4;

// Logs, counters, the administration port, reactors, connections before logon.
constexpr std::int64_t other_descriptors = 512;

std::string absolute(const std::string& path) {
  std::error_code error;
  return std::filesystem::absolute(path, error).lexically_normal().string();
}

std::string device_of(const std::string& mountinfo, const std::string& path) {
  const auto mount = mount_of(mountinfo, absolute(path));
  return mount ? mount->device : std::string();
}

std::int64_t sessions_of(const affix::config::Configuration& configuration) {
  auto sessions = static_cast<std::int64_t>(configuration.sessions.size()) +
                  configuration.engine.added_sessions_max;
  for (const affix::config::SessionSettings& group : configuration.templates) {
    sessions += group.template_sessions_max;
  }
  return sessions;
}

Finding descriptors(const std::string& limits, const affix::config::Configuration& configuration) {
  const std::int64_t sessions = sessions_of(configuration);
  const std::int64_t needed = sessions * session_descriptors + other_descriptors;
  const auto limit = limit_of(limits, "Max open files");
  const std::string found =
      std::to_string(sessions) + " sessions may need " + std::to_string(needed) + " open files";
  if (!limit) {
    return unknown("open-files", found + ", and the limit is not known");
  }
  if (limit->is_unlimited || limit->soft >= needed) {
    return fine("open-files", found);
  }
  return costs("open-files", found + ", and " + std::to_string(limit->soft) + " are allowed",
               "a session that cannot open its journal's next segment ends",
               "LimitNOFILE=" + std::to_string(needed) + " in the unit, or ulimit -n");
}

Findings memory(const SystemFiles& files, const std::string& limits,
                const affix::config::EngineSettings& settings) {
  Findings findings;
  const auto limit = limit_of(limits, "Max locked memory");
  if (settings.lock_pages && limit && !limit->is_unlimited) {
    findings.push_back(
        costs("locked-memory",
              "lock_pages=true, and " + std::to_string(limit->soft) + " bytes may be locked",
              "the engine says that it could not, and pages come when they are "
              "needed",
              "LimitMEMLOCK=infinity in the unit, or ulimit -l unlimited"));
  } else {
    findings.push_back(fine("locked-memory", settings.lock_pages
                                                 ? "lock_pages=true, and memory may be locked"
                                                 : "lock_pages=false"));
  }
  const std::string modes = files.text("/sys/kernel/mm/transparent_hugepage/enabled").value_or("");
  const std::string_view mode = chosen_word(modes);
  if (settings.huge_pages && mode != "always" && mode != "madvise") {
    findings.push_back(costs("huge-pages",
                             "huge_pages=true, and transparent huge pages are " +
                                 (mode.empty() ? std::string("not there") : std::string(mode)),
                             "small pages are used",
                             "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled"));
  }
  return findings;
}

Findings sockets(const SystemFiles& files, const std::vector<Instance>& instances) {
  Findings findings;
  const auto receive_max = files.number("/proc/sys/net/core/rmem_max");
  const auto send_max = files.number("/proc/sys/net/core/wmem_max");
  for (const Instance& instance : instances) {
    for (const auto& [key, size, most, sysctl] :
         {std::tuple{"socket_rx_size", instance.settings->socket_rx_size, receive_max, "rmem_max"},
          std::tuple{"socket_tx_size", instance.settings->socket_tx_size, send_max, "wmem_max"}}) {
      if (most && size > *most) {
        findings.push_back(
            costs("socket-buffers",
                  "[" + instance.name + "] has " + key + "=" + std::to_string(size) +
                      ", and the system gives " + std::to_string(*most),
                  "a burst that does not fit waits until the other side has read",
                  std::string("sysctl -w net.core.") + sysctl + "=" + std::to_string(size)));
      }
    }
  }
  if (findings.empty()) {
    findings.push_back(fine("socket-buffers", "sockets have the buffers that are configured"));
  }
  return findings;
}

Findings archives(const SystemFiles& files, const affix::config::Configuration& configuration) {
  const std::string mountinfo = files.text("/proc/self/mountinfo").value_or("");
  std::set<std::string> seen;
  Findings findings;
  for (const auto* all : {&configuration.sessions, &configuration.templates}) {
    for (const affix::config::SessionSettings& session : *all) {
      if (session.journal_archive_path.empty() ||
          !seen.insert(session.journal_path + "\n" + session.journal_archive_path).second) {
        continue;
      }
      const std::string from = device_of(mountinfo, session.journal_path);
      const std::string to = device_of(mountinfo, session.journal_archive_path);
      const std::string found =
          "segments go from " + session.journal_path + " to " + session.journal_archive_path;
      if (from.empty() || to.empty()) {
        findings.push_back(unknown("archive", found));
      } else if (from == to) {
        findings.push_back(fine("archive", found + ", in one file system"));
      } else {
        findings.push_back(
            costs("archive", found + ", in another file system",
                  "each is copied, " + std::to_string(session.max_serialised_file_size >> 20) +
                      " MiB or less, which takes time of the disk and of a processor from trading "
                      "sessions",
                  "journal_archive_path beside the journals, and affix journal archive from there "
                  "when nobody trades"));
      }
    }
  }
  return findings;
}

}  // namespace

Findings check_needs(const SystemFiles& files, const affix::config::Configuration& configuration) {
  const std::string limits = files.text("/proc/self/limits").value_or("");
  Findings findings{descriptors(limits, configuration)};
  for (const Findings& more :
       {memory(files, limits, configuration.engine),
        sockets(files, instances_of(configuration, allowed_processors(files))),
        archives(files, configuration)}) {
    findings.insert(findings.end(), more.begin(), more.end());
  }
  return findings;
}

std::vector<std::string> journal_folders(const SystemFiles& files,
                                         const affix::config::Configuration& configuration) {
  const std::string mountinfo = files.text("/proc/self/mountinfo").value_or("");
  std::set<std::string> devices;
  std::vector<std::string> folders;
  for (const auto* all : {&configuration.sessions, &configuration.templates}) {
    for (const affix::config::SessionSettings& session : *all) {
      if (session.durability != journal::Durability::Memory &&
          devices.insert(device_of(mountinfo, session.journal_path)).second) {
        folders.push_back(absolute(session.journal_path));
      }
    }
  }
  return folders;
}

}  // namespace affix::inline v0::tools::doctor
