// SPDX-License-Identifier: MIT
// From a session's settings to keys of ours, one function for each subject.
#pragma once

#include "import_quickfix/output_group.hpp"
#include "import_quickfix/session_source.hpp"

#include <string>

namespace affix::inline v0::tools::import_quickfix {

/// What the settings file does not say.
struct TranslationOptions {
  std::string local_zone;    ///< The zone that UseLocalTime=Y is about; empty: not known.
  std::string dictionaries;  ///< Folder of the dictionaries that a QuickFIX brings along; may be
                             ///< empty.
  /// Whether a folder is there; null: all are.
  bool (*is_folder)(const std::string& path) = nullptr;
};

/// Ids, timestamps, resends, heartbeats, resets, the journal.
void add_practice(const SessionSource& source, bool is_initiator, OutputGroup& group);

/// StartTime to NonStopSession.
void add_schedule(const SessionSource& source, const TranslationOptions& options,
                  OutputGroup& group);

/// Dictionaries, and what is rejected.
void add_validation(const SessionSource& source, const TranslationOptions& options,
                    OutputGroup& group);

/// Hosts, pauses, the local address. False: a problem has been told.
bool add_connecting(const SessionSource& source, OutputGroup& group);

/// Port and local address. False: a problem has been told.
bool add_listening(const SessionSource& source, OutputGroup& group);

/// Buffers and options of sockets, for both roles.
void add_socket(const SessionSource& source, OutputGroup& group);

/// TLS, for both roles.
void add_encryption(const SessionSource& source, bool is_initiator, OutputGroup& group);

}  // namespace affix::inline v0::tools::import_quickfix
