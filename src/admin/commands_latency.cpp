// SPDX-License-Identifier: MIT
// Shows where a session spends its microseconds, from the engine's counters file.
#include "affix/counters/counter_reader.hpp"
#include "affix/counters/counters.hpp"

#include "admin/command_table.hpp"

#include <algorithm>

namespace affix::inline v0::admin {

namespace {

Answer latencies_of(const std::string& path, const std::string& session) {
  auto reader = counters::CounterReader::open(path);
  if (!reader) {
    return Answer::refused(reader.error().sentence(), reader.error().message_code);
  }
  const counters::EngineReading reading = reader->read();
  const auto found =
      std::find_if(reading.sessions.begin(), reading.sessions.end(),
                   [&session](const counters::SessionReading& one) { return one.name == session; });
  Answer answer = Answer::table(
      {"latency", "count", "mean_ns", "p50_ns", "p90_ns", "p99_ns", "p999_ns", "largest_ns"});
  if (found == reading.sessions.end() || found->latencies == nullptr) {
    answer.set_text("nothing was measured yet: it is one message in " +
                    std::to_string(counters::latency_sample));
    return answer;
  }
  const auto names = counters::session_latency_names();
  for (std::size_t at = 0; at < names.size(); ++at) {
    const base::LatencySnapshot& values = (*found->latencies)[at];
    answer.add({std::string(names[at].name), whole(values.count()), values.mean(),
                whole(values.percentile(0.5)), whole(values.percentile(0.9)),
                whole(values.percentile(0.99)), whole(values.percentile(0.999)),
                whole(values.largest())});
  }
  return answer;
}

Outcome latency(CommandContext& context, const Words& words) {
  const std::string& path = context.engine().counters_path();
  if (path.empty()) {
    return Answer::refused("the engine has no counters_file that others can read", "A119");
  }
  return context.ask_disk([path, session = words[0]] { return latencies_of(path, session); });
}

constexpr auto latency_rows = in_section(
    "Messages",
    std::array{
        CommandRow{
            {.name = "latency",
             .arguments = session_arguments,
             .summary = "Show a session's latencies since the engine started, with percentiles",
             .detail = "From the file that the engine counts in, which any program may read "
                       "(counters-format.md)."},
            &latency},
    });

}  // namespace

std::span<const CommandRow> latency_commands() noexcept {
  return latency_rows;
}

}  // namespace affix::inline v0::admin
