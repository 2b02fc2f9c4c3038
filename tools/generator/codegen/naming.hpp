// SPDX-License-Identifier: MIT
// Converts a dictionary's names to C++ identifiers: one rule each for functions, types and
// enumerators. Any name is valid: spaces, dashes, leading digits, keywords and macros all give
// compilable identifiers.
#pragma once

#include <initializer_list>
#include <set>
#include <string>
#include <string_view>

namespace affix::inline v0::tools::codegen {

/// For functions, tags and files. A word ends before a capital that follows a small letter or
/// starts a word ("ClOrdID" is cl_ord_id, "MDEntryPx" md_entry_px), and at every character that is
/// no letter or digit; "s", "id" and "non" stay joined to preceding capitals ("NoPartyIDs" is
/// no_party_ids). Adds "n" before leading digits, and "_" after keywords, C's lower-case macros and
/// names that every reader and writer has.
[[nodiscard]] std::string snake_case(std::string_view name);

/// For files: snake_case without the "_" after keywords.
[[nodiscard]] std::string file_stem(std::string_view name);

/// For classes and enums: the name as spelled, except that characters other than letters and digits
/// are dropped and the next letter becomes a capital. Adds "N" before leading digits; names that
/// are macros in C's and POSIX' headers keep only their first capital ("EOF" is Eof), with "_"
/// appended if nothing else remains ("I" is I_).
[[nodiscard]] std::string type_name(std::string_view name);

/// For enumerators: words joined, each with a capital: "PARTIALLY_FILLED" and "Partially filled"
/// are PartiallyFilled. Words in capitals stay so if the name has small letters elsewhere. Keeps a
/// "_" between the numbers of two words, adds "N" before leading digits. A name without letters and
/// digits becomes "Code" followed by the code's bytes in hexadecimal.
[[nodiscard]] std::string enumerator_name(std::string_view name, std::string_view code);

/// Names of one scope. The first claim gets the name; later ones get "_" and `distinction` (a tag,
/// a code's text) appended, and a number if that is taken too. Only replacements of macros are
/// capitalised names that end with "_".
class NameScope {
 public:
  /// With `endings`, finds a name that is free with each of them appended, and takes all of
  /// these.
  [[nodiscard]] std::string claim(const std::string& wanted, std::string_view distinction,
                                  std::initializer_list<std::string_view> endings = {""});

  /// Prevents `name` from being claimed.
  void reserve(const std::string& name) { taken_.insert(name); }

 private:
  /// Takes `name` with all endings, or none.
  bool take(const std::string& name, std::initializer_list<std::string_view> endings);

  std::set<std::string> taken_;
};

/// True if the text is valid after --namespace: identifiers, no keywords, joined by
/// ::.
[[nodiscard]] bool is_namespace(std::string_view text);

}  // namespace affix::inline v0::tools::codegen
