// SPDX-License-Identifier: MIT
// One HTTP connection for each of the two threads, by cpp-httplib. Everything that needs the
// library is here.
// The library is compiled, and its header is right only with what it was compiled for.
#define CPPHTTPLIB_OPENSSL_SUPPORT
#define CPPHTTPLIB_ZLIB_SUPPORT
#define CPPHTTPLIB_BROTLI_SUPPORT

#include "affix/service/etcd_election_store.hpp"

#include "affix/base/time.hpp"
#include "affix/os/clock.hpp"

#include "replication/store_thread.hpp"
#include "service/etcd_messages.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <httplib.h>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

namespace affix::inline v0::service {

namespace {

using replication::Answer;
using replication::RequestKind;
using replication::StoreRequest;

/// Of an answer: the entries of a cluster's groups are far smaller.
constexpr std::size_t answer_bytes_max = std::size_t{4} << 20;

constexpr int status_ok = 200;

/// How often the watch looks whether the first endpoint answers again.
constexpr std::int64_t return_ns = 5 * base::ns_per_second;

/// How far a request came.
enum class Sent : std::uint8_t {
  No,        ///< There was no connection: etcd has seen nothing of it.
  Perhaps,   ///< It has no answer, or none that says what became of it.
  Refused,   ///< It was answered with a refusal: it was not carried out.
  Answered,  ///< `text` is the answer.
};

struct Reply {
  Sent sent = Sent::No;
  std::string text = {};   // Answered.
  EtcdFault fault = {};    // Refused, or Perhaps with an answer.
  base::Error error = {};  // All but Answered.
};

/// The state of a connection to one endpoint.
class EtcdConnection {
 public:
  EtcdConnection(const EtcdOptions& options, std::string endpoint)
      : endpoint_(std::move(endpoint)),
        answer_ns_(options.answer_ns),
        client_(endpoint_, options.certificate_file, options.key_file) {
    const auto connect = std::chrono::nanoseconds(options.connect_ns);
    const auto answer = std::chrono::nanoseconds(options.answer_ns);
    client_.set_connection_timeout(std::chrono::duration_cast<std::chrono::microseconds>(connect));
    client_.set_read_timeout(std::chrono::duration_cast<std::chrono::microseconds>(answer));
    client_.set_write_timeout(std::chrono::duration_cast<std::chrono::microseconds>(answer));
    client_.set_keep_alive(true);
    client_.set_tcp_nodelay(true);
    client_.set_decompress(false);
    if (!options.ca_file.empty()) {
      client_.set_ca_cert_path(options.ca_file);
    }
  }

  [[nodiscard]] const std::string& endpoint() const noexcept { return endpoint_; }

  [[nodiscard]] Reply post(const char* path, const std::string& body, const std::string& token) {
    httplib::Request request;
    request.method = "POST";
    request.path = path;
    request.body = body;
    request.set_header("Content-Type", "application/json");
    if (!token.empty()) {
      request.set_header("Authorization", token);
    }
    Reply reply;
    bool is_too_long = false;
    // The library's limit is for each piece; this one is for all of them.
    const std::int64_t end_ns = os::now().steady_ns + 2 * answer_ns_;
    request.content_receiver = [&](const char* data, std::size_t size, std::uint64_t,
                                   std::uint64_t) {
      is_too_long = reply.text.size() + size > answer_bytes_max || os::now().steady_ns > end_ns;
      if (!is_too_long) {
        reply.text.append(data, size);
      }
      return !is_too_long;
    };
    httplib::Response response;
    auto fault = httplib::Error::Success;
    const bool is_whole = client_.send(request, response, fault);
    // etcd ends the answer of an error with a trailer, which the library takes for a broken answer.
    // A text that is cut is no JSON, and says nothing.
    const bool is_told_fault = fault == httplib::Error::Read && response.status > status_ok &&
                               !reply.text.empty() && !is_too_long;
    if (!is_whole && !is_told_fault) {
      reply.sent = is_before_sending(fault) ? Sent::No : Sent::Perhaps;
      reply.error = {base::ErrorCode::Io,
                     is_too_long ? "etcd's answer is too long" : text_of(fault), endpoint_, "R223"};
      return reply;
    }
    if (response.status == status_ok) {
      reply.sent = Sent::Answered;
      return reply;
    }
    reply.fault = read_fault(reply.text);
    reply.sent = is_refusal(reply.fault) ? Sent::Refused : Sent::Perhaps;
    reply.error = {reply.sent == Sent::Refused ? base::ErrorCode::Denied : base::ErrorCode::Io,
                   "etcd answered with the error " + std::to_string(response.status) + ": " +
                       (reply.fault.message.empty() ? "no reason given" : reply.fault.message),
                   endpoint_, "R224"};
    return reply;
  }

  /// From any thread: ends a request that waits.
  void stop() { client_.stop(); }

 private:
  static bool is_before_sending(httplib::Error fault) noexcept {
    switch (fault) {
      case httplib::Error::Connection:
      case httplib::Error::ConnectionTimeout:
      case httplib::Error::BindIPAddress:
      case httplib::Error::SSLConnection:
      case httplib::Error::SSLLoadingCerts:
      case httplib::Error::SSLServerVerification:
        return true;
      default:
        return false;
    }
  }

  static std::string text_of(httplib::Error fault) {
    switch (fault) {
      case httplib::Error::Connection:
        return "etcd does not accept a connection";
      case httplib::Error::ConnectionTimeout:
        return "etcd did not accept a connection in time";
      case httplib::Error::SSLConnection:
        return "the TLS handshake with etcd failed";
      case httplib::Error::SSLLoadingCerts:
        return "the file of authorities cannot be read";
      case httplib::Error::SSLServerVerification:
        return "etcd's certificate is not signed by a known authority, or is not for this host";
      case httplib::Error::Read:
        return "etcd did not answer in time, or ended the connection";
      case httplib::Error::Write:
        return "the connection to etcd ended while the request was sent";
      default:
        return "the request to etcd failed: " + httplib::to_string(fault);
    }
  }

  std::string endpoint_;
  std::int64_t answer_ns_;
  httplib::Client client_;
};

/// Where a request begins. Two threads share it: the watch asks often, and so finds an endpoint
/// that is gone before a request of consequence would have to wait for it.
class Preference {
 public:
  [[nodiscard]] std::size_t place() const noexcept {
    return place_.load(std::memory_order_relaxed);
  }

  void prefer(std::size_t place) noexcept { place_.store(place, std::memory_order_relaxed); }

 private:
  std::atomic<std::size_t> place_{0};
};

/// Which of two threads a store is for.
enum class Part : std::uint8_t {
  Requests,
  Watch,  ///< It also tries now and then whether the first endpoint is back.
};

class EtcdStore final : public replication::BlockingStore {
 public:
  EtcdStore(EtcdOptions options, Part part, std::shared_ptr<Preference> preference)
      : options_(std::move(options)),
        prefix_(options_.prefix + "/" + options_.cluster + "/"),
        part_(part),
        preference_(std::move(preference)) {
    for (const std::string& endpoint : options_.endpoints) {
      connections_.push_back(std::make_unique<EtcdConnection>(options_, endpoint));
    }
  }

  Answer carry_out(const StoreRequest& request) override {
    return request.kind == RequestKind::Read ? read(request) : write(request);
  }

  std::vector<Answer> read_all(const std::vector<std::string>& groups) override {
    // Everything with the prefix: up to the prefix with its last byte, '/', increased.
    std::string end = prefix_;
    ++end.back();
    const Reply reply = ask_all("/v3/kv/range", range_request(prefix_, end), Repeat::Yes);
    const auto values = reply.sent == Sent::Answered
                            ? read_range(reply.text)
                            : std::expected<std::vector<EtcdValue>, std::string>(std::unexpect);
    std::vector<Answer> answers;
    if (!values) {
      return answers;
    }
    for (const std::string& group : groups) {
      const auto found = std::ranges::find(*values, prefix_ + group, &EtcdValue::key);
      answers.push_back(answer_with({.group = group}, replication::Outcome::Done,
                                    found == values->end() ? nullptr : &*found));
    }
    return answers;
  }

  void interrupt() noexcept override {
    // Read again before each request; a request that has just begun is stopped below.
    is_interrupted_.store(true, std::memory_order_seq_cst);
    for (const auto& connection : connections_) {
      connection->stop();
    }
  }

 private:
  /// Whether a request may go to a further endpoint after it was sent to one.
  enum class Repeat : std::uint8_t { No, Yes };

  [[nodiscard]] Answer read(const StoreRequest& request) {
    const Reply reply =
        ask_all("/v3/kv/range", range_request(prefix_ + request.group), Repeat::Yes);
    if (reply.sent != Sent::Answered) {
      return replication::failure(request, replication::Outcome::Unreachable, reply.error);
    }
    const auto value = read_value(reply.text);
    if (!value) {
      return replication::failure(request, replication::Outcome::Unreachable,
                                  unreadable(value.error()));
    }
    return answer_with(request, replication::Outcome::Done, *value ? &**value : nullptr);
  }

  [[nodiscard]] Answer write(const StoreRequest& request) {
    const Reply reply =
        ask_all("/v3/kv/txn",
                write_request(prefix_ + request.group, replication::to_text(request.entry),
                              request.expected_revision),
                Repeat::No);
    if (reply.sent != Sent::Answered) {
      return replication::failure(request,
                                  reply.sent == Sent::Perhaps ? replication::Outcome::Unknown
                                                              : replication::Outcome::Unreachable,
                                  reply.error);
    }
    auto written = read_write(reply.text);
    if (!written) {
      return replication::failure(request, replication::Outcome::Unknown,
                                  unreadable(written.error()));
    }
    if (!written->is_written) {
      return answer_with(request, replication::Outcome::Conflict,
                         written->present ? &*written->present : nullptr);
    }
    return {.group = request.group,
            .kind = replication::answer_to(request.kind),
            .entry = request.entry,
            .revision = written->revision};
  }

  [[nodiscard]] base::Error unreadable(const std::string& why) const {
    return {base::ErrorCode::Io, "etcd's answer cannot be read: " + why,
            connections_[answered_]->endpoint(), "R225"};
  }

  /// `value` may be null: there is no entry.
  [[nodiscard]] Answer answer_with(const StoreRequest& request, replication::Outcome outcome,
                                   const EtcdValue* value) const {
    Answer answer{
        .group = request.group, .kind = replication::answer_to(request.kind), .outcome = outcome};
    if (value != nullptr) {
      auto entry = replication::parse_entry(value->value);
      if (!entry) {
        entry.error().where = "key " + prefix_ + request.group;
        return replication::failure(request, replication::Outcome::Damaged,
                                    std::move(entry.error()));
      }
      answer.entry = std::move(*entry);
      answer.revision = value->revision;
    }
    return answer;
  }

  /// The watch returns to the first endpoint, which is the nearest one, when it is back.
  [[nodiscard]] std::size_t first_place() noexcept {
    const std::int64_t now_ns = os::now().steady_ns;
    if (part_ == Part::Watch && preference_->place() != 0 && now_ns >= next_return_ns_) {
      next_return_ns_ = now_ns + return_ns;
      return 0;
    }
    return preference_->place();
  }

  /// Asks the preferred endpoint, then the others.
  [[nodiscard]] Reply ask_all(const char* path, const std::string& body, Repeat repeat) {
    Reply last;
    std::string reasons;
    const std::size_t first = first_place();
    for (std::size_t step = 0; step < connections_.size(); ++step) {
      if (is_interrupted_.load(std::memory_order_seq_cst)) {
        last.error = {base::ErrorCode::Io, "the election store is being closed", {}, "R223"};
        return last;
      }
      const std::size_t place = (first + step) % connections_.size();
      last = ask_one(*connections_[place], path, body);
      if (last.sent == Sent::Answered) {
        preference_->prefer(place);
        answered_ = place;
        return last;
      }
      if (last.sent == Sent::Refused || (last.sent == Sent::Perhaps && repeat == Repeat::No)) {
        // The next request begins with another endpoint: this one may have lost its majority.
        preference_->prefer(last.sent == Sent::Refused ? place : (place + 1) % connections_.size());
        return last;
      }
      if (preference_->place() == place) {
        preference_->prefer((place + 1) % connections_.size());
      }
      reasons += (reasons.empty() ? "" : "; ") + last.error.sentence();
    }
    preference_->prefer((first + 1) % connections_.size());
    // Every endpoint with its reason.
    last.error.where.clear();
    last.error.message = reasons;
    return last;
  }

  [[nodiscard]] Reply ask_one(EtcdConnection& connection, const char* path,
                              const std::string& body) {
    if (options_.user.empty()) {
      return connection.post(path, body, {});
    }
    // A token that etcd has forgotten is made anew, once. What it refused was not carried out.
    for (const bool is_last : {false, true}) {
      if (token_.empty()) {
        Reply reply = connection.post("/v3/auth/authenticate",
                                      token_request(options_.user, options_.password), {});
        if (reply.sent != Sent::Answered) {
          // Nothing was asked yet but for a token.
          reply.sent = reply.sent == Sent::Refused ? Sent::Refused : Sent::No;
          return reply;
        }
        auto token = read_token(reply.text);
        if (!token) {
          return {.sent = Sent::No, .error = unreadable(token.error())};
        }
        token_ = std::move(*token);
      }
      Reply reply = connection.post(path, body, token_);
      const bool is_old = reply.sent != Sent::Answered && is_about_token(reply.fault);
      if (!is_old) {
        return reply;
      }
      token_.clear();
      reply.sent = Sent::Refused;
      if (is_last) {
        return reply;
      }
    }
    return {};
  }

  EtcdOptions options_;
  std::string prefix_;
  std::vector<std::unique_ptr<EtcdConnection>> connections_;
  const Part part_;
  const std::shared_ptr<Preference> preference_;
  std::int64_t next_return_ns_ = 0;
  std::size_t answered_ = 0;  // The endpoint of the last answer.
  std::string token_;
  std::atomic<bool> is_interrupted_{false};
};

}  // namespace

std::expected<std::unique_ptr<replication::ElectionStore>, base::Error> open_etcd_election_store(
    const EtcdOptions& options) {
  if (auto checked = check_etcd_options(options); !checked) {
    return std::unexpected(std::move(checked.error()));
  }
  std::string place = "etcd";
  for (const std::string& endpoint : options.endpoints) {
    place += (place == "etcd" ? " " : ", ") + endpoint;
  }
  const auto preference = std::make_shared<Preference>();
  return std::make_unique<replication::StoreThread>(
      std::make_unique<EtcdStore>(options, Part::Requests, preference),
      std::make_unique<EtcdStore>(options, Part::Watch, preference), options.watch_ns,
      std::move(place));
}

}  // namespace affix::inline v0::service
