// SPDX-License-Identifier: MIT
// An application in a shared object, for the program `affix serve`: the one symbol that the object
// exports, and the structs it refers to. docs/reference/serve.md shows how to build one.
#pragma once

#include "affix/host/application.hpp"
#include "affix/host/session_handle.hpp"
#include "affix/wire/encoder.hpp"
#include "affix/wire/view.hpp"

#include <cstddef>
#include <cstdint>

namespace affix::inline v0::engine {

/// Incremented when plug-ins built before would no longer work.
inline constexpr std::uint32_t plugin_abi = 3;

/// Sizes of the classes that plug-in and program exchange, as one number: if it differs, the two
/// were built from different versions or with incompatible settings.
inline constexpr std::uint64_t plugin_layout = [] {
  std::uint64_t layout = 0;
  for (const std::size_t size :
       {sizeof(host::SessionHandle), sizeof(host::SendResult), sizeof(wire::MessageView),
        sizeof(wire::FieldIndex), sizeof(wire::Encoder), sizeof(host::Delivery),
        sizeof(host::LogonAnswer), sizeof(host::Event)}) {
    layout = layout * 1'021 + size;  // A prime above any of them.
  }
  return layout;
}();

/// Services of the program for a plug-in. Views live as long as the program.
struct PluginHost {
  const char* settings = "";  ///< `plugin_settings` of the configuration.
  /// Writes a line to the program's log. Any thread. Neither text is null.
  void (*log)(void* context, host::Event::Severity severity, const char* session,
              const char* text) noexcept = nullptr;
  void* context = nullptr;  ///< For `log`.
};

/// The plug-in's description, returned by its entry point; lives as long as the object is loaded.
struct Plugin {
  std::uint32_t abi = plugin_abi;
  std::uint64_t layout = plugin_layout;
  const char* name = "";
  /// Creates the application, once, before the engine opens. Null: it failed and logged the reason
  /// through `host.log`; the program then does not start.
  host::Application* (*create)(const PluginHost& host) noexcept = nullptr;
  /// Destroys the application, after the engine.
  void (*destroy)(host::Application* application) noexcept = nullptr;
};

}  // namespace affix::inline v0::engine

/// The entry point: the file that defines it is a plug-in.
extern "C" [[gnu::visibility("default")]] const affix::engine::Plugin* affix_plugin() noexcept;
