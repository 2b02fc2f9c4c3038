// SPDX-License-Identifier: MIT
// The dictionaries of the engine's sessions: files read and compiled once at start-up, however many
// sessions name them, and the choice of one for each message.
#pragma once

#include "affix/dictionary/model.hpp"
#include "affix/dictionary/names.hpp"
#include "affix/dictionary/validator.hpp"
#include "affix/engine/configuration.hpp"
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

namespace affix::inline v0::engine {

/// What judges one session's messages. The dictionaries are shared between sessions and const; what
/// is remembered of messages is shared by the sessions of one worker that have the same
/// dictionaries. Must stay in place while a session::Validator points to it.
class SessionDictionary {
 public:
  using SharedValidator = std::shared_ptr<const dictionary::Validator>;
  using SharedNames = std::shared_ptr<const dictionary::Names>;

  /// One application version of a session.
  struct Application {
    std::string appl_ver_id;  ///< As 1128 says; empty in FIX.4.x.
    SharedValidator validator;
  };

  /// Judges nothing.
  SessionDictionary() noexcept = default;

  /// `applications`' first is the session's default; `names` are asked in their order; `unjudged`
  /// holds the types of session messages that no dictionary has.
  SessionDictionary(SharedValidator session_messages, std::vector<Application> applications,
                    std::vector<SharedNames> names,
                    std::shared_ptr<const wire::DataFields> data_fields,
                    std::shared_ptr<dictionary::Shapes> shapes, dictionary::Rules rules,
                    dictionary::FaultOrder order = dictionary::FaultOrder::Message,
                    std::string unjudged = {});

  /// Another of the same worker that judges by the same dictionaries, with rules of its own.
  [[nodiscard]] SessionDictionary with_rules(dictionary::Rules rules,
                                             dictionary::FaultOrder order) const;

  /// No other shares what it remembers.
  [[nodiscard]] bool is_alone() const noexcept { return shapes_.use_count() <= 1; }

  /// Empty without dictionaries. Views this object.
  [[nodiscard]] session::Validator validator() const noexcept;

  /// The raw data of these dictionaries' messages, or FIX's own.
  [[nodiscard]] const wire::DataFields& data_fields() const noexcept;

  /// A session::ValidateFunction; `context` is a SessionDictionary. No allocation.
  [[nodiscard]] static session::Validation judge(const void* context,
                                                 const wire::MessageView& message) noexcept;

  /// The peer's DefaultApplVerID (1137) chooses what its messages without 1128 are judged by, until
  /// the next call; without a dictionary of that version they are judged by ours. What the
  /// session's rules say of that: Off when there is one, or nothing to choose.
  [[nodiscard]] dictionary::RuleAction choose_default(std::string_view appl_ver_id) noexcept;

  /// There are dictionaries to take names from.
  [[nodiscard]] bool has_names() const noexcept { return !names_.empty(); }

  /// "OrderQty" for 38, "NewOrderSingle" for "D"; empty when no dictionary of the session has it.
  /// Views live as long as the dictionaries.
  [[nodiscard]] std::string_view field_name(std::uint32_t tag) const noexcept;
  [[nodiscard]] std::string_view message_name(std::string_view type) const noexcept;

 private:
  /// Of an application message; null when its 1128 names a version that no dictionary is given for.
  [[nodiscard]] const dictionary::Validator* application_for(
      const wire::MessageView& message) const noexcept;

  SharedValidator session_messages_;
  std::vector<Application> applications_;
  std::size_t default_application_ = 0;  ///< Of messages without 1128.
  std::vector<SharedNames> names_;
  std::shared_ptr<const wire::DataFields> data_fields_;
  dictionary::Rules rules_ = dictionary::Rules::none();
  dictionary::FaultOrder order_ = dictionary::FaultOrder::Message;
  std::string unjudged_;  ///< A character for each type.
  /// Of the worker's one thread; behind a pointer, as remembering is no change of a dictionary. Who
  /// shares it holds the same validators, so that they outlive it.
  std::shared_ptr<dictionary::Shapes> shapes_;
};

/// Which fault of several is told.
[[nodiscard]] dictionary::FaultOrder fault_order_of(const SessionSettings& settings) noexcept;

/// Reads and compiles what sessions name. When they are opened only.
class DictionaryStore {
 public:
  /// Empty for a session without dictionaries. Every problem of every file at once, each with file
  /// and line; a file's problems are told to the first session that names it, and to later ones in
  /// one line. `worker` is whose thread will use it.
  [[nodiscard]] std::expected<SessionDictionary, Problems> open(const SessionSettings& settings,
                                                                std::size_t worker = 0);

  /// Most warnings of one file that are told; a line says how many more there are.
  static constexpr std::size_t warnings_max = 20;

  /// What the files read so far were sloppy about, a sentence each with file and line. Once.
  [[nodiscard]] std::vector<std::string> take_warnings() noexcept {
    return std::exchange(warnings_, {});
  }

 private:
  using Shared = std::shared_ptr<const dictionary::Dictionary>;

  /// What sessions with the same dictionaries have together: by paths in the order they are asked.
  using Paths = std::vector<std::string>;

  [[nodiscard]] Shared load(const SessionSettings& settings, const std::string& path,
                            Problems& problems);
  [[nodiscard]] SessionDictionary::SharedValidator compile(const SessionSettings& settings,
                                                           const std::string& transport,
                                                           const std::string& application,
                                                           Problems& problems);

  /// Once for each file: what of a session's own messages and fields it lacks.
  void warn_of_session_parts(const std::string& path, const std::string& unjudged);

  /// Of a file that was read.
  [[nodiscard]] const SessionDictionary::SharedNames& names_of(const std::string& path);

  std::map<std::string, Shared> files_;  ///< Null: it could not be read.
  std::map<std::string, SessionDictionary::SharedNames> names_;
  std::set<std::string> session_parts_seen_;
  std::vector<std::string> warnings_;
  std::map<std::pair<std::string, std::string>, SessionDictionary::SharedValidator> validators_;
  std::map<Paths, std::shared_ptr<const wire::DataFields>> data_fields_;
  std::map<std::pair<std::size_t, Paths>, std::shared_ptr<dictionary::Shapes>>
      shapes_;  ///< Of a worker.
};

}  // namespace affix::inline v0::engine
