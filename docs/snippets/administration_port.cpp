// SPDX-License-Identifier: MIT
// Of docs/reference/admin.md: the administration port in a program of one's own. Compiled, not run.

#include "affix/admin.hpp"
#include "affix/engine.hpp"

#include <iostream>

namespace {

class MyProgram final : public affix::admin::Program {
 public:
  void log(affix::host::Event::Severity, std::string_view, std::string_view text,
           affix::base::MessageCode code) override {
    std::cerr << code.text() << ' ' << text << '\n';
  }

  [[nodiscard]] std::string log_place() const override { return "standard error"; }

  [[nodiscard]] std::string log_level() const override { return "INFO"; }

  void set_log_level(std::string_view) override {}

  [[nodiscard]] std::expected<affix::engine::Change, affix::config::Problems> reload() override {
    return std::unexpected(affix::config::Problems{
        {affix::base::ErrorCode::Unsupported, "this program has no file to read again", {}}});
  }
};

}  // namespace

/// Runs `engine` with its administration port until it is asked to stop.
bool run_with_port(const affix::config::Configuration& configuration,
                   const std::unique_ptr<affix::engine::Engine>& engine) {
  MyProgram program;
  auto server = affix::admin::Server::open(configuration.engine, *engine, program);
  if (!server) {
    std::cerr << server.error().text() << '\n';
    return false;
  }
  return engine->run();
}
