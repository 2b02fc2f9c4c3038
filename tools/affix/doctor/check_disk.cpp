// SPDX-License-Identifier: MIT
// Checks the disks of journals.
#include "affix/base/time.hpp"

#include "doctor/checks.hpp"
#include "doctor/system_text.hpp"
#include "log/record_text.hpp"

#include <algorithm>
#include <array>

namespace affix::inline v0::tools::doctor {

namespace {

// Far above the flush time of a local disk with memory that survives a power loss.
constexpr std::int64_t slow_flush_ns = base::ns_per_ms;

constexpr std::array network_kinds{"nfs", "nfs4", "cifs",      "smb3",
                                   "9p",  "ceph", "glusterfs", "lustre"};

bool is_network(const std::string& type) {
  return type.starts_with("fuse.") ||
         std::find(network_kinds.begin(), network_kinds.end(), type) != network_kinds.end();
}

bool rotates(const SystemFiles& files, const std::string& device) {
  const std::string block = "/sys/dev/block/" + device;
  // A partition shares its disk's queue.
  const auto own = files.number(block + "/queue/rotational");
  return (own ? own : files.number(block + "/../queue/rotational")).value_or(0) == 1;
}

Finding journal_disk(const SystemFiles& files, const Measured& measured,
                     const std::string& folder) {
  const auto mount = mount_of(files.text("/proc/self/mountinfo").value_or(""), folder);
  if (!mount) {
    return unknown("journal-disk", "nothing says which file system " + folder + " is on");
  }
  const std::string found = folder + " is on " + mount->type + " (" + mount->device + ")";
  if (is_network(mount->type)) {
    return costs("journal-disk", found,
                 "a journal is mapped memory: a page that the network gives late stops its worker, "
                 "and a server that is away ends the session",
                 "journal_path on a local disk");
  }
  // Disks of virtual machines report that they rotate; the flush time shows whether they do.
  if (rotates(files, mount->device) &&
      (!measured.flush || measured.flush->median_ns > slow_flush_ns)) {
    return costs("journal-disk", found + ", a disk that turns",
                 "a flush waits for the disk to come round, 4 to 15 ms, and pages that are read "
                 "for a resend as long",
                 "journal_path on a solid-state disk");
  }
  if (mount->type == "tmpfs" || mount->type == "ramfs") {
    return costs("journal-disk", found,
                 "journals are gone with the machine, and take its memory meanwhile",
                 "journal_path on a disk, or durability=memory, which is faster");
  }
  return fine("journal-disk", found);
}

Finding flush(const Measured& measured) {
  if (!measured.flush) {
    return unknown("flush", "the time of a flush was not measured");
  }
  const std::string found = "fdatasync of a record takes " +
                            log::duration_text(measured.flush->median_ns) + ", at most " +
                            log::duration_text(measured.flush->largest_ns);
  if (measured.flush->median_ns <= slow_flush_ns) {
    return fine("flush", found);
  }
  return costs("flush", found,
               "durability=sync sends no message sooner, and durability=group stores no sooner",
               "a disk whose memory survives the loss of power; durability=process needs none");
}

}  // namespace

Findings check_disk(const SystemFiles& files, const Measured& measured, const std::string& folder) {
  return {journal_disk(files, measured, folder), flush(measured)};
}

}  // namespace affix::inline v0::tools::doctor
