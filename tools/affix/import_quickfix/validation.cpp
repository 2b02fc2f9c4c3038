// SPDX-License-Identifier: MIT
// Converts dictionaries, and the faults that are rejected.
#include "affix/base/text.hpp"

#include "import_quickfix/subjects.hpp"

#include <array>
#include <string_view>

namespace affix::inline v0::tools::import_quickfix {

namespace {

/// Rules and their actions, in the form of `validation_rules`.
class Rules {
 public:
  void set(std::string_view rule, std::string_view action) {
    text_ += text_.empty() ? "" : ",";
    text_.append(rule).append(":").append(action);
  }

  [[nodiscard]] const std::string& text() const noexcept { return text_; }

 private:
  std::string text_;
};

/// The standard file in the directory, as QuickFIX/J has one for each version.
std::string standard_file(const TranslationOptions& options, std::string_view version) {
  std::string name;
  for (const char letter : version) {
    name += letter == '.' ? "" : std::string(1, letter);
  }
  return options.dictionaries + "/" + name + ".xml";
}

/// Version of a numeric DefaultApplVerID.
std::string_view version_of(std::string_view value) noexcept {
  constexpr std::array<std::string_view, 10> versions{
      "",        "",        "FIX.4.0", "FIX.4.1",    "FIX.4.2",
      "FIX.4.3", "FIX.4.4", "FIX.5.0", "FIX.5.0SP1", "FIX.5.0SP2"};
  return value.size() == 1 && value[0] >= '2' && value[0] <= '9'
             ? versions[static_cast<std::size_t>(value[0] - '0')]
             : value;
}

void no_dictionary(const SessionSource& source, std::string_view name) {
  source.ledger().warn(source.line(),
                       std::string(name) +
                           " is missing: QuickFIX/J takes one of its own; give the folder of such "
                           "files by --dictionaries, or messages are not judged by one",
                       "Q107");
}

/// Further files, `AppDataDictionary.FIX.4.4`.
std::string further_files(const SessionSource& source) {
  constexpr std::string_view prefix = "appdatadictionary.";
  std::string files;
  for (const Setting* const setting : source.all()) {
    if (!base::lowered(setting->name).starts_with(prefix) ||
        source.find(setting->name) == nullptr) {
      continue;
    }
    if (setting->value.find(',') != std::string::npos) {
      source.ledger().problem(*setting, "a file in a list cannot have a comma in its name", "Q104");
    }
    files += files.empty() ? "" : ",";
    files += setting->value;
  }
  return files;
}

void add_fixt_dictionaries(const SessionSource& source, const TranslationOptions& options,
                           OutputGroup& group) {
  const Setting* const transport = source.find("TransportDataDictionary");
  const Setting* const application = source.find("AppDataDictionary");
  const Setting* const version = source.find("DefaultApplVerID");
  const std::string further = further_files(source);
  if ((transport == nullptr || application == nullptr) && options.dictionaries.empty()) {
    no_dictionary(source, transport == nullptr ? "TransportDataDictionary" : "AppDataDictionary");
    return;
  }
  group.set("transport_dictionary",
            transport != nullptr ? transport->value : standard_file(options, "FIXT.1.1"));
  group.set("dictionary", application != nullptr
                              ? application->value
                              : standard_file(options, version_of(version->value)));
  if (!further.empty()) {
    group.set("further_dictionaries", further);
  }
}

void add_dictionaries(const SessionSource& source, const TranslationOptions& options,
                      OutputGroup& group) {
  if (source.flag("UseDataDictionary") == false) {
    // Many files set them anyway, for other sessions.
    for (const std::string_view name :
         {"DataDictionary", "TransportDataDictionary", "AppDataDictionary"}) {
      static_cast<void>(source.find(name));
    }
    static_cast<void>(further_files(source));
    return;
  }
  const std::string& version = source.find("BeginString")->value;
  if (version == "FIXT.1.1") {
    add_fixt_dictionaries(source, options, group);
  } else if (const Setting* const file = source.find("DataDictionary")) {
    group.set("dictionary", file->value);
  } else if (!options.dictionaries.empty()) {
    group.set("dictionary", standard_file(options, version));
  } else {
    no_dictionary(source, "DataDictionary");
  }
}

void add_rules(const SessionSource& source, OutputGroup& group) {
  Rules rules;
  if (source.flag("RejectInvalidMessage") == false) {
    for (const std::string_view rule :
         {"unknown_msg_type", "section_order", "required_missing", "unknown_tag",
          "user_defined_tag", "tag_not_allowed", "empty_value", "value_format", "value_not_listed",
          "repeated_tag", "group_count"}) {
      rules.set(rule, "WARN");
    }
    group.set("validation_rules", rules.text());
    for (const std::string_view weaker :
         {"ValidateFieldsOutOfOrder", "ValidateFieldsHaveValues", "ValidateUserDefinedFields",
          "AllowUnknownMsgFields", "AllowUnknownEnumValues", "ValidateUnorderedGroupFields"}) {
      static_cast<void>(source.find(weaker));  // All of them result in a warning.
    }
    return;
  }
  if (source.flag("ValidateFieldsOutOfOrder") == false) {
    rules.set("section_order", "OFF");
  }
  if (source.flag("ValidateFieldsHaveValues") == false) {
    rules.set("empty_value", "OFF");
  }
  if (source.flag("ValidateUserDefinedFields") == false) {
    source.differs(*source.find("ValidateUserDefinedFields"));
    rules.set("user_defined_tag", "OFF");
  }
  if (source.is_set("AllowUnknownMsgFields")) {
    source.differs(*source.find("AllowUnknownMsgFields"));
    rules.set("unknown_tag", "OFF");
    rules.set("tag_not_allowed", "OFF");
  }
  if (source.is_set("AllowUnknownEnumValues")) {
    rules.set("value_not_listed", "OFF");
  }
  if (source.is_set("ValidateUnorderedGroupFields")) {
    rules.set("group_order", "REJECT");
  }
  if (!rules.text().empty()) {
    group.set("validation_rules", rules.text());
  }
}

}  // namespace

void add_validation(const SessionSource& source, const TranslationOptions& options,
                    OutputGroup& group) {
  add_dictionaries(source, options, group);
  add_rules(source, group);
  if (source.flag("ValidateIncomingMessage") == false) {
    source.differs(*source.find("ValidateIncomingMessage"));
    group.set("validations_enabled", false);
  }
  if (source.is_set("RejectGarbledMessage")) {
    source.differs(*source.find("RejectGarbledMessage"));
    group.set("malformed_fields", "REJECT");
  }
  const auto age = source.number("MaxLatency", 1, 2'147'483'647);
  if (source.flag("CheckLatency") == false) {
    group.set("max_allowed_message_age_seconds", "0");
  } else if (age) {
    group.set("max_allowed_message_age_seconds", std::to_string(*age));
  }
}

}  // namespace affix::inline v0::tools::import_quickfix
