// SPDX-License-Identifier: MIT
// An application in a shared object of its own, for the program `affix serve`: the one symbol that
// such a file has, and what stands behind it. docs/reference/serve.md shows how to build one.
#pragma once

#include "affix/engine/application.hpp"
#include "affix/engine/session_handle.hpp"
#include "affix/wire/encoder.hpp"
#include "affix/wire/view.hpp"

#include <cstddef>
#include <cstdint>

namespace affix::inline v0::engine {

/// Grows when a plug-in built before would no longer work.
inline constexpr std::uint32_t plugin_abi = 2;

/// Sizes of the classes that go to and fro, as one number: a plug-in and a program that differ here
/// were built from different versions, or with settings that do not go together.
inline constexpr std::uint64_t plugin_layout = [] {
  std::uint64_t layout = 0;
  for (const std::size_t size :
       {sizeof(SessionHandle), sizeof(SendResult), sizeof(wire::MessageView),
        sizeof(wire::FieldIndex), sizeof(wire::Encoder), sizeof(Delivery), sizeof(LogonAnswer),
        sizeof(Event)}) {
    layout = layout * 1'021 + size;  // A prime above any of them.
  }
  return layout;
}();

/// What the program tells a plug-in. Views live as long as the program.
struct PluginHost {
  const char* settings = "";  ///< `plugin_settings` of the configuration.
  /// Writes a line to the program's log. Any thread. Neither text is null.
  void (*log)(void* context, Event::Severity severity, const char* session,
              const char* text) noexcept = nullptr;
  void* context = nullptr;  ///< For `log`.
};

/// What the entry point answers; lives as long as the shared object is loaded.
struct Plugin {
  std::uint32_t abi = plugin_abi;
  std::uint64_t layout = plugin_layout;
  const char* name = "";
  /// Makes the application, once, before the engine opens. Null: it cannot, and has said why
  /// through `host.log`; the program does not start then.
  Application* (*create)(const PluginHost& host) noexcept = nullptr;
  /// Destroys it, when the engine is gone.
  void (*destroy)(Application* application) noexcept = nullptr;
};

}  // namespace affix::inline v0::engine

/// The entry point: the file that defines it is a plug-in.
extern "C" [[gnu::visibility("default")]] const affix::engine::Plugin* affix_plugin() noexcept;
