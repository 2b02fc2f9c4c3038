// SPDX-License-Identifier: MIT
// The two classes that a layout becomes: its accessors and its setters. Both are templates of the
// class that inherits them, so that a component is written once for all messages that hold it, and
// the compiler looks only at what a program uses. Their names and those of their parameters end
// with "_", as no name of a dictionary does (naming.hpp): whatever a dictionary calls its fields,
// they are not hidden and hide nothing.
#pragma once

#include "codegen/plan.hpp"
#include "codegen/source_text.hpp"

#include <span>
#include <string_view>

namespace affix::inline v0::codegen {

/// Includes what the layout's members need.
void include_members(const Plan& plan, const Layout& layout, SourceText& out);

/// `template <typename Self_> class <stem>Fields_`. Accessors of `ambiguous` look outside of groups
/// only; Self_ has group_list() then.
void emit_accessors(const Plan& plan, const Layout& layout, std::string_view stem,
                    std::span<const Item> ambiguous, SourceText& out);

/// `template <typename Self_, bool Required_, std::uint32_t At_, std::uint32_t After_>
/// class <stem>Setters_`: At_ is the place before the layout's first, After_ the last required
/// place before that; Required_, whether the whole is.
void emit_setters(const Plan& plan, const Layout& layout, std::string_view stem, SourceText& out);

/// The members of a writer that tell what is required: an array before it (in namespace detail) and
/// two functions within.
void emit_required_array(const Layout& layout, std::string_view file, SourceText& out);
void emit_required_members(const Layout& layout, std::string_view file, SourceText& out);

}  // namespace affix::inline v0::codegen
