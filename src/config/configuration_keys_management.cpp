// SPDX-License-Identifier: MIT
// Keys of the administration port.
#include "config/configuration_keys.hpp"

namespace affix::inline v0::config {

namespace management_rows {

using Settings = ManagementSettings;
using Key = ConfigurationKey<Settings>;

// clang-format off: one key a row, and its sentence of the reference on one line.
constexpr std::array table{
    Key{"management_server_port", &Settings::management_server_port}.between(-1, 65'535)
        .means("port for operators, see [administration](admin.md); 0: none; -1: the kernel chooses one, and the program prints it"),
    Key{"management_server_nic_ip", &Settings::management_server_nic_ip}.written_as("numeric address").part_of(Feature::AdministrationPort)
        .means("address to which the port is bound; empty: 127.0.0.1. An address that other machines can reach requires TLS and a token"),
    Key{"management_server_cpu_core_id", &Settings::management_server_cpu_core_id}.between(-1, 4'095).part_of(Feature::AdministrationPort)
        .means("core to which the port's thread is pinned; -1: none"),
    Key{"management_local_role", choice_of<&Settings::management_local_role, LocalRole::None, LocalRole::Read, LocalRole::Operate>()}.one_of("NONE|READ|OPERATE").part_of(Feature::AdministrationPort)
        .means("role of clients without a token on a loopback port; on other addresses they have none"),
    Key{"management_read_token", &Settings::management_read_token}.written_as("file:PATH, env:NAME").names(FileNeed::SecretPlace).part_of(Feature::AdministrationPort)
        .means("location of the token that permits reading, 16 to 256 characters"),
    Key{"management_operate_token", &Settings::management_operate_token}.written_as("file:PATH, env:NAME").names(FileNeed::SecretPlace).part_of(Feature::AdministrationPort)
        .means("location of the token that permits changes"),
    Key{"management_users_file", &Settings::management_users_file}.names(FileNeed::Readable).part_of(Feature::AdministrationPort)
        .means("file of operators with tokens of their own, one line each: `NAME READ TOKEN` or `NAME OPERATE TOKEN`; the audit trail names them"),
    Key{"kill_switch_file", &Settings::kill_switch_file}.names(FileNeed::Creatable)
        .means("file in which `kill` and `resume` are recorded, on the disk before they are answered, so that a restart keeps sessions stopped. Empty: a restart releases the kill switch"),
    Key{"management_connections_max", &Settings::management_connections_max}.between(1, 1'024).part_of(Feature::AdministrationPort)
        .means("maximum number of open connections to the port"),
    Key{"management_tls_certificate_file", &Settings::management_tls_certificate_file}.names(FileNeed::Readable).part_of(Feature::AdministrationPort)
        .means("certificate of the port, followed by the intermediate certificates up to its CA, PEM; empty: no TLS"),
    Key{"management_tls_key_file", &Settings::management_tls_key_file}.names(FileNeed::Readable).part_of(Feature::AdministrationPort)
        .means("private key of that certificate, PEM"),
    Key{"management_tls_ca_file", &Settings::management_tls_ca_file}.names(FileNeed::Readable).part_of(Feature::AdministrationPort)
        .means("CA that must have issued a client's certificate; empty: clients need none"),
};
// clang-format on

}  // namespace management_rows

std::span<const ConfigurationKey<ManagementSettings>> management_keys() noexcept {
  return management_rows::table;
}

}  // namespace affix::inline v0::config
