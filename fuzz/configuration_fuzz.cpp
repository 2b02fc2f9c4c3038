// SPDX-License-Identifier: MIT
// Any text as a configuration file: a configuration that holds together, or a report that says what
// is wrong and where.
#include "affix/engine/configuration.hpp"

#include "engine/identity.hpp"
#include "engine/session_options.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

void require(bool condition) {
  if (!condition) {
    std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace affix::engine;
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const auto result = parse_configuration(text, "fuzz.ini");
  if (!result) {
    require(!result.error().empty());
    require(text_of(result.error()).find("fuzz.ini:") == 0);
    return 0;
  }
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
    // A path of one component, whatever the ids hold.
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
