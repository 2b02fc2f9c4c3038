// SPDX-License-Identifier: MIT
// Answers as JSON, one line each.
#include "affix/admin/answer.hpp"

#include <nlohmann/json.hpp>

namespace affix::inline v0::admin {

namespace {

using Json = nlohmann::ordered_json;

/// Room for everything around the rows except the text.
constexpr std::size_t frame_bytes = 256;

/// Replaces invalid UTF-8: bytes of a message must not end the answer.
std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json json_of_row(const std::vector<std::string>& columns, const std::vector<Value>& row) {
  Json object = Json::object();
  for (std::size_t at = 0; at < columns.size() && at < row.size(); ++at) {
    std::visit([&](const auto& value) { object[columns[at]] = value; }, row[at]);
  }
  return object;
}

std::string begun(std::string_view id) {
  return id.empty() ? std::string("{") : "{\"id\":" + std::string(id) + ",";
}

}  // namespace

std::string json_of(const Answer& answer, std::string_view id, std::size_t bytes_max) {
  std::string line = begun(id);
  line += std::string("\"status\":\"") + to_text(answer.status()) + "\"";
  if (const base::MessageCode code = answer.code()) {
    line += ",\"code\":\"" + std::string(code.text()) + "\"";
  }
  line += ",\"text\":" + dumped(Json(answer.text()));
  if (!answer.columns().empty()) {
    line += ",\"columns\":" + dumped(Json(answer.columns())) + ",\"rows\":[";
    bool cut = false;
    bool first = true;
    for (const std::vector<Value>& row : answer.rows()) {
      const std::string object = dumped(json_of_row(answer.columns(), row));
      if (line.size() + object.size() + frame_bytes > bytes_max) {
        cut = true;
        break;
      }
      line += (first ? "" : ",") + object;
      first = false;
    }
    line += std::string("],\"cut\":") + (cut ? "true" : "false");
  }
  return line + "}\n";
}

std::string json_of_rows(const Answer& answer, std::string_view id) {
  std::string text;
  for (const std::vector<Value>& row : answer.rows()) {
    text += begun(id) + "\"row\":" + dumped(json_of_row(answer.columns(), row)) + "}\n";
  }
  return text;
}

}  // namespace affix::inline v0::admin
