// SPDX-License-Identifier: MIT
// The conformance echo: sessions of every FIX version on one port, for external scripts; acceptors,
// or initiators. Prints its address once it listens; ends in order on SIGTERM or SIGINT.
#include "affix/engine/engine.hpp"
#include "affix/service/stop_signals.hpp"

#include "echo_application.hpp"
#include "echo_sessions.hpp"
#include "exchange/faults/faulty_reactor.hpp"
#include "program/options.hpp"
#include "tester_dictionaries.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace {

/// A transport that commits the faults of a file; null: the system's, without a file. Ends the
/// program if the file is wrong.
std::unique_ptr<affix::net::Reactor> make_transport(
    const affix::config::Configuration& configuration, const std::string& fault_file,
    affix::tools::exchange::FaultRules& faults) {
  if (fault_file.empty()) {
    return nullptr;
  }
  auto read = affix::tools::exchange::FaultRules::read(fault_file);
  auto sockets =
      affix::net::make_reactor("epoll", affix::engine::Engine::reactor_options(configuration));
  if (!read || !sockets) {
    std::fputs(read ? sockets.error().text().c_str() : read.error().c_str(), stderr);
    std::exit(2);
  }
  faults = std::move(*read);
  return affix::tools::exchange::make_faulty_reactor(std::move(*sockets), faults);
}

struct Arguments {
  affix::conformance_echo::Places places;
  int port = 0;
  int connect = 0;
  bool keeps_journals = false;
  std::string faults;
  bool verbose = false;
};

/// The folder, without journals of an earlier program unless they are to be kept. False: told.
bool make_folder(const Arguments& arguments) {
  std::error_code failed;
  if (!arguments.keeps_journals) {
    std::filesystem::remove_all(arguments.places.directory + "/journal", failed);
  }
  if (!failed) {
    std::filesystem::create_directories(arguments.places.tester_dictionaries, failed);
  }
  if (failed) {
    std::fprintf(stderr, "%s: %s\n", arguments.places.directory.c_str(), failed.message().c_str());
  }
  return !failed;
}

int run(const Arguments& arguments) {
  const affix::conformance_echo::Places& places = arguments.places;
  if (!make_folder(arguments)) {
    return 2;
  }
  if (const auto written = affix::conformance_echo::write_tester_dictionaries(
          places.dictionaries, places.tester_dictionaries);
      !written) {
    std::fprintf(stderr, "%s\n", written.error().text().c_str());
    return 2;
  }
  const auto configuration = affix::conformance_echo::make_configuration(places);
  auto application =
      affix::conformance_echo::EchoApplication::make(configuration, arguments.verbose);
  if (!application) {
    std::fprintf(stderr, "%s\n", application.error().text().c_str());
    return 2;
  }
  affix::tools::exchange::FaultRules faults;
  auto engine = affix::engine::Engine::open(
      configuration, **application, make_transport(configuration, arguments.faults, faults));
  if (!engine) {
    std::fputs(affix::config::text_of(engine.error()).c_str(), stderr);
    return 2;
  }
  // A process that reads the line may stop this one.
  const affix::service::StopSignals signals(**engine, affix::service::Hangup::Stop);
  for (const auto& address : (*engine)->listening_addresses()) {
    std::printf("listening on %s\n", address.text().c_str());
  }
  std::fflush(stdout);
  (*engine)->run();
  return 0;
}

void add_options(affix::tools::Command program, Arguments& arguments) {
  affix::conformance_echo::Places& places = arguments.places;
  constexpr int ports = 65'535;
  constexpr int workers_max = 256;
  const affix::tools::Option port =
      program.add_option("--port", arguments.port, "Port of 127.0.0.1; 0: any, see the first line")
          .between(0, ports);
  program
      .add_option("--connect", arguments.connect,
                  "Connects to this port of 127.0.0.1 instead, with every session")
      .between(1, ports)
      .excludes(port);
  program
      .add_option("--directory", places.directory,
                  "Folder of the journals; those of an earlier run are removed")
      .required();
  program.add_flag("--keep-journals", arguments.keeps_journals, "Goes on with those journals");
  program.add_flag("--plain-resets", places.plain_resets,
                   "The further sessions reset their numbers at each Logon");
  program.add_option("--only", places.only, "Only the session of this name, such as fix44");
  program.add_option("--dictionaries", places.dictionaries, "Folder of the dictionaries")
      .with_default();
  constexpr int plain_max = 64;
  program
      .add_option("--plain-sessions", places.plain,
                  "Further sessions of each version, with affix's own defaults: TW44_1 and so on")
      .between(0, plain_max)
      .with_default();
  program.add_option("--workers", places.workers, "Number of workers for the sessions")
      .between(1, workers_max)
      .with_default();
  program.add_option("--tls-certificate", places.tls_certificate, "Speaks TLS with it: PEM")
      .needs(program.add_option("--tls-key", places.tls_key, "The certificate's private key: PEM"));
  program.add_option("--faults", arguments.faults,
                     "File of faults that it commits, as of affix-lab exchange; only those of "
                     "bytes");
  program.add_flag("--verbose", arguments.verbose, "Writes session events to standard error");
  program.on_run([&arguments] {
    arguments.places.port = static_cast<std::uint16_t>(arguments.port);
    arguments.places.connect = static_cast<std::uint16_t>(arguments.connect);
    arguments.places.tester_dictionaries = arguments.places.directory + "/dictionaries";
    return run(arguments);
  });
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  arguments.places.dictionaries = AFFIX_DICTIONARIES;
  return affix::tools::run_command_line(
      {.name = "conformance_echo",
       .description = "A FIX engine that sends messages back, for session scenarios"},
      [&arguments](affix::tools::Command program) { add_options(program, arguments); }, argc, argv);
}
