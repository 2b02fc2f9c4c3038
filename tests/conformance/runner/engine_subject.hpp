// SPDX-License-Identifier: MIT
// An affix engine under test: one session, an application that records its callbacks, and the
// journal in a temporary directory.
#pragma once

#include "affix/engine/engine.hpp"
#include "affix/net/reactor.hpp"

#include "certify/scenario.hpp"
#include "certify/stage.hpp"
#include "support/temporary_directory.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace affix::conformance {

using certify::Identity;
using certify::Reported;
using certify::Role;
using certify::Scenario;
using certify::Subject;
using certify::Version;

class EngineSubject final : public Subject {
 public:
  /// Makes the transport of an engine before it is opened.
  using MakeReactor = std::function<std::unique_ptr<net::Reactor>(const net::ReactorOptions&)>;

  /// `host` and `port`: an initiator connects there, an acceptor listens there (port 0: any).
  EngineSubject(const Scenario& scenario, Role role, const Version& version,
                const Identity& identity, std::string_view host, std::uint16_t port,
                MakeReactor make_reactor);
  ~EngineSubject() override;

  /// Opens the engine; call it first. The error is a text.
  [[nodiscard]] std::string open();

  [[nodiscard]] engine::Engine& engine() { return *engine_; }

  /// An acceptor's port.
  [[nodiscard]] std::uint16_t port() const { return port_; }

  [[nodiscard]] const Reported& reported() const override;
  [[nodiscard]] std::string send(std::string_view type, std::string_view body) override;
  void logout(std::string_view text) override;
  void reset() override;
  void refuse_logons(std::string text) override;
  void reject_messages(int reason, std::string text) override;
  [[nodiscard]] std::uint64_t next_sent() const override;
  [[nodiscard]] std::uint64_t next_expected() const override;
  [[nodiscard]] std::string left_behind(std::string_view text) const override;

  /// Ends like a killed process, and restarts with its files, or with none. The error is a text.
  [[nodiscard]] std::string kill(bool memory);

 private:
  class Listening;

  [[nodiscard]] host::SessionHandle session() const { return engine_->sessions().front(); }

  support::TemporaryDirectory directory_;
  std::string configuration_;  // In the operator's form.
  Role role_;
  std::uint16_t port_;
  MakeReactor make_reactor_;
  std::unique_ptr<Listening> application_;
  std::unique_ptr<engine::Engine> engine_;
};

}  // namespace affix::conformance
