// SPDX-License-Identifier: MIT
// Keys of the application group and of routes, and keys of other engines that have no effect here.
#include "config/configuration_keys.hpp"

namespace affix::inline v0::config {

namespace {

namespace application_rows {

using Settings = ApplicationSettings;
using Key = ConfigurationKey<Settings>;

// clang-format off: one key a row, and its sentence of the reference on one line.
constexpr std::array table{
    Key{"application", choice_of<&Settings::application, ServedApplication::Echo, ServedApplication::DropCopy, ServedApplication::Router, ServedApplication::Plugin>()}.one_of("ECHO|DROP_COPY|ROUTER|PLUGIN").reloads(KeyReload::Refused)
        .means("what `affix serve` does with messages"),
    Key{"plugin_file", &Settings::plugin_file}.reloads(KeyReload::Refused).names(FileNeed::Readable)
        .means("PLUGIN: shared object that contains the application"),
    // Treated as secret, since a plug-in's author may store a password in it.
    Key{"plugin_settings", &Settings::plugin_settings}.kept_secret().reloads(KeyReload::Refused)
        .means("PLUGIN: text that is passed to the application unchanged"),
    Key{"drop_copy_from", &Settings::drop_copy_from}
        .means("DROP_COPY: comma-separated session groups whose messages are copied; empty: all but those of `drop_copy_to`"),
    Key{"drop_copy_to", &Settings::drop_copy_to}
        .means("DROP_COPY: comma-separated session groups that receive the copies"),
};
// clang-format on

}  // namespace application_rows

namespace route_rows {

using Settings = RouteSettings;
using Key = ConfigurationKey<Settings>;

// clang-format off: one key a row, and its sentence of the reference on one line.
constexpr std::array table{
    Key{"route_from", &Settings::route_from}
        .means("comma-separated session groups whose messages the route applies to; empty: all"),
    Key{"route_tag", &Settings::route_tag}.between(0, int31_max)
        .means("field that the route checks; 0: none"),
    Key{"route_values", &Settings::route_values}
        .means("comma-separated values of that field that the route applies to"),
    Key{"route_to", &Settings::route_to}
        .means("session group that receives the messages"),
};
// clang-format on

}  // namespace route_rows

constexpr std::string_view in_journal =
    "numbers and messages of both directions are in the session's journal, under journal_path";

constexpr std::string_view kernel_sets_rings =
    "the rings of a network card are the kernel's: ethtool -G sets them";

constexpr std::string_view log_has_its_thread =
    "the log is always written by a thread of its own, which the engine's never wait for";

constexpr std::array absent_table{
    AbsentKey{"spin_count", "1", "wait_mode and spin_microseconds say how a worker waits"},
    AbsentKey{"nic_ringbuffer_tx_size", "2048", kernel_sets_rings},
    AbsentKey{"nic_ringbuffer_rx_size", "4096", kernel_sets_rings},
    AbsentKey{"logger_async", "true", log_has_its_thread},
    AbsentKey{"logger_buffer_capacity", "65536", log_has_its_thread},
    AbsentKey{"refresh_resend_cache_during_promotion", "true",
              "a standby has the primary's whole journal (failover_group), and a promotion reads "
              "it anew"},
    AbsentKey{"sequence_store_file_path", "", in_journal},
    AbsentKey{"incoming_message_serialisation_path", "", in_journal},
    AbsentKey{"outgoing_message_serialisation_path", "", in_journal},
};

}  // namespace

std::span<const ConfigurationKey<ApplicationSettings>> application_keys() noexcept {
  return application_rows::table;
}

std::span<const ConfigurationKey<RouteSettings>> route_keys() noexcept {
  return route_rows::table;
}

std::span<const AbsentKey> absent_keys() noexcept {
  return absent_table;
}

}  // namespace affix::inline v0::config
