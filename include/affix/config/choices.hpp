// SPDX-License-Identifier: MIT
// Values of configuration keys that are one of a few words, where no layer below has the type.
// docs/reference/configuration.md has the words and their meaning.
#pragma once

#include <cstdint>

namespace affix::inline v0::config {

/// Severity from which on the log has lines.
enum class LogLevel : std::uint8_t { Error, Warning, Info, Debug };

/// Where the log goes.
enum class LogDestination : std::uint8_t {
  File,  ///< log_file, or standard error.
  Syslog,
  Journald,
};

/// Form of the log's lines.
enum class LogFormat : std::uint8_t { Text, Json };

/// SIMD kernel of the codec.
enum class KernelChoice : std::uint8_t { Auto, Scalar, Sse42, Avx2, Avx512, Neon };

/// How a worker asks the kernel about its sockets. Of groups that share a worker the last of these
/// counts.
enum class ReactorKind : std::uint8_t { Epoll, Poll, IoUring };

/// How a worker waits when nothing is due.
enum class WaitMode : std::uint8_t {
  Block,          ///< Sleeps in the kernel until an event or the next timer.
  Spin,           ///< Never sleeps; a core per worker.
  SpinThenBlock,  ///< Spins for `spin_microseconds` after the last event, then sleeps.
};

/// SO_TIMESTAMPING of received bytes.
enum class ReceiveTimeStamps : std::uint8_t { None, Kernel, NetworkCard };

/// Whether a group's connections use TLS.
enum class Encryption : std::uint8_t { Off, On };

/// Role of local administration clients without a token.
enum class LocalRole : std::uint8_t { None, Read, Operate };

/// The application that `affix serve` runs.
enum class ServedApplication : std::uint8_t { Echo, DropCopy, Router, Plugin };

/// Set of defaults of a session group, for one kind of counterparty.
enum class Profile : std::uint8_t { Standard, Quickfix, Cme, RoundTheClock };

/// Whether a message is stored before it is sent.
enum class StoreOrder : std::uint8_t { BeforeSend, AfterSend };

/// Answer to a second connection for a session that has one.
enum class SecondLogon : std::uint8_t { Refuse, Probe };

/// Ends of a session after which the application is asked to cancel its orders.
enum class CancelOnDisconnect : std::uint8_t { Off, Disconnect, Logout, Both };

/// Set of rules by which messages are judged.
enum class ValidationPreset : std::uint8_t { Strict, Tolerant, Quickfix };

/// Order in which faults of a message are found; the first is reported.
enum class ValidationOrder : std::uint8_t { Message, Quickfix };

/// Messages that throttle_limit counts.
enum class ThrottleDirection : std::uint8_t {
  ByRole,  ///< An initiator's sends, an acceptor's received messages.
  Received,
};

/// Reaction to a message beyond the limit on sends.
enum class SendThrottleAction : std::uint8_t { Wait, Refuse };

/// The side that waits until the in-sync standbys of a failover group have the stored records.
enum class Replication : std::uint8_t {
  Async,          ///< Nothing: a failover may lose the newest messages.
  BeforeSend,     ///< Output.
  BeforeDeliver,  ///< Output, and received messages before the application has them.
};

}  // namespace affix::inline v0::config
