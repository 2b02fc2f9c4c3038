// SPDX-License-Identifier: MIT
// Keys of client and server groups.
#include "config/configuration_keys.hpp"
#include "config/worker_plan.hpp"

#include <array>

namespace affix::inline v0::config {

namespace {

namespace instance_rows {

using Settings = InstanceSettings;
using Key = ConfigurationKey<Settings>;

// clang-format off: one key a row, and its sentence of the reference on one line.
constexpr std::array table{
    Key{"cpu_core_id", &Settings::cpu_core_id}.between(-1, 4'095)
        .means("core to which the worker is pinned; -1: none. For a server group with several workers: core of the accepting thread"),
    Key{"nic_address", &Settings::nic_address}.written_as("numeric address")
        .means("local address to bind to"),
    Key{"nic_name", &Settings::nic_name}
        .means("network interface to bind to"),
    Key{"socket_rx_size", &Settings::socket_rx_size}.between(2'048, buffer_max).in(Measure::Bytes)
        .means("size of the kernel's receive buffer, bytes"),
    Key{"socket_tx_size", &Settings::socket_tx_size}.between(2'048, buffer_max).in(Measure::Bytes)
        .means("size of the kernel's send buffer, bytes"),
    Key{"rx_buffer_capacity", &Settings::rx_buffer_capacity}.between(4'096, buffer_max).in(Measure::Bytes)
        .means("maximum number of bytes buffered for an incomplete message of a connection; the largest value of all groups applies to all, and a message of `max_message_bytes` always fits"),
    Key{"tx_encode_buffer_capacity", &Settings::tx_encode_buffer_capacity}.between(4'096, buffer_max).in(Measure::Bytes)
        .means("maximum number of bytes of output that wait in a session, at least 32 KiB; its connection buffers as many again, at least 1 MiB"),
    Key{"disable_nagle", &Settings::disable_nagle}
        .means("sends small messages at once (TCP_NODELAY)"),
    Key{"quick_ack", &Settings::quick_ack}
        .means("acknowledges received data at once (TCP_QUICKACK)"),
    Key{"send_try_count", &Settings::send_try_count}.between(0, int31_max)
        .means("seconds for which output may wait for a peer that does not read, one attempt per second; then the session is disconnected. 0, or more than `output_timeout_seconds`: that time"),
    Key{"receive_size", &Settings::receive_size}.between(0, buffer_max).in(Measure::Bytes)
        .means("maximum number of bytes of one read; 0: 32 KiB. After 32 KiB of one connection the others are read. The smallest value of all groups applies to all"),
    Key{"async_io_timeout_nanoseconds", &Settings::async_io_timeout_nanoseconds}.between(0, 3'600'000'000'000)
        .means("maximum wait for the kernel in one poll iteration; 0: as `wait_mode` says, until a timer is due. The smallest value of all groups applies to all"),
    Key{"worker_thread_count", &Settings::worker_thread_count}.between(0, workers_max)
        .means("number of threads over which the group's sessions are spread, see [Workers](#workers); 0: one for each physical core that the process may use, but not more than a cgroup's quota (`cpu.max`) allows for"),
    Key{"worker_core_ids", &Settings::worker_core_ids}.written_as("AUTO, or comma-separated cores")
        .means("comma-separated cores to which the workers are pinned, in order; `AUTO`: the physical cores in order"),
    Key{"reactor", choice_of<&Settings::reactor, ReactorKind::Epoll, ReactorKind::Poll, ReactorKind::IoUring>()}.one_of("EPOLL|POLL|IO_URING")
        .means("kernel interface for socket events; `EPOLL` is `POLL` on systems other than Linux. Without io_uring (Linux 6.1 and permission) epoll is used and the log says so. `POLL` is the one that every system has; its turns take longer the more connections there are"),
    Key{"wait_mode", choice_of<&Settings::wait_mode, WaitMode::Block, WaitMode::Spin, WaitMode::SpinThenBlock>()}.one_of("BLOCK|SPIN|SPIN_THEN_BLOCK")
        .means("how the worker waits: asleep, spinning, or spinning before it sleeps"),
    Key{"spin_microseconds", &Settings::spin_microseconds}.between(0, 10'000'000).in(Measure::Microseconds)
        .means("time for which `SPIN_THEN_BLOCK` spins after the last event"),
    Key{"busy_poll_microseconds", &Settings::busy_poll_microseconds}.between(0, 1'000'000).in(Measure::Microseconds)
        .means("time for which the kernel polls the network card for a socket's input before it sleeps (SO_BUSY_POLL); 0: the system's setting. A larger value than that requires CAP_NET_ADMIN"),
    Key{"receive_time_stamps", choice_of<&Settings::receive_time_stamps, ReceiveTimeStamps::None, ReceiveTimeStamps::Kernel, ReceiveTimeStamps::NetworkCard>()}.one_of("NONE|KERNEL|NETWORK_CARD")
        .means("source of the receive times in the journal: the worker's clock when it processes the message, or the time at which the kernel or the network card received its last byte (SO_TIMESTAMPING). The card has its own clock, which PTP must keep near UTC; messages without a stamp of the card have the kernel's"),
    Key{"failover_group", &Settings::failover_group}.written_as("name of a failover group")
        .means("failover group of the sessions, which run on one of its nodes at a time; empty: they run here, and are not replicated"),
};
// clang-format on

}  // namespace instance_rows

namespace encryption_rows {

using Settings = EncryptionSettings;
using Key = ConfigurationKey<Settings>;

// clang-format off: one key a row, and its sentence of the reference on one line.
constexpr std::array table{
    Key{"tls", choice_of<&Settings::tls, Encryption::Off, Encryption::On>()}.one_of("OFF|ON")
        .means("whether the group's connections are encrypted; a build without TLS reports `ON` as a problem and never falls back to plain text"),
    Key{"tls_version_min", choice_of<&Settings::tls_version_min, tls::TlsVersion::Tls12, tls::TlsVersion::Tls13>()}.one_of("TLS1.2|TLS1.3").part_of(Feature::Encryption)
        .means("lowest TLS version that is accepted"),
    Key{"tls_version_max", choice_of<&Settings::tls_version_max, tls::TlsVersion::Tls12, tls::TlsVersion::Tls13>()}.one_of("TLS1.2|TLS1.3").part_of(Feature::Encryption)
        .means("highest TLS version that is accepted"),
    Key{"tls_ciphers", &Settings::tls_ciphers}.part_of(Feature::Encryption)
        .means("TLS 1.2: ciphers in OpenSSL's syntax; empty: those with authenticated encryption and forward secrecy"),
    Key{"tls_cipher_suites", &Settings::tls_cipher_suites}.part_of(Feature::Encryption)
        .means("TLS 1.3: colon-separated cipher suites; empty: OpenSSL's default"),
    Key{"tls_certificate_file", &Settings::tls_certificate_file}.names(FileNeed::Readable).part_of(Feature::Encryption)
        .means("our certificate, followed by the intermediate certificates up to its CA, PEM"),
    Key{"tls_key_file", &Settings::tls_key_file}.names(FileNeed::Readable).part_of(Feature::Encryption)
        .means("private key of that certificate, PEM"),
    Key{"tls_key_password", &Settings::tls_key_password}.written_as("file:PATH, env:NAME").names(FileNeed::SecretPlace).part_of(Feature::Encryption)
        .means("location of the private key's password; never the password itself"),
    Key{"tls_peer_proof", choice_of<&Settings::tls_peer_proof, tls::TlsPeerProof::Certificate, tls::TlsPeerProof::Optional, tls::TlsPeerProof::None, tls::TlsPeerProof::PresharedKey>()}.one_of("CERTIFICATE|OPTIONAL|NONE|PRESHARED_KEY").part_of(Feature::Encryption)
        .means("how a peer authenticates; OPTIONAL: servers only, a client's certificate is verified if it sends one; NONE: not at all"),
    Key{"tls_ca_file", &Settings::tls_ca_file}.names(FileNeed::ReadableOrSystem).part_of(Feature::Encryption)
        .means("CA certificates that peers' certificates are verified with, PEM; `SYSTEM`: those that the system trusts"),
    Key{"tls_ca_path", &Settings::tls_ca_path}.names(FileNeed::Directory).part_of(Feature::Encryption)
        .means("the same as a directory with OpenSSL's hashed names"),
    Key{"tls_crl_file", &Settings::tls_crl_file}.names(FileNeed::Readable).part_of(Feature::Encryption)
        .means("revocation lists, PEM; the issuer of a peer's certificate must have one that has not expired"),
    Key{"tls_pins", &Settings::tls_pins}.written_as("comma-separated pins").part_of(Feature::Encryption)
        .means("`leaf-certificate:`, `leaf-key:`, `ca-certificate:` or `ca-key:` with a SHA-256; one of the pins must match"),
    Key{"tls_pin_file", &Settings::tls_pin_file}.names(FileNeed::Readable).part_of(Feature::Encryption)
        .means("file of further pins, one per line"),
    Key{"tls_preshared_keys", &Settings::tls_preshared_keys}.written_as("file:PATH, env:NAME").names(FileNeed::SecretPlace).part_of(Feature::Encryption)
        .means("location of the pre-shared keys: lines `identity:key`, the key in hexadecimal digits, at least 16 bytes"),
    Key{"tls_handshake_timeout_milliseconds", &Settings::tls_handshake_timeout_milliseconds}.between(1, 3'600'000).in(Measure::Milliseconds).part_of(Feature::Encryption)
        .means("time from the connection to the end of the handshake"),
};
// clang-format on

}  // namespace encryption_rows

namespace client_rows {

using Settings = ClientSettings;
using Key = ConfigurationKey<Settings>;

// clang-format off: one key a row, and its sentence of the reference on one line.
constexpr std::array table{
    Key{"primary_address", &Settings::primary_address}
        .means("host to connect to"),
    Key{"primary_port", &Settings::primary_port}.between(1, 65'535)
        .means("port of the primary host"),
    Key{"secondary_address", &Settings::secondary_address}
        .means("host to try when the primary host does not answer"),
    Key{"secondary_port", &Settings::secondary_port}.between(1, 65'535)
        .means("port of the secondary host"),
    Key{"further_addresses", &Settings::further_addresses}.written_as("comma-separated host:port")
        .means("hosts to try after the secondary host, IPv6 addresses in brackets: [below](#hosts-of-a-client-group)"),
    Key{"connect_timeout_milliseconds", &Settings::connect_timeout_milliseconds}.between(1, int31_max).in(Measure::Milliseconds)
        .means("time after which an attempt to connect is abandoned"),
    Key{"reconnect_milliseconds", &Settings::reconnect_milliseconds}.between(1, int31_max).in(Measure::Milliseconds)
        .means("first pause after a connection is lost or refused"),
    Key{"reconnect_milliseconds_max", &Settings::reconnect_milliseconds_max}.between(1, int31_max).in(Measure::Milliseconds)
        .means("maximum of the pause, which doubles with jitter"),
    Key{"tls_server_name", &Settings::tls_server_name}.part_of(Feature::Encryption)
        .means("server name that is sent (SNI) and must be in the server's certificate; empty: the address of the host"),
    Key{"tls_check_server_name", &Settings::tls_check_server_name}.part_of(Feature::Encryption)
        .means("whether the server name must be in the certificate"),
    Key{"tls_preshared_identity", &Settings::tls_preshared_identity}.part_of(Feature::Encryption)
        .means("identity of the pre-shared key that we use; empty: the only one"),
};
// clang-format on

}  // namespace client_rows

namespace server_rows {

using Settings = ServerSettings;
using Key = ConfigurationKey<Settings>;

// clang-format off: one key a row, and its sentence of the reference on one line.
constexpr std::array table{
    Key{"accept_port", &Settings::accept_port}.between(0, 65'535)
        .means("port to listen on; 0: the kernel chooses"),
    Key{"pending_connection_queue_size", &Settings::pending_connection_queue_size}.between(1, 65'535)
        .means("the kernel's listen backlog"),
    Key{"max_poll_events", &Settings::max_poll_events}.between(1, 4'096)
        .means("maximum number of events taken from the kernel in one call; the largest value of all groups applies to all"),
    Key{"max_connections_before_logon", &Settings::max_connections_before_logon}.between(0, 1'000'000).reloads(KeyReload::InPlace)
        .means("maximum number of connections that have not logged on, including TLS handshakes. A further one replaces the oldest if that has waited 250 ms, and is refused otherwise; 0: as many as the group may have sessions, at least 256"),
    Key{"allowed_addresses", &Settings::allowed_addresses}.written_as("comma-separated addresses and networks").reloads(KeyReload::InPlace)
        .means("addresses that may connect, as `192.0.2.7, 198.51.100.0/24, 2001:db8::/32`; empty: any, see [Addresses](#addresses)"),
    Key{"max_connections_per_address", &Settings::max_connections_per_address}.between(0, 1'000'000).reloads(KeyReload::InPlace)
        .means("maximum number of connections from one IPv4 address or one IPv6 /64 network, logged on or not; 0: no limit"),
    Key{"max_connections_before_logon_per_address", &Settings::max_connections_before_logon_per_address}.between(0, 1'000'000).reloads(KeyReload::InPlace)
        .means("the same for connections that have not logged on; 0: no limit"),
    Key{"proxy_protocol_addresses", &Settings::proxy_protocol_addresses}.written_as("comma-separated addresses and networks").reloads(KeyReload::InPlace)
        .means("proxies whose connections begin with a PROXY protocol header of version 2; empty: none, see [Addresses](#addresses)"),
    Key{"accept_timeout_seconds", &Settings::accept_timeout_seconds}.between(0, 3'600).in(Measure::Seconds)
        .means("time from a connection to its complete Logon; 0: the longest `logon_timeout_seconds` of the group's sessions"),
    Key{"tls_named_certificates", &Settings::tls_named_certificates}.written_as("comma-separated name=certificate:key").part_of(Feature::Encryption)
        .means("further certificates, for clients that request these names (SNI); their keys have the password of `tls_key_file`"),
};
// clang-format on

}  // namespace server_rows

}  // namespace

std::span<const ConfigurationKey<InstanceSettings>> instance_keys() noexcept {
  return instance_rows::table;
}

std::span<const ConfigurationKey<EncryptionSettings>> encryption_keys() noexcept {
  return encryption_rows::table;
}

std::span<const ConfigurationKey<ClientSettings>> client_keys() noexcept {
  return client_rows::table;
}

std::span<const ConfigurationKey<ServerSettings>> server_keys() noexcept {
  return server_rows::table;
}

}  // namespace affix::inline v0::config
