// SPDX-License-Identifier: MIT
// One HTTP connection to each endpoint for each of the two threads.
#include "affix/service/etcd_election_store.hpp"

#include "affix/base/time.hpp"
#include "affix/os/clock.hpp"

#include "replication/store_thread.hpp"
#include "service/etcd_messages.hpp"
#include "service/http_connection.hpp"

#include <algorithm>
#include <atomic>
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
  EtcdConnection(std::string endpoint, HttpServer server)
      : endpoint_(std::move(endpoint)), connection_(std::move(server)) {}

  [[nodiscard]] const std::string& endpoint() const noexcept { return endpoint_; }

  [[nodiscard]] Reply post(const char* path, const std::string& body, const std::string& token) {
    std::vector<HttpConnection::Header> headers{{"Content-Type", "application/json"}};
    if (!token.empty()) {
      headers.push_back({"Authorization", token});
    }
    Reply reply;
    const auto answer = connection_.post(path, headers, body);
    if (!answer) {
      reply.sent = answer.error().was_sent ? Sent::Perhaps : Sent::No;
      reply.error = {base::ErrorCode::Io, "etcd cannot be asked: " + answer.error().text, endpoint_,
                     "R223"};
      return reply;
    }
    if (answer->status() == status_ok) {
      reply.sent = Sent::Answered;
      reply.text = answer->body();
      return reply;
    }
    reply.fault = read_fault(answer->body());
    reply.sent = is_refusal(reply.fault) ? Sent::Refused : Sent::Perhaps;
    reply.error = {reply.sent == Sent::Refused ? base::ErrorCode::Denied : base::ErrorCode::Io,
                   "etcd answered with the error " + std::to_string(answer->status()) + ": " +
                       (reply.fault.message.empty() ? "no reason given" : reply.fault.message),
                   endpoint_, "R224"};
    return reply;
  }

  /// From any thread: ends a request that waits.
  void stop() noexcept { connection_.stop(); }

 private:
  std::string endpoint_;
  HttpConnection connection_;
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
  EtcdStore(EtcdOptions options, const std::vector<HttpServer>& servers, Part part,
            std::shared_ptr<Preference> preference)
      : options_(std::move(options)),
        prefix_(options_.prefix + "/" + options_.cluster + "/"),
        part_(part),
        preference_(std::move(preference)) {
    for (std::size_t place = 0; place < servers.size(); ++place) {
      connections_.push_back(
          std::make_unique<EtcdConnection>(options_.endpoints[place], servers[place]));
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

/// Without the port, and an address without its brackets.
std::string host_of(std::string_view host_and_port) {
  std::string_view host = host_and_port.substr(0, host_and_port.rfind(':'));
  if (host.starts_with('[')) {
    host = host.substr(1, host.size() - 2);
  }
  return std::string(host);
}

/// Reads the files of certificates.
std::expected<std::vector<HttpServer>, base::Error> servers_of(const EtcdOptions& options) {
  std::vector<HttpServer> servers;
  for (const std::string& endpoint : options.endpoints) {
    const std::size_t host_at = endpoint.find("//") + 2;
    HttpServer server{.host_and_port = endpoint.substr(host_at),
                      .tls = nullptr,
                      .connect_ns = options.connect_ns,
                      .answer_ns = options.answer_ns,
                      .body_bytes_max = answer_bytes_max};
    if (endpoint.starts_with("https")) {
      tls::TlsSettings settings;
      settings.name = "etcd";
      settings.ca_file = options.ca_file.empty() ? "SYSTEM" : options.ca_file;
      settings.server_name = host_of(server.host_and_port);
      settings.handshake_timeout_ns = options.connect_ns;
      if (!options.certificate_file.empty()) {
        settings.certificates.push_back({.server_name = {},
                                         .certificate_file = options.certificate_file,
                                         .key_file = options.key_file});
      }
      auto opened = tls::TlsEndpoint::open(std::move(settings));
      if (!opened) {
        return std::unexpected(std::move(opened.error()));
      }
      server.tls = std::move(*opened);
    }
    servers.push_back(std::move(server));
  }
  return servers;
}

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
  const auto servers = servers_of(options);
  if (!servers) {
    return std::unexpected(servers.error());
  }
  const auto preference = std::make_shared<Preference>();
  return std::make_unique<replication::StoreThread>(
      std::make_unique<EtcdStore>(options, *servers, Part::Requests, preference),
      std::make_unique<EtcdStore>(options, *servers, Part::Watch, preference), options.watch_ns,
      std::move(place));
}

}  // namespace affix::inline v0::service
