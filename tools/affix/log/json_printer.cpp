// SPDX-License-Identifier: MIT
// Writes objects field by field.
#include "log/json_printer.hpp"

#include "affix/base/text.hpp"

#include "log/record_text.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace affix::inline v0::tools::log {

namespace {

using Json = nlohmann::ordered_json;

void put_bytes(Json& object, const char* key, std::string_view bytes) {
  if (base::is_utf8(bytes)) {
    object[key] = bytes;
    return;
  }
  constexpr std::string_view digits = "0123456789abcdef";
  std::string hex;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    hex += digits[byte >> 4];
    hex += digits[byte & 15];
  }
  object["hex"] = hex;
}

const char* kind_text(EntryKind kind) noexcept {
  switch (kind) {
    case EntryKind::Message:
      return "message";
    case EntryKind::Held:
      return "held";
    case EntryKind::Resent:
      return "resent";
    case EntryKind::Event:
      return "event";
  }
  return "";
}

class JsonPrinter final : public Printer {
 public:
  explicit JsonPrinter(bool timestamps) : timestamps_(timestamps) {}

  [[nodiscard]] std::string text_of(const Shown& shown) const override {
    const Entry& entry = shown.entry;
    Json object;
    if (timestamps_ && entry.utc_ns != 0) {
      object["time"] = time_text(entry.utc_ns);
    }
    put_bytes(object, "session", entry.session);
    if (entry.direction != Direction::Unknown) {
      object["direction"] = entry.direction == Direction::In ? "in" : "out";
    }
    object["kind"] = kind_text(entry.kind);
    object["sequence"] = entry.sequence;
    if (entry.kind == EntryKind::Resent) {
      object["to"] = entry.number_after;
    }
    if (entry.queued) {
      object["queued"] = true;
    }
    if (entry.unprocessed) {
      object["unprocessed"] = true;
    }
    if (!shown.remark.empty()) {
      object["remark"] = shown.remark;
    }
    if (entry.is_message()) {
      put_message(object, shown);
    } else {
      if (!entry.event.empty()) {
        object["event"] = entry.event;
      }
      if (!entry.bytes.empty()) {
        put_bytes(object, "text", entry.bytes);
      }
    }
    return object.dump() + '\n';
  }

 private:
  static void put_message(Json& object, const Shown& shown) {
    put_bytes(object, "type", shown.message.find(35).value_or(""));
    if (!shown.names.type().empty()) {
      object["name"] = shown.names.type();
    }
    Json fields = Json::array();
    for (const wire::Field field : shown.message) {
      Json one;
      one["tag"] = field.tag;
      if (const std::string_view name = shown.names.field(field.tag); !name.empty()) {
        one["name"] = name;
      }
      put_bytes(one, "value", field.value);
      if (const std::string_view meaning = shown.names.value(field.tag, field.value);
          !meaning.empty()) {
        one["meaning"] = meaning;
      }
      fields.push_back(std::move(one));
    }
    object["fields"] = std::move(fields);
  }

  bool timestamps_;
};

}  // namespace

std::unique_ptr<Printer> make_json_printer(const PrintOptions& options) {
  return std::make_unique<JsonPrinter>(options.timestamps);
}

}  // namespace affix::inline v0::tools::log
