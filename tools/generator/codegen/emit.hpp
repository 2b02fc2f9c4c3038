// SPDX-License-Identifier: MIT
// The emitters: one function per kind of header.
#pragma once

#include "codegen/generated_file.hpp"
#include "codegen/plan.hpp"

#include <vector>

namespace affix::inline v0::tools::codegen {

using Files = std::vector<GeneratedFile>;

/// Tags, enums one by one, all enums in one include, and the set of tags for the wire layer.
void emit_fields(const Plan& plan, Files& files);

/// A header per component and per group.
void emit_components(const Plan& plan, Files& files);
void emit_groups(const Plan& plan, Files& files);

/// Header and trailer, and a header per message.
void emit_header(const Plan& plan, Files& files);
void emit_messages(const Plan& plan, Files& files);

/// fwd.hpp, dispatch.hpp and the umbrella.
void emit_dispatch(const Plan& plan, Files& files);

/// Headers that compile tests include.
void emit_instantiations(const Plan& plan, Files& files);

/// Functions that visit every message, for tests that fill them.
void emit_exercise(const Plan& plan, Files& files);

/// Markdown instead of headers: a page per message, one for header and trailer, one per enum, and
/// README.md, which lists the messages. Paths are relative to the pages' folder.
void emit_pages(const Plan& plan, Files& files);

/// Last, since it describes the other headers.
void emit_version(const Plan& plan, Files& files);

}  // namespace affix::inline v0::tools::codegen
