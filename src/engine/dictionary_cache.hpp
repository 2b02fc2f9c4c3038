// SPDX-License-Identifier: MIT
// Dictionaries of the engine's sessions, kept while a session or a template uses them: a session
// that comes later reads no file that is in use.
#pragma once

#include "affix/config/configuration.hpp"

#include "host/session_dictionary.hpp"

#include <cstddef>
#include <expected>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace affix::inline v0::engine {

/// One thread at a time.
class DictionaryCache {
 public:
  /// The dictionary of a session of this worker; `store` reads what is not here. Returns every
  /// problem of its files.
  [[nodiscard]] std::expected<host::SessionDictionary, std::vector<config::Finding>> open(
      host::DictionaryStore& store, const config::SessionSettings& settings, std::size_t worker);

  /// Keeps the dictionaries of the templates, so that they are read once; those of the templates
  /// before are no longer kept.
  void keep_for_templates(std::vector<host::SessionDictionary> dictionaries) {
    of_templates_ = std::move(dictionaries);
  }

  /// Keeps the dictionary of a session that does not exist yet, for ever.
  void keep_for_failover(host::SessionDictionary dictionary) {
    of_failover_.push_back(std::move(dictionary));
  }

  /// Drops dictionaries that no session and no template uses any more.
  void drop_unused();

  [[nodiscard]] std::size_t size() const noexcept { return dictionaries_.size(); }

 private:
  std::map<std::string, host::SessionDictionary> dictionaries_;  // By the files and the worker.
  std::vector<host::SessionDictionary> of_templates_;
  std::vector<host::SessionDictionary> of_failover_;
};

}  // namespace affix::inline v0::engine
