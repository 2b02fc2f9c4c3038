// SPDX-License-Identifier: MIT
// Calls dlopen, and checks a plug-in before calling its functions.
#include "serve/plugin.hpp"

#include <dlfcn.h>

namespace affix::inline v0::tools::serve {

namespace {

using base::ErrorCode;

std::unexpected<base::Error> refused(ErrorCode code, std::string text, const std::string& path,
                                     base::MessageCode message_code) {
  return std::unexpected(base::Error{code, std::move(text), path, message_code});
}

/// The error of dlopen or dlsym, which names the file already.
std::string load_error() {
  const char* const text = ::dlerror();
  return text == nullptr ? "cannot be loaded" : text;
}

void write_log(void* context, host::Event::Severity severity, const char* session,
               const char* text) noexcept {
  static_cast<service::EventLog*>(context)->write(severity, session, text);
}

}  // namespace

LoadedPlugin::Library::~Library() {
  if (handle_ != nullptr) {
    ::dlclose(handle_);
  }
}

LoadedPlugin::LoadedPlugin(Opened opened, std::string settings, service::EventLog& log)
    : opened_(std::move(opened)),
      settings_(std::move(settings)),
      host_{.settings = settings_.c_str(), .log = &write_log, .context = &log} {}

LoadedPlugin::~LoadedPlugin() {
  if (application_ != nullptr) {
    opened_.plugin->destroy(application_);
  }
}

std::expected<LoadedPlugin::Opened, base::Error> LoadedPlugin::open(const std::string& path) {
  // A name without a slash would be searched in the library path.
  const std::string file = path.find('/') == std::string::npos ? "./" + path : path;
  // Resolves all symbols now: a missing one must be reported before sessions are up.
  Opened opened{Library(::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL))};
  if (opened.library.handle() == nullptr) {
    return refused(ErrorCode::NotFound, load_error(), path, "C406");
  }
  using EntryPoint = const engine::Plugin* (*)() noexcept;
  const auto entry = reinterpret_cast<EntryPoint>(::dlsym(opened.library.handle(), "affix_plugin"));
  if (entry == nullptr) {
    return refused(ErrorCode::Unsupported, "is not a plug-in: it has no function affix_plugin",
                   path, "C406");
  }
  const engine::Plugin* const plugin = entry();
  if (plugin == nullptr || plugin->abi != engine::plugin_abi) {
    return refused(ErrorCode::Unsupported,
                   "is a plug-in of interface " +
                       (plugin == nullptr ? std::string("unknown") : std::to_string(plugin->abi)) +
                       ", this program has " + std::to_string(engine::plugin_abi),
                   path, "C407");
  }
  if (plugin->layout != engine::plugin_layout) {
    return refused(ErrorCode::Unsupported,
                   "was built with another version of affix, or with settings that do not go with "
                   "this program's",
                   path, "C407");
  }
  if (plugin->create == nullptr || plugin->destroy == nullptr) {
    return refused(ErrorCode::Unsupported, "has no function that makes or ends its application",
                   path, "C406");
  }
  opened.plugin = plugin;
  return opened;
}

std::expected<void, base::Error> LoadedPlugin::check(const std::string& path) {
  if (auto opened = open(path); !opened) {
    return std::unexpected(std::move(opened.error()));
  }
  return {};
}

std::expected<std::unique_ptr<LoadedPlugin>, base::Error> LoadedPlugin::load(
    const std::string& path, const std::string& settings, service::EventLog& log) {
  auto opened = open(path);
  if (!opened) {
    return std::unexpected(std::move(opened.error()));
  }
  std::unique_ptr<LoadedPlugin> loaded(new LoadedPlugin(std::move(*opened), settings, log));
  loaded->application_ = loaded->opened_.plugin->create(loaded->host_);
  if (loaded->application_ == nullptr) {
    return refused(ErrorCode::Denied, "made no application; the log may say why", path, "C406");
  }
  return loaded;
}

}  // namespace affix::inline v0::tools::serve
