// SPDX-License-Identifier: MIT
// Checks of client and server groups.
#include "affix/net/address.hpp"
#include "affix/net/reactor.hpp"
#include "affix/tls/tls_settings.hpp"

#include "config/address_keys.hpp"
#include "config/client_addresses.hpp"
#include "config/group_checks.hpp"
#include "config/instance_options.hpp"
#include "config/key_tables.hpp"
#include "config/platform_checks.hpp"
#include "config/session_options.hpp"
#include "config/tls_groups.hpp"
#include "config/value_checks.hpp"
#include "config/worker_plan.hpp"

#include <algorithm>
#include <string>

namespace affix::inline v0::config {

namespace {

void check_cores(const InstanceSettings& instance, Findings& findings) {
  const auto cores = worker_cores(instance.worker_core_ids, {});
  if (!cores) {
    findings.wrong("worker_core_ids", cores.error());
    return;
  }
  const auto workers = static_cast<std::size_t>(instance.worker_thread_count);
  if (findings.stand({"worker_thread_count"}) && workers != 0 && cores->size() > workers) {
    findings.no_effect("worker_core_ids",
                       "beyond the first " + std::to_string(workers) + " of its " +
                           std::to_string(cores->size()) +
                           " cores: so many are the workers (worker_thread_count)");
  }
}

/// Checks what client and server groups have in common.
void check_instance(const InstanceSettings& instance, const InstanceSettings& standard,
                    Findings& findings) {
  check_cores(instance, findings);
  check_instance_platform(instance, os::abilities(), findings);
  if (!instance.nic_address.empty() &&
      !net::Address::parse(host_and_port(instance.nic_address, 0))) {
    findings.wrong("nic_address", "'" + instance.nic_address + "' is not a numeric address",
                   "C245");
  }
  if (findings.stand({"wait_mode", "spin_microseconds"}) &&
      instance.wait_mode != WaitMode::SpinThenBlock &&
      instance.spin_microseconds != standard.spin_microseconds) {
    findings.no_effect("spin_microseconds", "it is for wait_mode=SPIN_THEN_BLOCK, and this is " +
                                                value_text("wait_mode", instance));
  }
  if (!findings.stand({"tx_encode_buffer_capacity"})) {
    return;
  }
  const auto outbox = static_cast<std::int64_t>(
      outbox_size(static_cast<std::size_t>(instance.tx_encode_buffer_capacity)));
  if (outbox != instance.tx_encode_buffer_capacity) {
    findings.raised("tx_encode_buffer_capacity", instance.tx_encode_buffer_capacity, outbox,
                    "the size of the largest step of a session");
  }
  const std::int64_t connection_bytes = net::ReactorOptions().tx_buffer_capacity;
  if (instance.tx_encode_buffer_capacity != standard.tx_encode_buffer_capacity &&
      instance.tx_encode_buffer_capacity < connection_bytes) {
    findings.beside("tx_encode_buffer_capacity",
                    std::to_string(instance.tx_encode_buffer_capacity) +
                        " bytes wait in the session, and its connection keeps up to " +
                        std::to_string(connection_bytes) + " more, as for every smaller value",
                    "C213");
  }
}

/// True if none of the keys for a group's TlsSettings is wrong.
bool encryption_stands(const Findings& findings) {
  return std::ranges::all_of(encryption_keys(),
                             [&findings](const auto& key) { return findings.stand({key.name}); });
}

/// A group with a certificate must not use plain text without a word. A choice (tls_peer_proof)
/// alone does not say that TLS is wanted: files of llfix have it beside use_ssl=false.
template <typename Group>
void find_idle_encryption(const Group& group, Findings& findings) {
  const Group standard;
  for_each_table<Group>([&](const auto& table) {
    for (const auto& key : table) {
      const bool is_standard = same_value(key, group, standard);
      if (key.feature == Feature::Encryption && key.allowed.empty() && !is_standard &&
          findings.stand({"tls", key.name})) {
        findings.no_effect(key.name, "tls is OFF, and the group speaks plain text", "C211");
      }
    }
  });
}

/// Checks the texts of TLS keys, and their combination. The files themselves are read when the
/// engine opens. With TLS off a group may lack required keys, but every value that it has must be
/// valid.
template <typename Group, typename... Host>
void check_encryption(const Group& group, Findings& findings, const Host&... host) {
  for (const TlsTextFault& fault : tls_text_faults(group)) {
    findings.wrong(fault.key, fault.error.message, fault.error.message_code);
  }
  if (group.tls != Encryption::On) {
    find_idle_encryption(group, findings);
    return;
  }
  if (!encryption_stands(findings)) {
    return;
  }
  if (const auto settings = tls_settings_of(group, host...); settings) {
    if (const auto checked = tls::check(*settings); !checked) {
      findings.wrong_as_said({}, checked.error().sentence(), checked.error().message_code);
    }
  }
}

void check_hosts(const ClientSettings& client, Findings& findings) {
  if (client.primary_address.empty()) {
    findings.missing("primary_address");
  }
  if (client.primary_port == 0) {
    findings.missing("primary_port");
  }
  if (const auto hosts = client_hosts(client); !hosts) {
    findings.wrong("further_addresses", hosts.error());
  }
  const bool has_port = client.secondary_port != 0;
  if (findings.stand({"secondary_address", "secondary_port"}) &&
      client.secondary_address.empty() == has_port) {
    const std::string_view given = has_port ? "secondary_port" : "secondary_address";
    findings.wrong_as_said(given,
                           "key '" + std::string(given) + "' needs key '" +
                               (has_port ? "secondary_address" : "secondary_port") + "' too",
                           "C228");
  }
}

}  // namespace

void check_client_group(const ClientSettings& client, Findings& findings) {
  findings.look_at(GroupKind::Client, client.name);
  const ClientSettings standard;
  check_values(client, standard, findings);
  check_instance(client, standard, findings);
  check_hosts(client, findings);
  if (findings.stand({"reconnect_milliseconds_max", "reconnect_milliseconds"}) &&
      client.reconnect_milliseconds_max < client.reconnect_milliseconds) {
    findings.wrong_together("reconnect_milliseconds_max",
                            std::to_string(client.reconnect_milliseconds_max) +
                                " is below reconnect_milliseconds, " +
                                std::to_string(client.reconnect_milliseconds),
                            "C239");
  }
  check_encryption(client, findings, client.primary_address);
}

void check_server_group(const ServerSettings& server, Findings& findings) {
  findings.look_at(GroupKind::Server, server.name);
  const ServerSettings standard;
  check_values(server, standard, findings);
  check_instance(server, standard, findings);
  for (const auto& [key, text] : address_keys_of(server)) {
    if (const auto addresses = net::AddressSet::parse(text); !addresses) {
      findings.wrong(key, addresses.error());
    }
  }
  check_encryption(server, findings);
}

}  // namespace affix::inline v0::config
