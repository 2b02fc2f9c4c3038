// SPDX-License-Identifier: MIT
// A replay's report as JSON.
#include "replay/report.hpp"

#include <nlohmann/json.hpp>

namespace affix::inline v0::tools::replay {

namespace {

using Json = nlohmann::ordered_json;

Json answer(const RecordedMessage& message) {
  return {{"summary", summary_of(message)}, {"number", message.number}};
}

template <typename Answers>
Json answers(const Answers& all) {
  Json json = Json::array();
  for (const RecordedMessage& message : all) {
    json.push_back(answer(message));
  }
  return json;
}

}  // namespace

std::string report_json(const Comparison& comparison, std::size_t sent_count) {
  Json differences = Json::array();
  for (const AnswerDifference& difference : comparison.differences()) {
    Json fields = Json::array();
    for (const FieldDifference& field : difference.fields) {
      fields.push_back({{"tag", field.tag}, {"before", field.before}, {"after", field.after}});
    }
    differences.push_back({{"before", answer(difference.before)},
                           {"after", answer(difference.after)},
                           {"fields", std::move(fields)}});
  }
  const Json json{{"sent", sent_count},
                  {"same", comparison.same_count()},
                  {"different", std::move(differences)},
                  {"missing", answers(comparison.missing())},
                  {"new", answers(comparison.extra())}};
  // Values are a peer's bytes, and need not be UTF-8.
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace affix::inline v0::tools::replay
