// SPDX-License-Identifier: MIT
// The engine: its machine, its log, and changes while it runs. Rows of the table of messages.
#include "explain/message_table.hpp"

#include <array>

namespace affix::inline v0::tools::explain {

namespace {

constexpr std::array engine_rows{
    MessageRow{"E101", Kind::Error, "[ENGINE] lock_pages", "Pages could not be locked in memory.",
               "The limit of the process is too low.",
               "set `LimitMEMLOCK=infinity`, or `ulimit -l unlimited`"},
    MessageRow{"E102", Kind::Error,
               "there is no NUMA node \u2026\n"
               "none of the node's cores may be used by the process\n"
               "NUMA nodes can be chosen on Linux only\n"
               "[ENGINE] numa_bind_node\n"
               "[ENGINE] numa_aware_allocations",
               "A NUMA node or its cores are not usable.",
               "The machine or the process's core mask has none of them.",
               "check `lscpu` and the process's core mask"},
    MessageRow{"E103", Kind::Error,
               "'\u2026' is neither AUTO nor a core from 0 to \u2026\n"
               "\u2026 is not one of the \u2026 workers\n"
               "is not one of the \u2026 workers",
               "A core or worker does not exist.",
               "The number is beyond the machine's cores or `worker_thread_count`.",
               "correct `worker_core_ids` or `worker`"},
    MessageRow{
        "E104", Kind::Error,
        "a reactor of the caller's own serves one worker, and worker_thread_count wants \u2026\n"
        "message_bytes must be 1 to 67108864, ring_bytes at most 1073741824\n"
        "\u2026 senders are there\n"
        "the reactor's rx_buffer_capacity is below the \u2026 bytes that the configuration needs",
        "An engine cannot be made with these options.",
        "A program passed options that do not go together.",
        "correct the program that creates the engine"},
    MessageRow{
        "E105", Kind::Warning,
        "no huge pages, so small ones are used: transparent_hugepage of this kernel is \u2026",
        "Small pages are used; `huge_pages` has no effect.",
        "The kernel's setting forbids transparent huge pages.",
        "set `/sys/kernel/mm/transparent_hugepage/enabled` to `madvise` or `always`"},
    MessageRow{"E106", Kind::Warning, "no io_uring, so \u2026 is used: \u2026",
               "The engine uses epoll, or poll where there is none, in place of io_uring.",
               "The kernel is older than 6.1, or forbids io_uring (`kernel.io_uring_disabled`, a "
               "sandbox).",
               "use Linux 6.1 or later, or permit io_uring; nothing, if epoll is good enough"},
    MessageRow{"E107", Kind::Error,
               "no such reactor here; there are: \u2026\n"
               "this option of sockets is Linux's\n"
               "\u2026 is not within \u2026\n"
               "a connection cannot leave an io_uring",
               "The reactor could not be made.", "An unknown name or an option out of its range.",
               "correct the options of `net::make_reactor`"},
    MessageRow{"E108", Kind::Warning,
               "[ENGINE] kernel=\u2026\n"
               "enable_simd_avx2 has no effect: kernel=\u2026 decides for all sessions\n"
               "enable_simd_avx2 has no effect: this CPU or this build has no AVX2, and the kernel "
               "in use is \u2026",
               "The processor kernel of the codec is another one than wanted.",
               "The processor or the build lacks the instructions.", "set `kernel=AUTO`"},
    MessageRow{"E109", Kind::Error, "affix: AFFIX_KERNEL=\u2026: \u2026", "The program ended.",
               "`AFFIX_KERNEL` names a kernel that the machine does not have.",
               "unset the environment variable, or name a kernel that the machine has"},
    MessageRow{"E110", Kind::Error,
               "another engine counts there\n"
               "another engine records latencies there\n"
               "process \u2026 runs with this pid_file",
               "Another process uses a file that has one owner.",
               "A second engine with the same configuration.",
               "stop the other process, or give each its own file"},
    MessageRow{"E111", Kind::Error,
               "cannot look the name up: \u2026\n"
               "no address is known yet of the hosts to connect to\n"
               "not an address: \"192.0.2.1:9876\", \"[2001:db8::1]:9876\" and \"*:9876\" are\n"
               "not \"host:port\"",
               "A host's address is unknown, or an address is malformed.",
               "DNS does not answer, or a misspelt name.",
               "check DNS and the spelling. A name that exists but cannot be resolved for now is "
               "tried again"},
    MessageRow{"E112", Kind::Error, "bind_interface \u2026",
               "The socket could not be bound to the interface.", "The process lacks CAP_NET_RAW.",
               "give the process CAP_NET_RAW, which `nic_name` needs"},
    MessageRow{"E113", Kind::Error, "this machine has no network interface '\u2026'",
               "The interface does not exist.", "A misspelt name, or another machine.",
               "use a name that `ip link` shows"},
    MessageRow{
        "E114", Kind::Error,
        "nothing can be made in '\u2026': \u2026\n"
        "'\u2026' is not a directory",
        "Files could not be made in the directory.",
        "Missing permissions, or a path that is not a directory.",
        "check the permissions of the process's user on `journal_path`, or use another path"},
    MessageRow{"E115", Kind::Error, "\u2026: standard output could not be written\u2026",
               "The output is not complete; the exit code is 74.",
               "The disk or pipe that output was sent to is full or closed.",
               "free space on the disk that output was sent to"},
    MessageRow{"E116", Kind::Error,
               "more than the address space holds\n"
               "receive buffer\n"
               "receive buffers\n"
               "decryption buffer\n"
               "memory of a session",
               "Memory could not be reserved.",
               "Large buffers for many sessions, or limits of the process.",
               "reduce `rx_buffer_capacity` or the number of sessions; check limits of the process "
               "and `vm.overcommit_memory`"},
    MessageRow{"E117", Kind::Error,
               "listeners_max is reached\n"
               "connections_max is met",
               "A connection or listener could not be added.", "The reactor's limit is reached.",
               "raise the limit in the reactor's options"},
    MessageRow{"E118", Kind::Error, "longer than the name of a socket may be",
               "The log could not be opened.",
               "The path of the socket is longer than the system allows.",
               "shorten the path of the socket for `log_destination`"},
    MessageRow{"E119", Kind::Warning, "\u2026 lines were dropped: more came than could be written",
               "Lines are missing in the log.", "More lines came than could be written.",
               "use a faster disk or reader for the log, or a lower `log_level`"},
    MessageRow{
        "E120", Kind::Warning,
        "affix: log: \u2026: lines are kept until there is room\n"
        "lines could not be written for a while (\u2026), and those that were kept came late",
        "Lines came late; the log has them complete and in order, with their own times.",
        "The log's disk was full or failed.",
        "free space on the log's disk. The log has the lines of that time with their own times, in "
        "order and complete"},
    MessageRow{"E121", Kind::Warning,
               "\u2026 lines were lost: \u2026\n"
               "affix: log: \u2026: \u2026 lines are lost\n"
               "they could not be sent",
               "Lines are missing in the log.",
               "The disk, syslog or journald failed for too long: at most 1 MiB of lines is kept.",
               "free space on the log's disk, or start syslog or journald"},
    MessageRow{"E122", Kind::Warning,
               "\u2026 (\u2026 lines like this were left out since the one before; the last was "
               "this one)\n"
               "\u2026 (\u2026 line like this was left out; it was this one)",
               "Similar lines were counted instead of written.",
               "A line occurred more than 256 times in a second, apart from its numbers.",
               "read the shown lines: a line occurred more than 256 times in a second, apart from "
               "its numbers. The first are written, the others counted, the last is shown"},
    MessageRow{"E125", Kind::Warning,
               "the limit on open files, \u2026, is below the \u2026 that \u2026 sessions need: "
               "connections are closed when only the \u2026 are left that journals need\n"
               "the limit on open files, \u2026, leaves room for \u2026 of the \u2026 connections "
               "that may be without a Logon",
               "Connections may be refused later.",
               "The limit on open files is below what the sessions need.",
               "raise `ulimit -n`, or `LimitNOFILE` of the service"},
    MessageRow{"E126", Kind::Warning,
               "[\u2026] max_connections_before_logon=\u2026 is below its \u2026 sessions: when "
               "all of them connect at once, some are turned away",
               "Some sessions may be turned away when all connect at once.",
               "The limit is below the number of sessions.",
               "raise the limit, or set 0, which follows the number of sessions"},
    MessageRow{"E127", Kind::Warning,
               "core \u2026 is not one that this process may use: worker \u2026 is not pinned\n"
               "the thread that accepts\n"
               "the administration port's thread",
               "A thread is not pinned; the system places it.", "The process may not use the core.",
               "use cores of `nproc` and of the unit's `CPUAffinity` or `AllowedCPUs` in "
               "`cpu_core_id`, `worker_core_ids` and `management_server_cpu_core_id`"},
    MessageRow{"E128", Kind::Note,
               "\u2026 files and connections may be open (ulimit -n, LimitNOFILE), and \u2026 are",
               "A note at the start of `affix serve`, after journals and ports are open: how many "
               "files are open, and may be.",
               "Every start.", "nothing"},
    MessageRow{"E129", Kind::Note,
               "1 core allowed (\u2026): workers have it, and the threads that prepare journals, "
               "flush and write the log run while they sleep\n"
               "\u2026 processors, of whose time a cgroup allows \u2026 us in each \u2026 us",
               "A note at the start: what the process may use of the processors.",
               "The process may use one core, or has a quota.",
               "nothing. For more throughput, allow the process a second processor, or a larger "
               "quota (`cpu.max`); see [allowed-cores](../guide/operations.md#allowed-cores)"},
    MessageRow{"E130", Kind::Warning,
               "\u2026 workers and \u2026 cores allowed (\u2026): they take turns, and messages "
               "wait for it; worker_thread_count=0 takes as many as there is time for",
               "Workers take turns on the cores, and messages wait for it.",
               "There are more workers than cores.",
               "lower `worker_thread_count` (0 takes as many as there is time for), or allow the "
               "process more processors (`nproc`, the cgroup's quota)"},
    MessageRow{"E131", Kind::Warning,
               "wait_mode=SPIN leaves no core for the threads that prepare journals, flush and "
               "write the log: \u2026 workers and \u2026 cores allowed (\u2026); \u2026\n"
               "they take their time from the workers, some milliseconds at once\n"
               "the quota is used up in each period, and all threads stop until its end",
               "Helper threads have no core, or the quota is used up.",
               "`wait_mode=SPIN` with as many workers as cores.",
               "set `wait_mode=BLOCK`, use fewer workers, or allow the process more processors"},
    MessageRow{
        "E132", Kind::Warning,
        "worker \u2026 was held up for \u2026 ms: \u2026; \u2026 waits of \u2026 ms and more, this "
        "the longest, since the last line of this kind",
        "A worker could not process messages for some time; the longest wait and its cause follow. "
        "At most one line every ten seconds.",
        "The system took the core, or a callback, a page fault or a full disk held the worker up.",
        "remove the cause, see [waits of a worker](metrics.md#waits-of-a-worker), or raise "
        "`wait_warning_microseconds`"},
    MessageRow{
        "E133", Kind::Note,
        "journals on the disk of \u2026: a new page costs \u2026 us when zeros are written and "
        "\u2026 us by a page fault; zeros are written ahead of messages\n"
        "pages are faulted in ahead of messages",
        "A note at the start, one for each disk: what a page of 4 KiB of a new journal segment "
        "costs there, and how the engine makes pages present.",
        "Journals with `durability=process`: the engine measures both ways with 256 KiB.",
        "nothing. Where zeros cost more than about 2 us, a virtual machine's host gives memory "
        "on demand: `affix doctor` says what to do"},
    MessageRow{"E134", Kind::Error,
               "one loop cannot drive several workers, callback threads or a node of a cluster\n"
               "this reactor has no descriptor that a loop could wait for\n"
               "a descriptor that a loop can wait for is there on Linux only",
               "The engine has no descriptor for the program's own loop.",
               "The configuration has threads that such a loop would have to drive, or "
               "`reactor=POLL`, or the program passed a reactor with a clock of its own.",
               "use `Engine::run()`, or `WorkerHandle::descriptor()` on the thread of each worker"},
    MessageRow{
        "E201", Kind::Error,
        "'\u2026' cannot be changed while the engine runs\n"
        "'\u2026' cannot be changed while it runs\n"
        "this group cannot go while the engine runs\n"
        "this group is new, and cannot come while the engine runs\n"
        "[\u2026] is a template, and those do not come while the engine runs but by a reload\n"
        "is a template, and those come by a reload only",
        "The change was refused.", "The key or group cannot change while the engine runs.",
        "restart the engine for this change; see [what can be "
        "changed](configuration.md#changing-sessions-while-running)"},
    MessageRow{"E202", Kind::Error,
               "there is no room for it: added_sessions_max are there, or some that were removed "
               "have not ended yet",
               "The session was not added.",
               "As many sessions were added as `added_sessions_max` allows.",
               "raise `added_sessions_max`, or wait until removed sessions have ended"},
    MessageRow{"E203", Kind::Error,
               "key 'max_message_bytes': more than the buffers were made for when the engine "
               "started; a larger rx_buffer_capacity makes room\n"
               "key 'callback_thread': its worker had no session with this callback thread, or "
               "none of such max_message_bytes, when the engine started\n"
               "key 'template_sessions_max': all templates together can have no more sessions than "
               "before while the engine runs",
               "The session was not added.", "The engine's buffers were sized at its start.",
               "raise `max_message_bytes` or `rx_buffer_capacity` in the configuration and "
               "restart, or give the new session smaller values"},
    MessageRow{"E204", Kind::Error,
               "key 'memory_journal_bytes': a journal in memory begins with \u2026 bytes, and "
               "\u2026 of \u2026 are left",
               "The session was not added.", "The memory of journals is in use.",
               "raise `memory_journal_bytes`, or set `durability=process`; a removed session "
               "counts until its journal is closed"},
    MessageRow{"E205", Kind::Error,
               "key 'max_message_bytes': more than its journal in memory was made for when the "
               "session came",
               "The change was refused.",
               "The session's journal in memory was sized when the session came.",
               "remove the session and add it again, or restart"},
    MessageRow{"E206", Kind::Warning,
               "key 'memory_journal_bytes': all of it is in use, so the session's journal stores "
               "over its oldest messages early, and a resend fills a gap instead of them; from "
               "here on journal_memory_refused counts how often",
               "Journals in memory keep less; once for each worker.",
               "All of `memory_journal_bytes` is in use.",
               "raise `memory_journal_bytes`, or use `durability=memory` for fewer sessions"},
    MessageRow{"E207", Kind::Error, "there is no such session", "The command did nothing.",
               "No session has this name.", "use a name that `affix-admin sessions` lists"},
    MessageRow{"E208", Kind::Error,
               "reload: refused, nothing has changed\n"
               "; the last reload was refused, see the log",
               "The reload changed nothing.",
               "The configuration has problems, which the preceding lines name.",
               "correct the problems in the preceding lines"},
    MessageRow{"E209", Kind::Note,
               "reload: log: \u2026\n"
               "reload: TLS: \u2026\n"
               "reload: the worker does not use the new routes yet\n"
               "reload: done, \u2026 sessions are configured\n"
               "reload: done, this program has no file to read again",
               "The result of a reload, or a part that failed: the engine continues with the old "
               "log file or certificates.",
               "A reload was asked for by SIGHUP or a command.",
               "nothing for a done reload; otherwise correct the log file or the certificates that "
               "the line names"},
    MessageRow{
        "E210", Kind::Warning,
        "shutdown_timeout_seconds have passed: remaining connections are closed",
        "The engine closed connections without a complete Logout.",
        "A peer did not answer the Logout within `shutdown_timeout_seconds`.",
        "nothing, if it happens once: the next logon resends what is missing. Otherwise raise "
        "`shutdown_timeout_seconds`, or ask the counterparty why its engine does not answer"},
    MessageRow{"E211", Kind::Error,
               "it does not begin with 'pbkdf2_sha256$'\n"
               "its iterations are not a number from 1000 to 10000000\n"
               "its salt must have 1 to 64 characters\n"
               "its key is not 32 bytes in base64",
               "The hash of a password is malformed.", "It was cut, or made by another program.",
               "use the text that `affix config hash-password` prints"},
    MessageRow{
        "E212", Kind::Error,
        "key 'logon_password_hash': a client sends its password, which a hash cannot give\n"
        "keys 'logon_password' and 'logon_password_hash': there is one password",
        "A password and its hash do not fit the session.",
        "A client needs the password itself; a server needs one of the two.",
        "give a client `logon_password`, and a server one of `logon_password` and "
        "`logon_password_hash`: [credentials of peers](configuration.md#credentials-of-peers)"},
    MessageRow{"E213", Kind::Error,
               "this build has no hashes of passwords (it was made without OpenSSL)\n"
               "a password that is not empty and 1000 to 10000000 iterations are needed\n"
               "OpenSSL gives no random numbers\n"
               "OpenSSL has no PBKDF2 with SHA-256",
               "Passwords cannot be hashed.",
               "The build has no OpenSSL, or the arguments are out of range.",
               "use a build with OpenSSL; also for `affix config hash-password`"},
    MessageRow{"E301", Kind::Warning, "another node leads the session's group",
               "The session's connection was closed without a Logout.",
               "The failover group was handed over, or another node has taken it.",
               "nothing; the counterparty connects to the other node"},
    MessageRow{"E302", Kind::Error, "has no journal here that followed its group",
               "The node does not lead the group, and tries again.",
               "The node's copy of the session's journal is missing or could not be opened.",
               "look for R131, R133 and S302 before it in the log, and mend the disk"},
    MessageRow{
        "E303", Kind::Error,
        "belongs to a failover group, whose sessions change by a restart of one node after the "
        "other",
        "Nothing was changed.", "Sessions of failover groups do not change while they run.",
        "change the file on every node, and restart one node after the other; see "
        "[failover](../guide/failover.md#changing-sessions)"},
    MessageRow{
        "E304", Kind::Error,
        "is no promise of an epoch, so the node cannot know what it may acknowledge\n"
        "key 'failover_directory': another process has it\n"
        "failover group \u2026: the promise of epoch \u2026 is not on the disk, so this node "
        "cannot lead: \u2026",
        "The node does not start, or is not promoted.",
        "A file in `failover_directory` is damaged, in use by another process, or cannot be "
        "written.",
        "give each node a directory of its own; make room; a damaged file may only be removed "
        "together with the journals of its group on this node, which are then copied anew"},
    MessageRow{
        "E305", Kind::Error,
        "failover group \u2026: its copies are not whole, so this node does not lead with them\n"
        "its copy cannot be opened",
        "The node does not lead the group.",
        "It was catching up when the primary went, or a disk refused to open a journal.",
        "mend the disk, or bring another node back; only if there is none, `promote GROUP "
        "--accept-loss`"},
    MessageRow{"E306", Kind::Warning,
               "failover group \u2026: does not lead any more: its sessions are cut\n"
               "failover group \u2026: does not lead any more: \u2026 connections go on at node "
               "\u2026, and the others are cut",
               "The node is a standby of the group from now on.",
               "It has handed over, or another node was promoted.", "nothing, if it was meant"},
    MessageRow{"E307", Kind::Warning, "failover group \u2026: leads from here on, in epoch \u2026",
               "The group's sessions run on this node.",
               "It was promoted by itself, by a hand-over or by an operator.",
               "if nobody has asked for it, see why the former primary is gone"},
    MessageRow{"E308", Kind::Error,
               "key 'election': this program opens no such store; pass one to Engine::open()\n"
               "key 'node': has no address",
               "The program did not start.",
               "A program that is not a service has no etcd client, or the configuration is wrong.",
               "use `affix::service`, or pass a store to `Engine::open()`"},
    MessageRow{"E309", Kind::Error,
               "this engine is no node of a cluster: key 'node' is empty\n"
               "there is no such failover group on this node",
               "Nothing was changed.",
               "The name is wrong, or the command was given to another node.",
               "`affix cluster` shows the groups and their nodes"},
    MessageRow{"E310", Kind::Warning,
               "connection from \u2026 closed: session \u2026 belongs to failover group \u2026, "
               "which node "
               "\u2026 leads\n"
               "connection from \u2026 closed: session \u2026 belongs to failover group \u2026, "
               "which no node "
               "leads at present",
               "The Logon was refused: the session runs on another node.",
               "The counterparty connects to a standby.",
               "nothing, if it tries all its addresses; else see [addresses]"
               "(../guide/failover.md#addresses)"},
    MessageRow{"E311", Kind::Note, "goes on at another node",
               "The session's connection was passed on to the node that leads its failover group "
               "now. The counterparty has seen a pause at most.",
               "The group was handed over between nodes of one machine that use one keeper.",
               "nothing"},
    MessageRow{"E312", Kind::Warning,
               "failover group \u2026: node \u2026 has not taken \u2026 connections that were "
               "passed on to it, so they are closed",
               "The counterparties see a disconnect, and connect again.",
               "A node died, or hung, while a group was handed over to it.",
               "see why the node did not lead"},
};

}  // namespace

std::span<const MessageRow> engine_messages() noexcept {
  return engine_rows;
}

}  // namespace affix::inline v0::tools::explain
