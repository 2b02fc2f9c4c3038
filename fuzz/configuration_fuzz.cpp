// SPDX-License-Identifier: MIT
// Any text as a configuration file: a consistent configuration, or a report with faults and their
// places.
#include "affix/config/configuration.hpp"

#include "config/configuration_source.hpp"
#include "config/identity.hpp"
#include "config/read_configuration.hpp"
#include "config/session_options.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

namespace {

using affix::base::Error;

/// The input after a line `%` is the content of every included file and of variables with
/// one-letter names; the system's files and variables are out of reach.
class InputSource final : public affix::config::ConfigurationSource {
 public:
  explicit InputSource(std::string_view text) : text_(text) {}

  std::expected<std::string, Error> read(const std::string& path, std::size_t bytes_max) override {
    if (path.ends_with("missing") || text_.size() > bytes_max) {
      return std::unexpected(Error{affix::base::ErrorCode::NotFound, "cannot be opened", path});
    }
    return std::string(text_);
  }

  std::optional<std::string> variable(const std::string& name) override {
    return name.size() == 1 ? std::optional<std::string>(text_) : std::nullopt;
  }

 private:
  std::string_view text_;
};

void require(bool condition) {
  if (!condition) {
    std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace affix::config;
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  constexpr std::string_view separator = "\n%\n";
  const std::size_t end = std::min(text.find(separator), text.size());
  InputSource source(text.substr(std::min(end + separator.size(), text.size())));
  const auto read = read_configuration(text.substr(0, end), "fuzz.ini", source, FileCheck::Omit);
  if (!read) {
    require(!read.error().empty());
    for (const auto& problem : read.error()) {
      require(!problem.message.empty() && !problem.where.empty());
    }
    return 0;
  }
  const Configuration* const result = &read->configuration;
  require(!result->clients.empty() || !result->servers.empty());
  std::size_t owned = 0;
  for (const auto& client : result->clients) {
    owned += result->sessions_of(client.name).size();
  }
  for (const auto& server : result->servers) {
    owned += result->sessions_of(server.name).size();
  }
  require(owned == result->sessions.size());
  for (const SessionSettings& session : result->sessions) {
    require(!session.sender_comp_id.empty() && !session.target_comp_id.empty());
    // A path of one component, whatever the ids contain.
    const std::string directory = directory_name(session);
    require(directory.find('/') == std::string::npos && directory.find('\0') == std::string::npos);
    require(!identity_key(session).empty());
    const auto texts = session_texts(session);
    if (texts) {
      static_cast<void>(affix::session::option_fault(
          session_options(session, *texts, affix::session::Role::Acceptor)));
      static_cast<void>(journal_options(session));
    }
  }
  return 0;
}
