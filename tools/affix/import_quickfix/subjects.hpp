// SPDX-License-Identifier: MIT
// Converts a session's settings to our keys, one function for each subject.
#pragma once

#include "import_quickfix/output_group.hpp"
#include "import_quickfix/session_source.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace affix::inline v0::tools::import_quickfix {

/// Who decides about TLS. QuickFIX's programs do, by the class that they make.
enum class Encryption : std::uint8_t { AsSettings, On, Off };

/// Facts that the settings file does not contain.
struct TranslationOptions {
  std::string local_zone;    ///< The zone that UseLocalTime=Y refers to; empty: unknown.
  std::string dictionaries;  ///< Directory of the dictionaries supplied with QuickFIX; may be
                             ///< empty.
  /// True if a directory exists; null: all exist.
  bool (*is_folder)(const std::string& path) = nullptr;
  Encryption encryption = Encryption::AsSettings;
  std::vector<OutputKey> session_keys =
      {};  ///< Added to each session, in place of the settings' own.
};

/// Ids, timestamps, resends, heartbeats, resets, the journal.
void add_practice(const SessionSource& source, bool is_initiator, OutputGroup& group);

/// StartTime to NonStopSession.
void add_schedule(const SessionSource& source, const TranslationOptions& options,
                  OutputGroup& group);

/// Dictionaries, and the faults that are rejected.
void add_validation(const SessionSource& source, const TranslationOptions& options,
                    OutputGroup& group);

/// Hosts, pauses, the local address. False: a problem was reported.
bool add_connecting(const SessionSource& source, OutputGroup& group);

/// Port and local address. False: a problem was reported.
bool add_listening(const SessionSource& source, OutputGroup& group);

/// Buffers and options of sockets, for both roles.
void add_socket(const SessionSource& source, OutputGroup& group);

/// TLS, for both roles.
void add_encryption(const SessionSource& source, const TranslationOptions& options,
                    bool is_initiator, OutputGroup& group);

}  // namespace affix::inline v0::tools::import_quickfix
