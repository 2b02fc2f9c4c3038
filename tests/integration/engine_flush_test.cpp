// SPDX-License-Identifier: MIT
// flush() sends waiting output before the turn's end; messages sent before it leave together.
#include "support/raw_peer.hpp"

#include <poll.h>

namespace affix::support {
namespace {

TEST(EngineFlush, SendsInTheMiddleOfATurn) {
  const TemporaryDirectory directory;
  config::Configuration configuration = acceptor_configuration();
  add_session(configuration, "VENUE", "FIRM", directory.path());
  Recorder application;
  const std::unique_ptr<engine::Engine> venue = open_engine(configuration, application);
  ASSERT_TRUE(venue);
  RawPeer peer(Engines{venue.get()}, "FIRM", "VENUE");
  peer.connect(port_of(*venue));
  static_cast<void>(peer.log_on());
  bool early = false;
  bool flushed = false;
  application.when_message = [&](host::SessionHandle session, const wire::MessageView&,
                                 const host::Delivery&) {
    EXPECT_TRUE(send_order(session, "one").sent());
    EXPECT_TRUE(send_order(session, "two").sent());
    pollfd input{peer.fd(), POLLIN, 0};
    early = ::poll(&input, 1, 0) > 0;
    session.flush();
    constexpr int patience_ms = 5'000;
    flushed = ::poll(&input, 1, patience_ms) > 0;
    peer.read();
    EXPECT_TRUE(peer.holds("one")) << "the flush did not send";
    EXPECT_TRUE(peer.holds("two")) << "the flush did not send all";
    EXPECT_TRUE(send_order(session, "three").sent());
  };
  peer.send("D", "11=go|");
  for (const std::string_view id : {"one", "two", "three"}) {
    EXPECT_EQ(peer.expect("D")[11], id);
  }
  EXPECT_FALSE(early) << "a message left before the flush or the turn's end";
  EXPECT_TRUE(flushed);
}

TEST(EngineFlush, OfNothingDoesNothing) {
  const TemporaryDirectory directory;
  config::Configuration configuration = acceptor_configuration();
  add_session(configuration, "VENUE", "FIRM", directory.path());
  Recorder application;
  const std::unique_ptr<engine::Engine> venue = open_engine(configuration, application);
  ASSERT_TRUE(venue);
  venue->sessions().front().flush();  // Not connected.
  RawPeer peer(Engines{venue.get()}, "FIRM", "VENUE");
  peer.connect(port_of(*venue));
  static_cast<void>(peer.log_on());
  venue->sessions().front().flush();
  peer.read();
  EXPECT_FALSE(peer.holds("35="));
}

}  // namespace
}  // namespace affix::support
