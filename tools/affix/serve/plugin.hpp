// SPDX-License-Identifier: MIT
// Loads a plug-in's shared object, and the application that it makes.
#pragma once

#include "affix/base/error.hpp"
#include "affix/engine/plugin.hpp"
#include "affix/service/event_log.hpp"

#include <expected>
#include <memory>
#include <string>
#include <utility>

namespace affix::inline v0::tools::serve {

/// Keeps the file loaded; destroyed after the engine. Not movable: the plug-in has its address.
class LoadedPlugin {
 public:
  /// Loads the file, checks that it is a plug-in for this program, and makes its application.
  /// NotFound: no such file, or it cannot be loaded. Unsupported: no plug-in, or one built for
  /// another version. Denied: it made no application.
  [[nodiscard]] static std::expected<std::unique_ptr<LoadedPlugin>, base::Error> load(
      const std::string& path, const std::string& settings, service::EventLog& log);

  /// Does the same without making an application: checks that the file exists and fits.
  [[nodiscard]] static std::expected<void, base::Error> check(const std::string& path);

  LoadedPlugin(const LoadedPlugin&) = delete;
  LoadedPlugin& operator=(const LoadedPlugin&) = delete;
  ~LoadedPlugin();

  [[nodiscard]] host::Application& application() noexcept { return *application_; }

  [[nodiscard]] const char* name() const noexcept { return opened_.plugin->name; }

 private:
  /// A shared object, kept loaded.
  class Library {
   public:
    explicit Library(void* handle) noexcept : handle_(handle) {}

    Library(const Library&) = delete;

    Library(Library&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}

    Library& operator=(const Library&) = delete;
    Library& operator=(Library&&) = delete;
    ~Library();

    [[nodiscard]] void* handle() const noexcept { return handle_; }

   private:
    void* handle_;
  };

  struct Opened {
    Library library;
    const engine::Plugin* plugin = nullptr;
  };

  [[nodiscard]] static std::expected<Opened, base::Error> open(const std::string& path);

  LoadedPlugin(Opened opened, std::string settings, service::EventLog& log);

  Opened opened_;
  std::string settings_;
  engine::PluginHost host_;
  host::Application* application_ = nullptr;
};

}  // namespace affix::inline v0::tools::serve
