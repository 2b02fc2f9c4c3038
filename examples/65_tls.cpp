// SPDX-License-Identifier: MIT
// A session over TLS with pre-shared keys, by which each side authenticates the other. For
// certificates only other keys of the configuration change: docs/reference/tls.md.

#include "affix/engine.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>

namespace {

using affix::engine::Engine;
using affix::host::Delivery;
using affix::host::SessionHandle;
using affix::wire::MessageView;

class Side : public affix::host::Application {
 public:
  bool encrypted = false;
  bool logged_on = false;
  bool refused = false;
  bool ended = false;

  void on_logon(SessionHandle session) noexcept override {
    logged_on = true;
    if (session.is_initiator()) {
      session.logout("that was all");
    }
  }

  void on_logout(SessionHandle /*session*/, std::string_view /*reason*/) noexcept override {
    ended = true;
  }

  void on_message(SessionHandle /*session*/, const MessageView& /*message*/,
                  const Delivery& /*delivery*/) noexcept override {}

  void on_event(const affix::host::Event& event) noexcept override {
    // "speaks TLSv1.3 ..." and "connected with TLSv1.3 ...", or the reason for a failure.
    encrypted = encrypted || event.text.find("TLSv1.3") != std::string_view::npos;
    refused = refused || event.text.find("TLS: ") != std::string_view::npos;
  }
};

void print(const char* name, const Side& side) {
  std::printf("  %s: %s, %s\n", name, side.encrypted ? "TLS 1.3" : "no connection",
              side.logged_on ? "logged on" : "not logged on");
}

std::unique_ptr<Engine> open(const std::string& text, affix::host::Application& application) {
  const auto configuration = affix::config::parse_configuration(text, "example");
  if (configuration) {
    auto engine = Engine::open(*configuration, application);
    if (engine) {
      return std::move(*engine);
    }
    std::puts(affix::config::text_of(engine.error()).c_str());
  } else {
    std::puts(affix::config::text_of(configuration.error()).c_str());
  }
  return nullptr;
}

/// Writes a file with one key, as made by `openssl rand -hex 32`; a real one is readable by its
/// owner only.
std::string write_key(const std::string& directory, const char* name, char digit) {
  const std::string path = directory + "/" + name;
  std::ofstream(path) << "FIRM:" << std::string(64, digit) << '\n';
  return path;
}

int run(const std::string& directory) {
  const std::string tls = "tls=ON\ntls_peer_proof=PRESHARED_KEY\ntls_preshared_keys=file:";
  const std::string session = "begin_string=FIX.4.4\ndurability=memory\n";
  const std::string right_key = write_key(directory, "right.key", '7');
  const std::string wrong_key = write_key(directory, "wrong.key", '8');
  Side venue;
  const auto venue_engine =
      open("[SERVER]\nnic_address=127.0.0.1\naccept_port=0\n" + tls + right_key + "\n[AT_VENUE]\n" +
               session + "sender_comp_id=VENUE\ntarget_comp_id=FIRM\ntls_peer=psk:FIRM\n",
           venue);
  if (!venue_engine) {
    return 1;
  }
  const std::string client = "[CLIENT]\nprimary_address=127.0.0.1\nprimary_port=" +
                             std::to_string(venue_engine->listening_addresses().front().port()) +
                             "\n" + tls;
  const std::string firm_session =
      "\n[AT_FIRM]\n" + session + "sender_comp_id=FIRM\ntarget_comp_id=VENUE\n";

  std::puts("with another key");
  Side stranger;
  {
    const auto engine = open(client + wrong_key + firm_session, stranger);
    for (int turn = 0; engine && turn < 10'000'000 && !(stranger.refused && venue.refused);
         ++turn) {
      venue_engine->poll();
      engine->poll();
    }
  }
  print("venue", venue);
  print("firm", stranger);
  std::puts("with the right one");
  Side firm;
  const auto engine = open(client + right_key + firm_session, firm);
  for (int turn = 0; engine && turn < 10'000'000 && !firm.ended; ++turn) {
    venue_engine->poll();
    engine->poll();
  }
  print("venue", venue);
  print("firm", firm);
  return firm.ended && venue.logged_on && !stranger.logged_on ? 0 : 1;
}

}  // namespace

int main() {
  std::string directory = (std::filesystem::temp_directory_path() / "affix-tls-XXXXXX").string();
  if (::mkdtemp(directory.data()) == nullptr) {
    return 1;
  }
  const int status = run(directory);
  std::filesystem::remove_all(directory);
  return status;
}
