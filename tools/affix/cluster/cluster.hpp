// SPDX-License-Identifier: MIT
// The nodes of a cluster as their administration ports describe them, and changes of a group's
// primary through these ports.
#pragma once

#include "affix/base/error.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <expected>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::tools::cluster {

/// Gives one command to a node's administration port: its address, the command, its arguments.
/// Returns the port's answer.
using AskNode = std::function<std::expected<nlohmann::ordered_json, base::Error>(
    const std::string& address, const std::string& command,
    const std::vector<std::string>& arguments)>;

/// A node's part in one failover group, as the node itself says.
struct MemberView {
  std::string node;
  std::string address;  ///< Of the node's administration port.
  std::string group;
  std::string role;     ///< "primary", "standby", "handing over".
  std::string primary;  ///< As the node knows it.
  std::string in_sync;  ///< Names with commas between them.
  std::uint64_t epoch = 0;
  bool alone = false;
  std::string note;  ///< Why it does not lead, or the state of its output.
  std::string store;
  std::string lag;  ///< As the primary sees it: "0 bytes, 0.0 ms"; empty: the primary is not known.

  [[nodiscard]] bool leads() const noexcept { return role == "primary" || role == "handing over"; }
};

/// A port that has not answered, and why.
struct SilentNode {
  std::string address;
  base::Error error;
};

/// The answers of all ports at about the same time.
struct ClusterView {
  std::vector<MemberView> members;  ///< By group, the primary first.
  std::vector<SilentNode> silent;

  /// The member that leads the group in the highest epoch; null: none of those that answered.
  [[nodiscard]] const MemberView* primary_of(std::string_view group) const noexcept;

  /// Null: the node has not answered, or the group has no such node.
  [[nodiscard]] const MemberView* find(std::string_view group,
                                       std::string_view node) const noexcept;
};

/// Asks every address. Blocks for up to three seconds for each that does not answer.
[[nodiscard]] ClusterView look(const std::vector<std::string>& addresses, const AskNode& ask);

/// A table for people.
[[nodiscard]] std::string text_of(const ClusterView& view);

/// The same as JSON: an object with `members` and `silent`.
[[nodiscard]] std::string json_of(const ClusterView& view);

/// Where a change of the primary looks, and how long it waits for its end.
struct Changing {
  std::vector<std::string> addresses;
  AskNode ask;
  std::int64_t patience_ns = 0;
  std::function<void()> pause;  ///< Between two looks.
  std::function<std::int64_t()> steady_ns;
};

/// Lets the primary of `group` hand over to `node`, and waits until that leads. Returns a sentence
/// about what has happened. NotFound: no node leads the group, or it has no such node among those
/// that answer; Denied: the primary refuses; TimedOut: it has not happened in time.
[[nodiscard]] std::expected<std::string, base::Error> move_group(const Changing& changing,
                                                                 const std::string& group,
                                                                 const std::string& node);

/// Lets `node` hand over every group that it leads, one after the other, to the first standby in
/// sync. Returns a line for each. Errors as above; groups that were handed over before stay there.
[[nodiscard]] std::expected<std::string, base::Error> drain_node(const Changing& changing,
                                                                 const std::string& node);

}  // namespace affix::inline v0::tools::cluster
