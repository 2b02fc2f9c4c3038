// SPDX-License-Identifier: MIT
// A client of NATS JetStream that publishes one message at a time and waits for its
// acknowledgement. Speaks the text protocol, over one connection without TLS.
#pragma once

#include "affix/net/address.hpp"

#include "measure/latency_histogram.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace affix_bench {

class Publisher {
 public:
  /// `spins`: looks at the socket without sleeping.
  explicit Publisher(bool spins) : spins_(spins) {}

  Publisher(const Publisher&) = delete;
  Publisher& operator=(const Publisher&) = delete;
  ~Publisher();

  /// Connects, and asks for the acknowledgements. False: error() says why.
  [[nodiscard]] bool open(const affix::net::Address& address);

  /// Publishes for so many nanoseconds on `subject`, `bytes` each, and records from the write to
  /// the acknowledgement. False: error() says why.
  [[nodiscard]] bool publish(std::string_view subject, std::size_t bytes, std::int64_t duration_ns,
                             affix::tools::LatencyHistogram& times);

  [[nodiscard]] const std::string& error() const noexcept { return error_; }

 private:
  [[nodiscard]] bool fail(std::string error);
  [[nodiscard]] bool send(std::string_view bytes);
  [[nodiscard]] bool read_more();
  [[nodiscard]] bool read_line();
  [[nodiscard]] bool await(std::string_view operation);
  [[nodiscard]] bool await_acknowledgement();

  bool spins_;
  int socket_ = -1;
  std::string input_;    ///< Read and not taken.
  std::size_t at_ = 0;   ///< Of `input_`: what is before it was taken.
  std::string line_;     ///< The last one, without its end.
  std::string message_;  ///< To publish.
  std::string error_;
};

}  // namespace affix_bench
