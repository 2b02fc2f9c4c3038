// SPDX-License-Identifier: MIT
// Journals. Rows of the table of messages.
#include "explain/message_table.hpp"

#include <array>

namespace affix::inline v0::tools::explain {

namespace {

constexpr std::array journal_rows{
    MessageRow{"J101", Kind::Error, "no space for the journal's next segment",
               "The session goes down rather than send messages that are not stored.",
               "The disk of `journal_path` is full.",
               "free space: `affix journal archive`, `journal_keep_days`; the session reconnects "
               "by itself"},
    MessageRow{"J102", Kind::Error, "the journal's next segment could not be made",
               "The session goes down.",
               "The log has the system's error text: permissions, a quota, or a missing directory.",
               "check permissions, quota, and whether the directory exists"},
    MessageRow{"J103", Kind::Error, "message longer than a journal segment",
               "The message was not sent or received.", "It does not fit into one segment.",
               "increase `max_serialised_file_size`"},
    MessageRow{"J104", Kind::Warning, "no outgoing numbers reserved on the disk in time",
               "A message waits, or the session goes down.", "The disk does not keep up.",
               "increase `sequence_reserve`, or use another disk"},
    MessageRow{"J105", Kind::Error, "sequence number below the next outgoing one",
               "The message was not stored.", "Two writers use one journal.",
               "never share a journal: find the second writer"},
    MessageRow{"J106", Kind::Error, "the journal's disk failed", "The session goes down.",
               "An input/output error of the disk.",
               "run `affix journal verify`, then `repair`, on a copy first"},
    MessageRow{"J107", Kind::Note, "journal closed", "The message was not stored.",
               "The engine is stopping.", "nothing: send it after the next start"},
    MessageRow{"J108", Kind::Error,
               "no such kernel; there are scalar, sse42, avx2, avx512 and neon",
               "The engine does not start.", "`kernel` or `AFFIX_KERNEL` names an unknown kernel.",
               "use one of the listed kernels, or `kernel=AUTO`"},
    MessageRow{"J109", Kind::Error, "this build or this machine cannot run that kernel",
               "The engine does not start.",
               "The processor lacks the instructions, or the build the kernel.",
               "set `kernel=AUTO`, or unset `AFFIX_KERNEL`"},
    MessageRow{
        "J110", Kind::Error, "the journal is a copy, which only follows",
        "The message was not sent or received.",
        "The journal follows that of another node, which is the primary.",
        "nothing: the primary node sends and receives. Promote this node if that one is gone"},
    MessageRow{"J201", Kind::Error,
               "the journal is in use by process \u2026\n"
               "another process",
               "The journal was not opened.", "Another process uses it.",
               "stop the other engine: a journal has one"},
    MessageRow{"J202", Kind::Error,
               "the journal belongs to session '\u2026', not to '\u2026'\n"
               "belongs to session '\u2026', the first one to '\u2026'",
               "The journal was not opened.", "It belongs to another session.",
               "use another `journal_path`, or the old CompIDs"},
    MessageRow{"J203", Kind::Error,
               "directory is missing\n"
               "identity must have 1 to \u2026 bytes\n"
               "a journal segment has at most \u2026 bytes\n"
               "a journal in memory cannot be a copy of another one",
               "The journal was not opened.", "A program passed wrong options.",
               "correct the program's `journal::Options`: a directory, an identity, and a segment "
               "size within the limit"},
    MessageRow{"J204", Kind::Error,
               "journal written on a machine of another byte order\n"
               "journal format version \u2026; this build knows version \u2026\n"
               "not a journal segment\n"
               "no journal segment is \u2026 bytes long",
               "The file was not opened.",
               "It was written by another machine or version, or is not a segment.",
               "use the machine or version that wrote it, or name the right file"},
    MessageRow{
        "J205", Kind::Error,
        "the machine went down while the journal was in use\u2026, and after_power_loss is refuse: "
        "numbers the peer has seen may be missing\n"
        "the machine went down while the journal was in use\u2026, and it kept no reserve of "
        "outgoing numbers to go on from",
        "The journal was not opened: numbers that the peer has seen may be missing.",
        "The machine went down while the journal was in use, and `after_power_loss=refuse` or no "
        "reserve of numbers was kept.",
        "agree on numbers with the counterparty, then `affix journal repair --next-outgoing N`"},
    MessageRow{
        "J206", Kind::Note, "starting: opening journals, \u2026 s, \u2026 MB read from the disk",
        "Progress of a long start.", "Journals are read from the disk after a power loss.",
        "wait: a start after a power loss takes long, and the service manager is asked to wait"},
    MessageRow{
        "J207", Kind::Warning,
        "records may be lost; outgoing number goes on from its reserve, \u2026 instead of \u2026",
        "Records may be lost, and outgoing numbers skip ahead.", "A power loss.",
        "nothing: the peer sees a gap and gets a gap fill"},
    MessageRow{"J208", Kind::Error,
               "bad record at byte \u2026\n"
               "bad record at byte \u2026, before byte \u2026 up to which all was on the disk\n"
               "bad record at byte \u2026, and good ones after it from byte \u2026\n"
               "closed with records up to byte \u2026, of which those from byte \u2026 on are bad\n"
               "records end before byte \u2026 up to which all was on the disk\n"
               "has bytes far after the end of its records\n"
               "no whole record from here to byte \u2026, and good ones after it\n"
               "bad record at byte \u2026, which no crash explains\n"
               "bytes after byte \u2026, where the journal was closed\n"
               "records are gone from byte \u2026 on: no end of the records is marked there\n"
               "records are gone from byte \u2026 on, of those up to byte \u2026\n"
               "no end of the records is marked here\n"
               "the last record is bad, \u2026 bytes\n"
               "opening refuses it: \u2026",
               "Records are damaged.",
               "A disk or another program changed bytes; a crash does not explain it.",
               "run `affix journal repair` on a copy, then check the disk"},
    MessageRow{"J209", Kind::Error,
               "the segment's header does not match its checksum\n"
               "the segment's header contradicts itself or the file's length\n"
               "the file holds segment \u2026\n"
               "neither of the segment's states matches its checksum\n"
               "the next segment's checkpoint points between records\n"
               "the segment holds nothing, and none before it is left\n"
               "the segment's states are gone\n"
               "the segment was in use, and its header is gone",
               "A segment's header or state is damaged.",
               "A disk or another program changed bytes.",
               "run `affix journal repair` on a copy, then check the disk"},
    MessageRow{
        "J210", Kind::Error,
        "the segment was left at byte \u2026 for the next one, which is gone or holds nothing\n"
        "the segment was left for the next one, which was on the disk and is gone or holds "
        "nothing\n"
        "the segment is gone, and older ones are there\n"
        "the journal was in use, and no segment of it is left",
        "A segment is missing.", "Its file was removed.",
        "restore the missing file, or run `repair`. To start a new journal, agree on numbers with "
        "the counterparty and remove its whole directory"},
    MessageRow{
        "J211", Kind::Error,
        "the segment's file was cut short\n"
        "the segment's file was cut short, to \u2026 of its \u2026 bytes\n"
        "the file was cut short while it was read, or its disk fails, at or after byte \u2026\n"
        "the file was cut short while it was read, or its disk fails\n"
        "the file has \u2026 of \u2026 bytes\n"
        "the file had \u2026 of \u2026 bytes\n"
        "the file had \u2026 bytes: all its records are lost",
        "A segment's file is too short.", "It was truncated, or a copy was incomplete.",
        "restore the file: it was truncated, or a copy was incomplete"},
    MessageRow{
        "J212", Kind::Error,
        "the segment does not continue the one before it, which ends at byte \u2026\n"
        "is of another journal than the segment before it\n"
        "the segment after this one is of another journal\n"
        "the segment was left at byte \u2026, and the next one goes on from byte \u2026\n"
        "says that the segment before it ends at byte \u2026, where it ends at byte \u2026\n"
        "segment \u2026 says that the one before it ends at byte \u2026, where it ends at byte "
        "\u2026\n"
        "begins with the numbers \u2026/\u2026 where the records before it give \u2026/\u2026\n"
        "segments between \u2026 and this one are gone\n"
        "segments between \u2026 and \u2026 are gone",
        "Segments do not follow each other.", "Files are missing, or are of another journal.",
        "look in the archive for missing files, and remove those of another journal from the "
        "directory"},
    MessageRow{"J213", Kind::Error,
               "sent message \u2026 uses a number again; the next is \u2026\n"
               "received message \u2026 lowers the expected number from \u2026 to \u2026",
               "Numbers are used twice.",
               "Two engines wrote the journal, or one went on with a backup.",
               "find out whether two engines wrote the journal, or one continued with a backup of "
               "it; then agree on numbers with the counterparty"},
    MessageRow{
        "J214", Kind::Note,
        "the last record is bad, \u2026 bytes; opening deals with it\n"
        "no end of the records is marked here\u2026; opening deals with it\n"
        "the length of the last record is gone\u2026; opening restores it from the checksum\n"
        "\u2026 bytes after the last record\u2026, of an append that was not finished\n"
        "closed with records up to byte \u2026\n"
        "prepared, not in use\n"
        "the segment is prepared and not yet begun",
        "The end of the records is not complete.",
        "A crash leaves this, and opening the journal repairs it.", "nothing"},
    MessageRow{
        "J215", Kind::Note, "the sparse index does not fit the records; resends search without it",
        "Resends search without the sparse index.", "It does not fit the records.", "nothing"},
    MessageRow{
        "J216", Kind::Error,
        "no journal segment\n"
        "no record begins at that position\n"
        "the segment after this one is gone\n"
        "the segment's states were overwritten",
        "The journal could not be read.",
        "The directory is wrong, or the journal or a part of it was removed meanwhile.",
        "check the directory's name; `affix journal verify` names the segments that are missing"},
    MessageRow{"J217", Kind::Error, "no segment names the journal's session: name it",
               "Repair does not know whose journal it is.", "No header is left.",
               "name the session: `--identity FIX.4.4:SENDER->TARGET`"},
    MessageRow{
        "J218", Kind::Warning,
        "whether \u2026 received messages were processed is lost: they are handed over again\n"
        "the header did not know of messages before it that are handed over again",
        "The application receives messages again as [redelivered](application.md).",
        "A power loss: it is unknown whether they were processed.",
        "compare the redelivered messages with the application's own records: it may have "
        "processed them already"},
    MessageRow{
        "J219", Kind::Warning,
        "the file had \u2026 bytes: all its records are lost\n"
        "the file had \u2026 of \u2026 bytes\n"
        "the header was bad (\u2026); made anew from the segment before\n"
        "neither of the states was right: whether the last records are lost is unknown\n"
        "bytes \u2026 to \u2026 held no whole record\u2026\n"
        "bytes \u2026 to \u2026 held no whole record; which messages they were is unknown\n"
        "bytes \u2026 to \u2026 held no whole record; sent messages \u2026 to \u2026 are lost, "
        "received "
        "messages \u2026 to \u2026 are lost\n"
        "the file was gone: all its records are lost\n"
        "nothing of it could be used: all its records are lost\n"
        "it was of another journal, that of session '\u2026'\n"
        "the length of the record at byte \u2026 was gone; its checksum says what it was, and "
        "nothing is lost\n"
        "everything after byte \u2026 is lost\n"
        "sent messages may be lost whose numbers nothing says; the outgoing number goes on from "
        "\u2026, the expected number from \u2026\n"
        "everything after byte \u2026 is lost; the outgoing number goes on from \u2026, the "
        "expected number from \u2026\n"
        "repaired: bytes \u2026 to \u2026 of segment \u2026 held no whole record\n"
        "repaired: sent messages may be lost whose numbers nothing says\n"
        "repaired: everything after byte \u2026 is lost; the outgoing number goes on from \u2026 "
        "instead of \u2026",
        "The line says what `repair` mends and what is lost.", "Damage that was found.",
        "check the lost records with the counterparty"},
    MessageRow{"J220", Kind::Error,
               "outgoing number \u2026 would be used again: the records go up to \u2026\n"
               "the last records are lost and no reserve of outgoing numbers was kept: say the "
               "outgoing number to go on from, at least \u2026",
               "Repair does not know the next outgoing number, or it would be used again.",
               "The last records are lost.",
               "set `--next-outgoing N` to the number that the counterparty expects, or higher"},
    MessageRow{"J221", Kind::Error,
               "between two records lie fewer bytes than one has, at \u2026\n"
               "not mended: \u2026",
               "Repair cannot correct the journal.",
               "The damage leaves no place for the missing bytes.",
               "keep the journal, and begin a new one ([a lost "
               "journal](../guide/operations.md#a-journal-is-lost)): `repair` cannot correct it"},
    MessageRow{"J222", Kind::Error,
               "holds no journal\n"
               "'\u2026' is not an age; write, for example, 30m, 12h, 7d or 2w\n"
               "'\u2026' is not a time; write, for example, 2026-01-31 or 2026-01-31 12:00:00\n"
               "select the segments: --older-than, --before, --keep-bytes or --keep-trading-days",
               "The command did nothing.", "A wrong directory or option.",
               "name the journal's directory, and write ages and times as the text shows"},
    MessageRow{"J223", Kind::Error,
               "bad record at byte \u2026; it is not archived\n"
               "another segment of that number is there\n"
               "does not read back as it was written\n"
               "cannot be read\n"
               "gzip does not begin\n"
               "gzip does not end",
               "Nothing was archived or removed.", "A segment could not be packed and read back.",
               "correct the cause, then archive again"},
    MessageRow{"J224", Kind::Error,
               "no journal to follow another one with\n"
               "the journal is not a copy of another one\n"
               "the copy knows no reserve of outgoing numbers to go on from\n"
               "the directory has a journal already\n"
               "too many files of earlier cuts\n"
               "a label has 1 to 64 letters, digits, '-' and '_'\n"
               "no record begins at byte \u2026\n"
               "the journal is to be cut before its oldest segment\n"
               "the epoch began in a segment that is not kept any more",
               "The copy of a journal could not be made, cut or used.",
               "The copy and the journal that it follows have too little in common, or a program "
               "asked for something else than they have.",
               "let the node copy the journal anew: move the copy's directory away"},
};

}  // namespace

std::span<const MessageRow> journal_messages() noexcept {
  return journal_rows;
}

}  // namespace affix::inline v0::tools::explain
