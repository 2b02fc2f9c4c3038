// SPDX-License-Identifier: MIT
// A fixture of an acceptor engine, VENUE, with hand-written counterparties.
#pragma once

#include "affix/journal/reader.hpp"

#include "support/raw_peer.hpp"

#include <functional>
#include <list>
#include <memory>
#include <string>

namespace affix::support {

class VenueCase : public testing::Test {
 protected:
  /// Opens one session, FIRM, with its journal in the test's own directory.
  void open(const std::function<void(config::SessionSettings&)>& adjust = {}) {
    configuration_ = acceptor_configuration();
    config::SessionSettings& settings =
        add_session(configuration_, "VENUE", "FIRM", directory_.path());
    if (adjust) {
      adjust(settings);
    }
    start();
  }

  /// Opens the same settings again, on another port.
  void start() {
    venue_.reset();
    venue_ = open_engine(configuration_, application_);
    ASSERT_TRUE(venue_);
  }

  RawPeer& connect() {
    RawPeer& peer = peers_.emplace_back(Engines{venue_.get()}, "FIRM", "VENUE");
    peer.connect(port_of(*venue_));
    return peer;
  }

  [[nodiscard]] host::SessionHandle session() const { return venue_->sessions().front(); }

  template <typename Wanted>
  [[nodiscard]] bool turn_until(Wanted wanted, std::int64_t patience = patience_ns) const {
    return support::turn_until({venue_.get()}, wanted, patience);
  }

  /// All messages in the session's journal, one per line.
  [[nodiscard]] std::string journal_text() const {
    return text_of_journal(std::string(session().journal_directory()));
  }

  [[nodiscard]] static std::string text_of_journal(const std::string& directory) {
    std::string text;
    auto reader = journal::Reader::open(directory);
    EXPECT_TRUE(reader);
    while (const auto record = reader->next()) {
      text += std::string(record->bytes) + "\n";
    }
    return text;
  }

  TemporaryDirectory directory_;
  config::Configuration configuration_;
  Recorder application_;
  std::unique_ptr<engine::Engine> venue_;
  std::list<RawPeer> peers_;
};

}  // namespace affix::support
