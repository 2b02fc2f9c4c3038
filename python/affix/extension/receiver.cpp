// SPDX-License-Identifier: MIT
// Frames a stream as a session does: garbled messages are counted and left out.
#include "receiver.hpp"

#include "buffer.hpp"
#include "codec.hpp"
#include "collection.hpp"
#include "message.hpp"
#include "raise.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace affix::python {

void Receiver::feed(nb::handle data) {
  const Buffer buffer(data);
  ++generation_;  // Before the bytes move.
  bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(consumed_));
  consumed_ = 0;
  const std::string_view added = buffer.bytes();
  bytes_.insert(bytes_.end(), added.begin(), added.end());
}

nb::object Receiver::next(nb::handle self) {
  const NoCollection quiet;  // A finalizer might feed this receiver, which moves its bytes.
  while (true) {
    const std::string_view rest(bytes_.data() + consumed_, bytes_.size() - consumed_);
    const wire::Frame frame = framer_.next(rest);
    if (frame.status == wire::FrameStatus::Partial) {
      return {};
    }
    consumed_ += frame.size;
    if (frame.status == wire::FrameStatus::Skip) {
      skipped_bytes += frame.size;
      continue;
    }
    nb::object message =
        make_message(codec_, nb::borrow(self), rest.substr(0, frame.size), &generation_);
    if (nb::inst_ptr<Message>(message)->view().index().clean()) {
      return message;
    }
    ++garbled;
  }
}

namespace {

PyType_Slot slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse<Receiver>)}, {0, nullptr}};

}  // namespace

void bind_receiver(nb::module_& module) {
  nb::class_<Receiver>(module, "Receiver", nb::type_slots(slots),
                       "A receive buffer: feed() it a stream's bytes, and iterate over the whole "
                       "messages. They view the buffer, and expire at the next feed().")
      .def(
          "__init__",
          [](Receiver* self, nb::handle codec, std::size_t message_bytes_max) {
            check_codec(codec);
            new (self) Receiver(nb::borrow(codec), message_bytes_max);
          },
          "codec"_a, "message_bytes_max"_a = wire::Framer::message_bytes_default,
          nb::sig("def __init__(self, codec: Codec, message_bytes_max: int = 1048576) -> None"))
      .def("feed", &Receiver::feed, "data"_a,
           nb::sig("def feed(self, data: typing_extensions.Buffer, /) -> None"),
           "Adds bytes as they come. Messages that were read before expire.")
      .def(
          "__iter__", [](nb::handle self) { return nb::borrow(self); },
          nb::sig("def __iter__(self) -> Receiver"))
      .def(
          "__next__",
          [](nb::pointer_and_handle<Receiver> self) {
            nb::object message = self.p->next(self.h);
            if (!message.is_valid()) {
              throw nb::stop_iteration();
            }
            return message;
          },
          nb::sig("def __next__(self) -> Message"))
      .def_ro("garbled", &Receiver::garbled,
              "Messages that failed a check, such as their checksum, and were left out.")
      .def_ro("skipped_bytes", &Receiver::skipped_bytes, "Bytes that belong to no message.")
      .def_prop_ro("waiting_bytes", &Receiver::waiting,
                   "Bytes of a message that has not come whole.");
}

}  // namespace affix::python
