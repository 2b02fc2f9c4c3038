// SPDX-License-Identifier: MIT
// The conformance echo: acceptor sessions of every FIX version on one port, for external scripts.
// Prints its address once it listens; ends in order on SIGTERM or SIGINT.
#include "affix/engine/engine.hpp"
#include "affix/service/stop_signals.hpp"

#include "echo_application.hpp"
#include "echo_sessions.hpp"
#include "tester_dictionaries.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

namespace {

int run(affix::conformance_echo::Places places, bool verbose) {
  places.tester_dictionaries = places.directory + "/dictionaries";
  // Begins without journals of an earlier program.
  std::error_code failed;
  std::filesystem::remove_all(places.directory + "/journal", failed);
  if (!failed) {
    std::filesystem::create_directories(places.tester_dictionaries, failed);
  }
  if (failed) {
    std::fprintf(stderr, "%s: %s\n", places.directory.c_str(), failed.message().c_str());
    return 2;
  }
  if (const auto written = affix::conformance_echo::write_tester_dictionaries(
          places.dictionaries, places.tester_dictionaries);
      !written) {
    std::fprintf(stderr, "%s\n", written.error().text().c_str());
    return 2;
  }
  const auto configuration = affix::conformance_echo::make_configuration(places);
  auto application = affix::conformance_echo::EchoApplication::make(configuration, verbose);
  if (!application) {
    std::fprintf(stderr, "%s\n", application.error().text().c_str());
    return 2;
  }
  auto engine = affix::engine::Engine::open(configuration, **application);
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

}  // namespace

int main(int argc, char** argv) {
  CLI::App program("A FIX acceptor that sends messages back, for conformance scripts",
                   "conformance_echo");
  affix::conformance_echo::Places places;
  places.dictionaries = AFFIX_DICTIONARIES;
  bool verbose = false;
  program.add_option("--port", places.port, "Port of 127.0.0.1; 0: any, see the first line")
      ->required();
  program
      .add_option("--directory", places.directory,
                  "Where the journals go; what an earlier run "
                  "left there is removed")
      ->required();
  program.add_option("--dictionaries", places.dictionaries, "Folder of the dictionaries")
      ->capture_default_str();
  program.add_option("--workers", places.workers, "Threads that the sessions are spread over")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  CLI::Option* const certificate =
      program.add_option("--tls-certificate", places.tls_certificate, "Speak TLS with it: PEM");
  certificate->needs(
      program.add_option("--tls-key", places.tls_key, "The certificate's private key: PEM"));
  program.add_flag("--verbose", verbose, "Session events to standard error");
  CLI11_PARSE(program, argc, argv);
  return run(std::move(places), verbose);
}
