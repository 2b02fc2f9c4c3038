// SPDX-License-Identifier: MIT
// Maps names to functions.
#include "admin/handlers.hpp"

#include <algorithm>
#include <array>

namespace affix::inline v0::admin {

namespace {

struct Named {
  std::string_view name;
  Handler handler;
};

constexpr std::array table{
    Named{"help", &help},
    Named{"get_uptime", &get_uptime},
    Named{"get_engine_version", &get_engine_version},
    Named{"get_engine_log_path", &get_engine_log_path},
    Named{"get_engine_log_level", &get_engine_log_level},
    Named{"set_engine_log_level", &set_engine_log_level},
    Named{"reopen_log", &reopen_log},
    Named{"get_configuration", &get_configuration},
    Named{"get_clients", &get_clients},
    Named{"get_servers", &get_servers},
    Named{"get_instance_config", &get_configuration},
    Named{"get_sessions", &get_sessions},
    Named{"get_session_state", &get_session_state},
    Named{"get_session_config", &get_session_configuration},
    Named{"get_all_session_states", &get_all_session_states},
    Named{"sessions", &sessions},
    Named{"enable_session", &enable_session},
    Named{"disable_session", &disable_session},
    Named{"connect", &connect},
    Named{"logout", &logout},
    Named{"disconnect", &disconnect},
    Named{"test_session", &test_session},
    Named{"add_session", &add_session},
    Named{"remove_session", &remove_session},
    Named{"reload", &reload},
    Named{"get_incoming_sequence_number", &get_incoming_sequence_number},
    Named{"get_outgoing_sequence_number", &get_outgoing_sequence_number},
    Named{"set_incoming_sequence_number", &set_incoming_sequence_number},
    Named{"set_outgoing_sequence_number", &set_outgoing_sequence_number},
    Named{"send_sequence_reset", &send_sequence_reset},
    Named{"reset_session", &reset_session},
    Named{"preview_resend", &preview_resend},
    Named{"tail", &tail},
    Named{"tap", &tap},
    Named{"latency", &latency},
    Named{"kill", &kill},
    Named{"resume", &resume},
};

}  // namespace

Handler find_handler(std::string_view command) noexcept {
  const auto found = std::find_if(table.begin(), table.end(),
                                  [command](const Named& named) { return named.name == command; });
  return found == table.end() ? nullptr : found->handler;
}

}  // namespace affix::inline v0::admin
