// SPDX-License-Identifier: MIT
// Replaces a small file as a whole.
#pragma once

#include "affix/base/error.hpp"

#include <expected>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace affix::inline v0::os {

/// Makes `bytes` the contents of the file at `path`, on the disk when it returns: the former file
/// or the new one is there, complete, at any time, also after a power failure. Writes a new file of
/// the name with ".new" appended and these permissions, and renames it, so one writer at a time. On
/// an error nothing is left of the new file, and the former one is unchanged, unless only the
/// directory could not be flushed. Errors: NoSpace, Denied, NotFound (no such directory), Io; their
/// place is `path`. Waits for the disk; allocates. Any thread.
[[nodiscard]] std::expected<void, base::Error> replace_file(const std::string& path,
                                                            std::string_view bytes,
                                                            mode_t permissions);

}  // namespace affix::inline v0::os
