// SPDX-License-Identifier: MIT
// The two classes of a layout: accessors and setters. Both are templates of the class that inherits
// them, so that a component is written once for all messages that contain it, and the compiler only
// instantiates what a program uses. Their names and those of their parameters end with "_", as no
// name from a dictionary does (naming.hpp): names of fields neither hide them nor are hidden by
// them.
#pragma once

#include "codegen/plan.hpp"
#include "codegen/source_text.hpp"

#include <span>
#include <string_view>

namespace affix::inline v0::tools::codegen {

/// Includes the headers that the layout's members need.
void include_members(const Plan& plan, const Layout& layout, SourceText& out);

/// `template <typename Self_> class <stem>Fields_`. Accessors of `ambiguous` search only outside
/// groups; Self_ then has group_list().
void emit_accessors(const Plan& plan, const Layout& layout, std::string_view stem,
                    std::span<const Item> ambiguous, SourceText& out);

/// `template <typename Self_, bool Required_, std::uint32_t At_, std::uint32_t After_> class
/// <stem>Setters_`: At_ is the place before the layout's first, After_ the last required place
/// before that; Required_: the layout as a whole is required.
void emit_setters(const Plan& plan, const Layout& layout, std::string_view stem, SourceText& out);

/// Members of a writer that describe required fields: an array before it (in namespace detail) and
/// two functions in it.
void emit_required_array(const Layout& layout, std::string_view file, SourceText& out);
void emit_required_members(const Layout& layout, std::string_view file, SourceText& out);

}  // namespace affix::inline v0::tools::codegen
