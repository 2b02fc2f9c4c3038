// SPDX-License-Identifier: MIT
// Dictionaries. Rows of the table of messages.
#include "explain/message_table.hpp"

#include <array>

namespace affix::inline v0::tools::explain {

namespace {

constexpr std::array dictionary_rows{
    MessageRow{"D101", Kind::Error,
               "this build reads no dictionaries (it was made without pugixml)",
               "No dictionary can be read.", "The build has no pugixml.",
               "use a build with `AFFIX_XML=ON`"},
    MessageRow{"D102", Kind::Error,
               "larger than \u2026 bytes (bytes_max)\n"
               "more than \u2026 pieces of markup (elements_max)\n"
               "more than \u2026 attributes (attributes_max)\n"
               "elements within elements more than \u2026 deep (depth_max)",
               "The file was not read.", "It is larger or deeper than any dictionary.",
               "name another file: no dictionary is so large"},
    MessageRow{"D103", Kind::Error,
               "no well-formed XML: \u2026\n"
               "<\u2026> is open\u2026\n"
               "no XML element\n"
               "a second element after the root",
               "The file is not well-formed XML.", "It was truncated, or edited by hand.",
               "get the file again: it was truncated, or edited by hand"},
    MessageRow{"D104", Kind::Error, "DOCTYPE and entity declarations are refused",
               "The file was not read.",
               "It has a DOCTYPE or entities, which can expand a small file enormously.",
               "remove them"},
    MessageRow{"D105", Kind::Warning,
               "UTF-16 is not read; save the file as UTF-8\n"
               "the text is not UTF-8; it is read as ISO-8859-1\n"
               "a control character (byte value \u2026",
               "The characters of the file are not UTF-8.",
               "The file was saved in another encoding.", "save the file as UTF-8"},
    MessageRow{
        "D106", Kind::Error,
        "the root element is \u2026, neither QuickFIX's <fix> nor Orchestra's <repository>\n"
        "the root element is no <repository>: only FIX Orchestra has workflow",
        "The file is not a dictionary, or has no workflow.",
        "Its root element is neither QuickFIX's nor Orchestra's, or not Orchestra's.",
        "name another file: a dictionary, or for [scenarios](certify.md) a FIX Orchestra file"},
    MessageRow{
        "D107", Kind::Error,
        "no field is defined\n"
        "no message is defined\n"
        "no \u2026: only FIX.5.0 and later take theirs from FIXT",
        "The file is not a whole dictionary.",
        "It is a part, or a transport dictionary where an application dictionary is required.",
        "name a complete dictionary"},
    MessageRow{"D108", Kind::Warning,
               "no version of FIX is called \u2026; sessions of any version may use the file\n"
               "type \u2026 is read as FIX\n"
               "version \u2026 names no version of FIX; read as FIX.Latest",
               "The version is not one of FIX's; it was read as the text says.",
               "The venue has a version of its own.",
               "nothing, if the version is the venue's own; otherwise correct it in the file"},
    MessageRow{"D109", Kind::Error,
               "a field without a number\n"
               "number \u2026 is not a tag\n"
               "lengthId \u2026 is not a tag\n"
               "\u2026 \u2026 is not a number\n"
               "attribute \u2026 is missing\n"
               "without an id\n"
               "with the id \u2026, which is not a number",
               "An element lacks its number or id.", "A typing error in the file.",
               "correct the element at this line"},
    MessageRow{"D110", Kind::Error,
               "tag \u2026 is not a number from 1 to \u2026\n"
               "two fields have this name: tags \u2026 and \u2026\n"
               "type \u2026 is \u2026 already\u2026\n"
               "tag \u2026 is \u2026 already\u2026",
               "Two fields share a name or tag.", "Two files were merged.",
               "delete or rename one of the two fields with the same tag or name"},
    MessageRow{"D111", Kind::Error,
               "defined twice with two types: \u2026 and \u2026\n"
               "defined twice\u2026; the values of both count\n"
               "defined twice\u2026 with two contents\n"
               "a second <\u2026>\u2026\n"
               "a second code set of this name\n"
               "a component or another group has this name; called \u2026\n"
               "two messages have this name; the one of type \u2026 is called \u2026",
               "A name is defined twice.", "The venue merged two files.", "keep one definition"},
    MessageRow{"D112", Kind::Warning,
               "a field without a type, read as String\n"
               "unknown type \u2026, read as String\n"
               "unknown unionDataType \u2026\n"
               "unknown element <\u2026>, passed over",
               "A type or element is unknown; the text says how it was read.",
               "The file uses more than the formats define.",
               "nothing, if the text reads it as the venue means it; otherwise correct the type or "
               "element"},
    MessageRow{"D113", Kind::Error,
               "a value without a code; left out\n"
               "a value holds a character that may not be there\n"
               "a code longer than \u2026 bytes (name_bytes_max)\n"
               "the name of value \u2026 is longer than \u2026 bytes (value_name_bytes_max)\n"
               "value \u2026 does not fit the type \u2026\n"
               "value \u2026 is listed twice, as \u2026 and as \u2026; the first name stays\n"
               "value \u2026 is listed twice",
               "A list of values is wrong.", "A missing, doubled or too long value.",
               "correct the list of values"},
    MessageRow{"D114", Kind::Error,
               "a \u2026 without a name\n"
               "the name of a \u2026 is longer than \u2026 bytes (name_bytes_max)\n"
               "the name of a \u2026 holds a character that may not be there\n"
               "a field without a name\n"
               "a group without a name\n"
               "a component without a name\n"
               "a message has no name; its type is used as the name",
               "A name is missing or not allowed.", "A typing error in the file.",
               "correct the element at this line"},
    MessageRow{"D115", Kind::Error,
               "a message without a type\n"
               "a type longer than \u2026 bytes (name_bytes_max)\n"
               "the type holds a space or a character that may not be there\n"
               "msgcat is missing\u2026, read as \u2026\n"
               "msgcat=\u2026, read as \u2026\n"
               "required is missing for \u2026, read as N\n"
               "required=\u2026 of \u2026, read as N",
               "A message's type or attribute is missing or not allowed.",
               "A typing error in the file.", "correct the element at this line"},
    MessageRow{"D116", Kind::Error,
               "\u2026 is not defined\u2026\n"
               "group \u2026 has no field of that name for its counter\u2026\n"
               "\u2026 \u2026 is not defined\n"
               "scenario \u2026 of message \u2026 is not defined\n"
               "a group without numInGroup\n"
               "a group without a field\n"
               "\u2026 holds nothing, read as the field that counts it",
               "A name is used and not defined.", "A misspelt name, or a missing definition.",
               "define the name, or correct it: the message shows the most similar one"},
    MessageRow{"D117", Kind::Error,
               "its length field \u2026 is not defined\n"
               "its length field \u2026 is not a number\n"
               "a length field whose field is not of type data\n"
               "a data field without a length field; it ends at the first SOH\n"
               "data field \u2026 does not follow its length field \u2026",
               "A data field and its length field do not fit.",
               "One of the two is missing or elsewhere.",
               "correct the pair of length and data field"},
    MessageRow{"D118", Kind::Error,
               "\u2026 is listed as a field and as a group\u2026; it is the group\n"
               "\u2026 is listed twice, once required and once not\u2026; read as required\n"
               "\u2026 is listed twice with two contents\u2026\n"
               "\u2026 is listed twice\u2026\n"
               "field \u2026 comes twice: in \u2026 and in \u2026; the first counts\n"
               "the list itself",
               "A member is listed twice.",
               "Two files were merged, or a component has the field too.",
               "delete one of the two members"},
    MessageRow{"D119", Kind::Warning,
               "field \u2026 is missing\n"
               "field \u2026 is the header's or trailer's\n"
               "counts a group, but has the type \u2026\n"
               "component \u2026 may repeat without a counter; only one is taken to be allowed\n"
               "scenario \u2026 is read as one with the others\n"
               "its \u2026 scenarios are read as one",
               "Something unusual was read as the text says.", "The venue's file differs from FIX.",
               "nothing, if the venue means it so; otherwise correct the file at this line"},
    MessageRow{
        "D120", Kind::Error,
        "a component within itself: \u2026\n"
        "components within components more than \u2026 deep (component_depth_max)\n"
        "groups within groups more than \u2026 deep (group_depth_max)\n"
        "more than \u2026 fields with components expanded (expanded_members_max)\n"
        "the messages have more than \u2026 fields with components expanded (expanded_total_max)",
        "Components or groups nest without end or too deeply.", "A component contains itself.",
        "remove the circle, or reduce the nesting"},
    MessageRow{"D121", Kind::Error,
               "more than 65,534 fields\n"
               "more than 65,534 messages and groups\n"
               "\u2026 has more than \u2026 fields\n"
               "the header\u2026 has more than \u2026 fields\n"
               "groups nest deeper than \u2026 levels at \u2026",
               "The dictionary is too large for its compiled form.",
               "Limits on fields, messages and depth.", "reduce the dictionary"},
    MessageRow{"D122", Kind::Error,
               "and \u2026 more problems (problems_max)\n"
               "\u2026 more warnings; 'affix dictionary check' prints them all\n"
               "dictionary \u2026 has the problems reported above",
               "More problems than are listed.", "See the listed ones.",
               "run `affix dictionary check`, which prints all problems"},
    MessageRow{"D123", Kind::Error,
               "is \u2026, not a transport dictionary\n"
               "is a transport dictionary, which key 'transport_dictionary' is for\n"
               "is \u2026, but begin_string is \u2026\n"
               "dictionary \u2026 is of the same version as another, \u2026\n"
               "default_app_ver_id is \u2026, but dictionary \u2026 is version \u2026",
               "The dictionary does not fit the key.",
               "The keys `dictionary` and `transport_dictionary` were mixed up, or the version is "
               "another one.",
               "name the right file for the key"},
    MessageRow{
        "D124", Kind::Warning,
        "dictionary \u2026: has no session messages of type \u2026; they are not judged\n"
        "dictionary \u2026: its header has no \u2026 (\u2026), so that messages sent again break "
        "its rules",
        "Session messages are not judged, or resent messages break the dictionary's rules.",
        "The dictionary lacks them.",
        "nothing, or complete the dictionary: see [validation](configuration.md#validation-rules)"},
    MessageRow{"D125", Kind::Error,
               "the dictionaries have more than \u2026 pairs of length and data field",
               "One session cannot use so many dictionaries.",
               "Together they have too many data fields.", "use fewer dictionaries in one session"},
    MessageRow{"D126", Kind::Error,
               "is not a namespace: it must be identifiers with :: between them\n"
               "is not a transport dictionary: it must be that of FIXT.1.1",
               "Code cannot be generated.", "A wrong argument.",
               "correct the arguments of `affix generate`"},
};

}  // namespace

std::span<const MessageRow> dictionary_messages() noexcept {
  return dictionary_rows;
}

}  // namespace affix::inline v0::tools::explain
