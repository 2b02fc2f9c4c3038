// SPDX-License-Identifier: MIT
// `affix cluster` with ports of its own: what several nodes' answers show together, and orders to
// primaries that obey, refuse, or do nothing.
#include "cluster/cluster.hpp"

#include "support/has_message.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace affix::tools::cluster {
namespace {

using Json = nlohmann::ordered_json;

/// One node: which groups it leads, and whether it answers.
struct Node {
  std::string address;
  bool answers = true;
  bool refuses = false;
  bool idles = false;  ///< It begins hand-overs, and nothing comes of them.
};

/// Two nodes or more with the groups EUROPE and ASIA.
class Fleet {
 public:
  Fleet() {
    nodes_ = {{"A", {.address = "127.0.0.1:1"}}, {"B", {.address = "127.0.0.1:2"}}};
    primaries_ = {{"EUROPE", "A"}, {"ASIA", "B"}};
  }

  Node& node(const std::string& name) { return nodes_.at(name); }

  std::map<std::string, std::string>& primaries() { return primaries_; }

  [[nodiscard]] std::vector<std::string> addresses() const {
    std::vector<std::string> all;
    for (const auto& [name, node] : nodes_) {
      all.push_back(node.address);
    }
    return all;
  }

  AskNode ask() {
    return [this](const std::string& address, const std::string& command,
                  const std::vector<std::string>& arguments) -> std::expected<Json, base::Error> {
      for (const auto& [name, node] : nodes_) {
        if (node.address == address && node.answers) {
          return command == "get_replication" ? rows_of(name) : demote(name, node, arguments);
        }
      }
      return std::unexpected(base::Error{base::ErrorCode::Io, "no answer", address, "M104"});
    };
  }

  Changing changing() {
    return {.addresses = addresses(),
            .ask = ask(),
            .patience_ns = 10,
            .pause = [this] { ++now_ns_; },
            .steady_ns = [this] { return now_ns_; }};
  }

  std::vector<std::string> orders;

 private:
  Json rows_of(const std::string& name) const {
    Json rows = Json::array();
    for (const auto& [group, primary] : primaries_) {
      const bool leads = primary == name;
      Json row{{"group", group},
               {"role", leads ? "primary" : "standby"},
               {"epoch", epoch_},
               {"primary", primary},
               {"in_sync", "A,B"},
               {"alone", false},
               {"output", leads ? "passes" : ""},
               {"why_standby", leads ? "" : "the primary is connected"},
               {"standby", leads ? (name == "A" ? "B" : "A") : ""},
               {"connected", leads},
               {"in_gate", leads},
               {"late", false},
               {"lag_bytes", leads ? 120 : 0},
               {"lag_ms", 0.5},
               {"node", name},
               {"store", "done"}};
      rows.push_back(std::move(row));
    }
    return {{"status", "done"}, {"text", ""}, {"rows", rows}};
  }

  Json demote(const std::string& name, const Node& node, const std::vector<std::string>& words) {
    orders.push_back(name + " " + words.front());
    if (node.refuses) {
      return {{"status", "refused"}, {"text", "the node is not in sync"}, {"code", "R157"}};
    }
    if (!node.idles) {
      primaries_[words[0]] = words.size() > 1 ? words[1] : name == "A" ? "B" : "A";
      ++epoch_;
    }
    return {{"status", "begun"}, {"text", ""}};
  }

  std::map<std::string, Node> nodes_;
  std::map<std::string, std::string> primaries_;
  std::uint64_t epoch_ = 4;
  std::int64_t now_ns_ = 0;
};

bool contains(const std::string& text, const std::string& piece) {
  return text.find(piece) != std::string::npos;
}

TEST(Cluster, ATableHasEachGroupWithItsPrimaryFirst) {
  Fleet fleet;
  const std::string text = text_of(look(fleet.addresses(), fleet.ask()));
  EXPECT_EQ(text,
            "GROUP   NODE  ROLE     EPOCH  IN SYNC  BEHIND             STATE\n"
            "ASIA    B     primary  4      in sync  -                  output passes\n"
            "ASIA    A     standby  4      in sync  120 bytes, 0.5 ms  the primary is connected\n"
            "EUROPE  A     primary  4      in sync  -                  output passes\n"
            "EUROPE  B     standby  4      in sync  120 bytes, 0.5 ms  the primary is connected\n");
}

TEST(Cluster, ANodeThatIsSilentIsNamed) {
  Fleet fleet;
  fleet.node("A").answers = false;
  const ClusterView view = look(fleet.addresses(), fleet.ask());
  ASSERT_EQ(view.silent.size(), 1U);
  const std::string text = text_of(view);
  EXPECT_TRUE(contains(text, "127.0.0.1:1 does not answer")) << text;
  EXPECT_TRUE(contains(text, "NO NODE that answers leads EUROPE")) << text;
  const Json json = Json::parse(json_of(view));
  EXPECT_EQ(json["members"].size(), 2U);
  EXPECT_EQ(json["silent"][0]["address"], "127.0.0.1:1");
}

TEST(Cluster, AnswersOfAnotherFormAreNoMembers) {
  for (const char* const answer :
       {"{}", R"({"status":"done"})", R"({"status":"done","rows":7})",
        R"({"status":"done","rows":[1,"x",null]})",
        R"({"status":"done","rows":[{"group":1,"epoch":"x","lag_ms":[]}]})"}) {
    const ClusterView view =
        look({"127.0.0.1:1"},
             [&](auto&&...) -> std::expected<Json, base::Error> { return Json::parse(answer); });
    EXPECT_EQ(view.primary_of("EUROPE"), nullptr) << answer;
    static_cast<void>(text_of(view));
  }
}

TEST(Cluster, AGroupIsMovedByItsPrimary) {
  Fleet fleet;
  const auto moved = move_group(fleet.changing(), "EUROPE", "B");
  ASSERT_TRUE(moved) << moved.error().text();
  EXPECT_EQ(*moved, "failover group EUROPE: A -> B, epoch 5");
  EXPECT_EQ(fleet.orders, std::vector<std::string>{"A EUROPE"});
  const auto again = move_group(fleet.changing(), "EUROPE", "B");
  ASSERT_TRUE(again);
  EXPECT_TRUE(contains(*again, "already"));
  EXPECT_EQ(fleet.orders.size(), 1U);
}

TEST(Cluster, AMoveThatCannotBeIsRefused) {
  Fleet fleet;
  const auto code_of = [&](const char* group, const char* node) {
    const auto moved = move_group(fleet.changing(), group, node);
    return moved ? std::string() : std::string(moved.error().message_code.text());
  };
  EXPECT_EQ(code_of("AFRICA", "B"), "R304");
  EXPECT_EQ(code_of("EUROPE", "C"), "R304");
  fleet.node("A").refuses = true;
  EXPECT_EQ(code_of("EUROPE", "B"), "R305");
  fleet.node("A").refuses = false;
  fleet.node("A").idles = true;
  EXPECT_EQ(code_of("EUROPE", "B"), "R306");
  fleet.node("A").answers = false;
  EXPECT_EQ(code_of("EUROPE", "B"), "R304");
}

TEST(Cluster, ANodeIsDrainedOfEveryGroup) {
  Fleet fleet;
  fleet.primaries() = {{"AFRICA", "B"}, {"ASIA", "A"}, {"EUROPE", "A"}};
  const auto drained = drain_node(fleet.changing(), "A");
  ASSERT_TRUE(drained) << drained.error().text();
  EXPECT_EQ(*drained,
            "failover group ASIA: A -> B, epoch 5\nfailover group EUROPE: A -> B, epoch 6\n");
  const auto again = drain_node(fleet.changing(), "A");
  ASSERT_TRUE(again);
  EXPECT_EQ(*again, "node A leads no failover group\n");
  EXPECT_FALSE(drain_node(fleet.changing(), "C"));
}

}  // namespace
}  // namespace affix::tools::cluster
