// SPDX-License-Identifier: MIT
// Shows where a session spends its microseconds, from the engine's counters file.
#include "affix/counters/counter_reader.hpp"
#include "affix/counters/counters.hpp"

#include "admin/handlers.hpp"

#include <algorithm>

namespace affix::inline v0::admin {

namespace {

std::int64_t whole(std::uint64_t number) noexcept {
  return static_cast<std::int64_t>(number);
}

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

}  // namespace

Outcome latency(Desk& desk, const Words& words) {
  const std::string& path = desk.engine().counters_path();
  if (path.empty()) {
    return Answer::refused("the engine counts where nobody else can read", "A119");
  }
  return desk.ask_disk([path, session = words[0]] { return latencies_of(path, session); });
}

}  // namespace affix::inline v0::admin
