// SPDX-License-Identifier: MIT
// Messages and entries of groups as Python objects: views of bytes that they keep alive, or that
// expire.
#pragma once

#include "buffer.hpp"
#include "codec.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <nanobind/nanobind.h>
#include <string>
#include <string_view>

namespace affix::python {

/// Result of a lookup.
enum class Found : std::uint8_t {
  Value,
  Missing,
  Error,  ///< A Python exception is set.
};

/// A session's notes on a message that it delivered.
struct Delivered {
  nanobind::object session;
  std::uint64_t receipt = 0;
  bool possible_duplicate = false;
  bool possible_resend = false;
  bool redelivered = false;
};

/// Views the bytes of `source`: nothing is copied, and a field becomes a Python object when it is
/// asked for.
class Message {
 public:
  /// `codec` is the object of a Codec. With `live`, which `source` keeps, the view expires when
  /// that number changes.
  Message(nanobind::object codec, nanobind::object source, std::string_view bytes,
          const std::uint64_t* live = nullptr);
  Message(const Message&) = delete;
  Message& operator=(const Message&) = delete;
  ~Message();

  /// Has the buffer that the bytes are in, until release().
  void keep(std::unique_ptr<Buffer> buffer) noexcept { buffer_ = std::move(buffer); }

  /// Lets the buffer go: every later use raises.
  void release() noexcept;

  /// False, with ExpiredError set: the bytes are gone.
  [[nodiscard]] bool is_live() const noexcept {
    if (live_ == nullptr ? data_ != nullptr : *live_ == generation_) [[likely]] {
      return true;
    }
    set_expired();
    return false;
  }

  /// Throws if the bytes are gone.
  void check() const;

  [[nodiscard]] std::string_view bytes() const noexcept { return {data_, size_}; }

  /// Only while is_live(); valid until another message is read.
  [[nodiscard]] wire::MessageView view() const { return {bytes(), codec_->index_of(*this)}; }

  [[nodiscard]] Found find(PyObject* field, std::string_view& value) const;

  [[nodiscard]] Codec& codec() const noexcept { return *codec_; }

  [[nodiscard]] const nanobind::object& codec_object() const noexcept { return codec_object_; }

  [[nodiscard]] std::array<nanobind::handle, 4> references() const noexcept {
    return {delivered.session, source_, codec_object_,
            buffer_ != nullptr ? buffer_->exporter() : nanobind::handle()};
  }

  Delivered delivered;

 private:
  static void set_expired() noexcept;

  Codec* codec_;
  const char* data_;
  std::size_t size_;
  const std::uint64_t* live_;
  std::uint64_t generation_;
  nanobind::object codec_object_;
  nanobind::object source_;
  std::unique_ptr<Buffer> buffer_;
};

/// One entry of a repeating group.
class GroupEntry {
 public:
  GroupEntry(nanobind::object message, const wire::GroupDescription& description,
             std::uint32_t begin, std::uint32_t end);

  [[nodiscard]] Found find(PyObject* field, std::string_view& value) const;

  /// The entry in its message as it is now. Throws if the message has expired or has changed.
  [[nodiscard]] wire::GroupEntry entry() const;

  [[nodiscard]] Message& message() const noexcept { return *message_; }

  [[nodiscard]] const nanobind::object& message_object() const noexcept { return object_; }

  [[nodiscard]] const wire::GroupDescription& description() const noexcept { return *description_; }

  [[nodiscard]] std::array<nanobind::handle, 1> references() const noexcept { return {object_}; }

 private:
  nanobind::object object_;
  Message* message_;
  const wire::GroupDescription* description_;
  std::uint32_t begin_;
  std::uint32_t end_;
};

/// Throws TypeError for an object that is no Codec, or whose constructor has not run.
void check_codec(nanobind::handle codec);

/// A message over any object with a buffer. Throws ParseError for bytes that are no whole message,
/// unless `defective` ones are wanted too.
[[nodiscard]] nanobind::object parse(nanobind::handle codec, nanobind::handle data,
                                     bool defective = false);

/// A message over bytes of `source`.
[[nodiscard]] nanobind::object make_message(nanobind::handle codec, nanobind::object source,
                                            std::string_view bytes,
                                            const std::uint64_t* live = nullptr);

void bind_messages(nanobind::module_& module);

}  // namespace affix::python
