// SPDX-License-Identifier: MIT
// The two classes that a layout becomes: its accessors and its setters. Both are templates of the
// class that inherits them, so that a component is written once for all messages that hold it, and
// the compiler looks only at what a program uses.
#pragma once

#include "codegen/plan.hpp"
#include "codegen/source_text.hpp"

#include <span>
#include <string_view>

namespace affix::inline v0::codegen {

/// Includes what the layout's members need.
void include_members(const Plan& plan, const Layout& layout, SourceText& out);

/// `template <typename Self> class <stem>Fields`. Accessors of `ambiguous` look outside of groups
/// only; Self has group_list() then.
void emit_accessors(const Plan& plan, const Layout& layout, std::string_view stem,
                    std::span<const Item> ambiguous, SourceText& out);

/// `template <typename Self, bool Required, std::uint32_t At, std::uint32_t After>
/// class <stem>Setters`: At is the place before the layout's first, After the last required place
/// before that; Required, whether the whole is.
void emit_setters(const Plan& plan, const Layout& layout, std::string_view stem, SourceText& out);

/// The members of a writer that tell what is required: an array before it (in namespace detail) and
/// two functions within.
void emit_required_array(const Layout& layout, std::string_view file, SourceText& out);
void emit_required_members(const Layout& layout, std::string_view file, SourceText& out);

}  // namespace affix::inline v0::codegen
