// SPDX-License-Identifier: MIT
// Messages in the form of scenarios: `field=value` pieces separated by `|`, variables, placeholders
// in `<...>`, and a header and trailer that are filled in.
#pragma once

#include "certify/names.hpp"
#include "certify/stage.hpp"
#include "certify/version.hpp"

#include <cstdint>
#include <expected>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace affix::inline v0::certify {

using Variables = std::map<std::string, std::string, std::less<>>;

/// Values that stand for variables and placeholders while a scenario is played.
struct Meaning {
  const Version* version = nullptr;
  Identity identity{};
  std::int64_t utc_ns = 0;
  const VersionNames* names = nullptr;   ///< Null: fields are numbers.
  const Variables* variables = nullptr;  ///< Null: there are none.
  std::string_view fresh_prefix{};       ///< Beginning of each `<fresh>` id.
  std::uint64_t* fresh_count = nullptr;  ///< Ids made so far.
  std::string_view last_sent{};          ///< The peer's last message, for `<sent>`.
};

/// A piece of a message's text.
struct Piece {
  std::string tag;             ///< Number of the field; empty: `value` is the whole piece.
  std::size_t occurrence = 1;  ///< `270[2]`: the second one in the message.
  bool by_name = false;        ///< The field was given by name, and so may its value be.
  bool literal = false;        ///< The value has no variables.
  std::string value;           ///< As in the text.
};

/// Splits a text, after replacing `order(ID)`, and finds the fields' numbers. A first piece that
/// names a message becomes its MsgType. The error names what the dictionary does not have.
[[nodiscard]] std::expected<std::vector<Piece>, std::string> pieces_of(std::string_view text,
                                                                       const Meaning& meaning);

/// Replaces `$name`, `${name}` and `$$`, and `<now>`, `<now-10s>`, `<now+10s>`, `<date>`, `<end>`
/// (16 for an open range), `<begin>` (BeginString), `<us>`, `<them>` (CompIDs), `<long>` (8192
/// bytes), `<fresh>` (an id that was never used).
[[nodiscard]] std::string expand(std::string_view text, const Meaning& meaning);

/// Value of a piece on the wire: expanded, and the code of a value that is given by name.
[[nodiscard]] std::string written_value(const Piece& piece, const Meaning& meaning);

/// The first variable in `text` without a value; empty: none.
[[nodiscard]] std::string_view missing_variable(std::string_view text, const Variables& variables);

/// UTC time stamp with milliseconds, or without before FIX.4.2.
[[nodiscard]] std::string time_text(std::int64_t utc_ns, const Version& version);

/// Tags and values of a message's bytes, in order; a field without `=` has an empty tag.
[[nodiscard]] std::vector<std::pair<std::string_view, std::string_view>> fields_of(
    std::string_view message);

/// The `occurrence`-th value of a field.
[[nodiscard]] std::optional<std::string> value_of(std::string_view message, std::string_view tag,
                                                  std::size_t occurrence = 1);

/// A complete message from the peer: 8, 9, 35, 34, 49, 56, 52, other header fields, the given
/// fields, 10. Fields given in `pieces` replace the default, and `tag=<none>` omits one. `sequence`
/// is used if 34 is not given; the result's `numbered` shows that.
struct Written {
  std::string bytes;
  bool numbered = false;
};

[[nodiscard]] Written write_message(std::vector<Piece> pieces, const Meaning& meaning,
                                    std::uint64_t sequence, SendFault fault = SendFault::None);

/// A stored message as it is sent again: PossDupFlag (43), OrigSendingTime (122), the present time.
[[nodiscard]] std::string resent(std::string_view message, const Meaning& meaning);

/// Encoded fields after 35, for an application that sends them; and 35.
struct TypeAndBody {
  std::string type;
  std::string body;
};

[[nodiscard]] TypeAndBody type_and_body(const std::vector<Piece>& pieces, const Meaning& meaning);

/// Unchanged bytes with `|` replaced by SOH; `9=<length>` and `10=<sum>` are filled in.
[[nodiscard]] std::string write_raw(std::string_view text, const Meaning& meaning);

/// General fault of an engine's message, regardless of expectations: length, checksum, order of the
/// first fields, identity, time. Empty: none.
[[nodiscard]] std::string form_fault(std::string_view message, const Meaning& meaning);

/// Replaces SOH by `|`.
[[nodiscard]] std::string readable(std::string_view bytes);

}  // namespace affix::inline v0::certify
