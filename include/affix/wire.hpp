// SPDX-License-Identifier: MIT
// Includes the whole codec: framing, index, view, groups, conversions, encoder, prepared messages.
#pragma once

#include "affix/wire/checksum.hpp"       // IWYU pragma: export
#include "affix/wire/convert.hpp"        // IWYU pragma: export
#include "affix/wire/encoder.hpp"        // IWYU pragma: export
#include "affix/wire/framer.hpp"         // IWYU pragma: export
#include "affix/wire/groups.hpp"         // IWYU pragma: export
#include "affix/wire/header_tags.hpp"    // IWYU pragma: export
#include "affix/wire/index.hpp"          // IWYU pragma: export
#include "affix/wire/kernel.hpp"         // IWYU pragma: export
#include "affix/wire/large_message.hpp"  // IWYU pragma: export
#include "affix/wire/msg_type.hpp"       // IWYU pragma: export
#include "affix/wire/prepared.hpp"       // IWYU pragma: export
#include "affix/wire/result.hpp"         // IWYU pragma: export
#include "affix/wire/secret_tags.hpp"    // IWYU pragma: export
#include "affix/wire/tag.hpp"            // IWYU pragma: export
#include "affix/wire/timestamp.hpp"      // IWYU pragma: export
#include "affix/wire/typed_fields.hpp"   // IWYU pragma: export
#include "affix/wire/value_text.hpp"     // IWYU pragma: export
#include "affix/wire/view.hpp"           // IWYU pragma: export
#include "affix/wire/written_tag.hpp"    // IWYU pragma: export
