// SPDX-License-Identifier: MIT
// Failed system calls, by the system's error. Rows of the table of messages.
#include "explain/message_table.hpp"

#include <array>

namespace affix::inline v0::tools::explain {

namespace {

constexpr std::array system_rows{
    MessageRow{"O101", Kind::Error,
               "No such file or directory\n"
               "Not a directory",
               "A system call failed: no such file or directory.",
               "A wrong path, or a directory that does not exist yet.",
               "check the path, which is relative to the working directory; create the directory"},
    MessageRow{"O102", Kind::Error,
               "Permission denied\n"
               "Operation not permitted",
               "A system call failed: the permission is missing.",
               "The process's user may not use the file, port or feature.",
               "check owner and mode of the file and of its directories; ports below 1024 need "
               "CAP_NET_BIND_SERVICE"},
    MessageRow{"O103", Kind::Error,
               "No space left on device\n"
               "Disk quota exceeded",
               "A system call failed: no space is left.",
               "The disk is full, or a quota is used up.",
               "free space on the disk, or raise the quota (`df`, `quota`)"},
    MessageRow{"O104", Kind::Error, "Read-only file system",
               "A system call failed: the file system is read-only.",
               "The unit's `ProtectSystem`, a read-only mount, or a disk with errors.",
               "add the directory to `ReadWritePaths` of the unit, or mount the file system for "
               "writing; see `dmesg`"},
    MessageRow{"O105", Kind::Error, "Address already in use", "The address is in use.",
               "Another process listens at this address and port.",
               "stop the other process (`ss -ltnp` shows it), or use another port"},
    MessageRow{"O106", Kind::Error, "Cannot assign requested address",
               "The address is not one of this machine.",
               "A wrong address, or an interface that is down.",
               "use an address that `ip address` shows"},
    MessageRow{"O107", Kind::Error, "Connection refused", "A connection was refused.",
               "No program listens at the address.",
               "start the other program, or correct host and port"},
    MessageRow{"O108", Kind::Error,
               "Network is unreachable\n"
               "No route to host\n"
               "Network is down",
               "There is no route to the address.", "The network is down, or the address is wrong.",
               "check address, interface and routes (`ip route get ADDRESS`)"},
    MessageRow{
        "O109", Kind::Error, "Connection timed out", "The other side did not answer in time.",
        "A firewall drops the packets, or the host is down.", "check the firewall and the host"},
    MessageRow{"O110", Kind::Error,
               "Too many open files\n"
               "Too many open files in system",
               "No file descriptor is left.",
               "The process or the machine has as many files open as it may.",
               "raise `LimitNOFILE` of the service, or `ulimit -n`"},
    MessageRow{"O111", Kind::Error,
               "Cannot allocate memory\n"
               "Resource temporarily unavailable",
               "The system has no memory or no other resource for it.",
               "Limits of the process, of its cgroup or of the machine.",
               "check `ulimit -a`, the cgroup's limits, `vm.overcommit_memory` and free memory"},
    MessageRow{"O112", Kind::Error, "File exists", "The file or directory exists already.",
               "An earlier run left it, or another process made it.",
               "move it away, or use another name"},
    MessageRow{"O113", Kind::Error, "Input/output error", "The disk failed.",
               "An input/output error.",
               "see `dmesg`, and check the disk; verify journals with `affix journal verify`"},
    MessageRow{"O114", Kind::Error, "File too large", "The file would be larger than allowed.",
               "A limit on the size of files (`ulimit -f`) or of the file system.",
               "raise `ulimit -f` (`LimitFSIZE`)"},
    MessageRow{"O199", Kind::Error, "\u2026: \u2026",
               "A system call failed; its name and the system's error text are in the message.",
               "The error text names it.",
               "read the error text; `man 2 NAME` describes the call and its errors"},
};

}  // namespace

std::span<const MessageRow> system_messages() noexcept {
  return system_rows;
}

}  // namespace affix::inline v0::tools::explain
