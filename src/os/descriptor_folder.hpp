// SPDX-License-Identifier: MIT
// Where the system lists a process's descriptors. Private to os.
#pragma once

namespace affix::inline v0::os {

extern const char* const descriptor_folder;

}  // namespace affix::inline v0::os
