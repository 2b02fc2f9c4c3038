// SPDX-License-Identifier: MIT
// Finds or reads the dictionaries that a session names.
#include "engine/dictionary_cache.hpp"

#include "config/validation_rules.hpp"

namespace affix::inline v0::engine {

namespace {

/// Sessions of a worker with the same key have the same dictionaries, whatever their rules.
std::string dictionary_key(const config::SessionSettings& settings, std::size_t worker) {
  std::string key;
  for (const std::string* part :
       {&settings.begin_string, &settings.default_app_ver_id, &settings.dictionary,
        &settings.transport_dictionary, &settings.further_dictionaries}) {
    key += *part;
    key += '\n';
  }
  return key + std::to_string(worker);
}

}  // namespace

std::expected<host::SessionDictionary, std::vector<config::Finding>> DictionaryCache::open(
    host::DictionaryStore& store, const config::SessionSettings& settings, std::size_t worker) {
  const std::string key = dictionary_key(settings, worker);
  const auto rules = config::validation_rules_of(settings);
  const bool named = settings.validations_enabled && !settings.dictionary.empty();
  if (named && rules) {
    if (const auto known = dictionaries_.find(key); known != dictionaries_.end()) {
      return known->second.with_rules(*rules, host::fault_order_of(settings));
    }
  }
  auto dictionary = store.open(settings, worker);
  if (dictionary && named) {
    dictionaries_.emplace(key, dictionary->with_rules(*rules, host::fault_order_of(settings)));
  }
  return dictionary;
}

void DictionaryCache::drop_unused() {
  std::erase_if(dictionaries_, [](const auto& entry) { return entry.second.is_alone(); });
}

}  // namespace affix::inline v0::engine
