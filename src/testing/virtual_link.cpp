// SPDX-License-Identifier: MIT
// Packets that arrive in order, and the ends of streams.
#include "testing/virtual_link.hpp"

#include <algorithm>
#include <limits>

namespace affix::inline v0::testing {

VirtualLink::VirtualLink(VirtualFabric& fabric, LinkId id, const NodeId (&nodes)[2],
                         const net::Address (&addresses)[2])
    : fabric_(fabric), id_(id) {
  for (unsigned side = 0; side < 2; ++side) {
    ends_[side].node = nodes[side];
    ends_[side].address = addresses[side];
  }
}

std::size_t VirtualLink::room(unsigned side) const noexcept {
  const std::size_t window = fabric_.conditions.window_bytes;
  return flows_[side].bytes >= window ? 0 : window - flows_[side].bytes;
}

std::size_t VirtualLink::write(unsigned side, std::string_view bytes) {
  if (ends_[side].broken || flows_[side].end != StreamEnd::None) {
    return 0;
  }
  const std::string_view taken = bytes.substr(0, room(side));
  flows_[side].full = taken.size() < bytes.size();
  flows_[side].bytes += taken.size();
  flows_[side].written += taken.size();
  if (!taken.empty()) {
    put(side, What::Bytes, taken);
  }
  return taken.size();
}

net::StreamPosition VirtualLink::position(unsigned side) const noexcept {
  const Flow& out = flows_[side];
  const Flow& in = flows_[1 - side];
  if (ends_[side].broken || ends_[side].closed) {
    return {.written = out.written, .read = in.read, .closed = true};
  }
  return {.written = out.written,
          .read = in.read,
          .unread = static_cast<std::uint32_t>(in.arrived.size()),
          .input_ended = in.end == StreamEnd::Arrived,
          .output_ended = out.end != StreamEnd::None};
}

void VirtualLink::put(unsigned from, What what, std::string_view bytes) {
  if (line_ != Line::Whole) {
    return;
  }
  const LinkConditions& conditions = fabric_.conditions;
  std::int64_t at = fabric_.steady_ns + conditions.delay_ns;
  if (conditions.jitter_ns > 0) {
    at += static_cast<std::int64_t>(fabric_.random() %
                                    static_cast<std::uint64_t>(conditions.jitter_ns));
  }
  Flow& flow = flows_[from];
  // After the bytes before it, since a reset destroys everything unread.
  flow.last_at_ns = std::max(flow.last_at_ns + (what == What::Reset ? 1 : 0), at);
  flow.packets.push_back({flow.last_at_ns, what, std::string(bytes)});
}

void VirtualLink::consume(unsigned side, std::size_t bytes) {
  Flow& flow = flows_[1 - side];
  flow.arrived.erase(0, bytes);
  flow.bytes -= bytes;
  flow.read += bytes;
  if (flow.full && bytes != 0) {
    flow.full = false;
    fabric_.wake(ends_[1 - side].node);
  }
}

void VirtualLink::shut_down(unsigned side) {
  if (flows_[side].end == StreamEnd::None && !ends_[side].broken) {
    flows_[side].end = StreamEnd::Sent;
    put(side, What::End, {});
  }
}

void VirtualLink::close(unsigned side, bool reset) {
  if (ends_[side].closed) {
    return;
  }
  ends_[side].closed = true;
  if (ends_[side].broken) {
    return;
  }
  if (reset || !flows_[1 - side].arrived.empty()) {
    put(side, What::Reset, {});
  } else {
    shut_down(side);
  }
}

bool VirtualLink::held(unsigned from) const noexcept {
  return !fabric_.held_back.empty() &&
         fabric_.held_back.contains({ends_[from].node, ends_[1 - from].node});
}

bool VirtualLink::arrive(std::int64_t now_ns) {
  bool arrived = false;
  for (unsigned from = 0; from < 2; ++from) {
    if (held(from)) {
      continue;
    }
    std::deque<Packet>& packets = flows_[from].packets;
    while (!packets.empty() && packets.front().at_ns <= now_ns) {
      Packet packet = std::move(packets.front());
      packets.pop_front();
      take(from, packet);
      arrived = true;
    }
  }
  return arrived;
}

void VirtualLink::take(unsigned from, Packet& packet) {
  const unsigned to = 1 - from;
  Flow& flow = flows_[from];
  End& end = ends_[to];
  if (end.broken) {
    return;
  }
  if (end.closed) {
    // The receiver is gone: its kernel answers bytes with a reset.
    flow.bytes -= packet.bytes.size();
    if (packet.what == What::Bytes) {
      put(to, What::Reset, {});
    }
    return;
  }
  switch (packet.what) {
    case What::Bytes:
      flow.arrived += packet.bytes;
      break;
    case What::End:
      flow.end = StreamEnd::Arrived;
      break;
    case What::Reset:
      end.broken = true;
      flow.arrived.clear();
      break;
  }
  fabric_.wake(end.node);
}

std::int64_t VirtualLink::next_arrival_ns() const noexcept {
  std::int64_t next = std::numeric_limits<std::int64_t>::max();
  for (unsigned from = 0; from < 2; ++from) {
    const std::deque<Packet>& packets = flows_[from].packets;
    next = packets.empty() || held(from) ? next : std::min(next, packets.front().at_ns);
  }
  return next;
}

void VirtualLink::cut(std::size_t from_connector, std::size_t to_connector) {
  if (line_ != Line::Whole) {
    return;
  }
  std::size_t left[2] = {from_connector, to_connector};
  for (unsigned from = 0; from < 2; ++from) {
    for (Packet& packet : flows_[from].packets) {
      packet.bytes.resize(std::min(packet.bytes.size(), left[from]));
      left[from] -= packet.bytes.size();
    }
    std::erase_if(flows_[from].packets, [](const Packet& packet) {
      return packet.what != What::Bytes || packet.bytes.empty();
    });
    put(from, What::Reset, {});
  }
  line_ = Line::Cut;
}

void VirtualLink::silence() {
  line_ = Line::Silent;
  flows_[0].packets.clear();
  flows_[1].packets.clear();
}

bool VirtualLink::corrupt(unsigned from, std::size_t offset) {
  for (Packet& packet : flows_[from].packets) {
    if (offset < packet.bytes.size()) {
      packet.bytes[offset] = static_cast<char>(packet.bytes[offset] ^ 0x11);
      return true;
    }
    offset -= packet.bytes.size();
  }
  return false;
}

std::size_t VirtualLink::bytes_on_the_way(unsigned from) const noexcept {
  std::size_t bytes = 0;
  for (const Packet& packet : flows_[from].packets) {
    bytes += packet.bytes.size();
  }
  return bytes;
}

}  // namespace affix::inline v0::testing
