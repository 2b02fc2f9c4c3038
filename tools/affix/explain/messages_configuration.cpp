// SPDX-License-Identifier: MIT
// Configurations, schedules, applications and routes. Rows of the table of messages.
#include "explain/message_table.hpp"

#include <array>

namespace affix::inline v0::tools::explain {

namespace {

constexpr std::array configuration_rows{
    MessageRow{"C101", Kind::Error,
               "cannot be opened: \u2026\n"
               "cannot be read: \u2026\n"
               "cannot be used: \u2026",
               "The file could not be read.", "A wrong path, or missing permissions.",
               "check the path, which is relative to the working directory, and its permissions"},
    MessageRow{"C102", Kind::Error, "is not a directory",
               "A directory is needed, and something else is there.", "The key names a file.",
               "name a directory: the key names a file"},
    MessageRow{"C103", Kind::Error,
               "has more than the \u2026 bytes that a configuration may have left",
               "The configuration was not read any further.",
               "An include names a large file that is not a configuration.",
               "limit 16 MiB with all included files: remove an include of a file that is not a "
               "configuration"},
    MessageRow{"C104", Kind::Error, "a line has more than \u2026 bytes",
               "The configuration has a line longer than any value may be.",
               "A line end is missing, or the file is not a configuration.",
               "shorten the line to at most 64 KiB"},
    MessageRow{"C105", Kind::Error,
               "a line holds a control character\n"
               "it holds a control character",
               "A line or a value has bytes that no configuration has.",
               "The file was saved as UTF-16, or is binary; or a program made such a value.",
               "save the file as plain text; tabs are allowed"},
    MessageRow{"C106", Kind::Error, "a group is written [NAME]", "A group's header is malformed.",
               "A bracket is missing.", "add the missing bracket"},
    MessageRow{"C107", Kind::Error,
               "'\u2026' is neither [GROUP] nor key=value\n"
               "a key is missing before '='",
               "A line is neither a header nor a key with a value.",
               "A comment without `#`, or a missing `=`.",
               "correct the line, or put `#` before it"},
    MessageRow{"C108", Kind::Error, "key '\u2026' stands before the first [GROUP]",
               "A key belongs to no group.", "The group's header is missing.",
               "move it below a group's header"},
    MessageRow{"C109", Kind::Error,
               "group [\u2026] is given twice, first on \u2026\n"
               "key '\u2026' is given twice in [\u2026], first on \u2026",
               "A group or key exists twice.",
               "Two people added it, or two included files have it.", "delete one of the two"},
    MessageRow{"C110", Kind::Error,
               "[\u2026] has more than \u2026 keys\n"
               "more than \u2026 groups\n"
               "more than \u2026 problems\n"
               "\u2026 problems more are not listed",
               "The rest was not read or not listed.",
               "The file is not a configuration, or was generated wrongly.",
               "check whether this is the right file, and the program that generated it"},
    MessageRow{"C111", Kind::Error,
               "key 'include' must have a value\n"
               "key 'include': \u2026",
               "An include has no file.", "The value is missing or unusable.",
               "write `include=FILE` in a line of its own, with a path relative to the file that "
               "includes it"},
    MessageRow{"C112", Kind::Error,
               "'\u2026' includes itself\n"
               "files include each other more than \u2026 deep\n"
               "more than \u2026 files are included",
               "Includes have no end.", "Files include each other in a circle.",
               "remove the include that closes the circle"},
    MessageRow{"C113", Kind::Error,
               "key '\u2026': a variable is written ${NAME} or ${NAME:-otherwise}; write $${ for a "
               "literal ${",
               "A reference to an environment variable is malformed.",
               "A brace is missing, or `${` was meant literally.",
               "write `${NAME}` or `${NAME:-otherwise}`; write `$${` for a literal `${`"},
    MessageRow{"C114", Kind::Error,
               "key '\u2026': the environment variable '\u2026' is not set; ${\u2026:-otherwise} "
               "gives a fallback",
               "A value needs an environment variable that is not set.",
               "The variable is set in another shell or unit.",
               "set it (under systemd in `/etc/affix/NAME.env`)"},
    MessageRow{"C115", Kind::Error,
               "key '\u2026': the environment variable '\u2026' holds a control character",
               "A variable's value cannot stand in a configuration.",
               "It has a control character, often a line end from `$(cat FILE)`.",
               "remove the control character"},
    MessageRow{"C116", Kind::Error, "key '\u2026' has more than \u2026 bytes with its variables",
               "A value is too long after substitution.",
               "A variable has an unexpectedly long value.", "shorten the value to at most 64 KiB"},
    MessageRow{"C201", Kind::Error,
               "group [\u2026] has no type, accept_port, primary_address, begin_string, "
               "target_comp_id, application, route_to or replication_nodes, so its kind is "
               "unknown",
               "The kind of a group is unknown.", "It has no `type` and no key that tells it.",
               "add `type=`, or the missing key"},
    MessageRow{"C202", Kind::Error,
               "type '\u2026' is not one of engine, client, server, session, application, route, "
               "failover, or one of these with _defaults, or defaults",
               "`type` has an unknown word.", "A misspelt word.",
               "use one of the types that the text lists"},
    MessageRow{"C203", Kind::Error, "there is more than one \u2026 group, the first is on \u2026",
               "A group exists twice that a file may have once.",
               "Two files were merged, or an include has one too.",
               "keep one engine group and one application group"},
    MessageRow{"C204", Kind::Error,
               "key '\u2026' is not known in [\u2026] (it is a key of \u2026 groups)\n"
               "key '\u2026' is not known in [\u2026] (did you mean '\u2026'?)",
               "A key does not exist in this kind of group.",
               "A misspelt key, or one of another kind of group.",
               "move the key, or correct its name; `affix config explain` lists all keys"},
    MessageRow{"C205", Kind::Error,
               "[\u2026] needs key '\u2026'\n"
               "key '\u2026' must have a value",
               "A required key is missing or empty.", "It was forgotten, or its variable is empty.",
               "add the key and its value"},
    MessageRow{"C206", Kind::Error,
               "'\u2026' is not one of true, false\n"
               "its value \u2026\n"
               "\u2026 is not one of \u2026",
               "A value is not one of the words that the key allows.", "A misspelt word.",
               "use one of the listed words"},
    MessageRow{"C207", Kind::Error,
               "\u2026 is not a whole number of \u2026\n"
               "\u2026 is not a number from \u2026 to \u2026, or one with a unit: \u2026\n"
               "\u2026 B, kB, MB, GB, TB, KiB, MiB, GiB, TiB\n"
               "\u2026 us, ms, s, m, h, d",
               "A value is not a number, or outside the key's range.",
               "A missing or wrong unit, or a number beyond the limits.",
               "use a value in the range that the message and the [table](configuration.md) state"},
    MessageRow{
        "C208", Kind::Warning,
        "key '\u2026' has no effect: \u2026\n"
        "numbers and messages of both directions are in the session's journal, under journal_path\n"
        "wait_mode and spin_microseconds say how a worker waits\n"
        "the rings of a network card are the kernel's: ethtool -G sets them\n"
        "the log is always written by a thread of its own, which the engine's never wait for\n"
        "a standby has the primary's whole journal (failover_group), and a promotion reads it "
        "anew",
        "The key changes nothing; the reason follows.",
        "affix has no such setting: the key belongs to another engine's files.", "remove the key"},
    MessageRow{
        "C210", Kind::Warning,
        "no other key is as the profile presets it; a program begins with settings_of_profile()\n"
        "messages are judged by these rules only with key 'dictionary' and validations_enabled\n"
        "no throttle_limit is set\n"
        "no send_throttle_limit is set\n"
        "the group is not a template (acceptor_template)\n"
        "it is for second_logon=PROBE\n"
        "cancel_on_disconnect is OFF\n"
        "it is for send_while_disconnected=QUEUE\n"
        "it is for durability=group\n"
        "durability=memory keeps nothing on the disk\n"
        "it is for wait_mode=SPIN_THEN_BLOCK, and this is \u2026\n"
        "only FIXT.1.1 sessions have it, and this is \u2026\n"
        "no numa_bind_node says of which node\n"
        "no latency_file is given\n"
        "key 'node' is not set\n"
        "no client or server group has a failover_group\n"
        "no client or server group has this group as its failover_group\n"
        "it is for replication=ASYNC, and this is \u2026\n"
        "it is for etcd, and election is a directory\n"
        "election does not begin with etcds://\n"
        "beyond the first \u2026 of its \u2026 cores: so many are the workers "
        "(worker_thread_count)",
        "The key changes nothing without another key.",
        "The key that this one depends on is not set, or has another value.",
        "set the key that this one depends on, or remove this one"},
    MessageRow{"C211", Kind::Warning, "tls is OFF, and the group speaks plain text",
               "A TLS key changes nothing.", "The group speaks plain text.",
               "set `tls=ON`, or remove the `tls_` keys"},
    MessageRow{"C212", Kind::Warning,
               "in a client's session throttle_limit is a limit on sends, and send_throttle_action "
               "decides about the messages above it; throttle_direction=RECEIVED makes it one on "
               "received messages",
               "`throttle_limit` limits what this session sends.",
               "It is a client's session, for which the key has this meaning.",
               "set the other key that the text names, or remove this one"},
    MessageRow{
        "C213", Kind::Warning,
        "key '\u2026': \u2026 is taken as \u2026, the size of a message of max_message_bytes of "
        "[\u2026]\n"
        "key '\u2026': \u2026 is taken as \u2026, a power of two that takes two of the "
        "largest messages\n"
        "key '\u2026': \u2026 is taken as \u2026, the size of the largest step of a session\n"
        "key '\u2026': \u2026 is taken as \u2026, as a ring has 1 MiB at least, and space "
        "for eight of the largest messages\n"
        "key '\u2026': \u2026 bytes wait in the session, and its connection keeps up to "
        "\u2026 more, as for every smaller value",
        "Another value than the given one is used.",
        "The given value is below what the session's other keys need.",
        "write the value that is used, or lower `max_message_bytes`"},
    MessageRow{"C214", Kind::Error, "key '\u2026' contradicts key '\u2026' on line \u2026",
               "Two keys contradict each other.",
               "llfix's name and affix's of one setting are both given.",
               "keep one of the two: llfix's name or affix's"},
    MessageRow{"C215", Kind::Error,
               "key 'ssl_version': the least version spoken here is TLS1.2\n"
               "'\u2026' is not one of TLS10, TLS11, TLS12, TLS13\n"
               "'\u2026' is not a number from 1 to 11\n"
               "a password does not stand in a configuration here: key 'tls_key_password' names "
               "the file or the environment variable that has it\n"
               "revocation lists are one file here, of key 'tls_crl_file'\n"
               "the nodes of a failover_group elect the primary; key 'enabled' of a session keeps "
               "it down until it is enabled",
               "A value of an llfix file has no counterpart here.", "affix spells it otherwise.",
               "write the value that the text allows; see [keys of llfix's "
               "files](configuration.md#keys-and-defaults-that-other-engines-files-use)"},
    MessageRow{"C216", Kind::Error,
               "there is no client group (primary_address) and no server group (accept_port)\n"
               "there is no session group (begin_string)",
               "There is nothing to connect or to log on.",
               "The file has only one of the two kinds of groups.",
               "add one of each: a file needs a client or server group, and a session group"},
    MessageRow{"C217", Kind::Error,
               "needs key 'instance': there is not exactly one client or server group\n"
               "'\u2026' is not a client or server group\n"
               "belongs to no client or server group",
               "The session's client or server group is unknown.",
               "`instance` is missing or names no such group.",
               "set `instance=GROUP` in the session"},
    MessageRow{"C218", Kind::Error,
               "a group needs a name\n"
               "shares its name with another client or server group\n"
               "shares its name with another failover group",
               "A group cannot be addressed.",
               "A program made settings without a name, or with a name twice.",
               "correct the settings that a program makes"},
    MessageRow{"C219", Kind::Error, "has the same identity as [\u2026]",
               "A Logon could not tell the sessions apart.",
               "Two sessions have the same version, CompIDs, sub and location ids.",
               "change one of the two sessions"},
    MessageRow{
        "C220", Kind::Error,
        "[\u2026] has the same ids and the same journal_path, so both would have one journal",
        "Two sessions would write one journal.",
        "They have the same ids and the same `journal_path`.",
        "set another `journal_path` for one of the two sessions"},
    MessageRow{"C221", Kind::Error,
               "key 'memory_journal_bytes': \u2026 is below the \u2026 bytes that journals in "
               "memory begin with (sessions with durability=memory: \u2026); less "
               "max_message_bytes and tx_encode_buffer_capacity ask for less",
               "Journals in memory do not fit their common limit.",
               "`memory_journal_bytes` is below the sum that the sessions begin with.",
               "raise `memory_journal_bytes` above that sum, so that resends reach back further "
               "than that minimum"},
    MessageRow{
        "C222", Kind::Error,
        "\u2026 is the accept_port of [\u2026] too\n"
        "\u2026 is the management_server_port too",
        "Two groups would listen at one address.", "The same port is given twice.",
        "use another port, or different addresses (`nic_address`, `management_server_nic_ip`)"},
    MessageRow{"C223", Kind::Error, "'\u2026' is the file of key '\u2026' too",
               "Two keys name one file.", "A copied line.", "use a separate file for each"},
    MessageRow{"C224", Kind::Error,
               "shares its name with another session\n"
               "shares its name with a session made from a template\n"
               "another session is called \u2026",
               "A name exists twice in the engine.",
               "A copied group, or a template that makes the same name.",
               "rename one: names are unique in the whole engine"},
    MessageRow{"C225", Kind::Error, "[\u2026] is not a session group",
               "A list names something that is not a session group.",
               "A misspelt name, or a group of another kind.",
               "name a session group: the group in the list has another kind"},
    MessageRow{
        "C226", Kind::Error,
        "key '\u2026' is for FIXT.1.1 sessions only\n"
        "key '\u2026' needs key 'dictionary' too\n"
        "key 'dictionary' needs key 'transport_dictionary' too in a FIXT.1.1 session\n"
        "speaks FIXT.1.1 and needs key 'default_app_ver_id' (7, 8 or 9 for FIX.5.0, SP1, SP2)\n"
        "'\u2026' is not an ApplVerID, a number from 0 to 10 (7, 8 or 9 for FIX.5.0, SP1, SP2)",
        "Keys for FIXT.1.1 are incomplete, or given in another session.",
        "FIXT.1.1 has a transport and an application dictionary, older versions have one.",
        "a FIXT.1.1 session needs two dictionaries and an application version; other sessions have "
        "neither `transport_dictionary` nor `default_app_ver_id`"},
    MessageRow{"C227", Kind::Error,
               "key '\u2026' needs key 'tls' too, ON or OFF\n"
               "has key 'tls_peer', and its group speaks no TLS\n"
               "session \u2026 is for a TLS peer only",
               "A TLS key stands without TLS.", "`tls` is missing in the client or server group.",
               "set `tls=ON` in the client or server group"},
    MessageRow{"C228", Kind::Error,
               "key '\u2026' needs key '\u2026' too\n"
               "'\u2026' is not host:port",
               "A key is incomplete.", "A second key is missing, or an address has no port.",
               "add the other key; write an IPv6 address in brackets: `[2001:db8::1]:9876`"},
    MessageRow{"C229", Kind::Error,
               "is a template, and its group is not a server\n"
               "a template needs '*' in one of its ids at least, or it is a session\n"
               "a template's sessions have their callbacks on their worker's thread: key "
               "'callback_thread' is for others",
               "A template cannot make sessions.",
               "It is in a client group, has no `*`, or has a key for single sessions only.",
               "move the template to a server group and put `*` into one of its ids, without keys "
               "for single sessions: [templates](configuration.md#acceptor-templates)"},
    MessageRow{
        "C230", Kind::Error,
        "key 'allowed_peer_addresses' is for peers that connect, and this session connects itself",
        "The key has no meaning here.", "A client's session connects itself.",
        "remove the key: it is only for sessions of a server"},
    MessageRow{"C231", Kind::Error,
               "is neither an address nor a network: \"192.0.2.7\", \"198.51.100.0/24\", "
               "\"2001:db8::/32\" are\n"
               "has bits after its prefix: write the network's own address\n"
               "more than \u2026 addresses",
               "A list of addresses is malformed.",
               "A name, a network with bits set beyond its prefix, or too many entries.",
               "write addresses and networks in numbers, separated by commas: "
               "[addresses](configuration.md#addresses)"},
    MessageRow{
        "C232", Kind::Error,
        "'\u2026' is not HH:MM or HH:MM:SS\n"
        "FIX.4.0 has no ResetSeqNumFlag (141)",
        "A time of day is malformed, or a reset by Logon is impossible.",
        "A wrong format, or FIX.4.0, which has no ResetSeqNumFlag (141).",
        "write the time in this form; in a FIX.4.0 session remove the key that resets by Logon"},
    MessageRow{"C233", Kind::Error,
               "'\u2026' is not the tag of tag=value, or comes twice, or the session writes that "
               "tag itself",
               "`additional_static_header_tags` is malformed.",
               "A tag comes twice, is not a number, or is written by the session itself.",
               "correct `additional_static_header_tags`; 50, 57, 142 and 143 belong to the session "
               "if the group has their keys"},
    MessageRow{"C234", Kind::Error, "'\u2026' is not a tag, or is one that a stored message needs",
               "`secret_tags` is malformed.", "A tag that a stored message needs cannot be hidden.",
               "list tags of the application's own fields only: tags of the header, and of session "
               "messages, cannot be hidden"},
    MessageRow{"C235", Kind::Error,
               "validation_rules: '\u2026' is not rule:ACTION with one of REJECT, WARN, OFF and a "
               "rule of \u2026",
               "`validation_rules` is malformed.", "A misspelt rule or action.",
               "write `rule:REJECT`, `rule:WARN` or `rule:OFF`; [the "
               "rules](configuration.md#validation-rules) are listed"},
    MessageRow{
        "C236", Kind::Error,
        "'\u2026' is not type:ACTION with one of REPLAY, GAP_FILL, YOUNGER_THAN_5s (ms, s, m, h)\n"
        "'\u2026' is about a session message, which is never resent\n"
        "'\u2026' comes twice",
        "`resend_policy` is malformed.", "A misspelt action, a session message, or a type twice.",
        "write `type:ACTION`, such as `D:REPLAY` or `8:YOUNGER_THAN_5s`, once for each type of an "
        "application message"},
    MessageRow{"C237", Kind::Error,
               "send_while_disconnected=QUEUE needs a journal that keeps messages: another "
               "durability than memory and max_serialised_file_size above 0\n"
               "messages queued while disconnected would be lost by a reset at every logon, logout "
               "or disconnection\n"
               "messages queued while disconnected would be gap-filled instead of sent\n"
               "the queue of messages while disconnected has no room\n"
               "send_while_disconnected=QUEUE and daily_reset_utc need reset_start=IN_SYNC: a "
               "reset at once after a logon would lose the messages that were queued before it",
               "Queueing while disconnected contradicts another key.",
               "A reset, a gap fill or a journal without messages would lose the queue.",
               "change one of the two contradicting keys"},
    MessageRow{"C238", Kind::Error,
               "in a client's session throttle_limit is a limit on sends, as send_throttle_limit "
               "is: give one of them, or throttle_direction=RECEIVED",
               "Two keys set the same limit.", "In a client's session both limit what is sent.",
               "remove one of the two keys, or set `throttle_direction=RECEIVED`"},
    MessageRow{"C239", Kind::Error,
               "\u2026 is below heartbeat_interval_seconds_min, \u2026\n"
               "\u2026 is below reconnect_milliseconds, \u2026",
               "A maximum is below its minimum.",
               "One of the two keys was changed without the other.",
               "raise the maximum, or lower the minimum"},
    MessageRow{"C240", Kind::Error,
               "store_order=after_send contradicts durability=sync, which sends nothing that is "
               "not on the disk",
               "Two keys contradict each other.",
               "`durability=sync` sends nothing that is not on the disk.",
               "remove `store_order=after_send`, or use another durability"},
    MessageRow{"C242", Kind::Error,
               "the heartbeat interval is a whole number of seconds, 0 or more\n"
               "the limits on the heartbeat interval contradict each other\n"
               "time-outs are above 0\n"
               "an age up to which messages are resent is above 0\n"
               "a throttle's limit is at most a million messages, and its window above 0\n"
               "the text for too many messages is too long or holds SOH\n"
               "FIXT.1.1 needs DefaultApplVerID\n"
               "SenderCompID and TargetCompID are required\n"
               "BeginString, identity or static header fields are empty, too long or hold SOH\n"
               "static header fields are not of the form tag=value SOH\n"
               "username, password and new password are too long\n"
               "username, password or new password holds SOH\n"
               "messages queued while disconnected would be lost by a reset at every logon, logout "
               "or disconnection\n"
               "messages queued while disconnected would be gap-filled instead of sent\n"
               "the queue of messages while disconnected has no room",
               "The settings of a session are incomplete or not allowed.",
               "A program made them; credentials from a file can be too long or hold a line end.",
               "correct the settings that the program makes; remove a line end from a file of "
               "credentials"},
    MessageRow{"C244", Kind::Error,
               "key 'journal_path' must have a value: '.' is the working directory",
               "The journal has no place.", "The value is empty.",
               "set a directory, or `durability=memory`"},
    MessageRow{
        "C245", Kind::Error, "key 'nic_address': '\u2026' is not a numeric address",
        "The address to listen or to connect from is unusable.",
        "A name stands where numbers are needed.",
        "use an IPv4 or IPv6 address of this machine; names of interfaces belong in `nic_name`"},
    MessageRow{"C246", Kind::Error, "is not a regular file",
               "A dictionary cannot be read again for later sessions.",
               "The path names a pipe or device.",
               "name a regular file: affix reads a dictionary again for later sessions, so it "
               "cannot be a pipe"},
    MessageRow{"C247", Kind::Error,
               "key '\u2026': \u2026 has no \u2026\n"
               "keeper of connections: its sockets pass none to another program\n"
               "huge pages that a program can ask for\n"
               "NUMA nodes that a program can choose\n"
               "cores that a thread can be pinned to\n"
               "time stamps of received bytes (SO_TIMESTAMPING)",
               "The configuration asks for something that this operating system lacks.",
               "The file was written for another system, most often for Linux.",
               "remove the key; docs/reference/platforms.md says what each system has"},
    MessageRow{
        "C301", Kind::Error,
        "'\u2026' has none of the forms HH:MM-HH:MM, DAY HH:MM-HH:MM, DAY-DAY HH:MM-HH:MM and DAY "
        "HH:MM-DAY HH:MM, days MON to SUN, times from 00:00 to 23:59:59, ends to 24:00\n"
        "the window that begins \u2026 overlaps another",
        "A list of windows is malformed, or two of its windows share time.",
        "A wrong format of days or times, or windows that overlap: they may touch.",
        "correct the windows: see [the syntax](configuration.md#schedule)"},
    MessageRow{"C303", Kind::Error,
               "the window that begins \u2026 lies in none of the session's windows, so that no "
               "logon would ever be made or taken in it",
               "The session could never log on.", "The windows of two keys have no time in common.",
               "correct one of the two keys; `schedule_time_zone` applies to both"},
    MessageRow{"C304", Kind::Warning,
               "key '\u2026' has no effect: '\u2026' is -1, and the session has no hours",
               "A key of the schedule changes nothing.", "Only some of the four keys are set.",
               "set all four keys, or none"},
    MessageRow{"C305", Kind::Error,
               "'\u2026' is not digits from 1 (Monday) to 7 (Sunday) with dashes between\n"
               "day \u2026 is given twice",
               "`schedule_week_days` is malformed.", "A wrong digit, or a day twice.",
               "correct `schedule_week_days`"},
    MessageRow{"C306", Kind::Error,
               "start_hour_utc, start_minute_utc, end_hour_utc and end_minute_utc need each other: "
               "all of them, or none",
               "A schedule is incomplete.", "One of the four keys is missing.",
               "set all four keys, or none"},
    MessageRow{"C307", Kind::Error,
               "contradicts keys schedule_week_days, start_hour_utc and so on: set one or "
               "the other\n"
               "start_hour_utc and so on are UTC; use schedule_windows\n"
               "it needs key 'schedule_windows' too",
               "A schedule is given in two forms, or one key lacks another.",
               "Keys of llfix's form and of affix's form were mixed.", "use one of the two forms"},
    MessageRow{"C308", Kind::Error,
               "it would discard the messages that send_while_disconnected=QUEUE keeps",
               "Queued messages would be lost.",
               "Numbers would be reset at the start of each window.",
               "do not reset at the start of windows in a session that queues messages"},
    MessageRow{"C309", Kind::Error,
               "'\u2026' is not a time zone that this system knows (Debian: package tzdata)\n"
               "'\u2026': this build knows no time zone but UTC (Debian: libcctz-dev)",
               "The time zone is unknown.", "A misspelt name, or a package that is not installed.",
               "install the named package; a build without cctz supports only UTC"},
    MessageRow{
        "C310", Kind::Error,
        "does not exist, or is not a file\n"
        "cannot be opened\n"
        "cannot be read, or is larger than 1 MiB\n"
        "'\u2026' is neither a date YYYY-MM-DD nor two with .. between, the earlier one first",
        "The holidays are unusable.", "The file is missing, too large, or has a malformed date.",
        "correct the file of `schedule_holidays_file`"},
    MessageRow{"C401", Kind::Error,
               "[\u2026] needs key '\u2026'\n"
               "'\u2026' is for application \u2026, and this is \u2026\n"
               "[\u2026] is a route, and the application is \u2026, not ROUTER\n"
               "\u2026 does not go with application \u2026",
               "A key or group does not fit the application.",
               "`application` is another one, or is missing.",
               "remove the key or group of the other application, or set `application`"},
    MessageRow{"C402", Kind::Error,
               "key '\u2026': \u2026 does not go with affix-lab exchange, whose book has one "
               "thread: \u2026\n"
               "leave it out",
               "The key does not work with `affix-lab exchange`.", "The order book has one thread.",
               "for `affix-lab exchange` and `affix config check --for exchange`: one worker per "
               "group, no "
               "callback threads"},
    MessageRow{"C403", Kind::Error, "affix-lab trade needs a session group to trade over",
               "There is no session to trade over.", "The file has only client or server groups.",
               "add a session group"},
    MessageRow{"C404", Kind::Error,
               "affix-monitor sees an engine by the file that key 'counters_file' of its engine "
               "group names, and there is none",
               "The monitor could not see the engine.", "`counters_file` is not set.",
               "set the key in the engine's configuration"},
    MessageRow{"C405", Kind::Error,
               "application ROUTER needs a route group\n"
               "key 'route_to' names more than one session\n"
               "keys 'route_tag' and 'route_values' need each other\n"
               "'\u2026' is not a session group",
               "Routes are incomplete.",
               "A missing key, a missing route group, or an unknown session.",
               "give a router `route_to` sessions of the file, and `route_tag` with "
               "`route_values`: [routes](serve.md#applications)"},
    MessageRow{"C406", Kind::Error,
               "cannot be loaded\n"
               "is not a plug-in: it has no function affix_plugin\n"
               "has no function that makes or ends its application\n"
               "made no application; the log may say why",
               "The plug-in could not be used.",
               "A wrong file, or a library without the functions of a plug-in.",
               "correct `plugin_file`, or the plug-in"},
    MessageRow{"C407", Kind::Error,
               "is a plug-in of interface \u2026, this program has \u2026\n"
               "was built with another version of affix, or with settings that do not go with this "
               "program's\n"
               "unknown",
               "The plug-in does not fit this program.",
               "It was built with another version of affix, or with other settings.",
               "build the plug-in with the version of the program"},
    MessageRow{
        "C501", Kind::Error,
        "is not NAME@HOST:PORT with a name of 1 to 64 letters, digits, '.', '_' and "
        "'-'\n"
        "has no numeric address and port that other nodes can connect to\n"
        "is given twice\n"
        "has the address of node '\u2026'\n"
        "is not in node_addresses\n"
        "is not a name of 1 to 64 letters, digits, '.', '_' and '-' that begins with a "
        "letter or digit",
        "The nodes of the cluster are unclear.",
        "A malformed or repeated piece of `node_addresses`, or a misspelt name.",
        "write each node once, as `NAME@HOST:PORT` with a numeric address, and set `node` to one "
        "of the names"},
    MessageRow{"C502", Kind::Error,
               "needs key 'node' in [ENGINE]\n"
               "is needed beside key '\u2026'",
               "A key lacks another that belongs to it.", "One of the two was forgotten.",
               "set the other key too, or remove this one"},
    MessageRow{"C503", Kind::Error,
               "is not etcd://HOST:PORT,HOST:PORT,..., etcds://HOST:PORT,... or "
               "file:DIRECTORY\n"
               "is not HOST:PORT\n"
               "credentials do not stand beside an address; use keys election_user and "
               "election_password\n"
               "is given twice",
               "The store of the election is unclear.", "A misspelt `election`.",
               "write `election` in one of the forms that the text lists"},
    MessageRow{
        "C504", Kind::Error,
        "is not in node_addresses\n"
        "is given twice\n"
        "a failover group has 2 or 3 nodes, and this one has \u2026\n"
        "\u2026 is above the \u2026 nodes of replication_nodes\n"
        "is not a name of 1 to 64 letters, digits, '.', '_' and '-' that begins with a "
        "letter or digit",
        "A failover group could not work.",
        "`replication_nodes` names a node that is unknown, or too few or too many; or the group's "
        "name cannot be a part of keys and file names.",
        "name 2 or 3 nodes of `node_addresses`, each once, with `in_sync_min` no more than their "
        "number"},
    MessageRow{"C505", Kind::Error, "is not a failover group",
               "The group's failover group is unknown.", "A misspelt name, or a missing group.",
               "name a group that has `replication_nodes`"},
    MessageRow{
        "C506", Kind::Error,
        "its group has a failover_group, and sessions of a template are not replicated; write a "
        "session group for each\n"
        "its group has a failover_group, and a journal in memory is not replicated; use 'process' "
        "or 'sync'\n"
        "its group has a failover_group, so that a message is stored before it is sent; use "
        "'before_send'",
        "A session of a failover group has a setting with which another node could not continue "
        "it.",
        "The session's client or server group has a `failover_group`.",
        "change the key as the text says, or give the session a group without `failover_group`"},
    MessageRow{"C507", Kind::Error,
               "an address beyond this machine needs TLS (replication_tls_certificate_file, "
               "replication_tls_key_file and replication_tls_ca_file)\n"
               "is needed beside key '\u2026'\n"
               "this build has no TLS",
               "The nodes could not protect their connections.",
               "A TLS file of `replication_tls_` or `election_tls_` is missing, or the build has "
               "no TLS.",
               "give all three files of `replication_tls_`, and a certificate for etcd with its "
               "key"},
    MessageRow{"C508", Kind::Warning,
               "a directory elects safely only among processes of one machine, and node_addresses "
               "has addresses beyond it",
               "Two nodes could both become the primary of a group.",
               "`election` names a directory, whose locks may not hold across machines.",
               "use etcd unless all nodes are processes of one machine"},
    MessageRow{"C509", Kind::Warning,
               "the password goes over the network in clear text: election does not begin with "
               "etcds://",
               "Others on the network could read etcd's password.",
               "`election` begins with `etcd://`, and an address is beyond this machine.",
               "use `etcds://`"},
};

}  // namespace

std::span<const MessageRow> configuration_messages() noexcept {
  return configuration_rows;
}

}  // namespace affix::inline v0::tools::explain
