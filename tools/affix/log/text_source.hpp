// SPDX-License-Identifier: MIT
// Reads any engine's text log, or consecutive FIX messages without lines.
#pragma once

#include "log/byte_window.hpp"
#include "log/line_text.hpp"
#include "log/message_facts.hpp"
#include "log/raw_filter.hpp"
#include "log/source.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace affix::inline v0::tools::log {

struct TextOptions {
  /// Our CompID, for logs without directions: its messages are Out. Empty: taken from a QuickFIX
  /// file name, else unknown.
  std::string own_comp_id;

  /// True if an incomplete last line may still grow.
  bool growing = false;
};

/// Returns lines with a message, and as events lines with a time but no message. Data fields of a
/// message with SOH may contain line ends. `filter` outlives this.
class TextSource final : public Source {
 public:
  TextSource(ByteWindow window, const std::string& path, TextOptions options,
             const RawFilter& filter);

  [[nodiscard]] std::optional<Entry> next() override;

 private:
  /// The text up to the next line end or up to the end of a message.
  struct Piece {
    std::string_view text;
    std::optional<MessageStart> message;
    std::size_t message_size = 0;
    std::size_t consumed = 0;
  };

  [[nodiscard]] bool find_line(std::size_t from);
  [[nodiscard]] std::optional<Piece> next_piece();
  [[nodiscard]] std::optional<std::size_t> framed_size(std::size_t begin);
  [[nodiscard]] std::optional<Entry> entry_of(const Piece& piece);
  [[nodiscard]] std::optional<Entry> event_of(std::string_view line);

  ByteWindow window_;
  std::string source_name_;
  TextOptions options_;
  const RawFilter& filter_;
  std::size_t line_end_ = 0;  // Relative to the window's front; 0: not searched yet.
  std::size_t consumed_ = 0;  // Bytes of the last result of next().
  std::string converted_;
  std::string prefix_;  // A line that belongs to the message on the next line.
  SessionNames sessions_;
  bool reported_ = false;
};

}  // namespace affix::inline v0::tools::log
