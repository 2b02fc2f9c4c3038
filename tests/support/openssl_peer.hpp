// SPDX-License-Identifier: MIT
// A peer at the other end of a socket, made of OpenSSL's library and none of our code: does as much
// as possible at each step(), without waiting.
#pragma once

#include "affix/net/socket.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <utility>

namespace affix::support {

class OpenSslPeer {
 public:
  enum class Role : std::uint8_t { Client, Server };

  /// Takes over a connected socket. `adjust` sets files, versions and other options.
  OpenSslPeer(net::Socket socket, Role role, const std::function<void(SSL_CTX*)>& adjust = {},
              const std::function<void(SSL*)>& adjust_connection = {})
      : socket_(std::move(socket)),
        context_(SSL_CTX_new(role == Role::Client ? TLS_client_method() : TLS_server_method()),
                 &SSL_CTX_free) {
    if (adjust) {
      adjust(context_.get());
    }
    ssl_.reset(SSL_new(context_.get()), &SSL_free);
    if (adjust_connection) {
      adjust_connection(ssl_.get());
    }
    // Memory on both sides, so that a test decides how many bytes travel at a time.
    SSL_set_bio(ssl_.get(), BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
    if (role == Role::Client) {
      SSL_set_connect_state(ssl_.get());
    } else {
      SSL_set_accept_state(ssl_.get());
    }
  }

  /// Trusts only `file`; without this call, every peer.
  static void trust(SSL_CTX* context, const std::string& file) {
    EXPECT_EQ(SSL_CTX_load_verify_file(context, file.c_str()), 1) << file;
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  }

  static void show(SSL_CTX* context, const std::string& certificate, const std::string& key) {
    EXPECT_EQ(SSL_CTX_use_certificate_chain_file(context, certificate.c_str()), 1) << certificate;
    EXPECT_EQ(SSL_CTX_use_PrivateKey_file(context, key.c_str(), SSL_FILETYPE_PEM), 1) << key;
  }

  /// Moves bytes both ways, continues the handshake, and reads available data into received().
  void step() {
    pump_in();
    ERR_clear_error();
    if (!shaken_ && fault_.empty()) {
      note(SSL_do_handshake(ssl_.get()), [this] { shaken_ = true; });
    }
    if (shaken_ && fault_.empty()) {
      char bytes[16384];
      int got = 0;
      while ((got = SSL_read(ssl_.get(), bytes, sizeof bytes)) > 0) {
        received_.append(bytes, static_cast<std::size_t>(got));
      }
      note(got, [] {});
    }
    pump_out();
  }

  /// Encrypts; step() sends.
  void write(std::string_view plain) {
    EXPECT_EQ(SSL_write(ssl_.get(), plain.data(), static_cast<int>(plain.size())),
              static_cast<int>(plain.size()));
  }

  /// Sends our close_notify.
  void end() { static_cast<void>(SSL_shutdown(ssl_.get())); }

  [[nodiscard]] bool shaken() const { return shaken_; }

  [[nodiscard]] bool got_close_notify() const {
    return (SSL_get_shutdown(ssl_.get()) & SSL_RECEIVED_SHUTDOWN) != 0;
  }

  /// The socket's stream has ended.
  [[nodiscard]] bool at_end() const { return at_end_; }

  [[nodiscard]] const std::string& received() const { return received_; }

  /// OpenSSL's reason for giving up; empty while it has none.
  [[nodiscard]] const std::string& fault() const { return fault_; }

  [[nodiscard]] SSL* ssl() const { return ssl_.get(); }

  [[nodiscard]] int fd() const { return socket_.fd(); }

  /// Maximum bytes that a step sends; for small pieces.
  std::size_t bytes_per_step = SIZE_MAX;

  void close() { socket_.close(); }

 private:
  template <typename Done>
  void note(int result, Done done) {
    if (result > 0) {
      done();
      return;
    }
    const int error = SSL_get_error(ssl_.get(), result);
    if (error != SSL_ERROR_WANT_READ && error != SSL_ERROR_WANT_WRITE &&
        error != SSL_ERROR_ZERO_RETURN) {
      const char* reason = ERR_reason_error_string(ERR_peek_error());
      fault_ = reason != nullptr ? reason : "no reason";
    }
  }

  void pump_in() {
    char bytes[65536];
    ssize_t got = 0;
    while ((got = ::recv(fd(), bytes, sizeof bytes, MSG_DONTWAIT)) > 0) {
      BIO_write(SSL_get_rbio(ssl_.get()), bytes, static_cast<int>(got));
    }
    at_end_ = at_end_ || got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR);
  }

  void pump_out() {
    std::size_t left = bytes_per_step;
    while (left != 0) {
      if (unsent_.empty()) {
        char bytes[65536];
        const int got = BIO_read(SSL_get_wbio(ssl_.get()), bytes, sizeof bytes);
        if (got <= 0) {
          return;
        }
        unsent_.assign(bytes, static_cast<std::size_t>(got));
      }
      const ssize_t sent =
          ::send(fd(), unsent_.data(), std::min(left, unsent_.size()), MSG_DONTWAIT | MSG_NOSIGNAL);
      if (sent <= 0) {
        return;
      }
      unsent_.erase(0, static_cast<std::size_t>(sent));
      left -= static_cast<std::size_t>(sent);
    }
  }

  net::Socket socket_;
  std::shared_ptr<SSL_CTX> context_;
  std::shared_ptr<SSL> ssl_;
  std::string received_;
  std::string unsent_;
  std::string fault_;
  bool shaken_ = false;
  bool at_end_ = false;
};

}  // namespace affix::support
