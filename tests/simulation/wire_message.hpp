// SPDX-License-Identifier: MIT
// The messages in the bytes that a kernel took, read without the codec under test.
#pragma once

#include "simulation/referee.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace affix::simulation {

/// One message. Views of its bytes.
struct WireMessage {
  std::string_view type;
  std::string_view peer;  ///< TargetCompID.
  std::uint64_t number = 0;
  std::uint64_t content = 0;  ///< Hash of the parts that must be equal each time; never 0.
  bool duplicate = false;
  bool reset = false;

  /// A message of the session, which is never sent again.
  [[nodiscard]] bool is_admin() const noexcept;
};

[[nodiscard]] WireMessage read_wire_message(std::string_view bytes);

/// Cuts the bytes of connections into messages. The rule: what is taken on a connection, of however
/// many processes, are complete messages, one after the other.
class WireStreams {
 public:
  WireStreams(Referee& referee, std::string name) : referee_(referee), name_(std::move(name)) {}

  /// Calls `each` for every message that these bytes complete.
  void taken(std::uint64_t link, std::string_view bytes,
             const std::function<void(const WireMessage&)>& each);

 private:
  Referee& referee_;
  std::string name_;
  std::map<std::uint64_t, std::string> begun_;  // By link: part of a message.
};

}  // namespace affix::simulation
