// SPDX-License-Identifier: MIT
// How a dictionary's names become C++ identifiers: one rule each for functions, types and
// enumerators. What a name holds does not matter: spaces, dashes, leading digits, keywords and
// macros all give something that compiles.
#pragma once

#include <initializer_list>
#include <set>
#include <string>
#include <string_view>

namespace affix::inline v0::codegen {

/// For functions, tags and files. A word ends before a capital that follows a small letter or
/// begins a word ("ClOrdID" is cl_ord_id, "MDEntryPx" md_entry_px), at every character that is no
/// letter or digit, and "s", "id" and "non" behind capitals are not torn from them ("NoPartyIDs" is
/// no_party_ids). Leading digits get "n" in front; keywords, C's lower-case macros and the names
/// that every reader and writer has get "_" behind.
[[nodiscard]] std::string snake_case(std::string_view name);

/// For files: snake_case, but keywords need no "_".
[[nodiscard]] std::string file_stem(std::string_view name);

/// For classes and enums: the name as it is spelled, but for characters that are no letters or
/// digits, which are dropped and the letter behind them made a capital. Leading digits get "N" in
/// front; names that C's and POSIX' headers define as macros keep only their first capital ("EOF"
/// is Eof), and get "_" behind where that is all of it ("I" is I_).
[[nodiscard]] std::string type_name(std::string_view name);

/// For enumerators: words run together, each with a capital: "PARTIALLY_FILLED" and "Partially
/// filled" are PartiallyFilled. Words of capitals only keep them when the name has small letters
/// elsewhere. Numbers of two words keep a "_" between them, leading digits get "N" in front. A name
/// without letters and digits is made of the code: "Code" and its bytes in hexadecimal.
[[nodiscard]] std::string enumerator_name(std::string_view name, std::string_view code);

/// Names of one scope. The first who asks gets the name, later ones the same with "_" and
/// `distinction` (a tag, a code's text) behind, and a number when that is taken too. None
/// that begins with a capital ends with "_", but such macros.
class NameScope {
 public:
  /// With `endings`, the name is one that was free with each of them behind it, and is taken with
  /// all.
  [[nodiscard]] std::string claim(const std::string& wanted, std::string_view distinction,
                                  std::initializer_list<std::string_view> endings = {""});

  /// Keeps `name` from being given to anyone.
  void reserve(const std::string& name) { taken_.insert(name); }

 private:
  /// Takes `name` with all endings, or nothing.
  bool take(const std::string& name, std::initializer_list<std::string_view> endings);

  std::set<std::string> taken_;
};

/// A namespace as it may be written behind --namespace: identifiers that are no keywords with ::
/// between them.
[[nodiscard]] bool is_namespace(std::string_view text);

}  // namespace affix::inline v0::codegen
