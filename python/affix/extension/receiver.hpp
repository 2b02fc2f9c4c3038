// SPDX-License-Identifier: MIT
// A receive buffer: bytes of a stream in, views of whole messages out.
#pragma once

#include "affix/wire/framer.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <nanobind/nanobind.h>
#include <string_view>
#include <vector>

namespace affix::python {

/// Its messages view its buffer, and expire when it is fed again.
class Receiver {
 public:
  Receiver(nanobind::object codec, std::size_t message_bytes_max)
      : codec_(std::move(codec)), framer_(message_bytes_max) {}

  void feed(nanobind::handle data);

  /// The next whole message; an invalid object if there is none yet.
  [[nodiscard]] nanobind::object next(nanobind::handle self);

  std::uint64_t garbled = 0;        ///< Messages that failed their checks, and were left out.
  std::uint64_t skipped_bytes = 0;  ///< Bytes that belonged to no message.

  [[nodiscard]] std::array<nanobind::handle, 1> references() const noexcept { return {codec_}; }

  [[nodiscard]] std::size_t waiting() const noexcept { return bytes_.size() - consumed_; }

 private:
  nanobind::object codec_;
  wire::Framer framer_;
  std::vector<char> bytes_;
  std::size_t consumed_ = 0;
  std::uint64_t generation_ = 0;
};

void bind_receiver(nanobind::module_& module);

}  // namespace affix::python
