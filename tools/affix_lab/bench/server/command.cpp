// SPDX-License-Identifier: MIT
// An acceptor for `affix-lab bench load`: numbered sessions with dictionary and journal, as in
// production.
#include "bench/server/command.hpp"

#include "affix/base/assert.hpp"
#include "affix/config/words.hpp"
#include "affix/engine/engine.hpp"
#include "affix/service/event_log.hpp"
#include "affix/service/stop_signals.hpp"

#include "bench/server/cluster_node.hpp"
#include "bench/server/echo_application.hpp"
#include "dictionary/standard.hpp"

#include <algorithm>
#include <bit>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <malloc.h>
#include <memory>
#include <sys/resource.h>

namespace affix::inline v0::tools::bench {

namespace {

namespace fs = std::filesystem;

constexpr const char* server_name = "BENCH";

struct ServerCommandOptions {
  std::string listen = "127.0.0.1:0";
  std::uint32_t sessions = 8;
  std::int64_t before_logon = 0;
  std::string begin_string = "FIXT.1.1";
  bool no_dictionary = false;
  std::string durability = "process";
  std::string journal;
  std::string counters;
  std::int64_t segment_bytes = 0;
  std::int64_t journal_keep_bytes = 0;
  std::string reactor = "EPOLL";
  std::string wait_mode = "BLOCK";
  std::int64_t workers = 1;
  std::string worker_cores;
  std::int64_t core = -1;
  std::int64_t output_timeout_seconds = affix::config::SessionSettings{}.output_timeout_seconds;
  std::string log_level = "WARNING";
  NodeOptions node;
};

/// The run's own directory, removed with all its contents.
class RunDirectory {
 public:
  RunDirectory() = default;
  RunDirectory(const RunDirectory&) = delete;
  RunDirectory& operator=(const RunDirectory&) = delete;

  ~RunDirectory() {
    std::error_code ignored;
    if (!path_.empty()) {
      fs::remove_all(path_, ignored);
    }
  }

  [[nodiscard]] bool make() {
    std::error_code error;
    std::string pattern = (fs::temp_directory_path(error) / "affix-bench-XXXXXX").string();
    if (error || ::mkdtemp(pattern.data()) == nullptr) {
      return false;
    }
    path_ = pattern;
    return true;
  }

  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
};

// Journals are prepared a whole segment ahead, so many sessions get small ones.
std::int64_t segment_bytes(const ServerCommandOptions& options) {
  constexpr std::int64_t all_segments = std::int64_t{512} << 20;
  constexpr std::int64_t least = std::int64_t{1} << 20;
  const std::int64_t most = affix::config::SessionSettings{}.max_serialised_file_size;
  if (options.segment_bytes != 0) {
    return options.segment_bytes;
  }
  const std::int64_t share = all_segments / std::max<std::int64_t>(options.sessions, 1);
  // A segment's size is a power of two.
  const auto size = std::bit_ceil(static_cast<std::uint64_t>(std::clamp(share, least, most)));
  return static_cast<std::int64_t>(size);
}

affix::config::SessionSettings session_settings(const ServerCommandOptions& options) {
  affix::config::SessionSettings session;
  session.begin_string = options.begin_string;
  session.instance = server_name;
  session.sender_comp_id = "SERVER";
  const bool chosen = affix::config::choose(session, "durability", options.durability);
  AFFIX_ASSERT(chosen);  // The command line accepts the key's words only.
  session.max_serialised_file_size = segment_bytes(options);
  session.journal_keep_bytes = options.journal_keep_bytes;
  session.output_timeout_seconds = options.output_timeout_seconds;
  // After a connection ended, the peer requests outstanding reports at its next logon; a journal in
  // memory cannot keep them.
  session.send_while_disconnected = session.durability == journal::Durability::Memory
                                        ? session::SendWhileDown::Refuse
                                        : session::SendWhileDown::Queue;
  session.send_queue_max = 1'000'000;
  const bool is_fixt = options.begin_string == "FIXT.1.1";
  if (is_fixt) {
    session.default_app_ver_id = "9";
  }
  if (options.no_dictionary) {
    return session;
  }
  const std::string folder = dictionary::standard_directory() + "/";
  const std::string file = folder + dictionary::file_of_begin_string(options.begin_string);
  if (is_fixt) {
    session.transport_dictionary = file;
    session.dictionary = folder + std::string(dictionary::file_of_appl_ver_id("9"));
  } else {
    session.dictionary = file;
  }
  return session;
}

std::expected<affix::config::Configuration, base::Error> configuration_of(
    const ServerCommandOptions& options, const std::string& journal) {
  const auto address = net::Address::parse(options.listen);
  if (!address) {
    return std::unexpected(address.error());
  }
  affix::config::Configuration configuration;
  bool chosen = affix::config::choose(configuration.engine, "log_level", options.log_level);
  configuration.engine.counters_file = options.counters;
  affix::config::ServerSettings server;
  server.name = server_name;
  server.nic_address = address->host_text();
  server.accept_port = address->port();
  server.pending_connection_queue_size = 1'024;
  server.max_connections_before_logon = options.before_logon;
  chosen = affix::config::choose(server, "reactor", options.reactor) && chosen;
  chosen = affix::config::choose(server, "wait_mode", options.wait_mode) && chosen;
  AFFIX_ASSERT(chosen);  // The command line accepts the keys' words only.
  server.cpu_core_id = options.core;
  server.worker_thread_count = options.workers;
  server.worker_core_ids = options.worker_cores;
  configuration.servers.push_back(std::move(server));
  affix::config::SessionSettings session = session_settings(options);
  session.journal_path = journal;
  for (std::uint32_t number = 1; number <= options.sessions; ++number) {
    session.target_comp_id = "CLIENT" + std::to_string(number);
    session.name = session.target_comp_id;
    configuration.sessions.push_back(session);
  }
  join_cluster(configuration, options.node, journal);
  return configuration;
}

// Each connection and its journal need descriptors; the usual limit of 1024 is only a default.
void raise_descriptor_limit() noexcept {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) == 0) {
    limit.rlim_cur = limit.rlim_max;
    static_cast<void>(::setrlimit(RLIMIT_NOFILE, &limit));
  }
}

int fail_server(const std::string& text) {
  std::fprintf(stderr, "affix-lab bench server: %s\n", text.c_str());
  return 2;
}

int run(const ServerCommandOptions& options) {
  RunDirectory own;
  if (options.journal.empty() && !own.make()) {
    return fail_server("no directory for journals can be made; name one with --journal [L101]");
  }
  raise_descriptor_limit();
  auto configuration =
      configuration_of(options, options.journal.empty() ? own.path() : options.journal);
  if (!configuration) {
    return fail_server(configuration.error().text());
  }
  auto log = service::EventLog::open(configuration->engine);
  if (!log) {
    return fail_server(log.error().text());
  }
  EchoApplication application(*log);
  auto engine = engine::Engine::open(*configuration, application);
  if (!engine) {
    return fail_server(affix::config::text_of(engine.error()));
  }
  application.attach((*engine)->sessions());
  // Frees the settings of thousands of sessions, and memory used for reading dictionaries.
  *configuration = {};
  ::malloc_trim(0);
  {
    // Before the start is announced, as other processes might then end it.
    const service::StopSignals signals(**engine, service::Hangup::Stop);
    std::printf("listening on %s\n", (*engine)->listening_addresses().front().text().c_str());
    std::fflush(stdout);
    (*engine)->run();
  }
  std::printf("%" PRIu64 " orders answered\n", application.answered());
  return 0;
}

void add_node_options(Command command, NodeOptions& options) {
  command.add_option("--node", options.name, "Be this node of a cluster; without it no failover");
  command.add_option("--node-addresses", options.addresses,
                     "NAME@HOST:PORT of every node, commas between, the preferred one first");
  command.add_option("--election", options.election,
                     "Store in which the nodes elect a primary: file:DIRECTORY");
  command.add_option("--replication", options.replication, "The side that waits for the standby")
      .one_of({"ASYNC", "BEFORE_SEND", "BEFORE_DELIVER"})
      .with_default();
  command
      .add_option("--replication-wait", options.wait_mode,
                  "How the thread waits that stores what another node sends")
      .one_of({"BLOCK", "SPIN", "SPIN_THEN_BLOCK"})
      .with_default();
  command
      .add_option("--replication-timeout", options.timeout_ms,
                  "Milliseconds that a standby has to acknowledge")
      .between(1, 60'000)
      .with_default();
  command
      .add_option("--replication-beat", options.beat_ms,
                  "Milliseconds between two signs of life; a node that misses three is gone")
      .between(1, 10'000)
      .with_default();
  command.add_option("--replication-core", options.core, "Core of that thread; -1: none")
      .with_default();
}

}  // namespace

void add_server_command(Command bench) {
  auto options = std::make_shared<ServerCommandOptions>();
  Command command = bench.add_command(
      "server",
      "Accept sessions SERVER to CLIENT1, CLIENT2, ... and answer a report to each order");
  command.add_option("--listen", options->listen, "Numeric address; port 0: the kernel chooses")
      .with_default();
  command.add_option("--sessions", options->sessions, "How many clients there may be")
      .between(1, 100'000)
      .with_default();
  command
      .add_option("--connections-before-logon", options->before_logon,
                  "How many connections there may be that have not logged on; 0: by the sessions")
      .between(0, 1'000'000)
      .with_default();
  command.add_option("--begin-string", options->begin_string, "BeginString (8)")
      .one_of({"FIX.4.2", "FIX.4.3", "FIX.4.4", "FIXT.1.1"})
      .with_default();
  command.add_flag("--no-dictionary", options->no_dictionary, "Judge no message by a dictionary");
  command.add_option("--durability", options->durability, "Failures that stored messages survive")
      .one_of({"memory", "process", "group", "sync"})
      .with_default();
  command.add_option("--journal", options->journal,
                     "Directory of the journals; without it one that is removed at the end");
  command.add_option("--counters", options->counters, "File that it counts in, for affix top");
  command.add_option("--segment-bytes", options->segment_bytes,
                     "Size of a journal's segment; 0: by the number of sessions");
  command.add_option("--journal-keep-bytes", options->journal_keep_bytes,
                     "Oldest segments of a journal go beyond this size; 0: none goes");
  command.add_option("--reactor", options->reactor, "How the kernel is asked about sockets")
      .one_of({"EPOLL", "POLL", "IO_URING"})
      .with_default();
  command.add_option("--wait", options->wait_mode, "How the worker waits")
      .one_of({"BLOCK", "SPIN", "SPIN_THEN_BLOCK"})
      .with_default();
  command.add_option("--workers", options->workers, "Threads that the sessions are spread over")
      .between(1, 256)
      .with_default();
  command.add_option("--worker-cores", options->worker_cores,
                     "Cores that several workers are pinned to, commas between, or AUTO");
  command.add_option("--core", options->core, "Core the worker is pinned to; -1: none")
      .with_default();
  command
      .add_option("--output-timeout", options->output_timeout_seconds,
                  "Seconds a peer may leave output unread")
      .with_default();
  command.add_option("--log-level", options->log_level, "Least severity that is reported")
      .one_of({"ERROR", "WARNING", "INFO", "DEBUG"})
      .with_default();
  add_node_options(command, options->node);
  command.on_run([options] { return run(*options); });
}

}  // namespace affix::inline v0::tools::bench
