// SPDX-License-Identifier: MIT
// Dictionaries of the engine's sessions: reads and compiles each file once at start-up for all
// sessions that name it, and selects one for each message.
#pragma once

#include "affix/config/configuration.hpp"
#include "affix/dictionary/model.hpp"
#include "affix/dictionary/names.hpp"
#include "affix/dictionary/validator.hpp"
#include "affix/session/validator.hpp"
#include "affix/wire/index.hpp"

#include <expected>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace affix::inline v0::host {

/// Validates one session's messages. Sessions share the const dictionaries; sessions of one worker
/// with the same dictionaries also share the remembered shapes. Must not move while a
/// session::Validator points to it.
class SessionDictionary {
 public:
  using SharedValidator = std::shared_ptr<const dictionary::Validator>;
  using SharedNames = std::shared_ptr<const dictionary::Names>;

  /// One application version of a session.
  struct Application {
    std::string appl_ver_id;  ///< As in 1128; empty in FIX.4.x.
    SharedValidator validator;
  };

  /// Validates nothing.
  SessionDictionary() noexcept = default;

  /// The first of `applications` is the session's default; `names` are searched in order;
  /// `unjudged` holds the types of session messages that no dictionary has.
  SessionDictionary(SharedValidator session_messages, std::vector<Application> applications,
                    std::vector<SharedNames> names,
                    std::shared_ptr<const wire::DataFields> data_fields,
                    std::shared_ptr<dictionary::Shapes> shapes, dictionary::Rules rules,
                    dictionary::FaultOrder order = dictionary::FaultOrder::Message,
                    std::string unjudged = {});

  /// A copy for another session of the same worker, with the same dictionaries and other rules.
  [[nodiscard]] SessionDictionary with_rules(dictionary::Rules rules,
                                             dictionary::FaultOrder order) const;

  /// No other session shares its remembered shapes.
  [[nodiscard]] bool is_alone() const noexcept { return shapes_.use_count() <= 1; }

  /// Empty without dictionaries. Refers to this object.
  [[nodiscard]] session::Validator validator() const noexcept;

  /// Raw data fields of these dictionaries' messages, or those of FIX itself.
  [[nodiscard]] const wire::DataFields& data_fields() const noexcept;

  /// A session::ValidateFunction; `context` is a SessionDictionary. No allocation.
  [[nodiscard]] static session::Validation judge(const void* context,
                                                 const wire::MessageView& message) noexcept;

  /// Selects the dictionary for messages without 1128 by the peer's DefaultApplVerID (1137), until
  /// the next call; without one of that version, uses ours. Returns the rule for that case: Off
  /// when there is one, or there is nothing to choose.
  [[nodiscard]] dictionary::RuleAction choose_default(std::string_view appl_ver_id) noexcept;

  /// True if there are dictionaries to take names from.
  [[nodiscard]] bool has_names() const noexcept { return !names_.empty(); }

  /// "OrderQty" for 38, "NewOrderSingle" for "D"; empty when no dictionary of the session has it.
  /// Views are valid as long as the dictionaries.
  [[nodiscard]] std::string_view field_name(std::uint32_t tag) const noexcept;
  [[nodiscard]] std::string_view message_name(std::string_view type) const noexcept;

 private:
  /// Validator of an application message; null when its 1128 names a version without a dictionary.
  [[nodiscard]] const dictionary::Validator* application_for(
      const wire::MessageView& message) const noexcept;

  SharedValidator session_messages_;
  std::vector<Application> applications_;
  std::size_t default_application_ = 0;  ///< For messages without 1128.
  std::vector<SharedNames> names_;
  std::shared_ptr<const wire::DataFields> data_fields_;
  dictionary::Rules rules_ = dictionary::Rules::none();
  dictionary::FaultOrder order_ = dictionary::FaultOrder::Message;
  std::string unjudged_;  ///< A character for each type.
  /// Used by the worker's one thread; a pointer, since remembering shapes does not change a
  /// dictionary. All objects that share it hold the same validators, which therefore outlive it.
  std::shared_ptr<dictionary::Shapes> shapes_;
};

/// Selects the fault to report when there are several.
[[nodiscard]] dictionary::FaultOrder fault_order_of(
    const config::SessionSettings& settings) noexcept;

/// Reads and compiles dictionaries that sessions name. Used only while sessions are opened.
class DictionaryStore {
 public:
  /// Empty for a session without dictionaries. Returns every problem of every file at once, with
  /// file and line, for the first session that names the file; later sessions get one line.
  /// `worker` is the one whose thread will use it.
  [[nodiscard]] std::expected<SessionDictionary, std::vector<config::Finding>> open(
      const config::SessionSettings& settings, std::size_t worker = 0);

  /// Maximum number of warnings reported for one file; one line gives the number of others.
  static constexpr std::size_t warnings_max = 20;

  /// Faults tolerated in the files read so far, a sentence each with file and line. Once.
  [[nodiscard]] config::Problems take_warnings() noexcept { return std::exchange(warnings_, {}); }

 private:
  using Shared = std::shared_ptr<const dictionary::Dictionary>;

  /// Key of the objects shared by sessions with the same dictionaries: paths in search order.
  using Paths = std::vector<std::string>;

  [[nodiscard]] Shared load(const config::SessionSettings& settings, const std::string& path,
                            std::vector<config::Finding>& problems);
  [[nodiscard]] SessionDictionary::SharedValidator compile(const config::SessionSettings& settings,
                                                           const std::string& transport,
                                                           const std::string& application,
                                                           std::vector<config::Finding>& problems);

  /// Warns once for each file of the session messages and fields that it lacks.
  void warn_of_session_parts(const std::string& path, const std::string& unjudged);

  /// Names of a file that was read.
  [[nodiscard]] const SessionDictionary::SharedNames& names_of(const std::string& path);

  std::map<std::string, Shared> files_;  ///< Null: it could not be read.
  std::map<std::string, SessionDictionary::SharedNames> names_;
  std::set<std::string> session_parts_seen_;
  config::Problems warnings_;
  std::map<std::pair<std::string, std::string>, SessionDictionary::SharedValidator> validators_;
  std::map<Paths, std::shared_ptr<const wire::DataFields>> data_fields_;
  std::map<std::pair<std::size_t, Paths>, std::shared_ptr<dictionary::Shapes>>
      shapes_;  ///< Of a worker.
};

}  // namespace affix::inline v0::host
