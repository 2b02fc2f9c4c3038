// SPDX-License-Identifier: MIT
// A two-way stream between two nodes, as their kernels see it: bytes in transit, bytes that have
// arrived and are not read, and the end of each direction. Private to testing.
#pragma once

#include "affix/net/address.hpp"
#include "affix/net/stream_position.hpp"
#include "affix/testing/link_conditions.hpp"

#include "testing/virtual_fabric.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

namespace affix::inline v0::testing {

class VirtualLink {
 public:
  /// Side 0 connected, side 1 accepted.
  VirtualLink(VirtualFabric& fabric, LinkId id, const NodeId (&nodes)[2],
              const net::Address (&addresses)[2]);

  [[nodiscard]] LinkId id() const noexcept { return id_; }

  [[nodiscard]] NodeId node(unsigned side) const noexcept { return ends_[side].node; }

  [[nodiscard]] const net::Address& address(unsigned side) const noexcept {
    return ends_[side].address;
  }

  /// Another process of the same machine has that end of the link now.
  void move(unsigned side, NodeId node) noexcept { ends_[side].node = node; }

  // Operations of a side's kernel.

  /// Sends as many bytes as the window has room for; none after broken().
  [[nodiscard]] std::size_t write(unsigned side, std::string_view bytes);

  /// Bytes that write() would send.
  [[nodiscard]] std::size_t room(unsigned side) const noexcept;

  /// Bytes that have arrived; consume() makes room for more.
  [[nodiscard]] std::string_view readable(unsigned side) const noexcept {
    return flows_[1 - side].arrived;
  }

  void consume(unsigned side, std::size_t bytes);

  /// The other side has ended its stream, and everything before the end has been read.
  [[nodiscard]] bool ended(unsigned side) const noexcept {
    return flows_[1 - side].end == StreamEnd::Arrived && flows_[1 - side].arrived.empty();
  }

  /// A reset has come: unread bytes are lost, and nothing can be sent.
  [[nodiscard]] bool broken(unsigned side) const noexcept { return ends_[side].broken; }

  /// How far both streams are, as this side's kernel tells a later process.
  [[nodiscard]] net::StreamPosition position(unsigned side) const noexcept;

  /// Ends this side's stream in order.
  void shut_down(unsigned side);

  /// Releases this side's end of the link. In order if its stream was ended and everything was
  /// read, else with a reset, as kernels do. `reset` forces one.
  void close(unsigned side, bool reset = false);

  [[nodiscard]] bool closed(unsigned side) const noexcept { return ends_[side].closed; }

  // Operations of the network.

  /// Delivers what is due. True: something arrived, and its receivers were woken.
  bool arrive(std::int64_t now_ns);
  [[nodiscard]] std::int64_t next_arrival_ns() const noexcept;

  /// Nothing is in transit, nor held.
  [[nodiscard]] bool idle() const noexcept {
    return flows_[0].packets.empty() && flows_[1].packets.empty();
  }

  void cut(std::size_t from_connector, std::size_t to_connector);
  void silence();
  bool corrupt(unsigned from, std::size_t offset);
  [[nodiscard]] std::size_t bytes_on_the_way(unsigned from) const noexcept;

 private:
  enum class What : std::uint8_t { Bytes, End, Reset };

  struct Packet {
    std::int64_t at_ns = 0;
    What what = What::Bytes;
    std::string bytes;
  };

  /// How far the end of a stream is on its way.
  enum class StreamEnd : std::uint8_t { None, Sent, Arrived };

  enum class Line : std::uint8_t {
    Whole,
    Cut,     ///< Its reset is in transit: bytes sent now are lost.
    Silent,  ///< Nothing arrives any more.
  };

  /// One direction, named by its sender.
  struct Flow {
    std::deque<Packet> packets;
    std::string arrived;
    std::size_t bytes = 0;      // In transit and unread; of a silent link, everything since.
    std::uint64_t written = 0;  // By the sender, in all.
    std::uint64_t read = 0;
    std::int64_t last_at_ns = 0;
    bool full = false;  // A write filled the window, and the sender waits for room.
    StreamEnd end = StreamEnd::None;
  };

  struct End {
    NodeId node{};
    net::Address address;
    bool broken = false;
    bool closed = false;
  };

  /// Nothing that `from` sends arrives at present.
  [[nodiscard]] bool held(unsigned from) const noexcept;

  void put(unsigned from, What what, std::string_view bytes);
  void take(unsigned from, Packet& packet);

  VirtualFabric& fabric_;
  LinkId id_;
  End ends_[2];
  Flow flows_[2];
  Line line_ = Line::Whole;
};

}  // namespace affix::inline v0::testing
