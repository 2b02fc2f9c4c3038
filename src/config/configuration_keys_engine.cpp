// SPDX-License-Identifier: MIT
// Keys of the engine group.
#include "config/configuration_keys.hpp"

namespace affix::inline v0::config {

namespace {

namespace engine_rows {

using Settings = EngineSettings;
using Key = ConfigurationKey<Settings>;

// clang-format off: one key a row, and its sentence of the reference on one line.
constexpr std::array table{
    Key{"log_level", choice_of<&Settings::log_level, LogLevel::Error, LogLevel::Warning, LogLevel::Info, LogLevel::Debug>()}.one_of("ERROR|WARNING|INFO|DEBUG").reloads(KeyReload::ByProgram)
        .means("lowest severity that is logged"),
    Key{"log_file", &Settings::log_file}.reloads(KeyReload::ByProgram).names(FileNeed::Creatable)
        .means("path of the log file; empty: standard error"),
    Key{"log_destination", choice_of<&Settings::log_destination, LogDestination::File, LogDestination::Syslog, LogDestination::Journald>()}.one_of("FILE|SYSLOG|JOURNALD").reloads(KeyReload::ByProgram)
        .means("destination of log lines: `log_file` or standard error, the syslog daemon (facility daemon), or systemd's journal (with the session as `FIX_SESSION`)"),
    Key{"log_format", choice_of<&Settings::log_format, LogFormat::Text, LogFormat::Json>()}.one_of("TEXT|JSON").reloads(KeyReload::ByProgram)
        .means("format of lines in a file: readable text, or one JSON object per line"),
    Key{"log_file_bytes_max", &Settings::log_file_bytes_max}.between(0, std::int64_t{1} << 40).in(Measure::Bytes).reloads(KeyReload::ByProgram)
        .means("size at which log_file is renamed to log_file.1 and a new one is started; 0: never"),
    Key{"log_files_kept", &Settings::log_files_kept}.between(0, 1'000).reloads(KeyReload::ByProgram)
        .means("number of renamed log files that are kept; log_file.1 is the newest"),
    Key{"audit_file", &Settings::audit_file}.reloads(KeyReload::ByProgram).names(FileNeed::Creatable)
        .means("file that records each command that changes something, with its operator and its result, on the disk before the command is answered; never rotated by size. Empty: such commands are only logged"),
    Key{"ignore_sighup", &Settings::ignore_sighup}.reloads(KeyReload::ByProgram)
        .means("ignores SIGHUP, which a closing terminal sends; otherwise `affix serve` reloads its configuration and other programs end"),
    Key{"lock_pages", &Settings::lock_pages}
        .means("locks all memory of the process"),
    Key{"huge_pages", &Settings::huge_pages}
        .means("allocates buffers of sessions and connections in huge pages, if the kernel has free ones: fewer TLB misses, but 2 MiB for each active session"),
    Key{"numa_bind_node", &Settings::numa_bind_node}.between(-1, 1'023)
        .means("NUMA node on whose cores the whole process runs; -1: any"),
    Key{"numa_aware_allocations", &Settings::numa_aware_allocations}
        .means("with `numa_bind_node`: allocates the memory of the engine's threads on that node only"),
    Key{"pid_file", &Settings::pid_file}.names(FileNeed::Creatable)
        .means("file into which `affix serve`, or another [service](service.md), writes its process id, and which it locks; empty: none"),
    Key{"counters_file", &Settings::counters_file}.names(FileNeed::Creatable)
        .means("file for the engine's counters, which `affix top` and other programs read ([its format](counters-format.md)); created anew at each start. Empty: the engine counts, but other programs cannot read the counters"),
    Key{"latency_file", &Settings::latency_file}.names(FileNeed::Creatable)
        .means("file that records where the time of each application message went, by time stamps of the kernel and of the engine, which `affix log --latency` reads ([its format](latency-format.md)); created anew at each start. It costs system calls per message, see [where the time goes](../guide/operations.md#where-the-time-goes). Empty: nothing is recorded"),
    Key{"latency_records", &Settings::latency_records}.between(1'024, 16'777'216)
        .means("number of messages that `latency_file` holds for each worker, the newest ones; rounded up to a power of two. A message takes 128 bytes"),
    Key{"shutdown_timeout_seconds", &Settings::shutdown_timeout_seconds}.between(1, 3'600).in(Measure::Seconds)
        .means("time that sessions have to log out at shutdown; then the remaining connections are closed"),
    Key{"kernel", choice_of<&Settings::kernel, KernelChoice::Auto, KernelChoice::Scalar, KernelChoice::Sse42, KernelChoice::Avx2, KernelChoice::Avx512, KernelChoice::Neon>()}.one_of("AUTO|SCALAR|SSE42|AVX2|AVX512|NEON")
        .means("instruction set of the codec, in the whole process; AUTO: the best that the CPU has. One that the CPU lacks refuses the start"),
    Key{"callback_queue_bytes", &Settings::callback_queue_bytes}.between(4'096, buffer_max).in(Measure::Bytes)
        .means("size of the queue from each worker to each callback thread"),
    Key{"added_sessions_max", &Settings::added_sessions_max}.between(0, 100'000)
        .means("maximum number of sessions added at run time, beyond those in the file, see [Changing sessions while running](#changing-sessions-while-running)"),
    Key{"wait_warning_microseconds", &Settings::wait_warning_microseconds}.between(0, 60'000'000).in(Measure::Microseconds)
        .means("minimum time for which anything but its messages must hold a worker up for the log to say so, at most every ten seconds, see [waits of a worker](metrics.md#waits-of-a-worker); 0: never"),
    Key{"keeper", &Settings::keeper}
        .means("keeps connections and listeners while the program is away, so that the next process goes on with them and the counterparties see no disconnect: the path of the socket of [`affix keep`](../guide/keeper.md), or `SYSTEMD` for the service manager's descriptor store. Sessions with TLS, with `durability=memory` or of a failover group are not kept; those of a group that is handed over to another node with this keeper go on there. Empty: connections end with the program"),
    Key{"keeper_instance", &Settings::keeper_instance}
        .means("name of this engine at its keeper, the same in every process that continues its sessions"),
    Key{"upgrade_timeout_seconds", &Settings::upgrade_timeout_seconds}.between(1, 86'400).in(Measure::Seconds)
        .means("time that a program which was started for an [upgrade](../guide/keeper.md#upgrade) has until it is ready to take over; then it is ended, and the running one goes on"),
    Key{"memory_journal_bytes", &Settings::memory_journal_bytes}.between(0, std::int64_t{1} << 50).in(Measure::Bytes)
        .means("limit on the memory of all journals with `durability=memory` together, see [below](#durability); 0: each uses what its session needs"),
};
// clang-format on

}  // namespace engine_rows

}  // namespace

std::span<const ConfigurationKey<EngineSettings>> engine_keys() noexcept {
  return engine_rows::table;
}

}  // namespace affix::inline v0::config
