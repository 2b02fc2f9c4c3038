// SPDX-License-Identifier: MIT
// Plays scenarios against an engine in another process, over TCP and in real time.
// docs/reference/certify.md describes scenarios and results.
#pragma once

#include "affix/certify/result.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace affix::inline v0::certify {

/// CompIDs of a counterparty: its own, and the engine's.
struct CompIds {
  std::string sender = "PEER";   ///< SenderCompID (49) of the counterparty's messages.
  std::string target = "AFFIX";  ///< TargetCompID (56) of them.
};

/// A session that scenarios are played on, one after the other.
struct SessionChoice {
  std::string version = "FIX.4.4";  ///< "FIX.4.4", "4.4"; "FIXT.1.1" is FIX.5.0SP2.
  CompIds ids{};                    ///< CompIDs of the first counterparty.
  std::vector<std::pair<std::string, std::string>> variables{};  ///< Of this session alone.
};

/// Selects the scenarios to play, and the engine to play them against.
struct RunOptions {
  std::vector<std::string> paths{};  ///< Files, and directories of *.scenario.
  std::string address{};             ///< HOST:PORT of an acceptor; or ...
  std::string listen{};              ///< ... HOST:PORT where an initiator connects.
  /// Sessions of the same version share the scenarios and are played at the same time.
  std::vector<SessionChoice> sessions{};
  std::map<std::string, CompIds> peers{};  ///< Further counterparties, where not the scenario's.
  std::vector<std::pair<std::string, std::string>> variables{};  ///< Replace a scenario's defaults.
  std::vector<std::string> ids{};      ///< Only these scenarios; empty: all.
  std::vector<std::string> skipped{};  ///< Not these.
  /// The engine keeps its numbers: the first Logon of a scenario asks it to reset them (141=Y).
  /// Otherwise it must reset them at each Logon by itself, and scenarios about kept numbers are
  /// skipped.
  bool keeps_numbers = false;
  /// Shell command that kills the engine and starts it again with its files. It ends when the
  /// engine can be connected to, within connect_ns. Empty: scenarios in which the engine is killed
  /// are skipped.
  std::string restart_command{};
  /// The same, but the engine's files are removed in between.
  std::string restart_without_memory_command{};
  std::int64_t patience_ns = 3'000'000'000;       ///< Time for a message that is expected.
  std::int64_t connect_ns = 10'000'000'000;       ///< Time for a connection.
  std::int64_t longest_wait_ns = 60'000'000'000;  ///< Scenarios with longer waits are skipped.
  std::size_t fragment_bytes = 0;                 ///< Sends pieces of this size; 0: whole messages.
  std::string dictionaries{};                     ///< Directory of FIX44.xml and so on.
};

/// Receives each result as soon as it is there; from several threads, one at a time.
class RunProgress {
 public:
  RunProgress(const RunProgress&) = delete;
  RunProgress& operator=(const RunProgress&) = delete;
  virtual ~RunProgress() = default;

  /// The address that an initiator is to connect to; before the first scenario.
  virtual void on_listening(const std::string& address) = 0;

  /// A scenario has ended.
  virtual void on_result(const Result& result) = 0;

 protected:
  RunProgress() = default;
};

/// Plays all scenarios; blocks. Results are in the order of sessions' versions, files and
/// scenarios. The error is a text of lines: a file that cannot be read, a wrong scenario, address
/// or version. Without a result or with skipped ones only, nothing could be played.
[[nodiscard]] std::expected<std::vector<Result>, std::string> run(const RunOptions& options,
                                                                  RunProgress* progress = nullptr);

/// A scenario of a file.
struct ScenarioName {
  std::string id{};     ///< Unique in its file and version.
  std::string title{};  ///< What it shows; of a wrong file, what is wrong.
  std::string file{};   ///< Path.
  int line = 0;         ///< Where it begins, from 1.
};

/// All scenarios of files and directories, in the order in which run() plays them. The error is
/// that of run().
[[nodiscard]] std::expected<std::vector<ScenarioName>, std::string> list(
    const std::vector<std::string>& paths);

/// How many results are of each outcome.
struct Totals {
  std::size_t passed = 0;   ///< Number of results with Outcome::Passed.
  std::size_t failed = 0;   ///< With Outcome::Failed.
  std::size_t skipped = 0;  ///< With Outcome::Skipped.
};

/// Counts the results by their outcome.
[[nodiscard]] Totals totals_of(const std::vector<Result>& results);

/// File, line, what was expected and what came, with field names, and all messages.
[[nodiscard]] std::string failure_text(const Result& result);

/// Results as JUnit XML: a test suite for each file, a test case for each scenario and version.
[[nodiscard]] std::string junit_text(const std::vector<Result>& results);

/// Results as one HTML page with every message of each step. It loads nothing from elsewhere.
[[nodiscard]] std::string html_page(const std::vector<Result>& results);

}  // namespace affix::inline v0::certify
