// SPDX-License-Identifier: MIT
// Options of `affix cluster` and its two commands.
#include "cluster/command.hpp"

#include "affix/base/time.hpp"
#include "affix/os/clock.hpp"

#include "cluster/cluster.hpp"
#include "cluster/places.hpp"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <ctime>
#include <memory>
#include <string>
#include <utility>

namespace affix::inline v0::tools::cluster {

namespace {

/// Longer than a primary tries to hand over.
constexpr std::int64_t patience_ns = 15 * base::ns_per_second;

/// Pause between two looks while a group changes.
constexpr std::int64_t pause_ns = 50 * base::ns_per_ms;

struct Arguments {
  Given given;
  bool json = false;
  std::string group;
  std::string node;
};

void add_places(Command command, Given& given) {
  command.add_option("--config", given.configuration,
                     "Configuration of one of the nodes, which says where all of them are, and "
                     "where the token is");
  command
      .add_option("--nodes", given.nodes,
                  "Administration ports of the nodes, HOST:PORT each, with commas between them")
      .separated_by(',');
  command.add_option("--token", given.token,
                     "Token for these ports, file:PATH or env:NAME, instead of that of --config");
  command.add_option("--tls-ca", given.tls_file,
                     "Certificates or CAs, PEM, one of which each port must show");
}

int fail(const base::Error& error) {
  std::fprintf(stderr, "affix cluster: %s\n", error.text().c_str());
  return 1;
}

int show(const Arguments& arguments) {
  const auto places = places_of(arguments.given, Access::Read);
  if (!places) {
    return fail(places.error());
  }
  const ClusterView view = look(places->addresses, places->ask);
  std::fputs(arguments.json ? (json_of(view) + "\n").c_str() : text_of(view).c_str(), stdout);
  return view.silent.empty() ? 0 : 1;
}

template <typename Change>
int change(const Arguments& arguments, Change change) {
  auto places = places_of(arguments.given, Access::Operate);
  if (!places) {
    return fail(places.error());
  }
  const Changing changing{.addresses = std::move(places->addresses),
                          .ask = std::move(places->ask),
                          .patience_ns = patience_ns,
                          .pause =
                              [] {
                                const timespec pause{.tv_sec = 0, .tv_nsec = pause_ns};
                                ::nanosleep(&pause, nullptr);
                              },
                          .steady_ns = [] { return os::now().steady_ns; }};
  const auto done = change(changing);
  if (!done) {
    return fail(done.error());
  }
  std::printf("%s%s", done->c_str(), done->ends_with('\n') ? "" : "\n");
  return 0;
}

}  // namespace

void add_command(Command program) {
  Command command =
      program.add_command("cluster", "Show which node leads which failover group, and move groups");
  const auto arguments = std::make_shared<Arguments>();
  add_places(command, arguments->given);
  command.add_flag("--json", arguments->json, "The same as JSON");
  command.on_run([arguments] { return show(*arguments); });
  Command move = command.add_command("move", "Let another node lead a failover group");
  move.add_option("group", arguments->group, "Failover group").required();
  move.add_option("node", arguments->node, "Node that shall lead it").required();
  add_places(move, arguments->given);
  move.on_run([arguments] {
    return change(*arguments, [&](const Changing& changing) {
      return move_group(changing, arguments->group, arguments->node);
    });
  });
  Command drain =
      command.add_command("drain", "Let other nodes lead every failover group that a node leads");
  drain.add_option("node", arguments->node, "Node that shall lead none").required();
  add_places(drain, arguments->given);
  drain.on_run([arguments] {
    return change(*arguments,
                  [&](const Changing& changing) { return drain_node(changing, arguments->node); });
  });
}

}  // namespace affix::inline v0::tools::cluster
