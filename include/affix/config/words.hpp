// SPDX-License-Identifier: MIT
// Values of settings as the words of a configuration file, for programs that read or print them.
#pragma once

#include "affix/config/configuration.hpp"

#include <string>
#include <string_view>

namespace affix::inline v0::config {

/// Value of the key `key` as a file would write it; empty if the group has no such key. Allocates.
[[nodiscard]] std::string value_of(const EngineSettings& settings, std::string_view key);
/// The same for a client or server group.
[[nodiscard]] std::string value_of(const InstanceSettings& settings, std::string_view key);
/// The same for a session group.
[[nodiscard]] std::string value_of(const SessionSettings& settings, std::string_view key);
/// The same for the application group.
[[nodiscard]] std::string value_of(const ApplicationSettings& settings, std::string_view key);

/// Sets the key `key`, whose values are words, to the value of `word`. False: the group has no such
/// key, or the key no such word.
[[nodiscard]] bool choose(EngineSettings& settings, std::string_view key, std::string_view word);
/// The same for a client or server group.
[[nodiscard]] bool choose(InstanceSettings& settings, std::string_view key, std::string_view word);
/// The same for a session group.
[[nodiscard]] bool choose(SessionSettings& settings, std::string_view key, std::string_view word);
/// The same for a failover group.
[[nodiscard]] bool choose(FailoverSettings& settings, std::string_view key, std::string_view word);

}  // namespace affix::inline v0::config
