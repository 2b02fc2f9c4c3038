// SPDX-License-Identifier: MIT
// Loads, compiles and selects dictionaries.
#include "host/session_dictionary.hpp"

#include "affix/dictionary/data_fields.hpp"
#include "affix/dictionary/load.hpp"
#include "affix/dictionary/walk.hpp"
#include "affix/session/admin.hpp"

#include "config/list_text.hpp"
#include "config/session_options.hpp"
#include "config/validation_rules.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

namespace affix::inline v0::host {

namespace {

constexpr std::uint32_t appl_ver_id_tag = 1128;

/// Position of MsgType in every framed message.
constexpr std::uint32_t type_position = 2;

/// A problem of a session group as a whole.
config::Finding of_session(const config::SessionSettings& settings, std::string message,
                           base::MessageCode code,
                           base::ErrorCode error = base::ErrorCode::InvalidArgument) {
  return {.kind = config::GroupKind::Session,
          .group = settings.name,
          .message = std::move(message),
          .code = code,
          .error = error};
}

/// A problem in a file, whichever session names it.
config::Finding in_file(std::string where, std::string message, base::MessageCode code,
                        base::ErrorCode error = base::ErrorCode::InvalidArgument) {
  return {.message = std::move(message), .where = std::move(where), .code = code, .error = error};
}

bool is_fixt(const config::SessionSettings& settings) noexcept {
  return config::version_of(settings) == session::Version::Fixt11;
}

/// The paths in a comma-separated list.
std::vector<std::string> paths_in(std::string_view list) {
  std::vector<std::string> paths;
  while (!list.empty()) {
    if (const std::string_view path = config::take_piece(list); !path.empty()) {
      paths.emplace_back(path);
    }
  }
  return paths;
}

bool is_session_message(const dictionary::Message& message) noexcept {
  return session::is_admin(wire::MsgType(message.type));
}

/// Reason why a dictionary does not fit its key; empty when it does. Venues publish one file with
/// transport and application in it, and files with the version of their own specification.
std::string misfit(const config::SessionSettings& settings,
                   const dictionary::Dictionary& dictionary, bool transport) {
  const dictionary::Version& version = dictionary.version();
  const bool fixt = is_fixt(settings);
  const bool is_both = fixt && version.is_transport &&
                       !std::ranges::all_of(dictionary.messages(), is_session_message);
  if (!version.is_known() || is_both) {
    return {};
  }
  if (version.is_transport != transport) {
    return transport ? "is " + version.name() + ", not a transport dictionary"
                     : "is a transport dictionary, which key 'transport_dictionary' is for";
  }
  if (!fixt && version.begin_string() != settings.begin_string) {
    return "is " + version.name() + ", but begin_string is " + settings.begin_string;
  }
  return {};
}

/// The ApplVerID (1128) of a dictionary's messages: that of its version, or the session's default
/// when it has none of its own.
std::string appl_ver_id_of(const config::SessionSettings& settings,
                           const dictionary::Dictionary& dictionary) {
  if (!is_fixt(settings)) {
    return {};
  }
  const std::string_view own = dictionary.version().appl_ver_id();
  return own.empty() ? settings.default_app_ver_id : std::string(own);
}

/// Types of session messages that a dictionary lacks.
std::string missing_session_types(const dictionary::Dictionary& dictionary) {
  std::string missing;
  for (const char type : std::string_view("012345A")) {
    if (dictionary.find_message_by_type({&type, 1}) == nullptr) {
      missing += type;
    }
  }
  return missing;
}

session::Validation to_session(const dictionary::Violation& violation) noexcept {
  return {violation.action == dictionary::RuleAction::Reject ? session::Verdict::Reject
                                                             : session::Verdict::Warn,
          violation.reason,
          violation.tag,
          violation.has_tag,
          {}};
}

}  // namespace

SessionDictionary::SessionDictionary(SharedValidator session_messages,
                                     std::vector<Application> applications,
                                     std::vector<SharedNames> names,
                                     std::shared_ptr<const wire::DataFields> data_fields,
                                     std::shared_ptr<dictionary::Shapes> shapes,
                                     dictionary::Rules rules, dictionary::FaultOrder order,
                                     std::string unjudged)
    : session_messages_(std::move(session_messages)),
      applications_(std::move(applications)),
      names_(std::move(names)),
      data_fields_(std::move(data_fields)),
      rules_(rules),
      order_(order),
      unjudged_(std::move(unjudged)),
      shapes_(std::move(shapes)) {}

SessionDictionary SessionDictionary::with_rules(dictionary::Rules rules,
                                                dictionary::FaultOrder order) const {
  return {session_messages_, applications_, names_, data_fields_, shapes_, rules, order, unjudged_};
}

session::Validator SessionDictionary::validator() const noexcept {
  return session_messages_ == nullptr ? session::Validator() : session::Validator{judge, this};
}

const wire::DataFields& SessionDictionary::data_fields() const noexcept {
  return data_fields_ == nullptr ? wire::DataFields::standard() : *data_fields_;
}

const dictionary::Validator* SessionDictionary::application_for(
    const wire::MessageView& message) const noexcept {
  if (applications_.front().appl_ver_id.empty()) {
    return applications_.front().validator.get();  // FIX.4.x has one version and no 1128.
  }
  const std::string_view wanted = message.value_or_null(appl_ver_id_tag);
  if (wanted.empty()) {
    return applications_[default_application_].validator.get();
  }
  const auto found = std::ranges::find(applications_, wanted, &Application::appl_ver_id);
  return found != applications_.end() ? found->validator.get() : nullptr;
}

dictionary::RuleAction SessionDictionary::choose_default(std::string_view appl_ver_id) noexcept {
  default_application_ = 0;
  if (applications_.empty() || applications_.front().appl_ver_id.empty()) {
    return dictionary::RuleAction::Off;
  }
  const auto found = std::ranges::find(applications_, appl_ver_id, &Application::appl_ver_id);
  if (found == applications_.end()) {
    return rules_.action(dictionary::Rule::ValueNotListed);
  }
  default_application_ = static_cast<std::size_t>(found - applications_.begin());
  return dictionary::RuleAction::Off;
}

std::string_view SessionDictionary::field_name(std::uint32_t tag) const noexcept {
  for (const SharedNames& names : names_) {
    if (const std::string_view name = names->field(tag); !name.empty()) {
      return name;
    }
  }
  return {};
}

std::string_view SessionDictionary::message_name(std::string_view type) const noexcept {
  for (const SharedNames& names : names_) {
    if (const std::string_view name = names->message(type); !name.empty()) {
      return name;
    }
  }
  return {};
}

session::Validation SessionDictionary::judge(const void* context,
                                             const wire::MessageView& message) noexcept {
  const auto& self = *static_cast<const SessionDictionary*>(context);
  const dictionary::Validator* validator = self.session_messages_.get();
  if (!session::is_admin(message.type())) {
    validator = self.application_for(message);
  } else if (!self.unjudged_.empty() &&
             self.unjudged_.find(message.value_at(type_position)) != std::string::npos) {
    return {};
  }
  if (validator == nullptr) [[unlikely]] {
    constexpr dictionary::Rule rule = dictionary::Rule::ValueNotListed;
    const dictionary::RuleAction action = self.rules_.action(rule);
    if (action != dictionary::RuleAction::Off) {
      return to_session({rule, action, dictionary::reject_reason(rule), appl_ver_id_tag, true, 0});
    }
    validator = self.applications_[self.default_application_].validator.get();
  }
  if (validator->clean(message, self.rules_, self.order_, *self.shapes_)) [[likely]] {
    return {};
  }
  const std::optional<dictionary::Violation> violation =
      validator->first_violation(message, self.rules_, self.order_);
  return violation ? to_session(*violation) : session::Validation();
}

DictionaryStore::Shared DictionaryStore::load(const config::SessionSettings& settings,
                                              const std::string& path,
                                              std::vector<config::Finding>& problems) {
  if (const auto known = files_.find(path); known != files_.end()) {
    if (known->second == nullptr) {
      problems.push_back(
          of_session(settings, "dictionary " + path + " has the problems reported above", "D122"));
    }
    return known->second;
  }
  dictionary::Loaded loaded = dictionary::load(path);
  std::size_t warnings = 0;
  for (const dictionary::Problem& problem : loaded.problems) {
    if (problem.severity == dictionary::Severity::Error) {
      const std::string line = problem.line == 0 ? "" : ":" + std::to_string(problem.line);
      problems.push_back(in_file(
          path + line, problem.name.empty() ? problem.text : problem.name + ": " + problem.text,
          problem.code));
    } else if (++warnings <= warnings_max) {
      dictionary::Problem plain = problem;
      plain.code = {};
      warnings_.push_back({base::ErrorCode::InvalidArgument,
                           "dictionary " + to_text(plain, path),
                           {},
                           problem.code});
    }
  }
  if (warnings > warnings_max) {
    warnings_.push_back({base::ErrorCode::InvalidArgument,
                         "dictionary " + path + ": and " + std::to_string(warnings - warnings_max) +
                             " more warnings; 'affix dictionary check' prints them all",
                         {},
                         "D122"});
  }
  Shared dictionary =
      loaded ? std::make_shared<const dictionary::Dictionary>(std::move(*loaded.dictionary))
             : nullptr;
  return files_.emplace(path, std::move(dictionary)).first->second;
}

void DictionaryStore::warn_of_session_parts(const std::string& path, const std::string& unjudged) {
  if (!session_parts_seen_.insert(path).second) {
    return;
  }
  if (!unjudged.empty()) {
    std::string types;
    for (const char type : unjudged) {
      types += types.empty() ? "" : ", ";
      types += type;
    }
    warnings_.push_back({base::ErrorCode::InvalidArgument,
                         "dictionary " + path + ": has no session messages of type " + types +
                             "; they are not judged",
                         {},
                         "D124"});
  }
  const dictionary::Dictionary& dictionary = *files_.at(path);
  for (const auto& [tag, name] :
       {std::pair(43U, "PossDupFlag"), std::pair(122U, "OrigSendingTime")}) {
    const bool found = std::ranges::any_of(
        dictionary::flatten(dictionary, dictionary.header()),
        [&, wanted = tag](const auto& flat) { return dictionary.tag(flat.member) == wanted; });
    if (!found) {
      warnings_.push_back({base::ErrorCode::InvalidArgument,
                           "dictionary " + path + ": its header has no " + name + " (" +
                               std::to_string(tag) +
                               "), so that messages sent again break its rules",
                           {},
                           "D124"});
    }
  }
}

const SessionDictionary::SharedNames& DictionaryStore::names_of(const std::string& path) {
  SessionDictionary::SharedNames& names = names_[path];
  if (names == nullptr) {
    names = std::make_shared<const dictionary::Names>(*files_.at(path));
  }
  return names;
}

SessionDictionary::SharedValidator DictionaryStore::compile(
    const config::SessionSettings& settings, const std::string& transport,
    const std::string& application, std::vector<config::Finding>& problems) {
  const std::pair key(transport, application);
  if (const auto known = validators_.find(key); known != validators_.end()) {
    return known->second;
  }
  const Shared frame = load(settings, transport, problems);
  const Shared body = transport == application ? frame : load(settings, application, problems);
  if (frame == nullptr || body == nullptr) {
    return nullptr;
  }
  auto compiled = dictionary::Validator::compile(*frame, *body);
  if (!compiled) {
    problems.push_back(in_file(application, std::move(compiled.error().message),
                               compiled.error().message_code, compiled.error().code));
    return nullptr;
  }
  auto shared = std::make_shared<const dictionary::Validator>(std::move(*compiled));
  validators_.emplace(key, shared);
  return shared;
}

dictionary::FaultOrder fault_order_of(const config::SessionSettings& settings) noexcept {
  return settings.validation_order == config::ValidationOrder::Quickfix
             ? dictionary::FaultOrder::Quickfix
             : dictionary::FaultOrder::Message;
}

std::expected<SessionDictionary, std::vector<config::Finding>> DictionaryStore::open(
    const config::SessionSettings& settings, std::size_t worker) {
  std::vector<config::Finding> problems;
  const auto rules = config::validation_rules_of(settings);
  if (!rules) {
    problems.push_back(of_session(settings, "validation_rules: " + rules.error().message,
                                  rules.error().message_code));
    return std::unexpected(std::move(problems));
  }
  if (settings.dictionary.empty() || !settings.validations_enabled) {
    return SessionDictionary();
  }
  const bool fixt = is_fixt(settings);
  const std::string& frame = fixt ? settings.transport_dictionary : settings.dictionary;
  std::vector<std::string> paths{settings.dictionary};
  if (fixt) {
    const std::vector<std::string> further = paths_in(settings.further_dictionaries);
    paths.insert(paths.end(), further.begin(), further.end());
  }
  wire::DataFields data_fields;
  const auto take = [&](const std::string& path, bool transport) -> Shared {
    Shared dictionary = load(settings, path, problems);
    if (dictionary == nullptr) {
      return nullptr;
    }
    const std::string fault = misfit(settings, *dictionary, transport);
    if (!fault.empty()) {
      problems.push_back(of_session(settings, "dictionary " + path + " " + fault, "D123"));
      return nullptr;
    }
    if (!dictionary::add_data_fields(*dictionary, data_fields)) {
      problems.push_back(of_session(settings,
                                    "the dictionaries have more than " +
                                        std::to_string(wire::DataFields::pairs_max) +
                                        " pairs of length and data field",
                                    "D125", base::ErrorCode::Limit));
    }
    return dictionary;
  };
  SessionDictionary::SharedValidator session_messages;
  if (fixt && take(frame, true) != nullptr) {
    session_messages = compile(settings, frame, frame, problems);
  }
  std::vector<SessionDictionary::Application> applications;
  for (const std::string& path : paths) {
    const Shared dictionary = take(path, false);
    if (dictionary == nullptr || (fixt && session_messages == nullptr)) {
      continue;
    }
    const std::string appl_ver_id = appl_ver_id_of(settings, *dictionary);
    const bool twice = std::ranges::any_of(
        applications, [&](const auto& known) { return known.appl_ver_id == appl_ver_id; });
    if (twice) {
      problems.push_back(of_session(settings,
                                    "dictionary " + path + " is of the same version as another, " +
                                        dictionary->version().name(),
                                    "D123"));
      continue;
    }
    if (auto validator = compile(settings, frame, path, problems)) {
      applications.push_back({appl_ver_id, std::move(validator)});
    }
  }
  if (!fixt && !applications.empty()) {
    session_messages = applications.front().validator;
  }
  if (fixt && problems.empty() && applications.front().appl_ver_id != settings.default_app_ver_id) {
    problems.push_back(of_session(settings,
                                  "default_app_ver_id is " + settings.default_app_ver_id +
                                      ", but dictionary " + settings.dictionary + " is version " +
                                      applications.front().appl_ver_id,
                                  "D123"));
  }
  if (!problems.empty()) {
    return std::unexpected(std::move(problems));
  }
  std::string unjudged = missing_session_types(*files_.at(frame));
  warn_of_session_parts(frame, unjudged);
  std::vector<SessionDictionary::SharedNames> names;
  if (fixt) {
    names.push_back(names_of(frame));
  }
  std::ranges::transform(paths, std::back_inserter(names),
                         [this](const std::string& path) { return names_of(path); });
  paths.insert(paths.begin(), frame);
  auto& shared_fields = data_fields_[paths];
  if (shared_fields == nullptr) {
    shared_fields = std::make_shared<const wire::DataFields>(data_fields);
  }
  auto& shapes = shapes_[{worker, paths}];
  if (shapes == nullptr) {
    shapes = std::make_shared<dictionary::Shapes>();
  }
  return SessionDictionary(std::move(session_messages), std::move(applications), std::move(names),
                           shared_fields, shapes, *rules, fault_order_of(settings),
                           std::move(unjudged));
}

}  // namespace affix::inline v0::host
