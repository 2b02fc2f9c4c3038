// SPDX-License-Identifier: MIT
// A shared object that is not a plug-in.

extern "C" [[gnu::visibility("default")]] int foreign_function() noexcept;

int foreign_function() noexcept {
  return 1;
}
