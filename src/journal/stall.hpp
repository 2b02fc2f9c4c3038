// SPDX-License-Identifier: MIT
// Tells a stall watch when the writer waits. Private to journal.
#pragma once

#include "affix/journal/stall_watch.hpp"

namespace affix::inline v0::journal {

/// Reports a stall of the writer for as long as it lives.
class Stall {
 public:
  explicit Stall(StallWatch* watch) noexcept : watch_(watch) {
    if (watch_ != nullptr) {
      watch_->on_stall_begin();
    }
  }

  Stall(const Stall&) = delete;
  Stall& operator=(const Stall&) = delete;

  ~Stall() {
    if (watch_ != nullptr) {
      watch_->on_stall_end();
    }
  }

 private:
  StallWatch* const watch_;
};

}  // namespace affix::inline v0::journal
