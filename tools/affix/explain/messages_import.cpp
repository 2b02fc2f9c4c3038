// SPDX-License-Identifier: MIT
// Import of QuickFIX's settings. Rows of the table of messages.
#include "explain/message_table.hpp"

#include <array>

namespace affix::inline v0::tools::explain {

namespace {

constexpr std::array import_rows{
    MessageRow{"Q101", Kind::Error,
               "affix import-quickfix: name a settings file\n"
               "\u2026: cannot be read, or is larger than 16 MiB\n"
               "\u2026: it exists; --overwrite replaces it\n"
               "\u2026: cannot be written",
               "No file was written.", "A wrong command line.", "correct the command line"},
    MessageRow{"Q102", Kind::Error,
               "the line has control characters\n"
               "a section is written [DEFAULT] or [SESSION]\n"
               "there is no [SESSION]",
               "No file was written.", "The file's form is wrong.",
               "correct the format of the file"},
    MessageRow{"Q103", Kind::Warning,
               "[\u2026] is not a section that QuickFIX has; it is ignored\n"
               "'\u2026' is neither [SECTION] nor name=value\n"
               "'\u2026' stands before the first section\n"
               "a second [DEFAULT]: its settings are added to those of the first one\n"
               "'\u2026' is given twice, first on line \u2026; the last one counts\n"
               "not a setting that any QuickFIX documents\n"
               "it has no effect on the sessions that have it\n"
               "this [SESSION] is left out, as it is a template",
               "A line, section or setting has no effect, or not the expected one.",
               "A misspelt or repeated name, which QuickFIX ignores too, or a template whose ids "
               "are not patterns.",
               "check the spelling and the place of the line"},
    MessageRow{"Q104", Kind::Error,
               "ConnectionType is missing\n"
               "neither initiator nor acceptor\n"
               "not FIX.4.0 to FIX.4.4 or FIXT.1.1\n"
               "a FIXT.1.1 session has no DefaultApplVerID\n"
               "the session has no \u2026\n"
               "neither Y nor N\n"
               "not a number\n"
               "SocketAcceptPort is missing\n"
               "SocketConnectHost\u2026 and SocketConnectPort\u2026 go together\n"
               "TCP is the only protocol here\n"
               "not a port from 1 to 65535\n"
               "not the name or address of a host\n"
               "not a number of seconds\n"
               "neither a number of seconds nor a list of such\n"
               "not a number from 0 to 10\n"
               "not a list of addresses, and names are not looked up\n"
               "not tag=value\n"
               "TLS is on, and no certificate is named\n"
               "a file in a list cannot have a comma in its name",
               "A setting cannot be converted.", "A missing or wrong value.",
               "correct the value of the setting"},
    MessageRow{"Q105", Kind::Error,
               "an earlier [SESSION] has the same ids\n"
               "an earlier [SESSION] on the same port has the same ids, and a Logon does not tell "
               "them apart\n"
               "an earlier [SESSION] listens on the same port with other settings for sockets, "
               "addresses or TLS",
               "Sections contradict each other.",
               "One port has one set of settings, and one session for a pair of ids.",
               "change one of the sections"},
    MessageRow{"Q106", Kind::Warning,
               "StartTime and EndTime are missing: the session always runs\n"
               "start and end are on one day: the window is that part of the day, as with "
               "QuickFIX/J; QuickFIX takes the whole week but the rest of that day\n"
               "start and end are the same: numbers start over at that time, as with QuickFIX/J; "
               "with QuickFIX at midnight",
               "A schedule may have another meaning than intended.",
               "Settings are missing, or engines read them differently.",
               "check `schedule_windows` of the written file"},
    MessageRow{"Q107", Kind::Warning,
               "HeartBtInt is missing: 30 seconds are taken\n"
               "\u2026 is missing: QuickFIX/J takes one of its own; give the folder of such files "
               "by --dictionaries, or messages are not judged by one\n"
               "the folder is not there: make it, and say log_file=\u2026\n"
               "there is one log of events for all sessions\n"
               "the application adds it in Application::before_admin_send()",
               "The new file needs a setting that the old one lacks.",
               "QuickFIX takes it from elsewhere.", "add the missing setting to the new file"},
    MessageRow{"Q108", Kind::Error,
               "StartTime and EndTime go together\n"
               "StartDay and EndDay go together\n"
               "LogonDay and LogoutDay go together\n"
               "it does not go together with StartDay and EndDay\n"
               "not a time HH:MM:SS\n"
               "not the English name of a day\n"
               "not a list of English names of different days\n"
               "it is in another time zone than the start, and a schedule has one\n"
               "say which zone that is: --time-zone NAME",
               "A schedule cannot be converted.", "A missing, wrong or contradicting setting.",
               "set both ends of the schedule in one time zone, in the form that the text shows"},
    MessageRow{"Q109", Kind::Warning, "the range here is \u2026 to \u2026; \u2026 is written",
               "A number was changed to the nearest one that affix allows.",
               "QuickFIX allows a larger range.", "check the written value"},
};

}  // namespace

std::span<const MessageRow> import_messages() noexcept {
  return import_rows;
}

}  // namespace affix::inline v0::tools::explain
