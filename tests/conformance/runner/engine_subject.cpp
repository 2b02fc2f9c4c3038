// SPDX-License-Identifier: MIT
// The engine under test: its configuration as text, its application, its end and restart.
#include "engine_subject.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace affix::conformance {

namespace {

std::string configuration_text(const Scenario& scenario, Role role, const Version& version,
                               const Identity& identity, std::string_view host,
                               const std::string& journal_path) {
  std::string text =
      role == Role::Acceptor
          ? "[SERVER]\ntype=server\naccept_port=0\nnic_address=" + std::string(host) + "\n"
          : "[CLIENT]\ntype=client\nreconnect_milliseconds=10\n"
            "reconnect_milliseconds_max=10\nprimary_port=1\nprimary_address=" +
                std::string(host) + "\n";
  text += "[SESSION]\ntype=session\nbegin_string=" + std::string(version.begin_string) +
          "\nsender_comp_id=" + identity.them + "\ntarget_comp_id=" + identity.us +
          "\njournal_path=" + journal_path + "\nsequence_reserve=0\n" +
          "timestamp_subseconds_precision=MILLI\n";
  if (version.is_fixt()) {
    text += "default_app_ver_id=" + std::string(version.appl_ver_id) + "\n";
  }
  if (scenario.dictionary) {
    const std::string folder = AFFIX_DICTIONARIES;
    text += "dictionary=" + folder + "/" + std::string(version.dictionary) + "\n";
    text += version.is_fixt() ? "transport_dictionary=" + folder + "/FIXT11.xml\n" : "";
  }
  bool durability_given = scenario.kills;  // Then the default, which survives that.
  for (const auto& [key, value] : scenario.settings) {
    text += key + "=" + value + "\n";
    durability_given = durability_given || key == "durability";
  }
  return text + (durability_given ? "" : "durability=memory\n");
}

bool file_holds(const std::filesystem::path& path, std::string_view text) {
  std::ifstream stream(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  return bytes.contains(text);
}

}  // namespace

class EngineSubject::Listening final : public host::Application {
 public:
  host::LogonAnswer on_logon_request(host::SessionHandle,
                                     const wire::MessageView&) noexcept override {
    return refusal.empty() ? host::LogonAnswer::accept() : host::LogonAnswer::refuse(refusal);
  }

  void on_message(host::SessionHandle session, const wire::MessageView& message,
                  const host::Delivery& delivery) noexcept override {
    reported.messages.push_back({std::string(message.bytes()), delivery.redelivered});
    if (reject_reason >= 0) {
      session.reject_business(message, static_cast<session::BusinessRejectReason>(reject_reason),
                              reject_text);
    }
  }

  void on_event(const host::Event& event) noexcept override {
    reported.events.emplace_back(event.text);
  }

  Reported reported;
  std::string refusal;
  int reject_reason = -1;
  std::string reject_text;
};

EngineSubject::EngineSubject(const Scenario& scenario, Role role, const Version& version,
                             const Identity& identity, std::string_view host, std::uint16_t port,
                             MakeReactor make_reactor)
    : configuration_(
          configuration_text(scenario, role, version, identity, host, directory_.path())),
      role_(role),
      port_(port),
      make_reactor_(std::move(make_reactor)),
      application_(std::make_unique<Listening>()) {}

EngineSubject::~EngineSubject() = default;

std::string EngineSubject::open() {
  auto configuration = config::parse_configuration(configuration_, "scenario");
  if (!configuration) {
    return config::text_of(configuration.error());
  }
  for (config::ServerSettings& server : configuration->servers) {
    server.accept_port = port_;
  }
  for (config::ClientSettings& client : configuration->clients) {
    client.primary_port = port_;
  }
  auto opened =
      engine::Engine::open(*configuration, *application_,
                           make_reactor_(engine::Engine::reactor_options(*configuration)));
  if (!opened) {
    return config::text_of(opened.error());
  }
  engine_ = std::move(*opened);
  if (role_ == Role::Acceptor) {
    port_ = engine_->listening_addresses().front().port();
  }
  return {};
}

const Reported& EngineSubject::reported() const {
  return application_->reported;
}

std::string EngineSubject::send(std::string_view type, std::string_view body) {
  wire::Encoder message = session().begin(type);
  message.raw(body);
  const host::SendResult result = session().commit(message);
  return result.sent() ? std::string() : std::string("not sent: ") + to_text(result.status);
}

void EngineSubject::logout(std::string_view text) {
  session().logout(text);
}

void EngineSubject::reset() {
  session().reset();
}

void EngineSubject::refuse_logons(std::string text) {
  application_->refusal = std::move(text);
}

void EngineSubject::reject_messages(int reason, std::string text) {
  application_->reject_reason = reason;
  application_->reject_text = std::move(text);
}

std::uint64_t EngineSubject::next_sent() const {
  return session().next_sender_seq();
}

std::uint64_t EngineSubject::next_expected() const {
  return session().next_target_seq();
}

std::string EngineSubject::left_behind(std::string_view text) const {
  for (const std::string& event : application_->reported.events) {
    if (event.contains(text)) {
      return "an event says it: " + event;
    }
  }
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory_.path())) {
    if (entry.is_regular_file() && file_holds(entry.path(), text)) {
      return entry.path().string() + " holds it";
    }
  }
  return {};
}

std::string EngineSubject::kill(bool memory) {
  engine_->abandon();
  engine_.reset();
  if (!memory) {
    std::vector<std::filesystem::path> kept;
    for (const auto& entry : std::filesystem::directory_iterator(directory_.path())) {
      kept.push_back(entry.path());
    }
    for (const std::filesystem::path& path : kept) {
      std::filesystem::remove_all(path);
    }
  }
  return open();
}

}  // namespace affix::conformance
