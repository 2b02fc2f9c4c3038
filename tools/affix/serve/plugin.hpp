// SPDX-License-Identifier: MIT
// A plug-in's shared object, and the application it makes.
#pragma once

#include "affix/base/error.hpp"
#include "affix/engine/plugin.hpp"

#include "process/event_log.hpp"

#include <expected>
#include <memory>
#include <string>

namespace affix::inline v0::tools::serve {

/// Keeps the file loaded; destroyed behind the engine. Not moved: the plug-in has its address.
class LoadedPlugin {
 public:
  /// Loads the file, looks whether it is a plug-in of this program's kind, and has it make its
  /// application. NotFound: no such file, or none that can be loaded. Unsupported: no plug-in, or
  /// one built for another version. Denied: it made no application.
  [[nodiscard]] static std::expected<std::unique_ptr<LoadedPlugin>, base::Error> load(
      const std::string& path, const std::string& settings, EventLog& log);

  LoadedPlugin(const LoadedPlugin&) = delete;
  LoadedPlugin& operator=(const LoadedPlugin&) = delete;
  ~LoadedPlugin();

  [[nodiscard]] engine::Application& application() noexcept { return *application_; }

  [[nodiscard]] const char* name() const noexcept { return plugin_->name; }

 private:
  LoadedPlugin(void* library, std::string settings, EventLog& log);

  void* library_;
  std::string settings_;
  engine::PluginHost host_;
  const engine::Plugin* plugin_ = nullptr;
  engine::Application* application_ = nullptr;
};

}  // namespace affix::inline v0::tools::serve
